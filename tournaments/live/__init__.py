"""The sockets of tournaments: what everybody may know, and each player of themselves."""
