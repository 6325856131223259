"""Hands written the way other programs write them. Pure Python over the engine: no database, no clock."""
