"""A `Shape` says of what it shows what a dataclass or a model says of it."""

from dataclasses import dataclass
from datetime import datetime

import pytest
from rest_framework import serializers

from cardroom.core.web.api.shapes import Shape
from tests.support.models import FloorOrder, SeatMove


@dataclass(frozen=True)
class Lamp:
    name: str
    lit_at: datetime | None
    seats: tuple[int, ...]

    @property
    def is_lit(self) -> bool:
        return self.lit_at is not None


@dataclass(frozen=True)
class Room:
    lamp: Lamp | None
    number: int


class LampOut(Shape):
    of = Lamp
    shows = "title=name is_lit lit_at seats"
    says = {"title": "As it is called."}


class RoomOut(Shape):
    of = Room
    shows = "number lamp_name=lamp.name lamp"
    lamp = LampOut(allow_null=True)
    more = serializers.SerializerMethodField()

    def get_more(self, room: Room) -> str:
        return "more"


class MoveOut(Shape):
    of = SeatMove
    shows = "id table=table_id table_name=table.name at by=by_id"


class BrokenOut(Shape):
    of = FloorOrder
    shows = "hand"


def test_a_dataclass_is_shown_with_its_properties_and_what_may_be_none_each_as_declared_where_it_is_named():
    lamp = Lamp("Lamp", None, (1, 2))
    assert LampOut(lamp).data == {"title": "Lamp", "is_lit": False, "lit_at": None, "seats": [1, 2]}
    title, lit_at = LampOut().fields["title"], LampOut().fields["lit_at"]
    assert (title.help_text, title.allow_null, lit_at.allow_null) == ("As it is called.", False, True)
    assert list(RoomOut().fields) == ["number", "lamp_name", "lamp", "more"]
    assert RoomOut(Room(None, 3)).data == {"number": 3, "lamp_name": None, "lamp": None, "more": "more"}
    assert RoomOut(Room(lamp, 3)).data["lamp_name"] == "Lamp"


def test_a_model_says_which_of_its_columns_may_be_null_and_what_it_cannot_show_has_to_be_declared():
    fields = MoveOut().fields
    kinds = {"id": "IntegerField", "table": "IntegerField", "table_name": "CharField", "at": "DateTimeField"}
    assert {name: type(field).__name__ for name, field in fields.items()} == kinds | {"by": "IntegerField"}
    assert [name for name, field in fields.items() if field.allow_null] == ["by"]
    with pytest.raises(KeyError):
        BrokenOut().fields  # noqa: B018  it is looked at, which makes it
