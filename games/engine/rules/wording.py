"""The texts for a player whose wager is not allowed."""

from __future__ import annotations

from games.engine.errors import Said
from games.engine.facts import play
from games.engine.in_play import HandInPlay
from games.engine.seat import SeatState

_CANNOT = {
    "bets": Said("Seat {seat} cannot bet: {open}"),
    "raises": Said("Seat {seat} cannot raise: {open}"),
    "completes": Said("Seat {seat} cannot complete: {open}"),
}
#: What is open, as a range and as a choice.
_OPEN = {
    "bet": (Said("open is bet {least} to {most}."), Said("open is bet {sizes}.")),
    "raise-to": (Said("open is raise to {least} to {most}."), Said("open is raise to {sizes}.")),
    "complete-to": (Said("open is complete to {least} to {most}."), Said("open is complete to {sizes}.")),
}


def cannot(player: SeatState, verb: str, turn: play.ActionOn) -> Said:
    """The text that ``player`` cannot do what they announced, with what they can do."""
    pattern = _CANNOT.get(verb, Said("Seat {seat} cannot {verb}: {open}"))
    return Said(pattern, seat=player.seat, verb=verb, open=open_now(turn))


def open_now(turn: play.ActionOn) -> Said:
    """Which wagers the seat may make, as the end of a sentence."""
    between, choice = _OPEN[turn.verb]
    if turn.is_range:
        return Said(between, least=turn.sizes[0], most=turn.sizes[-1])
    sizes = str(turn.sizes[0])
    for size in turn.sizes[1:]:
        sizes = Said("{first} or {second}", first=sizes, second=size)
    return Said(choice, sizes=sizes)


def no_wager(hand: HandInPlay, player: SeatState, key: str) -> Said:
    """Why ``player`` may not bet or raise: ``key`` is the point of the rulebook, as ``why_no_wager`` says it."""
    why = {
        "raise_cap": Said("The betting is capped: {raises} raises have been made.", raises=hand.raises),
        "premature_deal": Said("Seat {seat} has seen the last card already.", seat=player.seat),
        "table_stakes": Said("Seat {seat} has only {stack} left.", seat=player.seat, stack=player.stack),
        "short_all_in": Said("The all-in was less than half a bet and reopens nothing for those who have acted."),
        "all_in_showdown": Said("Nobody else has the chips to call any more."),
    }.get(key, Said("No wager is open."))
    return Said("{why} Seat {seat} cannot bet or raise.", why=why, seat=player.seat)
