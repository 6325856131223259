"""Questions about players, their cards, and what is left to the floor."""

from __future__ import annotations

from games.engine import commands as c
from games.engine.facts import play
from games.training.desk.scene import LAST_DOWN, Answers, Question, Scene, Setup, choice, flag, number

_PLAYERS, _FLOOR = "The players", "The floor"


# -- upcards ---------------------------------------------------------------------------------------------------------


def _picked_up(scene: Scene, answers: Answers) -> None:
    when = answers["when"]
    if when == "showdown":
        scene.to(7)
        scene.bet_out()
        seat = scene.live[-1]
        scene.deed(f"At the showdown seat {seat} picks the upcards up.")
        scene.play(c.PickUp(seat))
        return
    if when == "facing":
        scene.to(3).step()
    else:
        scene.to(4)
        if scene.hand.awaits == "deal":
            scene.deal()
    seat = scene.hand.to_act
    said = "in front of a wager" if when == "facing" else "although nobody has bet"
    scene.deed(f"Seat {seat} picks the upcards up {said}, and says nothing.")
    scene.play(c.PickUp(seat))
    if answers.get("behind"):
        after = scene.after(seat)
        scene.deed(f"Seat {after} acts behind them.")
        scene.play(c.Call(after)) if scene.hand.turn is not None else None


PICKED_UP = Question(
    "picked-up",
    _PLAYERS,
    "A player picked the upcards up",
    ("picked_up_upcards",),
    (
        choice(
            "when",
            "When?",
            ("facing", "In front of a wager"),
            ("free", "With nothing to call"),
            ("showdown", "At the showdown"),
        ),
        flag("behind", "The next player has acted since", when=("facing",)),
    ),
    _picked_up,
    lambda answers: Setup(low=1, is_hand_shown=True),
    players=(3, 8),
)


def _reordered(scene: Scene, answers: Answers) -> None:
    scene.to(5 if scene.game.slug == "mississippi-stud" else 4)
    scene.deed("Seat 1 changes the order of its upcards.")
    scene.play(c.Reorder(1))


REORDERED = Question(
    "reordered",
    _PLAYERS,
    "A player changed the order of the upcards",
    ("upcard_order",),
    (flag("again", "Warned for it at this table before"),),
    _reordered,
    lambda answers: Setup(warned=(1,) if answers["again"] else ()),
)

# -- absent ----------------------------------------------------------------------------------------------------------


def _absent(scene: Scene, answers: Answers) -> None:
    who = "the low card" if answers["is_low"] else "dealt in"
    scene.deed(f"Seat 2 is {who} and not there.")
    scene.to(3)
    if answers["is_back"] and scene.hand.seats[2].is_absent and not scene.hand.is_over:
        scene.deed("The player is back before the betting has reached them.")
        scene.play(c.Return(2))
    scene.bet_out()


ABSENT = Question(
    "absent",
    _PLAYERS,
    "A player is dealt in and not there",
    ("absent_player",),
    (flag("is_low", "Has the low card"), flag("is_back", "Comes back before the betting reaches them")),
    _absent,
    lambda answers: Setup(low=2 if answers["is_low"] else 1, absent=(2,)),
    players=(3, 8),
)

# -- the floor -------------------------------------------------------------------------------------------------------


def _misdeal(scene: Scene, answers: Answers) -> None:
    scene.to(3)
    scene.steps(1 + answers["acted"] if answers["is_in"] else 0)
    scene.deed("The floor is asked to call a misdeal.")
    scene.play(c.Order("misdeal", 0, "asked at the desk"))


MISDEAL = Question(
    "misdeal",
    _FLOOR,
    "May a misdeal still be called?",
    ("misdeal",),
    (
        flag("is_in", "The forced bet is in", default=True),
        number("acted", "How many players have acted after it?", 0, 6, 1, is_in=(True,)),
    ),
    _misdeal,
    players=(3, 8),
)


def _void(scene: Scene, answers: Answers) -> None:
    scene.to(int(answers["street"]))
    scene.deed("The hand cannot be played out, and the floor voids it.")
    scene.play(c.Order("void", 0, "asked at the desk"))


VOID = Question(
    "void",
    _FLOOR,
    "The hand cannot be played out",
    ("void_hand",),
    (choice("street", "On which street?", ("3", "Third"), ("4", "Fourth"), ("5", "Fifth"), ("6", "Sixth")),),
    _void,
)


def _penalty(scene: Scene, answers: Answers) -> None:
    scene.to(3)
    scene.deed("Seat 1 broke a rule of conduct, and the floor gives a penalty.")
    scene.play(c.Order("penalises", 1, "asked at the desk"))


PENALTY = Question("penalty", _FLOOR, "A player broke the rules of conduct", ("penalty",), (), _penalty)


def _showdown(scene: Scene, answers: Answers) -> None:
    scene.to(7)
    if answers["bet"]:
        scene.step()
        seat = scene.wager()
        scene.deed(f"Seat {seat} bets on the last round, and is called: who shows first?")
    else:
        scene.deed("The last round is checked through: who shows first?")
    scene.bet_out()


def _first_to_show(scene: Scene) -> str:
    shown = (play.ShowDue, play.HandShown, play.HandTabled)
    seat = next((fact.seat for fact in scene.hand.facts if isinstance(fact, shown)), 0)
    return f"Seat {seat} shows first" if seat else ""


SHOWDOWN = Question(
    "who-shows",
    _FLOOR,
    "Who shows first?",
    ("showdown_order",),
    (flag("bet", "The second player bet on the last round", default=True),),
    _showdown,
    lambda answers: Setup(is_hand_shown=True),
    games=LAST_DOWN,
    finding=_first_to_show,
)

QUESTIONS = (PICKED_UP, REORDERED, ABSENT, MISDEAL, VOID, PENALTY, SHOWDOWN)
