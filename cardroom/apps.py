from django.apps import AppConfig


class CardroomConfig(AppConfig):
    name = "cardroom"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Cardroom"

    def ready(self) -> None:
        from cardroom import celery, receivers  # noqa: F401  celery: the app that every `shared_task` is sent by

        receivers.connect(self)
