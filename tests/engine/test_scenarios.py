"""The scenario runner: our own scenarios pass, the shared ones are all reported, and nothing wrong slips by."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.support.parts.games import Scenario, ScenarioFault, ScenarioResult, read_path, read_text, run, run_paths

PROJECT = Path(__file__).resolve().parents[2]
OURS = PROJECT / "tests/scenarios"
SHARED = PROJECT.parent / "shared/scenarios"
DEAL = "deal third 1:9c9d/4s 2:KhQh/8c 3:JsTs/6d"


def scenario_text(*lines: str, **fields: str) -> str:
    """A file with one scenario whose script is ``lines``; ``fields`` are TOML values, '' leaves a field out."""
    values = {
        "name": '"A hand"',
        "rule": '"completion"',
        "rulebooks": '["roberts-v4"]',
        "stakes": "{ ante = 2, bring_in = 5, small_bet = 20, big_bet = 40 }",
        "stacks": "[400, 400, 400]",
    } | fields
    head = "".join(f"{name} = {value}\n" for name, value in values.items() if value)
    script = "\n".join(lines)
    return f'[[scenario]]\n{head}play = """\n{script}\n"""\n'


def fault(text: str) -> ScenarioFault:
    (read,) = read_text("hand.toml", text)
    assert isinstance(read, ScenarioFault), "it was read without a word"
    return read


def play_script(*lines: str, **fields: str) -> ScenarioResult:
    (scenario,) = read_text("hand.toml", scenario_text(*lines, **fields))
    assert isinstance(scenario, Scenario), scenario
    return run(scenario, scenario.rulebooks[0])


@pytest.mark.parametrize("file", sorted(OURS.glob("*.toml")), ids=lambda file: file.stem)
def test_our_scenarios_pass(file: Path) -> None:
    results = list(run_paths([file]))
    assert results
    assert not [str(result) for result in results if not result.passed]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared scenarios do not lie beside this checkout")
def test_every_shared_scenario_passes_under_each_of_its_rulebooks() -> None:
    read = [one for one in read_path(SHARED) if isinstance(one, Scenario)]
    results = list(run_paths([SHARED]))
    assert [str(result) for result in results if not result.passed] == []
    assert len(results) == sum(len(one.rulebooks) for one in read) >= 39


@pytest.mark.parametrize(("line", "reason"), [
    *[(f"? turn {seat}", "it is the turn of seat 2") for seat in ("3", "-")],
    *[(f"? can 2 {choices}", "seat 2 can fold call:5 complete-to:20") for choices in (
        "fold call:5", "call:5 complete-to:20", "fold check call:5 complete-to:20", "fold call:5 raise-to:20",
        "fold call:5 complete-to:20|25", "fold call:5 complete-to:10..20",
    )],
    ("? can 3 fold call:5 complete-to:20", "it is the turn of seat 2"),
    ("? cannot 2 folds", "it was allowed"), ("? cannot start", "the hand has begun"),
    ("? pot 10", "the pot is 11"), ("? stack 1 400", "the stack of seat 1 is 393"),
    ("? cards 1 4", "the cards of seat 1 are 3"), ("? down 1 3", "the downcards of seat 1 are 2"),
    ("? upcards 1 4s9c", "seat 1 shows 4s"), ("? common 2c", "there is no common card"),
    ("? dead 1", "the hand of seat 1 is live"), ("? not-receives 2", "seat 2 is still dealt to"),
    ("? shows-first 1", "no hand has been shown"), ("? wins 1 11", "seat 1 has collected 0"),
    ("? ruling completion no-raise", "there is no ruling on completion"),
    ("? burns 1", "the cards burned are 0"), ("? stub 42", "the cards in the stub are 43"),
    ("? announces raise 1", "the dealer announced nothing"), ("? misdeal", "no misdeal was called"),
    ("? over", "the hand is not over: it waits for action"),
    ("3 times-out", "refused: It is the turn of seat 2, not of seat 3. (TDA 2024, rule 53)"),
    ("deal fourth 1:2c 2:3c 3:5c", "refused: "),
])  # fmt: skip
def test_what_is_not_so_fails_at_its_line(line: str, reason: str) -> None:
    result = play_script(DEAL, "1 brings-in", line, "? turn 2")
    assert (result.passed, result.line) == (False, 10)
    assert result.reason.startswith(f"{line!r}: {reason}")
    assert str(result).startswith("hand.toml:10: A hand [roberts-v4]: ")


@pytest.mark.parametrize(("slug", "cited", "is_right"), [
    *[("gardens", "17.2", True), ("gardens", "17", True), ("gardens", "17.4", False), ("gardens", "18", False)],
    *[("poker-tip", '"Dealer\'s action/mistakes in dealing"', True), ("poker-tip", '"First round"', False)],
    *[("home", '"silent"', True), ("home", '"silent; played as roberts-v4 17"', True), ("home", "17", False)],
    *[("roberts-v4", "17", True), ("roberts-v4", "1", False), ("roberts-v4", '"silent"', False)],
])  # fmt: skip
def test_a_citation_may_name_one_rule_of_several_or_silence(slug: str, cited: str, is_right: bool) -> None:
    lines = [
        *(DEAL, "1 brings-in", "2 calls", "3 folds"),
        *("deal fourth 1:7h 2:3c", "2 checks", "1 checks", "deal fifth 1:7c 2:Kd", "1 checks", "2 checks"),
        *("deal sixth 1:Jd 2:Ks", "2 checks", "1 checks", "deal seventh 1:4h 2:^Qd"),
        *("? ruling final_card_faceup all-in-option", f"? cites {cited}"),
    ]
    assert play_script(*lines, rulebooks=f'["{slug}"]').passed is is_right


def test_expectations_of_scenarios_are_compared_with_new_facts() -> None:
    lines = (DEAL, "1 brings-in", "2 completes", "? ruling completion no-raise")
    assert play_script(*lines, "? cites 3").passed
    assert "cites 3" in play_script(*lines, "? cites 4").reason
    assert play_script(DEAL, "? announces lowcard 1", "? silent lowcard 2").passed
    assert not play_script(DEAL, "1 brings-in", "? announces lowcard 1").passed
    assert not play_script(DEAL, "? silent lowcard 1").passed
    for line in ("2 completes", "2 completes 20", "2 raises", "2 raises 20", "2 bets 20"):
        assert play_script(DEAL, "1 brings-in", line, "? pot 31").passed
    assert play_script(DEAL, "1 completes", "? cannot 2 bets", "? cannot 2 completes", "2 raises", "? pot 66").passed


def test_what_is_refused_must_leave_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.engine.hand import Hand

    refuse = Hand.refusal

    def refuse_and_change(hand: Hand, code: str, message: str, key: str = "") -> Exception:
        hand.seats[1].stack -= 1
        return refuse(hand, code, message, key)

    assert play_script(DEAL, "? cannot 2 calls").passed
    monkeypatch.setattr(Hand, "refusal", refuse_and_change)
    assert play_script(DEAL, "? cannot 2 calls").reason == "'? cannot 2 calls': it was refused, but something changed"


def test_a_hand_that_may_not_begin_fails_unless_that_is_expected() -> None:
    assert play_script("? cannot start", stacks="[400, 0, 0]").passed
    refused = play_script("? turn -", stacks="[400, 0, 0]").reason
    assert refused.startswith("the hand may not begin: 1 players cannot start")
    assert "there is no rulebook called 'hoyle'" in play_script(DEAL, rulebooks='["hoyle"]').reason


@pytest.mark.parametrize(("line", "reason"), [
    *[(f"{word} calls", f"unknown word '{word}'") for word in ("shuffle", "two")],
    ("2 jumps", "unknown word 'jumps'"), ("2", "what does seat 2 do?"),
    ("4 calls", "there is no seat 4: the table has seats 1 to 3"), ("0 calls", "there is no seat 0"),
    ("2 calls 5", "nothing may follow 'calls'"), ("2 raises 20 30", "nothing may follow 'raises'"),
    ("2 raises ten", "'ten' is not a whole number"), ("2 raises -5", "'-5' is not a whole number"),
    ("low", "which seat?"), ("low 9", "there is no seat 9"), ("notice it", "nothing may follow 'notice'"),
    ("burn", "how many cards?"), ("burn 2", "no deal line follows it"),
    ("floor dances", "unknown order of the floor 'dances'"), ("floor kills", "floor kills needs one seat"),
    ("floor misdeal 2", "nothing may follow 'floor misdeal'"),
    ("deal", "which street?"), ("deal river 1:2c", "'river' is none of third"), ("premature fourth", "to whom?"),
    ("deal fourth 1", "'1' is not a deal"), ("deal fourth 5:2c", "there is no seat 5"),
    ("deal fourth 1:2x", "'2x' is not a card"), ("deal fourth 1:2", "'2' is not a card"),
    ("deal fourth 1:2c 1:3c", "seat 1 is dealt to twice in one line"), ("deal fourth 1:2c/3c", "has a slash"),
    ("deal fourth 1:2c3c4c", "seat 1 gets one card"), ("deal fourth 1:^-", "a card not dealt cannot be face up"),
    ("deal fourth 1:^^2c", "says the same thing twice"),
    ("deal fourth 1:9c", "9c is dealt twice: it was already in line 9"),
    ("deal third 1:2c3c", "has no third card"), ("deal third 1:2c/3c", "needs two cards before the slash"),
    ("deal third 1:2c3c/", "needs one card after the slash"),
    ("deal fourth common:2c", "a common card can only be the sixth or the seventh"),
    ("deal seventh common:2c 1:3c", "a common card is dealt alone"), ("deal seventh common:9c", "9c is dealt twice"),
    ("?", "what is expected?"), ("? wonders 1", "unknown word 'wonders'"),
    *[(f"? {line}", f"? {line.split()[0]} is written as in")
      for line in ("turn", "turn 1 2", "stack 1", "can 2", "cannot", "over now")],
    ("? pot", "? pot is written as in '? pot 4'"), ("? turn 7", "there is no seat 7"),
    ("? pot many", "'many' is not a whole number"), ("? upcards 1 4", "'4' is not a card"),
    ("? can 2 fold fold", "fold is there twice"), ("? can 2 fold:5", "fold takes no amount"),
    ("? can 2 call", "call needs an amount"), ("? can 2 shove:5", "'shove' is no choice"),
    ("? can 2 call:5|10", "'5|10' is not a whole number"), ("? can 2 bet:5|5", "has the same size twice"),
    ("? can 2 bet:9..5", "9..5 is not a range"), ("? cannot 2 jumps", "unknown word 'jumps'"),
    ("? cannot stop", "unknown word 'stop'"), ("? cannot deal fourth 1:2c", "? cannot takes what a player does"),
    ("? ruling luck no-raise", "'luck' is no rule key"), ("? no-ruling luck", "'luck' is no rule key"),
    ("? ruling limits no-raise", "there is never a ruling on 'limits'"),
    ("? ruling completion capped", "'capped' is no verdict on completion"),
    ("? cites 3", "no '? ruling' line before it"), ("? cites three", "takes a rule's number or its heading in quotes"),
    ("? announces completion 2", "'completion' is never announced"),
])  # fmt: skip
def test_a_line_that_is_not_in_the_format_is_an_error_with_its_line_and_reason(line: str, reason: str) -> None:
    found = fault(scenario_text("# The cards", DEAL, "", f"{line} # and so on"))
    assert [said for said in (reason, line) if said not in found.reason] == []
    assert (found.file, found.line, found.name) == ("hand.toml", 11, "A hand")


@pytest.mark.parametrize(("fields", "line", "reason"), [
    ({"name": ""}, 1, "name: is missing"), ({"name": "7"}, 2, "name: is not a text"),
    ({"rule": '"luck"'}, 3, "rule: 'luck' is no rule key"),
    ({"rulebooks": "[]"}, 4, "rulebooks: is not a list of slugs"),
    ({"rulebooks": '["home", "home"]'}, 4, "rulebooks: names a book twice"),
    ({"stakes": ""}, 1, "stakes: is missing"),
    ({"stakes": "{ ante = 2, bring_in = 5, small_bet = 20 }"}, 5, "stakes: fixed-limit needs big_bet"),
    ({"stakes": "{ ante = 2.5 }"}, 5, "stakes: ante is not a whole number"),
    ({"stakes": "{ blind = 2 }"}, 5, "stakes: there is no stake called 'blind'"),
    ({"stacks": "[400, -1]"}, 6, "stacks: is not a list of whole numbers"),
    ({"setting": '"home"'}, 7, "setting: 'home' is none of cash, tournament"),
    ({"game": '"holdem"'}, 7, "game: 'holdem' is none of"), ({"structure": '"x"'}, 7, "structure: 'x' is none of"),
    ({"dealer": "4"}, 7, "dealer: 4 is not one of the 3 seats"),
    ({"absent": "[4]"}, 7, "absent: 4 is not one of the 3 seats"),
    ({"stacks": "[400, 0, 400]", "absent": "[2]"}, 7, "absent: nobody sits in seat 2"),
    ({"players_left": '"two"'}, 7, "players_left: is not a number"),
    ({"options": "{ colour = 1 }"}, 7, "options: there is no house choice on 'colour'"),
    ({"options": '{ both_downcards_exposed = "folded" }'}, 7, "options: 'folded' is no choice on both_downcards"),
    ({"options": '{ low_stakes = "yes" }'}, 7, "options: low_stakes is true or false"),
    ({"stub": '"2c 2c"'}, 7, "stub: 2c is there twice"), ({"stub": '"2y"'}, 7, "stub: '2y' is not a card"),
    ({"colour": '"red"'}, 7, "colour: there is no such field"),
])  # fmt: skip
def test_a_field_that_is_wrong_is_an_error_with_its_line(fields: dict[str, str], line: int, reason: str) -> None:
    found = fault(scenario_text(DEAL, **fields))
    assert (found.line, found.reason[: len(reason)]) == (line, reason)


def test_what_only_the_whole_script_tells_to_be_wrong_is_an_error() -> None:
    hand = "deal third 1:9c9d/4s 3:JsTs/6d"
    assert "nobody sits in seat 2" in fault(scenario_text(hand, "2 folds", stacks="[400, 0, 400]")).reason
    assert play_script(hand, "? cannot 2 folds", "? cards 2 0", "? not-receives 2", stacks="[400, 0, 400]").passed
    assert "9c is dealt twice: it was already in the stub" in fault(scenario_text(DEAL, stub='"2c 9c"')).reason
    assert "a deal line must follow 'burn 2'" in fault(scenario_text("burn 2", "? pot 6", DEAL)).reason
    assert fault(scenario_text("# nothing")).reason == "play: is empty"
    early = ("1 brings-in", "2 calls", "premature fourth 1:7h", "3 calls")
    assert "7h is already out" in play_script(DEAL, *early, "deal fourth 1:7c 2:7h 3:5h").reason
    assert play_script(DEAL, *early, "deal fourth 1:7c 2:3c 3:5h", "? upcards 1 4s7c").passed


@pytest.mark.parametrize(("text", "line", "reason"), [
    ("[[scenario]]\nname =\n", 2, "it is not TOML"),
    ("", 1, "there is no [[scenario]] in it"),
    ("scenario = 3", 1, "there is no [[scenario]] in it"),
    ('title = "x"\n' + scenario_text(DEAL), 1, "there is no field 'title' outside a [[scenario]]"),
])  # fmt: skip
def test_a_file_that_is_no_scenario_file_is_an_error(text: str, line: int, reason: str) -> None:
    found = fault(text)
    assert (found.line, found.reason[: len(reason)]) == (line, reason)


def test_a_bad_scenario_does_not_hide_the_others_of_its_file() -> None:
    text = (
        scenario_text(DEAL, "? wonders 1")
        + scenario_text(DEAL, "? turn 1", name='"Another"')
        + scenario_text(DEAL, "? jumps")
    )
    read = list(read_text("hand.toml", text))
    assert ([type(one) for one in read], [one.line for one in read]) == (
        [ScenarioFault, Scenario, ScenarioFault],
        [9, 11, 29],
    )


def command(*arguments: str) -> tuple[int, list[str]]:
    out = StringIO()
    try:
        call_command("scenario", *arguments, stdout=out)
    except SystemExit as stop:
        return int(str(stop.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def test_the_command_prints_a_line_for_each_failure_and_then_the_count(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/mixed.toml").write_text(
        scenario_text(DEAL, "? turn 2")
        + scenario_text(DEAL, "? turn 1", rulebooks='["roberts-v4", "hoyle"]')
        + scenario_text("so what")
    )
    code, lines = command(str(tmp_path), str(tmp_path / "absent.toml"))
    assert (code, lines[-1]) == (1, "1 passed, 4 failed")
    places = [re.sub(r"^.*/", "", line.split(": ")[0]) for line in lines[:-1]]
    assert places == ["mixed.toml:9", "mixed.toml:11", "mixed.toml:28", "absent.toml"]
    assert lines[3].endswith("absent.toml: there is no such file or folder")


def test_the_command_prints_an_object_per_scenario_and_rulebook(tmp_path: Path) -> None:
    file = tmp_path / "mixed.toml"
    file.write_text(
        scenario_text(DEAL, "? turn 1", rulebooks='["roberts-v4", "hoyle"]') + scenario_text(DEAL, "? turn 2")
    )
    code, lines = command("--json", str(file))
    told = [json.loads(line) for line in lines]
    runs = [(one["rulebook"], one["passed"], one["line"]) for one in told]
    assert (code, runs) == (1, [("roberts-v4", True, 1), ("hoyle", False, 1), ("roberts-v4", False, 19)])
    assert told[2]["reason"] == "'? turn 2': it is the turn of seat 1"
    assert {"file", "name", "rule"} <= told[0].keys()


def test_the_command_ends_well_where_all_passed_and_not_on_an_empty_folder(tmp_path: Path) -> None:
    (code, lines), file = command(str(tmp_path)), tmp_path / "good.toml"
    assert code == 1
    assert "no scenario file" in lines[0]
    file.write_text(scenario_text(DEAL, "? turn 1"))
    assert command(str(file)) == (0, ["1 passed, 0 failed"])
