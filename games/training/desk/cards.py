"""Questions about the dealer's cards: turned up, off the table, burned wrong, too early, too few, too many."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_lazy

from games.engine import commands as c
from games.engine.games import MOST_SEATS
from games.training.desk.asks import LAST_DOWN, STREET_NAMES, Answers, choice, flag, lowest_card, number
from games.training.desk.questions import Question
from games.training.desk.scene import DeskScene, Setup

_GROUP = gettext_lazy("The dealer’s cards")
_HOW = choice(
    "how",
    gettext_lazy("How was it seen?"),
    ("face-up", gettext_lazy("It was dealt face up")),
    ("off-table", gettext_lazy("It fell off the table")),
)
_SEEN = (
    ("untouched", gettext_lazy("It lay untouched")),
    ("looked-at", gettext_lazy("A player looked at it")),
    ("mixed", gettext_lazy("A player mixed it in")),
)
_STREETS = (
    ("4", gettext_lazy("Fourth street")),
    ("5", gettext_lazy("Fifth street")),
    ("6", gettext_lazy("Sixth street")),
    ("7", gettext_lazy("Seventh street")),
)
#: By whether it fell off the table, and which of the starting cards it was.
_DOWNCARD = {
    (False, "first"): gettext_lazy("Seat {seat}’s first card is dealt face up."),
    (False, "second"): gettext_lazy("Seat {seat}’s second card is dealt face up."),
    (False, "both"): gettext_lazy("Seat {seat}’s first card, and then the second, is dealt face up."),
    (False, "third"): gettext_lazy("Seat {seat}’s first card, and then the third, is dealt face up."),
    (True, "first"): gettext_lazy("Seat {seat}’s first card falls off the table."),
    (True, "second"): gettext_lazy("Seat {seat}’s second card falls off the table."),
    (True, "both"): gettext_lazy("Seat {seat}’s first card, and then the second, falls off the table."),
    (True, "third"): gettext_lazy("Seat {seat}’s first card, and then the third, falls off the table."),
}
_WHICH = {"first": (0,), "second": (1,), "both": (0, 1), "third": (0, 2)}


def _marked_card(seat: int, place: int, answers: Answers) -> c.Given:
    is_off = answers["how"] == "off-table"
    return c.Given(seat, is_exposed=not is_off, is_off_table=is_off, place=place)


def _downcard_setup(answers: Answers) -> Setup:
    # Seat 1 is the first to receive cards.
    return Setup(wishes={(3, 1, 0): lowest_card(answers["game"])} if answers.get("would_be_low") else {})


def _downcard(scene: DeskScene, answers: Answers) -> None:
    seat, places = 1, _WHICH[answers["which"]]
    cards = [_marked_card(seat, place, answers) for place in places]
    if answers["which"] != "both":  # which is dealt no third card
        cards += [c.Given(seat, place=place) for place in range(3) if place not in places]
    others = [c.Given(other, place=place) for place in range(3) for other in scene.seats if other != seat]
    sentence = _DOWNCARD[answers["how"] == "off-table", answers["which"]]
    scene.add_deed(sentence.format(seat=seat))
    if len(places) > 1 and answers.get("would_be_low"):
        scene.add_deed(gettext("The first of them would have been the low card."))
    order = {place: number for number, place in enumerate(scene.seats)}
    scene.play(c.Deal(3, tuple(sorted([*cards, *others], key=lambda card: (card.place or 0, order[card.seat])))))


DOWNCARD = Question(
    "downcard-seen",
    _GROUP,
    gettext_lazy("One of the first two cards was turned up"),
    ("exposed_downcard", "both_downcards_exposed", "dead_hand_lowcard", "card_off_table"),
    (
        choice(
            "which",
            gettext_lazy("Which card?"),
            ("first", gettext_lazy("The first card")),
            ("second", gettext_lazy("The second card")),
            ("both", gettext_lazy("Both, one after the other")),
            ("third", gettext_lazy("The first, and the third that was due down after it")),
        ),
        _HOW,
        flag("would_be_low", gettext_lazy("The first of them would have been low"), which=("both", "third")),
    ),
    _downcard,
    _downcard_setup,
)


def _last_card_setup(answers: Answers) -> Setup:
    # Six chips are the ante and the bring-in: all-in from third street on.
    return Setup(low=2, stacks={1: 6} if answers["is_all_in"] else {})


def _last_card(scene: DeskScene, answers: Answers) -> None:
    if answers["left"] == "two":
        _fold_to_two(scene)
    scene.before(7)
    if scene.hand.is_over:
        return
    seats = scene.live
    seat = {"first": seats[0], "second": seats[min(1, len(seats) - 1)], "last": seats[-1]}[answers["who"]]
    marked = (
        [seat] if not answers.get("another") else [seat, next(dealt_seat for dealt_seat in seats if dealt_seat != seat)]
    )
    for dealt_seat in marked:
        sentence = (
            gettext("Seat {seat}’s last card falls off the table.")
            if answers["how"] == "off-table"
            else gettext("Seat {seat}’s last card is dealt face up.")
        )
        scene.add_deed(sentence.format(seat=dealt_seat))
    cards = [
        _marked_card(dealt_seat, 0, answers) if dealt_seat in marked else c.Given(dealt_seat) for dealt_seat in seats
    ]
    scene.play(c.Deal(7, tuple(cards)))


def _fold_to_two(scene: DeskScene) -> None:
    """All but seats 1 and 2 fold to the bring-in."""
    scene.to(3)
    while scene.hand.awaits == "action" and scene.hand.is_on_first_street and scene.hand.turn is not None:
        turn = scene.hand.turn
        if turn.seat > 2 and turn.can_fold and turn.call:
            scene.play(c.Fold(turn.seat))
        else:
            scene.step()


LAST_CARD = Question(
    "last-card-seen",
    _GROUP,
    gettext_lazy("A last card was dealt face up"),
    ("final_card_faceup", "all_in_final_faceup", "card_off_table"),
    (
        choice(
            "left",
            gettext_lazy("How many players were left?"),
            ("more", gettext_lazy("Three or more")),
            ("two", gettext_lazy("Two")),
        ),
        choice(
            "who",
            gettext_lazy("Whose card?"),
            ("first", gettext_lazy("The first to receive one")),
            ("second", gettext_lazy("The second to receive one")),
        ),
        _HOW,
        flag("another", gettext_lazy("The next player’s came face up too"), left=("more",)),
        flag("is_all_in", gettext_lazy("The first player is all-in")),
    ),
    _last_card,
    _last_card_setup,
    games=LAST_DOWN,
    players=(2, 6),
)


def _burn_wrongly(scene: DeskScene, answers: Answers) -> None:
    street = int(answers["street"])
    scene.before(street)
    sentence = {
        "0": gettext("The dealer burns no card before {street}."),
        "2": gettext("The dealer burns two cards before {street}."),
    }[answers["burned"]]
    scene.add_deed(sentence.format(street=STREET_NAMES[street]))
    scene.play(c.Deal(street, burns=int(answers["burned"])))
    if scene.game.by_number[street].is_last and answers.get("last_card", "untouched") != "untouched":
        seat = scene.live[0]
        _handle(scene, seat, answers["last_card"])
    if answers["has_acted"]:
        scene.add_deed(gettext("The next player acts."))
        scene.step()
    scene.add_deed(gettext("Then somebody notices it."))
    scene.play(c.NoticeMistake())


def _handle(scene: DeskScene, seat: int, how: str) -> None:
    sentence = (
        gettext("Seat {seat} looks at the last card.")
        if how == "looked-at"
        else gettext("Seat {seat} puts the last card in among the holecards.")
    )
    scene.add_deed(sentence.format(seat=seat))
    scene.play(c.Look(seat) if how == "looked-at" else c.Mix(seat))


BURNED = Question(
    "burned-wrong",
    _GROUP,
    gettext_lazy("Two cards were burned, or none"),
    ("burn_error",),
    (
        choice("street", gettext_lazy("Before which street?"), *_STREETS),
        choice(
            "burned",
            gettext_lazy("How many were burned?"),
            ("2", gettext_lazy("Two cards")),
            ("0", gettext_lazy("None")),
        ),
        choice("last_card", gettext_lazy("A last card dealt after it?"), *_SEEN, street=("7",)),
        flag("has_acted", gettext_lazy("Somebody has acted on that street since")),
    ),
    _burn_wrongly,
    players=(2, 6),
)


def _too_early(scene: DeskScene, answers: Answers) -> None:
    street = int(answers["street"])
    scene.to(_street_of_betting(scene, street))
    scene.step()
    seats = [seat for seat in scene.live if scene.hand.seats[seat].is_live][: answers["cards"]]
    sentence = (
        gettext("The dealer burns and deals a card of {street} while the betting is open.")
        if len(seats) == 1
        else gettext("The dealer burns and deals {n} cards of {street} while the betting is open.")
    )
    scene.add_deed(sentence.format(n=len(seats), street=STREET_NAMES[street]))
    scene.play(c.DealTooSoon(street, tuple(c.Given(seat) for seat in seats)))
    if scene.game.by_number[street].is_last and answers.get("last_card", "untouched") != "untouched":
        _handle(scene, seats[0], answers["last_card"])
    scene.bet_out()
    if scene.hand.awaits == "deal":
        scene.add_deed(gettext("The betting is over, and {street} is due.").format(street=STREET_NAMES[street]))
        scene.deal()


def _street_of_betting(scene: DeskScene, street: int) -> int:
    """The street whose betting is open when ``street`` comes too soon."""
    before = [earlier.number for earlier in scene.game.streets if earlier.number < street and earlier.has_betting]
    return before[-1]


TOO_EARLY = Question(
    "too-early",
    _GROUP,
    gettext_lazy("Cards were dealt before the betting was over"),
    ("premature_deal",),
    (
        choice("street", gettext_lazy("Of which street?"), *_STREETS),
        number("cards", gettext_lazy("How many players had got one?"), 1, MOST_SEATS, 1),
        choice("last_card", gettext_lazy("What became of the first of them?"), *_SEEN, street=("7",)),
    ),
    _too_early,
    games=LAST_DOWN,
    players=(2, 6),
)


def _deck_short(scene: DeskScene, answers: Answers) -> None:
    scene.keep(answers["left"]).bet_out()
    if answers["were_early"]:
        scene.to(6).step()
        if scene.hand.awaits == "action":
            scene.play(c.DealTooSoon(7, tuple(c.Given(seat) for seat in scene.live[:1])))
    scene.before(7)
    scene.add_deed(
        gettext("{live} players are due a last card, and the stub has {stub} left.").format(
            live=len(scene.live), stub=len(scene.hand.stub)
        )
    )
    scene.deal()


DECK_SHORT = Question(
    "deck-short",
    _GROUP,
    gettext_lazy("There are not enough cards for the last street"),
    ("deck_exhaustion",),
    (
        number(
            "left",
            gettext_lazy("How many players are left? (The others folded on third street.)"),
            2,
            MOST_SEATS,
            MOST_SEATS,
        ),
        flag("were_early", gettext_lazy("A card of the last street was dealt too early before")),
    ),
    _deck_short,
    games=LAST_DOWN,
    usual_players=MOST_SEATS,
)


def _wrong_count(scene: DeskScene, answers: Answers) -> None:
    street = 5 if answers["count"] == "missing-early" else 7
    scene.before(street)
    seat, *others = scene.live
    rest = [c.Given(other) for other in others]
    if answers["count"] == "too-many":
        scene.add_deed(
            gettext("Seat {seat} gets two cards on {street}.").format(seat=seat, street=STREET_NAMES[street])
        )
        cards = [c.Given(seat), c.Given(seat), *rest]
    else:
        sentence = gettext("Seat {seat} gets no card on {street}, and nobody notices.")
        scene.add_deed(sentence.format(seat=seat, street=STREET_NAMES[street]))
        cards = [c.Given(seat, is_skipped=True), *rest]
    scene.play(c.Deal(street, tuple(cards)))
    while not scene.hand.is_over and scene.hand.awaits in ("action", "deal"):
        scene.bet_out()
        if scene.hand.awaits == "deal":
            scene.deal()
    scene.add_deed(gettext("The showdown begins."))
    if answers.get("floor"):
        scene.add_deed(gettext("The floor is asked to rule the hand live."))
        scene.play(c.Order("rules-live", seat, "asked at the desk"))


WRONG_COUNT = Question(
    "wrong-count",
    _GROUP,
    gettext_lazy("A hand has too many cards, or too few"),
    ("wrong_card_count",),
    (
        choice(
            "count",
            gettext_lazy("What is wrong with it?"),
            ("missing-last", gettext_lazy("It lacks only its last card")),
            ("missing-early", gettext_lazy("It lacks an earlier card")),
            ("too-many", gettext_lazy("It has one card too many")),
        ),
        flag("floor", gettext_lazy("The floor is asked to rule it live"), count=("missing-last", "missing-early")),
    ),
    _wrong_count,
    lambda answers: Setup(is_hand_shown=True),
    games=LAST_DOWN,
    players=(2, 6),
)

QUESTIONS = (DOWNCARD, LAST_CARD, BURNED, TOO_EARLY, DECK_SHORT, WRONG_COUNT)
