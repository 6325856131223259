"""Players who may buy again when their last chips are gone, and those for whom a rebuy is bought at once."""

from collections.abc import Sequence
from datetime import datetime

from cardroom.core.arguments import RowId
from cardroom.core.errors import Forbidden, Illegal, NotEnoughChips
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events import terms as event_terms
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.terms import option
from tournaments.registration import registration
from tournaments.registration.buying import buy_held
from tournaments.registration.registration import Purse

#: How long a player may decide whether to buy again, where the event does not say (option `rebuy_seconds`).
SECONDS = 20


AUTOMATIC = "automatic_rebuys"


@verb("registration.ask_for_rebuys")
def set_automatic(*, tournament_id: RowId, player: User, on: bool) -> None:
    """Turn automatic rebuys of this player on or off: one is bought whenever their last chips are gone.

    Refuses: `NotFound`, `Illegal` (the event sells no chips, the player is not in it).
    """
    with playing.holding(tournament_id) as locked:
        if locked.row.conduct != Tournament.Conduct.ONLINE:
            raise Illegal("no-rebuy", "In the room rebuys are bought at the table or the desk.")
        if playing.opened_event(locked).engine.config.rebuy is None:
            raise Illegal("no-rebuy", "This tournament is played without rebuys.")
        if player.pk not in locked.state.players:
            raise Illegal("not-entered", "You are not in this tournament.")
        buyers = automatic_buyers(locked.row) - {player.pk} | ({player.pk} if on else set())
        locked.row.options = locked.row.options | {AUTOMATIC: {"event": locked.pk, "players": sorted(buyers)}}
        locked.row.save(update_fields=["options"])


def automatic_buyers(row: Tournament) -> set[int]:
    """Players with automatic rebuy in this event; settings copied from another event are ignored."""
    kept = row.options.get(AUTOMATIC)
    return set(kept["players"]) if isinstance(kept, dict) and kept.get("event") == row.pk else set()


def seconds_to_decide(locked: Locked) -> int:
    return option(locked.row, "rebuy_seconds", SECONDS)


def may_any_buy(locked: Locked, entrants: Sequence[int], *, now: datetime) -> bool:
    """Whether any of these, who have just lost their last chips, will or may buy again."""
    able = _entries_that_may_buy(locked, entrants, now=now)
    return any(_may_decide(locked, entry) or _buys_automatically(locked, entry, now=now) for entry in able)


def may_decide(locked: Locked, entrants: Sequence[int], *, now: datetime) -> bool:
    """Whether the table has to wait for one of these to decide."""
    return any(_may_decide(locked, entry) for entry in _entries_that_may_buy(locked, entrants, now=now))


def buy_automatically(locked: Locked, entrants: Sequence[int], *, now: datetime) -> list[int]:
    """Buy for those with automatic rebuy; returns the others."""
    left = list(entrants)
    for entry in _entries_that_may_buy(locked, entrants, now=now):
        if _buys_automatically(locked, entry, now=now):
            buy_held(locked, entry, Payment.Kind.REBUY, method=_rebuy_method(entry), by=None, now=now)
            left.remove(entry.number)
    return left


def _entries_that_may_buy(locked: Locked, entrants: Sequence[int], *, now: datetime) -> list[TournamentEntry]:
    """The entries of those entrants whom the terms allow to buy; no query where they allow nobody."""
    state = locked.state
    terms = state.config.rebuy
    is_sold = terms is not None and state.deal is None and not state.is_hand_for_hand
    if terms is None or not is_sold or not state.sells_rebuys(event_journal.ms(now)):
        return []
    able = [number for number in entrants if not terms.most or state.entrants[number].rebuys < terms.most]
    entries = TournamentEntry.objects.filter(tournament=locked.pk, number__in=able) if able else []
    return list(entries.select_related("player").order_by("number")) if able else []


def _buys_automatically(locked: Locked, entry: TournamentEntry, *, now: datetime) -> bool:
    if entry.player.is_bot:
        return locked.state.entrants[entry.number].rebuys < option(locked.row, "bots_rebuy", 0)
    return entry.player_id in automatic_buyers(locked.row) and _can_pay(locked, entry, now=now)


def _can_pay(locked: Locked, entry: TournamentEntry, *, now: datetime) -> bool:
    """False for a player who has too little in the wallet, is banned, or has reached a limit of their own."""
    purse, paid = Purse(_rebuy_method(entry)), event_terms.price_of(locked.row, Payment.Kind.REBUY)
    try:
        registration.check_may_pay(locked.row, entry.player, purse, paid, now=now)
        purse.sources(entry.player, paid, what=Payment.Kind.REBUY, now=now, by=None)
    except (Forbidden, Illegal, NotEnoughChips):
        return False
    return True


def _may_decide(locked: Locked, entry: TournamentEntry) -> bool:
    return not entry.player.is_bot and seconds_to_decide(locked) > 0


def _rebuy_method(entry: TournamentEntry) -> str:
    return Payment.Method.HOUSE if entry.player.is_bot else Payment.Method.WALLET
