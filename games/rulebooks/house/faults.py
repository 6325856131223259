"""What is refused in a house rulebook, and what is explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.sentences import mid_sentence
from games.engine.rulebook import Rulebook

#: (a point's key) -> what is played on it in the setting at hand.
Played = Callable[[str], Any]


_SETTINGS = {"cash": gettext_lazy("In cash games"), "tournament": gettext_lazy("In tournaments")}


_MOST_WITH_FOLDS_DEALT_TO = 8


@dataclass(frozen=True, slots=True)
class RuleFault:
    """What is wrong with the values of ``points`` (keys), in a sentence."""

    points: tuple[str, ...]
    reason: str


def faults(book: Rulebook) -> list[RuleFault]:
    """What cannot be played as it is written."""
    return _in_both_settings(book, _FAULTS)


def notes(book: Rulebook) -> list[RuleFault]:
    """What has no effect, or an unexpected one."""
    return _in_both_settings(book, _NOTES)


Check = Callable[[Played, str], Iterator[RuleFault]]


def _in_both_settings(book: Rulebook, checks: tuple[Check, ...]) -> list[RuleFault]:
    settings_by_fault: dict[RuleFault, list[str]] = {}
    for setting in _SETTINGS:
        for check in checks:
            for fault in check(lambda key, setting=setting: book.value(key, setting), setting):  # type: ignore[misc]
                settings_by_fault.setdefault(fault, []).append(setting)
    return [
        fault if len(settings) == len(_SETTINGS) else _only_in(fault, settings[0])
        for fault, settings in settings_by_fault.items()
    ]


def _only_in(fault: RuleFault, setting: str) -> RuleFault:
    return RuleFault(fault.points, f"{_SETTINGS[setting]}: {mid_sentence(fault.reason)}")


def _players_are_a_range(played: Played, setting: str) -> Iterator[RuleFault]:
    least, most = played("players")["least"], played("players")["most"]
    if least > most:
        yield RuleFault(
            ("players",),
            gettext("No hand could be dealt: it takes {least} players, and only {most} are dealt in.").format(
                least=least, most=most
            ),
        )


def _nine_cannot_keep_receiving(played: Played, setting: str) -> Iterator[RuleFault]:
    if played("players")["most"] > _MOST_WITH_FOLDS_DEALT_TO and played("fold_keeps_receiving") != "never":
        reason = gettext(
            "Nine players can be dealt in only if a folded hand gets no more cards: with all nine "
            "dealt to, the deck ends before sixth street."
        )
        yield RuleFault(("players", "fold_keeps_receiving"), reason)


def _no_cap_is_no_cap(played: Played, setting: str) -> Iterator[RuleFault]:
    cap = played("raise_cap")
    if not cap["raises"] and cap["heads_up"] != "uncapped":
        reason = gettext("Without a cap on the raises there is none for two players either: choose no cap for both.")
        yield RuleFault(("raise_cap",), reason)


def _cash_has_no_event(played: Played, setting: str) -> Iterator[RuleFault]:
    if setting == "cash" and played("raise_cap")["heads_up"] == "uncapped-at-two-left":
        yield RuleFault(
            ("raise_cap",), gettext("A cash game is no tournament with players left in it: choose capped or uncapped.")
        )


def _misdeal_comes_first(played: Played, setting: str) -> Iterator[RuleFault]:
    if played("exposed_downcard") == "misdeal" and played("both_downcards_exposed") != "misdeal":
        reason = gettext(
            "One downcard face up is a misdeal already, so two of them cannot be a dead hand: choose "
            "a misdeal for both, or let the third card come down after the first."
        )
        yield RuleFault(("exposed_downcard", "both_downcards_exposed"), reason)


def _no_burns_to_deal_on(played: Played, setting: str) -> Iterator[RuleFault]:
    if not played("burns") and played("deck_exhaustion") == "burns-without-burn":
        reason = gettext(
            "No card is burned, so there are no burns to deal on when the deck runs short: choose another remedy."
        )
        yield RuleFault(("burns", "deck_exhaustion"), reason)


_FAULTS: tuple[Check, ...] = (
    _players_are_a_range,
    _nine_cannot_keep_receiving,
    _no_cap_is_no_cap,
    _cash_has_no_event,
    _misdeal_comes_first,
    _no_burns_to_deal_on,
)


def _misdeal_makes_moot(played: Played, setting: str) -> Iterator[RuleFault]:
    if played("exposed_downcard") == "misdeal":
        reason = gettext("The first downcard face up is a misdeal, so no hand gets as far as both of them.")
        yield RuleFault(("exposed_downcard", "both_downcards_exposed", "dead_hand_lowcard"), reason)
    elif played("both_downcards_exposed") == "misdeal":
        reason = gettext("Both downcards face up are a misdeal, so there is no dead hand that could have been low.")
        yield RuleFault(("both_downcards_exposed", "dead_hand_lowcard"), reason)


def _no_burn_no_burn_error(played: Played, setting: str) -> Iterator[RuleFault]:
    if not played("burns"):
        reason = gettext("No card is burned: only a card burned by mistake is a burn error then.")
        yield RuleFault(("burns", "burn_error"), reason)


def _no_full_opening(played: Played, setting: str) -> Iterator[RuleFault]:
    if not played("opener_may_complete"):
        reason = gettext("Whoever opens in place of the lowcard cannot open for a full bet either.")
        yield RuleFault(("opener_may_complete", "ante_all_in_lowcard", "dead_hand_lowcard"), reason)


def _cap_is_for_fixed_limit(played: Played, setting: str) -> Iterator[RuleFault]:
    if played("limits") == "any-structure" and played("raise_cap")["raises"]:
        yield RuleFault(("limits", "raise_cap"), gettext("The cap on raises counts in fixed limit only."))


def _two_cannot_finish(played: Played, setting: str) -> Iterator[RuleFault]:
    least = played("players")["least"]
    if setting == "tournament" and least > 2:
        yield RuleFault(
            ("players",),
            gettext("A tournament comes down to two players, and a hand here takes {least}.").format(least=least),
        )


_NOTES: tuple[Check, ...] = (
    _misdeal_makes_moot,
    _no_burn_no_burn_error,
    _no_full_opening,
    _cap_is_for_fixed_limit,
    _two_cannot_finish,
)
