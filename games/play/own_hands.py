"""The hands that a player played, found again: by game, result, opponent, and by what they wrote down about them."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import names
from cardroom.core.errors import Conflict, Forbidden, Invalid
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of
from games.tables.models.tables import Hand
from games.tables.models.times import HandMark, HandResult
from games.tables.queries import history

LONGEST_NOTE = 500
MOST_TAGS = 5
LONGEST_TAG = 20
_TAG = re.compile(rf"[\w-]{{1,{LONGEST_TAG}}}")
#: What can be asked for, each with its words.
RESULTS = {"won": gettext_lazy("Won"), "lost": gettext_lazy("Lost")}
ONLY = {
    "showdown": gettext_lazy("At the showdown"),
    "all-in": gettext_lazy("All-in"),
    "tagged": gettext_lazy("Tagged"),
    "marked": gettext_lazy("With a tag or note"),
}
_SESSION = re.compile(r"(stay|table)-(\d{1,18})")


def found(
    player: User,
    *,
    game: str = "",
    stakes: str = "",
    result: str = "",
    only: str = "",
    opponent: str = "",
    words: str = "",
    session: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[HandResult]:
    """Their hands, newest first, each with its `hand`, `table`, and their own `tags` and `note`.

    `stakes`: "5/10"; `opponent`: a screen name; `words`: a tag, or words of a note; `session`: the `name` of one;
    `until` is not included; `before`: only rows with a smaller number.
    """
    marks = HandMark.objects.filter(player=player, hand=OuterRef("hand"))
    rows = HandResult.objects.filter(player=player).select_related("hand", "table").order_by("-pk")
    rows = rows.annotate(**{name: Coalesce(Subquery(marks.values(name)), Value("")) for name in ("tags", "note")})
    asked = wanted(game=game, stakes=stakes, since=since, until=until)
    if before is not None:
        asked &= Q(pk__lt=before)
    if result:
        asked &= Q(net__gt=0) if result == "won" else Q(net__lt=0)
    if only:
        marked = Q(hand__marks__player=player)
        asked &= {
            "showdown": Q(is_showdown=True), "all-in": Q(is_all_in=True), "tagged": marked & ~Q(hand__marks__tags=""),
            "marked": marked,
        }[only]  # fmt: skip
    if opponent:
        rows = rows.annotate(seats=Cast("hand__seats", TextField()))
        asked &= _against(opponent)
    if words:
        asked &= Q(tags__icontains=f" {words.strip('#')} ") | Q(note__icontains=words)
    if session:
        asked &= _in_session(session)
    return list(rows.filter(asked)[:limit])


def wanted(*, game: str = "", stakes: str = "", since: datetime | None = None, until: datetime | None = None) -> Q:
    """Results of this game, at these stakes, in this span."""
    asked = {"game": game, "at__gte": since, "at__lt": until}
    found = Q(**{name: said for name, said in asked.items() if said})
    return found & _at_stakes(stakes) if stakes else found


def _at_stakes(stakes: str) -> Q:
    small, _, big = stakes.partition("/")
    if not (small.isascii() and small.isdigit() and big.isascii() and big.isdigit() and len(stakes) < 30):
        raise Invalid(gettext("Stakes are two numbers, such as 5/10."), "bad-stakes")
    return Q(small_bet=int(small), big_bet=int(big))


def _against(opponent: str) -> Q:
    """In a hand with somebody whose name looks like this; in none where there is nobody. Rows have the `seats` of their
    hand as text: only PostgreSQL finds a seat by its number in JSON."""
    found = User.objects.filter(looks=names.looks(opponent)).values_list("pk", flat=True)
    return Q(seats__regex=rf'"player": ?({"|".join(map(str, found))})[,}}]') if found else Q(pk__in=())


@dataclass(frozen=True)
class Session:
    """The hands of one stay in a seat of a cash table, or of one's time at a table of an event. `name`: what it is
    looked for by."""

    name: str
    hands: int
    net: int
    since: datetime
    until: datetime


def name_of(row: HandResult) -> str:
    """Of the session that this hand belongs to."""
    return f"stay-{row.stay_id}" if row.stay_id else f"table-{row.table_id}"


def sessions(player: User, rows: Collection[HandResult]) -> dict[str, Session]:
    """The sessions of these hands by name, with all hands of each; one query."""
    of_stays = Q(stay__in={row.stay_id for row in rows if row.stay_id})
    of_tables = Q(stay=None, table__in={row.table_id for row in rows if not row.stay_id})
    found = HandResult.objects.filter(of_stays | of_tables, player=player).order_by().values_list("stay", "table")
    sums = found.annotate(Count("pk"), Sum("net"), Min("at"), Max("at"))
    named = [Session(f"stay-{stay}" if stay else f"table-{table}", *more) for stay, table, *more in sums]
    return {session.name: session for session in named}


def _in_session(name: str) -> Q:
    said = _SESSION.fullmatch(name)
    if said is None:
        raise Invalid(gettext("There is no such session."), "bad-session")
    return Q(stay=int(said[2])) if said[1] == "stay" else Q(stay=None, table=int(said[2]))


def choices(player: User) -> dict[str, list[str]]:
    """The games, stakes and tags that they can look for, as they come in their hands."""
    played = HandResult.objects.filter(player=player).order_by()
    pairs = played.values_list("small_bet", "big_bet").distinct()
    tags = {tag for (said,) in _marks(player).exclude(tags="").values_list("tags") for tag in said.split()}
    return {
        "games": sorted(played.values_list("game", flat=True).distinct()),
        "stakes": [f"{small}/{big}" for small, big in sorted(pairs)],
        "tags": sorted(tags),
    }


def mark_of(player: User, hand_id: int) -> HandMark | None:
    """What they wrote down about the hand."""
    return _marks(player).filter(hand=hand_id).first()


@operation(row_of(Hand, "hand_id"))
def mark(*, player: User, hand_id: int, tags: str, note: str, now: datetime) -> HandMark:
    """Write down tags (words, `MOST_TAGS` at most) and a note about a hand that they played, in place of what was
    written before; nothing of either takes it away.

    Refuses: `NotFound`, `Forbidden` (they were not dealt in), `Conflict` (it is being played), `Invalid`. Locks the
    hand.
    """
    story = history.hand_story(hand_id=hand_id, viewer=player)
    if story.viewer_seat is None:
        raise Forbidden(gettext("You were not dealt into this hand."), "not-in-hand")
    if not story.is_over:
        raise Conflict(gettext("A hand can be marked when it is over."), "hand-in-play")
    row = {"tags": _tags(tags.replace("#", " ").replace(",", " ").lower().split()), "note": note.strip(), "at": now}
    if len(row["note"]) > LONGEST_NOTE:
        raise Invalid(
            gettext("A note has at most {longest_note} characters.").format(longest_note=LONGEST_NOTE), "bad-words"
        )
    if not row["tags"] and not row["note"]:
        _marks(player).filter(hand=hand_id).delete()
        return HandMark(player=player, hand_id=hand_id, at=now)
    return HandMark.objects.update_or_create(player=player, hand_id=hand_id, defaults=row)[0]


def _tags(said: Collection[str]) -> str:
    tags = sorted(set(said))
    if len(tags) > MOST_TAGS or not all(map(_TAG.fullmatch, tags)):
        raise Invalid(
            gettext("Up to {most_tags} tags, each a word of at most {longest_tag} letters, digits and hyphens.").format(
                most_tags=MOST_TAGS, longest_tag=LONGEST_TAG
            ),
            "bad-tags",
        )
    return f" {' '.join(tags)} " if tags else ""


def _marks(player: User) -> QuerySet[HandMark]:
    return HandMark.objects.filter(player=player)
