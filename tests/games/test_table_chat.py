"""The chat of a table: who talks, who reads along, and when it rests."""

from cardroom.realtime import room
from tests.support.evening import Evening
from tests.support.models import Table, User
from tests.support.offers import staff
from tests.support.parts.cardroom import Conflict, Forbidden, NotFound, chat
from tests.support.parts.games import table_chat
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def short() -> Evening:
    """Ann has thirty chips, bob and cec more than they need."""
    evening = Evening(min_buy_in=30)
    evening.ann = evening.sit("ann", 1, 30)
    evening.bob, evening.cec = (evening.sit(name, number, 500) for number, name in ((2, "bob"), (3, "cec")))
    return evening.deal()


def say(evening: Evening, by, text: str = "hello"):
    return table_chat.say(table_id=evening.pk, by=by, text=text, now=evening.now)


def texts(evening: Evening, reader) -> list[str]:
    return [line.text for line in table_chat.lines(table_id=evening.pk, reader=reader)]


def press(evening: Evening) -> None:
    """The player to act puts in what they may."""
    turn = evening.turn
    evening.act("raise", turn.sizes[0]) if turn.sizes and not turn.bring_in else evening.check_or_call()


def test_who_sits_there_talks_and_whoever_may_watch_reads_along(short: Evening) -> None:
    rail, floor = short.player("rail"), staff("floor")
    say(short, short.ann, "good evening")
    say(short, floor, "a new deck")
    refused(Forbidden, "who sit", say, short, rail)
    assert texts(short, rail) == texts(short, short.bob) == ["a new deck", "good evening"]
    chat.say(by=rail, text="in the lobby", now=short.now)
    assert texts(short, rail) == ["a new deck", "good evening"]
    assert [line.text for line in chat.newest(reader=rail)] == ["in the lobby"]
    Table.objects.filter(pk=short.pk).update(has_spectators=False)
    refused(Forbidden, "no spectators", table_chat.lines, table_id=short.pk, reader=rail)
    assert len(texts(short, short.cec)) == 2
    Table.objects.filter(pk=short.pk).update(has_chat=False)
    for do in (lambda: texts(short, short.ann), lambda: say(short, short.ann)):
        assert refused(NotFound, do).code == "no-chat"
    refused(NotFound, table_chat.lines, table_id=0, reader=rail)


def test_it_rests_while_a_player_is_all_in_against_others_who_may_still_act(short: Evening) -> None:
    say(short, short.bob, "before")
    while not any(seat.is_live and not seat.stack for seat in short.engine.seats.values()):
        press(short)
    refusal = refused(Conflict, say, short, short.bob, "fold, and we beat her")
    assert (refusal.code, refusal.rule) == ("chat-rests", table_chat.RULE)
    refused(Conflict, say, short, short.ann)
    refused(Conflict, say, short, staff("dealer"))
    hand = short.table.hand_id
    while short.table.hand_id == hand:
        refused(Conflict, say, short, short.cec)
        short.check_or_call()
    say(short, short.bob, "after")
    assert texts(short, short.ann) == ["after", "before"]


def test_it_does_not_rest_for_a_hand_that_nobody_acts_in_any_more(short: Evening) -> None:
    """One with chips against one without, whose bets are matched: what is said changes nothing."""
    while short.table.hand_id and table_chat.rests(short.table) is False:
        press(short)
    assert table_chat.rests(short.table)
    while short.table.hand_id and short.to_act != short.ann:
        short.act("fold") if short.turn.can_fold and not short.turn.can_check else short.check_or_call()
    assert not table_chat.rests(short.table)


def test_the_topic_of_a_chat_is_told_only_to_those_who_may_read_it(short: Evening) -> None:
    topic, rail, floor = table_chat.place_of(short.pk), short.player("rail"), staff("floor")
    people = [short.ann, rail, floor]

    def followers() -> list[User]:
        held = room.places_held([user.pk for user in people], [topic])
        return [user for user in people if room.refusal(topic, room.Asker(user.pk, places=held[user.pk])) is None]

    assert followers() == people
    Table.objects.filter(pk=short.pk).update(has_spectators=False)
    assert followers() == [short.ann, floor]
    assert isinstance(room.refusal(topic, room.Asker(None)), Forbidden)
    assert isinstance(room.refusal("chat:999999", room.Asker(rail.pk)), Forbidden)
