from django.apps import AppConfig


class CardroomConfig(AppConfig):
    name = "cardroom"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Cardroom"

    def ready(self) -> None:
        from cardroom import celery, receivers  # noqa: F401  celery: the app that every `shared_task` is sent by
        from cardroom.models import guards

        receivers.connect(self)
        guards.append_only("cardroom_staffaction", "what staff did stays as it was written down")
