"""What happened in a hand, in the past tense: frozen, JSON-safe, and sealed until declared otherwise.

Every fact class says who sees it. The default is nobody: a class that declares nothing loses all its fields on
the way out. ``redact`` is the only way a fact leaves the server; it never drops one, so numbering has no holes.

Chips are ints, seats are ints from 1, cards are strings such as ``"As"``; ``None`` is a card the viewer may not
see and ``"??"`` one that nobody recorded. ``street`` is the number of cards a full hand then holds: 3 to 7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar, TypeVar

#: A viewer is a seat number, or one of these two.
Viewer = int
RAIL: Viewer = 0
AUDITOR: Viewer = -1

Cards = tuple[str | None, ...]
#: (seat, card, is_up)
DealtCard = tuple[int, str | None, bool]
#: (chips, seats that can win them)
Pot = tuple[int, tuple[int, ...]]


class Sees(Enum):
    """Who may read a fact whole."""

    ALL = "all"
    OWNER = "owner"
    EACH_CARD = "each card has its own answer"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened. ``kind`` is its stable name in JSON: a changed meaning is a new kind."""

    kind: ClassVar[str] = ""
    sees: ClassVar[Sees] = Sees.NOBODY
    #: Fields that stay when the fact is sealed; every other field becomes None.
    public: ClassVar[frozenset[str]] = frozenset()

    def sealed(self) -> Fact:
        """The same fact with every field blanked that is not declared public."""
        kept = type(self).public
        return type(self)(*(getattr(self, f.name) if f.name in kept else None for f in fields(self)))

    def for_viewer(self, viewer: Viewer) -> Fact:
        """The fact card by card; only classes that declare ``Sees.EACH_CARD`` know how."""
        return self.sealed()


def redact(fact: Fact, viewer: Viewer) -> Fact:
    """``fact`` as ``viewer`` may see it (a seat number, ``RAIL`` or ``AUDITOR``)."""
    sees = fact.sees
    if sees is Sees.ALL:
        return fact
    if sees is Sees.EACH_CARD:
        return fact.for_viewer(viewer)
    if sees is Sees.OWNER and viewer != RAIL and viewer in (getattr(fact, "seat", RAIL), AUDITOR):
        return fact
    return fact.sealed()


KINDS: dict[str, type[Fact]] = {}

F = TypeVar("F", bound=Fact)


def _named(kind: str, sees: Sees = Sees.NOBODY, public: tuple[str, ...] = ()) -> Callable[[type[F]], type[F]]:
    """Register a fact class under its stable kind and say who sees it."""

    def register(cls: type[F]) -> type[F]:
        cls.kind, cls.sees, cls.public = kind, sees, frozenset(public)
        KINDS[kind] = cls
        return cls

    return register


# -- the beginning ---------------------------------------------------------------------------------------------------


@_named("hand-started", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandStarted(Fact):
    """The table as the hand finds it. ``order``: the seats dealt in, first to receive cards first."""

    rulebook: str
    rulebook_version: str
    setting: str
    game: str
    structure: str
    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    min_bet: int
    max_bet: int
    stacks: tuple[tuple[int, int], ...]
    dealer: int
    order: tuple[int, ...]
    absent: tuple[int, ...]
    players_left: int
    choices: tuple[tuple[str, Any], ...]
    is_hand_dealt: bool
    is_hand_shown: bool


@_named("deck-shuffled")
@dataclass(frozen=True, slots=True)
class DeckShuffled(Fact):
    """The deck, top card first, and the order in which cards fall should they have to be mixed again."""

    deck: Cards | None
    scramble: Cards | None


@_named("antes-posted", Sees.ALL)
@dataclass(frozen=True, slots=True)
class AntesPosted(Fact):
    """``antes``: (seat, chips) in the order posted; a short stack posts what it has. ``is_apart``: they make one pot
    that every hand can win whole, whatever it posted itself."""

    antes: tuple[tuple[int, int], ...]
    is_apart: bool = False


# -- the dealer ------------------------------------------------------------------------------------------------------


@_named("cards-dealt", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class CardsDealt(Fact):
    """Cards off the stub, in the order they were dealt. A downcard is its owner's alone."""

    street: int
    cards: tuple[DealtCard, ...]

    def for_viewer(self, viewer: Viewer) -> Fact:
        if viewer == AUDITOR:
            return self
        seen = tuple([deal if deal[2] or deal[0] == viewer else (deal[0], None, False) for deal in self.cards])
        return CardsDealt(self.street, seen)


@_named("card-burned")
@dataclass(frozen=True, slots=True)
class CardBurned(Fact):
    """The top of the stub went to the burn pile; nobody sees it."""

    card: str | None


@_named("stub-remixed", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class StubRemixed(Fact):
    """The rest of the stub, the burns and the cards set aside are one new stub, top card first."""

    stub: Cards

    def for_viewer(self, viewer: Viewer) -> Fact:
        return StubRemixed((None,) * len(self.stub))


@_named("common-card-dealt", Sees.ALL)
@dataclass(frozen=True, slots=True)
class CommonCardDealt(Fact):
    """One card turned up in the middle that plays in every hand."""

    card: str | None


@_named("announced", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Announced(Fact):
    """What the dealer says: ``what`` is lowcard, high-hand, completion, raise, pair, straight or flush."""

    what: str
    seat: int
    words: str


@_named("ruled", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Ruled(Fact):
    """A ruling: the rulebook point, the verdict, where the book says so (``rule``), and our sentence for it."""

    key: str
    verdict: str
    rule: str
    seats: tuple[int, ...]
    words: str


@_named("call-weighed", Sees.OWNER, public=("seat",))
@dataclass(frozen=True, slots=True)
class CallWeighed(Fact):
    """At a last-round call: was the caller already beaten by upcards in sight? The answer tells of his downcards,
    so it is his alone; the fact itself follows every such call, lest its absence tell."""

    seat: int
    is_beaten: bool | None
    rule: str | None


# -- the betting -----------------------------------------------------------------------------------------------------


@_named("round-opened", Sees.ALL)
@dataclass(frozen=True, slots=True)
class RoundOpened(Fact):
    """Betting begins. ``named``: the lowcard on third street, the high hand later; ``opener`` acts first and is another
    seat when the named one cannot act. ``sizes``: the limits in force; ``is_bring_in``: the forced bet is owed."""

    street: int
    named: int
    opener: int
    sizes: tuple[int, ...]
    is_bring_in: bool


@_named("action-on", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ActionOn(Fact):
    """It is ``seat``'s turn, and these are exactly the legal actions.

    ``call``: chips to add (0: nothing to call). ``bring_in``: the forced bet as the seat's total (0: not owed).
    ``verb``: bet, complete-to or raise-to, '' when no wager is open; ``sizes``: the seat's totals for the street, or
    ``(least, most)`` when ``is_range``.
    """

    seat: int
    can_fold: bool
    can_check: bool
    call: int
    bring_in: int
    verb: str
    sizes: tuple[int, ...]
    is_range: bool
    can_declare_all_in: bool


@_named("timed-out", Sees.ALL)
@dataclass(frozen=True, slots=True)
class TimedOut(Fact):
    """The action clock ran out; what was done for the seat follows."""

    seat: int


@_named("bring-in-posted", Sees.ALL)
@dataclass(frozen=True, slots=True)
class BringInPosted(Fact):
    """The forced bet. ``level`` is what the others must match, also when the stack was short of it."""

    seat: int
    amount: int
    level: int


@_named("checked", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Checked(Fact):
    """No wager, and none made."""

    seat: int


@_named("called", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Called(Fact):
    """``amount``: chips added; less than the price when it was all the seat had."""

    seat: int
    amount: int


@_named("wagered", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Wagered(Fact):
    """A bet, completion or raise (``verb``). ``amount``: chips added; ``to``: the seat's total for the street.

    ``full``: the level of the last wager that counted as full; ``raises``: raises used; ``sizes``: the limits in
    force from here on; ``least_raise``: without fixed limit, the last full bet or raise; ``is_capped``: no more.
    """

    seat: int
    verb: str
    amount: int
    to: int
    full: int
    raises: int
    sizes: tuple[int, ...]
    least_raise: int
    is_capped: bool


@_named("folded", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Folded(Fact):
    """The hand is dead. ``is_still_dealt_to``: the seat keeps its place in the deal until a bet."""

    seat: int
    is_still_dealt_to: bool


@_named("seats-skipped", Sees.ALL)
@dataclass(frozen=True, slots=True)
class SeatsSkipped(Fact):
    """A bet killed these folded hands for good: they get no more cards."""

    seats: tuple[int, ...]


@_named("hand-killed", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandKilled(Fact):
    """The hand is dead by a rule, not by its owner's choice."""

    seat: int


@_named("player-left", Sees.ALL)
@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    """The player is absent from now on."""

    seat: int


@_named("player-back", Sees.ALL)
@dataclass(frozen=True, slots=True)
class PlayerBack(Fact):
    """The absent player is back."""

    seat: int


@_named("bet-returned", Sees.ALL)
@dataclass(frozen=True, slots=True)
class BetReturned(Fact):
    """Chips nobody called go back before the pot is touched."""

    seat: int
    amount: int


@_named("round-closed", Sees.ALL)
@dataclass(frozen=True, slots=True)
class RoundClosed(Fact):
    """The betting on ``street`` is over and its chips are in the pots, main pot first."""

    street: int
    pots: tuple[Pot, ...]


# -- the end ---------------------------------------------------------------------------------------------------------


@_named("showdown-opened", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ShowdownOpened(Fact):
    """The seats in the order in which they must show."""

    order: tuple[int, ...]


@_named("show-due", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ShowDue(Fact):
    """``seat`` must show or muck next (where hands are shown by their owners)."""

    seat: int


@_named("hand-tabled", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandTabled(Fact):
    """All the betting is over before the last card: the hand is turned up while the rest is dealt."""

    seat: int
    cards: Cards


@_named("hand-shown", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandShown(Fact):
    """The hand at the showdown: all its cards, the five that play, and what they make."""

    seat: int
    cards: Cards
    five: Cards
    words: str
    low_five: Cards
    low_words: str


@_named("hand-mucked", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandMucked(Fact):
    """Thrown away unseen at the showdown; the cards stay hidden for good."""

    seat: int


@_named("pot-awarded", Sees.ALL)
@dataclass(frozen=True, slots=True)
class PotAwarded(Fact):
    """``pot`` counts from 0, the main pot. ``share``: whole, high or low. ``odd``: odd chips within ``amount``."""

    pot: int
    seat: int
    amount: int
    share: str
    odd: int


@_named("hand-ended", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandEnded(Fact):
    """The hand is over; ``stacks``: (seat, chips) of every seat dealt in."""

    stacks: tuple[tuple[int, int], ...]


# -- JSON ------------------------------------------------------------------------------------------------------------


def to_json(fact: Fact) -> dict[str, Any]:
    """The fields of ``fact`` by name, ready for ``json.dumps``; ``fact.kind`` goes beside them."""
    return {f.name: getattr(fact, f.name) for f in fields(fact)}


def from_json(kind: str, data: dict[str, Any]) -> Fact:
    """The fact that ``to_json`` came from. Raises ``ValueError`` for an unknown kind or wrong fields."""
    cls = KINDS.get(kind)
    if cls is None:
        raise ValueError(f"there is no kind of fact called {kind!r}")
    try:
        return cls(**{name: _tupled(value) for name, value in data.items()})
    except TypeError as error:
        raise ValueError(f"{kind}: {error}") from None


def _tupled(value: Any) -> Any:
    return tuple([_tupled(item) for item in value]) if type(value) in (list, tuple) else value
