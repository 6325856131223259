"""Pages for logging in, for the second factor, and for one's own account."""
