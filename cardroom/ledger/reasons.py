"""Why chips came into a wallet or left it, in the current language. Transfers and slips keep it in English, as it was
written: what it says is read out of the sentence again."""

from django.utils.translation import gettext_noop

from cardroom.core.sentences import read_back

#: Each stands before those that it would be taken for. What moves the house's own chips alone is on no page of players.
_PATTERNS = (
    gettext_noop("correction: {reason}"),
    gettext_noop("reversal of slip {number}"),
    gettext_noop("deposit at the cage"),
    gettext_noop("withdrawal at the cage"),
    gettext_noop("buy-in at the cage"),
    gettext_noop("cash-out at the cage"),
    gettext_noop("chips on credit"),
    gettext_noop("credit repaid"),
    gettext_noop("credit repaid in money"),
    gettext_noop("comp"),
    gettext_noop("comp redeemed"),
    gettext_noop("transfer between players"),
    gettext_noop("welcome to the room"),
    gettext_noop("staff has no welcome chips"),
    gettext_noop("chips for the demo"),
    gettext_noop("buy-in at {at}"),
    gettext_noop("chips added at {at}"),
    gettext_noop("cashed out at {at}"),
    gettext_noop("moved to {at}"),
    gettext_noop("a hand at {at}"),
    gettext_noop("time at {at}"),
    gettext_noop("play at {at}"),
    gettext_noop("entry, {name}"),
    gettext_noop("re-entry, {name}"),
    gettext_noop("rebuy, {name}"),
    gettext_noop("add-on, {name}"),
    gettext_noop("prize, {name}"),
    gettext_noop("bounties, {name}"),
    gettext_noop("ticket, {name}"),
    gettext_noop("withdrew before the start"),
    gettext_noop("did not come"),
    gettext_noop("no seat came free before entry closed"),
    gettext_noop("banned"),
    gettext_noop("{name} is cancelled"),
    gettext_noop("{name} hit"),
    # Slips
    gettext_noop("asked for online, request {number}"),
    gettext_noop("settled out of what is paid out"),
    gettext_noop("opening fill"),
    gettext_noop("closing deposit to the vault"),
)


def reason(words: str) -> str:
    """These words of a transfer in the current language; as they are where nothing is known like them, which is so of
    what somebody of the staff wrote."""
    return read_back(words, _PATTERNS)
