"""People: their accounts and logins, members' cards, visits, bans, notes and the chat."""
