from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from cardroom.core import alarms, outages, watchdog
        from cardroom.core import audit as core_audit
        from cardroom.core.database import guards
        from games.dealers import downs
        from games.floor import audit as floor_audit
        from games.live import receivers  # noqa: F401, it connects itself
        from games.play import audit as checks
        from games.play import moving, playtime
        from games.play import receivers as play_receivers  # noqa: F401  after the lists: a ban strikes off them first
        from games.rake import audit as rake_audit
        from games.rake import (
            comps,
            jackpot_audit,
            jackpots,
            stays,  # noqa: F401, it connects itself
            time_charges,
        )
        from games.reports import audit as report_audit
        from games.reports import days
        from games.tables import holds, locking
        from games.waitlists import outages as given_back
        from games.waitlists import receivers as waitlist_receivers  # noqa: F401  hearing connects itself
        from games.waitlists import stalls as waitlist_stalls
        from games.waitlists import (
            store,
        )

        alarms.register(locking.ALARM, "games.tasks.wake_table")
        alarms.register(time_charges.ALARM, "games.tasks.collect_time")
        alarms.register(jackpots.ALARM, "games.tasks.grow_jackpot")
        alarms.register(days.ALARM, "games.tasks.add_up_days")
        alarms.register(days.MAIL_ALARM, "games.tasks.mail_reports")
        alarms.register(downs.DOWN_ALARM, "games.tasks.dealer_push")
        alarms.register(downs.BREAK_ALARM, "games.tasks.dealer_break")
        alarms.register(comps.ALARM, "games.tasks.credit_comps")
        alarms.register(holds.ALARM, "games.tasks.end_hold")
        alarms.register(moving.ALARM, "games.tasks.move_seat")
        alarms.register(playtime.ALARM, "games.tasks.tell_play_time")
        alarms.register(store.FILL_ALARM, "games.tasks.look_at_lists")
        alarms.register(store.CALL_ALARM, "games.tasks.end_call")
        outages.register("games.calls", given_back.calls, locks=outages.LISTS)
        outages.register("games.tables", given_back.tables, locks=outages.TABLES)
        guards.append_only("tables_listmove", "what happened on a list stays as it was written down")
        guards.append_only("tables_handfact", "what happened in a hand stays as it was written down")
        guards.append_only("tables_seatmove", "what happened at a seat stays as it was written down")
        guards.append_only("rake_handdrop", "what was taken of a hand stays as it was written down")
        guards.append_only("rake_jackpotshare", "what a jackpot pays stays as it was shared out")
        guards.append_only("rake_boxcount", "what a drop box held stays as it was counted")
        guards.append_only("tables_floororder", "what the floor ordered stays as it was written down")
        guards.append_only("training_practiceanswer", "an answer given stays as it was given")
        guards.append_only("rulebooks_houserulebook", "a house rulebook keeps its name and its base: make another")
        guards.append_only("rulebooks_rulebookversion", "a version stays as it was saved: save another")
        for area in (checks, floor_audit, jackpot_audit, rake_audit, report_audit):
            for name, check in area.CHECKS.items():
                core_audit.register(name, check)
        for kind, finder in waitlist_stalls.FINDERS.items():
            watchdog.register(kind, finder)
