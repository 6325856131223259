"""Prizes: payouts, deals, tickets, and the standing of each player."""
