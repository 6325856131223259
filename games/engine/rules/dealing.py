"""The dealer's work: antes, streets, burns, a deck that runs short, and cards that came face up or left the table.

The automatic dealer takes every card off the shuffled stub. At a hand-dealt table the same procedure runs on cards that
the dealer names; only how many cards lie where is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import commands as c
from games.engine.cards import DECK, UNKNOWN, ace_low_key, is_known, low_key, rank_of
from games.engine.errors import Said
from games.engine.facts import play
from games.engine.facts.mistakes import AnteReturned
from games.engine.games import Street
from games.engine.in_play import HandInPlay
from games.engine.ranking import name_of, value_of
from games.engine.rules.betting import able_to_bet, close_round, post_bring_in, shows_pair, start_round
from games.engine.seat import SeatState
from games.engine.stakes import HandConfig

# -- the stub: who gets the next cards, burns, and what is on top ----------------------------------------------------

#: More is no slip of the hand any more.
MOST_BURNED = 2


def receivers(hand: HandInPlay) -> list[int]:
    """The seats that get a card, first to receive first: live hands, and those folded without a wager while the stub
    has enough for all. A folded hand is no player of whom a short deck must take account."""
    players = [p for p in hand.players if (p.is_live or p.is_still_dealt_to) and not p.has_early_last_card]
    if hand.has_skippable and (street := hand.next_street()) is not None:
        stub = dealable(hand) - also_eliminated(hand)
        if stub < burns_due(hand, street) + len(players) * len(street.ups):
            players = [p for p in players if p.is_live]
    return [p.seat for p in players]


def burns_due(hand: HandInPlay, street: Street) -> int:
    """How many cards are burned before ``street``: one or none."""
    return 1 if street.is_burned_for and street.number in hand.rules.burns else 0


def also_eliminated(hand: HandInPlay) -> int:
    """How many cards go out of play besides those dealt too soon; a short stub may have less of them."""
    if not hand.premature:
        return 0
    got = {seat for seat, _, _ in hand.premature}
    more = sum(player.is_live and player.seat not in got and not player.has_early_last_card for player in hand.players)
    return min(more, len(hand.stub))


def checked_burns(hand: HandInPlay, street: Street, burned: int | None) -> int:
    """How many cards the dealer burned before ``street``, ``MOST_BURNED`` at most; None: as the rules have it."""
    due = burns_due(hand, street)
    if burned is not None and not 0 <= burned <= MOST_BURNED:
        message = Said("At most {most} cards can be entered as burned before a street.", most=MOST_BURNED)
        raise hand.refusal("burns", message, "burns")
    return due if burned is None else burned


def held_back(hand: HandInPlay) -> int:
    """How many cards of the deck are never dealt: its last one, where the house has it so."""
    return 1 if hand.point("last_stub_card") == "never" else 0


def dealable(hand: HandInPlay) -> int:
    """Cards that can be dealt off the stub."""
    return len(hand.stub) - held_back(hand)


def plays_common_card_at_once(hand: HandInPlay) -> bool:
    """Whether a stub that does not go round is left as it is, and one common card comes off it."""
    return bool(hand.point("deck_exhaustion") == "common-card")


def cards_left(hand: HandInPlay) -> int:
    """All cards that are in no hand: the stub, the burns, and what a premature deal put out of play."""
    return len(hand.stub) + len(hand.burns) + len(hand.set_aside) + len(hand.premature)


def burn(hand: HandInPlay, street: Street) -> None:
    """One card off the top, face down."""
    hand.emit(play.CardBurned(top_cards(hand, 1)[0], street.number))


def top_cards(hand: HandInPlay, count: int) -> list[str | None]:
    """The next ``count`` cards: off the known stub, else of those nobody has named, else unknown ones."""
    if not count:
        return []
    stub = hand.stub
    if len(stub) >= count and stub[-count] is not None:  # known cards never lie below unknown ones
        return stub[: -count - 1 : -1]
    seen = hand.cards_out().union(stub)
    spare = iter([card for card in hand.deck or () if card not in seen])
    top = [*stub[: -count - 1 : -1], *[None] * count][:count]
    return [next(spare, UNKNOWN) if card is None else card for card in top]


# -- exposed cards ---------------------------------------------------------------------------------------------------


def is_face_up(item: c.Given) -> bool:
    """A card that left the table counts as exposed."""
    return item.is_exposed or item.is_off_table


def faces_of_street(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> list[bool]:
    """Whether each card lies face up. A third card comes down when one before it came up, unless it came up as well;
    when a last card did, others may get theirs up."""
    ups = street.ups
    if not any(is_face_up(item) for item in dealt):
        return [ups[item.place or 0] for item in dealt]
    exposed = {item.seat for item in dealt if is_face_up(item) and not ups[item.place or 0]}
    is_start = street.is_first
    faces = [is_face_up(item) or (ups[item.place or 0] and not (is_start and item.seat in exposed)) for item in dealt]
    if street.has_last_downcard:
        turned = turned_up_too(hand, [(item.seat, up) for item, up in zip(dealt, faces, strict=True)])
        faces = [up or item.seat in turned for item, up in zip(dealt, faces, strict=True)]
    return faces


def turned_up_too(hand: HandInPlay, dealt: Sequence[tuple[int, bool]]) -> list[int]:
    """The seats that get their last card up because somebody else did; ``dealt``: (seat, is up)."""
    exposed = [seat for seat, up in dealt if up and hand.seats[seat].is_able]
    verdict = _verdict_on_last_cards(hand, exposed) if exposed else ""
    live = [player.seat for player in hand.players if player.is_live]
    return {"second-up": live[1:], "all-up": live}.get(verdict, [])


def rule_on_exposure(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> None:
    """The rulings, cause before consequence, and their remedies."""
    for item in dealt:
        if item.is_off_table:
            hand.rule("card_off_table", "exposed", (item.seat,))
    if street.is_first:
        _rule_on_starting_cards(hand, street, dealt)
    elif street.has_last_downcard:
        rule_on_last_cards(hand, [item.seat for item in dealt if is_face_up(item)])


# -- exposed: the first two cards ------------------------------------------------------------------------------------


def _rule_on_starting_cards(hand: HandInPlay, street: Street, dealt: Sequence[c.Given]) -> None:
    for seat in hand.order:
        exposed = _exposures(street, [item for item in dealt if item.seat == seat])
        if not exposed:
            continue
        verdict = hand.point("exposed_downcard")
        if verdict == "misdeal":
            hand.rule("exposed_downcard", "misdeal", (seat,))
            hand.void("misdeal")
            return
        if exposed >= street.downs:
            if hand.point("both_downcards_exposed") == "misdeal":
                hand.rule("both_downcards_exposed", "misdeal", (seat,))
                hand.void("misdeal")
                return
            _kill_exposed(hand, seat)
        else:
            hand.rule("exposed_downcard", verdict, (seat,))


def _exposures(street: Street, own: Sequence[c.Given]) -> int:
    """How many cards of a seat came face up that were due down: an upcard is, once a downcard came face up."""
    face_up = [street.ups[item.place or 0] for item in own if is_face_up(item)]
    return 0 if all(face_up) else len(face_up)


def _kill_exposed(hand: HandInPlay, seat: int) -> None:
    """Both downcards up: the hand is dead and its ante goes back."""
    hand.rule("both_downcards_exposed", "dead-hand", (seat,))
    hand.emit(play.HandKilled(seat))
    if hand.seats[seat].total:
        hand.emit(AnteReturned(seat, hand.seats[seat].total))


# -- exposed: the last card ------------------------------------------------------------------------------------------


def rule_on_last_cards(hand: HandInPlay, exposed: Sequence[int]) -> None:
    live = [seat for seat in exposed if hand.seats[seat].is_live]
    for seat in live:
        if not hand.seats[seat].is_able:
            hand.rule("all_in_final_faceup", "kept", (seat,))
    seats = tuple([seat for seat in live if hand.seats[seat].is_able])
    if not seats:
        return
    hand.rule("final_card_faceup", _verdict_on_last_cards(hand, seats), seats)


def _verdict_on_last_cards(hand: HandInPlay, exposed: Sequence[int]) -> str:
    """What becomes of last cards face up; ``exposed``: whose they are, of those who can still bet."""
    point = hand.point("final_card_faceup")
    if able_to_bet(hand) < 2:
        return "kept"
    if hand.live > 2:
        return str(point["three_or_more"])
    first = next(player.seat for player in hand.players if player.is_live)
    return str(point["first_of_two"] if first in exposed else point["second_of_two"])


# -- antes -----------------------------------------------------------------------------------------------------------


def post_antes(hand: HandInPlay, config: HandConfig) -> None:
    """Every seat posts the ante, or what it has; or the button posts one for the whole table, which every hand can win
    whole."""
    is_one_payer = config.antes is None and hand.point("ante") == "button"
    payers = hand.order[-1:] if is_one_payer else hand.order
    due = config.antes or dict.fromkeys(payers, config.stakes.ante)
    antes = tuple([(seat, min(due[seat], hand.seats[seat].stack)) for seat in payers if due[seat]])
    if antes:
        hand.emit(play.AntesPosted(antes, config.are_antes_apart or is_one_payer))


# -- a street --------------------------------------------------------------------------------------------------------


def deal_street(
    hand: HandInPlay,
    street: Street,
    given: Sequence[c.Given] = (),
    common: str | None = None,
    burned: int | None = None,
) -> None:
    """Burn, deal ``street``, and cope with a stub that runs short. ``burned``: so many, whatever the rules say."""
    seats = receivers(hand)
    wanted = sum(not item.is_skipped for item in given) if given else len(seats) * len(street.ups)
    burns = burns_due(hand, street)
    off_the_stub = burns if burned is None else burned
    is_due_in_stub = dealable(hand) >= len(seats) * len(street.ups) + burns
    does_go_round = (len(hand.stub) if is_due_in_stub else dealable(hand)) >= wanted + off_the_stub
    if not seats:
        hand.emit(play.CardsDealt(street.number, ()))  # everybody has kept a last card that came too soon
    elif does_go_round:
        for _ in range(off_the_stub):
            burn(hand, street)
        if given:
            _deal_given(hand, street, given)
        else:
            _deal_off_the_top(hand, street, seats)
    elif is_common_card_due(hand, len(seats)):
        _turn_up_common_card(hand, street, burns, common)
    else:
        _deal_short_deck(hand, street, given or in_turn(seats, street), burns)


def in_turn(seats: Sequence[int], street: Street) -> list[c.Given]:
    """Each of ``seats`` gets the cards of ``street``, one at a time round the table."""
    return [c.Given(seat, place=place) for place in range(len(street.ups)) for seat in seats]


def _deal_off_the_top(hand: HandInPlay, street: Street, seats: Sequence[int]) -> None:
    """The street as it should be: one card at a time, each lying as the game has it."""
    cards = iter(top_cards(hand, len(seats) * len(street.ups)))
    dealt = tuple([(seat, next(cards), is_up) for is_up in street.ups for seat in seats])
    hand.emit(play.CardsDealt(street.number, dealt))


def _deal_given(hand: HandInPlay, street: Street, given: Sequence[c.Given]) -> None:
    """Deal what was given, each card lying as the rules want it; then rule on what was exposed."""
    dealt = [item for item in given if not item.is_skipped]
    _emit_dealt(hand, street, dealt, faces_of_street(hand, street, dealt))
    rule_on_exposure(hand, street, dealt)


def _emit_dealt(hand: HandInPlay, street: Street, dealt: Sequence[c.Given], faces: Sequence[bool]) -> None:
    """The cards of these seats; those that nobody named come off the stub."""
    off_the_top = iter(top_cards(hand, sum(item.card is None for item in dealt)))
    named = [next(off_the_top) if item.card is None else item.card for item in dealt]
    cards = tuple([(item.seat, card, up) for item, card, up in zip(dealt, named, faces, strict=True)])
    hand.emit(play.CardsDealt(street.number, cards))


# -- the deck runs short ---------------------------------------------------------------------------------------------


def is_common_card_due(hand: HandInPlay, needed: int) -> bool:
    """Whether stub, burns and cards set aside together cannot give ``needed`` cards; where nothing is mixed again,
    whether the stub alone cannot."""
    street = hand.next_street()
    if plays_common_card_at_once(hand) and street is not None:
        return dealable(hand) - also_eliminated(hand) < needed + burns_due(hand, street)
    return cards_left(hand) - held_back(hand) < needed


def _turn_up_common_card(hand: HandInPlay, street: Street, burns: int, common: str | None) -> None:
    """All that is left is mixed, unless the house leaves the stub as it is; one is burned and one turned up for
    everybody. The only one that can be dealt is not burned."""
    if cards_left(hand) <= held_back(hand):
        hand.emit(play.NoCardLeft(street.number))
        return
    hand.rule("deck_exhaustion", "common-card", ())
    if not plays_common_card_at_once(hand) or dealable(hand) < 1:
        _remix(hand, list(hand.stub[::-1]))
    if dealable(hand) > burns:
        for _ in range(burns):
            burn(hand, street)
    hand.emit(play.CommonCardDealt(common or top_cards(hand, 1)[0], street.number))


def _remix(hand: HandInPlay, left: list[str | None]) -> None:
    """``left`` (the rest of the stub), the burns and the cards set aside become a new stub, in the order of the second
    shuffle."""
    mixed = [*left, *hand.burns, *hand.set_aside]
    if hand.scramble is not None and all(is_known(card) for card in mixed):
        mixed.sort(key=hand.scramble.index)
    else:
        mixed = [None] * len(mixed)
    hand.emit(play.StubRemixed(tuple(mixed)))


def dealt_before_mixing(hand: HandInPlay, burns: int, wanted: int) -> int:
    """How many of ``wanted`` cards come off a short stub before it is mixed with the burns."""
    how, stub = hand.point("deck_exhaustion"), len(hand.stub) - also_eliminated(hand)
    if how == "remix" and stub > 1:
        return stub - burns - 1
    return max(0, min(stub - held_back(hand), wanted)) if how == "burns-without-burn" else 0


def _deal_short_deck(hand: HandInPlay, street: Street, given: Sequence[c.Given], burns: int) -> None:
    """Stub and burns together go round: how they are mixed is the rulebook's."""
    how = hand.point("deck_exhaustion")
    given = [item for item in given if not item.is_skipped]
    faces = faces_of_street(hand, street, given)
    burns_again = how != "burns-without-burn" and burns > 0 and cards_left(hand) - held_back(hand) - burns >= len(given)
    hand.rule("deck_exhaustion", "remixed" if burns_again else "no-burn", ())
    first = dealt_before_mixing(hand, burns, len(given))
    if how == "remix" and len(hand.stub) > 1:
        for _ in range(burns):
            burn(hand, street)
    if first:
        _emit_dealt(hand, street, given[:first], faces[:first])
    if given[first:]:
        _remix(hand, list(hand.stub[::-1]))
        for _ in range(burns if burns_again else 0):
            burn(hand, street)
        _emit_dealt(hand, street, given[first:], faces[first:])
    rule_on_exposure(hand, street, given)


# After a deal: what the dealer announces, who opens the betting, and which limits are in force.


_KNOWN_DECK = frozenset(DECK)


def after_deal(hand: HandInPlay) -> bool:
    """Announce what shows, then open the betting, if two can bet and the opener can be seen. True when the street is
    over without betting."""
    if hand.is_over:
        return False
    _announce_boards(hand)
    _kill_absent(hand)
    if not hand.live:
        hand.end()  # every hand was killed by two exposures, and every ante is back
        return False
    if hand.live == 1:
        return True
    street = hand.game.by_number[hand.street]
    if able_to_bet(hand) < 2 or not street.has_betting or _is_without_cards(hand):
        close_round(hand)
        return True
    live = [p for p in hand.players if p.is_live]
    if all(None not in p.upcards and UNKNOWN not in p.upcards for p in live) and all(map(is_known, hand.common)):
        dead_low = _dead_lowcard(hand) if _owes(hand) else 0
        return open_betting(hand, hand.seats[dead_low] if dead_low else who_opens(hand))
    return False


def _is_without_cards(hand: HandInPlay) -> bool:
    """The street came and went without a card, so there is nothing to bet on."""
    return isinstance(hand.facts[-1], play.NoCardLeft)


# -- who opens -------------------------------------------------------------------------------------------------------


def who_opens(hand: HandInPlay) -> SeatState:
    """The lowcard on third street (razz: the highest), the best board later (razz: the lowest). Equal boards: the first
    to receive cards, who comes first in ``players``. A hand that shows nothing opens only where none does."""
    live = [p for p in hand.players if p.is_live]
    live = [p for p in live if p.upcards] or live[:1]
    if len(live) == 1:
        return live[0]
    if hand.game.by_number[hand.street].opens == "board":
        boards = hand.board_values()
        return max(live, key=lambda player: boards[player.seat])
    if hand.started.bring_in:
        return lowcard(hand, live)
    if hand.game.opens == "low":
        return min(live, key=lambda player: ace_low_key(_door(player)) // 4)
    return max(live, key=lambda player: rank_of(_door(player)))


def lowcard(hand: HandInPlay, live: Sequence[SeatState]) -> SeatState:
    """Whose door card owes the forced bet."""
    if hand.game.brings_in == "highest":
        return max(live, key=lambda player: ace_low_key(_door(player)))
    return min(live, key=lambda player: low_key(_door(player)))


def _door(player: SeatState) -> str:
    card = player.upcards[0]
    return card if card is not None else UNKNOWN


def _owes(hand: HandInPlay) -> bool:
    """Whether the first bet of this street is forced."""
    return hand.is_on_first_street and hand.started.bring_in > 0


def is_killed_absent(hand: HandInPlay, player: SeatState) -> bool:
    """Whether the hand died because its player is away: it owes its forced bet all the same."""
    killed = [ruling for ruling in hand.rulings("absent_player") if ruling.verdict == "killed"]
    return player.is_absent and any(player.seat in ruling.seats for ruling in killed)


def open_betting(hand: HandInPlay, named: SeatState) -> bool:
    """Announce the lowcard or high hand, settle the limits, and give the opener the turn. Where ``named`` is a dead
    hand, or has no chips, the first to its left starts. True when the street is over without a choice."""
    owes = _owes(hand)
    posts_dead = owes and not named.is_live and named.stack > 0 and is_killed_absent(hand, named)
    opener = named.seat
    if owes and not named.is_live and not posts_dead:
        hand.rule("dead_hand_lowcard", "left-opens", (named.seat,))
        opener = _first_able_after(hand, named.seat)
    else:
        _announce_opener(hand, named, owes)
        if not named.is_able and not posts_dead:
            if owes:
                hand.rule("ante_all_in_lowcard", "left-opens", (named.seat,))
            opener = _first_able_after(hand, opener)
    hand.emit(play.RoundOpened(hand.street, named.seat, opener, _limits(hand), owes))
    if owes and (named.is_live or posts_dead):
        _kill_absent_lowcard(hand)
        if hand.live == 1:
            return True
    return start_round(hand, opener)


def _announce_opener(hand: HandInPlay, named: SeatState, owes: bool) -> None:
    if owes and named.upcards:
        door = _door(named)
        which = "low" if hand.game.brings_in == "lowest" else "high"
        hand.emit(play.Announced("lowcard", named.seat, f"{door} is {which}" if is_known(door) else ""))
        return
    if hand.game.opens == "low":
        board = [card for card in (*named.upcards, *hand.common) if card is not None and is_known(card)]
        hand.emit(play.Announced("low-hand", named.seat, "".join(card[0] for card in board)))
    else:
        value = hand.board_values().get(named.seat)
        hand.emit(play.Announced("high-hand", named.seat, name_of(value) if value else ""))


def _dead_lowcard(hand: HandInPlay) -> int:
    """The seat of a hand dead by two exposures whose first card would have been low; 0 if there is none."""
    doors = [_door(p) for p in hand.players if p.is_live and p.upcards]
    dead = {
        seat: hand.seats[seat].upcards[0]
        for ruling in hand.rulings("both_downcards_exposed")
        for seat in ruling.seats
        if not hand.seats[seat].is_live
    }
    first = {seat: card for seat, card in dead.items() if card is not None and is_known(card)}
    if not first or not doors or not all(map(is_known, doors)):
        return 0
    if hand.game.brings_in == "highest":
        seat = max(first, key=lambda each: ace_low_key(first[each]))
        return seat if ace_low_key(first[seat]) > max(map(ace_low_key, doors)) else 0
    seat = min(first, key=lambda each: low_key(first[each]))
    return seat if low_key(first[seat]) < min(map(low_key, doors)) else 0


def _first_able_after(hand: HandInPlay, seat: int) -> int:
    after = hand.following[seat]
    while not hand.seats[after].is_able:
        after = hand.following[after]
    return after


def _limits(hand: HandInPlay) -> tuple[int, ...]:
    """The limits of the street: on fourth street with an open pair both of them. Without fixed limit the least bet."""
    started = hand.started
    if not hand.is_fixed_limit:
        return (started.min_bet,)
    small, big = started.small_bet, started.big_bet
    street = hand.game.by_number[hand.street]
    if street.has_open_pair_choice and hand.rules.has_open_pair_choice and big > small:
        pairs = tuple([p.seat for p in hand.players if p.is_live and shows_pair(p)])
        if pairs:
            hand.rule("open_pair_fourth", "either-limit", pairs)
            return (small, big)
    return (big if street.limit else small,)


# -- absent players in a tournament ----------------------------------------------------------------------------------


def _kill_absent(hand: HandInPlay) -> None:
    """A tournament kills every absent hand once all have their starting cards; where the lowcard is among them that
    waits for its forced bet."""
    live = [p for p in hand.players if p.is_live]
    if not _kills_absent(hand) or not all(is_known(card) for p in live for card in p.upcards):
        return
    opener = who_opens(hand)
    posts = hand.started.bring_in > 0 and able_to_bet(hand) > 1 and not _dead_lowcard(hand)
    if not posts or not opener.is_absent:
        hand.kill_absent(_to_kill(hand, opener))


def _kill_absent_lowcard(hand: HandInPlay) -> None:
    """The forced bet of an absent lowcard is posted and opens; then it and every other absent hand are killed."""
    named = hand.seats[hand.named]
    absent = _to_kill(hand, named if named.is_live else who_opens(hand)) if _kills_absent(hand) else []
    is_due_now = bool(absent) or not named.is_live
    if is_due_now and named.is_absent and named.stack and hand.owes_bring_in:
        post_bring_in(hand, named.seat)
    hand.kill_absent(absent)


def _kills_absent(hand: HandInPlay) -> bool:
    return hand.is_on_first_street and hand.rules.absent_killed == "after-starting-hand"


def _to_kill(hand: HandInPlay, opener: SeatState) -> list[int]:
    """Absent hands that die with the starting hands; if everybody is away, all but the one that opens.

    Chance must name the one that stays: by order of seats the same antes would go to and fro as the button moves."""
    live = [p for p in hand.players if p.is_live]
    absent = [p.seat for p in live if p.is_absent]
    return absent if len(absent) < len(live) else [seat for seat in absent if seat != opener.seat]


# -- announcements ---------------------------------------------------------------------------------------------------


def _announce_boards(hand: HandInPlay) -> None:
    """Pairs that the last card made; in low-stakes games also possible straights and flushes."""
    if hand.is_on_first_street:
        return
    started = hand.started
    small = started.small_bet or started.min_bet
    low_stakes = dict(started.choices).get("low_stakes", small < hand.rules.low_stakes_below)
    for seat, card, is_up in hand.street_cards:
        player = hand.seats[seat]
        if not is_up or not player.is_live or card not in _KNOWN_DECK:
            continue
        same = [other for other in player.upcards if other is not None and other[0] == card[0]]
        if len(same) > 1:
            hand.emit(play.Announced("pair", player.seat, name_of(value_of(same))))
        if low_stakes:
            _announce_possible(hand, player)


def _announce_possible(hand: HandInPlay, player: SeatState) -> None:
    ups = [card for card in player.upcards if card is not None and card in _KNOWN_DECK]
    if len(ups) < 3:
        return
    if len({card[1] for card in ups}) == 1:
        hand.emit(play.Announced("flush", player.seat, "possible flush"))
    ranks = {rank_of(card) for card in ups}
    wheel = {1 if rank == 14 else rank for rank in ranks}
    if len(ranks) == len(ups) and min(max(ranks) - min(ranks), max(wheel) - min(wheel)) <= 4:
        hand.emit(play.Announced("straight", player.seat, "possible straight"))
