"""Hands that are over: what each was for its players, as files, and as pictures."""
