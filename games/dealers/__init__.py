"""Dealers of the room: who deals where, pushes and breaks."""
