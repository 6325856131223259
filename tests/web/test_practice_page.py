"""Practice on its pages: rule first, then see the engine's ruling; and how it went."""

import re
from html import unescape

import pytest

from games.training import practice
from tests.support.pages import get, hides, html_of, says

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


def test_a_trainee_rules_first_then_reads_the_rule_and_every_situation_counts_once_by_its_point(ann):
    address = begin(ann)
    page = get(ann, address)
    says(page, "Situation 1")
    hides(page, "ruling__words")  # nothing is given away before the ruling
    pick = choices(page)[:2]
    told = html_of(ann.post(address, {"number": 1, "choice": pick}))
    says(told, "ruling__words", "Robert&#x27;s Rules of Poker v4, ", "Your ruling:")
    assert re.search(r">(Right|Wrong)<", told)
    html_of(ann.post(address, {"number": 1, "choice": pick}))
    assert practice.results(user=ann.ann).asked == 1
    assert ann.post(address, {"number": 1, "choice": pick[1:]}).status_code == 409, "a second thought comes too late"
    says(get(ann, address), "Situation 2")
    for number in range(2, 5):
        ann.post(address, {"number": number, "choice": choices(get(ann, address))[0]})
    says(unescape(get(ann, "/practice/")), "of 4 right", *(row.label for row in practice.results(user=ann.ann).rows))


def test_the_same_seed_brings_the_same_situation_no_ruling_is_refused_and_nobody_sees_that_of_another(
    ann, evening, browse
):
    one, other = (get(ann, begin(ann)) for _ in range(2))
    assert choices(one) == choices(other)
    situation = re.compile(r"told-list.*?</section>", re.DOTALL)
    assert situation.findall(one) == situation.findall(other)
    address = begin(ann)
    for sent in ({"number": 1, "choice": "no|thing"}, {"number": "one", "choice": "|"}, {}):
        assert ann.post(address, sent).status_code == 400
    get(browse(evening.bob), address, 404)
