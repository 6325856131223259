"""How the games go, for who has never played them: the deal street by street, with pictures of the cards."""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from games.training.lessons import lessons


class Hand(NamedTuple):
    """Whose hand it is, as you see it from your seat: "??" is a card face down. The last ``new`` are new or count."""

    name: str
    cards: str
    new: int = 1
    note: str = ""


class Street(NamedTuple):
    title: str
    hands: tuple[Hand, ...]
    says: tuple[str, ...]


STREETS = (
    Street(
        "Third street",
        (Hand("You", "Qs Qd Td", 3), Hand("On your left", "?? ?? 3c", 3, "brings in"), Hand("Across", "?? ?? Kh", 3)),
        (
            "Everybody in the hand pays the ante, a small bet that starts the pot. Then each gets two cards face "
            "down, the holecards, and one face up, the door card.",
            "The lowest door card must pay the bring-in. Of equal ranks the suit tells: clubs lowest, then diamonds, "
            "hearts and spades. Aces are high. Here the [3c] pays.",
            "The others follow clockwise: fold, call the bring-in, or complete it, which makes it a whole small bet. "
            "From then on a raise is one small bet more. Whoever brings in may complete at once instead.",
        ),
    ),
    Street(
        "Fourth street",
        (Hand("You", "Qs Qd Td 5h"), Hand("Across", "?? ?? Kh Jc", 1, "acts first")),
        (
            "One more card face up. From now on the highest hand in sight acts first and may check, which means to bet "
            "nothing while nobody has bet. King and jack are higher than ten and five.",
            "Bets and raises are small bets. One exception, in Seven-Card Stud only: when a pair shows on this "
            "street, everybody may bet or raise by the small or the big bet, until somebody chooses the big one.",
        ),
    ),
    Street(
        "Fifth street",
        (Hand("You", "Qs Qd Td 5h Qc"), Hand("Across", "?? ?? Kh Jc Js", 1, "acts first")),
        (
            "A third card face up. From this street on every bet and raise is a big bet, so this is where one decides "
            "whether to go on to the end.",
            "A pair of jacks is in sight and acts first. Nobody can see that you have three queens.",
        ),
    ),
    Street(
        "Sixth street",
        (Hand("You", "Qs Qd Td 5h Qc 5c"), Hand("Across", "?? ?? Kh Jc Js 8h", 1, "acts first")),
        (
            "The fourth and last card face up. Jacks still beat the pair of fives that you show; your holecards turn "
            "those fives into a full house.",
        ),
    ),
    Street(
        "Seventh street",
        (Hand("You", "Qs Qd Td 5h Qc 5c 2d"), Hand("Across", "?? ?? Kh Jc Js 8h ??", 1, "acts first")),
        (
            "The last card is dealt face down. The betting goes round once more; the same hand acts first as on sixth "
            "street, for nothing new is in sight.",
            "With many players in the deck may be too short for it. Then, where nothing else helps, one card is turned "
            "up in the middle and plays for everybody.",
        ),
    ),
)
SHOWDOWN = (
    Hand("You", "2d Td Qs Qd Qc 5h 5c", 5, "full house, queens full of fives"),
    Hand("Across", "4d 7s Kh Kd Jc Js 8h", 5, "two pair, kings and jacks"),
)
#: Strongest first.
HIGH_HANDS = (
    Hand("Straight flush", "9h 8h 7h 6h 5h", 5, "Five in a row of one suit. From the ten to the ace: a royal flush."),
    Hand("Four of a kind", "8s 8h 8d 8c Kd", 4, "Four of one rank."),
    Hand("Full house", "Qs Qd Qc 5h 5c", 5, "Three of one rank and two of another. The three are compared first."),
    Hand("Flush", "Ad Jd 9d 6d 3d", 5, "Five of one suit. The highest card tells, then the next."),
    Hand("Straight", "Ts 9d 8c 7h 6s", 5, "Five in a row. The ace is high, or low in 5-4-3-2-A."),
    Hand("Three of a kind", "7s 7d 7c Kh 2d", 3, "Three of one rank."),
    Hand("Two pair", "Kh Kd Jc Js 8h", 4, "The higher pair is compared first, then the other, then the fifth card."),
    Hand("Pair", "9s 9h Ac 8d 4c", 2, "Two of one rank, then the other three cards."),
    Hand("High card", "As Qd 9c 6h 3s", 1, "None of these: the highest card tells, then the next."),
)
#: The best low first.
LOW_HANDS = (
    Hand("The wheel", "5s 4d 3c 2h As", 5, "The best low of all. That it is a straight does not matter."),
    Hand("Six low", "6d 4c 3h 2s Ad", 5, "Lows are read from the highest card down: six-four."),
    Hand("Seven low", "7c 5h 4s 2d Ac", 5, "Seven-five beats seven-six."),
    Hand("Eight low", "8h 7s 6d 5c 4h", 5, "The worst low that wins half a pot in eight-or-better."),
    Hand("King low", "Ks Jd 7c 3h 2s", 5, "Poor, but in Razz it still beats every pair."),
    Hand("A pair", "2c 2d 3s 4h 5d", 5, "In Razz any hand without a pair beats it."),
)
RAZZ = (Hand("You", "As 4d 6h", 3), Hand("On your left", "?? ?? Ks", 3, "brings in"), Hand("Across", "?? ?? 7c", 3))
#: One hand that wins both ways: the cards that play high, and those that play low.
EIGHT = (
    Hand("For high", "Kd Jc Ah 8h 5h 4h 2h", 5, "flush, ace high"),
    Hand("For low", "Kd Jc 8h 5h 4h 2h Ah", 5, "eight-five low"),
)
MISSISSIPPI = (
    Hand("Third street", "?? ?? 9d", 3, "small bets"),
    Hand("Fourth and fifth", "?? ?? 9d Jc 4s", 2, "two cards at once, small bets"),
    Hand("Sixth street", "?? ?? 9d Jc 4s Kd", 1, "big bets"),
    Hand("Seventh street", "?? ?? 9d Jc 4s Kd 6h", 1, "face up, big bets"),
)


@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """How Seven-Card Stud and its sisters go."""
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
    found = lessons().get(slug)
    if found is None:
        raise Http404("There is no such lesson.")
    following = next((each for each in lessons().values() if each.place > found.place), None)
    parts = [part.as_json(number) for number, part in enumerate(found.parts, 1)]
    return render(request, "games/training/lesson.html", {"lesson": found, "parts": parts, "next": following})


urlpatterns = [path("learn/", learn, name="learn"), path("learn/<slug:slug>/", lesson, name="lesson")]
