"""`manage.py replay`: a line for each recorded hand, and a bad one never stops the rest."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.games.test_phh import SHORT_RAISES, STOLEN, THIRD, written

PROJECT = Path(__file__).resolve().parents[2]
SHARED = PROJECT.parent / "shared/phh"
RESULT = "[494, 507, 499]"


def command(*paths: Path) -> tuple[int, list[dict[str, Any]], list[str]]:
    """(exit code, the JSON lines, the lines for people)."""
    out, err = StringIO(), StringIO()
    code = 0
    try:
        call_command("replay", *map(str, paths), stdout=out, stderr=err)
    except SystemExit as stop:
        code = int(str(stop.code))
    return code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue().splitlines()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared recordings do not lie beside this checkout")
def test_the_shared_recordings_match() -> None:
    expected = json.loads((SHARED / "expected.json").read_text())
    code, told, complaints = command(*(SHARED / name for name in expected))  # beside them lie hands of other games
    assert (code, complaints, len(told)) == (0, [], len(expected))
    for one in told:
        hand = expected[Path(one["file"]).name]
        assert one == {"file": one["file"], "finishing_stacks": hand["finishing_stacks"], "matches": True}


def test_a_line_tells_the_stacks_and_whether_they_are_the_recorded_ones(tmp_path: Path) -> None:
    (tmp_path / "a.phh").write_text(written(STOLEN, finishing_stacks=RESULT))
    (tmp_path / "b.phh").write_text(written(STOLEN))
    stacks = {"finishing_stacks": [494, 507, 499]}
    told = [{"file": str(tmp_path / f"{name}.phh"), **stacks, "matches": it} for name, it in (("b", None), ("a", True))]
    assert command(tmp_path / "b.phh", tmp_path / "a.phh") == (0, told, [])
    (tmp_path / "c.phh").write_text(written(STOLEN, finishing_stacks="[494, 506, 500]"))
    assert command(tmp_path / "c.phh") == (1, [{"file": str(tmp_path / "c.phh"), **stacks, "matches": False}], [])


def test_a_hand_that_is_read_otherwise_than_it_is_written_is_told_with_a_note(tmp_path: Path) -> None:
    actions, _, _ = SHORT_RAISES["a raise"]
    (tmp_path / "a.phh").write_text(
        written(actions, starting_stacks="[40, 500, 500]", finishing_stacks="[0, 541, 499]")
    )
    code, ((told),), (note,) = command(tmp_path / "a.phh")
    assert (code, told["matches"], len(told["notes"])) == (0, True, 1)
    assert note == f"{tmp_path / 'a.phh'}: {told['notes'][0]}"


def test_a_bad_file_is_told_in_a_line_and_the_others_still_run(tmp_path: Path) -> None:
    missing = f"{tmp_path}: there is no recorded hand (.phh, .phhs) in this folder"
    assert command(tmp_path)[::2] == (1, [missing])
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.phh").write_text(written([*THIRD, "p2 cc"]))
    (tmp_path / "b.phh").write_text("variant = \n")
    (tmp_path / "c.phh").write_bytes(b"\xff\xfe")
    (tmp_path / "d.phh").write_text(written(STOLEN, finishing_stacks=RESULT))
    (tmp_path / "notes.txt").write_text("not a hand")
    code, told, complaints = command(tmp_path, tmp_path / "gone.phh")
    assert (code, [Path(one["file"]).name for one in told]) == (1, ["b.phh", "c.phh", "d.phh", "a.phh", "gone.phh"])
    assert ([one["matches"] for one in told], len(complaints)) == ([False, False, True, False, False], 4)
    assert complaints[0].startswith(f"{tmp_path / 'b.phh'}: it is not TOML: ")
    assert complaints[1] == f"{tmp_path / 'c.phh'}: it is not UTF-8 text"
    assert complaints[2] == (
        f"{tmp_path / 'deep/a.phh'}: action 4 'p2 cc': It is the turn of seat 1, not of seat 2. (TDA 2024, rule 53)"
    )
    assert complaints[3] == f"{tmp_path / 'gone.phh'}: it cannot be read: No such file or directory"


def test_a_collection_has_a_line_for_each_of_its_hands(tmp_path: Path) -> None:
    hands = [written(STOLEN, finishing_stacks=RESULT), written(STOLEN, variant="'NT'"), written(STOLEN)]
    file = tmp_path / "night.phhs"
    file.write_text("\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, start=1)))
    code, told, complaints = command(file)
    assert [(one["file"], one["matches"]) for one in told] == [
        (f"{file}#1", True), (f"{file}#2", False), (f"{file}#3", None)
    ]  # fmt: skip
    bad = f"{file}#2: variant 'NT' (no-limit Texas hold'em) is not played here; F7S, F7S/8, FR are"
    assert (code, complaints) == (1, [bad])


def test_amounts_come_out_as_they_went_in(tmp_path: Path) -> None:
    fields = {"antes": "[0.1, 0.1, 0.1]", "bring_in": "0.25", "small_bet": "0.5", "starting_stacks": "[20, inf, 20]"}
    (tmp_path / "a.phh").write_text(written([*THIRD, "p1 pb", "p2 cbr 0.5", "p3 f", "p1 f"], **fields))
    _, told, _ = command(tmp_path)
    assert told[0]["finishing_stacks"] == [19.65, None, 19.9]
