"""Practice on its pages: rule first, then see the engine's ruling; and how it went."""

import re

import pytest

from games.training import practice
from tests.support.pages import html_of, says

ORDER = {"rulebook": "roberts-v4", "game": "seven-card-stud", "setting": "cash", "rate": 100, "seed": 5}


@pytest.fixture
def ann(evening, browse):
    client = browse(evening.ann)
    client.ann = evening.ann
    return client


def begin(client, **changes) -> str:
    answer = client.post("/practice/", ORDER | changes)
    assert answer.status_code == 302
    return answer["Location"]


def choices(page: str) -> list[str]:
    return re.findall(r'name="choice" value="([^"]*)"', page)


def test_a_trainee_rules_first_and_then_reads_the_rule(ann):
    address = begin(ann)
    page = ann.get(address).content.decode()
    assert "Situation 1" in page
    assert "ruling__words" not in page, "nothing is given away before the ruling"
    told = html_of(ann.post(address, {"number": 1, "choice": choices(page)[0]}))
    says(told, "ruling__words", "Robert&#x27;s Rules of Poker v4, ")
    assert re.search(r">(Right|Wrong)<", told)
    assert "Situation 2" in ann.get(address).content.decode()


def test_the_same_ruling_sent_twice_is_one_and_a_second_thought_comes_too_late(ann):
    address = begin(ann)
    pick = choices(ann.get(address).content.decode())[:2]
    first = ann.post(address, {"number": 1, "choice": pick}).content
    assert ann.post(address, {"number": 1, "choice": pick}).status_code == 200
    assert practice.results(user=ann.ann).asked == 1
    assert b"Your ruling:" in first
    assert ann.post(address, {"number": 1, "choice": pick[1:]}).status_code == 409


def test_every_situation_counts_by_its_point(ann):
    address = begin(ann)
    for number in range(1, 5):
        ann.post(address, {"number": number, "choice": choices(ann.get(address).content.decode())[0]})
    page = ann.get("/practice/").content.decode()
    assert "of 4 right" in page
    for row in practice.results(user=ann.ann).rows:
        assert row.label in page.replace("&#x27;", "'")


def test_the_same_seed_brings_the_same_situation(ann):
    one, other = (ann.get(begin(ann)).content.decode() for _ in range(2))
    assert choices(one) == choices(other)
    situation = re.compile(r"told-list.*?</section>", re.DOTALL)
    assert situation.findall(one) == situation.findall(other)


def test_what_cannot_be_a_ruling_is_refused_and_nobody_sees_the_practice_of_another(ann, evening, browse):
    address = begin(ann)
    assert ann.post(address, {"number": 1, "choice": "no|thing"}).status_code == 400
    assert ann.post(address, {"number": "one", "choice": "|"}).status_code == 400
    assert ann.post(address, {}).status_code == 400
    assert browse(evening.bob).get(address).status_code == 404
