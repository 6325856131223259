"""Hands as text: hand histories in PHH, and scenarios that show a rule."""
