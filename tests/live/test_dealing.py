"""A dealer's tablet, two players and the floor over real sockets: mistakes are ruled on before everybody's eyes."""

import uuid

import pytest
from django.utils import timezone

from cardroom.core import access
from games.engine.facts.play import Ruled
from games.floor.models import FloorCall, FloorOrder
from games.play import seats
from tests.live.socket import Socket


class Staff:
    """What the staff say over a socket, each answered before the next."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket

    def say(self, kind, **fields):
        command_id = str(uuid.uuid4())
        self.socket.say({"type": kind, "command_id": command_id, **fields})
        return self.socket.answer_to(command_id)

    def enter(self, what, hand=None, seq=None, **fields):
        given = {"what": what, "fields": fields}
        if what != "start-hand":
            given |= {"hand": hand or self.socket.hand, "seq": self.socket.seq if seq is None else seq}
        answer = self.say("dealer", **given)
        if answer["type"] == "done" and self.socket.seq < answer["seq"]:
            self.socket.until(lambda message: self.socket.seq >= answer["seq"])
        return answer


@pytest.fixture
def tables(open_table, somebody, watch):
    """`tables(deck=..)`: (dealer, the sockets of two players in seats 1 and 2) at a table that a person deals."""

    def opened(**options):
        table = open_table(dealt_by="person", **options)
        players = [somebody(), somebody()]
        for seat, player in enumerate(players, 1):
            seats.sit(table_id=table.pk, by=player, number=seat, buy_in=500, now=timezone.now())
        return Staff(watch(table, somebody("dealer"))), [watch(table, player) for player in players]

    return opened


def rulings(socket):
    return [(fact.key, fact.verdict) for fact in socket.story if isinstance(fact, Ruled)]


def bet_on(dealer, players):
    """Everybody checks or calls to the end of the round."""
    while dealer.socket.to_act:
        acting = players[dealer.socket.to_act - 1].until_at(dealer.socket.hand, dealer.socket.seq)
        dealer.socket.until_at(dealer.socket.hand, acting.check_or_call()["seq"])


def test_everybody_sees_the_ruling_on_a_mistake_and_refusals_cite_the_rule(tables, watch):
    dealer, players = tables()
    hand = dealer.enter("start-hand")
    assert dealer.enter("deal", street=3, seq=1)["code"] == "stale"
    assert dealer.enter("dance")["code"] == "no-such-entry"
    assert dealer.enter("deal", hand=10**9, street=3)["code"] == "no-such-hand"
    assert dealer.say("dealer", what="deal", fields={"street": 3})["code"] == "no-hand"
    player = Staff(players[0].until_at(dealer.socket.hand, hand["seq"]))
    assert player.enter("deal", street=3)["code"] == "role-required"
    rail = watch(dealer.socket.table)
    rail.until_type("snapshot")
    assert Staff(rail).enter("deal", street=3)["status"] == 401
    assert dealer.enter("deal", street=3, cards=[{"seat": 2, "exposed": True}])["type"] == "done"
    for socket in (dealer.socket, *players, rail):
        socket.until_at(dealer.socket.hand, dealer.socket.seq)
        assert ("exposed_downcard", "third-card-down") in rulings(socket)
        ruling = next(fact for fact in socket.story if isinstance(fact, Ruled))
        assert (ruling.rule, bool(ruling.words)) == ("5", True)
    refused = dealer.enter("deal", street=4)
    assert (refused["code"], refused["status"], "Robert" in refused["rule"]) == ("betting-open", 422, True)
    hidden = players[1].folded.seats[2].downcards
    assert hidden
    assert None not in hidden
    for socket in (dealer.socket, players[0], rail):
        # In quotes: ids are hexadecimal, and may well hold "4d".
        assert not any(f'"{card}"' in str(raw) for card in hidden for raw in socket.raw)


def test_a_hand_is_dealt_and_played_and_an_entry_taken_back(tables):
    dealer, players = tables()
    dealer.enter("start-hand", absent=[])
    for street in range(3, 8):
        assert dealer.enter("deal", street=street)["type"] == "done"
        bet_on(dealer, players)
        if street == 5:
            assert dealer.enter("undo")["type"] == "done"
            assert dealer.socket.to_act
            for socket in players:
                socket.until_at(dealer.socket.hand, dealer.socket.seq)
                assert socket.folded.pot == dealer.socket.folded.pot
            bet_on(dealer, players)
    assert dealer.socket.is_over
    assert dealer.enter("start-hand")["type"] == "done"


def test_a_player_calls_the_floor_and_the_floor_comes_and_orders(tables, watch, somebody):
    dealer, players = tables()
    flo = somebody("floor")
    floor = watch("floor", flo)
    dealer.enter("start-hand")
    dealer.enter("deal", street=3)
    table = int(dealer.socket.table)

    def row(message):
        return next((row for row in message["tables"] if row["id"] == table), None)

    told = floor.until(lambda m: m["type"] == "floor" and row(m)["hand"] and row(m)["hand"]["to_act"])
    assert row(told)["dealt_by"] == "person"
    players[0].until_type("snapshot")
    assert Staff(players[0]).say("call_floor", note="he splashes the pot")["type"] == "done"
    told = floor.until(lambda m: m["type"] == "floor" and any(call["table"] == table for call in m["calls"]))
    (call,) = [call for call in told["calls"] if call["table"] == table]
    assert (call["seat"], call["note"]) == (1, "he splashes the pot")
    players[1].until(lambda message: players[1].view.get("floor_called") is True)
    assert Staff(floor).say("answer_call", call=call["id"])["type"] == "done"
    assert FloorCall.objects.get(pk=call["id"]).answered_by == flo
    players[1].until(lambda message: players[1].view.get("floor_called") is False)
    order = {"hand": dealer.socket.hand, "what": "void"}
    assert Staff(floor).say("floor", **order, reason="")["code"] == "reason-required"
    assert Staff(floor).say("floor", **order, reason="a joker was dealt")["type"] == "done"
    for socket in (dealer.socket, *players):
        socket.until(lambda message, socket=socket: socket.is_over)
        assert ("void_hand", "void") in rulings(socket)
    assert FloorOrder.objects.get(hand=dealer.socket.hand).reason == "a joker was dealt"
    told = floor.until(lambda m: m["type"] == "floor" and row(m)["hand"] is None)
    assert [seat["stack"] for seat in row(told)["seats"]] == [500, 500]


def test_the_floors_socket_needs_the_role_and_shows_new_tables(watch, somebody, open_table):
    for user in (None, somebody(), somebody("dealer")):
        turned_away = watch("floor", user)
        assert (turned_away.closing_code(), turned_away.heard[-1]["code"]) == (4403, "role-required")
    flo = somebody("floor")
    floor = watch("floor", flo)
    floor.until_type("floor")
    floor.say({"type": "ping"})
    floor.until_type("pong")
    assert Staff(floor).say("act", hand=1, action="fold")["code"] == "wrong-socket"
    floor.say("nonsense")
    assert floor.until_type("refused")["code"] == "not-json"
    table = open_table()
    floor.until(lambda m: m["type"] == "floor" and table.pk in [row["id"] for row in m["tables"]])
    access.take_role(user=flo, role="floor", by=None)
    assert floor.closing_code() == 4403
