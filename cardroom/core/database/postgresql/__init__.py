"""Django's backend for PostgreSQL, with a pool of connections for pages beside the one for play."""
