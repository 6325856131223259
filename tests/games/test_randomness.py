"""Shuffles look like chance, and the tests that say so find those that do not."""

import json
import random
from collections.abc import Callable, Sequence
from io import StringIO

import pytest
from django.core.management import call_command

from games.play import randomness
from tests.support.parts.games import verify_deal
from tests.support.tiers import many

DECKS = many(3_000, long=100_000)


@pytest.mark.parametrize("shuffle", [randomness.of_the_room, randomness.of_cuts])
def test_the_shuffles_of_the_room_look_like_chance(shuffle: Callable[[], Sequence[int]]) -> None:
    assert [figure for figure in randomness.figures(shuffle, DECKS) if not figure.is_fair] == []


def _swaps_with_any(rng: random.Random) -> list[int]:
    """The classic mistake: each card changes with any other, not with those that are left."""
    deck = list(range(52))
    for i in range(52):
        j = rng.randrange(52)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def _one_off(rng: random.Random) -> list[int]:
    """No card may stay where it is."""
    deck = list(range(52))
    for i in range(51, 0, -1):
        j = rng.randrange(i)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def _riffles(rng: random.Random) -> list[int]:
    """Four riffles, where seven are needed."""
    deck = list(range(52))
    for _ in range(4):
        left, right = deck[:26], deck[26:]
        deck = []
        while left or right:
            deck.append((left if rng.random() * (len(left) + len(right)) < len(left) else right).pop(0))
    return deck


_table = list(range(52))


def _shuffles_on(rng: random.Random) -> list[int]:
    """A few cards are exchanged in the deck of the hand before."""
    for _ in range(10):
        i, j = rng.randrange(52), rng.randrange(52)
        _table[i], _table[j] = _table[j], _table[i]
    return list(_table)


@pytest.mark.parametrize("biased", [_swaps_with_any, _one_off, _riffles, _shuffles_on])
def test_a_biased_shuffle_is_found(biased: Callable[[random.Random], list[int]]) -> None:
    rng = random.Random(2030)
    assert not all(figure.is_fair for figure in randomness.figures(lambda: biased(rng), DECKS))


def test_a_fair_shuffle_of_another_kind_is_not_found() -> None:
    rng = random.Random(2030)
    assert all(figure.is_fair for figure in randomness.figures(lambda: rng.sample(range(52), 52), DECKS))


def test_the_command_prints_its_report_and_fails_where_a_shuffle_is_not_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    call_command("shuffle_test", decks=500, stdout=out)
    assert (out.getvalue().count("  fair\n"), "NOT FAIR" in out.getvalue()) == (12, False)
    monkeypatch.setattr(verify_deal, "order", lambda label, key, count=52: list(range(count)))
    out = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("shuffle_test", decks=500, json=True, stdout=out)
    told = json.loads(out.getvalue())
    assert (told["is_fair"], told["decks"], len(told["deck"])) == (False, 500, 6)


def test_every_order_of_few_cards_comes_equally_often() -> None:
    rng = random.Random(2030)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(24_000):
        order = tuple(verify_deal.order("deck", rng.randbytes(32), count=4))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 60  # chi-square with 23 degrees of freedom
