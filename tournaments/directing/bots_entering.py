"""House bots that enter an online event once its registration is open, a few at each ringing of its alarm."""

from datetime import datetime

from games.play.bots import house_bots
from tournaments.events import due, terms
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, TournamentEntry
from tournaments.registration import registration
from tournaments.registration.registration import Newcomer, Purse

AT_ONCE = 40
How, EntryState = TournamentEntry.How, TournamentEntry.State


def enter_next_bots(locked: Locked, *, now: datetime) -> int:
    """Have the next few of them enter; how many did. Call with the event held."""
    row = locked.row
    wanted = min(AT_ONCE, due.bots_wanted(row))
    if not wanted:
        return 0
    busy = TournamentEntry.objects.filter(
        player__is_bot=True, state__in=(EntryState.IN, EntryState.ALTERNATE), tournament__ended_at=None
    )
    paid = terms.price_of(row, Payment.Kind.ENTRY)
    for bot in house_bots.recruit(wanted, busy=list(busy.values_list("player", flat=True)), now=now):
        registration.enter(
            locked,
            Newcomer(player=bot, name=bot.username, how=How.HOUSE, purse=Purse(Payment.Method.HOUSE), paid=paid),
            now=now,
        )
    return wanted
