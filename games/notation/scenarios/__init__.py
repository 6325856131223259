"""Scenarios: hands written down with what is expected, read and replayed through the engine."""
