"""The resources of seats for staff, and of seats that are held."""

from itertools import chain

from cardroom.web.api.routes import resource
from games.web.api import seating

urlpatterns = [
    *resource("me/holds", seating.MyHoldsView, name="api-my-holds"),
    *resource("me/holds/<id:table_id>", seating.MyHoldView, name="api-my-hold"),
    *resource("tables/<id:table_id>/seating", seating.StaffSeatsView, name="api-seating"),
    *chain.from_iterable(
        resource(f"tables/<id:table_id>/seating/{verb}", view, name=f"api-seating-{verb}")
        for verb, view in seating.VERBS.items()
    ),
]
