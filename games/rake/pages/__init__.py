"""The pages of time collection and of jackpots, and their API."""
