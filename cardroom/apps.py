from django.apps import AppConfig


class CardroomConfig(AppConfig):
    name = "cardroom"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Cardroom"

    def ready(self) -> None:
        from cardroom import celery, receivers  # noqa: F401  celery: the app that every `shared_task` is sent by
        from cardroom.live import room_receivers, session_receivers  # noqa: F401, they connect themselves
        from cardroom.models import guards
        from cardroom.services import (
            alarms,
            approvals,
            cards,
            chat,
            ledger_audit,
            notices,
            outages,
            sessions,
            standing,
            texting,
            visits,
        )
        from cardroom.services.cage import checks

        receivers.connect(self)
        guards.append_only("cardroom_staffaction", "what staff did stays as it was written down")
        alarms.register(notices.ALARM, "cardroom.tasks.send_notice")
        alarms.register(standing.ALARM, "cardroom.tasks.begin_ban")
        alarms.register(sessions.ALARM, "cardroom.tasks.clear_sessions")
        alarms.register(chat.ALARM, "cardroom.tasks.clear_chat")
        alarms.register(visits.ALARM, "cardroom.tasks.end_visits")
        alarms.register(approvals.ALARM, "cardroom.tasks.end_approval")
        outages.register("cardroom.approvals", approvals.give_back, locks=outages.APPROVALS)
        guards.append_only("cardroom_slip", "a slip stays as it was written: reverse it by another")
        guards.append_only("cardroom_slipprint", "a print of a slip stays on record")
        guards.append_only("cardroom_drawercount", "a count stays as it was written down: count again")
        guards.append_only("cardroom_creditline", "a credit line stays on record: set another")
        checks.register()
        ledger_audit.register()
        texting.find_phones_with(cards.phone_of)
