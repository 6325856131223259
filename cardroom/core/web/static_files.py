"""Files that browsers may keep for ever: named by their content where they were collected, compressed, and the modules
of a page asked for together.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from posixpath import normpath
from typing import Any

from django.contrib.staticfiles import finders
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT = re.compile(r"^(?:import|export)\b[^;]*?\"(\.{1,2}/[^\"]+)\";", re.MULTILINE)


class NamedByContent(CompressedManifestStaticFilesStorage):
    """Every file under a name that its content gives it, in modules as in sheets, and a compressed copy beside it."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, hashed_files: Any, template: str | None = None) -> Callable[..., str]:
        """A library's sheet or script may name what it does not bring, such as the map of its source: left as it is."""
        convert = super().url_converter(name, hashed_files, template)

        def converted(match: re.Match[str]) -> str:
            try:
                return convert(match)
            except ValueError:
                return match[0]

        return converted


@lru_cache(maxsize=256)
def modules_of(name: str) -> tuple[str, ...]:
    """The modules that a script of ours imports, and those that they import, each once, nearest first. Names are those
    of static files ("games/play/main.js"). ``FileNotFoundError`` for one that there is not."""
    found: dict[str, None] = {}
    waiting = [name]
    for module in waiting:
        path = finders.find(module)
        if path is None:
            raise FileNotFoundError(f"There is no static file {module}.")
        for address in _IMPORT.findall(Path(path).read_text("utf-8")):
            imported = normpath(f"{module}/../{address}")
            if imported != name and imported not in found:
                found[imported] = None
                waiting.append(imported)
    return tuple(found)
