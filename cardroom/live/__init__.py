"""What every socket of the room shares: who is at the other end, what is read and how fast, what waits to be written,
and news between processes. Knows no tables and no tournaments."""
