"""The error log that the room keeps: masked, bounded, written beside whatever has just failed."""

import logging
from datetime import UTC, datetime, timedelta

import pytest

from cardroom.core.models import Fault
from cardroom.core.process import fault_log, faults, logs

NOW = datetime(2030, 1, 5, 20, 0, tzinfo=UTC)


def line(message="it broke", **more):
    return faults.LoggedFault(at=NOW, level="error", logger="games", message=message, **more)


@pytest.mark.parametrize(("said", "kept"), [
    ("dealt As and Td", "dealt ?? and ??"),
    ("password=hunter22 for north", "password=[hidden] for north"),
    ('{"new_password": "hunter22", "n": 1}', '{"new_password": [hidden], "n": 1}'),
    ("Authorization: Bearer abcdefghij123456", "Authorization: [hidden]"),
    ("sent Token abcdefghij123456 to", "sent Token [hidden] to"),
    ("postgres://room:hunter22@db/room is down", "postgres://room:[hidden]@db/room is down"),
    ("DETAIL: Failing row contains (7, pbkdf2$abc, ada).", "DETAIL: Failing row contains ([hidden])."),
    ("with a \0 in it", "with a  in it"),
])  # fmt: skip
def test_no_card_and_no_secret_is_kept(said, kept):
    faults.keep([line(said, trace=f"Traceback\n{said}", details={"what": said, "csrftoken": "xyz"})])
    found = Fault.objects.values_list("message", "trace", "details").get()
    assert found == (kept, f"Traceback\n{kept}", {"what": kept, "csrftoken": "[hidden]"})


def test_only_the_newest_lines_are_kept(monkeypatch):
    monkeypatch.setattr(faults, "KEPT", 3)
    for number in range(5):
        faults.keep([line(f"fault {number}"), line("x" * 900)])
    assert Fault.objects.count() == 3
    assert [fault.message[:7] for fault in faults.newest()] == ["xxxxxxx", "fault 4", "xxxxxxx"]
    assert [fault.message for fault in faults.newest(words="FAULT")] == ["fault 4"]
    assert max(len(fault.message) for fault in Fault.objects.all()) == 500


def test_what_goes_wrong_again_and_again_drives_nothing_else_out(monkeypatch):
    monkeypatch.setattr(faults, "KEPT", 3)
    faults.keep([line("once")])
    for number in range(4):
        at = NOW + timedelta(minutes=number)
        again = [
            faults.LoggedFault(at=at, level="error", logger="games", message=f"hand {n}", sort="a") for n in range(50)
        ]
        faults.keep([*again, line("another", sort="b")] if number == 3 else again)
    rows = list(faults.newest())
    assert [(row.message, row.times) for row in rows] == [("another", 1), ("hand 49", 200), ("once", 1)]
    assert (rows[1].first_at, rows[1].at) == (NOW, NOW + timedelta(minutes=3))


@pytest.fixture
def lines_of(monkeypatch):
    """`lines_of("games")`: a keeper as it is configured, which writes nothing, and a logger of that name before it."""

    def keeper_and_logger(name):
        config = logs.configuration(level="INFO", as_json=False, keeps_errors=True)
        formatter = dict(config["formatters"]["lines"])
        keeper = fault_log.Keeper()
        keeper.setFormatter(formatter.pop("()")(**formatter))
        for each in config["handlers"]["table"]["filters"]:
            keeper.addFilter(config["filters"][each]["()"]())
        monkeypatch.setattr(keeper, "_start", lambda: None)
        logger = logging.Logger(name)
        logger.addHandler(keeper)
        return keeper, logger

    return keeper_and_logger


def fails_twice(logger):
    for number in (1, 2):
        try:
            raise ValueError(f"duplicate card Qs in seat {number}")
        except ValueError:
            logger.exception("hand %s broke", number)


def test_equal_faults_in_one_place_are_of_one_sort(lines_of):
    keeper, logger = lines_of("games")
    fails_twice(logger)
    logger.error("hand %s broke", 3)
    first, second, third = [keeper._lines.get_nowait()["sort"] for _ in range(3)]
    assert first == second != third
    keeper, logger = lines_of("django.security.DisallowedHost")
    fails_twice(logger)
    assert keeper._lines.empty()


def test_what_is_logged_as_an_error_is_handed_on_as_a_masked_line(monkeypatch, lines_of):
    """Through the configured formatter; the thread itself is not started, and what it writes is written here."""
    config = logs.configuration(level="INFO", as_json=False, keeps_errors=True)
    assert config["root"]["handlers"] == ["stderr", "table"]
    assert "table" not in logs.configuration(level="INFO", as_json=False)["handlers"]
    keeper, logger = lines_of("games")
    monkeypatch.setattr("django.db.connection.close", lambda: None)
    logger.warning("a warning is none")
    fails_twice(logger)
    fault_log.write([keeper._lines.get_nowait()])
    fault = Fault.objects.get()
    assert (fault.message, fault.logger, fault.level) == ("hand 1 broke", "games", "error")
    assert "ValueError: duplicate card ?? in seat 1" in fault.trace
    assert keeper._lines.get_nowait()["event"] == "hand 2 broke"
    assert keeper._lines.empty()


def test_an_error_while_writing_it_down_stops_nobody(monkeypatch):
    def fails(lines):
        raise RuntimeError("no database")

    monkeypatch.setattr(fault_log, "write", fails)
    keeper = fault_log.Keeper()
    keeper.setFormatter(logging.Formatter('{"event": "it broke"}', validate=False))
    for _ in range(300):  # more than it has room for
        keeper.emit(logging.makeLogRecord({"levelno": logging.ERROR}))
    keeper.flush()
    assert not keeper._lines.unfinished_tasks
