from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Import what registers itself or hears signals."""
        import tournaments.directing.after_outages
        import tournaments.directing.audit
        import tournaments.directing.stalls
        import tournaments.live.hub
        import tournaments.prizes.deals
        import tournaments.registration.bans
