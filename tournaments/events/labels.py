"""The labels of an event's facts in the current language. The journal keeps them in English, as they were written: what
they say is read out of the sentence again."""

import re

from django.utils.translation import gettext, gettext_noop

from cardroom.core.sentences import is_english, read_back, spoken
from tournaments.engine.plain import ordinal

#: Why an event that waits for more players is cancelled.
TOO_FEW = gettext_noop("{n} of at least {least} entrants had come by the start")
#: Why somebody is moved whom the floor moves without a word.
BY_CHOICE = gettext_noop("By the floor's decision")
#: Each stands before those that it would be taken for.
_LABELS = (
    gettext_noop("Undone: {what}"),
    gettext_noop("Redone: {what}"),
    gettext_noop("Announced"),
    gettext_noop("Cancelled"),
    gettext_noop("Terms changed"),
    gettext_noop("Entry kept open"),
    gettext_noop("Entry closed"),
    gettext_noop("Entry by the terms again"),
    gettext_noop("Cards in the air"),
    gettext_noop("Clock stopped"),
    gettext_noop("Clock runs"),
    gettext_noop("Clock set to {time}"),
    gettext_noop("Clock +{time}: the room was away"),
    gettext_noop("Clock on {name}"),
    gettext_noop("Clock off {name}"),
    gettext_noop("Clock {time}"),
    gettext_noop("Levels edited from {what}"),
    gettext_noop("{what} begins"),
    gettext_noop("{n} hands played"),
    gettext_noop("1 hand played"),
    gettext_noop("Re-entry of {name}"),
    gettext_noop("Entry of {name}"),
    gettext_noop("Rebuy of {name}"),
    gettext_noop("Add-on of {name}"),
    gettext_noop("{name} waits"),
    gettext_noop("{name} is known"),
    gettext_noop("{name} is a no-show"),
    gettext_noop("{name} withdraws"),
    gettext_noop("{name} is back"),
    gettext_noop("{name} may sit anywhere"),
    gettext_noop("{what} reserved for {name}"),
    gettext_noop("Seats drawn: {n} players at {what}"),
    gettext_noop("{name} sits down at {what}, a new one"),
    gettext_noop("{name} sits down at {what}"),
    gettext_noop("{name} moves to {what}"),
    gettext_noop("{name} and {other} swap seats"),
    gettext_noop("Balance: {n} players move"),
    gettext_noop("Balance: {name} moves"),
    gettext_noop("Table {n} opened"),
    gettext_noop("Table {n} closed"),
    gettext_noop("Table {n} breaks"),
    gettext_noop("Final table: {n} players at table {table}"),
    gettext_noop("Round {n} drawn: {what}"),
    gettext_noop("Bust of {name}, when the hand is over"),
    gettext_noop("Bust of {name}"),
    gettext_noop("Hand at table {table}: bust of {name}"),
    gettext_noop("Hand at table {table}"),
    gettext_noop("Hand-for-hand off"),
    gettext_noop("Hand-for-hand"),
    gettext_noop("Count of table {table}: {chips} in {what}"),
    gettext_noop("Count of {name}: {chips}"),
    gettext_noop("Chips in play corrected to {chips}: {reason}"),
    gettext_noop("Stacks bagged"),
    gettext_noop("Stacks after a hand"),
    gettext_noop("Chip race at table {table}"),
    gettext_noop("Payout changed"),
    gettext_noop("Payouts locked again"),
    gettext_noop("Payouts locked"),
    gettext_noop("Deal of {what}"),
    gettext_noop("Flight closed with {what}"),
    gettext_noop("The end"),
    gettext_noop("The first prize is paid: the results stand"),
    gettext_noop("Prize of {name}: {money} paid"),
    gettext_noop("Prizes paid: {money}"),
    gettext_noop("Prizes wait at the desk"),
    gettext_noop("{name}: {what}"),
)
#: What may stand for `{what}`.
_PARTS = (
    gettext_noop("table {table}, seat {seat}"),
    gettext_noop("Level {n}"),
    gettext_noop("Break {n}"),
    gettext_noop("the end"),
    gettext_noop("1 player"),
    gettext_noop("{n} players"),
    gettext_noop("1 table"),
    gettext_noop("{n} tables"),
    gettext_noop("1 stack"),
    gettext_noop("{n} stacks"),
    gettext_noop("1 hand to miss"),
    gettext_noop("{n} hands to miss"),
    gettext_noop("1 round to miss"),
    gettext_noop("{n} rounds to miss"),
    gettext_noop("warning"),
    gettext_noop("disqualified"),
    TOO_FEW,
)
#: Why somebody is moved. Each stands before those that it would be taken for.
_WHYS = (
    gettext_noop(
        "Table {table} breaks. Drawn {turn} of {players}, then seat {seat} of table {to} drawn from {seats} where "
        "{least} sat, the fewest."
    ),
    gettext_noop("Table {table} has {players} players and table {other} has {others}. {why}"),
    gettext_noop("{why}, the next clockwise: seat {seat} there has a player who may not be moved."),
    gettext_noop("{why}, the next clockwise: seat {seat} there is empty."),
    gettext_noop("{why}."),
    BY_CHOICE,
    gettext_noop(
        "Seat {seat} opened last at table {table}, and the player in seat {other_seat} of table {other_table} moves "
        "into it"
    ),
    gettext_noop(
        "Seat {seat} is the first that was never taken at table {table}, and the player in seat {other_seat} of table "
        "{other_table} moves into it"
    ),
    gettext_noop("1 free seat"),
    gettext_noop("{n} free seats"),
    gettext_noop("1 player"),
    gettext_noop("{n} players"),
    gettext_noop("1st"),
    gettext_noop("{n}st"),
    gettext_noop("{n}nd"),
    gettext_noop("{n}rd"),
    gettext_noop("{n}th"),
)
#: Who is out: several names have an "and" before the last, and a place stands after each or after the only one.
_OUT = re.compile(r"(?<=[Bb]ust of ).+?(?=, when the hand is over$|$)")
_PLACE = re.compile(r"(?:(?<= \()|(?<=, ))(\d+)(?:st|nd|rd|th)(?=\)|$)")


def spoken_label(label: str) -> str:
    """This label of a fact in the current language; as it is where nothing is known like it."""
    if not is_english():
        label = _OUT.sub(lambda found: _out(found[0]), label)
    is_part = label[:1].islower() or label[:1].isdigit()
    return read_back(label, (*_PARTS, *_LABELS) if is_part else (*_LABELS, *_PARTS))


def spoken_why(why: str) -> str:
    """Why somebody was moved, in the current language; as it is where the director wrote it."""
    return read_back(why, _WHYS)


def _out(names: str) -> str:
    """``Ana (12th) and Ben (11th)``, in the current language."""
    first, mark, last = names.rpartition(") and ")
    if not mark and "(" not in names and not _PLACE.search(names):
        first, mark, last = names.rpartition(" and ")
    if mark:
        names = gettext("{names} and {last}").format(names=first + mark.removesuffix(" and "), last=last)
    return _PLACE.sub(lambda found: spoken(ordinal(int(found[1]))), names)
