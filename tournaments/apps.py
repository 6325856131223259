from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from cardroom.core import alarms, outages, watchdog
        from cardroom.core import audit as core_audit
        from cardroom.core.database import guards
        from tournaments.directing import audit as checks
        from tournaments.directing import stalls as directing_stalls
        from tournaments.directing import waking
        from tournaments.events import locking, notices
        from tournaments.live import receivers  # noqa: F401, it connects itself
        from tournaments.online import receivers as online_receivers  # noqa: F401
        from tournaments.prizes import deals
        from tournaments.prizes import payouts as brought
        from tournaments.registration import bans, registration  # noqa: F401

        alarms.register(locking.ALARM, "tournaments.tasks.wake_tournament")
        alarms.register(brought.ALARM, "tournaments.tasks.pay_prizes")
        alarms.register(deals.ALARM, "tournaments.tasks.look_at_deal")
        alarms.register(notices.REMINDER_ALARM, "tournaments.tasks.remind_players")
        outages.register("tournaments.events", waking.events, locks=outages.EVENTS)
        guards.append_only("events_tournamentfact", "what happened in a tournament stays as it was written down")
        for name, check in checks.CHECKS.items():
            core_audit.register(name, check)
        watchdog.register("event", directing_stalls.find)
