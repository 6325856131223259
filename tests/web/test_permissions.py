"""Who gets what answer at which address: one table, and a walk that fails on an address missing from it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.urls import get_resolver, resolve
from django.utils import timezone

from games.clubs import founding
from games.play import home_games
from games.rulebooks import services as rulebook_services
from games.tables.queries import history as history_queries
from games.tables.queries import shared as links
from games.training.problems import answering as problems
from games.training.problems import making as problem_making
from tests.support.models import ApiToken, User
from tests.support.parts.cardroom import access, tokens
from tests.web.room_rows import LOGIN, areas, example, rows, wrong_answers
from tests.web.test_event_permissions import ROWS as OF_EVENTS
from tests.web.test_event_permissions import WORDS


class Row(NamedTuple):
    """Statuses for somebody not logged in, a player who sits at the table, and one of the floor who does not."""

    method: str
    path: str
    anonymous: int
    player: int
    floor: int
    data: dict[str, object] = {}


SIT = {"number": 5, "buy_in": 500}
PRACTICE = {"rulebook": "gardens", "game": "razz", "setting": "cash", "rate": 70}
#: The addresses of allauth are its own to guard; here is what each answers to anybody.
ROWS = [
    *rows(
        """
                anonymous player floor
        GET     200       200    200    / /lobby/ /tables/{table}/ /tables/{table}/hands/ /hands/{hand}/ /rules/ /learn/
            /learn/first-hand/ /learn/problem/ /learn/problem/{day}/ /learn/problem/{day}/?choice={choice}
            /api/v1/problems /api/v1/problems/{day} /api/v1/problems/today /tables/{table}/?tile /lobby/tables/{table}/
            /manifest.webmanifest /worker.js /offline/ /words/de/none.js /hands/shared/{shared}/
            /api/v1/shared-hands/{shared} /api/v1/shared-hands/{shared}/odds /hands/shared/{shared}.png
            /hands/{hand}/deal/ /hands/{hand}/deal/proof.json /api/v1/hands/{hand}/proof /verify_deal.py
            /hands/{hand}/file/phh/ /api/v1/hands/{hand}/file/txt /api/v1/hands/{hand}/odds /api/v1/hands/{hand}/links
            /rules/roberts-v4/ /rules/house/ /rules/house/river-room/ /rules/house/river-room/history/
            /rules/house/river-room/2030-01-05/ /desk/ /desk/?what=too-early /accounts/inactive/
            /accounts/confirm-email/ /accounts/confirm-email/nobodys-key/ /accounts/password/reset/
            /accounts/password/reset/done/ /accounts/password/reset/key/1-nobodys-key/
            /accounts/password/reset/key/done/ /api/v1/ /api/schema/ /api/docs/ /api/v1/tables /api/v1/tables/{table}
            /api/v1/tables/{table}/seats /api/v1/tables/{table}/hands /api/v1/hands/{hand} /api/v1/hands/{hand}/facts
            /api/v1/rulings /api/v1/desk /api/v1/desk/too-early /api/v1/rulebooks /api/v1/rulebooks/roberts-v4
            /api/v1/rulebooks/choices /api/v1/rulebooks/house /api/v1/rulebooks/house/river-room
            /api/v1/rulebooks/house/river-room/versions /api/v1/rulebooks/house/river-room/versions/2030-01-05
            /api/v1/tables/{table}/rulebook /leaderboard/ /api/v1/leaderboard
        GET     login     403    200    /api/v1/pictures/reports /floor/ /floor/tables/{table}/ /floor/rulings/
            /floor/log/ /floor/log/?before=9 /api/v1/hands/{hand}/dealer /api/v1/hands/{hand}/floor /api/v1/floor
            /api/v1/floor/calls /api/v1/floor/log
        POST    login     302    302    /me/tokens/?name=mine&scopes=read&days=3 /me/sessions/end/
            /me/picture/drop/ /join/{home}/ /clubs/join/{joins}/ /me/mail/ /me/time-zone/
            /me/language/ /me/keys/usual/ /learn/problem/{day}/?action={choice} /me/look/?felt=blue
            /tables/{table}/chat/?text=Good+evening /me/players/?player=mia&note=Calls
            /home-games/?game=razz&stakes=5/10 /clubs/?name=Night+Owls /clubs/{club}/?verb=join
            /leaderboard/show/?is_shown=yes /me/keys/?fold=Q
        POST    login     403    404    /pictures/999/dismiss/ /api/v1/pictures/999/dismiss
            /api/v1/floor/calls/999/answer /pictures/999/remove/?reason=Rude /api/v1/pictures/999/remove?reason=Rude
        DELETE  login     204    204    /api/v1/me/picture /api/v1/me/sealed-view
        DELETE  login     200    200    /api/v1/me/sessions
        DELETE  login     404    404    /api/v1/me/sessions/nobodys
        POST    login     404    404    /me/sessions/nobodys/end/
        GET     login     405    405    /me/sessions/end/ /me/sessions/nobodys/end/ /api/v1/me/sessions/nobodys
        GET     login     200    200    /me/sessions/ /api/v1/me/sessions
            /api/v1/me/problems /me/ /me/tokens/ /practice/ /accounts/logout/
            /accounts/reauthenticate/ /accounts/email/ /accounts/password/change/ /accounts/2fa/ /accounts/2fa/webauthn/
            /api/v1/me /me/hands/ /api/v1/me/hands /me/hands/file/phh/ /api/v1/me/hands/file/txt /me/statistics/
            /me/statistics/?game=bridge&span=30 /api/v1/me/statistics /me/players/ /me/tables/ /api/v1/me/players
            /api/v1/me/favourites /tables/{table}/chat/ /api/v1/tables/{table}/chat /home-games/ /api/v1/home-games
            /me/wallet/ /me/approvals/
            /api/v1/me/look /api/v1/me/transfers /api/v1/me/seats /api/v1/tokens /api/v1/practice/results
            /api/v1/tables/{table}/buy-in /api/v1/me/keys /api/v1/me/push /api/v1/me/push/key /clubs/ /api/v1/clubs
            /clubs/{club}/ /api/v1/clubs/{club}
        GET     404       404    404    /learn/problem/2000-01-01/ /learn/problem/never/ /api/v1/problems/never
            /learn/nothing/ /pictures/nobodys.webp /hands/shared/x.png /hands/{hand}/file/pdf/
            /api/v1/hands/{hand}/file/pdf /tables/999/hands/ /hands/999999/ /rules/none/ /rules/house/none/
            /rules/house/river-room/2030-01-06/ /metrics /nowhere/ /tables/999/ /lobby/tables/999/ /join/nobodys/
            /clubs/join/nobodys/
        GET     login     405    405    /tables/{table}/sit/ /hands/{hand}/mark/ /me/look/ /me/mail/ /me/time-zone/
            /me/language/ /me/keys/ /me/keys/usual/ /me/push/ /me/push/9/remove/ /me/picture/ /me/picture/drop/
            /pictures/report/ /pictures/999/remove/ /pictures/999/dismiss/ /me/tokens/{token}/revoke/
            /api/v1/tokens/{token} /hands/{hand}/sealed/ask/ /hands/{hand}/sealed/close/ /hands/{hand}/sealed/look/
            /hands/{hand}/sealed/proof/ /leaderboard/show/
        GET     login     403    403    /rules/house/new/ /rules/house/river-room/edit/ /tables/{table}/rulebook/
        GET     login     403    404    /tables/999/deal/ /floor/tables/999/
        GET     400       400    400    /desk/?what=nothing /desk/?what=too-early&players=99
            /desk/?what=too-early&rulebook=none /desk/?what=too-early&odd=1 /api/v1/desk/nothing
            /api/v1/leaderboard?period=year
        GET     login     404    404    /practice/999/ /accounts/2fa/totp/deactivate/ /accounts/2fa/recovery-codes/
            /accounts/2fa/recovery-codes/download/ /api/v1/me/sealed-view /api/v1/practice/999 /clubs/999/
            /api/v1/clubs/999
        GET     login     302    302    /me/favourites/ /accounts/password/set/ /accounts/login/code/confirm/
            /accounts/2fa/authenticate/ /accounts/2fa/reauthenticate/ /accounts/2fa/totp/activate/
            /accounts/2fa/recovery-codes/generate/ /accounts/2fa/webauthn/add/ /accounts/2fa/webauthn/reauthenticate/
            /accounts/2fa/webauthn/login/ /accounts/2fa/webauthn/keys/9/edit/ /accounts/2fa/webauthn/keys/9/remove/
        GET     login     200    302    /quick-seat/
        GET     200       302    200    /join/{home}/ /clubs/join/{joins}/
        GET     login     200    404    /home-games/{hearth}/ /api/v1/home-games/{hearth}
        POST    login     200    200    /api/v1/home-links/{home} /api/v1/clubs/{club}/join /api/v1/club-links/{joins}
            /api/v1/problems/{day}/answer?action={choice}
            /api/v1/desk?what=too-early
        POST    login     200    404    /api/v1/home-games/{hearth}/link /api/v1/tables/{table}/seats/leave
            /api/v1/tables/{table}/seats/sit-out /api/v1/home-games/{hearth}/close
            /api/v1/tables/{table}/seats/top-up?amount=100
        GET     login     200    403    /clubs/{club}/manage/ /clubs/{club}/chat/ /api/v1/clubs/{club}/members
            /api/v1/clubs/{club}/tables /api/v1/clubs/{club}/leaderboard /api/v1/clubs/{club}/chat
        GET     404       200    200    /tables/{clubs}/ /api/v1/tables/{clubs}
        POST    login     200    403    /api/v1/clubs/{club}/link
        POST    login     409    403    /api/v1/clubs/{club}/close /clubs/{club}/manage/?verb=close
            /api/v1/hands/{hand}/act?action=fold&expected_seq=1&command_id=fold
            /api/v1/tables/{table}/cut?words=mine&root={root}
        POST    login     409    404    /api/v1/clubs/{club}/leave /tables/{table}/come-back/
            /api/v1/tables/{table}/seats/come-back /clubs/{club}/?verb=leave
        GET     200       302    302    /accounts/login/ /accounts/signup/
        POST    405       405    405    / /desk/
        POST    login     302    404    /tables/{table}/sit-out/ /tables/{table}/leave/ /me/tokens/{token}/revoke/
            /tables/{table}/top-up/?amount=100 /home-games/{hearth}/?verb=invite&player=mia
        POST    login     403    403    /hands/{hand}/sealed/ask/ /hands/{hand}/sealed/close/ /hands/{hand}/sealed/look/
            /hands/{hand}/sealed/proof/ /api/v1/tokens?name=mine&scopes=["read"]
            /rules/house/new/?base=gardens&name=Mine&save=1 /rules/house/river-room/edit/?save=1&after=2030-01-05
            /tables/{table}/rulebook/?rulebook=gardens /api/v1/me/sealed-view?reason=I+want+to+know
            /api/v1/rulebooks/house?name=Mine&base=home&changes={}
            /api/v1/rulebooks/house/river-room/versions?after=2030-01-05&changes={}
        POST    302       302    302    /language/
        POST    login     405    405    /floor/
        POST    login     201    201    /api/v1/tables/{table}/call-floor /api/v1/tables/{table}/chat?text=Good+evening
            /api/v1/home-games?game=razz&stakes=5/10 /api/v1/clubs?name=Night+Owls
            /api/v1/practice?rulebook=home
        POST    login     404    404    /me/push/9/remove/ /tables/999/sit/?number=5&buy_in=500
            /api/v1/problems/2000-01-01/answer?action=fold /practice/999/?number=1&choice=|
            /tables/999/chat/?text=Good+evening /me/players/?player=nobody&note=Calls
            /me/favourites/?kind=table&number=999 /pictures/report/?player=mia&reason=Rude
            /api/v1/pictures/reports?player=mia&reason=Rude
            /api/v1/practice/999/answer?number=1&rulings=[{"key":"","verdict":""}]
        DELETE  login     404    404    /api/v1/me/push/9
        DELETE  login     200    200    /api/v1/me/keys
        DELETE  login     204    404    /api/v1/tokens/{token}
        DELETE  login     200    404    /api/v1/tables/{table}/seats
        POST    login     400    400    /tables/{table}/sit/?number=five&buy_in=all
            /practice/?rulebook=gardens&game=razz&setting=cash&rate=101
            /practice/?rulebook=none&game=razz&setting=cash&rate=70 /learn/problem/{day}/?action=show
            /me/language/?language=xx /home-games/?game=chess&stakes=5/10 /me/picture/
            /me/push/?endpoint=https://nowhere.example/x&p256dh=B&auth=a
        POST    login     302    403    /hands/{hand}/mark/?tags=bluff
            /clubs/{club}/manage/?verb=edit&name=Rail+Birds&joins=open /clubs/{club}/chat/?text=Good+evening
        PATCH   login     200    403    /api/v1/me/hands/{hand}/mark?tags=bluff /api/v1/clubs/{club}?name=Rail+Birds
        PUT     login     200    200    /api/v1/me/players?player=mia&is_friend=true
            /api/v1/me/leaderboard?is_shown=true
        PUT     login     404    404    /api/v1/me/favourites?kind=table&number=999
        POST    login     201    404    /api/v1/home-games/{hearth}/invitations?player=mia
        POST    login     409    409    /clubs/?name=R1ver+Rats
        POST    login     404    403    /clubs/{club}/manage/?verb=part&player=mia&becomes=member
        PUT     login     404    403    /api/v1/clubs/{club}/members?player=mia&becomes=member
            /api/v1/clubs/{club}/silence?player=mia&is_silenced=true
        POST    login     201    403    /api/v1/clubs/{club}/chat?text=Good+evening
        PATCH   login     200    200    /api/v1/me/look?felt=blue /api/v1/me/keys?fold=Q /api/v1/me?wants_mail=true
        PUT     login     400    400    /api/v1/me/picture?picture=none
            /api/v1/me/push?endpoint=https://nowhere.example/x&p256dh=B&auth=a
        POST    login     409    201    /api/v1/tables/{table}/seats?seat=5&buy_in=500
        POST    login     403    422    /api/v1/tables/{table}/start-hand?command_id=x
        POST    login     403    409    /api/v1/hands/{hand}/dealer?what=notice&command_id=x
            /api/v1/hands/{hand}/floor?what=void&reason=late&command_id=x
        PUT     login     403    403    /api/v1/tables/{table}/rulebook?rulebook=gardens
    """,
        Row,
    ),
    Row("POST", "/tables/{table}/sit/", LOGIN, 409, LOGIN, SIT),  # to the table: the floor may play like anybody
    Row("GET", "/tables/{table}/deal/", LOGIN, 403, 409),  # this table deals by itself
    Row("POST", "/practice/", LOGIN, LOGIN, LOGIN, PRACTICE),  # to the situation that waits
    # Nobody but an auditor, and with an open view.
    Row("POST", "/api/v1/hands/{hand}/sealed", 401, 403, 403),
    Row("POST", "/api/v1/hands/{hand}/sealed/proof", 401, 403, 403),
]


def addresses(resolver, before="") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        address = before + str(pattern.pattern).removeprefix("^") if before else str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from addresses(pattern, address)
        else:
            yield address


@pytest.fixture
def somebody(finished) -> dict[str, User | None]:
    return lay_out(finished)


def lay_out(finished) -> dict[str, User | None]:
    """Who asks, by their column in the table; the player sits in seat 1 and has a token."""
    floor, manager = finished.player("flo"), finished.player("mia")
    for user, role in ((floor, "floor"), (manager, "manager")):
        access.grant_role(user=user, role=role, by=None)
    rulebook_services.create_book(name="River Room", base="gardens", changes={}, by=manager, now=finished.now)
    token, _ = tokens.issue(by=finished.ann, name="notebook", scopes=["read"], now=timezone.now())
    shared = links.link_of(history_queries.hand_story(hand_id=finished.hand, viewer=finished.ann), has_names=True)
    hosts = {"by": finished.ann, "game": "razz", "stakes": "5/10", "rulebook": "home", "now": timezone.now()}
    home, club = home_games.open_one(**hosts), founding.found(by=finished.ann, name="River Rats", now=timezone.now())
    clubs = home_games.open_one(**hosts, club=club.pk)
    problem_making.make_due(now=timezone.now())
    asked = problems.problem(day=None, viewer=None, now=timezone.now())
    finished.places = {
        "table": finished.pk, "hand": finished.hand, "token": token.pk, "shared": shared, "club": club.pk,
        "root": "0" * 64,
        "joins": club.word, "clubs": clubs.table_id, "day": str(asked.day), "choice": asked.actions[0],
        "hearth": home.table_id, "home": home.word,
    }  # fmt: skip
    return {"anonymous": None, "player": finished.ann, "floor": floor}


@pytest.mark.usefixtures("_remembered_logins")
def test_every_address_answers_each_role_as_the_table_says(finished, somebody, browse):
    wrong = [fault for role in somebody for fault in wrong_answers(ROWS, role, browse(somebody[role]), finished.places)]
    assert not wrong, "\n".join(wrong)


def answers() -> Iterator[tuple[str, Any]]:
    """Of every address that some table of permissions asks: its route, and the row."""
    for area in areas():
        yield from ((resolve(example(area, row.path)).route, row) for row in area.ROWS)
    words = dict.fromkeys(
        (*WORDS, "table", "hand", "token", "shared", "root", "hearth", "home", "club", "joins", "clubs"), 1
    )
    words |= {"day": "2030-01-05"}
    for row in (*ROWS, *OF_EVENTS):
        if row.path != "/nowhere/":
            yield resolve(row.path.partition("?")[0].format(**words)).route, row


def test_the_table_has_every_address_of_the_room():
    listed = {route for route, _ in answers()}
    missing = [
        address
        for address in addresses(get_resolver())
        if not address.startswith("admin/") and address not in listed and address.removesuffix("/") not in listed
    ]
    assert missing == []


def test_nobody_but_staff_gets_into_the_admin(finished, somebody, browse):
    for user in somebody.values():
        for path in ("", "core/user/", "tables/hand/", "tables/table/", "ledger/entry/"):
            answer = browse(user).get(f"/admin/{path}")
            assert answer.status_code == 302, f"{user} at {path}"
            assert answer["Location"].startswith("/admin/login/")


@pytest.mark.smoke
def test_a_revoked_token_is_gone_and_a_page_that_changes_something_wants_its_own(finished, somebody, browse):
    browse(somebody["player"]).post(f"/me/tokens/{finished.places['token']}/revoke/")
    assert not ApiToken.objects.filter(pk=finished.places["token"]).exists()
    answer = browse(somebody["player"], enforce_csrf_checks=True).post(f"/tables/{finished.pk}/leave/")
    assert answer.status_code == 403
    assert "out of date" in answer.content.decode()
    assert finished.seat_of(finished.ann)
