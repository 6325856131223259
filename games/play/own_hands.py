"""The hands that a player played, found by game, result, opponent, and by what they wrote down about them."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.utils.translation import gettext_lazy

from cardroom.core import names
from cardroom.core.arguments import Limits, RowId, not_kept
from cardroom.core.errors import Conflict, Forbidden, Invalid
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from games.play.models import HandMark
from games.tables.models.tables import Hand
from games.tables.models.times import HandResult, Stay
from games.tables.queries import history

LONGEST_NOTE = 500
MOST_TAGS = 5
LONGEST_TAG = 20
_TAG = re.compile(rf"[\w-]{{1,{LONGEST_TAG}}}")
#: Results that hands can be filtered by, with their labels.
RESULTS = {"won": gettext_lazy("Won"), "lost": gettext_lazy("Lost")}
ONLY = {
    "showdown": gettext_lazy("At the showdown"),
    "all-in": gettext_lazy("All-in"),
    "tagged": gettext_lazy("Tagged"),
    "marked": gettext_lazy("With a tag or note"),
}
#: A player who sits down again within this time goes on with the same evening.
GAP = timedelta(hours=2)
_EVENING = re.compile(r"evening-(\d{1,18})")


@dataclass(frozen=True)
class HandSearch:
    """Which hands a player looks for. `stakes`: "5/10"; `opponent`: a screen name; `words`: a tag, or words of a note;
    `session`: the `name` of one; `until` is not included."""

    game: str = ""
    stakes: str = ""
    result: str = ""
    only: str = ""
    opponent: str = ""
    words: str = ""
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None


ALL_HANDS = HandSearch()


def find_own_hands(
    player: User, search: HandSearch = ALL_HANDS, *, before: int | None = None, limit: int = 50
) -> list[HandResult]:
    """The player's hands that `look_for` finds, newest first, each with its `hand`, `table`, and their own `tags` and
    `note`. `before`: only rows with a smaller number."""
    rows = look_for(player, search)
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])


def look_for(player: User, search: HandSearch) -> QuerySet[HandResult]:
    """The hands they look for, newest first."""
    marks = HandMark.objects.filter(player=player, hand=OuterRef("hand"))
    rows = HandResult.objects.filter(player=player).select_related("hand", "table").order_by("-pk")
    rows = rows.annotate(**{name: Coalesce(Subquery(marks.values(name)), Value("")) for name in ("tags", "note")})
    condition = results_filter(game=search.game, stakes=search.stakes, since=search.since, until=search.until)
    if search.result:
        condition &= Q(net__gt=0) if search.result == "won" else Q(net__lt=0)
    if search.only:
        marked = Q(hand__marks__player=player)
        condition &= {
            "showdown": Q(is_showdown=True),
            "all-in": Q(is_all_in=True),
            "tagged": marked & ~Q(hand__marks__tags=""),
            "marked": marked,
        }[search.only]
    if search.opponent:
        rows = rows.annotate(seats=Cast("hand__seats", TextField()))
        condition &= _against(search.opponent)
    if search.words:
        condition &= Q(tags__icontains=f" {search.words.strip('#')} ") | Q(note__icontains=search.words)
    if search.session:
        condition &= _in_session(player, search.session)
    return rows.filter(condition)


@dataclass(frozen=True)
class Place:
    """The place of a hand among those that were found, in the order in which they were played: the hands before and
    after it, and its `number` of `count`, None where it is not one of them."""

    number: int | None
    count: int
    previous_id: int | None
    next_id: int | None


def place_of(player: User, hand_id: int, search: HandSearch) -> Place | None:
    """The place of the hand among those that `look_for` finds; None where they were not dealt in. Three queries."""
    own = HandResult.objects.filter(player=player, hand=hand_id).values_list("pk", flat=True).first()
    if own is None:
        return None
    sums = look_for(player, search).aggregate(
        count=Count("pk"),
        number=Count("pk", filter=Q(pk__lte=own)),
        is_one=Count("pk", filter=Q(pk=own)),
        before=Max("pk", filter=Q(pk__lt=own)),
        after=Min("pk", filter=Q(pk__gt=own)),
    )
    hands = dict(HandResult.objects.filter(pk__in=[sums["before"], sums["after"]]).values_list("pk", "hand"))
    number = sums["number"] if sums["is_one"] else None
    return Place(number, sums["count"], hands.get(sums["before"]), hands.get(sums["after"]))


def results_filter(
    *, game: str = "", stakes: str = "", since: datetime | None = None, until: datetime | None = None
) -> Q:
    """Results of this game, at these stakes, in this span."""
    values = {"game": game, "at__gte": since, "at__lt": until}
    condition = Q(**{name: value for name, value in values.items() if value})
    return condition & _at_stakes(stakes) if stakes else condition


def _at_stakes(stakes: str) -> Q:
    small, _, big = stakes.partition("/")
    if not (small.isascii() and small.isdigit() and big.isascii() and big.isdigit() and len(stakes) < 30):
        raise Invalid("bad-stakes", "Stakes are two numbers, such as 5/10.")
    return Q(small_bet=int(small), big_bet=int(big))


def _against(opponent: str) -> Q:
    """A filter for hands with an opponent whose name looks like this; for none where there is nobody. Rows have the
    `seats` of their hand as text: only PostgreSQL finds a seat by its number in JSON."""
    players = User.objects.filter(looks=names.looks(opponent)).values_list("pk", flat=True)
    return Q(seats__regex=rf'"player": ?({"|".join(map(str, players))})[,}}]') if players else Q(pk__in=())


@dataclass(frozen=True)
class Session:
    """A player's hands of an evening at cash tables, or of an event, at all the tables where they sat. `name`: for
    searches; `tables`: their names, in the order they were played."""

    name: str
    hands: int
    net: int
    since: datetime
    until: datetime
    tables: tuple[str, ...]

    @property
    def is_evening(self) -> bool:
        return bool(_EVENING.fullmatch(self.name))


def sessions(player: User, rows: Collection[HandResult]) -> list[tuple[Session, list[HandResult]]]:
    """The sessions of these hands, each with the total of all its hands, and with its hands among the `rows`. Two
    queries."""
    evenings = _evenings(player)
    of_session = defaultdict(list)
    for row in rows:
        of_session[_name(row.stay_id, row.table.event, evenings)].append(row)
    stays = [stay for stay, name in evenings.items() if name in of_session]
    events = {row.table.event for row in rows if row.stay_id is None}
    is_of_session = Q(stay__in=stays) | Q(stay=None, table__event__in=events)
    tables = HandResult.objects.filter(is_of_session, player=player).values_list("stay", "table__event", "table__name")
    sums = defaultdict(list)
    for stay, event, *table in tables.annotate(Min("at"), Max("at"), Count("pk"), Sum("net")).order_by("at__min"):
        sums[_name(stay, event, evenings)].append(table)
    return [(_added_up(name, sums[name]), hands_of_session) for name, hands_of_session in of_session.items()]


def names_of_sessions(player: User, rows: Collection[HandResult]) -> list[str]:
    """The `name` of the session of each of these hands."""
    evenings = _evenings(player) if rows else {}
    return [_name(row.stay_id, row.table.event, evenings) for row in rows]


def _added_up(name: str, tables: list[list[Any]]) -> Session:
    names, since, until, hands, nets = zip(*tables, strict=True)
    return Session(name, sum(hands), sum(nets), min(since), max(until), tuple(dict.fromkeys(names)))


def _name(stay: int | None, event: str, evenings: Mapping[int, str]) -> str:
    return event if stay is None else evenings[stay]


def _evenings(player: User) -> dict[int, str]:
    """The name of the evening that each of their stays belongs to. It is named after its first stay, and goes on while
    they sit somewhere, or sit down again within `GAP`."""
    evenings: dict[int, str] = {}
    name, until = "", datetime.min.replace(tzinfo=UTC)
    stays = Stay.objects.filter(player=player).order_by("sat_at", "pk").values_list("pk", "sat_at", "left_at")
    for pk, sat_at, left_at in stays:
        if sat_at - GAP > until:
            name = f"evening-{pk}"
        evenings[pk], until = name, max(until, left_at or datetime.max.replace(tzinfo=UTC))
    return evenings


def _in_session(player: User, name: str) -> Q:
    if ":" in name:
        return Q(stay=None, table__event=name)
    if not _EVENING.fullmatch(name):
        raise Invalid("bad-session", "There is no such session.")
    return Q(stay__in=[stay for stay, evening in _evenings(player).items() if evening == name])


def choices(player: User) -> dict[str, list[str]]:
    """The games, stakes and tags that occur in the player's hands."""
    played = HandResult.objects.filter(player=player).order_by()
    pairs = played.values_list("small_bet", "big_bet").distinct()
    tags = {tag for (words,) in _marks(player).exclude(tags="").values_list("tags") for tag in words.split()}
    return {
        "games": sorted(played.values_list("game", flat=True).distinct()),
        "stakes": [f"{small}/{big}" for small, big in sorted(pairs)],
        "tags": sorted(tags),
    }


def mark_of(player: User, hand_id: int) -> HandMark | None:
    """The player's tags and note about the hand."""
    return _marks(player).filter(hand=hand_id).first()


Tags = Annotated[
    str | None, Limits(allow_blank=True, max_length=200, help_text=f"Up to {MOST_TAGS} words, between spaces.")
]
Note = Annotated[str | None, Limits(allow_blank=True, max_length=LONGEST_NOTE)]


@verb("own_hands.mark")
def mark(*, hand_id: RowId, tags: Tags = None, note: Note = None, by: User) -> Annotated[HandMark, not_kept]:
    """Set the player's tags (words, `MOST_TAGS` at most) and note about a hand that they played; None leaves them as
    they are. A mark without tags and note is deleted.

    Refuses: `NotFound`, `Forbidden` (they were not dealt in), `Conflict` (it is being played), `Invalid`. Locks the
    hand.
    """
    _, now = lock(Hand, hand_id)
    story = history.hand_story(hand_id=hand_id, viewer=by)
    if story.viewer_seat is None:
        raise Forbidden("not-in-hand", "You were not dealt into this hand.")
    if not story.is_over:
        raise Conflict("hand-in-play", "A hand can be marked when it is over.")
    before = mark_of(by, hand_id) or HandMark()
    words = (before.tags if tags is None else tags).replace("#", " ").replace(",", " ").lower().split()
    row = {"tags": _tags(words), "note": (before.note if note is None else note).strip(), "at": now}
    if len(row["note"]) > LONGEST_NOTE:
        raise Invalid("bad-words", "A note has at most {longest_note} characters.", longest_note=LONGEST_NOTE)
    if not row["tags"] and not row["note"]:
        _marks(by).filter(hand=hand_id).delete()
        return HandMark(player=by, hand_id=hand_id, at=now)
    return HandMark.objects.update_or_create(player=by, hand_id=hand_id, defaults=row)[0]


def _tags(words: Collection[str]) -> str:
    tags = sorted(set(words))
    if len(tags) > MOST_TAGS or not all(map(_TAG.fullmatch, tags)):
        raise Invalid(
            "bad-tags",
            "Up to {most_tags} tags, each a word of at most {longest_tag} letters, digits and hyphens.",
            most_tags=MOST_TAGS,
            longest_tag=LONGEST_TAG,
        )
    return f" {' '.join(tags)} " if tags else ""


def _marks(player: User) -> QuerySet[HandMark]:
    return HandMark.objects.filter(player=player)
