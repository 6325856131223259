"""What came home from events since a moment and is no win: a player had paid it for their entries before.

For the limit on losses that a player has set: what they paid counted on the day they paid it.
"""

from collections import Counter
from datetime import datetime

from django.db.models import F, Sum

from cardroom.models import User
from tournaments.models import Payment, Payout, TournamentEntry

_TOTAL = F("pool") + F("fee") + F("bounty") + F("staff")


def before(player: User, since: datetime) -> int:
    """Of what the player paid from their wallet before `since`: what was refunded since, and what prizes gave back."""
    paid = Payment.objects.filter(entry__player=player, method=Payment.Method.WALLET, at__lt=since)
    refunded = paid.filter(refunded_at__gte=since).aggregate(sum=Sum(_TOTAL))["sum"] or 0
    won = Payout.objects.filter(
        entry__player=player, method=Payout.Method.WALLET, state=Payout.State.PAID, paid_at__gte=since
    )
    prizes = Counter(dict(won.order_by().values_list("tournament").annotate(sum=Sum("amount"))))
    if not prizes:
        return int(refunded)
    in_flights = TournamentEntry.objects.filter(player=player, tournament__in=prizes).exclude(from_entry=None)
    final_of = dict(in_flights.values_list("from_entry__tournament", "tournament"))
    kept = paid.filter(refunded_at=None, tournament__in=[*prizes, *final_of]).order_by()
    spent: Counter[int] = Counter()
    for event, chips in kept.values_list("tournament").annotate(sum=Sum(_TOTAL)):
        spent[final_of.get(event, event)] += chips
    return int(refunded) + sum(min(chips, prizes[event]) for event, chips in spent.items())
