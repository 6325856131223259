"""Practice of rulings: situations from a seed. The trainee rules first, then sees the ruling of the engine.

A session belongs to its user; for everybody else it does not exist.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils.translation import gettext

from cardroom.core import access
from cardroom.core.arguments import Limits, RowId, not_kept
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.verb import current_time, verb
from games.engine.rulebook import Rulebook
from games.rulebooks import RulebookError
from games.rulebooks import words as rulebook_words
from games.rulebooks.queries import load as rulebook
from games.training.desk.answers import DeskRulingRow
from games.training.desk.asks import GAMES
from games.training.models import PracticeAnswer, PracticeSession
from games.training.situations import ALL_IS_WELL, MOST_SEED, NOTHING, SETTINGS, Situation, situation


@dataclass(frozen=True)
class RulingChoice:
    """A ruling to be picked; empty words: nothing is wrong."""

    key: str
    verdict: str
    label: str


@dataclass(frozen=True)
class PracticeQuestion:
    """Situation `number`: what is on the table (`table`, as in `desk`), the `story` so far, and the `deed` to rule
    on."""

    session: int
    number: int
    story: list[str]
    deed: list[str]
    table: dict[str, Any]
    choices: list[RulingChoice]


@dataclass(frozen=True)
class PracticeOutcome:
    """What the engine rules on situation `number`, and whether the trainee `picked` all of these rulings and no
    others."""

    session: int
    number: int
    is_right: bool
    picked: list[RulingChoice]
    story: list[str]
    deed: list[str]
    rulings: list[DeskRulingRow]
    remedy: list[str]
    next: str
    table: dict[str, Any]


@dataclass(frozen=True)
class PointResult:
    """How often a point was asked, and ruled right. An empty `key`: situations in which nothing was wrong."""

    key: str
    label: str
    questions: int
    right: int

    @property
    def percent(self) -> int:
        return round(100 * self.right / self.questions)


@dataclass(frozen=True)
class Results:
    questions: int
    right: int
    rows: list[PointResult]


BookName = Annotated[str, Limits(max_length=80)]
Game = Annotated[str, Limits(choices=GAMES, required=False)]
Setting = Annotated[Literal["cash", "tournament"], Limits(required=False)]
Rate = Annotated[
    int,
    Limits(
        min_value=0, max_value=100, required=False, help_text="Of a hundred situations, so many have a mistake in them."
    ),
]
Seed = Annotated[
    int | None,
    Limits(
        allow_null=True,
        min_value=0,
        max_value=MOST_SEED,
        help_text="The same number brings the same situations; any number.",
    ),
]


@verb("practice.start")
def start(
    *,
    rulebook: BookName,
    game: Game = "seven-card-stud",
    setting: Setting = "cash",
    rate: Rate = 70,
    seed: Seed = None,
    by: User,
) -> PracticeSession:
    """Begin a session. `rate`: the percentage of situations with a mistake in them; `seed`: which situations come
    (None: any). Refuses: `Invalid`."""
    access.require_login(by)
    _check(rulebook, game, setting, rate, seed)
    return PracticeSession.objects.create(
        user=by,
        started_at=current_time(),
        seed=secrets.randbelow(MOST_SEED + 1) if seed is None else seed,
        rulebook=rulebook,
        game=game,
        setting=setting,
        rate=rate,
    )


def _check(rulebook: str, game: str, setting: str, rate: int, seed: int | None) -> None:
    _book(rulebook)
    if game not in GAMES:
        raise Invalid(
            "no-such-game",
            "There is no practice of {game!r}: {games}.",
            game=game[:40],
            games=", ".join(GAMES),
            field="game",
        )
    if setting not in SETTINGS:
        raise Invalid(
            "no-such-setting", "A setting is {one} or {other}.", one=SETTINGS[0], other=SETTINGS[1], field="setting"
        )
    if type(rate) is not int or not 0 <= rate <= 100:
        raise Invalid("bad-rate", "The rate is a percentage: a whole number from 0 to 100.", field="rate")
    if seed is not None and (type(seed) is not int or not 0 <= seed <= MOST_SEED):
        raise Invalid(
            "bad-seed", "A seed is a whole number from 0 to {most_seed:,}.", most_seed=MOST_SEED, field="seed"
        )


def session(*, session_id: int, user: User) -> PracticeSession:
    """A session of this user; `NotFound` where it is none of theirs."""
    row = PracticeSession.objects.filter(pk=session_id, user=access.require_login(user)).first()
    if row is None:
        raise NotFound("no-such-practice", "You have no such practice session.")
    return row


def question(*, session_id: int, user: User) -> PracticeQuestion:
    """The current situation: the first one of the session that is not answered yet."""
    practice = session(session_id=session_id, user=user)
    number = practice.answers.count() + 1
    waiting = _situation(practice, number)
    choices = [_choice(*pick) for pick in waiting.choices]
    return PracticeQuestion(
        practice.pk, number, waiting.answer.story, waiting.answer.deed, waiting.answer.before, choices
    )


@verb("practice.answer")
def answer(
    *, session_id: RowId, number: int, rulings: Sequence[tuple[str, str]], by: User
) -> Annotated[PracticeOutcome, not_kept]:
    """Rule on the current situation; returns what the engine rules.

    `rulings`: all that have to be made, as (key, verdict) in any order; the answer is right when none is missing and
    none is too many. The same rulings on a situation that was answered before get the same result. Refuses: `Conflict`
    (other rulings on it, or one that is not its turn), `Invalid` (none, one that is not among the choices, or one
    beside nothing wrong).
    """
    picks = list(dict.fromkeys(rulings))
    practice = session(session_id=session_id, user=by)
    earlier = practice.answers.filter(number=number).first()
    if earlier is None:
        if number != practice.answers.count() + 1:
            raise Conflict("not-this-one", "This is not your current situation: reload the page.")
        earlier = _write_down(practice, number, picks, current_time())
    if set(earlier.picks) != set(picks):
        raise Conflict("already-ruled", "You have already ruled on this situation.")
    solution = _situation(practice, number).answer
    return PracticeOutcome(
        session=practice.pk,
        number=number,
        is_right=earlier.is_right,
        picked=[_choice(*pick) for pick in earlier.picks],
        story=solution.story,
        deed=solution.deed,
        rulings=solution.rulings,
        remedy=solution.remedy,
        next=solution.next,
        table=solution.table,
    )


def results(*, user: User) -> Results:
    """How a trainee rules, point by point, over all their sessions."""
    rows = (
        PracticeAnswer.objects.filter(session__user=access.require_login(user))
        .values("key")
        .annotate(questions=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
        .order_by("key")
    )
    by_point = [PointResult(row["key"], _point(row["key"]), row["questions"], row["right"]) for row in rows]
    return Results(sum(row.questions for row in by_point), sum(row.right for row in by_point), by_point)


def _write_down(practice: PracticeSession, number: int, picks: list[tuple[str, str]], now: datetime) -> PracticeAnswer:
    waiting = _situation(practice, number)
    if not picks:
        raise Invalid("no-ruling", "Choose a ruling, or that nothing is wrong.")
    if not set(picks) <= set(waiting.choices):
        raise Invalid("no-such-choice", "This ruling is not among the choices.")
    if NOTHING in picks and len(picks) > 1:
        raise Invalid("ruling-on-nothing", "Choose either rulings or that nothing is wrong, not both.")
    key, verdict = waiting.right[0]
    try:
        with transaction.atomic():
            return PracticeAnswer.objects.create(
                session=practice,
                number=number,
                key=key,
                verdict=verdict,
                picked_key=picks[0][0],
                picked_verdict=picks[0][1],
                picked_also=[list(pick) for pick in picks[1:]],
                is_right=set(picks) == set(waiting.right),
                at=now,
            )
    except IntegrityError:
        return practice.answers.get(number=number)


def _situation(practice: PracticeSession, number: int) -> Situation:
    return situation(
        seed=practice.seed,
        number=number,
        rate=practice.rate,
        book=_book(practice.rulebook),
        game=practice.game,
        setting=practice.setting,
    )


def _book(reference: str) -> Rulebook:
    try:
        return rulebook(reference[:80])
    except RulebookError:
        raise Invalid("no-such-rulebook", "There is no such rulebook.", field="rulebook") from None


def _choice(key: str, verdict: str) -> RulingChoice:
    label = str(ALL_IS_WELL) if (key, verdict) == NOTHING else rulebook_words.title(key, verdict)
    return RulingChoice(key, verdict, label)


def _point(key: str) -> str:
    return rulebook_words.name_of_key(key) if key else gettext("Nothing wrong")
