"""Tournaments: structures, clocks, seating, payouts. Only its place is here yet."""
