"""House bots: always legal, never a fold for free, no two characters alike, and better than chance."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from games.engine.commands import BringIn, Command, Fold, Wager
from games.engine.ranking import low8_value_of, low_value_of
from games.tables.words import BOT_STRENGTHS, STRENGTHS
from tests.benches import bots
from tests.support.hands import STAKES, by_hand, deal, passive, round_called
from tests.support.invariants import Watch, whole_state
from tests.support.parts.games import PERSONALITIES, Observation, choose, load, observe, share_of_pot, strength_of
from tests.support.parts.stud import DECK, RAIL, Hand, HandConfig, Wagered, parse_cards, redact, value_of
from tests.support.playout import RULEBOOK, options_of, play_out, random_table
from tests.support.refusals import refused
from tests.support.tiers import many
from tests.support.winners import check_winners

STACK = 1_500
#: Those that judge a hand well; a beginner and a casual player are wrong now and then, as they should be.
JUDGES = [key for key, strength in BOT_STRENGTHS.items() if strength in STRENGTHS[2:]]

#: Decides for a seat of the real hand.
Player = Callable[[Hand, int, random.Random], Command]


def bot(personality: str) -> Player:
    """A bot as the service asks it: it is shown the facts as redacted for its seat."""
    return lambda hand, seat, rng: choose(hand=seen_from(hand, seat), seat=seat, personality=personality, rng=rng)


def at_random(hand: Hand, seat: int, rng: random.Random) -> Command:
    return rng.choice(options_of(hand))


def calling_station(hand: Hand, seat: int, rng: random.Random) -> Command:
    return passive(hand)


def seen_from(hand: Hand, seat: int) -> Hand:
    return Hand.replay(redact(fact, seat) for fact in hand.facts)


def begun(players: dict[int, Player], rng: random.Random, game: str) -> Hand:
    """A hand on a shuffled deck."""
    config = HandConfig(
        rulebook=load(RULEBOOK), game=game, stakes=STAKES, stacks=dict.fromkeys(players, STACK),
        dealer=rng.choice(list(players)), deck=tuple(rng.sample(DECK, 52)), scramble=tuple(rng.sample(DECK, 52)),
    )  # fmt: skip
    return Hand.start(config)


def play_to_end(players: dict[int, Player], rng: random.Random, game: str = "seven-card-stud") -> Hand:
    """The same, to its end."""
    hand = begun(players, rng, game)
    while seat := hand.to_act:
        hand.play(players[seat](hand, seat, rng))
    return hand


def dealt(*streets: str, before: Sequence[Command] = (), game: str = "seven-card-stud") -> Hand:
    """Two players on dealt cards. ``streets``: ``"AsAd/Kh 2c7d/3s"`` and then a card for each, such as ``"Td 4c"``;
    the lowcard brings it in, everything else is checked or called, until the last of them is dealt."""
    hand = by_hand({1: STACK, 2: STACK}, game=game)
    for street, cards in enumerate(streets, start=3):
        round_called(hand)
        deal(hand, street, dict(enumerate(cards.replace("/", "").split(), 1)))
    for command in before:
        hand.play(command)
    return hand


def answers(hand: Hand, personality: str, times: int = 20) -> Counter[type[Command]]:
    """What the bot whose turn it is does, asked many times."""
    asked = [bot(personality)(hand, hand.to_act, random.Random(number)) for number in range(times)]
    return Counter(type(command) for command in asked)


@pytest.mark.parametrize("personality", PERSONALITIES)
def test_every_answer_is_legal_and_no_fold_is_for_free(personality: str) -> None:
    asked, hands = 0, many(8, long=90)
    for number in range(hands):
        rng = random.Random(number)
        hand = Hand.start(random_table(rng))

        def ask(hand: Hand, rng: random.Random = rng) -> None:
            nonlocal asked
            if hand.awaits not in ("action", "show"):
                return
            command = bot(personality)(hand, hand.to_act, rng)
            assert command in options_of(hand)
            option = hand.options(hand.to_act)
            assert not (isinstance(command, Fold) and option and option.can_check)
            asked += 1

        play_out(hand, rng, before=ask)
    assert asked > 10 * hands


def test_a_table_of_bots_plays_whole_hands() -> None:
    streets: Counter[int] = Counter()
    personalities = list(PERSONALITIES)
    hands = many(20, long=120)
    for number in range(hands):
        rng = random.Random(number)
        players = {seat: bot(rng.choice(personalities)) for seat in range(1, rng.randint(2, 8) + 1)}
        hand = play_to_end(players, rng)
        Watch([RAIL]).saw(hand.facts)
        check_winners(hand)
        assert hand.is_over
        streets[hand.street] += 1
    # Pots are taken early and late: it looks like a game.
    assert streets[3] < hands * 0.75
    assert streets[7] > hands / 6


def test_the_same_chance_gives_the_same_answer_and_leaves_the_view_alone() -> None:
    hand = Hand.start(random_table(random.Random(5)))
    seen = seen_from(hand, hand.to_act)
    before = whole_state(seen)
    for personality in PERSONALITIES:
        asked = {"hand": seen, "seat": hand.to_act, "personality": personality}
        assert choose(**asked, rng=random.Random(9)) == choose(**asked, rng=random.Random(9))
    assert whole_state(seen) == before


def test_an_unknown_character_or_a_wrong_turn_is_an_error() -> None:
    assert len({character.title for character in PERSONALITIES.values()}) == len(PERSONALITIES) >= 2
    assert all(str(character) == character.title and character.about for character in PERSONALITIES.values())
    hand = dealt("AsAd/Kh 2c7d/3s")
    refused(ValueError, "no personality called 'shark'", bot("shark"), hand, 2, random.Random())
    refused(ValueError, "not the turn of seat 1", bot("rock"), hand, 1, random.Random())


@pytest.mark.parametrize("personality", PERSONALITIES)
def test_two_bots_with_monsters_stop_raising_each_other(personality: str) -> None:
    hand = dealt("AsAd/Ah KsKd/Kh", "Ac Kc", "2s 3d", "4d 5c", "7h 8h")
    while seat := hand.to_act:
        hand.play(bot(personality)(hand, seat, random.Random(3)))
    assert hand.is_over
    assert max(Counter(fact.seat for fact in hand.facts if isinstance(fact, Wagered)).values()) <= 6
    assert min(hand.seats[seat].stack for seat in (1, 2)) > 0


def strength(mine: str, others: str = "4h6cTd8h", dead: str = "") -> float:
    doors = parse_cards(others)
    return strength_of(parse_cards(mine), (*doors, *parse_cards(dead)), doors)


def test_starting_hands_are_ranked_and_lose_value_to_dead_cards_and_higher_doors() -> None:
    best_first = ["9c9d9h", "AsAdJc", "KsKd7c", "JdJc5s", "AsKs4s", "7s7d2c", "Jc9sTd", "AdJc5s", "Qs7d2c"]
    ranked = [strength(cards) for cards in best_first]
    assert ranked == sorted(ranked, reverse=True)
    live, one_gone, both_gone = (strength("JsJd5c", dead=dead) for dead in ("3c3d", "Jc3d", "JcJh"))
    assert live > one_gone > both_gone
    assert strength("9s9d2c", "4h6c7d8h") > strength("9s9d2c", "KhQcAdJh")
    assert strength("Ks9s4s", dead="2c3d5h") > strength("Ks9s4s", dead="2s3s5s") + 0.1
    assert strength("Ts9d8c", "2h3c2d4h") > strength("Ts9d8c", "JhJc7d7h")


def worth_in(game: str, mine: Sequence[str], rng: random.Random) -> float:
    """How good a start is, without the bots: what it wins when it is played out against any other hand."""
    rest = [card for card in DECK if card not in mine]
    won = 0.0
    for _ in range(30):
        drawn = rng.sample(rest, 11)
        hands = (*mine, *drawn[:4]), tuple(drawn[4:])
        halves = [[-low_value_of(hand) for hand in hands]]
        if game == "stud-eight":
            low = [-(low8_value_of(hand) or 10**9) for hand in hands]
            halves = [[value_of(hand) for hand in hands], *([low] if max(low) > -(10**9) else [])]
        won += sum((a > b) + (a == b) / 2 for a, b in halves) / len(halves)
    return won


@pytest.mark.parametrize("game", ["razz", "stud-eight"])
def test_better_starts_of_a_low_game_are_entered_more_often(game: str) -> None:
    rng = random.Random(7)
    starts: list[tuple[float, dict[str, bool]]] = []
    for _ in range(many(160, long=2000)):
        hand = begun(dict.fromkeys(range(1, 6), at_random), rng, game)
        hand.play(BringIn(hand.to_act))
        seat = hand.to_act
        entered = {name: not isinstance(bot(name)(hand, seat, rng), Fold) for name in JUDGES}
        starts.append((worth_in(game, hand.seats[seat].cards, rng), entered))
    starts.sort(key=lambda start: start[0], reverse=True)
    quarter = len(starts) // 4
    quarters = [[entered for _, entered in starts[at * quarter :][:quarter]] for at in range(4)]
    for name in JUDGES:
        best, good, poor, worst = (sum(entered[name] for entered in each) / quarter for each in quarters)
        assert best >= good > poor >= worst, (name, best, good, poor, worst)
        assert best > 0.5
        assert worst < best / 3


@pytest.mark.parametrize("personality", JUDGES)
def test_three_kings_are_no_hand_in_razz_and_three_wheel_cards_are(personality: str) -> None:
    kings = dealt("KsKd/Kh 2c7d/Kc", before=[BringIn(1), Wager(2, 15)], game="razz")
    assert answers(kings, personality, 200) == {Fold: 200}
    wheel = dealt("As2d/3h 5c7d/Kc", before=[BringIn(2)], game="razz")
    assert (wheel.to_act, answers(wheel, personality, 200)[Wager]) == (1, 200)


@pytest.mark.parametrize(("game", "best", "share"), [
    ("seven-card-stud", 2, 0.0), ("razz", 1, 1.0), ("stud-eight", 2, 0.5),
])  # fmt: skip
def test_the_best_board_opens_and_the_share_follows_the_ways_to_win(game, best, share) -> None:
    # Seat 1 has a six low and seat 2 two pairs in sight, which can become no low of eight.
    streets = ("As2d/3h KcKd/Kh", "4c Ks", "6d 9c", "8h 9d", "Jd 9h")
    hand = dealt(*streets[:2], game=game)
    assert hand.to_act == best
    assert [observation(hand, seat).has_best_board for seat in (1, 2)] == [best == 1, best == 2]
    assert share_of(dealt(*streets, game=game), 1) == share


def observation(hand: Hand, seat: int) -> Observation:
    return observe(seen_from(hand, seat), seat, hand.options(hand.to_act))


def share_of(hand: Hand, seat: int = 0) -> float:
    """What a seat expects of the hand; without one, the seat to act."""
    return share_of_pot(observation(hand, seat or hand.to_act), random.Random(1))


def test_a_hand_that_is_beaten_in_sight_folds_and_one_that_cannot_lose_raises() -> None:
    # Seat 2 shows four kings; seat 1 holds a small pair and all its cards.
    beaten = dealt("2s2d/7h 3c5d/Kh", "9c Kd", "Ts Ks", "4h Kc", "Jd 6h", before=[Wager(2, 30)])
    assert (beaten.to_act, share_of(beaten)) == (1, 0.0)
    best = dealt("KsKc/Kh 3c5d/8h", "Kd 2d", "Ts 7s", "4h 9c", "Jd 6h")
    assert best.to_act == 1
    assert share_of(best) > 0.95
    for personality in PERSONALITIES:
        assert answers(beaten, personality) == {Fold: 20}
        assert answers(best, personality)[Wager] >= 18


def test_a_draw_calls_when_the_pot_pays_for_it_and_a_busted_one_does_not() -> None:
    # Four spades on sixth street and a pot of many bets: one more card may come.
    live = dealt("AsQs/9s KdKc/2h", "3s Kh", "4d 8c", "7h Jd", before=[Wager(2, 30)])
    assert live.to_act == 1
    busted = dealt("AsQs/9s KdKc/2h", "3s Kh", "4d 8c", "7h Jd", "2d 9d", before=[Wager(2, 30)])
    assert share_of(live) > 0.1
    assert share_of(busted) < 0.1
    for personality in JUDGES:
        assert answers(busted, personality)[Fold] >= 15


def test_a_share_falls_with_dead_cards_and_strong_opponents() -> None:
    # Seat 1 needs a spade against three kings in sight; then all spades but two are gone.
    seen = observation(dealt("AsQs/9s 3c5d/Kh", "3s Kd", "4d Kc", "7h Jd", before=[Wager(2, 30)]), 1)
    spades = [card for card in seen.unseen if card.endswith("s")]
    poorer = replace(seen, unseen=tuple(card for card in seen.unseen if card not in spades[:-2]))
    assert 0 < share_of_pot(poorer, random.Random(1)) < share_of_pot(seen, random.Random(1)) / 2
    quiet = dealt("JsJd/4h 8c9d/Ah", "5c Kd", "2s 7s")
    keen = dealt("JsJd/4h 8c9d/Ah", "5c Kd", "2s 7s", before=[Wager(2, 30)])
    assert (quiet.to_act, keen.to_act) == (2, 1)
    assert share_of(keen) < share_of(quiet, 1)


def results(
    players: Sequence[str], hands: int, others: Player | None = None, game: str = "seven-card-stud"
) -> dict[str, Counter[str]]:
    """Hands played by these bots (``others`` fill up to six seats), counted for each character."""
    counted: dict[str, Counter[str]] = {name: Counter() for name in players}
    rng = random.Random(11)
    for _ in range(hands):
        names = [*players, *([""] * (6 - len(players)) if others else [])]
        rng.shuffle(names)
        seats = dict(enumerate(names, start=1))
        hand = play_to_end(
            {seat: bot(name) if name else others or at_random for seat, name in seats.items()}, rng, game
        )
        entered = {fact.seat for fact in hand.facts if fact.kind in ("called", "wagered")}  # type: ignore[attr-defined]
        for seat, name in seats.items():
            if name:
                wagers = sum(isinstance(fact, Wagered) and fact.seat == seat for fact in hand.facts)
                won = hand.seats[seat].stack - STACK
                counted[name].update(won=won, entered=seat in entered, wagers=wagers)
    return counted


def test_the_rock_waits_and_the_lively_one_does_not() -> None:
    hands = many(60, long=120)
    counted = results(list(PERSONALITIES), hands)
    assert counted["rock"]["entered"] * 1.4 < counted["lively"]["entered"]
    assert counted["rock"]["wagers"] * 1.5 < counted["lively"]["wagers"]
    assert counted["rock"]["entered"] > hands * 0.15


@pytest.mark.parametrize(("others", "game"), [
    (at_random, "seven-card-stud"), (calling_station, "seven-card-stud"), (at_random, "razz"),
    (at_random, "stud-eight"),
])  # fmt: skip
@pytest.mark.parametrize("personality", PERSONALITIES)
def test_a_bot_wins_from_those_who_do_not_look_at_their_cards(personality: str, others: Player, game: str) -> None:
    assert results([personality], many(30, long=2000), others, game)[personality]["won"] > 0


def test_every_bot_has_a_strength_and_a_stronger_one_wins_from_a_weaker() -> None:
    assert set(BOT_STRENGTHS) == set(PERSONALITIES)
    assert tuple(dict.fromkeys(BOT_STRENGTHS.values())) == STRENGTHS
    won, give = bots.compared("Expert", "Beginner", hands=many(300, long=5_000), seed=7)
    assert won > give, (won, give)
