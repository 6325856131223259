"""Random mutants: small faults put into the product one at a time, to see whether the suite notices.

    make mutants                       hold the kept list against the suite as it is
    python -m tests.support.mutants draw --seed N --count N     write a new list
    python -m tests.support.mutants record -m "not long"        which tests execute each mutated line
    python -m tests.support.mutants judge                       run those tests on each mutant, first failure ends

A mutant changes one operator, number, condition or statement inside a function of a room. `record` runs the suite once
on a copy of the tree with a probe before each mutated statement; `judge` runs on further copies. The list, with the
test that killed each mutant, is `tests/mutants.json`. Nothing here touches the tree it is started from, except that
file.
"""

import argparse
import ast
import concurrent.futures
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
KEPT = PROJECT / "tests" / "mutants.json"
#: Mutated are the rooms: what lies beside them puts the room together, measures it or shows it.
WHERE = ("cardroom/*/", "games/*/", "tournaments/*/")
LEFT_OUT = frozenset({"management", "migrations", "process", "templatetags"})
_OTHER = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is", ast.Add: "-", ast.Sub: "+", ast.Mult: "//",
    ast.FloorDiv: "*", ast.Mod: "//", ast.And: "or", ast.Or: "and",
}  # fmt: skip
#: A mutant that runs for longer than this many times what its tests take, and a minute, is stuck: that is noticed too.
_PATIENCE = 4
_USAGE = 4  # pytest's own word for "there is no such test"


@dataclass(frozen=True)
class Mutant:
    """`old` becomes `new` in the `nth` line (from 0) of `path` that reads `line`, at `column` of the stripped line."""

    path: str
    line: str
    nth: int
    column: int
    old: str
    new: str


@dataclass(frozen=True)
class Place:
    """Where a mutant is in a file as it now is: lines and columns as `ast` counts them, and the statement's first."""

    mutant: Mutant
    row: int
    statement: int


def sites(path: Path) -> list[Place]:
    """Every place of a file where a mutant can stand."""
    source = path.read_text()
    lines = source.splitlines()
    seen: Counter[str] = Counter()
    nth = {}
    for row, text in enumerate(lines, 1):
        nth[row] = seen[text.strip()]
        seen[text.strip()] += 1
    places = []
    for statement, row, column, old, new in _changes(ast.parse(source), lines):
        text = lines[row - 1]
        indent = len(text) - len(text.lstrip())
        name = str(path.relative_to(PROJECT)) if path.is_relative_to(PROJECT) else str(path)
        places.append(Place(Mutant(name, text.strip(), nth[row], column - indent, old, new), row, statement))
    return places


def _changes(tree: ast.Module, lines: list[str]) -> Iterator[tuple[int, int, int, str, str]]:
    """First line of the statement, then row, column (in characters), old and new text of each change."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                yield from _changes_in(statement, statement.lineno, lines)


def _changes_in(node: ast.AST, statement: int, lines: list[str]) -> Iterator[tuple[int, int, int, str, str]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.JoinedStr | ast.AnnAssign):
        if isinstance(node, ast.AnnAssign) and node.value:
            yield from _changes_in(node.value, statement, lines)
        return  # nested functions are walked by themselves
    if isinstance(node, ast.Expr) and ast.unparse(node).startswith(("log.", "logger.")):
        return
    if isinstance(node, ast.stmt):
        chained = isinstance(node, ast.If) and lines[node.lineno - 1].lstrip().startswith("elif")
        statement = statement if chained else node.lineno
    for row, column, end_row, end, new in _changes_at(node, lines):
        if row == end_row:
            old = lines[row - 1].encode()[column:end].decode()
            yield statement, row, len(lines[row - 1].encode()[:column].decode()), old, new
    # A probe cannot stand before `case`, so everything of a match's heads counts as the match's own.
    for child in ast.iter_child_nodes(node):
        yield from _changes_in(child, statement, lines)


def _changes_at(node: ast.AST, lines: list[str]) -> Iterator[tuple[int, int, int, int, str]]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OTHER:
            yield from _between(left, right, _OTHER[type(op)], lines)
        case ast.BoolOp(op=op, values=[left, right, *_]):
            yield from _between(left, right, _OTHER[type(op)], lines)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OTHER and not _is_text(left, right):
            yield from _between(left, right, _OTHER[type(op)], lines)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node.lineno, node.col_offset, operand.lineno, operand.col_offset, ""
        case ast.Constant(value=bool()):
            yield node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, str(not node.value)
        case ast.Constant(value=int()):
            yield node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, str(node.value + 1)
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Constant):
            text = ast.unparse(test)
            yield test.lineno, test.col_offset, test.end_lineno or 0, test.end_col_offset or 0, f"not ({text})"
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue():
            new = "return" if isinstance(node, ast.Continue) else "pass"
            yield node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, new
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value.lineno, value.col_offset, value.end_lineno or 0, value.end_col_offset or 0, "None"


def _is_text(*operands: ast.expr) -> bool:
    return any(isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str))
               for child in operands)  # fmt: skip


def _between(left: ast.expr, right: ast.expr, new: str, lines: list[str]) -> Iterator[tuple[int, int, int, int, str]]:
    """The operator itself: what stands between two operands, brackets and blanks aside."""
    if left.end_lineno != right.lineno:
        return
    start, end = left.end_col_offset or 0, right.col_offset
    between = lines[right.lineno - 1].encode()[start:end].decode()
    bare = between.strip(" ()")
    start += between.index(bare)
    yield right.lineno, start, right.lineno, start + len(bare), new


def draw(seed: int, count: int) -> list[Mutant]:
    paths = {path for folder in WHERE for path in PROJECT.glob(f"{folder}**/*.py")}
    rooms = [path for path in sorted(paths) if LEFT_OUT.isdisjoint(path.relative_to(PROJECT).parts)]
    everywhere = [place for path in rooms for place in sites(path)]
    print(f"{len(everywhere)} places, {count} drawn with seed {seed}")
    return [place.mutant for place in random.Random(seed).sample(everywhere, count)]


def copy_to(folder: Path) -> Path:
    """The files that git knows, as they now are; `.venv` is shared."""
    listed = subprocess.check_output(["git", "ls-files", "-coz", "--exclude-standard"], cwd=PROJECT, text=True)
    for name in filter(None, listed.split("\0")):
        if (PROJECT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, folder / name)
    (folder / ".venv").symlink_to(PROJECT / ".venv")
    if (shared := PROJECT.parent / "shared").is_dir() and not (folder.parent / "shared").exists():
        (folder.parent / "shared").symlink_to(shared)
    return folder


def row_of(mutant: Mutant, root: Path) -> int | None:
    """The row, from 1, on which a mutant stands; None when its line is no longer there."""
    path = root / mutant.path
    if not path.exists():
        return None
    rows = [row for row, text in enumerate(path.read_text().splitlines(), 1) if text.strip() == mutant.line]
    return rows[mutant.nth] if mutant.nth < len(rows) else None


@contextmanager
def put_in(mutant: Mutant, root: Path) -> Iterator[None]:
    """Change the copy until the block ends."""
    path, row = root / mutant.path, row_of(mutant, root)
    assert row is not None
    before = path.read_text()
    lines = before.splitlines(keepends=True)
    text = lines[row - 1]
    at = len(text) - len(text.lstrip()) + mutant.column
    assert text[at : at + len(mutant.old)] == mutant.old, mutant
    lines[row - 1] = text[:at] + mutant.new + text[at + len(mutant.old) :]
    changed = "".join(lines)
    ast.parse(changed)
    path.write_text(changed)
    try:
        yield
    finally:
        path.write_text(before)


def record(mutants: list[Mutant], selection: list[str], workers: int) -> dict[str, dict]:
    """Run the suite once: `{"reached": {number: [test, ...]}, "seconds": {test: seconds}}`."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        root = copy_to(Path(temporary) / "tree")
        probes: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, mutant in enumerate(mutants):
            for place in sites(root / mutant.path):
                if (place.row, place.mutant.column) == (row_of(mutant, root), mutant.column):
                    probes[mutant.path].append((place.statement, number))
                    break
        for name, wanted in probes.items():
            lines = (root / name).read_text().splitlines(keepends=True)
            for row, number in sorted(wanted, reverse=True):
                text = lines[row - 1]
                indent = text[: len(text) - len(text.lstrip())]
                lines.insert(row - 1, f"{indent}import tests.support.mutant_probe as _p; _p.hit({number})\n")
            ast.parse("".join(lines))
            (root / name).write_text("".join(lines))
        hits, times = Path(temporary) / "hits", Path(temporary) / "times"
        environment = os.environ | {"MUTANT_HITS": str(hits), "MUTANT_TIMES": str(times)}
        plan = ["-p", "tests.support.mutant_probe", "-n", str(workers), "-q", *selection]
        subprocess.run([sys.executable, "-m", "pytest", *plan], cwd=root, env=environment, check=False)
        seconds: dict[str, float] = defaultdict(float)
        for text in times.read_text().splitlines():
            test, took = text.rsplit("\t", 1)
            seconds[test] += float(took)
        reached: dict[int, set[str]] = defaultdict(set)
        for text in hits.read_text().splitlines():
            number, test = text.split("\t", 1)
            reached[int(number)].add(test)
    return {
        "reached": {str(number): sorted(tests & seconds.keys()) for number, tests in reached.items()},
        "seconds": dict(seconds),
    }


def judge(mutant: Mutant, tests: list[str], root: Path, *, seconds: float, lane: int) -> str | None:
    """The test that fails on this mutant first, "(stuck)", or None when all of them pass."""
    listed = root / ".mutant-tests"
    listed.write_text("\n".join(tests))
    base = os.environ.get("DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/cardroom"
    environment = os.environ | {"DATABASE_URL": f"{base.rsplit('/', 1)[0]}/mutants_{lane}"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", f"@{listed}"]
    with put_in(mutant, root):
        process = subprocess.Popen(
            command, cwd=root, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=60 + _PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "(stuck)"
    if process.returncode == 0:
        return None
    if process.returncode == _USAGE:
        raise SystemExit(f"The tests are others than when they were recorded; record again.\n{output}")
    for text in output.splitlines():
        if text.startswith(("FAILED ", "ERROR ")):
            return text.split(" ", 1)[1].split(" - ")[0]
    return f"(exit {process.returncode}) " + " ".join(output.split())[-300:]


def judge_all(mutants: list[Mutant], reach: dict[str, dict], lanes: int, first: dict[int, str]) -> list[str | None]:
    seconds = reach["seconds"]
    verdicts: list[str | None] = [None] * len(mutants)
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        free = [(lane, copy_to(Path(temporary) / f"tree{lane}")) for lane in range(lanes)]

        def one(number: int) -> None:
            tests = sorted(reach["reached"].get(str(number), ()), key=lambda test: seconds[test])
            if first.get(number) in tests:  # what killed it before is asked first
                tests.remove(first[number])
                tests.insert(0, first[number])
            lane, root = free.pop()
            began = time.monotonic()
            if not tests:
                verdicts[number] = None
            else:
                took = sum(seconds[test] for test in tests)
                verdicts[number] = judge(mutants[number], tests, root, seconds=took, lane=lane)
            free.append((lane, root))
            mutant = mutants[number]
            print(f"{number:3} {time.monotonic() - began:6.1f} s  {len(tests):4} tests  {mutant.path}: "
                  f"{mutant.old!r} -> {mutant.new!r}: {verdicts[number] or 'ALIVE'}", flush=True)  # fmt: skip

        with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
            for future in [pool.submit(one, number) for number in range(len(mutants))]:
                future.result()
    return verdicts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["draw", "record", "judge", "all"])
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--list", type=Path, default=KEPT)
    parser.add_argument("--reach", type=Path, default=Path(tempfile.gettempdir()) / "mutants-reach.json")
    parser.add_argument("--column", default="killed_by", help="under which name the verdicts are kept in the list")
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--workers", type=int, default=3)
    chosen, selection = parser.parse_known_args()  # the rest goes to pytest when recording
    if chosen.what == "draw":
        kept = [asdict(mutant) for mutant in draw(chosen.seed, chosen.count)]
        chosen.list.write_text(json.dumps(kept, indent=1) + "\n")
        return 0
    kept = json.loads(chosen.list.read_text())
    mutants = [Mutant(**{name: kept_one[name] for name in Mutant.__annotations__}) for kept_one in kept]
    if chosen.what in ("record", "all"):
        chosen.reach.write_text(json.dumps(record(mutants, selection, chosen.workers)))
    if chosen.what in ("judge", "all"):
        first = {number: kept_one[chosen.column] for number, kept_one in enumerate(kept) if kept_one.get(chosen.column)}
        verdicts = judge_all(mutants, json.loads(chosen.reach.read_text()), chosen.lanes, first)
        for kept_one, verdict in zip(kept, verdicts, strict=True):
            kept_one[chosen.column] = verdict
        chosen.list.write_text(json.dumps(kept, indent=1) + "\n")
        print(f"{sum(map(bool, verdicts))} of {len(verdicts)} mutants are noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
