"""What each place of an event gets, and what a deal would give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from cardroom.core.models import User
from cardroom.core.sentences import filled, translated
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.plain import listed
from tournaments.engine.prizes import deals as deal_engine
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.prizes.models import DealProposal, DealVote, Ticket


def tickets(player: User, *, all_of_them: bool = False) -> QuerySet[Ticket]:
    """Somebody's tickets that are good, or all that they ever had; the newest first."""
    held = player.tickets.select_related("tournament", "series", "won_in").order_by("-pk")
    return held if all_of_them else held.filter(state=Ticket.State.ISSUED)


def prizes_of(state: EventEngine) -> tuple[int, ...]:
    """The prizes, first prize first; none as long as the terms and what was paid do not go together."""
    try:
        return state.prizes()
    except IllegalCommand:
        return ()


def payout_rows(state: EventEngine) -> list[dict[str, Any]]:
    """As things stand, and once the event is over what each got. See `prizes.board`."""
    if state.phase == "finished":
        return _prize_rows(state)
    rows: list[dict[str, Any]] = []
    value = state.config.payout.ticket_value
    prizes = prizes_of(state)
    names = _winners(state, len(prizes))
    for place, amount in enumerate(prizes, 1):
        if rows and rows[-1]["amount"] == amount:
            rows[-1]["last"] = place
        else:
            is_ticket = state.config.payout.kind == "tickets" and amount == value
            rows.append({"first": place, "last": place, "amount": amount, "is_ticket": is_ticket, "names": []})
        rows[-1]["names"] += names.get(place, [])
    return rows


def _prize_rows(state: EventEngine) -> list[dict[str, Any]]:
    """Rows of a finished event: what each got, with ties and deals."""
    value = state.config.payout.ticket_value
    won = sorted(
        (entrant for entrant in state.entrants.values() if entrant.prize),
        key=lambda entrant: (entrant.place, entrant.number),
    )
    return [
        {
            "first": entrant.place,
            "last": entrant.place,
            "amount": entrant.prize,
            "is_ticket": state.config.payout.kind == "tickets" and entrant.prize == value,
            "names": [entrant.name],
        }
        for entrant in won
    ]


def _winners(state: EventEngine, places: int) -> dict[int, list[str]]:
    """Players in the money so far, by place; ties share one."""
    names: dict[int, list[str]] = {}
    if state.left <= places:
        for entrant in state.entrants.values():
            if entrant.is_placed and entrant.place <= places:
                names.setdefault(entrant.place, []).append(entrant.name)
    return names


# Deals: every formula side by side, and what somebody may know of a proposal


Kind = DealProposal.Kind

#: The engine's words for the kinds.
ENGINE_KIND: dict[str, str] = {Kind.ICM: "icm", Kind.CHIPS: "chip", Kind.EVEN: "even", Kind.CUSTOM: "custom"}
FORMULAS = (Kind.ICM, Kind.CHIPS, Kind.EVEN)
#: Counts in the room may differ from the chips in play by so much of them, for chip races round.
_MOST_OFF = 20


@dataclass(frozen=True, slots=True)
class DealOffer:
    """One kind of deal. `amounts`: by entrant, beside what is left to play for; empty where it cannot be, and `why`."""

    kind: str
    amounts: dict[int, int]
    why: str = ""


@dataclass(frozen=True, slots=True)
class DealTerms:
    """What there is to share among `entrants` (number, name, stack), in the order of entry: the `prizes` still open,
    of which `play_for` stays for the winner. `note`: what to mend first, in words; `to_count`: the tables where stacks
    have to be counted for a deal by formula, and `not_counted`: the entrants whose stacks nobody has."""

    entrants: tuple[tuple[int, str, int], ...]
    prizes: tuple[int, ...]
    play_for: int
    offers: tuple[DealOffer, ...]
    note: str = ""
    to_count: tuple[int, ...] = ()
    not_counted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Voting:
    """A proposal as anybody may see it. `mine`: what the one who asks has said, None for nothing so far."""

    proposal: int
    kind: str
    state: str
    play_for: int
    amounts: dict[int, int]
    voted: int
    of: int
    at: datetime
    expires_at: datetime | None
    proposed_by: int
    mine: bool | None = None
    may_vote: bool = False


def terms(*, tournament: Tournament, play_for: int = 0) -> DealTerms:
    """Every deal by formula, as the stacks are now. `play_for`: what of the prizes stays for the winner. No query, as a
    rule."""
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        players_left = state.in_play()
        try:
            prizes, note = state.prizes()[: len(players_left)], off_counts(state)
        except IllegalCommand as error:
            prizes, note = (), translated(error.message)
        offers = tuple([_offer(state, kind, play_for) for kind in FORMULAS])
        entrants = tuple([(entrant.number, entrant.name, entrant.stack) for entrant in players_left])
        to_count = tuple([number for number in state.not_counted() if number])
        not_counted = tuple([entrant.number for entrant in players_left if not state.is_counted(entrant)])
    return DealTerms(entrants, prizes, play_for, offers, note, to_count, not_counted)


def amounts_of(
    state: EventEngine, kind: str, play_for: int, amounts: Mapping[int, int] | None = None
) -> dict[int, int]:
    """What the deal gives to everybody who is left. Raises the engine's `IllegalCommand`."""
    left = [entrant.number for entrant in state.in_play()]
    stacks = [state.entrants[number].stack for number in left]
    if kind in (Kind.ICM, Kind.CHIPS) and (note := off_counts(state)):
        raise IllegalCommand("not-counted", note)
    if amounts is not None and set(amounts) != set(left):
        raise IllegalCommand("deal-players", "A deal names everybody who is left, each once, and nobody else.")
    own = [amounts[number] for number in left] if amounts is not None else ()
    if kind in (Kind.EVEN, Kind.CUSTOM):
        stacks = [1] * len(left)  # what nobody has counted does not matter here
    shares = deal_engine.suggest(ENGINE_KIND[kind], stacks, state.prizes(), play_for, state.config.payout.unit, own)
    return dict(zip(left, shares, strict=True))


def off_counts(state: EventEngine) -> str:
    """In the room a formula needs stacks that were counted, all of them and since the last one went out: what is wrong
    with them in words, '' for nothing."""
    if missing := state.not_counted():
        tables = [
            gettext("table {table}").format(table=number) if number else gettext("those without a seat")
            for number in missing
        ]
        pattern = gettext("Count the stacks first: at {tables} not all were counted since the last one went out.")
        return filled(pattern, tables=translated(listed(tables)))
    counted = sum(entrant.stack for entrant in state.in_play())
    if abs(counted - state.chips) * _MOST_OFF <= state.chips:
        return ""
    pattern = gettext("The counts come to {counted:,} and {chips:,} chips are in play: count the stacks first.")
    return filled(pattern, counted=counted, chips=state.chips)


def voting(*, tournament: Tournament, viewer: User | None = None) -> Voting | None:
    """The proposal that is open, or else the last one there was; None without any. Up to four queries."""
    proposals = DealProposal.objects.filter(tournament=tournament)
    proposal = proposals.filter(state=DealProposal.State.OPEN).first() or proposals.order_by("-pk").first()
    if proposal is None:
        return None
    is_open = proposal.state == DealProposal.State.OPEN
    entry = None
    if viewer is not None:
        own_entries = TournamentEntry.objects.filter(tournament=tournament, player=viewer)
        entry = own_entries.filter(number__in=map(int, proposal.amounts)).first()
    votes = DealVote.objects.filter(proposal=proposal)
    own_vote = votes.filter(entry=entry).values_list("is_yes", flat=True).first() if entry is not None else None
    return Voting(
        proposal=proposal.pk,
        kind=proposal.kind,
        state=proposal.state,
        play_for=proposal.play_for,
        amounts={int(number): money for number, money in proposal.amounts.items()},
        voted=votes.count() if is_open else len(proposal.amounts),
        of=len(proposal.amounts),
        at=proposal.at,
        expires_at=proposal.expires_at,
        proposed_by=proposal.proposed_by_id,
        mine=own_vote,
        may_vote=is_open and entry is not None,
    )


def _offer(state: EventEngine, kind: str, play_for: int) -> DealOffer:
    try:
        return DealOffer(kind, amounts_of(state, kind, play_for))
    except IllegalCommand as error:
        return DealOffer(kind, {}, translated(error.message))
