"""Pages of time collection and of jackpots."""
