"""No log line and no error report shows a card."""

import io
import json
import logging
import logging.config
import sys

import structlog
from django.test import RequestFactory
from django.views.debug import ExceptionReporter

from cardroom.core.process import logs


def written(say: str, *args: object, **values: object) -> dict[str, object]:
    """The JSON line that `say` becomes under the room's configuration."""
    formatter = logs.configuration(level="INFO", as_json=True)["formatters"]["sealed"]
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    chains = {name: formatter[name] for name in ("foreign_pre_chain", "processors")}
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(**chains))
    record = logging.LogRecord("games", logging.INFO, __file__, 1, say, args, values.pop("exc_info", None))  # type: ignore[arg-type]
    handler.emit(record)
    return dict(json.loads(out.getvalue()))


def test_cards_are_masked_and_what_is_known_to_hold_some_is_not_written_at_all() -> None:
    assert written("dealt %s to seat %s", "As", 3)["event"] == "dealt ?? to seat 3"
    assert written("hole AsTd2c, board 9h")["event"] == "hole ??, board ??"
    assert logs.mask({"seat": 2, "was": ["Kd", ("2c", b"7h")]}) == {"seat": 2, "was": ["??", ["??", "??"]]}
    assert logs.mask({"deck": [1, 2, 3], "hand": 7}) == {"deck": "[sealed]", "hand": 7}


def test_a_traceback_is_masked() -> None:
    try:
        raise ValueError("duplicate card Qs")
    except ValueError:
        line = written("it broke", exc_info=sys.exc_info())

    assert "duplicate card ??" in str(line["exception"])
    assert "Qs" not in str(line)


def test_an_error_report_shows_no_local_variables() -> None:
    deck = [" of ".join(["Ace", "spades"])]  # not written out: the report quotes the lines around the fault
    try:
        raise LookupError("out of cards")
    except LookupError:
        report = ExceptionReporter(RequestFactory().get("/"), *sys.exc_info())
        told = report.get_traceback_html() + report.get_traceback_text()

    assert "out of cards" in told
    assert deck[0] not in told
