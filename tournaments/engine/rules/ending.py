"""Prizes announced, deals, and the end of the event."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.errors import EventSentence, IllegalCommand, counted
from tournaments.engine.event import Event
from tournaments.engine.facts import OF_MONEY
from tournaments.engine.prizes import payouts
from tournaments.engine.rules.chip_sales import sells_chips
from tournaments.engine.state import LoggedAction, TournamentState

#: (entrant, place, how many share it, how many finished below)
Finished = tuple[int, int, int, int]
DEALS = ("icm", "chip", "even", "custom")


def change_payout(event: Event, command: c.ChangePayout) -> None:
    """Other terms, as long as nobody agreed on the money."""
    event.require("registering", "running")
    if event.deal is not None:
        raise IllegalCommand("deal-made", "A deal was made: the money stays as it is.")
    payouts.check(command.payout)
    event.emit(f.PayoutChanged(command.payout, at=event.now, label=labels.PAYOUT_CHANGED()))


def lock_payouts(event: Event, command: c.LockPayouts) -> None:
    """Announce the prizes, or announce them again after entries have changed."""
    event.require("running")
    if event.deal is not None:
        raise IllegalCommand("deal-made", "A deal was made: the money stays as it is.")
    if event.config.flight_levels:
        raise IllegalCommand("is-flight", "A flight pays nothing itself: its final has payouts.")
    if event.locked is not None and not event.is_payout_stale:
        raise IllegalCommand("nothing-to-do", "The payouts are locked, and nothing has changed since.")
    _lock_payouts(event, labels.PAYOUTS_LOCKED() if event.locked is None else labels.PAYOUTS_LOCKED_AGAIN())


def _lock_payouts(event: Event, label: str) -> None:
    prizes = payouts.prizes(event.pool, event.entries, event.config.payout)
    event.emit(f.PayoutsLocked(event.pool, event.entries, prizes, at=event.now, label=label))


def agree(event: Event, command: c.Agree) -> None:
    """A deal of all who are left, over the prizes that are still open."""
    event.require("running")
    if event.deal is not None:
        raise IllegalCommand("deal-made", "This tournament already has its deal.")
    if event.config.flight_levels:
        raise IllegalCommand("is-flight", "A flight pays nothing itself: there is nothing to share until the final.")
    if event.is_entry_open(event.now):
        raise IllegalCommand("entry-open", "Entry is still open: the prizes are not known yet.")
    if event.held:
        raise IllegalCommand("hand-running", "A hand of hand-for-hand is not over yet.")
    if command.deal not in DEALS:
        raise IllegalCommand(
            "unknown-deal", "There is no deal {deal!r}: {choices}.", deal=command.deal, choices=", ".join(DEALS)
        )
    _check_amounts(event, command)
    label: str = labels.DEAL(what=labels.players(event.left))
    if event.locked is None or event.is_payout_stale:
        _lock_payouts(event, label)
        label = ""
    event.emit(f.DealMade(command.deal, command.amounts, command.play_for, at=event.now, label=label))


def _check_amounts(event: Event, command: c.Agree) -> None:
    left = {entrant.number for entrant in event.in_play()}
    named = [number for number, _ in command.amounts]
    if set(named) != left or len(named) != len(left):
        raise IllegalCommand("deal-players", "A deal names everybody who is left, each once, and nobody else.")
    if command.play_for < 0 or min(money for _, money in command.amounts) < 0:
        raise IllegalCommand("deal-amounts", "Nobody gets less than nothing.")
    open_prizes = sum(event.prizes()[: event.left])
    shared = sum(money for _, money in command.amounts) + command.play_for
    if shared != open_prizes:
        values = {"shared": shared, "prizes": open_prizes, "difference": abs(shared - open_prizes)}
        if shared > open_prizes:
            raise IllegalCommand(
                "deal-amounts", "The deal shares {shared} of {prizes}: {difference} too much.", **values
            )
        raise IllegalCommand("deal-amounts", "The deal shares {shared} of {prizes}: {difference} too little.", **values)


def finish(event: Event, command: c.Finish) -> None:
    """End the event, as nothing is left to play for: the players left rank by their chips."""
    event.require("running")
    if event.deal is None:
        raise IllegalCommand(
            "still-playing",
            "{players} are left: bust them, or make a deal.",
            players=counted(event.left, "{n} player", "{n} players"),
        )
    if event.deal.play_for:
        raise IllegalCommand("still-playing", "{play_for} is left to play for.", play_for=event.deal.play_for)
    end(event, labels.ENDED())


def end(event: Event, label: str = "") -> None:
    """Everybody's place and prize; where one player of a flight is left, that player goes on alone."""
    if event.config.flight_levels:
        _bag(event, label)
        return
    left = _rank_unbeaten(event)
    prizes = prizes_of(event, left)
    event.emit(f.EventEnded(tuple(left), prizes, _last_bounties(event, left), at=event.now, label=label))


def has_only_winners(event: Event) -> bool:
    """Whether a satellite has no more to decide: all who are left win an equal ticket, and nobody else can come in."""
    terms = event.config
    if terms.payout.kind != "tickets" or terms.bounty.kind != "none" or terms.flight_levels:
        return False
    if event.deal is not None or event.held or event.is_entry_open(event.now) or sells_chips(event):
        return False
    open_prizes = event.prizes()[: event.left]
    return len(open_prizes) == event.left and len(set(open_prizes)) == 1


def _rank_unbeaten(event: Event) -> list[Finished]:
    """The places of the players who were never out, by their chips; players with equal stacks share a place."""
    by_chips = sorted(event.in_play(), key=lambda entrant: (-entrant.stack, entrant.number))
    ranked: list[Finished] = []
    for _, group in groupby(by_chips, key=lambda entrant: entrant.stack):
        tied = list(group)
        place = len(ranked) + 1
        below = event.entries - place - len(tied) + 1
        ranked += [(entrant.number, place, len(tied), below) for entrant in tied]
    return ranked


def prizes_of(event: Event, left: list[Finished]) -> tuple[tuple[int, int], ...]:
    """(entrant, money) of all who are paid; after a deal what was agreed, and the winner what was played for."""
    schedule = event.prizes()
    agreed = dict(event.deal.amounts) if event.deal is not None else {}
    places = {number: (place, tied) for number, place, tied, _ in left}
    for entrant in event.entrants.values():
        if entrant.is_placed and entrant.place <= len(schedule):
            places[entrant.number] = (entrant.place, entrant.tied)
    money = dict(agreed)
    if event.deal is not None:
        first = [number for number, (place, _) in places.items() if place == 1]
        for number, part in zip(
            sorted(first), payouts.share([event.deal.play_for], range(1, len(first) + 1)), strict=True
        ):
            money[number] += part
    in_order = sorted((place, tied, number) for number, (place, tied) in places.items() if number not in agreed)
    for (place, tied), group in groupby(in_order, key=lambda row: row[:2]):
        shares = payouts.share(schedule, range(place, place + tied), event.config.payout.unit)
        for (_, _, number), share in zip(group, shares, strict=True):
            money[number] = share
    return tuple([(number, prize) for number, prize in sorted(money.items()) if prize])


def _last_bounties(event: Event, left: list[Finished]) -> tuple[tuple[int, int], ...]:
    """Everybody left has their own head, and the first of them the bounties that nobody claimed."""
    if event.config.bounty.kind == "none":
        return ()
    heads = {number: event.entrants[number].bounty for number, _, _, _ in left}
    won = sum(entrant.bounties_won for entrant in event.entrants.values())
    heads[left[0][0]] += event.received.bounty - won - sum(heads.values())
    return tuple([(number, money) for number, money in heads.items() if money])


def close_flight(event: Event, command: c.CloseFlight) -> None:
    """The day is over, and the stacks go into bags."""
    event.require("running")
    if event.deal is not None or event.held:
        raise IllegalCommand("still-playing", "A deal, or a hand of hand-for-hand, is in the way.")
    _bag(event, labels.FLIGHT_CLOSED(what=labels.players(event.left)))


def _bag(event: Event, label: str) -> None:
    stacks = tuple([(entrant.number, entrant.stack) for entrant in event.in_play()])
    event.emit(f.FlightClosed(stacks, at=event.now, label=label))


def cancel(event: Event, command: c.Cancel) -> None:
    """Everybody gets their money back."""
    event.require("registering", "running")
    if event.deal is not None:
        raise IllegalCommand("deal-made", "A deal was made: finish the tournament by it.")
    event.emit(f.Cancelled(command.reason, at=event.now, label=labels.CANCELLED()))


def pay_out(event: Event, command: c.PayOut) -> None:
    """Note that prizes are paid. The caller sees to it that nobody is paid another amount than they have won."""
    event.require("running", "finished")
    if event.is_flight:
        raise IllegalCommand("is-flight", "A flight pays nothing itself: its final has payouts.")
    total = sum(money for _, money in command.prizes)
    if not command.prizes:
        label = labels.PRIZES_WAIT()
    elif len({number for number, _ in command.prizes}) == 1:
        label = labels.PRIZE_PAID(name=event.entrant(command.prizes[0][0]).name, money=labels.number(total))
    else:
        label = labels.PRIZES_PAID(money=labels.number(total))
    event.emit(f.PaidOut(command.prizes, command.covered, command.by_itself, at=event.now, label=label))


# The last order is undone, or nothing is: it is never reached past.


NOTHING_TO_UNDO = EventSentence("There is nothing to undo.")
#: Kinds that stand for good, and why.
_FOR_GOOD = {
    "announced": EventSentence("There is nothing before the announcement."),
    "terms-changed": EventSentence("Terms are not undone: change them again."),
    "identified": EventSentence("Who somebody is does not depend on the tournament: say who it is instead."),
    "cancelled": EventSentence("The tournament was cancelled, and the money went back."),
    "prizes-paid": EventSentence("The prizes were paid."),
}
_BY_ITSELF = EventSentence("The tournament paid its prizes by itself.")
_HANDS = EventSentence("Hands were played online since.")
#: What is done online beside the hands. All else there follows from hands that were played.
_BESIDE_HANDS = OF_MONEY | {
    *("entry-kept", "seat-reserved", "clock-set", "levels-edited", "clock-called", "clock-lifted"),
    *("payout-changed", "payouts-locked", "deal-made", "penalised"),
}
#: What the house does at its tables by itself, once somebody has come, or gone.
_AT_TABLES = {"seated", "alternate-admitted", "table-opened", "moved"}


def last_order(event: TournamentState) -> LoggedAction | None:
    """The last order that stands; None where only the announcement is left."""
    return event.log.actions[-1] if len(event.log.actions) > 1 else None


def why_not(event: TournamentState, action: LoggedAction) -> str:
    """Why this order, the last one, stands for good; '' where it can be undone."""
    for kind, reason in _FOR_GOOD.items():
        if kind in action.kinds:
            return reason
    facts = event.facts[action.first - 1 : action.last]
    if any(isinstance(fact, f.PaidOut) and fact.by_itself for fact in facts):
        return _BY_ITSELF
    if event.config.conduct == "online":
        is_of_hands = isinstance(facts[0], f.ClockSet) and facts[0].why == "hands"
        is_beside = facts[0].kind in _BESIDE_HANDS and action.kinds <= _BESIDE_HANDS | _AT_TABLES
        if is_of_hands or not is_beside:
            return _HANDS
    return ""


def undo(event: Event, command: c.Undo) -> None:
    """Undo the last order, or say why it stands."""
    action = last_order(event)
    if action is None:
        raise IllegalCommand("nothing-to-undo", NOTHING_TO_UNDO)
    if reason := why_not(event, action):
        raise IllegalCommand("not-undone", "{what} cannot be undone. {why}", what=action.label, why=reason)
    _try(event, f.ActionUndone(action.first, action.last, at=event.now, label=labels.UNDONE(what=action.label)))


def redo(event: Event, command: c.Redo) -> None:
    """What was undone last stands again."""
    if not event.log.undone:
        raise IllegalCommand("nothing-to-redo", "There is nothing to do again.")
    action = event.log.undone[-1]
    _try(event, f.ActionRedone(action.first, action.last, at=event.now, label=labels.REDONE(what=action.label)))


def _try(event: Event, fact: f.ActionUndone | f.ActionRedone) -> None:
    """Undo or redo, unless other facts then no longer apply: in older events an order could be undone that was not the
    last, so that facts stand behind it."""
    trial = event.copy()
    try:
        trial.emit(fact)
        fault = next(faults(trial), None)
    except (KeyError, AttributeError):
        fault = EventSentence("what was done since stands on it")
    if fault:
        raise IllegalCommand("undo-blocked", "It cannot be taken back: {fault}.", fault=fault)
    event.become(trial)


def faults(event: TournamentState) -> Iterator[EventSentence]:
    """What cannot be in any state: each a half-sentence for people."""
    for entrant in event.entrants.values():
        is_live = entrant.status in ("in", "alternate")
        if is_live and event.players.get(entrant.player) != entrant.number:
            yield EventSentence("{name} has entered again since", name=entrant.name)
        if entrant.status != "in" and (entrant.table or (entrant.stack and entrant.status != "alternate")):
            yield EventSentence("{name} has had chips or a seat since", name=entrant.name)
        if entrant.status == "alternate" and (entrant.rebuys or entrant.add_ons):
            yield EventSentence("{name} has bought chips since", name=entrant.name)
        if entrant.status == "withdrawn" and entrant.bounties_won:
            yield EventSentence("{name} has been taken off since", name=entrant.name)
        if entrant.table and event.tables[entrant.table].seats.get(entrant.seat) != entrant.number:
            yield EventSentence("{name}'s seat has been taken since", name=entrant.name)
    for table in event.tables.values():
        for seat, number in table.seats.items():
            entrant = event.entrants[number]
            if (entrant.table, entrant.seat) != (table.number, seat):
                yield EventSentence("{name} has moved since", name=entrant.name)
    if event.phase == "running" and event.left < 1:
        yield EventSentence("nobody would be left")
    if event.clock.level >= len(event.structure.levels):
        yield EventSentence("the level that is played would not be there")
