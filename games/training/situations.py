"""Situations to rule on, drawn by chance; in some of them nothing is wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_lazy

from games.engine import commands as c
from games.engine.rulebook import Rulebook
from games.training.desk.answers import Answer
from games.training.desk.asking import QUESTIONS, ask, common
from games.training.desk.asks import LAST_DOWN, STREET_NAMES, Answers, choice
from games.training.desk.questions import Question
from games.training.desk.scene import DeskScene, Setup

#: The verdicts on each point that a trainee can choose from.
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


def _dealt_right(scene: DeskScene, answers: Answers) -> None:
    street = int(answers["street"])
    scene.before(street)
    due = scene.hand.next_street()
    is_burned_for = due is None or due.is_burned_for
    sentence = (
        gettext("The dealer burns one card and deals {street}, one card to each player.")
        if is_burned_for and street in scene.book.value("burns", scene.setting)
        else gettext("The dealer deals {street}, one card to each player.")
    )
    scene.add_deed(sentence.format(street=STREET_NAMES[street]))
    scene.deal()


def _named_right(scene: DeskScene, answers: Answers) -> None:
    scene.to(3)
    scene.add_deed(gettext("The dealer names seat {seat} low.").format(seat=scene.low))
    scene.play(c.NameOpener(scene.low))
    scene.step()


def _looked_in_time(scene: DeskScene, answers: Answers) -> None:
    scene.to(7)
    seat = scene.live[0]
    scene.add_deed(gettext("Seat {seat} looks at its last card.").format(seat=seat))
    scene.play(c.Look(seat))


def _folded_to_a_wager(scene: DeskScene, answers: Answers) -> None:
    scene.to(3).step()
    seat = scene.hand.to_act
    scene.add_deed(gettext("Seat {seat} folds to the bring-in.").format(seat=seat))
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


@dataclass(frozen=True)
class Situation:
    """``answer`` is what the engine rules; ``right`` the rulings that count as right; ``choices`` what can be picked,
    (key, verdict), `NOTHING` last."""

    answer: Answer
    right: tuple[tuple[str, str], ...]
    choices: tuple[tuple[str, str], ...]


def situation(*, seed: int, number: int, rate: int, book: Rulebook, game: str, setting: str) -> Situation:
    """Situation ``number`` of a session: always the same one. ``rate``: the percentage of situations
    with a mistake."""
    chance = random.Random(f"{seed}:{number}")
    pool = MISTAKES if chance.random() * 100 < rate else QUIET
    for _ in range(_TRIES):
        question = chance.choice([question for question in pool if game in question.games])
        answers = _answers(question, chance) | {"game": game, "setting": setting, "structure": "fixed-limit"}
        answer = ask(question, answers, book=book, seed=chance.randrange(2**31))
        if answer.refused is None and bool(answer.rulings) == (pool is MISTAKES):
            return _drawn_situation(question, answer, chance)
    raise LookupError(f"no situation of {game} can be played under {book.title}")


def _answers(question: Question, chance: random.Random) -> dict[str, object]:
    answers: dict[str, object] = {}
    for detail in (*common(question), *question.asks):
        if not detail.is_asked(answers):
            continue
        if detail.kind == "number":
            answers[detail.name] = chance.randint(detail.least, detail.most)
        elif detail.kind == "flag":
            answers[detail.name] = chance.random() < 0.5
        else:
            answers[detail.name] = chance.choice(detail.options)[0]
    return answers


def _drawn_situation(question: Question, answer: Answer, chance: random.Random) -> Situation:
    right = tuple((row.key, row.verdict) for row in answer.rulings)
    near = [(key, verdict) for key in question.keys for verdict in VERDICTS[key]]
    far = [(key, verdict) for key, verdicts in VERDICTS.items() for verdict in verdicts if (key, verdict) not in near]
    chance.shuffle(near)
    chance.shuffle(far)
    picks = list(dict.fromkeys([*right, *near, *far]))[:_MOST_CHOICES]
    chance.shuffle(picks)
    return Situation(answer, right or (NOTHING,), (*picks, NOTHING))


MOST_SEED = 2**31 - 1


SETTINGS = ("cash", "tournament")


ALL_IS_WELL = gettext_lazy("Nothing is wrong: play on")
