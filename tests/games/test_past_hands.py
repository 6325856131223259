"""Hands that are over as files and as pictures, with what their reader may see of them and nothing else."""

import asyncio
import random
import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
from PIL import Image

from cardroom.core.web import heavy
from cardroom.core.web.file_answers import file_answer
from games.engine.facts.mistakes import EntryReversed, Ordered
from games.notation.text import hand_as_text
from games.play.own_hands import HandSearch
from games.play.pages.hand_shapes import view_of
from games.play.pages.past_hands import scene
from games.play.pages.story import page_context, results_of
from games.play.past import files, picture
from games.tables.queries import history
from games.tables.queries import shared as links
from games.tables.words import sentence
from tests.support.evening import Evening
from tests.support.hands import THIRD, third
from tests.support.invariants import cards_in
from tests.support.models import HomeGame, Table, User
from tests.support.parts.cardroom import Conflict, NotFound
from tests.support.parts.games import loads, replay, table_journal
from tests.support.parts.stud import DECK, CardsDealt, Hand, HandShown, c
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def played(evening: Evening) -> Evening:
    """A hand in which nobody shows a card, for one of the two folds on fourth street: `stolen`."""
    evening.stolen = evening.table.hand_id
    for action in ("bring-in", "complete", "call"):
        evening.act(action)
    while evening.table.hand_id:
        evening.act("check" if evening.turn.can_check and not evening.turn.call else "fold")
        if evening.table.hand_id and evening.turn.verb:
            evening.act("bet", evening.turn.sizes[0])
    return evening


def story_of(hand: int, viewer) -> history.HandStory:
    return history.hand_story(hand_id=hand, viewer=viewer)


def read(story: history.HandStory, form: str) -> str:
    return files.of_hand(story, form).body.decode()


def test_a_file_holds_the_cards_that_its_reader_may_see(played: Evening) -> None:
    for viewer in (None, played.ann, played.bob):
        story = story_of(played.stolen, viewer)
        known = {card for _, _, fact in story.facts for card in cards_in(fact)}
        hidden = {card for fact in table_journal.facts(played.stolen) for card in cards_in(fact)} - known
        dealt = [fact for _, _, fact in story.facts if isinstance(fact, CardsDealt)]
        for form in files.FORMS:
            actions = read(story, form).replace(story.table.name, "")
            assert not [card for card in hidden if card in actions], form
            assert all(card in actions for fact in dealt for _, card, _ in fact.cards if card)


def test_a_phh_file_replays_to_the_same_stacks_whatever_its_tables_name(played: Evening) -> None:
    story = story_of(played.stolen, played.ann)
    story.table.name = 'Table 😀 "quoted" \\ \x7f é'
    played.deal().play_out()
    for each in (story, story_of(played.table.last_hand_id, played.ann)):
        made = read(each, "phh")
        assert replay(loads(made)[""]).matches
        assert tomllib.loads(made)["table"] == each.table.name
        assert sorted(tomllib.loads(made)["players"]) == ["ann", "bob"]


def test_the_text_is_written_as_other_rooms_write_it(played: Evening) -> None:
    made = read(story_of(played.stolen, played.ann), "txt").splitlines()
    assert made[0].startswith(f"Cardroom Hand #{played.stolen}: 7 Card Stud Limit (15/30) - 2030/01/05 ")
    seats = [f"Seat {number}: {name} (500 in chips)" for number, name in ((1, "ann"), (2, "bob"))]
    assert made[1:4] == [f"Table '{played.table.name}' 8-max", *seats]
    for said in ("*** 3rd STREET ***", "*** 4th STREET ***", "ann: posts the ante 1", "*** SUMMARY ***"):
        assert said in made
    assert any(line.endswith("raises 10 to 15") for line in made)
    assert any(line.startswith("Uncalled bet (15) returned to") for line in made)
    played.deal().play_out()
    whole = read(story_of(played.table.last_hand_id, played.ann), "txt")
    assert all(said in whole for said in ("*** RIVER ***", "*** SHOW DOWN ***", ": shows [", " collected ", "Rake 0"))


def test_a_river_that_all_share_is_written_as_other_rooms_write_it() -> None:
    evening = Evening()
    people = [evening.sit(name, seat) for seat, name in enumerate("abcdefgh", 1)]
    hand = evening.deal().table.hand_id
    evening.play_out()
    made = read(story_of(hand, people[0]), "txt").splitlines()
    (river,) = [line for line in made if line.startswith("*** RIVER ***")]
    card = re.fullmatch(r"\*\*\* RIVER \*\*\* (\[..\])", river)[1]
    assert made[made.index("*** SUMMARY ***") + 2] == f"Board {card}"
    assert not [line for line in made if line.startswith("Dealt to all")]


def test_a_list_of_hands_is_one_file_made_part_by_part(played: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        played.deal().play_out()
    monkeypatch.setattr(files, "_AT_ONCE", 2)
    made = files.of_player(played.ann, "phh")
    parts = list(made.body)
    assert (made.name, len(parts)) == ("hands.phhs", 4)
    hands = loads(b"".join(parts).decode())
    assert list(hands) == ["1", "2", "3", "4"]
    assert all(replay(hand).matches for hand in hands.values())
    monkeypatch.setattr(files, "MOST", 3)
    assert b"".join(files.of_player(played.ann, "txt").body).count(b"Cardroom Hand #") == 3
    assert b"".join(files.of_player(played.ann, "txt", HandSearch(only="tagged")).body) == b""


def test_the_parts_are_sent_one_by_one_by_a_server_of_either_kind(monkeypatch) -> None:
    monkeypatch.setattr(heavy, "_A_PART", 1)
    made = files.File("hands.txt", "text/plain", iter([b"one ", b"two"]))

    async def sent() -> list[bytes]:
        return [part async for part in file_answer(made)]

    assert asyncio.run(sent()) == [b"one ", b"two"]
    assert list(file_answer(replace(made, content=iter([b"one"])))) == [b"one"]


def test_what_cannot_be_a_file_is_refused(played: Evening) -> None:
    whole = story_of(played.stolen, played.ann)
    assert refused(NotFound, "phh or as txt", files.of_hand, whole, "pdf").code == "no-such-form"
    refused(NotFound, "phh or as txt", files.of_player, played.ann, "pdf")
    started, *rest = whole.facts
    story = replace(whole, facts=[(*started[:2], replace(started[2], game="mississippi-stud")), *rest])
    assert "save it as text" in str(refused(NotFound, "no code for", files.of_hand, story, "phh"))
    going_on = story_of(played.deal().table.hand_id, played.ann)
    assert refused(Conflict, "when it is over", files.of_hand, going_on, "phh").code == "hand-in-play"


def test_a_picture_and_a_file_are_the_same_whatever_the_hidden_cards_are(played: Evening, monkeypatch) -> None:
    """The cards that a viewer never saw change faces; what they are sent is the same, byte by byte, and only theirs."""
    whole = table_journal.facts(played.stolen)
    made = {viewer: everything(played.stolen, viewer) for viewer in (None, played.ann, played.bob)}
    assert len({pictures for pictures, _ in made.values()}) == 3
    for viewer, sent in made.items():
        known = {card for _, _, fact in story_of(played.stolen, viewer).facts for card in cards_in(fact)}
        free = [card for card in DECK if card not in known]
        faces = dict(zip(free, random.Random(5).sample(free, len(free)), strict=True))
        other = [fact_with(fact, faces) for fact in whole]
        assert other != whole
        with monkeypatch.context() as patched:
            patched.setattr(table_journal, "facts", lambda hand, other=other: other)
            assert everything(played.stolen, viewer) == sent


def shared(story: history.HandStory) -> list[history.HandStory]:
    """As a link with names shows it, and as one without."""
    return [links.shared_hand(links.link_of(story, has_names=has_names)) for has_names in (True, False)]


def everything(hand: int, viewer) -> tuple[bytes, tuple[str, ...]]:
    story = story_of(hand, viewer)
    return picture.draw(scene(shared(story)[1])), tuple(read(story, form) for form in files.FORMS)


def fact_with(fact, faces: dict[str, str]):
    if isinstance(fact, CardsDealt):
        return CardsDealt(fact.street, tuple((seat, faces.get(card, card), up) for seat, card, up in fact.cards))
    if fact.kind == "deck-shuffled":
        return replace(fact, deck=tuple(faces.get(card, card) for card in fact.deck))
    return fact


def test_a_picture_is_of_the_size_that_links_unfurl_to_and_names_whom_the_link_names(played: Evening) -> None:
    story = story_of(played.stolen, played.ann)
    scenes = [scene(each) for each in shared(story)]
    assert [[seat.name for seat in each.seats] for each in scenes] == [["ann", "bob"], ["Seat 1", "Seat 2"]]
    image = Image.open(BytesIO(picture.draw(scenes[0])))
    assert (image.size, image.format) == ((picture.WIDTH, picture.HEIGHT), "PNG")
    assert picture.draw(scenes[0]) != picture.draw(scenes[1])
    engine = Hand.replay(fact for _, _, fact in story.facts)
    assert scenes[0].pot == f"Pot {sum(seat.total for seat in engine.seats.values()):,}"


def test_one_link_is_one_picture_whatever_the_reader_speaks_and_at_one_address(
    played: Evening, client, settings, tmp_path
) -> None:
    settings.CARDROOM_DRAWN_ROOT = tmp_path
    word = links.link_of(story_of(played.stolen, played.ann), has_names=True)
    played.ann.time_zone, played.ann.language = "Asia/Tokyo", "de"
    played.ann.save()
    pictures = set()
    for language in ("en", "de", "es", "fr", "pt-br", "ja"):
        answer = client.get(f"/hands/shared/{word}.png", headers={"accept-language": language})
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
        pictures.add(answer.content)
    client.force_login(played.ann)
    pictures.add(client.get(f"/hands/shared/{word}.png").content)
    assert len(pictures) == len(list(tmp_path.iterdir())) == 1
    for other in (word.upper(), f"{word[:2]}%20{word[2:]}"):
        assert client.get(f"/hands/shared/{other}.png").status_code == 404


def test_a_link_without_names_hides_hosts_and_uses_the_readers_language(
    played: Evening, every_word_marked: None
) -> None:
    Table.objects.filter(pk=played.pk).update(name="ann’s game")
    HomeGame.objects.create(table=played.table, host=played.ann, word="w", made_at=played.now)
    named, hidden = shared(story_of(played.stolen, played.bob))
    drawn = scene(hidden)
    assert not re.findall(
        r".{0,30}\bann\b.{0,30}", repr((drawn, page_context(hidden)["replay"], view_of(hidden)["table"]))
    )
    assert drawn.title.startswith("~A hand of "), "the page of a hand that is named has the names"
    assert [view_of(hidden)[name] for name in ("id", "number")] == [0, 0]
    assert (view_of(hidden)["table"], hidden.started_at.hour) == ({"id": 0, "name": ""}, 0)
    assert [seat.name for seat in drawn.seats] == ["~Seat 1", "~Seat 2"]
    assert drawn.pot.startswith("~Pot ")
    assert scene(named).title.endswith(" at ann’s game")


def test_a_link_without_names_leaves_out_what_the_floor_wrote_of_a_ruling(played: Evening, monkeypatch) -> None:
    whole = table_journal.facts(played.stolen)
    orders = [Ordered("penalty", 2, "bob again"), EntryReversed(5, "ann was not asked")]
    monkeypatch.setattr(table_journal, "facts", lambda hand: [*whole[:4], *orders, *whole[4:]])
    named, hidden = shared(story_of(played.stolen, played.ann))
    for words in ("bob again", "ann was not asked"):
        assert words in repr(page_context(named))
        assert words not in repr((page_context(hidden), hidden, view_of(hidden)))


def test_a_replay_has_the_faces_of_the_table_unless_its_link_has_no_names(played: Evening) -> None:
    User.objects.filter(pk=played.bob.pk).update(look={"avatar": "07"})
    named, hidden = shared(story_of(played.stolen, played.ann))
    faces = [[seat["avatar"] for seat in page_context(each)["replay"]["seats"]] for each in (named, hidden)]
    assert faces[0][0] == faces[1][0] == faces[1][1] == ""
    assert "avatars/07" in faces[0][1]


@pytest.mark.parametrize("game", ["razz", "stud-eight"])
def test_a_low_hand_that_was_shown_is_told_with_its_cards(game: str) -> None:
    """Of four hands of each game there is a low that wins."""
    evening = Evening(game=game)
    evening.ann = evening.sit("ann", 1)
    evening.sit("bob", 2)
    lows = 0
    for _ in range(4):
        evening.deal().play_out()
        story = story_of(evening.table.last_hand_id, evening.ann)
        by_seat = {fact.seat: fact for _, _, fact in story.facts if isinstance(fact, HandShown)}
        text = read(story, "txt")
        for result in results_of(story):
            if shown := by_seat.get(result.seat):
                lows += bool(shown.low_words)
                assert shown.low_words in result.held
                assert set(shown.low_five) <= set(result.five)
                assert sentence(shown, lambda _: "ann").startswith("ann shows " + (shown.words or "low: "))
                line = next(line for line in text.splitlines() if line.startswith(f"{result.name}: shows"))
                assert line.endswith(f"LO: {shown.low_words})" if shown.low_words else f"({shown.words})")
        assert " with \n" not in text
    assert lows


def test_of_a_void_hand_no_pot_is_told_and_nobody_is_said_to_have_folded() -> None:
    hand = third(dict.fromkeys(THIRD, 500))
    hand.play(c.BringIn(1))
    hand.play(c.Order("void", 0, "fire alarm"))
    names = {seat: f"p{seat}" for seat in THIRD}
    made = hand_as_text(hand.facts, names, number=1, table="T", at=datetime(2030, 1, 5, tzinfo=UTC), seats=8)
    assert "Total pot 0 |" in made
    assert "folded" not in made
    assert "Seat 1: p1 has every chip back" in made
