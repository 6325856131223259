from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.models import guards
        from cardroom.services import alarms, audit
        from games import audit as checks
        from games.live import receivers  # noqa: F401, it connects itself
        from games.rulebooks import find_house_books_with
        from games.selectors import rulebooks
        from games.services import bans, comps, holds, locking, moving, time_clock

        find_house_books_with(rulebooks.find)
        alarms.register(locking.ALARM, "games.tasks.wake_table")
        alarms.register(time_clock.ALARM, "games.tasks.collect_time")
        alarms.register(comps.ALARM, "games.tasks.credit_comps")
        alarms.register(holds.ALARM, "games.tasks.end_hold")
        alarms.register(moving.ALARM, "games.tasks.move_seat")
        bans.connect()
        guards.append_only("games_handfact", "what happened in a hand stays as it was written down")
        guards.append_only("games_seatmove", "what happened at a seat stays as it was written down")
        guards.append_only("games_boxcount", "what a drop box held stays as it was counted")
        guards.append_only("games_floororder", "what the floor ordered stays as it was written down")
        guards.append_only("games_practiceanswer", "an answer given stays as it was given")
        guards.append_only("games_houserulebook", "a house rulebook keeps its name and its base: make another")
        guards.append_only("games_rulebookversion", "a version stays as it was saved: save another")
        for name, check in checks.CHECKS.items():
            audit.register(name, check)
