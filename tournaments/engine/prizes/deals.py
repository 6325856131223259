"""Deals: what is left of the prizes, shared among those left before it is played out.

Works amounts out; who may propose, who agreed and what is paid are for others. Every deal is over the prizes of the
places still open, first prize first. ``play_for`` is taken from first prize beforehand and kept: the winner gets it
on top of their own amount. Stacks and amounts are in one order, that of entry: units left over go by it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.errors import IllegalAction
from tournaments.engine.prizes import icm as model
from tournaments.engine.prizes.rounding import evenly, largest_remainder

KINDS = ("icm", "chip", "even", "custom")


def icm(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """What each stack is worth by the independent chip model (see ``icm.shares``): exact, for up to 20 players."""
    return model.shares(stacks, to_share(stacks, prizes, play_for, unit), unit)


def chip_chop(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """Everyone first gets the least prize still open, which nobody can miss; the rest goes by chips.

    Rounded down to ``unit``, units left over to the largest remainders. The usual chop of card rooms; the chip leader
    may come out above first prize, which is why it is shown beside ICM (``features.md`` 1c: the two side by side).
    """
    prizes = to_share(stacks, prizes, play_for, unit)
    least = min(prizes) if len(prizes) == len(stacks) else 0
    chips, total = sum(stacks), sum(prizes)
    rest = total - least * len(stacks)
    return largest_remainder([least * chips + rest * stack for stack in stacks], chips, total, unit)


def even(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """The same for everyone; units left over one each in order, what fills no unit to the first."""
    return evenly(sum(to_share(stacks, prizes, play_for, unit)), len(stacks), unit)


def custom(
    stacks: Sequence[int], prizes: Sequence[int], amounts: Sequence[int], play_for: int = 0, unit: int = 1
) -> tuple[int, ...]:
    """``amounts`` as agreed, when they are one for each player, none below 0, and sum to what is left.

    Raises ``IllegalAction`` (``deal-amounts``) otherwise, with the difference. ``unit`` binds nobody who agrees.
    """
    left = sum(to_share(stacks, prizes, play_for, unit))
    if len(amounts) != len(stacks):
        raise IllegalAction("deal-amounts", f"There are {len(amounts)} amounts for {len(stacks)} players left.")
    if min(amounts) < 0:
        raise IllegalAction("deal-amounts", "Nobody pays into a deal: an amount is 0 or more.")
    if difference := sum(amounts) - left:
        raise IllegalAction(
            "deal-amounts",
            f"The amounts sum to {sum(amounts)}; {left} is to be shared: {abs(difference)} too "
            f"{'much' if difference > 0 else 'little'}.",
        )
    return tuple(amounts)


def suggest(
    kind: str,
    stacks: Sequence[int],
    prizes: Sequence[int],
    play_for: int = 0,
    unit: int = 1,
    amounts: Sequence[int] = (),
) -> tuple[int, ...]:
    """The deal of that ``kind``; ``amounts`` are for a custom one. Raises ``IllegalAction`` as each of them does, and
    ``deal-kind`` for a kind there is not."""
    if kind == "custom":
        return custom(stacks, prizes, amounts, play_for, unit)
    if kind not in KINDS:
        raise IllegalAction("deal-kind", f"There is no deal called {kind!r}: {', '.join(KINDS)}.")
    return {"icm": icm, "chip": chip_chop, "even": even}[kind](stacks, prizes, play_for, unit)


def to_share(stacks: Sequence[int], prizes: Sequence[int], play_for: int = 0, unit: int = 1) -> tuple[int, ...]:
    """The prizes that are dealt over: those of as many places as players are left, without ``play_for``.

    Raises ``IllegalAction``: ``deal-players`` (fewer than two), ``deal-stack`` (one without chips), ``deal-prizes``
    (nothing to share), ``deal-play-for`` (below 0, or more than first prize), ``unit``.
    """
    open_ = list(prizes[: len(stacks)])
    if len(stacks) < 2:
        raise IllegalAction("deal-players", "It takes at least two players to make a deal.")
    if min(stacks) < 1:
        raise IllegalAction("deal-stack", "A player without chips is out, and has no part in a deal.")
    if min(open_, default=0) < 0 or not sum(open_):
        raise IllegalAction("deal-prizes", "There is no prize money left to share.")
    if not 0 <= play_for <= open_[0]:
        raise IllegalAction(
            "deal-play-for", f"What is left to play for comes from first prize: 0 to {open_[0]}, not {play_for}."
        )
    if unit < 1:
        raise IllegalAction("unit", "Amounts are rounded to 1 or more.")
    open_[0] -= play_for
    return tuple(open_)
