"""Practice of rulings: situations from a seed, the trainee's ruling first and then the engine's, and how it goes.

A session belongs to its user; whoever else asks finds none.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import access
from cardroom.core.errors import Conflict, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import row_once
from games.engine import commands as c
from games.engine.rulebook import Rulebook
from games.rulebooks import RulebookError
from games.rulebooks import queries as rulebook_words
from games.rulebooks.queries import load as rulebook
from games.training.desk.asking import QUESTIONS, ask, common
from games.training.desk.scene import (
    GAMES,
    LAST_DOWN,
    STREET_NAMES,
    Answer,
    Answers,
    Question,
    RulingRow,
    Scene,
    Setup,
    choice,
)
from games.training.models import PracticeAnswer, PracticeSession

# Situations for practice: a question with random answers, or a hand in which nothing goes wrong, from a seed.


#: What a ruling on a point can be, for the choices of whoever practises.
VERDICTS: dict[str, tuple[str, ...]] = {
    "exposed_downcard": ("third-card-down", "misdeal"),
    "both_downcards_exposed": ("dead-hand", "misdeal"),
    "dead_hand_lowcard": ("left-opens",),
    "ante_all_in_lowcard": ("left-opens",),
    "short_bring_in": ("stands",),
    "absent_player": ("killed", "back-in-time"),
    "fold_keeps_receiving": ("receiving", "killed"),
    "wrong_lowcard": ("corrected", "stands"),
    "picked_up_upcards": ("folded", "live"),
    "card_off_table": ("exposed",),
    "burn_error": ("corrected", "kept"),
    "premature_deal": ("eliminated", "kept"),
    "deck_exhaustion": ("no-burn", "remixed", "common-card"),
    "final_card_faceup": ("all-in-option", "second-up", "kept"),
    "all_in_final_faceup": ("kept",),
    "wrong_card_count": ("dead", "live"),
    "upcard_order": ("warning", "penalty"),
    "misdeal": ("misdeal",),
    "fouled_deck": ("void",),
}
#: Nothing is wrong: play on.
NOTHING = ("", "")

_MOST_CHOICES = 6
_TRIES = 60


# -- nothing wrong ---------------------------------------------------------------------------------------------------


def _dealt_right(scene: Scene, answers: Answers) -> None:
    street = int(answers["street"])
    scene.before(street)
    due = scene.hand.next_street()
    is_burned_for = due is None or due.is_burned_for
    said = (
        gettext("The dealer burns one card and deals {street}, one card to each player.")
        if is_burned_for and street in scene.book.value("burns", scene.setting)
        else gettext("The dealer deals {street}, one card to each player.")
    )
    scene.deed(said.format(street=STREET_NAMES[street]))
    scene.deal()


def _named_right(scene: Scene, answers: Answers) -> None:
    scene.to(3)
    scene.deed(gettext("The dealer names seat {seat} low.").format(seat=scene.low))
    scene.play(c.NameOpener(scene.low))
    scene.step()


def _looked_in_time(scene: Scene, answers: Answers) -> None:
    scene.to(7)
    seat = scene.live[0]
    scene.deed(gettext("Seat {seat} looks at its last card.").format(seat=seat))
    scene.play(c.Look(seat))


def _folded_to_a_wager(scene: Scene, answers: Answers) -> None:
    scene.to(3).step()
    seat = scene.hand.to_act
    scene.deed(gettext("Seat {seat} folds to the bring-in.").format(seat=seat))
    scene.play(c.Fold(seat))


def _quiet(slug: str, play: object, **more: object) -> Question:
    return Question(slug, "", "", (), play=play, **{"asks": (), "players": (3, 6)} | more)  # type: ignore[arg-type]


QUIET: tuple[Question, ...] = (
    _quiet("dealt-right", _dealt_right, asks=(choice("street", "", ("4", ""), ("5", ""), ("6", ""), ("7", "")),)),
    _quiet("named-right", _named_right, setup=lambda answers: Setup(low=1)),
    _quiet("looked-in-time", _looked_in_time, games=LAST_DOWN),
    _quiet("folded-to-a-wager", _folded_to_a_wager, setup=lambda answers: Setup(low=1)),
)
#: Mistakes of dealers and players, each with a ruling to be found.
MISTAKES = tuple(question for question in QUESTIONS if question.keys and set(question.keys) <= VERDICTS.keys())


# -- a situation -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Situation:
    """``answer`` is what the engine rules; ``right`` the rulings that count as right; ``choices`` what can be picked,
    (key, verdict), `NOTHING` last."""

    answer: Answer
    right: tuple[tuple[str, str], ...]
    choices: tuple[tuple[str, str], ...]


def situation(*, seed: int, number: int, rate: int, book: Rulebook, game: str, setting: str) -> Situation:
    """Situation ``number`` of a session: always the same one. ``rate``: of a hundred, so many have a mistake."""
    chance = random.Random(f"{seed}:{number}")
    pool = MISTAKES if chance.random() * 100 < rate else QUIET
    for _ in range(_TRIES):
        question = chance.choice([question for question in pool if game in question.games])
        answers = _answers(question, chance) | {"game": game, "setting": setting, "structure": "fixed-limit"}
        found = ask(question, answers, book=book, seed=chance.randrange(2**31))
        if found.refused is None and bool(found.rulings) == (pool is MISTAKES):
            return _drawn_situation(question, found, chance)
    raise LookupError(f"no situation of {game} can be played under {book.title}")


def _answers(question: Question, chance: random.Random) -> dict[str, object]:
    answers: dict[str, object] = {}
    for each in (*common(question), *question.asks):
        if not each.is_asked(answers):
            continue
        if each.kind == "number":
            answers[each.name] = chance.randint(each.least, each.most)
        elif each.kind == "flag":
            answers[each.name] = chance.random() < 0.5
        else:
            answers[each.name] = chance.choice(each.options)[0]
    return answers


def _drawn_situation(question: Question, found: Answer, chance: random.Random) -> Situation:
    made = tuple((row.key, row.verdict) for row in found.rulings)
    near = [(key, verdict) for key in question.keys for verdict in VERDICTS[key]]
    far = [(key, verdict) for key, verdicts in VERDICTS.items() for verdict in verdicts if (key, verdict) not in near]
    chance.shuffle(near)
    chance.shuffle(far)
    picks = list(dict.fromkeys([*made, *near, *far]))[:_MOST_CHOICES]
    chance.shuffle(picks)
    return Situation(found, made or (NOTHING,), (*picks, NOTHING))


# Practice of rulings: situations from a seed, the trainee's ruling first and then the engine's, and how it goes.


__all__ = ["Choice", "Result", "ResultRow", "Results", "answer", "question", "results", "session", "start"]

_MOST_SEED = 2**31 - 1
_SETTINGS = ("cash", "tournament")
_ALL_IS_WELL = gettext_lazy("Nothing is wrong: play on")


@dataclass(frozen=True)
class Choice:
    """A ruling to be picked; empty words: nothing is wrong."""

    key: str
    verdict: str
    label: str


@dataclass(frozen=True)
class Asked:
    """Situation `number`: what is on the table (`table`, as in `desk`), what was `told`, and the `deed` to rule on."""

    session: int
    number: int
    told: list[str]
    deed: list[str]
    table: dict[str, Any]
    choices: list[Choice]


@dataclass(frozen=True)
class Result:
    """What the engine rules on situation `number`, and whether the trainee `picked` all of that and no more."""

    session: int
    number: int
    is_right: bool
    picked: list[Choice]
    told: list[str]
    deed: list[str]
    rulings: list[RulingRow]
    remedy: list[str]
    next: str
    table: dict[str, Any]


@dataclass(frozen=True)
class ResultRow:
    """How often a point was asked, and ruled right. An empty `key`: situations in which nothing was wrong."""

    key: str
    label: str
    asked: int
    right: int

    @property
    def percent(self) -> int:
        return round(100 * self.right / self.asked)


@dataclass(frozen=True)
class Results:
    asked: int
    right: int
    rows: list[ResultRow]


def start(
    *,
    user: User,
    rulebook: str,
    game: str = "seven-card-stud",
    setting: str = "cash",
    rate: int = 70,
    seed: int | None = None,
    key: str = "",
    now: datetime,
) -> PracticeSession:
    """Begin a session. `rate`: in so many of a hundred situations something is wrong; `seed`: which situations come
    (None: any). The same `key` again is answered with the first session. Refuses: `Invalid`."""
    access.require_login(user)

    def make() -> PracticeSession:
        _check(rulebook, game, setting, rate, seed)
        asked = {"rulebook": rulebook, "game": game, "setting": setting, "rate": rate}
        number = secrets.randbelow(_MOST_SEED + 1) if seed is None else seed
        return PracticeSession.objects.create(user=user, started_at=now, seed=number, **asked)

    return row_once(PracticeSession, make, by=user, key=key, verb="practice.start", now=now)


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
    if setting not in _SETTINGS:
        raise Invalid(
            "no-such-setting", "A setting is {one} or {other}.", one=_SETTINGS[0], other=_SETTINGS[1], field="setting"
        )
    if type(rate) is not int or not 0 <= rate <= 100:
        raise Invalid("bad-rate", "The rate is a percentage: a whole number from 0 to 100.", field="rate")
    if seed is not None and (type(seed) is not int or not 0 <= seed <= _MOST_SEED):
        raise Invalid(
            "bad-seed", "A seed is a whole number from 0 to {most_seed:,}.", most_seed=_MOST_SEED, field="seed"
        )


def session(*, session_id: int, user: User) -> PracticeSession:
    """A session of this user; `NotFound` where it is none of theirs."""
    found = PracticeSession.objects.filter(pk=session_id, user=access.require_login(user)).first()
    if found is None:
        raise NotFound("no-such-practice", "You have no such practice session.")
    return found


def question(*, session_id: int, user: User) -> Asked:
    """The situation that waits for a ruling: the first one not answered yet."""
    practice = session(session_id=session_id, user=user)
    number = practice.answers.count() + 1
    found = _situation(practice, number)
    choices = [_choice(*pick) for pick in found.choices]
    return Asked(practice.pk, number, found.answer.told, found.answer.deed, found.answer.before, choices)


def answer(*, session_id: int, user: User, number: int, rulings: Sequence[tuple[str, str]], now: datetime) -> Result:
    """Rule on the situation that waits, and be told what the engine rules.

    `rulings`: all that have to be made, as (key, verdict) in any order; it is right when none is missing and none too
    many. The same on a situation answered before is answered as it was. Refuses: `Conflict` (other rulings on it, or
    one that is not its turn), `Invalid` (none, one that is not among the choices, or one beside nothing wrong).
    """
    picks = list(dict.fromkeys(rulings))
    practice = session(session_id=session_id, user=user)
    given = practice.answers.filter(number=number).first()
    if given is None:
        if number != practice.answers.count() + 1:
            raise Conflict("not-this-one", "This is not your current situation: reload the page.")
        given = _write_down(practice, number, picks, now)
    if set(given.picks) != set(picks):
        raise Conflict("already-ruled", "You have already ruled on this situation.")
    found = _situation(practice, number).answer
    return Result(
        session=practice.pk,
        number=number,
        is_right=given.is_right,
        picked=[_choice(*pick) for pick in given.picks],
        told=found.told,
        deed=found.deed,
        rulings=found.rulings,
        remedy=found.remedy,
        next=found.next,
        table=found.table,
    )


def results(*, user: User) -> Results:
    """How a trainee rules, point by point, over all their sessions."""
    rows = (
        PracticeAnswer.objects.filter(session__user=access.require_login(user))
        .values("key")
        .annotate(asked=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
        .order_by("key")
    )
    told = [ResultRow(row["key"], _point(row["key"]), row["asked"], row["right"]) for row in rows]
    return Results(sum(row.asked for row in told), sum(row.right for row in told), told)


def _write_down(practice: PracticeSession, number: int, picks: list[tuple[str, str]], now: datetime) -> PracticeAnswer:
    found = _situation(practice, number)
    if not picks:
        raise Invalid("no-ruling", "Choose a ruling, or that nothing is wrong.")
    if not set(picks) <= set(found.choices):
        raise Invalid("no-such-choice", "This ruling is not among the choices.")
    if NOTHING in picks and len(picks) > 1:
        raise Invalid("ruling-on-nothing", "Choose either rulings or that nothing is wrong, not both.")
    key, verdict = found.right[0]
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
                is_right=set(picks) == set(found.right),
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


def _choice(key: str, verdict: str) -> Choice:
    label = str(_ALL_IS_WELL) if (key, verdict) == NOTHING else rulebook_words.title(key, verdict)
    return Choice(key, verdict, label)


def _point(key: str) -> str:
    return rulebook_words.name_of_key(key) if key else gettext("Nothing wrong")
