"""What the staff reads of the room: games on offer, drop schedules, sections, tables; and what games are called."""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy

from cardroom.core.errors import NotFound
from games.tables.models.offers import ChipCount, DropSchedule, Invitation, Offer, Section
from games.tables.models.tables import Table
from games.tables.words import phase_of

#: By the slugs of the engines, which know no languages.
GAME_NAMES = {
    "seven-card-stud": gettext_lazy("Seven-Card Stud"),
    "mississippi-stud": gettext_lazy("Mississippi Stud"),
    "razz": gettext_lazy("Razz"),
    "stud-eight": gettext_lazy("Seven-Card Stud Eight-or-Better"),
}
STRUCTURE_NAMES = {
    "fixed-limit": gettext_lazy("fixed limit"),
    "spread-limit": gettext_lazy("spread limit"),
    "pot-limit": gettext_lazy("pot limit"),
    "no-limit": gettext_lazy("no limit"),
}


def game_name(slug: str) -> str:
    """ "seven-card-stud" -> "Seven-Card Stud"."""
    return str(GAME_NAMES.get(slug, slug))


def structure_name(slug: str) -> str:
    """ "fixed-limit" -> "fixed limit"."""
    return str(STRUCTURE_NAMES.get(slug, slug))


_OVER = (Table.State.CLOSED,)


@dataclass(frozen=True)
class OfferRow:
    """A game on offer and its open tables. `behind`: those that still play by the settings from before an edit."""

    offer: Offer
    tables: int
    seated: int
    behind: int


def offers(*, is_listed: bool | None = None) -> list[OfferRow]:
    """Every game in its order; only those on offer, or only withdrawn ones. Two queries."""
    rows = Offer.objects.select_related("drop")
    if is_listed is not None:
        rows = rows.filter(is_listed=is_listed)
    open_ones = ~Q(state__in=(*_OVER, Table.State.FREE))
    counted = Table.objects.filter(open_ones, offer__isnull=False).annotate(seated=Count("seats"))
    by_offer: dict[int, list[Table]] = {}
    for table in counted.only("offer_id", "offer_version"):
        by_offer.setdefault(table.offer_id, []).append(table)
    return [_offer_row(offer, by_offer.get(offer.pk, [])) for offer in rows]


def offer(offer_id: int) -> Offer:
    """A game on offer, or a withdrawn one; `NotFound` where there is none of this id."""
    row = Offer.objects.select_related("drop").filter(pk=offer_id).first()
    if row is None:
        raise NotFound("no-such-offer", "There is no such game on offer.")
    return row


def schedules(*, is_retired: bool | None = None) -> list[DropSchedule]:
    """Drop schedules, newest first, each with the number of listed games that use it (`used`)."""
    rows = DropSchedule.objects.annotate(used=Count("offers", filter=Q(offers__is_listed=True))).order_by("-pk")
    return list(rows if is_retired is None else rows.filter(retired_at__isnull=not is_retired))


def schedule(schedule_id: int) -> DropSchedule:
    """A drop schedule; `NotFound` where there is none of this id."""
    row = DropSchedule.objects.filter(pk=schedule_id).first()
    if row is None:
        raise NotFound("no-such-schedule", "There is no such drop schedule.")
    return row


def sections() -> list[Section]:
    """The sections in their order, each with the number of tables in it (`many`)."""
    return list(Section.objects.annotate(many=Count("tables", filter=~Q(tables__state__in=_OVER))))


def room_tables(
    *,
    offer_id: int | None = None,
    section_id: int | None = None,
    with_closed: bool = False,
    table_id: int | None = None,
) -> list[Table]:
    """Tables of no event, each with `seated` and its `phase`, and whether it `is_behind` its offer. One query."""
    rows = Table.objects.filter(event="").select_related("offer", "section").annotate(seated=Count("seats"))
    rows = rows if with_closed or table_id is not None else rows.exclude(state__in=_OVER)
    for name, value in (("offer", offer_id), ("section", section_id), ("pk", table_id)):
        rows = rows.filter(**{name: value}) if value is not None else rows
    return [_with_phase(table) for table in rows.order_by("section__place", "name")]


def room_table(table_id: int) -> Table:
    """One table of no event, as `room_tables` has it; `NotFound` where there is none of this id."""
    tables = room_tables(table_id=table_id)
    if not tables:
        raise NotFound("no-such-table", "There is no such table.")
    return tables[0]


def main_games(table: Table) -> list[Table]:
    """The tables that this one can feed: the other open tables of its game, and the one it feeds now. One query."""
    if table.offer_id is None:
        return []
    mains = Q(offer=table.offer_id, state=Table.State.OPEN) | Q(pk=table.must_move_to_id)
    return list(Table.objects.filter(mains).exclude(pk=table.pk).order_by("name"))


def invitations(table_id: int) -> list[Invitation]:
    """The invitations to a private table, oldest first."""
    return list(Invitation.objects.filter(table=table_id).select_related("player").order_by("pk"))


def counts(table_id: int, *, before: int | None = None, limit: int = 50) -> list[ChipCount]:
    """The counts of a table of the room, newest first."""
    rows = ChipCount.objects.filter(table=table_id).select_related("by").order_by("-pk")
    return list((rows if before is None else rows.filter(pk__lt=before))[:limit])


def _offer_row(offer: Offer, tables: list[Table]) -> OfferRow:
    behind = sum(table.offer_version != offer.version for table in tables)
    return OfferRow(offer, len(tables), sum(table.seated for table in tables), behind)


def _with_phase(table: Table) -> Table:
    table.phase = phase_of(table, table.seated)
    table.is_behind = table.offer is not None and table.offer_version != table.offer.version
    return table
