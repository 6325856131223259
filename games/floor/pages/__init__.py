"""Pages of the floor, the lobby, the tablet and the cage window."""
