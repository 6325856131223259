"""The rulebooks as the API tells them are the rulebooks that are played."""

import pytest

from games.rulebooks import load, slugs

pytestmark = pytest.mark.django_db


def test_the_books_are_listed(api):
    assert [book["slug"] for book in api().get("/api/v1/rulebooks").json()] == list(slugs())


def test_every_point_is_told_with_its_value_and_its_citation(api):
    book = load("roberts-v4")
    told = api().get("/api/v1/rulebooks/roberts-v4").json()
    assert (told["title"], told["version"]) == (book.title, book.version)
    points = {point["key"]: point for point in told["points"]}
    assert points.keys() == book.points.keys()
    assert points["forced_bet"]["value"] == "lowest"
    assert points["burns"]["value"] == [4, 5, 6, 7]
    assert points["raise_cap"]["tournament"] == {"raises": 3, "heads_up": "uncapped-at-two-left"}
    for key, point in points.items():
        assert point["text"] == book.text(key)
        assert point["citation"] == book.citation(key)
