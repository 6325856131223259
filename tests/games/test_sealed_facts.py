"""Who reads the database, a dump of it or what is said to it reads no card that the room hides."""

from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec
import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from games.engine.cards import DECK
from games.engine.facts import KINDS, RAIL, Sees, redact
from games.engine.facts.play import CallWeighed, DeckShuffled
from games.play.past import sealing
from games.reports import statistics
from tests.support import dumps
from tests.support.dealing import DealerEvening
from tests.support.event_tables import open_event
from tests.support.models import Hand, HandFact, HandResult
from tests.support.parts.cardroom import core_audit, guards, seals
from tests.support.parts.games import table_journal
from tests.support.refusals import refused
from tests.support.settings import POSTGRESQL
from tests.support.unguarded import need_superuser, unguarded

KEYS = {number: f"{number}:{b64encode(bytes([number] * 32)).decode()}" for number in (1, 2, 3)}


def hidden_cards(hand: int) -> set[str]:
    """The cards of a hand that not everybody has seen."""
    seen = dumps.cards_in(" ".join(str(redact(fact, RAIL)) for fact in table_journal.facts(hand)))
    return set(DECK) - seen


def cards_in_database() -> set[str]:
    """The cards that the whole database names."""
    return set().union(*dumps.cards().values())


def hidden_rows(hand: int) -> list[HandFact]:
    hidden = {kind for kind, fact in KINDS.items() if fact.sees is not Sees.ALL}
    return list(HandFact.objects.filter(hand=hand, kind__in=hidden).order_by("seq"))


def rewrite(row: HandFact, **fields) -> None:
    """Write a fact as nobody may: past the guard of its table."""
    guards.lift(connection)
    HandFact.objects.filter(pk=row.pk).update(**fields)
    table_journal.forget()


@pytest.mark.smoke
def test_a_copy_of_the_database_names_no_hidden_card_while_a_hand_runs_and_after(open_table):
    table = open_table()
    for name in ("ann", "bob", "cyd"):
        table.sit(name)
    hand = table.deal().table.hand_id
    assert len(hidden_cards(hand)) > 40
    while table.table.hand_id == hand:
        assert not cards_in_database() & hidden_cards(hand)
        table.act_any()
    assert len(hidden_cards(hand)) > 20
    assert not cards_in_database() & hidden_cards(hand)


@pytest.fixture
def typed() -> DealerEvening:
    """A hand begun with a physical deck among three."""
    evening = DealerEvening(deck="typed")
    for number, name in enumerate("abc", 1):
        evening.sit(name, number)
    evening.start()
    return evening


@pytest.fixture
def onlooker() -> Iterator[psycopg.Connection]:
    """A role that may read no table, and sees what every session says to the database."""
    need_superuser()
    name = connection.settings_dict["NAME"]
    role = sql.Identifier(f"onlooker_{name}")
    address = urlsplit(str(POSTGRESQL.address))._replace(path=f"/{name}").geturl()
    with psycopg.connect(address, autocommit=True) as watching:
        watching.execute(sql.SQL("CREATE ROLE {} IN ROLE pg_read_all_stats").format(role))
        watching.execute(sql.SQL("SET ROLE {}").format(role))
        yield watching
        watching.execute("RESET ROLE")
        watching.execute(sql.SQL("DROP ROLE {}").format(role))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_no_statement_tells_a_role_that_may_read_no_table_a_hidden_card(open_table, onlooker):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        onlooker.execute("SELECT data FROM tables_handfact")
    connection.ensure_connection()
    session = connection.connection.info.backend_pid
    seen, sent = [], []

    def look(execute, statement, params, many, context):
        answer = execute(statement, params, many, context)
        sent.append(f"{statement} {dumps.plain(params)}")  # a digest may spell anything by chance
        seen.extend(onlooker.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [session]).fetchone())
        return answer

    table = open_table()
    for name in ("ann", "bob", "cyd"):
        table.sit(name)
    with connection.execute_wrapper(look):
        hand = table.deal().table.hand_id
        while table.table.hand_id == hand:
            table.act_any()
    hidden = hidden_cards(hand)
    for texts in (seen, sent):
        assert not dumps.cards_in(" ".join(texts)) & hidden
    facts = [text for text in seen if text.startswith("INSERT INTO tables_handfact")]
    assert facts
    for text in facts:
        assert "$1" in text
        assert seals.MARK not in text
        assert "{" not in text


def test_a_physical_deck_that_is_typed_leaves_no_hidden_card_in_the_database(typed):
    typed.type_street(3)
    typed.bet_on()
    typed.type_street(4)
    assert len(hidden_cards(typed.hand)) == 52 - 6
    assert not cards_in_database() & hidden_cards(typed.hand)
    typed.order("void")
    assert not cards_in_database() & hidden_cards(typed.hand)


def test_the_copy_is_searched_everywhere_and_a_card_in_the_clear_is_found(evening):
    hand = Hand.objects.get(pk=evening.table.hand_id)
    card = min(hidden_cards(hand.pk))
    with unguarded():
        Hand.objects.filter(pk=hand.pk).update(funds={"note": [card]})
    assert dumps.cards()["tables_hand"] >= {card}


def test_each_fact_that_somebody_may_not_see_is_sealed_and_every_other_is_not(evening):
    hand = evening.table.hand_id
    evening.play_out()
    for row in HandFact.objects.filter(hand=hand):
        is_hidden = KINDS[row.kind].sees is not Sees.ALL
        assert row.data.startswith("s1:1:" if is_hidden else "{"), row.kind


def test_the_length_of_what_is_sealed_tells_nothing_of_a_call_or_a_wish():
    def length(fact):
        text = msgspec.json.encode(fact).decode()
        return len(seals.seal(text, subject="hand:1", about=f"1:{fact.kind}"))

    assert length(CallWeighed(1, True, "roberts-v4/15.1")) == length(CallWeighed(8, False, None))
    assert {len(seals.seal("x" * count, subject="hand:1", about="")) for count in (1, 64, 128)} == {213}


def test_a_sealed_fact_opens_in_its_own_place_alone(evening):
    row = hidden_rows(evening.table.hand_id)[1]
    place = {"subject": f"hand:{row.hand_id}", "about": f"{row.seq}:{row.kind}"}
    assert "deck" in seals.opened(row.data, **place)
    for other in (
        {"subject": f"hand:{row.hand_id + 1}"},
        {"about": f"{row.seq + 1}:{row.kind}"},
        {"about": f"{row.seq}:card-burned"},
    ):
        refused(seals.NotOpened, seals.opened, row.data, **(place | other))
    changed = row.data[:-8] + ("A" if row.data[-8] != "A" else "B") + row.data[-7:]
    for text in (changed, row.data[:40], "s1:1:", "s1:1:é"):
        refused(seals.NotOpened, seals.opened, text, **place)


def test_the_same_fact_twice_is_never_the_same_text():
    texts = {seals.seal("{}", subject="hand:1", about="1:x") for _ in range(50)}
    assert len(texts) == 50


def test_a_new_key_seals_and_the_earlier_one_opens_what_it_sealed(evening, settings):
    hand = evening.table.hand_id
    settings.CARDROOM_CARDS_KEY = f"{KEYS[2]},{settings.CARDROOM_CARDS_KEY}"
    table_journal.forget()
    evening.play_out()
    assert {seals.number_of(row.data) for row in hidden_rows(hand)} == {"1", "2"}
    table_journal.forget()
    assert core_audit.check() == []


@pytest.mark.django_db(transaction=True)
def test_a_hand_under_a_key_that_the_room_lost_is_refused_and_the_audit_names_it(evening, settings):
    hand = evening.table.hand_id
    settings.CARDROOM_CARDS_KEY = KEYS[3]
    table_journal.forget()
    refusal = refused(seals.NoKey, evening.act, "bring-in")
    assert (refusal.status, refusal.code) == (503, "no-cards-key")
    assert "key 1" in refusal.message
    faults = "\n".join(core_audit.run(only=["sealed facts open"]).faults)
    assert f"fact 1 of hand {hand} is sealed and does not open (there is no key 1)" in faults


def test_a_fact_that_was_exchanged_does_not_open_and_the_audit_names_it(evening):
    hand = evening.table.hand_id
    started, deck = hidden_rows(hand)[:2]
    rewrite(deck, data=started.data)
    refused(seals.NotOpened, table_journal.read, hand)
    faults = "\n".join(core_audit.run(only=["sealed facts open", "open hands stand"]).faults)
    assert f"fact {deck.seq} of hand {hand} is sealed and does not open (it was changed, or moved here)" in faults
    assert f"hand {hand} at table {evening.pk} does not replay" in faults


def test_facts_from_before_are_read_as_they_are_and_noted(evening):
    hand = evening.table.hand_id
    whole = table_journal.facts(hand)
    deck = next(fact for fact in whole if isinstance(fact, DeckShuffled))
    rewrite(hidden_rows(hand)[1], data=msgspec.json.encode(deck).decode())
    assert table_journal.facts(hand) == whole
    evening.act("bring-in")
    report = core_audit.run()
    assert not [fault for fault in report.faults if fault.startswith("sealed facts open")]
    note = f"what is not sealed: 1 facts that not everybody may see are not sealed, the newest in hand {hand}"
    assert note in report.notes


def test_a_room_without_a_key_deals_nothing_and_deals_again_when_it_has_one(open_table, settings):
    table = open_table()
    for name in ("ann", "bob"):
        table.sit(name)
    key, settings.CARDROOM_CARDS_KEY = settings.CARDROOM_CARDS_KEY, ""
    assert table.wake()
    assert table.table.hand_id is None
    assert not Hand.objects.exists()
    assert table.table.wake_at > table.now
    settings.CARDROOM_CARDS_KEY = key
    assert table.deal().table.hand.number == 1


def test_a_dealer_without_a_key_is_refused_and_can_begin_once_there_is_one(typed, settings):
    typed.order("void")
    settings.CARDROOM_CARDS_KEY = ""
    refusal = refused(seals.NoKey, typed.start)
    assert (refusal.status, refusal.code) == (503, "no-cards-key")


def test_an_event_without_a_key_deals_nothing_and_its_director_is_told_why(director, settings):
    (one,) = open_event(3)
    one.seat_bots(3)
    one.release()
    key, settings.CARDROOM_CARDS_KEY = settings.CARDROOM_CARDS_KEY, ""
    assert one.wake()
    assert [(dealt.hand, dealt.code) for dealt in director.said] == [(None, "no-cards-key")]
    settings.CARDROOM_CARDS_KEY = key
    one.release()
    assert one.wake()
    assert one.table.hand_id is not None


def test_what_a_hand_began_with_is_sealed_in_its_result_and_still_counted(open_table):
    table = open_table()
    ann, *_ = [table.sit(name) for name in ("ann", "bob", "cyd")]
    for _ in range(6):
        table.deal().play_out()
    results = HandResult.objects.filter(saw__gt=0)
    assert results.count() == 18
    assert {row.start[:5] for row in results} == {"s1:1:"}
    assert len({len(row.start) for row in results}) == 1
    [stud] = statistics.statistics_of(ann, now=table.now).by_start
    assert sum(row.numbers.hands for row in stud.starts) == 6
    row = results.filter(player=ann).first()
    HandResult.objects.filter(pk=row.pk).update(start=results.exclude(player=ann).first().start)
    [stud] = statistics.statistics_of(ann, now=table.now).by_start
    assert sum(row.numbers.hands for row in stud.starts) == 5


def test_what_hands_began_with_is_sealed_where_it_lay_open(open_table, monkeypatch):
    monkeypatch.setattr(sealing, "_AT_ONCE", 2)
    table = open_table()
    ann, *_ = [table.sit(name) for name in ("ann", "bob", "cyd")]
    table.deal().play_out()
    HandResult.objects.update(start="big-pair")
    assert "what is not sealed: 3 results of hands say openly" in "\n".join(core_audit.run().notes)
    call_command("seal_starts")
    assert {row.start[:5] for row in HandResult.objects.all()} == {"s1:1:"}
    [stud] = statistics.statistics_of(ann, now=table.now).by_start
    assert [row.name for row in stud.starts] == ["Pair of tens or better"]
    assert not [note for note in core_audit.run().notes if "seal_starts" in note]


def test_a_key_is_made_and_a_rotation_keeps_the_earlier_ones(settings, capsys):
    settings.CARDROOM_CARDS_KEY = ""
    call_command("cards_key")
    out, words = capsys.readouterr()
    name, _, first = out.strip().partition("=")
    assert name == "CARDROOM_CARDS_KEY"
    assert list(seals.parse_keys(first)) == [1]
    assert "first key" in words
    settings.CARDROOM_CARDS_KEY = first
    call_command("cards_key")
    out, words = capsys.readouterr()
    second = out.strip().partition("=")[2]
    assert list(seals.parse_keys(second)) == [2, 1]
    assert seals.parse_keys(second)[1] == seals.parse_keys(first)[1]
    assert "keep them" in words
    assert first.partition(":")[2] not in words


@pytest.mark.parametrize("setting", [
    "x", "1:", "0:" + KEYS[1][2:], "1:AAAA", KEYS[1][2:], f"{KEYS[1]},{KEYS[1]}", "one:" + KEYS[1][2:], "1:" + "*" * 44,
])  # fmt: skip
def test_a_setting_that_holds_no_keys_is_refused_without_repeating_them(setting):
    with pytest.raises(ValueError, match="key") as refusal:
        seals.parse_keys(setting)
    assert KEYS[1][2:] not in str(refusal.value)


def test_a_room_without_a_key_says_so_when_it_is_checked(settings):
    assert seals.tell_of_no_key() == []
    settings.CARDROOM_CARDS_KEY = ""
    [warning] = seals.tell_of_no_key()
    assert "no hand is dealt" in warning.msg
