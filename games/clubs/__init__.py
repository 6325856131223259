"""Clubs of players: their members, their tables, their chat and their leaderboards."""
