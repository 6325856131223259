"""Hands: what happened in them for each viewer, and acting in one's turn."""

import json

import pytest

from games.engine.facts.play import CardsDealt, HandShown, HandTabled
from games.tables import journal as table_journal
from games.tables.models.tables import Hand, HandFact
from tests.support.pages import json_of
from tests.web.api.conftest import problem


def facts_answer(client, hand, after=0):
    return json_of(client.get(f"/api/v1/hands/{hand}/facts?after={after}"))


def downcards(hand, seat):
    """The downcards dealt to a seat so far, from the journal itself."""
    dealt = [fact for fact in table_journal.facts(hand) if isinstance(fact, CardsDealt)]
    return {card for fact in dealt for place, card, is_up in fact.cards if place == seat and not is_up}


def cards_in(text):
    """Every card that stands as a word of its own in an answer."""

    def walk(value):
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return {value} if isinstance(value, str) and len(value) == 2 else set().union(*map(walk, inner))

    return walk(json.loads(text))


def order(evening, action="bring-in", **more):
    return {"action": action, "expected_seq": evening.table.seq, "command_id": f"c{evening.table.seq}"} | more


def act(client, evening, action="bring-in", **more):
    return client.post(f"/api/v1/hands/{evening.table.hand_id}/act", order(evening, action, **more))


@pytest.mark.smoke
def test_nobody_is_told_a_downcard_of_another(api, evening):
    hand = evening.table.hand_id
    secret = {1: downcards(hand, 1), 2: downcards(hand, 2)}
    viewers = {0: api(), 1: api(evening.ann), 2: api(evening.bob), 3: api(evening.player("cec"))}
    for seat, client in viewers.items():
        for address in (f"hands/{hand}", f"hands/{hand}/facts", f"tables/{evening.pk}", f"tables/{evening.pk}/seats"):
            seen = cards_in(client.get(f"/api/v1/{address}").content)
            for owner, cards in secret.items():
                assert bool(seen & cards) == (owner == seat and address.startswith("hands")), (seat, owner, address)


def test_a_finished_hand_shows_its_result_and_only_cards_that_were_shown(api, evening):
    hand, sent = evening.table.hand_id, order(evening)
    evening.play_out()
    view = api().get(f"/api/v1/hands/{hand}").json()
    assert (view["is_over"], view["turn"]) == (True, None)
    assert sum(award["amount"] for award in view["awards"]) == sum(seat["put_in"] for seat in view["seats"])
    assert any(seat["shown"] and len(seat["shown"]["five"]) == 5 for seat in view["seats"])
    assert {str(seat["number"]): seat["stack"] for seat in view["seats"]} == Hand.objects.get(pk=hand).stacks
    assert problem(api(evening.ann).post(f"/api/v1/hands/{hand}/act", sent), 409)["code"] == "hand-over"
    shown = {
        fact.seat: set(fact.cards) for fact in table_journal.facts(hand) if isinstance(fact, HandShown | HandTabled)
    }
    assert shown
    for seat, client in ((0, api()), (1, api(evening.ann)), (2, api(evening.bob))):
        seen = cards_in(client.get(f"/api/v1/hands/{hand}/facts").content)
        for owner in (1, 2):
            expected = downcards(hand, owner) if owner == seat else shown.get(owner, set()) & downcards(hand, owner)
            assert seen & downcards(hand, owner) == expected
    evening.leave(evening.ann)
    assert api(evening.sit("cec", 1)).get(f"/api/v1/hands/{hand}").json()["your_seat"] is None, "who took a seat later"


def test_facts_come_from_where_one_left_off_and_never_the_deck(api, evening):
    hand, seq = evening.table.hand_id, evening.table.seq
    whole = facts_answer(api(), hand)
    assert (whole["hand"], whole["seq"], len(whole["facts"])) == (hand, seq, seq)
    assert [fact["seq"] for fact in whole["facts"]] == list(range(1, seq + 1))
    assert whole["facts"][0]["kind"] == "hand-started"
    (deck,) = [fact for fact in facts_answer(api(evening.ann), hand)["facts"] if fact["kind"] == "deck-shuffled"]
    assert deck["data"] == dict.fromkeys(("deck", "scramble", "secret", "next_secret"))
    assert facts_answer(api(), hand, after=seq) == {"hand": hand, "seq": seq, "facts": []}
    evening.act("bring-in")
    assert facts_answer(api(), hand, after=seq)["facts"][0]["kind"] == "bring-in-posted"
    assert facts_answer(api(), hand, after=2**31 - 1)["facts"] == []


def test_a_hand_tells_whose_turn_it_is_and_what_is_legal(api, evening):
    view = api().get(f"/api/v1/hands/{evening.table.hand_id}").json()
    assert (view["street"], view["pot"], view["is_over"], view["seq"]) == (3, 2, False, evening.table.seq)
    assert view["turn"]["seat"] == evening.table.to_act
    assert {choice["action"]: (choice["chips"], choice["amounts"]) for choice in view["turn"]["choices"]} == {
        "bring-in": (5, []),
        "complete": (0, [15]),
    }
    for seat in view["seats"]:
        assert [card["is_up"] for card in seat["cards"]] == [False, False, True]
        assert (seat["stack_before"], seat["stack"], seat["put_in"]) == (500, 499, 1)


def test_a_program_plays_a_hand_and_never_gets_cards_of_other_players(api, evening):
    seen, players = set(), {user: api(user) for user in (evening.ann, evening.bob)}
    hand = evening.table.hand_id
    while evening.table.hand_id == hand:
        client, other = players[evening.to_act], 3 - evening.table.to_act
        choices = client.get(f"/api/v1/hands/{hand}").json()["turn"]["choices"]
        fresh = [choice for choice in choices if choice["action"] not in seen and choice["action"] != "fold"]
        choice = (fresh or [one for one in choices if one["action"] in ("check", "call")])[0]
        seen.add(choice["action"])
        amount = {"amount": choice["amounts"][-1]} if choice["amounts"] else {}
        answer = act(client, evening, choice["action"], **amount)
        assert answer.status_code == 200, (choice, answer.content)
        is_over = evening.table.hand_id is None  # then cards are shown
        assert is_over or not cards_in(answer.content) & downcards(hand, other)
    assert {"bring-in", "raise", "call", "bet", "check"} <= seen


def test_hands_are_listed_newest_first_and_point_at_their_neighbours(api, evening, django_assert_num_queries):
    for _ in range(3):
        evening.deal().act("bring-in")
        evening.act("fold")
        with django_assert_num_queries(2):  # however many there are
            api().get(f"/api/v1/tables/{evening.pk}/hands")
    evening.deal()
    first = api().get(f"/api/v1/tables/{evening.pk}/hands?limit=2").json()
    assert [row["number"] for row in first["results"]] == [3, 2]
    assert first["results"][0]["players"] == ["ann", "bob"]
    second = api().get(first["next"]).json()
    assert ([row["number"] for row in second["results"]], second["next"]) == ([1], None)
    middle = api().get(f"/api/v1/hands/{first['results'][1]['id']}").json()
    assert (middle["previous"], middle["next"]) == (second["results"][0]["id"], first["results"][0]["id"])
    for cursor in (1, 2**31 - 1, 2**31, 2**63 - 1):
        assert api().get(f"/api/v1/tables/{evening.pk}/hands?cursor={cursor}").status_code == 200


def test_a_repeated_action_gets_the_first_answer(api, evening):
    before, hand, client = evening.table.seq, evening.table.hand_id, api(evening.to_act)
    address, sent = f"/api/v1/hands/{hand}/act", order(evening, "complete", amount=15)
    named = {"HTTP_IDEMPOTENCY_KEY": sent.pop("command_id")}
    assert problem(client.post(address, sent), 400)["code"] == "no-command-id"
    two = problem(client.post(address, sent | {"command_id": "l"}, **named), 400)
    assert (two["code"], evening.table.seq) == ("two-keys", before)
    receipt = json_of(client.post(address, sent, **named))
    assert (receipt["hand"], receipt["facts_from"], receipt["seq"]) == (hand, before + 1, evening.table.seq)
    assert receipt["facts"][0]["kind"] == "wagered"
    assert [fact["seq"] for fact in receipt["facts"]] == list(range(before + 1, evening.table.seq + 1))
    for then in ("raise", "fold"):
        evening.act(then)
        count = HandFact.objects.count()
        assert json_of(client.post(address, sent, **named)) == receipt
        assert HandFact.objects.count() == count


def test_a_refused_action_names_the_rule_and_changes_nothing(api, evening):
    before, client = evening.table.seq, api(evening.to_act)
    stale = problem(act(client, evening, expected_seq=before - 1), 409)
    assert (stale["code"], stale["seq"]) == ("stale", before)
    assert "Robert's Rules" in problem(act(client, evening, "complete", amount=16), 422)["rule"]
    assert not cards_in(act(client, evening, "check").content)
    assert evening.table.seq == before
    evening.clock.move_to(evening.table.deadline)
    assert problem(act(client, evening), 409)["code"] == "time-ran-out"
    assert evening.table.seq > before


def test_the_odds_of_a_hand_are_those_of_its_street(api, finished):
    address = f"/api/v1/hands/{finished.hand}/odds"
    [award] = json_of(api().get(f"/api/v1/hands/{finished.hand}"))["awards"]
    # Who lost has seen every card that counts.
    loser = api(finished.bob if award["seat"] == 1 else finished.ann)
    found = json_of(loser.get(address))
    assert [street["street"] for street in found] == [3, 4, 5, 6, 7]
    for street in found:
        assert [seat["seat"] for seat in street["seats"]] == [1, 2]
        assert abs(sum(seat["share"] for seat in street["seats"]) - 1) < 1e-9
    assert found[-1]["is_exact"]
    assert [seat["seat"] for seat in found[-1]["seats"] if seat["share"] == 1] == [award["seat"]]
    assert json_of(loser.get(address)) == found
    word = json_of(loser.get(f"/api/v1/hands/{finished.hand}/links"))["without_names"].split("/")[-2]
    assert json_of(api().get(f"/api/v1/shared-hands/{word}/odds")) == found


def test_a_shared_hand_shows_what_the_player_who_shared_it_sees(api, finished):
    links = json_of(api(finished.ann).get(f"/api/v1/hands/{finished.hand}/links"))
    secret = downcards(finished.hand, 1)
    words = {name: address.split("/")[-2] for name, address in links.items()}
    named, nameless = (json_of(api().get(f"/api/v1/shared-hands/{words[name]}")) for name in links)
    assert [seat["name"] for seat in named["seats"]] == ["ann", "bob"]
    assert [seat["name"] for seat in nameless["seats"]] == ["Seat 1", "Seat 2"]
    for hand in (named, nameless):
        assert secret <= {card["card"] for card in hand["seats"][0]["cards"]}
        assert (hand["previous"], hand["next"]) == (None, None)
    mine = json_of(api(finished.ann).get(f"/api/v1/hands/{finished.hand}"))
    assert [seat["cards"] for seat in named["seats"]] == [seat["cards"] for seat in mine["seats"]]
    for word in ("1-1-1", "1-1-1~wrong", "~", "x" * 300):
        for rest in ("", "/odds"):
            assert problem(api(finished.bob).get(f"/api/v1/shared-hands/{word}{rest}"), 404)["code"] == "no-such-hand"


def test_a_hand_sealed_under_a_key_that_the_room_lacks_is_refused_and_is_no_fault(api, browse, evening, settings):
    hand = evening.table.hand_id
    settings.CARDROOM_CARDS_KEY = ""
    table_journal.forget()
    for answer in (api(evening.ann).get(f"/api/v1/hands/{hand}/facts"), act(api(evening.ann), evening)):
        assert problem(answer, 503)["code"] == "no-cards-key"
    page = browse(evening.ann).get(f"/hands/{hand}/")
    assert page.status_code == 503
    assert "key" in page.content.decode()
