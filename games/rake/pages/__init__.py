"""The pages of time collection and of jackpots, and what programs ask about them."""
