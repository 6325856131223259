"""The PHH format (poker hand history, uoftcprg/phh-std 0.0.2) for the games played here.

``loads`` reads recordings, ``replay`` plays one through the engine, ``dump`` writes a hand of ours; ``PhhError`` says
in a line what is wrong with a recording, and at which action.
"""

from __future__ import annotations

from .phh_dump import dump
from .phh_record import PhhError, Recording, loads
from .phh_replay import Outcome, replay

__all__ = ["Outcome", "PhhError", "Recording", "dump", "loads", "replay"]
