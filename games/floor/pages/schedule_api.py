"""The API of drop schedules: read, save, retire and preview them."""

from typing import Any

from cardroom.core.models import User
from cardroom.core.web.resources import Resource, addresses, does, reads
from games.engine.games import MOST_SEATS
from games.floor.pages import offer_shapes as shapes
from games.rake import drop_schedules
from games.tables.models.offers import DropSchedule
from games.tables.queries import offers as offer_queries


def schedules(*, is_retired: bool | None = None, by: Any) -> list[DropSchedule]:
    """The drop schedules: those in use, those retired, or all."""
    return list(offer_queries.schedules(is_retired=is_retired))


def schedule(*, schedule_id: int, by: Any) -> DropSchedule:
    """A drop schedule."""
    return offer_queries.schedule(schedule_id)


def preview(*, by: User, **terms: Any) -> dict[str, Any]:
    """What a schedule with these terms takes; nothing is saved."""
    fields = drop_schedules.USUAL | {"name": "preview"} | terms
    drop_schedules.check(fields)
    taken = drop_schedules.preview(fields)
    hours = [{"players": players, "each": chips, "an_hour": hour} for players, chips, hour in taken.hours]
    return {"rows": taken.rows, "hours": hours}


class OfSchedules(Resource):
    tags, scope = ("drop schedules",), "manage"


class Schedules(OfSchedules):
    path = "drop-schedules"
    get = reads(
        schedules,
        name="drop_schedules",
        summary="The drop schedules",
        query=shapes.ScheduleQuery,
        answers=shapes.ScheduleView,
        many=True,
        is_public=True,
    )
    post = does(
        drop_schedules.save,
        name="save_drop_schedule",
        summary="Save a drop schedule",
        description="For managers. A saved schedule never changes: an edit is saved as a new one that replaces it.",
        body=shapes.ScheduleOrder,
        answers=shapes.ScheduleView,
        status=201,
        refuses=(404, 409),
    )


class SchedulePreviewResource(OfSchedules):
    path, scope = "drop-schedules/preview", "read"
    post = does(
        preview,
        name="preview_drop_schedule",
        summary="Preview a drop schedule",
        description=f"For pots of every size with 2 to {MOST_SEATS} players, and per table and hour. Nothing is saved.",
        body=shapes.ScheduleTerms,
        answers=shapes.SchedulePreview,
    )


class OneSchedule(OfSchedules):
    path = "drop-schedules/<id:schedule_id>"
    get = reads(schedule, name="drop_schedule", summary="A drop schedule", answers=shapes.ScheduleView, is_public=True)


class RetireSchedule(OfSchedules):
    path = "drop-schedules/<id:schedule_id>/retire"
    post = does(
        drop_schedules.retire,
        name="retire_drop_schedule",
        summary="Retire a drop schedule",
        description="For managers; refused while a game on offer uses it.",
        answers=shapes.ScheduleView,
        refuses=(409,),
    )


api = addresses([Schedules, SchedulePreviewResource, OneSchedule, RetireSchedule])
