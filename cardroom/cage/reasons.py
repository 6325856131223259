"""Why money and chips moved at the cage, as its slips and transfers store it."""

from cardroom.cage.models import Slip
from cardroom.core.sentences import Wording

AT_THE_CAGE = {
    Slip.Kind.DEPOSIT: Wording("cage.deposit", "deposit at the cage"),
    Slip.Kind.WITHDRAWAL: Wording("cage.withdrawal", "withdrawal at the cage"),
    Slip.Kind.BUY_IN: Wording("cage.buy-in", "buy-in at the cage"),
    Slip.Kind.CASH_OUT: Wording("cage.cash-out", "cash-out at the cage"),
}
ON_CREDIT = Wording("cage.credit", "chips on credit")
REPAID = Wording("cage.repaid", "credit repaid")
REPAID_IN_MONEY = Wording("cage.repaid-in-money", "credit repaid in money")
SETTLED = Wording("cage.settled", "settled out of what is paid out")
COMP = Wording("cage.comp", "comp")
COMP_USED = Wording("cage.comp-used", "comp redeemed")
BETWEEN_PLAYERS = Wording("cage.transfer", "transfer between players")
ASKED_ONLINE = Wording("cage.asked-online", "asked for online, request {number}")
REVERSAL = Wording("cage.reversal", "reversal of slip {number}")
CORRECTION = Wording("cage.correction", "correction: {reason}")

OPENING_FILL = Wording("cage.opening-fill", "opening fill")
CLOSING_DEPOSIT = Wording("cage.closing-deposit", "closing deposit to the vault")
FILLED = Wording("cage.filled", "{drawer} filled")
TO_THE_VAULT = Wording("cage.to-the-vault", "{drawer} to the vault")
FOR_THE_VAULT = Wording("cage.for-the-vault", "money for the vault")
OUT_OF_THE_VAULT = Wording("cage.out-of-the-vault", "money out of the vault")
THE_VAULT = Wording("cage.the-vault", "the vault")
OVER = Wording("cage.over", "{where} over")
SHORT = Wording("cage.short", "{where} short")
