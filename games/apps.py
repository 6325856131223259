from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Import the modules that register themselves or receive signals."""
        import games.clubs.queries
        import games.floor.audit
        import games.floor.cash_in
        import games.live.consumers
        import games.play.audit
        import games.play.receivers
        import games.rake.audit
        import games.rake.receivers
        import games.reports.audit
        import games.reports.reports
        import games.waitlists.outages
        import games.waitlists.receivers
        import games.waitlists.stalls
