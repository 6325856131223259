"""How often a process of the room looks for garbage.

What it loads stays for good: some hundred thousand objects. Going through them again and again took a seventh of every
start, and a tenth of a busy process's time.
"""

import gc


def loading() -> None:
    """Look seldom while modules are loaded; a process that goes on calls `loaded` next."""
    gc.set_threshold(50_000, 20, 20)


def loaded() -> None:
    """Take what is here by now out of the collector's sight, and have it look less often at the rest."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
