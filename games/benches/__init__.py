"""What ``manage.py bench`` can measure of the games, by name: modules with ``run``."""

BENCHES = {
    "bots": "games.benches.bots",
    "engine": "games.benches.engine",
    "evaluate": "games.benches.evaluate",
    "live": "games.benches.live",
    "room": "games.benches.room",
}
