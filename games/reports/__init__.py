"""Reports of what the room took, and players' statements."""
