from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.models import guards
        from cardroom.services import alarms, audit, limits, outages, watchdog
        from games.services import events, sealed
        from tournaments import audit as checks
        from tournaments import stalls
        from tournaments.live import receivers  # noqa: F401, it connects itself
        from tournaments.services import (
            bans,
            brought,
            deals,
            entering,
            following,
            given_back,
            locking,
            mails,
            notices,
            online,
            payouts,
            play,
            reminders,
        )

        alarms.register(locking.ALARM, "tournaments.tasks.wake_tournament")
        alarms.register(payouts.ALARM, "tournaments.tasks.pay_prizes")
        alarms.register(deals.ALARM, "tournaments.tasks.look_at_deal")
        alarms.register(mails.ALARM, "tournaments.tasks.send_mails")
        online.run_tables(play)
        events.register("tournament", play.between_hands)
        alarms.register(reminders.ALARM, "tournaments.tasks.remind_players")
        sealed.ask_about_entries(entering.has_entered)
        limits.count_brought_with(brought.before)
        bans.connect()
        following.register(payouts.follow)
        following.register(notices.follow)
        following.register(reminders.follow)
        outages.register("tournaments.events", given_back.events, locks=outages.EVENTS)
        guards.append_only("tournaments_tournamentfact", "what happened in a tournament stays as it was written down")
        for name, check in checks.CHECKS.items():
            audit.register(name, check)
        watchdog.register("event", stalls.find)
