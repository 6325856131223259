"""A club's tables are not there for people outside it, nor a home game for people without its link: every address of a
table answers as for a table that is none."""

import re
from itertools import product

import pytest
from django.urls import get_resolver
from django.utils import timezone

from tests.support.evening import player
from tests.support.parts.games import founding, home_games
from tests.web.test_permissions import addresses

NOBODYS = 999_999


@pytest.mark.usefixtures("_remembered_logins")
@pytest.mark.parametrize("is_clubs", [True, False])
def test_an_outsider_cannot_tell_a_hidden_table_from_one_that_is_not_there(browse, settings, is_clubs):
    settings.CARDROOM_WELCOME_CHIPS = 10_000
    now = timezone.now()
    ann, eve = player("ann", now=now), player("eve", now=now)
    club = founding.found(by=ann, name="River Rats", now=now).pk if is_clubs else None
    table = home_games.open_one(by=ann, game="razz", stakes="5/10", rulebook="home", club=club, now=now).table
    found = {}
    of_tables = {re.sub(r"<[^>]*>", "<>", each) for each in addresses(get_resolver()) if re.search(r"\btables/<", each)}
    # Those whose only unknown is the number of a table.
    walked = [f"/{each}" for each in sorted(of_tables) if each.count("<>") == 1 and not re.search(r"[\\(?]", each)]
    for address, (user, browser), verb in product(walked, ((None, browse()), (eve, browse(eve))), ("get", "post")):
        is_order = verb == "post" and "/api/" in address
        given = {"content_type": "application/json", "data": "{}"} if is_order else {}
        ask = getattr(browser, verb)
        answers = [ask(address.replace("<>", str(number)), **given).status_code for number in (table.pk, NOBODYS)]
        if answers[0] != answers[1]:
            found[f"{verb} {address} {user}"] = answers
    assert len(walked) > 20
    assert not found, "\n".join(f"{key}: {value}" for key, value in found.items())
