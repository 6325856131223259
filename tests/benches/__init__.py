"""What ``manage.py bench`` can measure, by name: modules with ``run``."""

BENCHES = {
    "bots": "tests.benches.bots",
    "clocks": "tests.benches.clocks",
    "crowd": "tests.benches.crowd",
    "engine": "tests.benches.engine",
    "evaluate": "tests.benches.evaluate",
    "live": "tests.benches.live",
    "room": "tests.benches.room",
    "storage": "tests.benches.storage",
    "tournament": "tests.benches.tournament",
}
