"""What ``manage.py bench`` can measure of tournaments, by name: modules with ``run``."""

BENCHES = {"tournament": "tournaments.benches.tournament"}
