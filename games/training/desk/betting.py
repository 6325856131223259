"""Questions about who acts first and for how much."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_lazy

from games.engine import commands as c
from games.engine.facts import mistakes, play
from games.engine.games import MOST_SEATS
from games.training.desk.asks import Answers, choice, flag, number
from games.training.desk.questions import Question
from games.training.desk.scene import DeskScene, Setup

_GROUP = gettext_lazy("The betting")
_ONLY_LIMIT = ("fixed-limit",)


def _wrong_low(scene: DeskScene, answers: Answers) -> None:
    scene.to(3)
    wrong = scene.after(scene.low)
    scene.play(c.NameOpener(wrong))
    acted = answers["acted"]
    scene.add_deed(gettext("Seat {wrong} is named low. In truth it is seat 1.").format(wrong=wrong))
    if acted != "nobody":
        turn = scene.hand.turn
        if answers.get("is_full") and turn is not None and turn.sizes:
            scene.play(c.Wager(wrong, turn.sizes[0]))
            scene.add_deed(gettext("Seat {wrong} opens for a full bet.").format(wrong=wrong))
        else:
            scene.play(c.BringIn(wrong))
            scene.add_deed(gettext("Seat {wrong} brings it in.").format(wrong=wrong))
    if acted in ("next", "over"):
        seat = scene.step()
        scene.add_deed(gettext("Seat {seat} acts behind it.").format(seat=seat))
    if acted == "over":
        scene.bet_out()
        scene.deal()
        scene.add_deed(gettext("Third street is played out, and fourth street dealt."))
    if answers.get("floor"):
        scene.add_deed(gettext("The floor is asked to put it right."))
        scene.play(c.Order("orders-low", 0, "asked at the desk"))
    else:
        scene.add_deed(gettext("Then somebody notices it."))
        scene.play(c.NoticeMistake())


WRONG_LOW = Question(
    "wrong-low",
    _GROUP,
    gettext_lazy("The wrong player was told to bring it in"),
    ("wrong_lowcard",),
    (
        choice(
            "acted",
            gettext_lazy("What has happened since?"),
            ("nobody", gettext_lazy("Nothing yet")),
            ("bet", gettext_lazy("That player has bet")),
            ("next", gettext_lazy("The next player has acted as well")),
            ("over", gettext_lazy("Third street is over")),
        ),
        flag("is_full", gettext_lazy("It was a full bet and no bring-in"), acted=("bet", "next", "over")),
        flag("floor", gettext_lazy("The floor orders it corrected"), acted=("next", "over")),
    ),
    _wrong_low,
    lambda answers: Setup(low=1),
)


def _low_is_short(scene: DeskScene, answers: Answers) -> None:
    scene.add_deed(
        gettext("Seat 2 is low and has nothing left after the ante.")
        if answers["chips"] == "none"
        else gettext("Seat 2 is low and has less than the bring-in.")
    )
    scene.to(3)
    if answers["chips"] != "none":
        scene.step()


LOW_IS_SHORT = Question(
    "low-is-short",
    _GROUP,
    gettext_lazy("The low card cannot pay the bring-in"),
    ("ante_all_in_lowcard", "short_bring_in"),
    (
        choice(
            "chips",
            gettext_lazy("How much has the player left?"),
            ("none", gettext_lazy("Nothing: all-in for the ante")),
            ("some", gettext_lazy("A part of it")),
        ),
    ),
    _low_is_short,
    lambda answers: Setup(low=2, stacks={2: 1 if answers["chips"] == "none" else 3}),
)


def _complete_and_raise(scene: DeskScene, answers: Answers) -> None:
    scene.to(3).step()
    seat = scene.hand.to_act
    scene.add_deed(gettext("Seat {seat} completes the bet.").format(seat=seat))
    scene.wager()
    for _ in range(answers["raises"]):
        seat = scene.hand.to_act
        if scene.wager():
            scene.add_deed(gettext("Seat {seat} raises.").format(seat=seat))
        else:
            scene.add_deed(gettext("Seat {seat} wants to raise again.").format(seat=seat))
            scene.play(c.Wager(seat))
            break


COMPLETED = Question(
    "completed",
    _GROUP,
    gettext_lazy("The bring-in was completed: how many raises follow?"),
    ("completion", "raise_cap"),
    (
        number("raises", gettext_lazy("How many raises after it?"), 0, 5, 3),
        flag("two_left", gettext_lazy("Only two players are left in the whole tournament")),
    ),
    _complete_and_raise,
    lambda answers: Setup(low=1, players_left=2 if answers.get("two_left") else 0),
    structures=_ONLY_LIMIT,
)


def _open_pair(scene: DeskScene, answers: Answers) -> None:
    scene.before(4)
    scene.add_deed(gettext("Seat 1 pairs its door card on fourth street."))
    scene.deal()
    if answers["is_big"]:
        scene.add_deed(gettext("The first player bets the upper limit."))
        turn = scene.hand.turn
        if turn is not None:
            scene.play(c.Wager(turn.seat, 30))


OPEN_PAIR = Question(
    "open-pair",
    _GROUP,
    gettext_lazy("A pair shows on fourth street"),
    ("open_pair_fourth",),
    (flag("is_big", gettext_lazy("The first player bets the upper limit")),),
    _open_pair,
    lambda answers: Setup(wishes={(3, 1, 2): "Qs", (4, 1, 0): "Qh"}),
    games=("seven-card-stud", "razz", "stud-eight"),
    structures=_ONLY_LIMIT,
)


def _out_of_turn(scene: DeskScene, answers: Answers) -> None:
    scene.to(3).step()
    turn = scene.hand.to_act
    seat = scene.after(turn)
    action = answers["action"]
    deed = {
        "call": gettext("It is seat {turn}’s turn, and seat {seat} calls."),
        "fold": gettext("It is seat {turn}’s turn, and seat {seat} folds."),
        "raise": gettext("It is seat {turn}’s turn, and seat {seat} raises."),
    }[action]
    scene.add_deed(deed.format(turn=turn, seat=seat))
    scene.play({"fold": c.Fold, "call": c.Call}[action](seat) if action != "raise" else c.Wager(seat))
    if answers["changed"]:
        scene.add_deed(gettext("Seat {turn} then bets or raises.").format(turn=turn))
        scene.wager()
    else:
        scene.add_deed(gettext("Seat {turn} then calls.").format(turn=turn))
        scene.step()


def _held_or_not(scene: DeskScene) -> str:
    since = scene.hand.facts[scene.mark :]
    seat = next(fact.seat for fact in since if isinstance(fact, mistakes.ActionHeld | play.Folded))
    acts = (play.Folded, play.Checked, play.Called, play.Wagered)
    is_bound = any(isinstance(fact, acts) and fact.seat == seat for fact in since)
    return (
        gettext("Seat {seat}’s action binds").format(seat=seat)
        if is_bound
        else gettext("Seat {seat} may act anew: the price has changed").format(seat=seat)
    )


OUT_OF_TURN = Question(
    "out-of-turn",
    _GROUP,
    gettext_lazy("Somebody acted out of turn"),
    ("acting_in_turn",),
    (
        choice(
            "action",
            gettext_lazy("What did the player do?"),
            ("call", gettext_lazy("Called")),
            ("fold", gettext_lazy("Folded")),
            ("raise", gettext_lazy("Bet or raised")),
        ),
        flag("changed", gettext_lazy("The player before them then bets or raises")),
    ),
    _out_of_turn,
    lambda answers: Setup(low=1),
    structures=_ONLY_LIMIT,
    players=(3, MOST_SEATS),
    finding=_held_or_not,
)


def _time_out(scene: DeskScene, answers: Answers) -> None:
    if answers["facing"] == "bring-in":
        scene.to(3)
    elif answers["facing"] == "wager":
        scene.to(3).step()
    else:
        scene.to(4)
        scene.deal() if scene.hand.awaits == "deal" else None
    scene.add_deed(gettext("Seat {to_act}’s time runs out.").format(to_act=scene.hand.to_act))
    scene.play(c.TimeOut(scene.hand.to_act))


def _played_by_the_clock(scene: DeskScene) -> str:
    return scene.lines_after()[1].removesuffix(".")


TIME_OUT = Question(
    "time-out",
    _GROUP,
    gettext_lazy("A player’s time ran out"),
    ("time_out",),
    (
        choice(
            "facing",
            gettext_lazy("What was the player facing?"),
            ("nothing", gettext_lazy("Nothing: they may check")),
            ("wager", gettext_lazy("A wager")),
            ("bring-in", gettext_lazy("The bring-in is theirs")),
        ),
    ),
    _time_out,
    finding=_played_by_the_clock,
)


def _folded_free(scene: DeskScene, answers: Answers) -> None:
    if answers["when"] == "bring-in":
        scene.to(3)
        seat = scene.low
        scene.step()
        scene.add_deed(
            gettext("Seat {seat} has brought it in, and folds before anybody acts behind.").format(seat=seat)
        )
    else:
        scene.to(4)
        if scene.hand.awaits == "deal":
            scene.deal()
        seat = scene.hand.to_act
        scene.add_deed(gettext("Seat {seat} folds although nobody has bet.").format(seat=seat))
    scene.play(c.Fold(seat))
    if answers["then_bet"]:
        scene.add_deed(gettext("Seat {to_act} then bets.").format(to_act=scene.hand.to_act))
        scene.wager()


FOLDED_FREE = Question(
    "folded-free",
    _GROUP,
    gettext_lazy("A player folded when there was nothing to call"),
    ("fold_keeps_receiving",),
    (
        choice(
            "when",
            gettext_lazy("When?"),
            ("checked", gettext_lazy("When they could have checked")),
            ("bring-in", gettext_lazy("Right after their own bring-in")),
        ),
        flag("then_bet", gettext_lazy("Somebody bets after it")),
    ),
    _folded_free,
    players=(3, MOST_SEATS),
)


def _beaten_call(scene: DeskScene, answers: Answers) -> None:
    scene.to(7)
    if scene.hand.awaits == "action":
        scene.wager()
        scene.add_deed(gettext("Seat 2 calls the last bet, although seat 1’s upcards alone beat the whole hand."))
        scene.play(c.Call(2))


#: Four aces up against nothing.
_BEATEN = {
    (3, 1, 2): "As",
    (4, 1, 0): "Ah",
    (5, 1, 0): "Ad",
    (6, 1, 0): "Ac",
    **{(3, 2, place): card for place, card in enumerate(("2c", "4d", "6h"))},
    **{(street, 2, 0): card for street, card in enumerate(("8s", "Tc", "Qd", "3h"), 4)},
}
BEATEN_CALL = Question(
    "beaten-call",
    _GROUP,
    gettext_lazy("A call on the end was beaten by cards in sight"),
    ("beaten_call_stands",),
    (),
    _beaten_call,
    lambda answers: Setup(wishes=_BEATEN),
    games=("seven-card-stud",),
    players=(2, 2),
)

QUESTIONS = (WRONG_LOW, LOW_IS_SHORT, COMPLETED, OPEN_PAIR, OUT_OF_TURN, TIME_OUT, FOLDED_FREE, BEATEN_CALL)
