"""How the games are played, for beginners: the deal street by street, with pictures of the cards."""

from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from games.training.lessons import lessons


class ExampleHand(NamedTuple):
    """A hand in a picture, as you see it from your seat: "??" is a card face down. The last ``new`` cards are
    marked."""

    name: Any
    cards: str
    new: int = 1
    note: Any = ""


class ExampleStreet(NamedTuple):
    title: Any
    hands: tuple[ExampleHand, ...]
    paragraphs: tuple[Any, ...]


STREETS = (
    ExampleStreet(
        gettext_lazy("Third street"),
        (
            ExampleHand(gettext_lazy("You"), "Qs Qd Td", 3),
            ExampleHand(gettext_lazy("On your left"), "?? ?? 3c", 3, gettext_lazy("brings in")),
            ExampleHand(gettext_lazy("Across"), "?? ?? Kh", 3),
        ),
        (
            gettext_lazy(
                "Everybody in the hand pays the ante, a small bet that starts the pot. Then each gets "
                "two cards face down, the holecards, and one face up, the door card."
            ),
            gettext_lazy(
                "The lowest door card must pay the bring-in. Of equal ranks the suit tells: clubs "
                "lowest, then diamonds, hearts and spades. Aces are high. Here the [3c] pays."
            ),
            gettext_lazy(
                "The others follow clockwise: fold, call the bring-in, or complete it, which makes it "
                "a whole small bet. From then on a raise is one small bet more. Whoever brings in may "
                "complete at once instead."
            ),
        ),
    ),
    ExampleStreet(
        gettext_lazy("Fourth street"),
        (
            ExampleHand(gettext_lazy("You"), "Qs Qd Td 5h"),
            ExampleHand(gettext_lazy("Across"), "?? ?? Kh Jc", 1, gettext_lazy("acts first")),
        ),
        (
            gettext_lazy(
                "One more card face up. From now on the highest hand in sight acts first and may "
                "check, which means to bet nothing while nobody has bet. King and jack are higher than "
                "ten and five."
            ),
            gettext_lazy(
                "Bets and raises are small bets. One exception, in Seven-Card Stud only: when a pair "
                "shows on this street, everybody may bet or raise by the small or the big bet, until "
                "somebody chooses the big one."
            ),
        ),
    ),
    ExampleStreet(
        gettext_lazy("Fifth street"),
        (
            ExampleHand(gettext_lazy("You"), "Qs Qd Td 5h Qc"),
            ExampleHand(gettext_lazy("Across"), "?? ?? Kh Jc Js", 1, gettext_lazy("acts first")),
        ),
        (
            gettext_lazy(
                "A third card face up. From this street on every bet and raise is a big bet, so this "
                "is where one decides whether to go on to the end."
            ),
            gettext_lazy("A pair of jacks is in sight and acts first. Nobody can see that you have three queens."),
        ),
    ),
    ExampleStreet(
        gettext_lazy("Sixth street"),
        (
            ExampleHand(gettext_lazy("You"), "Qs Qd Td 5h Qc 5c"),
            ExampleHand(gettext_lazy("Across"), "?? ?? Kh Jc Js 8h", 1, gettext_lazy("acts first")),
        ),
        (
            gettext_lazy(
                "The fourth and last card face up. Jacks still beat the pair of fives that you show; "
                "your holecards turn those fives into a full house."
            ),
        ),
    ),
    ExampleStreet(
        gettext_lazy("Seventh street"),
        (
            ExampleHand(gettext_lazy("You"), "Qs Qd Td 5h Qc 5c 2d"),
            ExampleHand(gettext_lazy("Across"), "?? ?? Kh Jc Js 8h ??", 1, gettext_lazy("acts first")),
        ),
        (
            gettext_lazy(
                "The last card is dealt face down. The betting goes round once more; the same hand "
                "acts first as on sixth street, for nothing new is in sight."
            ),
            gettext_lazy(
                "With many players in the deck may be too short for it. Then, where nothing else "
                "helps, one card is turned up in the middle and plays for everybody."
            ),
        ),
    ),
)
SHOWDOWN = (
    ExampleHand(gettext_lazy("You"), "2d Td Qs Qd Qc 5h 5c", 5, gettext_lazy("full house, queens full of fives")),
    ExampleHand(gettext_lazy("Across"), "4d 7s Kh Kd Jc Js 8h", 5, gettext_lazy("two pair, kings and jacks")),
)
#: Strongest first.
HIGH_HANDS = (
    ExampleHand(
        gettext_lazy("Straight flush"),
        "9h 8h 7h 6h 5h",
        5,
        gettext_lazy("Five in a row of one suit. From the ten to the ace: a royal flush."),
    ),
    ExampleHand(gettext_lazy("Four of a kind"), "8s 8h 8d 8c Kd", 4, gettext_lazy("Four of one rank.")),
    ExampleHand(
        gettext_lazy("Full house"),
        "Qs Qd Qc 5h 5c",
        5,
        gettext_lazy("Three of one rank and two of another. The three are compared first."),
    ),
    ExampleHand(
        gettext_lazy("Flush"),
        "Ad Jd 9d 6d 3d",
        5,
        gettext_lazy("Five of one suit. The highest card tells, then the next."),
    ),
    ExampleHand(
        gettext_lazy("Straight"),
        "Ts 9d 8c 7h 6s",
        5,
        gettext_lazy("Five in a row. The ace is high, or low in 5-4-3-2-A."),
    ),
    ExampleHand(gettext_lazy("Three of a kind"), "7s 7d 7c Kh 2d", 3, gettext_lazy("Three of one rank.")),
    ExampleHand(
        gettext_lazy("Two pair"),
        "Kh Kd Jc Js 8h",
        4,
        gettext_lazy("The higher pair is compared first, then the other, then the fifth card."),
    ),
    ExampleHand(
        gettext_lazy("Pair"), "9s 9h Ac 8d 4c", 2, gettext_lazy("Two of one rank, then the other three cards.")
    ),
    ExampleHand(
        gettext_lazy("High card"),
        "As Qd 9c 6h 3s",
        1,
        gettext_lazy("None of these: the highest card tells, then the next."),
    ),
)
#: The best low first.
LOW_HANDS = (
    ExampleHand(
        gettext_lazy("The wheel"),
        "5s 4d 3c 2h As",
        5,
        gettext_lazy("The best low of all. That it is a straight does not matter."),
    ),
    ExampleHand(
        gettext_lazy("Six low"),
        "6d 4c 3h 2s Ad",
        5,
        gettext_lazy("Lows are read from the highest card down: six-four."),
    ),
    ExampleHand(gettext_lazy("Seven low"), "7c 5h 4s 2d Ac", 5, gettext_lazy("Seven-five beats seven-six.")),
    ExampleHand(
        gettext_lazy("Eight low"),
        "8h 7s 6d 5c 4h",
        5,
        gettext_lazy("The worst low that wins half a pot in eight-or-better."),
    ),
    ExampleHand(
        gettext_lazy("King low"), "Ks Jd 7c 3h 2s", 5, gettext_lazy("Poor, but in Razz it still beats every pair.")
    ),
    ExampleHand(gettext_lazy("A pair"), "2c 2d 3s 4h 5d", 5, gettext_lazy("In Razz any hand without a pair beats it.")),
)
RAZZ = (
    ExampleHand(gettext_lazy("You"), "As 4d 6h", 3),
    ExampleHand(gettext_lazy("On your left"), "?? ?? Ks", 3, gettext_lazy("brings in")),
    ExampleHand(gettext_lazy("Across"), "?? ?? 7c", 3),
)
#: One hand that wins both ways: the cards that play high, and those that play low.
EIGHT = (
    ExampleHand(gettext_lazy("For high"), "Kd Jc Ah 8h 5h 4h 2h", 5, gettext_lazy("flush, ace high")),
    ExampleHand(gettext_lazy("For low"), "Kd Jc 8h 5h 4h 2h Ah", 5, gettext_lazy("eight-five low")),
)
MISSISSIPPI = (
    ExampleHand(gettext_lazy("Third street"), "?? ?? 9d", 3, gettext_lazy("small bets")),
    ExampleHand(gettext_lazy("Fourth and fifth"), "?? ?? 9d Jc 4s", 2, gettext_lazy("two cards at once, small bets")),
    ExampleHand(gettext_lazy("Sixth street"), "?? ?? 9d Jc 4s Kd", 1, gettext_lazy("big bets")),
    ExampleHand(gettext_lazy("Seventh street"), "?? ?? 9d Jc 4s Kd 6h", 1, gettext_lazy("face up, big bets")),
)


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """How Seven-Card Stud and the games like it are played."""
    context = {
        "lessons": lessons().values(),
        "streets": STREETS,
        "showdown": SHOWDOWN,
        "high_hands": HIGH_HANDS,
        "low_hands": LOW_HANDS,
        "razz": RAZZ,
        "eight": EIGHT,
        "mississippi": MISSISSIPPI,
    }
    return render(request, "games/training/learn.html", context)


@require_safe
def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """A lesson, played on the table."""
    current = lessons().get(slug)
    if current is None:
        raise Http404(gettext("There is no such lesson."))
    following = next((later for later in lessons().values() if later.place > current.place), None)
    parts = [part.as_json(number) for number, part in enumerate(current.parts, 1)]
    return render(request, "games/training/lesson.html", {"lesson": current, "parts": parts, "next": following})


urlpatterns = [path("learn/", learn, name="learn"), path("learn/<slug:slug>/", lesson, name="lesson")]
