"""What is in `make test`, and what leaves it."""

from types import SimpleNamespace

import pytest

from tests.support import tiers


def item(nodeid: str, *reason: str, is_long: bool = False) -> pytest.Item:
    mark = SimpleNamespace(args=reason) if is_long else None
    return SimpleNamespace(nodeid=nodeid, get_closest_marker=lambda name: mark)  # type: ignore[return-value]


def test_a_test_is_in_the_tier_of_its_folder_or_says_why_it_is_long() -> None:
    tiers.check([item("tests/games/test_seats.py::test_one")])
    tiers.check([item("tests/elsewhere/test_new.py::test_one", "5,000 evenings", is_long=True)])
    with pytest.raises(pytest.UsageError, match=r"tests/gamesome/test_new\.py::test_one: in no tier"):
        tiers.check([item("tests/gamesome/test_new.py::test_one")])
    for reason in ((), ("",), ("  ",), (3,)):
        with pytest.raises(pytest.UsageError, match="say why it is long"):
            tiers.check([item("tests/games/test_seats.py::test_one", *reason, is_long=True)])
    assert [name for name in tiers.EVERY_CHANGE if not (tiers.PROJECT / name).exists()] == []


def test_how_many_is_the_tiers_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDROOM_SUITE", raising=False)
    assert tiers.many(3, long=300) == 3
    monkeypatch.setenv("CARDROOM_SUITE", "long")
    assert tiers.many(3, long=300) == 300
