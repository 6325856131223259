"""Shuffles are committed to before the deal, players cut them, and what is proven is proven to those who saw it."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from cardroom.core import seals
from cardroom.core.errors import Conflict, Forbidden, Invalid, Refusal
from games.engine.facts.play import DeckShuffled, ShuffleCommitted
from games.tables.queries import shared
from tests.support import mistakes, playout
from tests.support.evening import Evening
from tests.support.models import SealedLook, Table, User
from tests.support.parts.games import cutting, dump, history_queries, proofs, shuffling, table_journal, verify_deal
from tests.support.parts.stud import AUDITOR, DECK, RAIL, Fact, Hand, HandConfig, redact
from tests.support.refusals import refused
from tests.support.sealed import open_view
from tests.support.tiers import many

_DECKS = shuffling.decks
VERIFIER = Path(verify_deal.__file__)


@pytest.fixture(autouse=True)
def _decks_of_the_room(_seeded_decks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the cards follow from the secrets, as in the room."""
    monkeypatch.setattr(shuffling, "decks", _DECKS)


@pytest.fixture
def evening(_decks_of_the_room: None) -> Evening:
    """A table with two people and a hand dealt: ann in seat 1, bob in seat 2."""
    table = Evening()
    table.ann, table.bob = table.sit("ann", 1), table.sit("bob", 2)
    return table.deal()


def commitment_and_deck(hand: int) -> tuple[ShuffleCommitted, DeckShuffled]:
    facts = table_journal.facts(hand, upto=3)
    assert isinstance(facts[1], ShuffleCommitted)
    assert isinstance(facts[2], DeckShuffled)
    return facts[1], facts[2]


def proof_of(evening: Evening, viewer: User | None, hand: int = 0) -> dict[str, Any]:
    return proofs.proof_of(history_queries.hand_story(hand_id=hand or evening.table.last_hand_id, viewer=viewer))


def run_verifier(tmp_path: Path, proof: object, *more: str) -> tuple[int, str]:
    """What the program says of a proof, run by itself, as a player runs it."""
    file = tmp_path / "proof.json"
    file.write_text(proof if isinstance(proof, str) else json.dumps(proof))
    program = tmp_path / "verify_deal.py"
    program.write_bytes(VERIFIER.read_bytes())
    done = subprocess.run(
        [sys.executable, "-I", program, file, *more], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


# -- the commitment --------------------------------------------------------------------------------------------------


def test_a_hand_tells_its_root_before_its_first_card_and_that_of_the_next_hand(evening: Evening) -> None:
    first = evening.table.hand_id
    told = [fact.kind for _, fact in history_queries.facts_for(hand_id=first, viewer=None)]
    assert told[:4] == ["hand-started", "shuffle-committed", "deck-shuffled", "antes-posted"]
    evening.play_out().deal()
    (before, _), (now, _) = commitment_and_deck(first), commitment_and_deck(evening.table.hand_id)
    assert (before.was_told_before, now.was_told_before) == (False, True)
    assert now.root == before.next_root
    assert len({before.root, now.root, now.next_root}) == 3


def test_a_room_that_was_killed_deals_the_deck_that_it_had_committed_to(evening: Evening) -> None:
    first = evening.table.hand_id
    evening.play_out()
    table_journal.forget()
    evening.deal()
    (before, kept), (now, dealt) = commitment_and_deck(first), commitment_and_deck(evening.table.hand_id)
    assert (now.root, dealt.secret) == (before.next_root, kept.next_secret)
    assert (dealt.deck, dealt.scramble) == shuffling.decks(dealt.secret, now.root, ())
    table_journal.forget()
    assert evening.engine.deck == dealt.deck


def test_nobody_is_told_a_secret_not_even_with_an_open_view(evening: Evening) -> None:
    evening.play_out()
    hand = evening.table.last_hand_id
    committed_to, kept = commitment_and_deck(hand)
    for viewer in (RAIL, AUDITOR, 1, 2):
        told = json.dumps([(fact.kind, vars_of(redact(fact, viewer))) for fact in table_journal.facts(hand)])
        assert committed_to.root in told
        assert kept.secret not in told
        assert kept.next_secret not in told
    sealed = redact(kept, AUDITOR)
    assert (sealed.deck, sealed.scramble, sealed.secret, sealed.next_secret) == (None,) * 4


def vars_of(fact: Fact) -> list[Any]:
    return [getattr(fact, name) for name in fact.__slots__]


def test_a_hand_after_one_without_a_commitment_begins_anew(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(shuffling, "committed_in", lambda facts: (None, None))
        evening.play_out().deal()
    assert not commitment_and_deck(evening.table.hand_id)[0].was_told_before


def test_a_table_goes_on_with_a_new_deck_when_the_key_of_its_cards_is_lost(evening: Evening, settings: Any) -> None:
    evening.play_out()
    told = commitment_and_deck(evening.table.last_hand_id)[0].next_root
    table_journal.forget()
    settings.CARDROOM_CARDS_KEY = seals.with_new_key("")
    evening.deal()
    now = commitment_and_deck(evening.table.hand_id)[0]
    assert (now.was_told_before, now.root == told) == (False, False)


# -- cuts ------------------------------------------------------------------------------------------------------------


def cut(evening: Evening, player: User, words: str, root: str = "") -> cutting.WaitingCut:
    table = evening.table
    root = root or commitment_and_deck(table.hand_id or table.last_hand_id)[0].next_root
    return cutting.cut(table_id=evening.pk, by=player, root=root, words=words, now=evening.now)


def test_cuts_turn_the_deck_that_was_committed_to_and_are_told_when_the_hand_begins(evening: Evening) -> None:
    secret = commitment_and_deck(evening.table.hand_id)[1].next_secret
    cut(evening, evening.bob, "seven of hearts")
    evening.play_out()
    cut(evening, evening.ann, "Ann’s own")
    evening.deal()
    now, dealt = commitment_and_deck(evening.table.hand_id)
    told = ((1, verify_deal.cut_hash("Ann’s own")), (2, verify_deal.cut_hash("seven of hearts")))
    assert now.cuts == told
    assert dealt.deck == shuffling.decks(secret, now.root, told)[0]
    assert set(dealt.deck) == set(DECK)
    assert dealt.deck != shuffling.decks(secret, now.root, ())[0] != shuffling.decks(secret, now.root, told[:1])[0]


def test_a_cut_counts_for_one_deck_only(evening: Evening) -> None:
    cut(evening, evening.ann, "once")
    evening.play_out().deal()
    assert commitment_and_deck(evening.table.hand_id)[0].cuts
    evening.play_out().deal()
    assert commitment_and_deck(evening.table.hand_id)[0].cuts == ()


def test_who_may_not_cut_is_refused(evening: Evening) -> None:
    made = cut(evening, evening.ann, "mine")
    assert cut(evening, evening.ann, "mine") == made
    assert refused(Conflict, "already", cut, evening, evening.ann, "another").code == "cut-already"
    refused(Forbidden, "no seat", cut, evening, evening.player("cid"), "from the rail")
    refused(Invalid, "1 to 200", cut, evening, evening.bob, "")
    refused(Invalid, "1 to 200", cut, evening, evening.bob, "x" * 201)
    old = commitment_and_deck(evening.table.hand_id)[0]
    for root in (old.root, "0" * 64):
        assert refused(Conflict, "dealt already", cut, evening, evening.bob, "late", root).code == "no-deck-to-cut"
    evening.play_out().deal()
    refused(Conflict, "dealt already", cut, evening, evening.bob, "late", old.next_root)
    assert Table.objects.get(pk=evening.pk).cuts["cuts"] == {"1": made.cut}


# -- proofs ----------------------------------------------------------------------------------------------------------


def test_each_viewer_gets_the_proofs_of_the_cards_they_were_shown_and_of_no_other(evening: Evening) -> None:
    evening.act_any()
    while evening.table.hand_id:
        evening.act("fold") if evening.turn.can_fold else evening.act_any()
    whole = table_journal.facts(evening.table.last_hand_id)
    dealt = {card: (seat, up) for fact in whole if fact.kind == "cards-dealt" for seat, card, up in fact.cards}
    for seat, viewer in ((1, evening.ann), (2, evening.bob), (0, None)):
        proven = {each["card"] for each in proof_of(evening, viewer)["cards"]}
        assert proven == {card for card, (owner, is_up) in dealt.items() if is_up or owner == seat}
    assert proof_of(evening, None) != proof_of(evening, evening.ann)


def test_no_proof_is_given_while_a_hand_is_played_or_of_one_without_a_commitment(evening: Evening) -> None:
    hand = evening.table.hand_id
    assert refused(Conflict, "when the hand is over", proof_of, evening, evening.ann, hand).code == "hand-in-play"
    evening.play_out()
    story = history_queries.hand_story(hand_id=hand, viewer=evening.ann)
    old = [fact for fact in table_journal.facts(hand) if fact.kind != "shuffle-committed"]
    assert proofs.proof_from(old, old) is None
    without = replace(story, facts=[line for line in story.facts if line[2].kind != "shuffle-committed"])
    assert proofs.is_committed(story)
    assert not proofs.is_committed(without)


def test_a_proof_holds_no_salt_and_no_face_of_a_card_that_its_viewer_was_not_shown(evening: Evening) -> None:
    evening.play_out()
    hand = evening.table.last_hand_id
    now, kept = commitment_and_deck(hand)
    opener = shuffling.Opener(now, kept)
    for viewer in (evening.ann, evening.bob, None):
        proof = proof_of(evening, viewer, hand)
        text, shown = json.dumps(proof), {each["card"] for each in proof["cards"]}
        assert shown
        for secret in (kept.secret, kept.next_secret, now.next_root, opener.mixing()["key"]):
            assert secret not in text
        for card in set(DECK) - shown:
            assert opener.card(card)["salt"] not in text
            assert f'"{card}"' not in text


def test_hashes_beside_a_proven_card_cannot_be_guessed(evening: Evening) -> None:
    """Whatever cards lie there: with the salts that a viewer has no hash of another leaf can be made again."""
    proof = proof_of(evening.play_out(), evening.ann)
    beside = {hash for each in proof["cards"] for hash in each["path"]}
    salts = [bytes.fromhex(each["salt"]) for each in proof["cards"]]
    own = {each["leaf"] for each in proof["cards"]}
    for index in set(range(52)) - own:
        for card in DECK:
            for salt in (*salts, b"", bytes(16)):
                assert verify_deal.leaf(index, card.encode() + salt).hex() not in beside


def test_with_other_hidden_cards_a_proof_differs_in_hashes_alone(evening: Evening) -> None:
    """Two hidden cards exchanged: what is left of a proof without its hashes and salts is the same."""
    evening.play_out()
    whole = table_journal.facts(evening.table.last_hand_id)
    told = [redact(fact, 1) for fact in whole]
    hidden = [card for card in whole[2].deck if card not in proofs.seen_in(told)][:2]
    faces = dict(zip(hidden, reversed(hidden), strict=True))
    again = [exchange_cards(fact, faces) for fact in whole]
    assert again != whole
    assert [redact(fact, 1) for fact in again] == told
    assert without_hashes(proofs.proof_from(whole, told)) == without_hashes(proofs.proof_from(again, told))


def exchange_cards(fact: Fact, faces: dict[str, str]) -> Fact:
    def other(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(other(item) for item in value)
        return faces.get(value, value) if isinstance(value, str) else value

    return type(fact)(*(other(getattr(fact, name)) for name in fact.__slots__))


def without_hashes(proof: dict[str, Any] | None) -> dict[str, Any]:
    assert proof is not None
    return proof | {"cards": [{**each, "salt": "", "path": len(each["path"])} for each in proof["cards"]]}


def test_an_auditor_with_an_open_view_gets_the_proof_of_every_card(evening: Evening) -> None:
    evening.play_out()
    hand, auditor = evening.table.last_hand_id, evening.player("aud")
    refused(Refusal, "view", proofs.sealed_file, hand_id=hand, by=auditor)
    open_view(auditor, now=timezone.now())
    proof = json.loads(proofs.sealed_file(hand_id=hand, by=auditor).body)
    dealt = [card for fact in table_journal.facts(hand) if fact.kind == "cards-dealt" for _, card, _ in fact.cards]
    assert sorted(each["card"] for each in proof["cards"]) == sorted(dealt)
    assert not verify_deal.check(proof).faults
    assert SealedLook.objects.get().subject == f"hand:{hand}"


def test_a_shared_hand_without_names_cannot_be_found_by_its_root(evening: Evening) -> None:
    cut(evening, evening.ann, "mine")
    evening.play_out().deal().play_out()
    story = history_queries.hand_story(hand_id=evening.table.last_hand_id, viewer=evening.ann)
    root = commitment_and_deck(story.id)[0].root
    told = [str(shared.shared_hand(shared.link_of(story, has_names=has_names)).facts) for has_names in (True, False)]
    assert [root in each for each in told] == [True, False]
    assert verify_deal.cut_hash("mine") not in told[1]


# -- the program that players run --------------------------------------------------------------------------------------


@pytest.fixture
def record(evening: Evening) -> dict[str, Any]:
    """A proof of bob's, of a hand that ann cut."""
    cut(evening, evening.ann, "my words")
    return proof_of(evening.play_out().deal().play_out(), evening.bob)


def test_the_program_says_that_these_were_the_cards(record: dict[str, Any], tmp_path: Path) -> None:
    code, said = run_verifier(tmp_path, record, "--root", record["root"], "--cut", "my words")
    assert (code, said.splitlines()[-1]) == (
        0, f"These were the cards: all {len(record['cards'])} that you were shown lay where the commitment says.",
    )  # fmt: skip
    assert "Seat 2 (you): " in said
    assert "Cut by seat 1." in said
    assert "Note" not in said


def _swap(proof: dict[str, Any]) -> None:
    one, two = proof["cards"][:2]
    one["card"], two["card"] = two["card"], one["card"]


def _swap_everywhere(proof: dict[str, Any]) -> None:
    """Two cards exchanged wherever they stand, as if they had been dealt so."""
    one, two = proof["cards"][0]["card"], proof["cards"][1]["card"]
    other = {one: two, two: one}
    for each in proof["cards"]:
        each["card"] = other.get(each["card"], each["card"])
    for move in proof["moves"]:
        for dealt in move.get("cards", []):
            dealt[2] = other.get(dealt[2], dealt[2])


def _another_salt(proof: dict[str, Any]) -> None:
    proof["cards"][3]["salt"] = "00" * 16


def _another_root(proof: dict[str, Any]) -> None:
    proof["root"] = shuffling.root_of(shuffling.new_secret())


def _another_place(proof: dict[str, Any]) -> None:
    """A card is said to have been dealt from elsewhere in the deck."""
    free = next(at for at in range(51, 0, -1) if at not in {each["position"] for each in proof["cards"]})
    for move in proof["moves"]:
        for dealt in move.get("cards", []):
            if dealt[2] == proof["cards"][0]["card"]:
                dealt[1] = free
    proof["cards"][0]["position"] = free


def _no_cut(proof: dict[str, Any]) -> None:
    proof["cuts"] = []


def _another_path(proof: dict[str, Any]) -> None:
    path = proof["cards"][0]["path"]
    path[0], path[1] = path[1], path[0]


def _short_path(proof: dict[str, Any]) -> None:
    proof["cards"][0]["path"].pop()


def _unproven(proof: dict[str, Any]) -> None:
    del proof["cards"][0]


def _dealt_out_of_order(proof: dict[str, Any]) -> None:
    """The second card came first: a dealer who deals from the middle of the deck."""
    cards = next(move["cards"] for move in proof["moves"] if move["what"] == "dealt")
    cards[0], cards[1] = cards[1], cards[0]


@pytest.mark.parametrize(
    "tamper",
    [
        *(_swap, _swap_everywhere, _another_salt, _another_root, _another_place, _no_cut, _another_path, _short_path),
        *(_unproven, _dealt_out_of_order),
    ],
)
def test_the_program_finds_what_was_tampered_with(
    record: dict[str, Any], tmp_path: Path, tamper: Callable[[dict[str, Any]], None]
) -> None:
    tamper(record)
    code, said = run_verifier(tmp_path, record)
    assert code == 1
    assert "FAULT: " in said
    assert said.splitlines()[-1] == "This proof does not hold."


def test_the_program_compares_a_proof_with_what_a_player_has_of_their_own(evening: Evening, tmp_path: Path) -> None:
    hand = evening.table.hand_id
    proof = proof_of(evening.play_out(), evening.bob)
    assert run_verifier(tmp_path, proof, "--root", "1" * 64)[0] == 1
    assert run_verifier(tmp_path, proof, "--cut", "I never cut")[0] == 1
    told = [fact for _, fact in history_queries.facts_for(hand_id=hand, viewer=evening.bob)]
    facts = [{"kind": fact.kind, "data": dict(zip(fact.__slots__, vars_of(fact), strict=True))} for fact in told]
    phh = dump(told, {1: "ann", 2: "bob"})
    for name, text in (("hand.json", json.dumps({"facts": facts})), ("hand.phh", phh)):
        (tmp_path / name).write_text(text)
        code, said = run_verifier(tmp_path, proof, "--hand", str(tmp_path / name))
        assert (code, "names no card" in said) == (0, False), said
    card = next(card for card in DECK if card not in {each["card"] for each in proof["cards"]})
    (tmp_path / "hand.phh").write_text(phh.replace(proof["cards"][0]["card"], card))
    assert run_verifier(tmp_path, proof, "--hand", str(tmp_path / "hand.phh"))[0] == 1
    facts[1]["data"]["root"] = "2" * 64
    (tmp_path / "hand.json").write_text(json.dumps({"facts": facts}))
    assert "another commitment" in run_verifier(tmp_path, proof, "--hand", str(tmp_path / "hand.json"))[1]


@pytest.mark.parametrize("text", ["", "[]", "{}", "not JSON", '{"scheme": "cardroom-deal-1"}', "7"])
def test_what_is_no_proof_is_not_read(tmp_path: Path, text: str) -> None:
    code, said = run_verifier(tmp_path, text)
    assert (code, said.partition(":")[0]) == (2, "This cannot be read")


# -- whatever happens in a hand --------------------------------------------------------------------------------------


def bound(config: HandConfig, rng: random.Random) -> HandConfig:
    """The same hand off a deck of the room, cut by up to three players."""
    secret = rng.randbytes(32).hex()
    root = shuffling.root_of(secret)
    cuts = tuple((seat, rng.randbytes(32).hex()) for seat in sorted(rng.sample(range(1, 9), rng.randint(0, 3))))
    deck, scramble = shuffling.decks(secret, root, cuts)
    commitment = ShuffleCommitted(verify_deal.SCHEME, root, True, cuts, shuffling.root_of(rng.randbytes(32).hex()))
    return replace(config, deck=deck, scramble=scramble, commitment=commitment, secrets=(secret, ""))


def check_proofs(hand: Hand) -> set[str]:
    kinds = set()
    for viewer in (RAIL, AUDITOR, *hand.seats):
        told = [redact(fact, viewer) for fact in hand.facts]
        proof = proofs.proof_from(hand.facts, told)
        assert proof is not None
        found = verify_deal.check(json.loads(json.dumps(proof)))
        assert not found.faults, found.faults
        assert set(found.proven) == proofs.seen_in(told)
        kinds |= {move["what"] for move in proof["moves"]}
    return kinds


def test_every_hand_that_the_automatic_dealer_deals_can_be_proven_to_every_viewer() -> None:
    kinds = set[str]()
    for seed in range(many(60, long=1000)):
        rng = random.Random(seed)
        config = bound(replace(playout.random_table(rng), is_hand_dealt=False, is_hand_shown=False), rng)
        hand = Hand.start(config)
        playout.play_out(hand, rng)
        kinds |= check_proofs(hand)
    assert kinds == {"dealt", "burned", "mixed", "common"}


def test_a_hand_with_all_the_mistakes_of_a_dealer_can_be_proven_to_every_viewer() -> None:
    kinds = set[str]()
    for seed in (*range(many(120, long=2000)), 283, 391):  # in these a card dealt too soon is put right, and kept
        rng = random.Random(seed)
        table = mistakes.random_table(rng)
        if table.deck == "system":
            hand = Hand.start(bound(table.config, rng))
            mistakes.play_out(hand, table, rng)
            kinds |= check_proofs(hand)
    assert kinds >= {"dealt", "burned", "mixed", "too-soon", "aside", "kept", "put-right"}
