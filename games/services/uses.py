"""What a table is used for, kept for the reports: which game and section its takings belonged to at any moment."""

from datetime import datetime

from games.models import Table, TableUse


def note(table: Table, *, now: datetime) -> None:
    """Write down what the table is used for from now on, where that is something else than before. Call with the table
    locked, or just made."""
    last = TableUse.objects.filter(table=table.pk).order_by("-since", "-pk").first()
    if last is None or (last.offer_id, last.section_id) != (table.offer_id, table.section_id):
        TableUse.objects.create(table_id=table.pk, offer_id=table.offer_id, section_id=table.section_id, since=now)
