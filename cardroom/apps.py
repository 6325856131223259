from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CoreConfig(AppConfig):
    name = "cardroom.core"
    verbose_name = gettext_lazy("House")


class LedgerConfig(AppConfig):
    name = "cardroom.ledger"
    verbose_name = gettext_lazy("Ledger")


class AccountsConfig(AppConfig):
    name = "cardroom.accounts"
    verbose_name = gettext_lazy("Sealed cards")


class CardroomConfig(AppConfig):
    default = True
    name = "cardroom"
    verbose_name = "Cardroom"

    def ready(self) -> None:
        """Import what registers itself or hears signals, and the Celery app, by which every `shared_task` is sent; lay
        out the words of every language."""
        import cardroom.accounts.chat
        import cardroom.accounts.receivers
        import cardroom.accounts.welcome
        import cardroom.cage.audit
        import cardroom.celery
        import cardroom.core.database.roles
        import cardroom.core.history.checking
        import cardroom.core.history.warnings
        import cardroom.ledger.audit
        import cardroom.realtime.callers
        import cardroom.realtime.room
        from cardroom.core import languages

        languages.lay_out()
