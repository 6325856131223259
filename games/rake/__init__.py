"""What the house takes: the drop, time collection, jackpots, and comps given back."""
