"""Real sockets to real servers: what players are told, what they can do, and what they are refused."""

import msgpack
import pytest
from django.utils import timezone

from games.engine.facts.base import RAIL, redact
from games.engine.facts.play import DeckShuffled, ShuffleCommitted
from games.tables.models.tables import Hand, Table
from tests.live.socket import act_once
from tests.support.games import DESCRIBED
from tests.support.parts.games import seats, table_journal, verify_deal


def test_three_players_play_a_hand_to_the_showdown_and_hold_no_card_they_may_not_see(seated, watch):
    sockets = seated(3)
    rail = watch(sockets[0].table)
    act_once([*sockets, rail])
    table = Table.objects.get(pk=rail.table)
    clock = rail.clock
    assert (clock["seat"], clock["deadline"]) == (table.to_act, round(table.deadline.timestamp() * 1000))
    assert clock["bank_from"] == round(table.turn_at.timestamp() * 1000) + table.act_seconds * 1000
    assert clock["now"] <= clock["bank_from"] <= clock["deadline"]
    assert all(socket.clock["deadline"] == clock["deadline"] for socket in sockets)
    while act_once([*sockets, rail]):
        pass
    facts = table_journal.facts(sockets[0].hand)
    deck = next(fact for fact in facts if isinstance(fact, DeckShuffled)).deck
    whole = table_journal.engine_of(facts)
    in_sight = {card for seat in whole.seats.values() for card in seat.upcards}
    in_sight |= {card for fact in facts for card in getattr(fact, "cards", ()) if fact.kind.startswith("hand-")}
    for viewer, socket in [(1, sockets[0]), (2, sockets[1]), (3, sockets[2]), (RAIL, rail)]:
        assert socket.story == [redact(fact, viewer) for fact in facts]
        own = set(whole.seats[viewer].downcards) if viewer else set()
        assert {card for card in deck if any(f'"{card}"' in str(text) for text in socket.raw)} == in_sight | own

    def is_over(message):
        return message["type"] == "table" and message["table"]["last_hand"] == sockets[0].hand

    for socket in sockets:  # it may have come before the last facts
        assert any(map(is_over, socket.heard)) or socket.until(is_over)


def test_the_next_hand_follows_by_itself(seated):
    sockets = seated(2)
    first = sockets[0].hand
    while act_once(sockets, lambda one: one.answer_to(one.act("fold")) if one.seq > 9 else one.check_or_call()):
        pass
    for socket in sockets:
        socket.until(lambda message, socket=socket: socket.hand > first and bool(socket.to_act))
    assert Hand.objects.get(pk=sockets[0].hand).number == 2
    assert sockets[0].said("facts")[-1]["number"] == 2


@pytest.mark.parametrize(
    "room", [pytest.param("processes apart", marks=[pytest.mark.postgres, pytest.mark.redis])], indirect=True
)
def test_the_channel_layer_carries_ids_and_numbers_and_nothing_else(seated, overheard):
    sockets = seated(2)
    while act_once(sockets):
        pass
    told = [msgpack.unpackb(message) for message in overheard]
    nudges = [message for message in told if message["type"] == "nudge"]
    # How many there are is left open: one that still waits is replaced by a newer one that says as much.
    assert sockets[0].hand in {message["hand"] for message in nudges}
    for message in [message for message in told if message not in nudges]:
        # A page's topic, the digest of a session that ended, or a process that asks whether the layer is up.
        assert message.keys() - {"type", "from"} in ({"topic"}, {"session"}, set())
    for message in nudges:
        assert message.keys() == {"type", "from", "table", "hand", "seq", "is_table_due"}
        assert all(isinstance(message[name], int) for name in message.keys() - {"type", "from"})


def test_whoever_comes_back_finds_the_hand_as_everybody_else_sees_it(seated, watch):
    sockets = seated(3)
    gone = sockets[0]
    act_once(sockets)
    before, cards = gone.seq, gone.folded.seats[1].downcards
    gone.break_off()
    ahead = sockets[1]
    ahead.until_turn()
    if ahead.to_act != 1:
        ahead.until_at(ahead.hand, sockets[ahead.to_act - 1].check_or_call()["seq"])
    gone.open()
    assert gone.until_type("snapshot")["you"]["seat"] == 1
    gone.until_at(ahead.hand, ahead.seq)
    assert gone.seq >= before
    assert gone.folded.seats[1].downcards == cards
    assert gone.clock["deadline"] == ahead.clock["deadline"]
    assert watch(gone.table, gone.user).until_at(gone.hand, gone.seq).story == gone.story


def test_a_snapshot_describes_every_game(open_table, watch):
    assert watch(open_table()).until_type("snapshot")["games"] == DESCRIBED


def test_catching_up_brings_what_came_after_and_from_nowhere_a_snapshot(seated):
    socket, _ = seated(2)
    story = list(socket.story)
    for after in (3, socket.seq):
        socket.say({"type": "catch_up", "hand": socket.hand, "after": after})
        answer = socket.until_type("facts")
        assert [seq for seq, _, _ in answer["facts"]] == list(range(after + 1, socket.seq + 1))
    for asked in ({}, {"hand": 1, "after": 10**6}, {"hand": 10**12, "after": 0}):
        socket.say({"type": "catch_up", **asked})
        assert (socket.until_type("snapshot")["hand"], socket.story) == (socket.hand, story)


def actor_and_other(sockets):
    actor = sockets[sockets[0].to_act - 1]
    return actor, next(socket for socket in sockets if socket is not actor)


def test_what_may_not_be_done_is_refused_and_changes_nothing_and_what_may_is_told(seated, watch, somebody):
    actor, other = actor_and_other(seated(2))
    elsewhere, _ = actor_and_other(seated(2))
    stranger, rail = watch(actor.table, somebody()).until_turn(), watch(actor.table).until_turn()
    assert rail.you == {"seat": None, "name": None, "state": None, "top_up_queued": 0}
    for socket, action, given, status, code in (
        (actor, "shove", {}, 400, "no-such-action"), (actor, "bring-in", {"seq": actor.seq - 1}, 409, "stale"),
        (other, "fold", {}, 409, "not-your-turn"), (rail, "fold", {}, 401, "not-logged-in"),
        (elsewhere, "bring-in", {"hand": actor.hand, "seq": actor.seq}, 404, "no-such-hand"),
        (stranger, "fold", {}, 403, "not-in-hand"),
    ):  # fmt: skip
        refusal = socket.answer_to(socket.act(action, **given))
        assert (refusal["type"], refusal["status"], refusal["code"]) == ("refused", status, code)
    rail.say({"type": "sit_out"})
    assert rail.until_type("refused")["status"] == 401
    refusal = actor.answer_to(actor.act("raise", 17))
    assert (refusal["type"], refusal["status"]) == ("refused", 422)
    assert all((refusal["rule"], refusal["message"]))
    assert Table.objects.get(pk=actor.table).seq == actor.seq
    answer = actor.answer_to(actor.act("bring-in"))
    assert answer["type"] == "done"
    assert other.until_at(actor.hand, answer["seq"]).story[9 - 1].kind == "bring-in-posted"


def test_a_repeated_command_gets_its_first_answer_and_happens_once(seated):
    sockets = seated(2)
    actor, _ = actor_and_other(sockets)
    hand, seq = actor.hand, actor.seq
    first = actor.answer_to(actor.act("bring-in", command_id="once"))
    assert actor.answer_to(actor.act("bring-in", command_id="once", seq=seq)) == first
    while act_once(sockets):
        pass
    long_after = actor.answer_to(actor.act("bring-in", hand=hand, seq=seq, command_id="once"))
    assert (long_after["type"], long_after["seq"]) == ("done", first["seq"])
    assert [fact.kind for fact in table_journal.facts(hand)].count("bring-in-posted") == 1


def test_sitting_down_and_leaving_change_what_the_players_own_socket_is(open_table, watch, somebody):
    table, player = open_table(), somebody()
    socket = watch(table, player)
    assert socket.until_type("snapshot")["you"]["seat"] is None
    seats.sit(table_id=table.pk, by=player, number=3, buy_in=500, now=timezone.now())
    sat = socket.until(lambda message: message["type"] == "snapshot" and message["you"]["seat"] == 3)
    assert [seat["number"] for seat in sat["table"]["seats"] if seat["you"]] == [3]
    seats.leave(table_id=table.pk, by=player, now=timezone.now())
    assert socket.until(lambda message: message["type"] == "snapshot")["you"]["seat"] is None


def test_sitting_out_and_coming_back(seated):
    socket, other = seated(2)
    socket.say({"type": "sit_out", "command_id": "rest"})
    assert socket.answer_to("rest")["type"] == "done"
    other.until(lambda _: other.view["seats"][0]["state"] == "sitting-out")
    socket.say({"type": "sit_out"})
    assert socket.until_type("refused")["code"] == "already-out"
    socket.say({"type": "come_back", "command_id": "rested"})
    assert socket.answer_to("rested")["type"] == "done"
    other.until(lambda _: other.view["seats"][0]["state"] == "playing")


def test_a_player_cuts_the_next_deck_once_its_root_is_told(seated, watch):
    one, two = seated(2)
    one.until_turn()
    root = next(fact for fact in one.story if isinstance(fact, ShuffleCommitted)).next_root
    one.say({"type": "cut", "root": root, "words": "seven", "command_id": "cut"})
    assert one.answer_to("cut")["type"] == "done"
    assert Table.objects.get(pk=one.table).cuts == {"root": root, "cuts": {"1": verify_deal.cut_hash("seven")}}
    rail = watch(one.table).until_turn()
    for socket, words, status, code in (
        (one, "eight", 409, "cut-already"), (rail, "mine", 401, "not-logged-in"), (two, "x" * 201, 400, "malformed"),
    ):  # fmt: skip
        socket.say({"type": "cut", "root": root, "words": words})
        refusal = socket.until_type("refused")
        assert (refusal["status"], refusal["code"]) == (status, code)


def test_nonsense_and_a_flood_are_refused_in_words_and_the_socket_stays_open(open_table, watch):
    table = open_table()
    for message, status, code in (
        ("{", 400, "not-json"), ("", 400, "not-json"), ("[1, 2]", 400, "malformed"), ('"fold"', 400, "malformed"),
        ("{}", 400, "malformed"), ('{"type": 7}', 400, "malformed"), ('{"type": "shove"}', 400, "unknown-type"),
        ('{"type": "act"}', 400, "malformed"),
        ('{"type": "act", "hand": "1", "command_id": "x", "action": "fold"}', 400, "malformed"),
        ('{"type": "act", "hand": 1, "command_id": "x", "action": "fold", "amount": true}', 400, "malformed"),
        ('{"type": "act", "hand": 1, "command_id": "x", "action": "fold", "amount": -5}', 400, "malformed"),
        ('{"type": "act", "hand": 1e30, "command_id": "x", "action": "fold"}', 400, "malformed"),
        ('{"type": "catch_up", "after": "all"}', 400, "malformed"), (b'{"type": "ping"}', 415, "not-text"),
        ('{"type": "ping", "pad": "%s"}' % ("x" * 5_000), 413, "too-large"), ("x" * 200_000, 413, "too-large"),
        ("[" * 4_000, 400, "not-json"),
    ):  # fmt: skip
        nonsense = watch(table)
        nonsense.say(message)
        refusal = nonsense.until_type("refused")
        assert (refusal["status"], refusal["code"], refusal["message"][-1]) == (status, code, "."), message[:80]
        nonsense.say({"type": "ping", "and": "a field nobody asked for"})
        assert nonsense.until_type("pong")
        nonsense.close()
    flood = watch(table)
    flood.until_type("snapshot")
    for _ in range(40):
        flood.say({"type": "ping"})
    answers = [flood.next()["type"] for _ in range(40)]
    assert answers.count("refused") > 5
    assert answers.count("pong") >= 20
    refusal = flood.said("refused")[0]
    assert (refusal["status"], refusal["code"]) == (429, "too-fast")


def test_a_table_that_is_not_there(watch):
    for table in (999_999, "0", "999999999999999999", "9" * 30, "abc"):
        socket = watch(table)
        assert (socket.next()["status"], socket.closing_code()) == (404, 4404)
    german = watch(999_999, headers={"Accept-Language": "de"})
    assert german.next()["message"] == "Diesen Tisch gibt es nicht.", "as the pages of this browser are"


def test_logging_out_closes_the_sockets_of_that_session_and_no_other(room, open_table, somebody, watch):
    table, player = open_table(), somebody()
    here, elsewhere, other = watch(table, player), watch(table, player), watch(table, somebody())
    for socket in (here, elsewhere, other):
        socket.until_type("snapshot")
    here.log_out()
    assert (here.until_type("refused")["status"], here.closing_code()) == (401, 4401)
    for socket in (elsewhere, other):
        socket.say({"type": "ping"})
        assert socket.until_type("pong")
