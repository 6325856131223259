from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.models import guards
        from cardroom.services import alarms, audit, limits, notices, outages, visits, watchdog
        from cardroom.services.cage import books
        from games import audit as checks
        from games import (
            audit_days,
            audit_jackpots,
            audit_room,
            audit_times,
            stalls,
        )
        from games.live import receivers  # noqa: F401, it connects itself
        from games.rulebooks import find_house_books_with
        from games.selectors import rulebooks
        from games.services import (
            bans,
            brought,
            comps,
            days,
            downs,
            given_back,
            holds,
            jackpot_changes,
            lists,
            locking,
            moving,
            playtime,
            stays,
            time_clock,
        )
        from games.services.lists import call_links, hearing  # noqa: F401  hearing connects itself

        find_house_books_with(rulebooks.find)
        alarms.register(locking.ALARM, "games.tasks.wake_table")
        alarms.register(time_clock.ALARM, "games.tasks.collect_time")
        alarms.register(jackpot_changes.ALARM, "games.tasks.grow_jackpot")
        alarms.register(days.ALARM, "games.tasks.add_up_days")
        alarms.register(days.MAIL_ALARM, "games.tasks.mail_reports")
        alarms.register(downs.DOWN_ALARM, "games.tasks.dealer_push")
        alarms.register(downs.BREAK_ALARM, "games.tasks.dealer_break")
        alarms.register(comps.ALARM, "games.tasks.credit_comps")
        alarms.register(holds.ALARM, "games.tasks.end_hold")
        alarms.register(moving.ALARM, "games.tasks.move_seat")
        alarms.register(playtime.ALARM, "games.tasks.tell_play_time")
        limits.count_minutes_with(playtime.minutes)
        limits.count_brought_with(brought.before)
        books.count_at_tables_with(brought.lying)
        limits.when_changed(playtime.keep)
        stays.when_changed(playtime.keep)
        visits.ask_where_seated(playtime.seated_at)
        notices.add_links(call_links.link_of)
        bans.connect()
        alarms.register(lists.FILL_ALARM, "games.tasks.look_at_lists")
        alarms.register(lists.CALL_ALARM, "games.tasks.end_call")
        outages.register("games.calls", given_back.calls, locks=outages.LISTS)
        outages.register("games.tables", given_back.tables, locks=outages.TABLES)
        guards.append_only("games_listmove", "what happened on a list stays as it was written down")
        guards.append_only("games_handfact", "what happened in a hand stays as it was written down")
        guards.append_only("games_seatmove", "what happened at a seat stays as it was written down")
        guards.append_only("games_handdrop", "what was taken of a hand stays as it was written down")
        guards.append_only("games_jackpotshare", "what a jackpot pays stays as it was shared out")
        guards.append_only("games_boxcount", "what a drop box held stays as it was counted")
        guards.append_only("games_floororder", "what the floor ordered stays as it was written down")
        guards.append_only("games_practiceanswer", "an answer given stays as it was given")
        guards.append_only("games_houserulebook", "a house rulebook keeps its name and its base: make another")
        guards.append_only("games_rulebookversion", "a version stays as it was saved: save another")
        for area in (checks, audit_room, audit_jackpots, audit_times, audit_days):
            for name, check in area.CHECKS.items():
                audit.register(name, check)
        for kind, finder in stalls.FINDERS.items():
            watchdog.register(kind, finder)
