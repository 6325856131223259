"""How often a process collects garbage.

A process keeps the hundred thousands of objects it loads at its start. Collecting them again and again took a seventh
of every start and a tenth of a busy process's time, so they are frozen once and the collector runs less often.
"""

import gc


def loading() -> None:
    """Collects seldom while modules are imported; a process that goes on calls `loaded` next."""
    gc.set_threshold(50_000, 20, 20)


def loaded() -> None:
    """Freezes the objects that exist by now, and collects the others less often than Python's default."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
