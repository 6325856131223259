"""What ``manage.py bench`` can measure, by name: modules with ``run``."""

BENCHES = {
    "bots": "tests.benches.bots",
    "engine": "tests.benches.engine",
    "evaluate": "tests.benches.evaluate",
    "live": "tests.benches.live",
    "room": "tests.benches.room",
    "tournament": "tests.benches.tournament",
}
