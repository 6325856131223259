"""Who may buy again when their last chips are gone, and for whom that is done at once.

House bots buy at the house's expense as often as the event says (option `bots_rebuy`); people who asked for it (`ask`)
from their wallets, as long as there is enough.
"""

from collections.abc import Sequence
from datetime import datetime

from cardroom.core.errors import Forbidden, Illegal, NotEnoughChips
from cardroom.core.models import User
from cardroom.core.operation import operation
from tournaments.events import journal as event_journal
from tournaments.events import locking, playing
from tournaments.events import terms as event_terms
from tournaments.events.hall import option
from tournaments.events.locking import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.registration import buying, registration
from tournaments.registration.registration import Purse

#: For a player to decide whether to buy again, where the event does not say (option `rebuy_seconds`).
SECONDS = 20
AUTOMATIC = "automatic_rebuys"


@operation(locking.of_event)
def ask(*, tournament_id: int, player: User, on: bool, now: datetime) -> None:
    """Buy again for this player by itself whenever their last chips are gone, or no longer. Twice is as once.

    Refuses: `NotFound`, `Illegal` (the event sells no chips, the player is not in it).
    """
    with playing.holding(tournament_id, now=now) as locked:
        if locked.row.conduct != Tournament.Conduct.ONLINE:
            raise Illegal("In the room rebuys are bought at the table or the desk.", "no-rebuy")
        if playing.opened(locked).engine.config.rebuy is None:
            raise Illegal("This event is played without rebuys.", "no-rebuy")
        if player.pk not in locked.state.players:
            raise Illegal("You are not in this event.", "not-entered")
        asked = asked_for(locked.row) - {player.pk} | ({player.pk} if on else set())
        locked.row.options = locked.row.options | {AUTOMATIC: {"event": locked.pk, "players": sorted(asked)}}
        locked.row.save(update_fields=["options"])


def asked_for(row: Tournament) -> set[int]:
    """Players with automatic rebuy in this event; settings copied from another event are ignored."""
    kept = row.options.get(AUTOMATIC)
    return set(kept["players"]) if isinstance(kept, dict) and kept.get("event") == row.pk else set()


def seconds(locked: Locked) -> int:
    return option(locked.row, "rebuy_seconds", SECONDS)


def may_any(locked: Locked, entrants: Sequence[int], *, now: datetime) -> bool:
    """Whether any of these, who have just lost their last chips, will or may buy again."""
    able = _able(locked, entrants, now=now)
    return any(_decides(locked, entry) or _buys(locked, entry, now=now) for entry in able)


def may_decide(locked: Locked, entrants: Sequence[int], *, now: datetime) -> bool:
    """Whether the table has to wait for one of these to decide."""
    return any(_decides(locked, entry) for entry in _able(locked, entrants, now=now))


def buy_for(locked: Locked, entrants: Sequence[int], *, now: datetime) -> list[int]:
    """Buy for those with automatic rebuy; returns the others."""
    left = list(entrants)
    for entry in _able(locked, entrants, now=now):
        if _buys(locked, entry, now=now):
            buying.buy_held(locked, entry, Payment.What.REBUY, method=_method(entry), by=None, now=now)
            left.remove(entry.number)
    return left


def _able(locked: Locked, entrants: Sequence[int], *, now: datetime) -> list[TournamentEntry]:
    """The entries of those whom the terms let buy; no query where they let nobody."""
    state = locked.state
    terms = state.config.rebuy
    is_sold = terms is not None and state.deal is None and not state.is_hand_for_hand
    if terms is None or not is_sold or state.level(event_journal.ms(now)) > state.structure.index(terms.until_level):
        return []
    able = [number for number in entrants if not terms.most or state.entrants[number].rebuys < terms.most]
    entries = TournamentEntry.objects.filter(tournament=locked.pk, number__in=able) if able else []
    return list(entries.select_related("player").order_by("number")) if able else []


def _buys(locked: Locked, entry: TournamentEntry, *, now: datetime) -> bool:
    if entry.player.is_bot:
        return locked.state.entrants[entry.number].rebuys < option(locked.row, "bots_rebuy", 0)
    return entry.player_id in asked_for(locked.row) and _can_pay(locked, entry, now=now)


def _can_pay(locked: Locked, entry: TournamentEntry, *, now: datetime) -> bool:
    """False for who has too little in the wallet, is banned, or has reached a limit of their own."""
    purse, paid = Purse(_method(entry)), event_terms.of(locked.row, Payment.What.REBUY)
    try:
        registration.check_may_pay(locked.row, entry.player, purse, paid, now=now)
        purse.sources(entry.player, paid)
    except (Forbidden, Illegal, NotEnoughChips):
        return False
    return True


def _decides(locked: Locked, entry: TournamentEntry) -> bool:
    return not entry.player.is_bot and seconds(locked) > 0


def _method(entry: TournamentEntry) -> str:
    return Payment.Method.HOUSE if entry.player.is_bot else Payment.Method.WALLET
