"""The API of waiting lists."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.models import User
from cardroom.core.web.api.fields import Sentence
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.tables.queries import tables as table_queries
from games.waitlists import adding, calling, choosing, filling, joining
from games.waitlists import queries as waitlist_queries
from games.waitlists.models import ListEntry
from games.waitlists.queries import NameRow


class ListName(Shape):
    """A name on a list."""

    of = NameRow
    field_names = (
        "id place name player offer offer_name kind state source since called_to called_table called_number until"
        " has_had_more_time misses wishes"
    )
    help_texts = {
        "place": "From 1 among those who wait for a seat; 0: a change of seats, or the wait is over.",
        "called_to": "The table of the call; empty: no call.",
        "called_number": "The seat that is held for them; 0: none.",
        "until": "Until when it is held; null: the clock stands still.",
        "misses": "Calls that were not answered.",
    }
    kind = serializers.ChoiceField(choices=ListEntry.Kind.choices)
    state = serializers.ChoiceField(choices=ListEntry.State.choices)
    source = serializers.ChoiceField(choices=ListEntry.Source.choices)


class WaitingList(Shape):
    """The list of a game on offer."""

    of = waitlist_queries.GameList
    field_names = "offer=offer.pk name=offer.name stakes=offer.stakes tables open_seats waiting names changes"
    help_texts = {"tables": "How many tables are open; 0: this is an interest list."}
    names = ListName(many=True)
    changes = ListName(many=True, help_text="Players who want to change seats or tables, or have to move.")


def _pairs(**more: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.ListField(child=Sentence()), **more)


class ListMoveRow(Shape):
    """What happened to a name, by which rule and why."""

    of = waitlist_queries.MoveRow
    field_names = "verb rule why table number passed_over by at"
    help_texts = {"by": "The member of staff who did it, for the floor; empty: nobody."}
    passed_over = _pairs(help_text="Pairs of a name that came before, and why it was passed over; for the floor.")


class ListStory(serializers.Serializer[Any]):
    """A name with everything that happened to it."""

    row = ListName()
    moves = ListMoveRow(many=True)


class NextName(Shape):
    """The name that gets a free seat."""

    of = choosing.SeatChoice
    field_names = (
        "player=entry.player_id name=entry.player.username entry kind=entry.kind number rule=rule.slug cite=rule.cite"
        " why passed_over"
    )
    entry = serializers.IntegerField(source="entry.pk", allow_null=True, help_text="Null: must-move, not called yet.")
    cite = serializers.CharField(source="rule.cite")
    why = Sentence()
    passed_over = _pairs(source="passed_names")


class Next(serializers.Serializer[Any]):
    """Whose turn it is at a table; null where no seat is free or nobody waits for one."""

    next = NextName(allow_null=True)


def lists(*, by: Any) -> list[waitlist_queries.GameList]:
    """The lists of all games on offer."""
    return waitlist_queries.every()


def game_list(*, offer_id: int, by: Any) -> waitlist_queries.GameList:
    """The list of a game."""
    return waitlist_queries.of_offer(offer_id)


def own_lists(*, by: User) -> list[NameRow]:
    """The lists that the user is on."""
    return waitlist_queries.mine(by)


def history(*, entry_id: int, by: User) -> waitlist_queries.EntryStory:
    """A name with everything that happened to it: their own, or any name for the floor."""
    return waitlist_queries.story(entry_id, by, is_staff=access.has_role(by, *joining.ROLES))


def history_of(entry: ListEntry, by: User) -> waitlist_queries.EntryStory:
    """The history of the name that a verb returned."""
    return history(entry_id=entry.pk, by=by)


def next_name(*, table_id: int, by: User) -> dict[str, choosing.SeatChoice | None]:
    """The name whose turn it is at a table."""
    return {"next": choosing.next_for(table_queries.table(table_id), now=timezone.now())}


def scope_of(by: User, arguments: Mapping[str, Any]) -> str:
    """The scope a request needs: "play" for their own name, "direct" for the floor's work with another."""
    is_own = ListEntry.objects.filter(pk=arguments["entry_id"], player=by).exists()
    return "direct" if access.has_role(by, *joining.ROLES) and not is_own else "play"


class OfLists(Resource):
    tags = ("lists",)


class OfFloorsLists(OfLists):
    scope = "direct"


class Lists(OfLists):
    path = "lists"
    get = reads(lists, name="lists", summary="Waiting lists", answers=WaitingList, many=True, is_public=True)


class OneList(OfLists):
    path = "lists/<id:offer_id>"
    get = reads(game_list, name="list", summary="The waiting list of a game", answers=WaitingList, is_public=True)
    post = does(
        joining.join,
        name="join_list",
        summary="Join a list, or ask for a seat or table change",
        answers=ListStory,
        shown=history_of,
        status=201,
        refuses=(409, 422),
    )


class NamesOnList(OfFloorsLists):
    path = "lists/<id:offer_id>/names"
    post = does(
        adding.add,
        name="add_to_list",
        summary="Add a name to a list",
        description="For the floor: a player, or a name given by phone.",
        answers=ListStory,
        shown=history_of,
        status=201,
        roles=joining.ROLES,
        refuses=(409, 422),
    )


class OwnLists(Resource):
    path, tags = "me/lists", ("me", "lists")
    get = reads(own_lists, name="my_lists", summary="Your lists", answers=ListName, many=True)


class OneName(OfLists):
    path = "list-entries/<id:entry_id>"
    get = reads(
        history,
        name="list_entry",
        summary="The history of a name",
        description="Your own; for the floor every name, with skipped names and reasons.",
        answers=ListStory,
    )


class NextAtTable(OfFloorsLists):
    path = "tables/<id:table_id>/next"
    get = reads(
        next_name,
        name="next_for_table",
        summary="Suggest names for free seats",
        description="For the floor.",
        answers=Next,
        roles=joining.ROLES,
    )
    post = does(
        calling.call_next,
        name="call_next",
        summary="Call or move the next name",
        description="For the floor.",
        answers=ListStory,
        shown=history_of,
        refuses=(409, 422),
    )


class CallAnswerResource(OfLists):
    path = "list-entries/<id:entry_id>/answer"
    post = does(
        calling.answer,
        name="list_answer",
        summary="Answer a call",
        answers=ListStory,
        shown=history_of,
        needs=scope_of,
        refuses=(409, 422),
    )


class TakeSeat(OfLists):
    path = "list-entries/<id:entry_id>/take-seat"
    post = does(
        filling.take_seat,
        name="list_take_seat",
        summary="Take the seat of your call",
        answers=ListStory,
        shown=history_of,
        needs=scope_of,
        refuses=(409, 422),
    )


class LeaveList(OfLists):
    path = "list-entries/<id:entry_id>/leave"
    post = does(
        joining.leave,
        name="list_leave",
        summary="Remove a name: yours, or as the floor",
        answers=ListStory,
        shown=history_of,
        needs=scope_of,
        refuses=(409, 422),
    )


class TransferName(OfLists):
    path = "list-entries/<id:entry_id>/transfer"
    post = does(
        joining.transfer,
        name="list_transfer",
        summary="Move a name to another list",
        answers=ListStory,
        shown=history_of,
        needs=scope_of,
        refuses=(409, 422),
    )


class CallName(OfFloorsLists):
    path = "list-entries/<id:entry_id>/call"
    post = does(
        calling.call,
        name="list_call",
        summary="Call a name (the floor)",
        answers=ListStory,
        shown=history_of,
        refuses=(409, 422),
    )


class SeatName(OfFloorsLists):
    path = "list-entries/<id:entry_id>/seat"
    post = does(
        filling.seat,
        name="list_seat",
        summary="Seat a player (the floor)",
        answers=ListStory,
        shown=history_of,
        refuses=(409, 422),
    )


class PassOver(OfFloorsLists):
    path = "list-entries/<id:entry_id>/pass-over"
    post = does(
        calling.pass_over,
        name="list_pass_over",
        summary="Skip a name (the floor)",
        answers=ListStory,
        shown=history_of,
        refuses=(409, 422),
    )


api = addresses(
    [
        Lists,
        OneList,
        NamesOnList,
        OwnLists,
        OneName,
        NextAtTable,
        CallAnswerResource,
        TakeSeat,
        LeaveList,
        TransferName,
        CallName,
        SeatName,
        PassOver,
    ]
)
