"""Entries, receipts and tickets."""

from bisect import bisect_right
from collections.abc import Iterable

from django.db.models import Case, F, QuerySet, Value, When

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from tournaments.events import journal as event_journal
from tournaments.events.journal import moment
from tournaments.events.models import Payment, Tournament, TournamentEntry

EntryState = TournamentEntry.State


def standings(tournament: Tournament) -> QuerySet[TournamentEntry]:
    """Everybody, best first: the places of an event that is over; before that those in by chips, those who wait, then
    those out, the last one out first. Withdrawn entries are left out."""
    group = Case(
        When(below__isnull=False, then=Value(2)), When(state=EntryState.ALTERNATE, then=Value(1)), default=Value(0)
    )
    entries = tournament.entries.exclude(state=EntryState.WITHDRAWN).select_related("player")
    return entries.annotate(group=group).order_by(
        "group", F("below").desc(nulls_last=True), F("chips").desc(), "number"
    )


def with_counts(tournament: Tournament, entries: Iterable[TournamentEntry]) -> list[TournamentEntry]:
    """These entries, each saying whether its stack `is_counted`, and `counted_at`: None where it never was, and online,
    where every hand says it; and its `rank` by chips, shared by equal stacks: None for players who are out, and as long
    as some stacks were not counted. No query, as a rule."""
    rows = list(entries)
    if not tournament.seq:
        return rows
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        left = state.in_play()
        stacks = sorted(player.stack for player in left) if all(map(state.is_counted, left)) else []
        for entry in rows:
            entrant = state.entrants.get(entry.number)
            is_ranked = bool(stacks) and entrant is not None and entrant.status == "in"
            entry.rank = len(stacks) - bisect_right(stacks, entrant.stack) + 1 if is_ranked else None
            if entrant is None:  # entered since this row of the event was read
                entry.is_counted, entry.counted_at = False, None
                continue
            is_told = bool(entrant.counted_at) and tournament.conduct == Tournament.Conduct.ROOM
            entry.is_counted = state.is_counted(entrant)
            entry.counted_at = moment(entrant.counted_at) if is_told else None
    return rows


def in_order(tournament: Tournament) -> QuerySet[TournamentEntry]:
    """Every entry in the order of entry, those who withdrew too."""
    return tournament.entries.select_related("player").order_by("number")


def entry(tournament: Tournament, number: int) -> TournamentEntry:
    """The entry with this number; `NotFound` without one."""
    row = tournament.entries.select_related("player").filter(number=number).first()
    if row is None:
        raise NotFound("no-such-entry", "There is no entry {number} in this tournament.", number=number)
    return row


def of_player(tournament: Tournament, player: User) -> TournamentEntry | None:
    """Somebody's latest entry in an event that they have not taken back."""
    return tournament.entries.filter(player=player).exclude(state=EntryState.WITHDRAWN).order_by("-number").first()


def payments(tournament: Tournament) -> QuerySet[Payment]:
    """What was paid in an event, receipt by receipt, refunds noted on them."""
    return tournament.payments.select_related("entry", "by", "refunded_by").order_by("number")


def receipt(tournament: Tournament, number: int) -> Payment:
    """One receipt; `NotFound` without it."""
    row = payments(tournament).filter(number=number).first()
    if row is None:
        raise NotFound("no-such-receipt", "There is no receipt {number} in this tournament.", number=number)
    return row


def place(entry: TournamentEntry, tournament: Tournament) -> int | None:
    """The place of a player who is out, as of now; None for one who is in."""
    if entry.below is None:
        return None
    return tournament.entries_count - entry.below - entry.tied + 1


def refunds_due(row: Tournament) -> list[Payment]:
    """What is due in cash at the desk, in the order of the entries. One query."""
    due = Payment.objects.filter(tournament=row, is_refund_due=True).select_related("entry")
    return list(due.order_by("entry__number", "number"))
