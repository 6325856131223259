"""Rules that the database keeps by itself, and temporary databases for measurements."""
