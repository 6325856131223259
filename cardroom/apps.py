from django.apps import AppConfig


class CardroomConfig(AppConfig):
    name = "cardroom"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Cardroom"
