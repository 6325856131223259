from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from cardroom.models import guards

        guards.append_only("tournaments_tournamentfact", "what happened in a tournament stays as it was written down")
