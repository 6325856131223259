"""Static files as `make run` lays them out: a page asks for few of them, and its browser keeps them."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from tests.support.room import PROJECT


def laid_out() -> Path:
    """Their folder, which is not that of `make run`. Who asks first lays them out, if one has changed, while the others
    wait."""
    folder = PROJECT / ".run" / "static-of-tests"
    folder.parent.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        manifest = folder / "staticfiles.json"
        order = ["make", "--silent", f"PYTHON={sys.executable}", f"STATIC={manifest}", str(manifest)]
        own = {"DJANGO_SETTINGS_MODULE": "cardroom.settings", "CARDROOM_STATIC_ROOT": str(folder)}
        subprocess.run(order, cwd=PROJECT, env={**os.environ, **own}, check=True, timeout=300)
    return folder
