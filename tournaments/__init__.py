"""Tournaments: structures, clocks, seating, registration, prizes and leagues."""
