"""The back office: staff look after accounts, players and the chat, and read the audit log."""
