"""The shapes of waiting lists, and of what is asked of them."""

from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import Chips, Flag, Order, Text, WholeNumber
from games.models import ListEntry
from games.services import lists

_KINDS = [kind for kind in ListEntry.Kind.values if kind != ListEntry.Kind.MUST_MOVE]


class ListName(serializers.Serializer[Any]):
    """A name on a list."""

    id = serializers.IntegerField()
    place = serializers.IntegerField(help_text="From 1 among those who wait for a seat; 0: a change, or over.")
    name = serializers.CharField()
    player = serializers.IntegerField()
    offer = serializers.IntegerField()
    offer_name = serializers.CharField()
    kind = serializers.ChoiceField(choices=ListEntry.Kind.choices)
    state = serializers.ChoiceField(choices=ListEntry.State.choices)
    source = serializers.ChoiceField(choices=ListEntry.Source.choices)
    since = serializers.DateTimeField()
    called_to = serializers.CharField(help_text="The table of the call; empty: no call.")
    called_table = serializers.IntegerField(allow_null=True)
    called_number = serializers.IntegerField(help_text="The seat that is held for them; 0: none.")
    until = serializers.DateTimeField(allow_null=True, help_text="How long it is held; null: the clock stands still.")
    has_had_more_time = serializers.BooleanField()
    misses = serializers.IntegerField(help_text="Calls that were not answered.")
    wishes = serializers.CharField()


class GameList(serializers.Serializer[Any]):
    """The list of a game on offer."""

    offer = serializers.IntegerField(source="offer.pk")
    name = serializers.CharField(source="offer.name")
    stakes = serializers.CharField(source="offer.stakes")
    tables = serializers.IntegerField(help_text="That are open. Without any this is an interest list.")
    open_seats = serializers.IntegerField()
    waiting = serializers.IntegerField()
    names = ListName(many=True)
    changes = ListName(many=True, help_text="Who wants to change seats or tables, or has to move.")


class ListMoveRow(serializers.Serializer[Any]):
    """What happened to a name, by which rule and why."""

    verb = serializers.CharField()
    rule = serializers.CharField()
    why = serializers.CharField()
    table = serializers.CharField()
    number = serializers.IntegerField()
    passed_over = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Pairs of a name that came before, and why it was passed over; for the floor.",
    )
    by = serializers.CharField(help_text="Who of the staff did it, for the floor; empty: nobody.")
    at = serializers.DateTimeField()


class ListStory(serializers.Serializer[Any]):
    """A name with everything that happened to it."""

    row = ListName()
    moves = ListMoveRow(many=True)


class NextName(serializers.Serializer[Any]):
    """Whose a free seat is."""

    player = serializers.IntegerField(source="entry.player_id")
    name = serializers.CharField(source="entry.player.username")
    entry = serializers.IntegerField(source="entry.pk", allow_null=True, help_text="Null: must-move, not called yet.")
    kind = serializers.CharField(source="entry.kind")
    number = serializers.IntegerField()
    rule = serializers.CharField(source="rule.slug")
    cite = serializers.CharField(source="rule.cite")
    why = serializers.CharField()
    passed_over = serializers.ListField(
        source="passed_names", child=serializers.ListField(child=serializers.CharField())
    )


class Next(serializers.Serializer[Any]):
    """Whose turn it is at a table; null where no seat is free or nobody waits for one."""

    next = NextName(allow_null=True)


class ListWishes(Order):
    """What somebody who waits wishes for."""

    seats = serializers.ListField(child=WholeNumber(min_value=1, max_value=8), required=False, max_length=8)
    tables = serializers.ListField(child=WholeNumber(min_value=1), required=False, max_length=20)
    accessible = Flag(required=False)
    note = Text(required=False, max_length=120)
    phone = Text(required=False, max_length=30)


class ListJoinOrder(Order):
    kind = serializers.ChoiceField(choices=_KINDS, required=False)
    table = WholeNumber(required=False, source="table_id", min_value=1, help_text="For a change: where you sit.")
    wishes = ListWishes(required=False)


class ListAddOrder(Order):
    """Somebody else's name: a player's number, or a name that was said on the telephone."""

    player = WholeNumber(required=False, min_value=1)
    name = Text(required=False, max_length=60)
    phone = Text(required=False, max_length=30)
    wishes = ListWishes(required=False)


class ListAnswerOrder(Order):
    reply = serializers.ChoiceField(choices=[(reply, reply) for reply in lists.REPLIES])


class ListTakeOrder(Order):
    buy_in = Chips()


class ListCallOrder(Order):
    table = WholeNumber(required=False, source="table_id", min_value=1)
    number = WholeNumber(required=False, min_value=1, max_value=8)
    reason = Text(required=False, max_length=300, help_text="Where it is another's turn.")


class ListSeatOrder(ListCallOrder):
    buy_in = Chips(required=False, help_text="For who has no seat yet.")
    count = Chips(required=False, min_value=0, help_text="Of who moves from a table in the room: their chips.")


class ListPassOrder(Order):
    reason = Text(max_length=300, error_messages={"required": "Say why they are passed over."})
    to = serializers.ChoiceField(choices=[(way, way) for way in ("bottom", "stay", "off")], required=False)


class ListOffOrder(Order):
    reason = Text(required=False, max_length=300, help_text="For the floor.")


class ListTransferOrder(Order):
    offer = WholeNumber(
        source="offer_id", min_value=1, error_messages={"required": "Choose the list the name goes to."}
    )


class ListNextOrder(Order):
    player = WholeNumber(
        required=False, source="player_id", min_value=1, help_text="Whom you saw there; another by now: 409."
    )
    number = WholeNumber(required=False, min_value=1, max_value=8)


class KioskOrder(Order):
    """A name at the kiosk: a member number or a barcode, or the name of somebody who is no member. No `offer`: they
    check in and no more."""

    offer = WholeNumber(required=False, min_value=1)
    who = Text(max_length=60, error_messages={"required": "Scan your card, or give your name."})
    phone = Text(default="", max_length=30)
    seats = serializers.ListField(child=WholeNumber(min_value=1, max_value=8), default=list, max_length=8)
