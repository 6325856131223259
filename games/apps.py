from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.models import guards
        from cardroom.services import alarms, audit
        from games import audit as checks
        from games.live import receivers  # noqa: F401, it connects itself
        from games.services import locking

        alarms.register(locking.ALARM, "games.tasks.wake_table")
        guards.append_only("games_handfact", "what happened in a hand stays as it was written down")
        guards.append_only("games_seatmove", "what happened at a seat stays as it was written down")
        guards.append_only("games_floororder", "what the floor ordered stays as it was written down")
        guards.append_only("games_practiceanswer", "an answer given stays as it was given")
        for name, check in checks.CHECKS.items():
            audit.register(name, check)
