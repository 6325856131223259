"""House bots: what they see, how they choose, and how fast they play."""
