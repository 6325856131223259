"""The shapes of what directors order."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.core.errors import Invalid
from cardroom.core.web import parts
from cardroom.core.web.api.fields import ChipsField, FlagField, Keyed, RequestBody, Text, Together, WholeNumber
from tournaments.directing import event_clock
from tournaments.engine.clock import MOST_LEVELS, Level
from tournaments.engine.config import MOST_STUD_SEATS, PayoutTerms
from tournaments.events.pages.fields import PlainField, seq, some_id
from tournaments.prizes.models import DealProposal, Payout

MOST_MS = 24 * 3600 * 1000
MOST_TABLES = 9999
#: How a prize can be paid by hand.
PAID_BY = [choice for choice in Payout.PaidBy.choices if choice[0] != "ticket"]
_TIME = re.compile(r"(-)?(?:(?:(\d{1,3}):)?(\d{1,4}):(\d{2})|(\d{1,4}))", re.ASCII)
_BLANKS = re.compile(r"\s")
_MOST_NAMED = 12
CARD = r"^[2-9TJQKA][cdhs]$"

#: What can be done with the clock -> the verb, and the argument that it needs.
CLOCK = {
    "start": (event_clock.start, ""),
    "pause": (event_clock.pause, ""),
    "resume": (event_clock.resume, ""),
    "add-time": (event_clock.add_time, "ms"),
    "set-remaining": (event_clock.set_remaining, "ms"),
    "go-to": (event_clock.go_to, "level"),
    "next": (event_clock.next_level, ""),
    "previous": (event_clock.previous_level, ""),
}


def entrant(**options: Any) -> WholeNumber:
    return some_id(help_text="The number of the player's entry.", **options)


def table(*, least: int = 1, **options: Any) -> WholeNumber:
    return WholeNumber(min_value=least, max_value=MOST_TABLES, **options)


def stack(**options: Any) -> WholeNumber:
    return WholeNumber(min_value=0, max_value=10**12, **options)


def _reason(**options: Any) -> Text:
    return Text(max_length=200, **options)


class NoOrder(RequestBody):
    """A body without fields."""


class Directed(RequestBody):
    """An order whose body has no field but `expected_seq`."""

    expected_seq = seq()


class Milliseconds(WholeNumber):
    """On a page as people write it: `12:30`, `1:02:30`, or minutes; with a `-` before it for less."""

    def said(self, words: str) -> int:
        match = _TIME.fullmatch(words)
        if match is None:
            raise Invalid("bad-form", "Time: write minutes and seconds, such as 12:30.")
        hours, minutes, seconds, whole = (int(part or 0) for part in match.groups()[1:])
        return (-1000 if match[1] else 1000) * (3600 * hours + 60 * (minutes + whole) + seconds)


class ClockOrder(Directed):
    """`ms` for add-time (below 0: less of it) and set-remaining, `level` (from 0, breaks counted) for go-to."""

    what = serializers.ChoiceField(list(CLOCK))
    ms = Milliseconds(required=False, min_value=-MOST_MS, max_value=MOST_MS)
    level = WholeNumber(required=False, min_value=0, max_value=MOST_LEVELS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = CLOCK[attrs["what"]][1]
        for name in ("ms", "level"):
            if (name == needed) != (name in attrs):
                words = gettext("{what} wants it.") if name == needed else gettext("{what} takes none.")
                raise Together({name: [words.format(what=attrs["what"])]})
        return attrs


class LevelsOrder(Directed):
    """`levels` in place of all that were there from index `from_level` on."""

    from_level = WholeNumber(min_value=0, max_value=MOST_LEVELS)
    levels = serializers.ListField(child=PlainField(kind=Level), min_length=1, max_length=MOST_LEVELS)


class SwapOrder(Directed):
    """`entrant` changes seats with `other`, or with the player at `table` in `seat`."""

    other = entrant(required=False)
    entrant = entrant()
    table = table(required=False)
    seat = WholeNumber(required=False, min_value=0, max_value=MOST_STUD_SEATS)
    reason = _reason(required=False, allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.get("other") and not (attrs.get("table") and attrs.get("seat")):
            words = gettext("enter the seat of the other player.")
            raise Together({"seat": [words]})
        return attrs


class _Bust(serializers.Serializer[Any]):
    entrant = entrant()
    stack = stack(
        required=False,
        allow_null=True,
        help_text="Their stack when the hand began; needed where several go out in one hand.",
    )


class _Stack(serializers.Serializer[Any]):
    entrant = entrant()
    chips = stack()


class _HandOrder(Directed):
    """What came of a hand."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "busts" in attrs:
            attrs["busts"] = [(bust["entrant"], bust.get("stack")) for bust in attrs["busts"]]
        if "stacks" in attrs:
            attrs["stacks"] = [(stack["entrant"], stack["chips"]) for stack in attrs["stacks"]]
        return attrs

    @classmethod
    def told_by(cls, form: Any) -> dict[str, Any]:
        """A page has a box `out` for each player out, with `had-<entry>` for their earlier stack, a box `by` for
        each winner of their chips, and a field `chips-<entry>` for each stack, empty where it was not counted."""
        body = super().told_by(form)
        if "busts" in cls().fields:
            out, by = (_entries(form.getlist(name)) for name in ("out", "by"))
            words = gettext("What entry {n} had")
            had = {number: count(form.get(f"had-{number}", ""), words.format(n=number)) for number in out}
            return body | {"busts": [{"entrant": entrant, "stack": had[entrant]} for entrant in out], "eliminators": by}
        named = _entries([name.removeprefix("chips-") for name in form if name.startswith("chips-")])
        words = gettext("Chips of entry {n}")
        chips = {number: count(form.get(f"chips-{number}", ""), words.format(n=number)) for number in named}
        counted = [{"entrant": number, "chips": chips[number]} for number in named if chips[number] is not None]
        if not counted:
            raise Invalid("nothing-counted", "Write down what was counted.")
        return body | {"stacks": counted}


def count(text: str, what: str) -> int | None:
    """A number of chips as people write it, that may be left out; `Invalid`, naming it, for what is no number."""
    number = parts.whole_number_or_none(_BLANKS.sub("", text))
    if number is None and text.strip():
        raise Invalid("bad-form", "{what}: a whole number is wanted.", what=what)
    return number


def _entries(texts: list[str]) -> list[int]:
    if not all(text.isascii() and text.isdigit() and len(text) < 10 for text in texts[:_MOST_NAMED]):
        raise Invalid("bad-form", "An entry is named by its number.")
    return [int(text) for text in texts[:_MOST_NAMED]]


class BustOrder(_HandOrder):
    """All busts of one hand. `eliminators`: the entrants who won the chips."""

    busts = _Bust(many=True, min_length=1, max_length=8)
    eliminators = serializers.ListField(child=entrant(), required=False, max_length=8)
    table = table(least=0, required=False)
    hand = WholeNumber(required=False, min_value=0, max_value=10**9)


class HandDoneOrder(_HandOrder):
    busts = _Bust(many=True, required=False, max_length=8)
    eliminators = serializers.ListField(child=entrant(), required=False, max_length=8)
    stacks = _Stack(many=True, required=False, max_length=8)


class CountTableOrder(_HandOrder):
    """`stacks`: what was counted in front of each player, of all who sit there or of some."""

    stacks = _Stack(many=True, min_length=1, max_length=12)


class RaceOrder(Directed):
    """The chip race of a table. `stacks`: chips by seat; `cards`: as dealt, one for each odd chip, from seat 1 on."""

    table = table()
    leaving = ChipsField(help_text="The denomination that leaves.")
    stacks = Keyed(
        key=f"^[1-{MOST_STUD_SEATS}]$",
        words=gettext_lazy("There is no seat {wrong!r}: seats are 1 to 8."), child=stack(),
        help_text='Such as {"1": 1225, "4": 900}.',
    )  # fmt: skip
    cards = serializers.ListField(
        child=serializers.RegexField(
            CARD, error_messages={"invalid": gettext_lazy("A card is rank then suit, like Ts or 7h.")}
        ),
        required=False,
        allow_null=True,
        max_length=200,
        help_text="May be left out of a trial, for which the system deals.",
    )
    next_denomination = stack(required=False)
    is_trial = FlagField(required=False, help_text="Only calculate the result.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.get("is_trial") and not attrs.get("cards"):
            raise Together({"cards": [gettext("Enter the cards, as dealt or for a draft.")]})
        return attrs


class TypedRaceOrder(RaceOrder):
    """On a page: `stack-<seat>`, `following`, and the cards in a row; empty to have them dealt."""

    table = None  # type: ignore[assignment]

    @classmethod
    def told_by(cls, form: Mapping[str, str]) -> dict[str, Any]:
        body = super().told_by(form)
        stacks = {name.removeprefix("stack-"): form[name] for name in form if name.startswith("stack-")}
        words = gettext("Stack of seat {seat}")
        counted = {seat: count(text, words.format(seat=seat[:9])) for seat, text in stacks.items()}
        cards = [f"{card[:-1].upper()}{card[-1].lower()}" for card in form.get("cards", "").replace(",", " ").split()]
        return body | {
            "stacks": {seat: chips for seat, chips in counted.items() if chips is not None},
            "cards": cards or None,
            "next_denomination": count(form.get("following", ""), gettext("Changed into")) or 0,
        }


class PayoutOrder(Directed):
    payout = PlainField(kind=PayoutTerms)


class DealOrder(Directed):
    """`amounts`: for a custom deal, by the number of the entry."""

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """A page sends the amounts, `amounts-7` those of entry 7, along with any kind."""
        amounts = [name for name in form if name.startswith("amounts-")]
        if form.get("kind") != DealProposal.Kind.CUSTOM:
            return super().typed({name: form[name] for name in form if name not in amounts})
        if not all(form[name].strip() for name in amounts):
            raise Invalid("bad-deal", "Enter the amount of each player, 0 for nothing.")
        return super().typed(form)

    kind = serializers.ChoiceField(DealProposal.Kind.choices)
    play_for = stack(required=False, help_text="The amount left for the winner.")
    amounts = Keyed(
        key="^[0-9]{1,9}$", words=gettext_lazy("There is no entry {wrong!r}: amounts go by the entry's number."),
        child=stack(), required=False, allow_null=True,
    )  # fmt: skip
