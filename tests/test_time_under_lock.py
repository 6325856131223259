"""The time of what a service does is read once, under its lock."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[1]
APPS = ("cardroom", "games", "tournaments")
#: Calls that take a lock, or lead to one.
LOCKS = {
    *("locking.table", "locking.tables", "locking.table_playing", "journal.lock", "stacks.lock_player"),
    *("_lock_accounts", "_lock_approval", "_lock_request", "_lock_session", "_lock_tables"),
    *("event_journal.lock", "calling.lock_tables"),
    *("cage_books.lock_books", "cage_books.lock_desk", "cage_books.session_of", "store.entry", "lock"),
}
#: What is done as a part of a verb, which gives the time; and alarms, which do nothing where anything
#: was done since they were set, so that theirs is later than whatever they follow.
PARTS = {
    "games.rake.jackpot_hits.find_hit",
    "games.play.opening.carry_out",
    "games.reports.reports.add_up", "games.play.hands.time_out", "games.play.bots.house_bots.play_on",
    "games.waitlists.calling.choice_at",
    "games.waitlists.filling.start_clock", "games.waitlists.filling.hand_ended",
    "games.waitlists.joining.put_back", "games.waitlists.filling.wake_call",
    "games.waitlists.joining.release", "games.play.seating.take_off_everywhere",
    "games.play.seats.take_seat", "tournaments.events.money.give_back", "tournaments.directing.receipts.note_print",
    "tournaments.directing.seat_cards.new_move_slips",
    "tournaments.prizes.tickets.find",
}  # fmt: skip


#: What asks services: pages, sockets, tasks, what is heard of. All other modules may be services.
EDGES = re.compile(r"/pages[/.]|/kiosk|/office/|/live/|/realtime/|/web/|/tasks|^cardroom/accounts/receivers")
NEITHER = re.compile(r"/(?:engine|management|migrations|models|templatetags|demo)\b")


def modules(*, edges: bool) -> Iterator[tuple[str, ast.Module]]:
    for app in APPS:
        for path in sorted((PROJECT / app).rglob("*.py")):
            place = path.relative_to(PROJECT).as_posix()
            if NEITHER.search(place) is None and bool(EDGES.search(place)) is edges:
                yield place.removesuffix(".py").removesuffix("/__init__").replace("/", "."), ast.parse(path.read_text())


def first_lock(body: ast.AST) -> int | None:
    calls = (each for each in ast.walk(body) if isinstance(each, ast.Call))
    found = [each.lineno for each in calls if (said := ast.unparse(each.func)) in LOCKS or "select_for_update" in said]
    return min(found, default=None)


def reads(body: ast.AST) -> list[int]:
    calls = (each for each in ast.walk(body) if isinstance(each, ast.Call))
    return [each.lineno for each in calls if ast.unparse(each.func) == "current_time"]


def takes_a_time(function: ast.FunctionDef) -> bool:
    return any(argument.arg == "now" for argument in function.args.kwonlyargs)


def begun(function: ast.FunctionDef) -> str:
    """What is wrong with where this service has its time from; "" where it is right."""
    at, is_read = first_lock(function), reads(function)
    if is_read:
        # `f(now=now)` hands on what was given, which may be nothing: then `f` reads the time.
        handed_on = [each.value for each in ast.walk(function) if isinstance(each, ast.keyword) and each.arg == "now"]
        early = [
            each.lineno
            for each in ast.walk(function)
            if isinstance(each, ast.Name) and each.id == "now" and isinstance(each.ctx, ast.Load)
            if each.lineno < min(is_read) and each not in handed_on
        ]
        return f"uses the time in line {early[0]}, before it is read" if early else ""
    return "locks, and is given a time from before that" if at is not None else ""


def test_no_service_has_a_time_from_before_its_lock() -> None:
    faults = {
        f"{module}.{function.name}": wrong
        for module, tree in modules(edges=False)
        for function in tree.body
        if isinstance(function, ast.FunctionDef) and not function.name.startswith("_") and takes_a_time(function)
        if (wrong := begun(function))
    }
    assert sorted(set(faults) - PARTS) == []
    assert sorted(PARTS - set(faults)) == [], "these are no exceptions any more"


def reached(names: dict[str, Any], called: ast.expr) -> Any:
    """What is called, by the names of the module it is called in; None where that is known only when it runs."""
    if isinstance(called, ast.Name):
        return names.get(called.id)
    if isinstance(called, ast.Attribute):
        return getattr(reached(names, called.value), called.attr, None)
    return None


def reads_the_time_itself(service: Any) -> bool:
    if getattr(service, "is_verb", False):
        return True
    if not inspect.isfunction(service) or EDGES.search(service.__module__.replace(".", "/")):
        return False
    now = inspect.signature(service).parameters.get("now")
    return now is not None and now.default is None


def names_of_times(tree: ast.Module) -> set[str]:
    """The names of what is given to many services at once, where a time is in it."""
    assigned = (each for each in ast.walk(tree) if isinstance(each, ast.Assign | ast.AnnAssign))
    return {
        target.id
        for each in assigned
        if isinstance(each.value, ast.Dict)
        and any(isinstance(key, ast.Constant) and key.value == "now" for key in each.value.keys)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        if isinstance(target, ast.Name)
    }


def gives_a_time(keyword: ast.keyword, with_a_time: set[str]) -> bool:
    is_among = isinstance(keyword.value, ast.Name) and keyword.value.id in with_a_time
    return keyword.arg == "now" or (keyword.arg is None and is_among)


def test_no_edge_gives_a_time_to_a_verb() -> None:
    told = []
    for module, tree in modules(edges=True):
        names = vars(importlib.import_module(module))
        calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
        with_a_time = names_of_times(tree)
        for call in calls:
            if not any(gives_a_time(keyword, with_a_time) for keyword in call.keywords):
                continue
            service = reached(names, call.func)
            is_run = ast.unparse(call.func) == "threads.run" and call.args
            if reads_the_time_itself(reached(names, call.args[0]) if is_run else service):
                told.append(f"{module}: {ast.unparse(call.func)}")
    assert told == []


WRONG = """
def pause(*, table_id, now):
    table = locking.table(table_id)
    table.paused_at = now
"""
EARLY = """
def pause(*, table_id, now=None):
    due = now + HOUR
    table = locking.table(table_id)
    now = now or current_time()
"""
RIGHT = """
def pause(*, table_id, now=None):
    table = locking.table(table_id)
    now = now or current_time()
"""


@pytest.mark.parametrize(("source", "is_right"), [(WRONG, False), (EARLY, False), (RIGHT, True)])
def test_this_rule_finds_what_it_is_for(source: str, is_right: bool) -> None:
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert (not begun(function)) == is_right
