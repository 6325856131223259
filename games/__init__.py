"""Games: tables, seats, hands and live play."""
