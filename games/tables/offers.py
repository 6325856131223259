"""Games on offer: tables are opened for them and lists are kept of them. All for managers.

An edit applies to the next table that is opened; open ones keep their settings until the floor has them take up the
new ones, see `play.tables.take_up`. A game that is withdrawn stays for the sake of its history.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from cardroom.cage import allowances
from cardroom.core import audit_log, topics
from cardroom.core.arguments import Limits, OptionalReason, RowId
from cardroom.core.errors import Conflict, Illegal, Invalid, Stale, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import filled, number_lazy
from cardroom.core.verb import current_time, lock, verb
from games.engine.games import GAMES, MOST_SEATS, STRUCTURES
from games.engine.rulebook import Rulebook
from games.rulebooks import HOUSE
from games.rulebooks import services as rulebook_services
from games.rulebooks.models import HouseRulebook
from games.rulebooks.queries import load
from games.rulebooks.services import check_table
from games.tables import locking
from games.tables.models.offers import DropSchedule, Offer, TableUse
from games.tables.models.tables import Table


def note(table: Table, *, now: datetime) -> None:
    """Write down the game and section of a table where they have changed. Call with the table locked, or new."""
    last = TableUse.objects.filter(table=table.pk).order_by("-since", "-pk").first()
    if last is None or (last.offer_id, last.section_id) != (table.offer_id, table.section_id):
        TableUse.objects.create(table_id=table.pk, offer_id=table.offer_id, section_id=table.section_id, since=now)


MOST_CHIPS = 10**9
#: Turns with extra time, and seconds of each.
MOST_EXTRAS, MOST_EXTRA_SECONDS = 8, 600
_MOST_EXTRA_IN_ALL = 3600


@dataclass(frozen=True)
class Term:
    """One term. `usual`: its default, which also sets its type. `label` (none: its name) and `help_text` stand beside
    it in forms; `form_label` replaces both on a page that asks for it in another unit. A number is from `least` to
    `most`; `wrong` is the error for another number. `is_own`: a table may be opened with another value than its
    game has."""

    usual: Any
    label: Any = ""
    help_text: Any = ""
    least: int = 0
    most: int | None = None
    wrong: Any = ""
    is_own: bool = False
    form_label: Any = ""

    @property
    def is_chips(self) -> bool:
        return self.most == MOST_CHIPS

    def is_met_by(self, value: Any) -> bool:
        """Whether a value is within the limits; a term without limits is checked elsewhere."""
        return self.most is None or (type(value) is int and self.least <= value <= self.most)


def _chips(usual: int, label: Any, wrong: Any, help_text: Any = "") -> Term:
    """`wrong`: with `{most}`, the most chips that are counted."""
    return Term(usual, label, help_text, most=MOST_CHIPS, wrong=format_lazy(wrong, most=number_lazy(MOST_CHIPS)))


#: The terms that a manager sets for a game on offer. Those that its tables play by are in `TableTerms`.
TERMS: dict[str, Term] = {
    "name": Term("", gettext_lazy("Name"), gettext_lazy("As shown on the board, such as Stud 5/10.")),
    "game": Term("seven-card-stud", gettext_lazy("Game")),
    "structure": Term("fixed-limit", gettext_lazy("Betting")),
    "rulebook": Term("roberts-v4", gettext_lazy("Rulebook")),
    "ante": _chips(1, gettext_lazy("Ante"), gettext_lazy("Ante is chips, from 0 to {most}.")),
    "bring_in": _chips(2, gettext_lazy("Bring-in"), gettext_lazy("Bring-in is chips, from 0 to {most}.")),
    "small_bet": _chips(
        5,
        gettext_lazy("Small bet"),
        gettext_lazy("Small bet is chips, from 0 to {most}."),
        gettext_lazy("Minimum bet (not at fixed limit)."),
    ),
    "big_bet": _chips(
        10,
        gettext_lazy("Big bet"),
        gettext_lazy("Big bet is chips, from 0 to {most}."),
        gettext_lazy("Maximum bet of a spread."),
    ),
    "smallest_chip": _chips(
        0,
        gettext_lazy("Smallest chip"),
        gettext_lazy("Smallest chip is chips, from 0 to {most}."),
        gettext_lazy("Pots are split in it. 0: worked out from stacks and stakes."),
    ),
    "seat_count": Term(
        MOST_SEATS,
        gettext_lazy("Seats"),
        "",
        2,
        MOST_SEATS,
        gettext_lazy("A stud table has 2 to 8 seats."),
        is_own=True,
    ),
    "min_buy_in": _chips(
        100, gettext_lazy("Minimum buy-in"), gettext_lazy("Minimum buy-in is chips, from 0 to {most}.")
    ),
    "max_buy_in": _chips(
        500, gettext_lazy("Maximum buy-in"), gettext_lazy("Maximum buy-in is chips, from 0 to {most}.")
    ),
    "drop_id": Term(None, gettext_lazy("Drop")),
    "dealt_by": Term("automatic", gettext_lazy("Dealt by")),
    "deck": Term("system", gettext_lazy("Deck")),
    "is_physical": Term(
        False, gettext_lazy("In the room"), gettext_lazy("The system keeps seats, stacks and times; it deals no cards.")
    ),
    "is_spoken": Term(False, gettext_lazy("Announcements are spoken"), is_own=True),
    "has_help": Term(
        True,
        gettext_lazy("Help at the table"),
        gettext_lazy("Names hands, counts odds, shows the cards seen."),
        is_own=True,
    ),
    "has_chat": Term(
        True, gettext_lazy("Chat at the table"), gettext_lazy("Seated players write; spectators read."), is_own=True
    ),
    "has_spectators": Term(True, gettext_lazy("Allow spectators"), is_own=True),
    "act_seconds": Term(
        30,
        gettext_lazy("Seconds to act"),
        gettext_lazy("0: no clock, where a person deals."),
        0,
        600,
        gettext_lazy("The act clock is 0 (none, where a person deals) to 600 seconds."),
        is_own=True,
    ),
    "time_bank_seconds": Term(
        60,
        gettext_lazy("Time bank, seconds"),
        "",
        0,
        3600,
        gettext_lazy("The time bank holds 0 to 3,600 seconds."),
        is_own=True,
    ),
    "bank_refill_seconds": Term(
        1,
        gettext_lazy("Time bank refill per hand, seconds"),
        "",
        0,
        600,
        gettext_lazy("0 to 600 seconds of the time bank come back with each hand."),
    ),
    "missed_clocks_allowed": Term(
        2,
        gettext_lazy("Clocks missed in a row"),
        gettext_lazy("After so many the player sits out."),
        1,
        20,
        gettext_lazy("A player sits out after 1 to 20 clocks missed in a row."),
        is_own=True,
    ),
    "extra_seconds": Term(
        [30, 15],
        gettext_lazy("Connection lost, extra seconds"),
        gettext_lazy("For the first, second, ... turn, online, such as 30, 15. Empty: none."),
        is_own=True,
    ),
    "extra_cap_seconds": Term(120, gettext_lazy("Extra seconds in a visit, at most"), is_own=True),
    "pause_seconds": Term(
        4,
        gettext_lazy("Between two hands, seconds"),
        "",
        0,
        600,
        gettext_lazy("Between two hands there are 0 to 600 seconds."),
        is_own=True,
    ),
    "keep_seat_minutes": Term(
        30,
        gettext_lazy("Seat kept, minutes"),
        gettext_lazy("For a player who is away."),
        1,
        24 * 60,
        gettext_lazy("A seat is kept for 1 to 1,440 minutes."),
        is_own=True,
    ),
    "rathole_minutes": Term(
        60,
        gettext_lazy("Return with the same stack, minutes"),
        gettext_lazy("0: not required."),
        0,
        7 * 24 * 60,
        gettext_lazy("For 0 to 10,080 minutes a player comes back with what they left with."),
    ),
    "call_minutes": Term(
        5,
        gettext_lazy("Time to answer a call, minutes"),
        "",
        1,
        240,
        gettext_lazy("A called player has 1 to 240 minutes."),
    ),
    "more_time_minutes": Term(
        5, gettext_lazy("More time, minutes"), "", 0, 240, gettext_lazy("More time is 0 (none) to 240 minutes.")
    ),
    "hold_minutes": Term(
        10, gettext_lazy("Seat held, minutes"), "", 1, 24 * 60, gettext_lazy("A seat is held for 1 to 1,440 minutes.")
    ),
    "calls_itself": Term(None, gettext_lazy("Calls from the list")),
    "missed_calls_allowed": Term(
        1,
        gettext_lazy("Missed calls allowed"),
        gettext_lazy("Times moved to the bottom of the list; then removed."),
        0,
        20,
        gettext_lazy("Of 0 to 20 missed calls a player keeps their name on the list."),
    ),
    "opens_with": Term(
        0,
        gettext_lazy("Names that open a table"),
        gettext_lazy("In the room the list asks the floor for a table. 0: never."),
        0,
        MOST_SEATS,
        gettext_lazy("A list opens a table, or in the room asks for one, with 2 to 8 names; 0: it does not."),
    ),
    "comp_per_hour": Term(
        0,
        gettext_lazy("Comp points an hour"),
        "",
        0,
        10**6,
        gettext_lazy("Comp points for an hour are 0 to 1,000,000."),
    ),
    "tables_per_player": Term(
        4,
        gettext_lazy("Maximum tables per player"),
        "",
        1,
        24,
        gettext_lazy("A player sits at 1 to 24 tables of a game at once."),
    ),
}
#: The terms in which a table may differ from its game.
OWN = tuple(name for name, term in TERMS.items() if term.is_own)
USUAL: dict[str, Any] = {name: term.usual for name, term in TERMS.items()}

Terms = Mapping[str, Any]


def check(terms: Terms) -> None:
    """Refuse impossible terms: `Invalid` with the error of each field."""
    errors_by_field = faults(terms)
    if errors_by_field:
        raise Invalid(
            "bad-offer",
            Verbatim(next(iter(errors_by_field.values()))),
            errors={name: [message] for name, message in errors_by_field.items()},
        )


def faults(terms: Terms) -> dict[str, str]:
    """The error of each field whose value is not possible; empty where all are."""
    errors: dict[str, str] = {}
    unknown = sorted(set(terms) - set(USUAL))
    if unknown:
        errors[unknown[0]] = gettext("A game on offer has nothing called {unknown!r}.").format(unknown=unknown[0])
    name = terms["name"]
    if type(name) is not str or not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        errors["name"] = gettext("A game on offer has a name of 1 to 60 characters.")
    for flag, term in TERMS.items():
        if type(term.usual) is bool and type(terms[flag]) is not bool:
            errors[flag] = gettext("This is true or false.")
    if terms["calls_itself"] is not None and type(terms["calls_itself"]) is not bool:
        errors["calls_itself"] = gettext("The list calls by itself: true or false, or null (online only).")
    for number, term in TERMS.items():
        if not term.is_met_by(terms[number]):
            errors[number] = str(term.wrong)
    errors |= extra_faults(terms)
    if terms["game"] not in GAMES:
        errors["game"] = gettext("There is no game {terms!r}: {games}.").format(
            terms=terms["game"], games=", ".join(GAMES)
        )
    if terms["structure"] not in STRUCTURES:
        errors["structure"] = gettext("There is no betting structure {terms!r}: {structures}.").format(
            terms=terms["structure"], structures=", ".join(STRUCTURES)
        )
    return errors or {**_stakes(terms), **_dealing(terms), **_house(terms)} or _by_the_book(terms)


def extra_faults(terms: Terms) -> dict[str, str]:
    """The error of each field of the extra time for players who lost the connection; no extra time is fine."""
    seconds, cap = terms["extra_seconds"], terms["extra_cap_seconds"]
    errors = {}
    is_list = isinstance(seconds, list | tuple) and len(seconds) <= MOST_EXTRAS
    if not is_list or not all(type(extra) is int and 1 <= extra <= MOST_EXTRA_SECONDS for extra in seconds):
        errors["extra_seconds"] = gettext(
            "Extra time covers up to {most_extras} turns, 1 to {most_extra_seconds} seconds each."
        ).format(most_extras=MOST_EXTRAS, most_extra_seconds=MOST_EXTRA_SECONDS)
    if type(cap) is not int or not 0 <= cap <= _MOST_EXTRA_IN_ALL:
        errors["extra_cap_seconds"] = filled(
            gettext("A visit has 0 to {most_extra_in_all:,} seconds of extra time in all."),
            most_extra_in_all=_MOST_EXTRA_IN_ALL,
        )
    elif seconds and not cap:
        errors["extra_cap_seconds"] = gettext("Enter the maximum extra time of a visit, or no extra time.")
    return errors


def without_extra(terms: Terms) -> dict[str, Any]:
    """The same terms without extra time where it is pointless: in the room nobody loses the connection, and without an
    act clock nobody needs more time."""
    has_none = terms["is_physical"] or not terms["act_seconds"]
    return {**terms, **({"extra_seconds": [], "extra_cap_seconds": 0} if has_none else {})}


def _stakes(terms: Terms) -> dict[str, str]:
    small, big, bring_in = terms["small_bet"], terms["big_bet"], terms["bring_in"]
    errors = {}
    if small < 1:
        errors["small_bet"] = gettext("A bet is at least one chip.")
    elif bring_in > small:
        errors["bring_in"] = gettext("The bring-in is not above the small bet, or the least one.")
    elif big < small:
        errors["big_bet"] = gettext("The big bet, or the most of a spread, is not below the small one.")
    if not bring_in and not terms["ante"]:
        errors.setdefault("ante", gettext("An ante or a bring-in is required."))
    chip = terms["smallest_chip"]
    if chip and any(amount % chip for amount in (small, big, bring_in, terms["ante"])):
        errors["smallest_chip"] = filled(
            gettext("Ante, bring-in and bets cannot all be paid in chips of {chip:,}."), chip=chip
        )
    if terms["min_buy_in"] < max(1, big):
        errors["min_buy_in"] = gettext("The minimum buy-in is at least one big bet.")
    elif terms["max_buy_in"] < terms["min_buy_in"]:
        errors["max_buy_in"] = gettext("The maximum buy-in cannot be below the minimum.")
    if terms["opens_with"] == 1 or terms["opens_with"] > terms["seat_count"]:
        errors["opens_with"] = gettext("A list opens a table with two names or more, and not more than it has seats.")
    return errors


def _dealing(terms: Terms) -> dict[str, str]:
    if terms["dealt_by"] not in Table.DealtBy.values:
        return {"dealt_by": gettext("Cards are dealt by the automatic dealer, or by a person.")}
    if terms["deck"] not in Table.Deck.values:
        return {"deck": gettext("The deck is the system's, or a physical one.")}
    is_person = terms["dealt_by"] == Table.DealtBy.PERSON
    if not is_person and terms["deck"] != Table.Deck.SYSTEM:
        return {"deck": gettext("The automatic dealer deals the system's deck.")}
    if not is_person and terms["act_seconds"] < 1 and not terms["is_physical"]:
        return {"act_seconds": gettext("An automatic dealer needs an act clock of at least one second.")}
    return {}


def _house(terms: Terms) -> dict[str, str]:
    drop = terms["drop_id"]
    if drop is not None and not DropSchedule.objects.filter(pk=drop, retired_at=None).exists():
        return {"drop_id": gettext("There is no such drop schedule, or it is retired.")}
    return {}


def _by_the_book(terms: Terms) -> dict[str, str]:
    """What the rulebook refuses."""
    try:
        rulebook_services.check_table(
            terms["rulebook"],
            structure=terms["structure"],
            setting="cash",
            seats=terms["seat_count"],
            bring_in=terms["bring_in"],
        )
    except Invalid as error:
        return {"rulebook": f"{error.message[:-1]} ({error.rule})." if error.rule else error.message}
    return {}


ROLE = "manager"

Order = Annotated[list[RowId], Limits(called="ids", max_length=500)]


@verb("offers.create", roles=(ROLE,))
def create(*, by: User, **terms: Any) -> Offer:
    """Add a game, last in the list. `terms`: see `USUAL`, which has the defaults.

    Refuses: `Invalid` (`errors`: by field what is wrong), `Conflict` (the name is taken), `NeedsApproval` (more comp
    points an hour than the manager may give at once).
    """
    now = current_time()
    whole = USUAL | terms
    check(whole)
    answered = _answer_for_comps(whole, USUAL, by=by, now=now)
    last = Offer.objects.aggregate(last=Max("place"))["last"]
    offer = Offer(**_clean(whole), place=0 if last is None else last + 1, made_at=now)
    _save(offer, force_insert=True)
    _note("create", offer, by=by, now=now, terms=terms, **answered)
    return offer


@verb("offers.edit", roles=(ROLE,))
def edit(*, offer_id: RowId, version: int | None = None, by: User, **changes: Any) -> Offer:
    """Change the terms that are named in `changes`. `version`: the version that the manager was looking at.

    Refuses as `create` does, and: `NotFound`, `Stale` (somebody changed it since), `Illegal` (between online and in the
    room, once tables were opened for it).
    """
    offer, now = lock(Offer.objects.select_related("drop"), offer_id)
    if version is not None and version != offer.version:
        raise Stale("stale", "{offer} has changed meanwhile: reload it first.", offer=offer.name, version=offer.version)
    before = {name: getattr(offer, name) for name in USUAL}
    whole = before | changes
    keeps_retired = whole["drop_id"] == offer.drop_id and offer.drop is not None and offer.drop.retired_at is not None
    check(whole | ({"drop_id": None} if keeps_retired else {}))
    if whole["is_physical"] != offer.is_physical and Table.objects.filter(offer=offer).exists():
        raise Illegal(
            "kind-is-fixed", "Tables were opened for {offer}: add another game for the other kind.", offer=offer.name
        )
    changed = {name: value for name, value in _clean(whole).items() if before[name] != value}
    if changed:
        answered = _answer_for_comps(whole, before, by=by, now=now)
        for name, value in changed.items():
            setattr(offer, name, value)
        offer.version += 1
        _save(offer)
        earlier = {name: before[name] for name in changed}
        _note("edit", offer, by=by, now=now, changes=changed, before=earlier, **answered)
    return offer


@verb("offers.withdraw", roles=(ROLE,))
def withdraw(*, offer_id: RowId, reason: OptionalReason = "", by: User) -> Offer:
    """Withdraw a game: no table is opened for it and no name taken on its list. Its open tables play on."""
    offer, now = lock(Offer.objects.select_related("drop"), offer_id)
    return _set_listed(offer, False, "withdraw", by=by, now=now, reason=reason) if offer.is_listed else offer


@verb("offers.relist", roles=(ROLE,))
def relist(*, offer_id: RowId, reason: OptionalReason = "", by: User) -> Offer:
    """Offer a game again. `Invalid` where its terms are not possible any more, such as a retired schedule."""
    offer, now = lock(Offer.objects.select_related("drop"), offer_id)
    if offer.is_listed:
        return offer
    check({name: getattr(offer, name) for name in USUAL})
    return _set_listed(offer, True, "relist", by=by, now=now, reason=reason)


@verb("offers.reorder", roles=(ROLE,))
def reorder(*, offer_ids: Order, by: User) -> list[Offer]:
    """Show the games in this order; those that are not named come after them, in their present order.

    Does nothing where this is their order already. Locks all offers."""
    offers = {offer.pk: offer for offer in Offer.objects.select_for_update(no_key=True).order_by("pk")}
    now = current_time()
    if len(set(offer_ids)) < len(offer_ids) or not set(offer_ids) <= set(offers):
        raise Invalid("bad-order", "The order names games on offer, each once.")
    rest = sorted(set(offers) - set(offer_ids), key=lambda pk: (offers[pk].place, pk))
    ordered = [offers[pk] for pk in [*offer_ids, *rest]]
    if put_in_order(ordered):
        audit_log.note(verb="offers.reorder", subject="offers", by=by, now=now, order=[offer.pk for offer in ordered])
        topics.tell("lobby", "lists", "board")
    return ordered


def put_in_order(rows: Sequence[Any]) -> bool:
    """Give rows their `place`, from 0; False where they are in this order already."""
    if [row.place for row in rows] == list(range(len(rows))):
        return False
    for place, row in enumerate(rows):
        row.place = place
    type(rows[0]).objects.bulk_update(rows, ["place"])
    return True


def _answer_for_comps(terms: Terms, before: Terms, *, by: User, now: datetime) -> dict[str, Any]:
    """Where the comp points of an hour of play go up, check that `by` may give so many: later they are credited without
    asking anybody. Returns the details for the audit log; empty where they do not go up."""
    points = terms["comp_per_hour"]
    if points <= before["comp_per_hour"]:
        return {}
    return allowances.check(by=by, kind="comp", amount=points, now=now, approval=None, roles=(ROLE,)).details


def _set_listed(offer: Offer, is_listed: bool, name: str, **details: Any) -> Offer:
    offer.is_listed = is_listed
    _save(offer)
    _note(name, offer, **details)
    return offer


def _save(offer: Offer, **how: bool) -> None:
    try:
        with transaction.atomic():
            offer.save(**how)
    except IntegrityError as error:
        raise Conflict(
            "name-taken",
            "There is a game on offer called {offer} already.",
            offer=offer.name,
            errors={"name": [gettext("This name is taken.")]},
        ) from error
    topics.tell("lobby", "lists", "floor", "board")


def _clean(terms: dict[str, Any]) -> dict[str, Any]:
    return terms | {"name": " ".join(terms["name"].split())}


def _note(name: str, offer: Offer, *, by: User, now: datetime, reason: str = "", **details: Any) -> None:
    subject = f"offer:{offer.pk}"
    audit_log.note(verb=f"offers.{name}", subject=subject, by=by, now=now, reason=reason, name=offer.name, **details)


log = structlog.get_logger(__name__)


Reference = Annotated[
    str,
    Limits(called="rulebook", max_length=80, help_text="A reference: `roberts-v4`, or `house:riverside@2026-11-20`."),
]


@verb("offers.play_by", roles=("manager",))
def play_by(*, table_id: RowId, reference: Reference, by: User) -> Table:
    """Change the rulebook of a table from its next hand. Locks the table.

    Refuses: `NotFound`, `Invalid` (no such book, or not one this table can be played by).
    """
    table, now = lock(locking.table, table_id)
    check_table(
        reference, structure=table.structure, setting=table.setting, seats=table.seat_count, bring_in=table.bring_in
    )
    if table.rulebook != reference:
        before, table.rulebook = table.rulebook, reference
        Table.objects.filter(pk=table.pk).update(rulebook=reference)
        locking.store(table, wake_at=table.wake_at)
        log.info("rulebook chosen", table=table.pk, rulebook=reference, before=before, by=by.pk, at=now.isoformat())
        locking.tell(table)
    return table


def in_play(table: Table) -> str:
    """The rulebook of the current or last hand; before the first hand, the one it will be played by."""
    hand = table.hand or table.last_hand
    return hand.rulebook if hand and hand.rulebook else table.rulebook


def tables_playing(book: HouseRulebook) -> list[Table]:
    """The tables whose next hand is played by any version of this book."""
    reference = f"{HOUSE}{book.slug}@"
    return list(Table.objects.filter(rulebook__startswith=reference).exclude(state=Table.State.CLOSED).order_by("name"))


def tables() -> list[tuple[Table, Rulebook]]:
    """The tables that are open to anybody, each with the book of its next hand."""
    rows = Table.objects.filter(event="").exclude(state=Table.State.CLOSED).order_by("name")
    return [(table, load(table.rulebook)) for table in rows]
