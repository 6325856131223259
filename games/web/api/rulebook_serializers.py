"""The shapes of rulebooks: published ones, the house's own, and what the house may change."""

from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import Order, Text, WholeNumber
from games.web.api.serializers import BookName

_KIND = ("choice", "number", "set")


class Book(BookName):
    """A rulebook."""

    base = serializers.CharField(allow_null=True, help_text="Of a house rulebook: the published book it started from.")


class PointAsItWas(serializers.Serializer[Any]):
    """A point that the house changed, as its base book has it."""

    value = serializers.JSONField()
    tournament = serializers.JSONField(allow_null=True)
    text = serializers.CharField()
    citation = serializers.CharField()


class Point(serializers.Serializer[Any]):
    """One point of a rulebook."""

    key = serializers.CharField()
    name = serializers.CharField(help_text="The point, for people.")
    value = serializers.JSONField(help_text="What is played in cash games.")
    tournament = serializers.JSONField(help_text="What is played in tournaments.")
    text = serializers.CharField(help_text="The rule in a sentence.")
    played = serializers.CharField(help_text="What is played, where the sentence is the house’s own.", allow_blank=True)
    cite = serializers.CharField(help_text="Where the book has it; `silent` where it does not.")
    citation = serializers.CharField(help_text="Book and rule, for people.")
    is_silent = serializers.BooleanField()
    follows = serializers.CharField(help_text="Whose rule is played where the book is silent.", allow_blank=True)
    changed_from = PointAsItWas(allow_null=True, help_text="Where the house changed it: as its base book has it.")


class BookWithPoints(Book):
    """A rulebook, point by point."""

    points = Point(many=True)


# -- the house's own -------------------------------------------------------------------------------------------------


class HouseBook(Book):
    """A house rulebook in its newest version. Its `slug` in addresses is `book`."""

    book = serializers.CharField()
    name = serializers.CharField()
    versions = serializers.IntegerField(help_text="How many there are.")
    changes = serializers.IntegerField(help_text="How many points the newest one changes.")


class HouseVersion(Book):
    """A version of a house rulebook. It never changes."""

    book = serializers.CharField()
    name = serializers.CharField()
    number = serializers.IntegerField(help_text="Counts from 1 in each book.")
    note = serializers.CharField(allow_blank=True)
    saved_by = serializers.CharField()
    saved_at = serializers.DateTimeField()


class PlayedPoint(serializers.Serializer[Any]):
    """A point without its book."""

    value = serializers.JSONField()
    tournament = serializers.JSONField(allow_null=True, help_text="Null: as in cash games.")
    text = serializers.CharField()


class Difference(serializers.Serializer[Any]):
    """A point on which a version differs from the one before, the first one from its base book."""

    key = serializers.CharField()
    before = PlayedPoint()
    after = PlayedPoint()


class HouseStep(HouseVersion):
    """A version, and what it changed."""

    differences = Difference(many=True)


class HouseVersionWithPoints(HouseVersion):
    """A version, point by point, and what comes with its changes that one may not expect."""

    points = Point(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class PointOrder(Order):
    """What a point is changed to. What is left out stays as the base book has it."""

    value = serializers.JSONField(
        required=False, allow_null=True, help_text="A value of several parts: those to change."
    )
    tournament = serializers.JSONField(required=False, allow_null=True)
    text = Text(required=False, allow_blank=True, help_text="The house's own sentence; else one is made of the value.")


class _ChangesOrder(Order):
    changes = serializers.DictField(
        child=PointOrder(), help_text="By point, all that differs from the base book. See `rulebooks/choices`."
    )
    note = Text(required=False, allow_blank=True, max_length=300, help_text="Why, for the history.")


class HouseBookOrder(_ChangesOrder):
    """A new house rulebook."""

    name = Text(max_length=40)
    base = Text(max_length=20, help_text="The published book to start from.")


class HouseVersionOrder(_ChangesOrder):
    """A new version of a house rulebook."""

    after = Text(max_length=14, help_text="The version you had before you: a newer one makes this 409.")


class TableRulebookOrder(Order):
    """Which book a table plays from its next hand on."""

    rulebook = Text(max_length=80, help_text="A reference: `roberts-v4`, or `house:riverside@2026-11-20`.")


# -- what may be changed ---------------------------------------------------------------------------------------------


class PointChoice(serializers.Serializer[Any]):
    """A value that may be chosen."""

    value = serializers.JSONField()
    name = serializers.CharField()


class PointPart(serializers.Serializer[Any]):
    """One question of a point. `key` is empty where the point's value is the answer, else a key of its value."""

    key = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    kind = serializers.ChoiceField(_KIND, help_text="One of `choices`, a number, or any of `choices` in their order.")
    choices = PointChoice(many=True)
    least = WholeNumber(allow_null=True)
    most = WholeNumber(allow_null=True)


class ChoosablePoint(serializers.Serializer[Any]):
    """What a house rulebook may say on a point. No `parts`: it is played one way only."""

    key = serializers.CharField()
    name = serializers.CharField()
    has_tournament = serializers.BooleanField(help_text="Whether tournaments may play another value.")
    parts = PointPart(many=True)
