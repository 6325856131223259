"""The sockets of live tables: what each viewer may see, and commands from players."""
