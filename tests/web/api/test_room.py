"""The lobby, the board and the map of the room by the API: the same as on their pages."""

from datetime import timedelta

from django.utils import timezone

from tests.support.crowd import a_full_room, an_offer
from tests.support.models import ListEntry, SeatHold, User
from tests.support.offers import staff


def test_lobby_board_and_map_show_tables_lists_and_seats(client):
    now = timezone.now()
    offer = an_offer("Big Razz", 75, 150, game="razz", is_physical=True)
    (table,) = a_full_room(tables=1, seated=6, offer=offer)
    player = User.objects.create_user("wanda")
    until = now + timedelta(minutes=5)
    SeatHold.objects.create(table=table, number=7, player=player, why="called", until=until, at=now)
    ListEntry.objects.create(offer=offer, player=player, source="web", place=1, joined_at=now)
    (game,) = client.get("/api/v1/lobby?where=room").json()["games"]
    assert (game["name"], game["free"], game["waiting"]) == ("Big Razz", 1, 1)
    assert [(row["id"], row["people"], row["held"]) for row in game["tables"]] == [(table.pk, 6, 1)]
    assert client.get("/api/v1/lobby?where=online").json()["games"] == []
    assert client.get("/api/v1/lobby?where=roof").status_code == 400
    board = client.get("/api/v1/board").json()
    assert [line["name"] for line in board["lines"]] == ["Big Razz"]
    assert board["lists"][0]["names"] == [{"name": "wanda", "is_called": False, "table": ""}]
    client.force_login(staff("floor"))
    (section,) = client.get("/api/v1/floor/map").json()["sections"]
    seats = section["tables"][0]["seats"]
    assert [seat["state"] for seat in seats] == ["playing"] * 6 + ["held", "free"]
    assert seats[6]["name"] == "wanda"
