"""Why money of events moved, as transfers, receipts and slips store it."""

from cardroom.core.sentences import StoredText, Wording, translated
from tournaments.engine.errors import sentence, stored
from tournaments.events.models import Payment

PAID = {
    Payment.Kind.ENTRY: Wording("events.entry", "entry, {name}"),
    Payment.Kind.RE_ENTRY: Wording("events.re-entry", "re-entry, {name}"),
    Payment.Kind.REBUY: Wording("events.rebuy", "rebuy, {name}"),
    Payment.Kind.ADD_ON: Wording("events.add-on", "add-on, {name}"),
}
REFUND = Wording("events.refund", "refund, {name}")
GUARANTEE = Wording("events.guarantee", "guarantee, {name}")
FLIGHT_GOES_ON = Wording("events.flight-goes-on", "flight {flight} goes on in {name}")
OF_EVENT = Wording("events.of-event", "{name}: {words}")

# Why an entry is refunded
WITHDREW = Wording("events.withdrew", "withdrew before the start")
DID_NOT_COME = Wording("events.did-not-come", "did not come")
NO_SEAT = Wording("events.no-seat", "no seat came free before entry closed")
BANNED = Wording("events.banned", "banned")
IS_CANCELLED = Wording("events.is-cancelled", "{name} is cancelled")


class _OfTheLog(Wording):
    """What the event's own log says, as its facts keep it."""

    def fill(self, values: dict[str, StoredText]) -> str:
        return translated(sentence(values["words"]))


_NO_PATTERN = ""
_OF_THE_LOG = _OfTheLog("events.of-the-log", _NO_PATTERN)


def of_the_log(words: str) -> StoredText:
    """These words of an event's facts, to be stored elsewhere."""
    return _OF_THE_LOG(words=stored(words)) if getattr(words, "code", "") else str(words)
