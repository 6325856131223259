"""Leave to take chips out of the house, for tests that begin with chips in somebody's hands."""

from cardroom.ledger.passages import Passage


def leave(chips: int) -> Passage:
    """As the demo has it, out of any account."""
    return Passage("rule:demo", chips)
