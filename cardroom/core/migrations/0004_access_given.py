"""Who gave whom access until now, as the audit log has it."""

from typing import Any

from django.db import migrations

_WHAT = {
    "account.add": "account",
    "account.give-role": "role",
    "account.password": "password",
    "account.edit": "email",
    "account.reopen": "reopened",
}


def copy_from_the_audit_log(apps: Any, schema_editor: Any) -> None:
    using = schema_editor.connection.alias
    acts = apps.get_model("core", "StaffAction").objects.using(using).filter(verb__in=_WHAT, player__isnull=False)
    grants = []
    for act in acts.order_by("pk").iterator():
        if act.verb == "account.edit" and "email" not in act.details.get("after", {}):
            continue
        role = str(act.details.get("role", ""))[:20] if act.verb == "account.give-role" else ""
        if act.verb == "account.give-role" and not role:
            continue
        row = {"user_id": act.player_id, "what": _WHAT[act.verb], "role": role, "by_id": act.by_id, "at": act.at}
        grants.append(apps.get_model("core", "AccessGrant")(**row))
    apps.get_model("core", "AccessGrant").objects.using(using).bulk_create(grants, batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("core", "0003_second_persons")]

    operations = [migrations.RunPython(copy_from_the_audit_log, migrations.RunPython.noop)]
