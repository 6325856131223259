"""Why prizes were paid and tickets issued or ended, as transfers, slips and tickets store it."""

from cardroom.core.sentences import Wording
from tournaments.prizes.models import Payout

PAID_OUT = {
    Payout.Kind.PRIZE: Wording("prizes.prize", "prize, {name}"),
    Payout.Kind.BOUNTY: Wording("prizes.bounties", "bounties, {name}"),
    Payout.Kind.TICKET: Wording("prizes.ticket-value", "ticket, {name}"),
}
TAKEN_BACK = Wording("prizes.taken-back", "taken back: {what}")
WON = Wording("prizes.won", "{name}, place {place}")
A_TICKET = Wording("prizes.ticket", "a ticket")
TICKET_PAID_OUT = Wording("prizes.ticket-paid-out", "ticket {code} paid out")
EXCHANGED = Wording("prizes.exchanged", "exchanged for tournament money")
