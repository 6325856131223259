"""Between the house's moments, which have a time zone, and the engine's: whole milliseconds since the epoch."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def ms(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND


def moment(ms: int) -> datetime:
    return _EPOCH + ms * _MILLISECOND
