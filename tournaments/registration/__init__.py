"""Players enter events: buy-ins, rebuys, guests, bans, and flights into a final."""
