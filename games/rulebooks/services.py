"""The house's rulebooks: making one, saving a new version of it.

What is saved stays as it is. A hand keeps the version it was dealt under.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from cardroom.core import room_time
from cardroom.core.errors import Conflict, Illegal, Invalid, Stale, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb
from games.engine.rulebook import Rulebook
from games.rulebooks import RulebookError, house, published, slugs
from games.rulebooks.models import HouseRulebook, RulebookVersion
from games.rulebooks.queries import load

log = structlog.get_logger(__name__)

LONGEST_NAME, LONGEST_NOTE = 40, 300
_LONGEST_SLUG = 30
#: The same key founds a book or saves a version.
_SAVE = "rulebooks.save"
#: Words that stand in addresses where a book's slug does.
_TAKEN = frozenset({"new"})

Changes = Mapping[str, Any]


@verb(_SAVE, roles=("manager",))
def create_book(*, name: str, base: str, changes: Changes, note: str = "", by: User) -> RulebookVersion:
    """A new book of the house, out of the published one with the slug `base`; returns its first version.

    `changes`: by point `{"value", "tournament", "text"}`, see `games.rulebooks.house.derived`. Refuses: `Invalid`
    (name, note or base), `Conflict` (the name is taken), `Illegal` (`faults`: which points make no book, and why).
    """
    title, why = _line(name), _line(note)
    slug = slugify(title)[:_LONGEST_SLUG].strip("-")
    _check_name(title, slug, why)
    if base not in slugs():
        raise Invalid(
            "no-such-rulebook", "There is no published book {base!r}: {names}.", base=base, names=", ".join(slugs())
        )
    now = current_time()
    try:
        with transaction.atomic():
            book = HouseRulebook.objects.create(slug=slug, name=title, base=base, founded_by=by, founded_at=now)
            return _save_version(_draft_version(book, 1, changes, now=now), note=why, by=by, now=now)
    except IntegrityError as error:
        raise Conflict("name-taken", "There is a house rulebook called {title} already.", title=title) from error


@verb(_SAVE, roles=("manager",))
def revise(*, slug: str, changes: Changes, after: str, note: str = "", by: User) -> RulebookVersion:
    """A new version of a house book. `changes`: all that differs from its base book, not from the version before;
    `after`: the version that the manager had in hand.

    Locks the book. Refuses as `create_book` does, and: `NotFound`, `Stale` (somebody saved a version since `after`),
    `Conflict` (nothing differs from it).
    """
    note = _line(note)
    _check_note(note)
    number = HouseRulebook.objects.filter(slug=slug).values_list("pk", flat=True).first()
    book, now = lock(HouseRulebook, number or 0)
    newest = book.versions.order_by("-number").first()
    if newest is None or newest.version != after:
        since = newest.version if newest else "none"
        raise Stale(
            "stale",
            "The newest version is {since}, not {after}: reload it first.",
            since=since,
            after=after,
            version=since,
        )
    draft = _draft_version(book, newest.number + 1, changes, now=now)
    if draft.points == newest.points:
        raise Conflict("nothing-changed", "Nothing differs from version {after}.", after=after)
    return _save_version(draft, note=note, by=by, now=now)


def check_table(reference: str, *, structure: str, setting: str, seats: int, bring_in: int) -> Rulebook:
    """The book, or `Invalid` where there is none by this reference or such a table cannot be played by it."""
    try:
        book = load(reference)
    except RulebookError:
        raise Invalid("no-such-rulebook", "There is no rulebook called {name!r}.", name=reference) from None
    players = book.value("players", setting)
    if players["most"] < seats:
        raise Invalid(
            "bad-rulebook",
            "{title} deals {most} players in at most, and the table has {seats} seats.",
            title=book.title,
            most=players["most"],
            seats=seats,
        )
    if structure != "fixed-limit" and book.value("limits", setting) != "any-structure":
        raise Invalid("bad-rulebook", "{title} plays fixed limit only.", rule=book.citation("limits"), title=book.title)
    if not bring_in and book.value("forced_bet", setting) != "lowest-or-highest":
        raise Invalid(
            "bad-rulebook",
            "{title} plays no game without a bring-in.",
            rule=book.citation("forced_bet"),
            title=book.title,
        )
    return book


def _draft_version(book: HouseRulebook, number: int, changes: Changes, *, now: datetime) -> RulebookVersion:
    """The version that the changes come to, not saved yet."""
    base = published(book.base)
    draft = RulebookVersion(book=book, number=number, version=_version(book, now), base_version=base.version)
    try:
        whole = house.derived(base, changes, slug=draft.slug, version=draft.version, title=draft.title)
        draft.changes = house.changes_of(base, changes)
    except house.BadBook as bad:
        faults = [{"points": list(fault.points), "reason": fault.reason} for fault in bad.faults]
        raise Illegal("bad-rulebook", Verbatim(str(bad)), faults=faults) from None
    draft.points = house.written(whole)
    return draft


def _save_version(version: RulebookVersion, *, note: str, by: User, now: datetime) -> RulebookVersion:
    version.note, version.saved_by, version.saved_at = note, by, now
    version.save(force_insert=True)
    log.info("rulebook saved", rulebook=version.reference, by=by.pk)
    return version


def _version(book: HouseRulebook, now: datetime) -> str:
    """The day, and from its second version on a number after it."""
    day = room_time.today(now).isoformat()
    same_day = book.versions.filter(version__startswith=day).count()
    return f"{day}-{same_day + 1}" if same_day else day


def _line(text: str) -> str:
    return " ".join(text.split())


def _check_name(name: str, slug: str, note: str) -> None:
    if not 3 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise Invalid("bad-name", "A house rulebook has a name of 3 to {longest} characters.", longest=LONGEST_NAME)
    if not slug or slug in _TAKEN:
        raise Invalid(
            "bad-name", "Choose another name for the house rulebook: it needs letters or digits for its address."
        )
    _check_note(note)


def _check_note(note: str) -> None:
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise Invalid("bad-note", "A note has at most {longest} characters.", longest=LONGEST_NOTE)
