"""Writes a hand of ours in PHH: ``dump`` takes its facts, redacted or not, and leaves unknown what they hide."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from games.engine.cards import UNKNOWN
from games.engine.facts import base, mistakes, play
from games.notation.events import EventDetails
from games.notation.phh import GAMES
from games.notation.pokerkit_limits import beyond_pokerkit
from games.rulebooks import reference_to

_CODES = {game: code for code, game in GAMES.items()}


_FIRST_STREET, _LAST_STREET = 3, 7


def _antes(start: play.HandStarted, facts: Sequence[base.Fact]) -> dict[str, Any]:
    """The antes due from each player, or the one that a single player posted for all: every hand can win that whole."""
    posted = next((fact for fact in facts if isinstance(fact, play.AntesPosted)), None)
    if posted is None or not posted.is_apart:
        return {"ante_trimming_status": True, "antes": [start.ante] * len(start.order)}
    antes = [dict(posted.antes).get(seat, 0) for seat in start.order]
    # The format gives the antes of two players the other way round.
    return {"ante_trimming_status": False, "antes": antes[:: -1 if len(antes) == 2 else 1]}


def dump(
    facts: Iterable[base.Fact],
    names: Mapping[int, str] | None = None,
    *,
    event: EventDetails | None = None,
    **more: Any,
) -> str:
    """The hand as PHH text, with the ``names`` of its players by seat, the ``event`` that it was played in, and
    ``more`` fields. Raises ``ValueError`` for a game that the format has no code for, or facts of no hand."""
    kept_facts = [fact for _, fact in mistakes.in_force(list(facts))]
    if not kept_facts or not isinstance(kept_facts[0], play.HandStarted):
        raise ValueError("a hand begins with its hand-started fact")
    start = kept_facts[0]
    if start.game not in _CODES or start.structure != "fixed-limit":
        raise ValueError(f"PHH has no code for {start.structure} {start.game}")
    stacks = dict(start.stacks)
    writer = _Writer(start.order)
    for fact in kept_facts:
        writer.write(fact)
    ended = [dict(fact.stacks) for fact in kept_facts if isinstance(fact, play.HandEnded)]
    fields: dict[str, Any] = {
        "variant": _CODES[start.game],
        **_antes(start, kept_facts),
        "bring_in": start.bring_in,
        "small_bet": start.small_bet,
        "big_bet": start.big_bet,
        "starting_stacks": [stacks[seat] for seat in start.order],
        "actions": writer.actions,
        "seats": list(start.order),
    }
    if ended:
        fields["finishing_stacks"] = [ended[0][seat] for seat in start.order]
    book = reference_to(start.rulebook, start.rulebook_version)
    fields |= {"_rulebook": book, "_setting": start.setting, "_players_left": start.players_left}
    fields |= {"_unit": start.unit}
    if start.absent:
        fields["_absent"] = [start.order.index(seat) + 1 for seat in start.absent]
    fields |= _drop(start, kept_facts)
    if reasons := beyond_pokerkit(kept_facts):
        fields["_beyond_pokerkit"] = reasons
    if names:
        fields["players"] = [names[seat] for seat in start.order]
    fields |= _event(event) | more
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def _event(event: EventDetails | None) -> dict[str, Any]:
    """The format names an event and its level; it has no words for a number or a price."""
    if event is None:
        return {}
    level = {"level": event.level} if event.level else {}
    price = {"pool": event.pool, "bounty": event.bounty, "fee": event.fee}
    return {"event": event.name, **level, "_tournament": event.number, "_table": event.table, "_buy_in": price}


def _drop(start: play.HandStarted, facts: list[base.Fact]) -> dict[str, Any]:
    """What the house's terms were and what it took: the format has no words for either."""
    fields: dict[str, Any] = {}
    if start.drop:
        fields["_drop"] = dict(start.drop)
    for fact in facts:
        if isinstance(fact, play.DropTaken):
            fields |= {"_rake": fact.rake, "_promotional_drop": fact.promo, "_jackpot_drop": fact.jackpot}
            fields["_drop_by_pot"] = list(fact.pots)
    return fields


def _toml(value: Any) -> str:
    """Texts, numbers, truths and flat lists are the same in TOML as in JSON; a table is not."""
    if isinstance(value, list) and value and isinstance(value[0], str):
        return "[\n" + "".join(f"  {_toml(item)},\n" for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + " }"
    # TOML knows no pairs of escapes for one character, as JSON writes an emoji.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _cards(cards: Iterable[str | None]) -> str:
    return "".join(card or UNKNOWN for card in cards)


class _Writer:
    """The actions so far. Seats become p1, p2, .. in the order in which they receive cards."""

    def __init__(self, order: tuple[int, ...]) -> None:
        self.player = {seat: f"p{place}" for place, seat in enumerate(order, start=1)}
        self.live = set(order)
        self.actions: list[str] = []
        #: Where the cards of each seat and street stand, and where the betting of third street begins.
        self.dealt_at: dict[tuple[int, int], int] = {}
        self.street = 0
        self.betting_at = 0
        self.kept: dict[int, str | None] = {}
        self.is_showdown = False

    def write(self, fact: base.Fact) -> None:
        """Write down what ``fact`` says, if the format has words for it."""
        write = _WRITE.get(type(fact))
        if write is not None:
            write(self, fact)

    def cards_dealt(self, fact: play.CardsDealt) -> None:
        """Cards by seat, downcards first; none for a folded hand that is merely still dealt to."""
        self.street = fact.street
        shares: dict[int, list[str | None]] = {seat: [card] for seat, card in self.kept.items() if seat in self.live}
        if fact.street == _LAST_STREET:
            self.kept = {}
        else:
            shares = {}
        for seat, card, _ in sorted(fact.cards, key=lambda dealt: dealt[2] and fact.street == _FIRST_STREET):
            if seat in self.live:
                shares.setdefault(seat, []).append(card)
        for seat, cards in shares.items():
            self.dealt_at[seat, fact.street] = len(self.actions)
            self.actions.append(f"d dh {self.player[seat]} {_cards(cards)}")

    def put_right(self, fact: mistakes.CardsPutRight) -> None:
        """Each seat's cards in the places where it got some; all in one where it had been passed over."""
        shares: dict[int, list[str | None]] = {}
        for seat, card, _ in fact.cards:
            shares.setdefault(seat, []).append(card)
        for seat, cards in shares.items():
            if seat not in self.live:
                continue
            streets = fact.streets or (self.street,)
            at = [self.dealt_at[seat, street] for street in streets if (seat, street) in self.dealt_at]
            if not at:
                at = [len(self.actions)]
                self.dealt_at[seat, streets[-1]] = at[0]
                self.actions.append("")
            for place, line in enumerate(at):
                cards_of_seat = cards[place:] if place == len(at) - 1 else cards[place : place + 1]
                self.actions[line] = f"d dh {self.player[seat]} {_cards(cards_of_seat)}"

    def kept_early(self, fact: mistakes.PrematureCardKept) -> None:
        """Keep the seat's last card, and write it when the others get theirs."""
        self.kept[fact.seat] = fact.card
        self.actions.append(f"# {self.player[fact.seat]} has its last card already")

    def round_opened(self, fact: play.RoundOpened) -> None:
        if fact.street == _FIRST_STREET:
            self.betting_at = len(self.actions)

    def ruled(self, fact: play.Ruled) -> None:
        """The wagers of a wrong lowcard went back: the round begins anew."""
        if (fact.key, fact.verdict) == ("wrong_lowcard", "corrected"):
            taken_back = self.actions[self.betting_at :]
            self.actions[self.betting_at :] = [f"# {action}, taken back" for action in taken_back]

    def showdown_opened(self, fact: play.ShowdownOpened) -> None:
        self.is_showdown = True

    def declared(self, fact: mistakes.DeclaredAllIn) -> None:
        self.actions.append(f"# {self.player[fact.seat]} declares all-in")

    def voided(self, fact: mistakes.HandVoided) -> None:
        self.actions.append(f"# {fact.why}: every chip goes back")

    def common_card(self, fact: play.CommonCardDealt) -> None:
        self.actions.append(f"d db {_cards([fact.card])}")

    def bring_in(self, fact: play.BringInPosted) -> None:
        self.actions.append(f"{self.player[fact.seat]} pb")

    def passed(self, fact: play.Checked | play.Called) -> None:
        self.actions.append(f"{self.player[fact.seat]} cc")

    def wagered(self, fact: play.Wagered) -> None:
        self.actions.append(f"{self.player[fact.seat]} cbr {fact.to}")

    def folded(self, fact: play.Folded) -> None:
        self.live.discard(fact.seat)
        self.actions.append(f"{self.player[fact.seat]} f")

    def killed(self, fact: play.HandKilled) -> None:
        self.live.discard(fact.seat)
        self.actions.append(f"{self.player[fact.seat]} {'sm' if self.is_showdown else 'f'} # killed")

    def left(self, fact: play.PlayerLeft) -> None:
        self.actions.append(f"# {self.player[fact.seat]} leaves")

    def back(self, fact: play.PlayerBack) -> None:
        self.actions.append(f"# {self.player[fact.seat]} is back")

    def timed_out(self, fact: play.TimedOut) -> None:
        self.actions.append(f"# {self.player[fact.seat]} ran out of time")

    def shown(self, fact: play.HandShown) -> None:
        self.actions.append(f"{self.player[fact.seat]} sm {_cards(fact.cards)}")

    def mucked(self, fact: play.HandMucked) -> None:
        self.live.discard(fact.seat)
        self.actions.append(f"{self.player[fact.seat]} sm")


_WRITE: dict[type[base.Fact], Callable[[_Writer, Any], None]] = {
    play.CardsDealt: _Writer.cards_dealt,
    play.CommonCardDealt: _Writer.common_card,
    play.BringInPosted: _Writer.bring_in,
    play.Checked: _Writer.passed,
    play.Called: _Writer.passed,
    play.Wagered: _Writer.wagered,
    play.Folded: _Writer.folded,
    play.HandKilled: _Writer.killed,
    mistakes.CardsPutRight: _Writer.put_right,
    mistakes.PrematureCardKept: _Writer.kept_early,
    play.RoundOpened: _Writer.round_opened,
    play.Ruled: _Writer.ruled,
    play.ShowdownOpened: _Writer.showdown_opened,
    mistakes.DeclaredAllIn: _Writer.declared,
    mistakes.HandVoided: _Writer.voided,
    play.TimedOut: _Writer.timed_out,
    play.PlayerLeft: _Writer.left,
    play.PlayerBack: _Writer.back,
    play.HandShown: _Writer.shown,
    play.HandMucked: _Writer.mucked,
}
