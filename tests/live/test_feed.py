"""Feed, hub and outbox in this process, with sockets that do as they are told."""

import asyncio
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from cardroom.accounts import tokens
from cardroom.accounts.sessions import SessionStore
from cardroom.realtime import layer
from cardroom.realtime import messages as realtime_messages
from cardroom.realtime.layer import SignedOut
from cardroom.realtime.messages import AT_ONCE, PER_SECOND, Malformed, Pace
from cardroom.realtime.sessions import SessionRegister, digest_of, key_of_token
from games.engine.facts.base import from_json, redact
from games.live import feed, hub
from games.live.feed import TableViewer
from games.live.messages import Nudge, parse
from games.tables import locking
from tests.live import hubs
from tests.live.hubs import PATIENCE
from tests.live.socket import session_of
from tests.support.evening import Evening
from tests.support.models import User
from tests.support.parts.games import table_journal, tables


@pytest.fixture
def evening(transactional_db, settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    table_journal.forget()
    table = Evening()
    table.ann, table.bob = table.sit("ann", 1), table.sit("bob", 2)
    yield table.deal()
    table_journal.forget()


class Line(hubs.End):
    """At a table."""

    def __init__(self, evening, user):
        super().__init__(hub, TableViewer, evening.pk, user)

    async def until_at(self, hand, seq):
        await self.until(lambda line: (line.hand, line.seq) >= (hand, seq))

    @property
    def told(self):
        return [message for message in self.heard if message["type"] in {"snapshot", "facts"}]

    @property
    def hand(self):
        last = self.told[-1]["hand"] if self.told else 0
        return last["id"] if isinstance(last, dict) else last

    @property
    def seq(self):
        return self.told[-1]["seq"] if self.told else 0

    def story(self, hand):
        """What it was told of a hand, folded from the last snapshot on."""
        facts = {}
        for message in self.told:
            of = message["hand"]
            if of == hand:
                facts = facts if message["type"] == "facts" else {}
                facts |= {seq: from_json(kind, data) for seq, kind, data in message["facts"]}
        return [facts[seq] for seq in sorted(facts)]


in_a_loop = partial(hubs.in_a_loop, hub)


def played(evening):
    """Play one action; hand and seq it led to."""
    return evening.table.hand_id, evening.check_or_call().seq


@in_a_loop
async def test_a_slow_reader_holds_up_nobody_and_catches_up_when_reading_again(evening, monkeypatch):
    monkeypatch.setattr(realtime_messages, "MOST_QUEUED", 3)
    hand, seq = await layer.run(where, evening)
    quick, slow = Line(evening, evening.ann), Line(evening, evening.bob)
    for line in (quick, slow):
        await line.until_at(hand, seq)
    slow.gate.clear()
    while await layer.run(lambda: evening.table.hand_id) == hand:
        hand, seq = await layer.run(played, evening)
        await quick.until_at(hand, seq)
    assert slow.viewer.outbox.is_behind
    assert slow.seq < seq
    slow.gate.set()
    await slow.until_at(hand, seq)
    facts = await layer.run(table_journal.facts, hand)
    assert slow.story(hand) == [redact(fact, 2) for fact in facts]
    assert quick.story(hand) == [redact(fact, 1) for fact in facts]
    await slow.until(lambda line: line.heard[-1]["type"] == "table")


@in_a_loop
async def test_news_for_players_go_before_spectators_who_still_wait(evening, monkeypatch):
    monkeypatch.setattr(feed, "RAIL_SECONDS_EACH", 0)
    player, rail = Line(evening, evening.ann), [Line(evening, None) for _ in range(4)]
    before = await layer.run(where, evening)
    for line in (player, *rail):
        await line.until_at(*before)
    positions, known = [], []

    async def act_in_between():
        known.append([line.viewer.seq for line in (player, *rail)])
        if len(known) == 2:
            positions.append(await layer.run(played, evening))
            while not player.feed._woken.is_set():
                await asyncio.sleep(0)

    monkeypatch.setattr(feed, "SLICE", 1)
    monkeypatch.setattr(feed, "give_way", act_in_between)
    (_, start), (hand, first) = before, await layer.run(played, evening)
    for line in (player, *rail):
        await line.until(lambda line: positions and (line.hand, line.seq) >= positions[0])
    second = positions[0][1]
    assert [(seqs[0], sorted(seqs[1:])) for seqs in known[:3]] == [
        (first, [start, start, start, start]),
        (first, [start, start, start, first]),
        (second, [start, start, start, first]),
    ]
    assert sorted(len(line.told) for line in rail) == [2, 2, 2, 3]
    facts = [redact(fact, 0) for fact in await layer.run(table_journal.facts, hand)]
    assert [line.story(hand) for line in rail] == [facts] * 4


@in_a_loop
async def test_spectators_get_quick_news_together_unless_they_have_just_come_or_ask(evening, monkeypatch):
    for name in ("RAIL_SECONDS_EACH", "MOST_RAIL_SECONDS"):
        monkeypatch.setattr(feed, name, 3600)
    player, early = Line(evening, evening.ann), Line(evening, None)
    hand, before = await layer.run(where, evening)
    for line in (player, early):
        await line.until_at(hand, before)
    for _ in range(2):
        hand, last = await layer.run(played, evening)
        await player.until_at(hand, last)
    late = Line(evening, None)
    await late.until_at(hand, last)
    asking = Line(evening, None)
    await asking.until_at(hand, last)
    player.feed.ask(asking.viewer, hand=hand, after=last)
    await asking.until(lambda line: len(line.told) == 2)
    assert early.seq == before
    player.feed._round_at = 0
    player.feed.wake()
    await early.until_at(hand, last)
    assert len(early.told) == 2
    assert early.story(hand) == late.story(hand)


def where(evening):
    table = evening.table
    return table.hand_id, table.seq


@in_a_loop
async def test_a_table_played_in_this_process_is_told_without_a_query(evening, monkeypatch):
    line = Line(evening, evening.ann)
    await line.until_at(*await layer.run(where, evening))
    for name in ("position", "positions"):
        monkeypatch.setattr(locking, name, None)
    for name in ("roll", "new_facts"):
        monkeypatch.setattr(table_journal, name, None)
    for _ in range(3):
        await line.until_at(*await layer.run(played, evening))


@in_a_loop
async def test_a_hand_under_a_key_that_the_room_lacks_is_refused_to_who_comes(evening, settings):
    settings.CARDROOM_CARDS_KEY = ""
    table_journal.forget()
    line = Line(evening, evening.ann)
    await line.until(lambda line: line.heard)
    assert (line.heard[0]["type"], line.heard[0]["code"]) == ("refused", "no-cards-key")


@in_a_loop
async def test_what_both_signal_and_layer_lost_the_heartbeat_finds(evening, monkeypatch):
    monkeypatch.setattr("cardroom.realtime.hubs.HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(hub, "tell", lambda news: None)
    line = Line(evening, None)
    await line.until_at(*await layer.run(where, evening))
    await line.until_at(*await layer.run(played, evening))


@in_a_loop
async def test_a_database_that_is_away_for_a_while_costs_time_only(evening, monkeypatch):
    monkeypatch.setattr("cardroom.realtime.hubs.HEARTBEAT_SECONDS", 0.05)
    calls = []

    def away(*arguments, **options):
        calls.append(arguments)
        raise ConnectionError("the database is away")

    line = Line(evening, evening.ann)
    await line.until_at(*await layer.run(where, evening))
    with monkeypatch.context() as patched:
        patched.setattr(locking, "noted", lambda table: None)
        for name in ("position", "positions"):
            patched.setattr(locking, name, away)
        hand, seq = await layer.run(played, evening)
        async with asyncio.timeout(PATIENCE):
            while len(calls) < 2:
                await asyncio.sleep(0)
    assert line.seq < seq
    await line.until_at(hand, seq)


@in_a_loop
async def test_the_rest_of_a_hand_is_told_before_the_next_one(evening, monkeypatch):
    monkeypatch.setattr(hub, "tell", lambda news: None)  # of both hands it hears at once, when both are over
    first, _ = await layer.run(where, evening)
    line = Line(evening, evening.ann)
    await line.until(lambda line: line.told)
    await layer.run(lambda: evening.play_out().deal())
    hand, seq = await layer.run(where, evening)
    line.feed.nudge(upto=(hand, seq), is_from_here=False)
    await line.until_at(hand, seq)
    assert (line.story(first)[-1].kind, line.story(hand)[0].kind) == ("hand-ended", "hand-started")
    assert [message["type"] for message in line.heard].count("snapshot") == 1


@in_a_loop
async def test_a_seat_taken_over_shows_nothing_of_the_last_players_hand(evening):
    """Whose cards a viewer sees hangs on who was dealt them, not on the seat."""
    hand, _ = await layer.run(where, evening)
    await layer.run(evening.play_out)
    await layer.run(evening.leave, evening.ann)
    heir = await layer.run(evening.sit, "cat", 1)
    line = Line(evening, heir)
    await line.until(lambda line: line.told)
    assert line.heard[0]["you"]["seat"] == 1
    facts = await layer.run(table_journal.facts, hand)
    if line.hand:
        assert line.story(hand) == [redact(fact, 0) for fact in facts]


def test_a_session_or_a_token_that_ended_without_a_word_is_found_out(transactional_db):
    user, now = User.objects.create_user("ann"), timezone.now()
    key = session_of(user).session.session_key
    token, _ = tokens.issue(by=user, name="mine", scopes=["read"], now=now)
    register, ended = SessionRegister(), []
    register.add(key, user.pk, lambda: ended.append("session"))
    register.add(key_of_token(token.pk), user.pk, lambda: ended.append("token"))
    asyncio.run(register.check())
    assert not ended
    SessionStore(key).delete()
    asyncio.run(register.check())
    assert ended == ["session"]
    type(token).objects.filter(pk=token.pk).update(expiry=now - timedelta(seconds=1))
    asyncio.run(register.check())
    assert ended[-1] == "token"


def test_a_session_is_closed_for_all_its_sockets_and_for_no_others():
    register, ended = SessionRegister(), []
    owners = {"ann": ("key-a", 1), "ann too": ("key-a", 1), "bob": ("key-b", 2)}
    sockets = [(*owner, partial(ended.append, name)) for name, owner in owners.items()]
    for socket in sockets:
        register.add(*socket)
    register.end(digest_of("key-a"))
    assert sorted(ended) == ["ann", "ann too"]
    for socket in sockets:
        register.remove(*socket)
    assert (dict(register._ends), dict(register._keys)) == ({}, {})


def test_news_survives_the_layer_and_ones_own_is_passed_over(monkeypatch):
    for news in (Nudge(5, 7, 12), Nudge(5, is_table_due=True), SignedOut("digest")):
        message = layer.encode(news)
        assert layer.decode(message) is None
        assert layer.decode({**message, "from": "elsewhere"}) == news
    assert layer.decode({"type": "nudge", "from": "elsewhere", "seats": 3}) is None
    assert layer.decode({"type": "unheard-of", "from": "elsewhere"}) is None


def test_a_socket_may_send_twenty_messages_at_once_and_twenty_a_second():
    pace = Pace(at=100.0)
    assert [pace.allows(100.0) for _ in range(int(AT_ONCE) + 1)] == [True] * int(AT_ONCE) + [False]
    assert pace.allows(100.0 + 1.5 / PER_SECOND)
    assert not pace.allows(100.0 + 1.5 / PER_SECOND)
    assert [pace.allows(200.0) for _ in range(int(AT_ONCE) + 1)].count(True) == AT_ONCE


def test_a_malformed_command_is_refused_under_its_own_id():
    with pytest.raises(Malformed) as refused:
        parse('{"type": "act", "command_id": "abc", "hand": "seven", "action": "fold"}')
    assert refused.value.command_id == "abc"
    assert "`hand`" in refused.value.message


@in_a_loop
async def test_the_rail_of_a_table_without_spectators_is_told_no_fact_until_it_sits_down(evening):
    def is_told_of(hand, seq):
        return lambda line: any(message["seq"] >= seq and message["hand"] == hand for message in line.told)

    def is_told_nothing(line):
        return line.told and line.told[-1]["hand"] is None and line.told[-1]["facts"] == []

    await layer.run(no_spectators, evening)
    cid = await layer.run(evening.player, "cid")
    ann, rail = Line(evening, evening.ann), Line(evening, cid)
    await ann.until_at(*await layer.run(where, evening))
    await rail.until(is_told_nothing)
    hand, seq = await layer.run(played, evening)
    await ann.until_at(hand, seq)
    assert [message["facts"] for message in rail.told] == [[]]
    await layer.run(evening.sit, cid)
    await rail.until(is_told_of(hand, seq))
    await layer.run(evening.leave, cid)
    await rail.until(is_told_nothing)
    heard = len(rail.told)
    await ann.until_at(*await layer.run(played, evening))
    assert all(message["facts"] == [] for message in rail.told[heard:])


def no_spectators(evening):
    tables.edit(table_id=evening.pk, by=None, has_spectators=False, now=evening.now)
