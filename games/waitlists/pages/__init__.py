"""The pages of waiting lists, for players and for the floor, and their API."""
