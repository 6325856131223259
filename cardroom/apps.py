from django.apps import AppConfig


class CardroomConfig(AppConfig):
    name = "cardroom"
    verbose_name = "Cardroom"

    def ready(self) -> None:
        from cardroom import celery  # noqa: F401  celery: the app that every `shared_task` is sent by
        from cardroom.accounts import bans, chat, sessions, visits
        from cardroom.accounts import receivers as account_receivers
        from cardroom.cage import audit as cage_audit
        from cardroom.core import alarms, approvals, notices, outages
        from cardroom.core.database import guards
        from cardroom.ledger import audit as ledger_audit
        from cardroom.realtime import (
            callers,  # noqa: F401, they connect themselves
            room,  # noqa: F401, they connect themselves
        )

        account_receivers.connect()
        guards.append_only("core_staffaction", "what staff did stays as it was written down")
        alarms.register(notices.ALARM, "cardroom.tasks.send_notice")
        alarms.register(bans.ALARM, "cardroom.tasks.begin_ban")
        alarms.register(sessions.ALARM, "cardroom.tasks.clear_sessions")
        alarms.register(chat.ALARM, "cardroom.tasks.clear_chat")
        alarms.register(visits.ALARM, "cardroom.tasks.end_visits")
        alarms.register(approvals.ALARM, "cardroom.tasks.end_approval")
        outages.register("cardroom.approvals", approvals.give_back, locks=outages.APPROVALS)
        guards.append_only("cage_slip", "a slip stays as it was written: reverse it by another")
        guards.append_only("cage_slipprint", "a print of a slip stays on record")
        guards.append_only("cage_drawercount", "a count stays as it was written down: count again")
        guards.append_only("cage_creditline", "a credit line stays on record: set another")
        cage_audit.register()
        ledger_audit.register()
