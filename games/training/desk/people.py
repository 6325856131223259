"""Questions about players, their cards, and what is left to the floor."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_lazy

from games.engine import commands as c
from games.engine.cards import JOKER
from games.engine.facts import play
from games.engine.games import MOST_SEATS
from games.training.desk.asks import LAST_DOWN, Answers, choice, flag, number
from games.training.desk.questions import Question
from games.training.desk.scene import DeskScene, Setup

_PLAYERS, _FLOOR = gettext_lazy("The players"), gettext_lazy("The floor")


def _picked_up(scene: DeskScene, answers: Answers) -> None:
    when = answers["when"]
    if when == "showdown":
        scene.to(7)
        scene.bet_out()
        seat = scene.live[-1]
        scene.add_deed(gettext("At the showdown seat {seat} picks the upcards up.").format(seat=seat))
        scene.play(c.PickUp(seat))
        return
    if when == "facing":
        scene.to(3).step()
    else:
        scene.to(4)
        if scene.hand.awaits == "deal":
            scene.deal()
    seat = scene.hand.to_act
    sentence = (
        gettext("Seat {seat} picks the upcards up in front of a wager, and says nothing.")
        if when == "facing"
        else gettext("Seat {seat} picks the upcards up although nobody has bet, and says nothing.")
    )
    scene.add_deed(sentence.format(seat=seat))
    scene.play(c.PickUp(seat))
    if answers.get("behind"):
        after = scene.after(seat)
        scene.add_deed(gettext("Seat {after} acts behind them.").format(after=after))
        scene.play(c.Call(after)) if scene.hand.turn is not None else None


PICKED_UP = Question(
    "picked-up",
    _PLAYERS,
    gettext_lazy("A player picked the upcards up"),
    ("picked_up_upcards",),
    (
        choice(
            "when",
            gettext_lazy("When?"),
            ("facing", gettext_lazy("In front of a wager")),
            ("free", gettext_lazy("With nothing to call")),
            ("showdown", gettext_lazy("At the showdown")),
        ),
        flag("behind", gettext_lazy("The next player has acted since"), when=("facing",)),
    ),
    _picked_up,
    lambda answers: Setup(low=1, is_hand_shown=True),
    players=(3, MOST_SEATS),
)


def _reorder_upcards(scene: DeskScene, answers: Answers) -> None:
    scene.to(next(street.number for street in scene.game.streets[1:] if street.has_betting))
    scene.add_deed(gettext("Seat 1 changes the order of its upcards."))
    scene.play(c.Reorder(1))


REORDERED = Question(
    "reordered",
    _PLAYERS,
    gettext_lazy("A player changed the order of the upcards"),
    ("upcard_order",),
    (flag("again", gettext_lazy("Warned for it at this table before")),),
    _reorder_upcards,
    lambda answers: Setup(warned=(1,) if answers["again"] else ()),
)


def _absent(scene: DeskScene, answers: Answers) -> None:
    if answers["is_low"]:
        scene.add_deed(gettext("Seat 2 is the low card and not there."))
    else:
        scene.add_deed(gettext("Seat 2 is dealt in and not there."))
    scene.to(3)
    if answers["is_back"] and scene.hand.seats[2].is_absent and not scene.hand.is_over:
        scene.add_deed(gettext("The player is back before the betting has reached them."))
        scene.play(c.Return(2))
    scene.bet_out()


ABSENT = Question(
    "absent",
    _PLAYERS,
    gettext_lazy("A player is dealt in and not there"),
    ("absent_player",),
    (
        flag("is_low", gettext_lazy("Has the low card")),
        flag("is_back", gettext_lazy("Comes back before the betting reaches them")),
    ),
    _absent,
    lambda answers: Setup(low=2 if answers["is_low"] else 1, absent=(2,)),
    players=(3, MOST_SEATS),
)


def _misdeal(scene: DeskScene, answers: Answers) -> None:
    scene.to(3)
    scene.steps(1 + answers["acted"] if answers["is_in"] else 0)
    scene.add_deed(gettext("The floor is asked to call a misdeal."))
    scene.play(c.Order("misdeal", 0, "asked at the desk"))


MISDEAL = Question(
    "misdeal",
    _FLOOR,
    gettext_lazy("May a misdeal still be called?"),
    ("misdeal",),
    (
        flag("is_in", gettext_lazy("The forced bet is in"), default=True),
        number("acted", gettext_lazy("How many players have acted after it?"), 0, 6, 1, is_in=(True,)),
    ),
    _misdeal,
    players=(3, MOST_SEATS),
)


_FOULED = {
    "twice": gettext_lazy("A second card of the same rank and suit is found."),
    "joker": gettext_lazy("A joker is found among the cards."),
}


def _find_fouled_deck(scene: DeskScene, answers: Answers) -> None:
    when = answers["when"]
    scene.to(7 if when == "showdown" else int(when))
    if when == "showdown":
        scene.bet_out()
    scene.add_deed(str(_FOULED[answers["found"]]))
    scene.play(c.DeclareFouled(JOKER if answers["found"] == "joker" else ""))


FOULED = Question(
    "fouled-deck",
    _FLOOR,
    gettext_lazy("The deck is fouled: a card twice, or a joker"),
    ("fouled_deck",),
    (
        choice(
            "found",
            gettext_lazy("What was found?"),
            ("twice", gettext_lazy("A card twice, such as two nines of hearts")),
            ("joker", gettext_lazy("A joker")),
        ),
        choice(
            "when",
            gettext_lazy("When?"),
            ("3", gettext_lazy("On third street")),
            ("5", gettext_lazy("On fifth street")),
            ("7", gettext_lazy("On seventh street")),
            ("showdown", gettext_lazy("At the showdown")),
        ),
    ),
    _find_fouled_deck,
    lambda answers: Setup(is_hand_shown=True),
)


def _void(scene: DeskScene, answers: Answers) -> None:
    scene.to(int(answers["street"]))
    scene.add_deed(gettext("The hand cannot be played out, and the floor voids it."))
    scene.play(c.Order("void", 0, "asked at the desk"))


VOID = Question(
    "void",
    _FLOOR,
    gettext_lazy("The hand cannot be played out"),
    ("void_hand",),
    (
        choice(
            "street",
            gettext_lazy("On which street?"),
            ("3", gettext_lazy("Third")),
            ("4", gettext_lazy("Fourth")),
            ("5", gettext_lazy("Fifth")),
            ("6", gettext_lazy("Sixth")),
        ),
    ),
    _void,
)


def _penalty(scene: DeskScene, answers: Answers) -> None:
    scene.to(3)
    scene.add_deed(gettext("Seat 1 broke a rule of conduct, and the floor gives a penalty."))
    scene.play(c.Order("penalises", 1, "asked at the desk"))


PENALTY = Question("penalty", _FLOOR, gettext_lazy("A player broke the rules of conduct"), ("penalty",), (), _penalty)


def _showdown(scene: DeskScene, answers: Answers) -> None:
    scene.to(7)
    if answers["bet"]:
        scene.step()
        seat = scene.wager()
        scene.add_deed(gettext("Seat {seat} bets on the last round, and is called: who shows first?").format(seat=seat))
    else:
        scene.add_deed(gettext("The last round is checked through: who shows first?"))
    scene.bet_out()


def _first_to_show(scene: DeskScene) -> str:
    shown = (play.ShowDue, play.HandShown, play.HandTabled)
    seat = next((fact.seat for fact in scene.hand.facts if isinstance(fact, shown)), 0)
    return gettext("Seat {seat} shows first").format(seat=seat) if seat else ""


SHOWDOWN = Question(
    "who-shows",
    _FLOOR,
    gettext_lazy("Who shows first?"),
    ("showdown_order",),
    (flag("bet", gettext_lazy("The second player bet on the last round"), default=True),),
    _showdown,
    lambda answers: Setup(is_hand_shown=True),
    games=LAST_DOWN,
    finding=_first_to_show,
)

QUESTIONS = (PICKED_UP, REORDERED, ABSENT, MISDEAL, FOULED, VOID, PENALTY, SHOWDOWN)
