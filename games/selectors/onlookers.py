"""Who may look on at a table: where there are no spectators, those who sit there, and the staff."""

from cardroom.services import access
from cardroom.services.errors import Forbidden
from games.models import Seat, Table
from games.selectors.tables import STAFF, Viewer


def may_look_on(table: Table, viewer: Viewer) -> bool:
    """Whether this viewer is shown the hands of a table; no query where it has spectators, else two at most."""
    if table.has_spectators:
        return True
    if viewer is None or not viewer.is_authenticated:
        return False
    if Seat.objects.filter(table=table, player=viewer.pk).exists():
        return True
    return access.has_role(viewer, *STAFF)


def check_may_look_on(table: Table, viewer: Viewer) -> None:
    """`Forbidden` where they are not shown the hands."""
    if not may_look_on(table, viewer):
        raise Forbidden(f"{table.name} has no spectators: its hands are shown to those who sit there.", "no-spectators")
