"""Waiting lists: names put on, called, seated, passed over and taken off."""
