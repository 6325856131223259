from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Import what registers itself or hears signals."""
        import games.floor.audit
        import games.live.receivers
        import games.play.audit
        import games.play.receivers
        import games.rake.audit
        import games.rake.stays
        import games.reports.audit
        import games.reports.days
        import games.waitlists.outages
        import games.waitlists.receivers
        import games.waitlists.stalls
