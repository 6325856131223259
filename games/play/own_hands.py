"""The hands that a player played, found again: by game, result, opponent, and by what they wrote down about them."""

import re
from collections.abc import Collection
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

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
MOST_SEATS = 8
_TAG = re.compile(rf"[\w-]{{1,{LONGEST_TAG}}}")
#: What can be asked for, each with its words.
RESULTS = {"won": "Won", "lost": "Lost"}
ONLY = {"showdown": "At the showdown", "all-in": "All-in", "marked": "With a tag or note"}


def found(
    player: User,
    *,
    game: str = "",
    stakes: str = "",
    result: str = "",
    only: str = "",
    opponent: str = "",
    words: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[HandResult]:
    """Their hands, newest first, each with its `hand`, `table`, and their own `tags` and `note`.

    `stakes`: "5/10"; `opponent`: a screen name; `words`: a tag, or words of a note; `until` is not included; `before`:
    only rows with a smaller number.
    """
    marks = HandMark.objects.filter(player=player, hand=OuterRef("hand"))
    rows = HandResult.objects.filter(player=player).select_related("hand", "table").order_by("-pk")
    rows = rows.annotate(**{name: Coalesce(Subquery(marks.values(name)), Value("")) for name in ("tags", "note")})
    wanted = Q(pk__lt=before) if before is not None else Q()
    if game:
        wanted &= Q(table__game=game)
    if stakes:
        wanted &= _at_stakes(stakes)
    if result:
        wanted &= Q(net__gt=0) if result == "won" else Q(net__lt=0)
    if only:
        marked = Q(hand__marks__player=player)
        wanted &= {"showdown": Q(is_showdown=True), "all-in": Q(is_all_in=True), "marked": marked}[only]
    if opponent:
        wanted &= _against(opponent)
    if words:
        wanted &= Q(tags__icontains=f" {words.strip('#')} ") | Q(note__icontains=words)
    if since:
        wanted &= Q(at__gte=since)
    if until:
        wanted &= Q(at__lt=until)
    return list(rows.filter(wanted)[:limit])


def _at_stakes(stakes: str) -> Q:
    small, _, big = stakes.partition("/")
    if not (small.isascii() and small.isdigit() and big.isascii() and big.isdigit() and len(stakes) < 30):
        raise Invalid("Stakes are two numbers, such as 5/10.", "bad-stakes")
    return Q(table__small_bet=int(small), table__big_bet=int(big))


def _against(opponent: str) -> Q:
    """In a hand with somebody whose name looks like this; in none where there is nobody."""
    seats = Q(pk__in=())
    for other in User.objects.filter(looks=names.looks(opponent)).values_list("pk", flat=True):
        for number in range(1, MOST_SEATS + 1):
            seats |= Q(**{f"hand__seats__{number}__player": other})
    return seats


def choices(player: User) -> dict[str, list[str]]:
    """The games, stakes and tags that they can look for, as they come in their hands."""
    played = HandResult.objects.filter(player=player).order_by()
    pairs = played.values_list("table__small_bet", "table__big_bet").distinct()
    tags = {tag for (said,) in _marks(player).exclude(tags="").values_list("tags") for tag in said.split()}
    return {
        "games": sorted(played.values_list("table__game", flat=True).distinct()),
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
        raise Forbidden("You were not dealt into this hand.", "not-in-hand")
    if not story.is_over:
        raise Conflict("A hand can be marked when it is over.", "hand-in-play")
    row = {"tags": _tags(tags.replace("#", " ").replace(",", " ").lower().split()), "note": note.strip(), "at": now}
    if len(row["note"]) > LONGEST_NOTE:
        raise Invalid(f"A note has at most {LONGEST_NOTE} characters.", "bad-words")
    if not row["tags"] and not row["note"]:
        _marks(player).filter(hand=hand_id).delete()
        return HandMark(player=player, hand_id=hand_id, at=now)
    return HandMark.objects.update_or_create(player=player, hand_id=hand_id, defaults=row)[0]


def _tags(said: Collection[str]) -> str:
    tags = sorted(set(said))
    if len(tags) > MOST_TAGS or not all(map(_TAG.fullmatch, tags)):
        raise Invalid(
            f"Up to {MOST_TAGS} tags, each a word of at most {LONGEST_TAG} letters, digits and hyphens.", "bad-tags"
        )
    return f" {' '.join(tags)} " if tags else ""


def _marks(player: User) -> QuerySet[HandMark]:
    return HandMark.objects.filter(player=player)
