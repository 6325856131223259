"""The shapes of rulings: those of the room, of the desk, and of practice."""

from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers

from cardroom.web.api.fields import Number, Order, Query, Text, WholeNumber
from games.desk.model import GAMES


class Moment(serializers.CharField):
    """A date or a moment, as text; `rulings.py` reads it."""

    def __init__(self, **options: Any) -> None:
        pattern = r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$"
        super().__init__(**{"validators": [RegexValidator(pattern)], **options})


class RulingQuery(Query):
    """Which rulings to list."""

    key = serializers.CharField(
        required=False, validators=[RegexValidator("^[a-z_]{1,40}$")], help_text="A rulebook point: burn_error."
    )
    table = Number(required=False)
    cursor = Number(required=False)
    limit = Number(required=False)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of the language."""
        moment = "A date, or a moment with its time zone: 2030-01-05 or 2030-01-05T20:00:00Z."
        return super().get_fields() | {
            "from": Moment(required=False, help_text=moment),
            "to": Moment(required=False, help_text=f"{moment} A date counts whole."),
        }


class Ruling(serializers.Serializer[Any]):
    """A ruling."""

    id = serializers.IntegerField()
    hand = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Of the hand at its table.")
    table = serializers.IntegerField()
    table_name = serializers.CharField()
    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    key = serializers.CharField(help_text="The rulebook point.")
    verdict = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    words = serializers.CharField()
    rule = serializers.CharField(help_text="Where the book says so.")
    citation = serializers.CharField(help_text="Book and rule, for people.")
    rulebook = serializers.CharField()
    is_reversed = serializers.BooleanField(help_text="The entry behind it was a mistake and was taken back.")


# -- the desk --------------------------------------------------------------------------------------------------------


class BookTitle(serializers.Serializer[Any]):
    slug = serializers.CharField()
    title = serializers.CharField()


class Option(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class Ask(serializers.Serializer[Any]):
    """One thing the desk wants to know."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    kind = serializers.CharField(help_text="choice, number or flag")
    options = Option(many=True, help_text="Of a choice.")
    least = serializers.IntegerField(allow_null=True, help_text="Of a number.")
    most = serializers.IntegerField(allow_null=True)
    default = serializers.JSONField()
    only_if = serializers.DictField(help_text="Asked only where these other answers are among the values.")


class DeskQuestion(serializers.Serializer[Any]):
    slug = serializers.CharField()
    group = serializers.CharField()
    title = serializers.CharField()
    keys = serializers.ListField(child=serializers.CharField(), help_text="The rulebook points it is ruled by.")
    asks = Ask(many=True)


class Catalogue(serializers.Serializer[Any]):
    """Everything that can be asked at the desk."""

    rulebooks = BookTitle(many=True)
    questions = DeskQuestion(many=True)


class DeskQuery(Query):
    rulebook = serializers.CharField(required=False, max_length=80, help_text="roberts-v4, if nothing is said.")


class DeskOrder(Order):
    """What happened."""

    what = Text(max_length=40, help_text="The slug of a question.")
    rulebook = Text(required=False, max_length=80, help_text="roberts-v4, if nothing is said.")
    answers = serializers.DictField(
        required=False, help_text="By the names of its asks; what is missing has its default."
    )


class DeskRuling(serializers.Serializer[Any]):
    key = serializers.CharField()
    verdict = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    words = serializers.CharField()
    rule = serializers.CharField()
    citation = serializers.CharField()
    is_silent = serializers.BooleanField(help_text="The book says nothing, and plays the rule of another.")
    follows = serializers.CharField(allow_blank=True)


class BookPoint(serializers.Serializer[Any]):
    """What the book says on a point of the question."""

    key = serializers.CharField()
    text = serializers.CharField()
    citation = serializers.CharField()
    is_silent = serializers.BooleanField()
    follows = serializers.CharField(allow_blank=True)


class Refused(serializers.Serializer[Any]):
    """The rules do not let this happen."""

    message = serializers.CharField()
    rule = serializers.CharField(allow_null=True)
    code = serializers.CharField()


class LittleSeat(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    stack = serializers.IntegerField()
    bet = serializers.IntegerField()
    is_live = serializers.BooleanField()
    is_absent = serializers.BooleanField()
    is_all_in = serializers.BooleanField()
    cards = serializers.ListField(help_text="[card or null, is it up] in the order dealt.")
    upcards = serializers.ListField(child=serializers.CharField())


class LittleTable(serializers.Serializer[Any]):
    """A hand as the rail sees it."""

    street = serializers.IntegerField()
    pot = serializers.IntegerField()
    to_act = serializers.IntegerField(help_text="0: nobody.")
    dealer = serializers.IntegerField()
    common = serializers.ListField(child=serializers.CharField())
    is_over = serializers.BooleanField()
    seats = LittleSeat(many=True)


class DeskAnswer(serializers.Serializer[Any]):
    """What the engine makes of it."""

    what = serializers.CharField()
    answers = serializers.DictField(help_text="As they were understood, defaults included.")
    told = serializers.ListField(child=serializers.CharField(), help_text="How the little hand went.")
    deed = serializers.ListField(child=serializers.CharField(), help_text="What happened then.")
    rulings = DeskRuling(many=True, help_text="Cause first.")
    finding = serializers.CharField(allow_blank=True, help_text="What a rule of play comes to: nothing to rule on.")
    remedy = serializers.ListField(child=serializers.CharField(), help_text="What follows.")
    next = serializers.CharField(allow_blank=True, help_text="What correct procedure wants then.")
    refused = Refused(allow_null=True)
    before = LittleTable(allow_null=True, help_text="What is to be ruled on; null where no hand begins.")
    table = LittleTable(allow_null=True, help_text="In the end.")
    points = BookPoint(many=True)


# -- practice --------------------------------------------------------------------------------------------------------


class PracticeOrder(Order):
    """Begin to practise."""

    rulebook = Text(max_length=80)
    game = serializers.ChoiceField(GAMES, required=False)
    setting = serializers.ChoiceField(("cash", "tournament"), required=False)
    rate = WholeNumber(
        required=False, min_value=0, max_value=100, help_text="Of a hundred situations, so many have a mistake in them."
    )
    seed = WholeNumber(
        required=False, allow_null=True, min_value=0, max_value=2**31 - 1, help_text="Which situations come; any."
    )


class Practice(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    rulebook = serializers.CharField()
    game = serializers.CharField()
    setting = serializers.CharField()
    rate = serializers.IntegerField()
    seed = serializers.IntegerField()
    started_at = serializers.DateTimeField()


class PracticeChoice(serializers.Serializer[Any]):
    """A ruling to be picked; empty words: nothing is wrong."""

    key = serializers.CharField(allow_blank=True)
    verdict = serializers.CharField(allow_blank=True)
    label = serializers.CharField()  # type: ignore[assignment]


class Situation(serializers.Serializer[Any]):
    """What waits for a ruling."""

    session = serializers.IntegerField()
    number = serializers.IntegerField()
    told = serializers.ListField(child=serializers.CharField())
    deed = serializers.ListField(child=serializers.CharField(), help_text="What is to be ruled on.")
    table = LittleTable(help_text="As it lies when it is to be ruled on.")
    choices = PracticeChoice(many=True)


class PickedRuling(Order):
    """A ruling picked; empty words: nothing is wrong."""

    key = Text(allow_blank=True, max_length=40)
    verdict = Text(allow_blank=True, max_length=40)


class PracticeAnswerOrder(Order):
    """The rulings picked."""

    number = WholeNumber(min_value=1, max_value=2**31 - 1)
    rulings = PickedRuling(many=True, help_text="Every ruling that has to be made, in any order.")


class PracticeResult(serializers.Serializer[Any]):
    """What the engine rules."""

    session = serializers.IntegerField()
    number = serializers.IntegerField()
    is_right = serializers.BooleanField()
    picked = PracticeChoice(many=True)
    told = serializers.ListField(child=serializers.CharField())
    deed = serializers.ListField(child=serializers.CharField())
    rulings = DeskRuling(many=True)
    remedy = serializers.ListField(child=serializers.CharField())
    next = serializers.CharField(allow_blank=True)
    table = LittleTable()


class ResultRow(serializers.Serializer[Any]):
    key = serializers.CharField(allow_blank=True, help_text="Empty: situations in which nothing was wrong.")
    label = serializers.CharField()  # type: ignore[assignment]
    asked = serializers.IntegerField()
    right = serializers.IntegerField()


class PracticeResults(serializers.Serializer[Any]):
    asked = serializers.IntegerField()
    right = serializers.IntegerField()
    rows = ResultRow(many=True)
