"""The event's line at a table: its clock, the player's place, and the way to their new seat."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import expect

from cardroom.core.models import Notice, User
from games.play import event_seats, event_tables
from tests.support import room_event
from tests.support.evening import STAKES
from tests.support.parts.event_rules import RebuyTerms, c
from tests.support.parts.tournaments import event_journal

pytestmark = pytest.mark.browser
_long = pytest.mark.long("further scenes of the bar; the one of a player who is moved stays, and test_page_modules.py")

STACK = 1000


class Floor:
    """An event of ten with a table of the room for each of its own; nothing is dealt."""

    def __init__(self, player: User, **options: Any) -> None:
        self.player = player
        self.event = room_event.open_event(entrants=9, **options)
        room_event.enter(self.event, self.player)
        room_event.start(self.event)
        self.entrant = self.own.number
        unit, now, state = self.event.unit, timezone.now(), self.engine
        names = [(f"Event {self.event.pk} table {number}", 8) for number in state.tables]
        with transaction.atomic():
            opened = event_tables.open_tables(event=unit, unit=unit, specs=names, stakes=STAKES, now=now)
            self.rooms = {number: table.pk for number, table in zip(state.tables, opened, strict=True)}
            seats = [(self.rooms[one.table], one.seat, one.player, STACK) for one in state.entrants.values()]
            event_seats.seat_players(unit=unit, seats=seats, time_bank_ms=0, reference=f"test:{unit}:seats", now=now)

    @property
    def engine(self) -> Any:
        return event_journal.read(self.event.pk)

    @property
    def own(self) -> Any:
        state = self.engine
        return state.entrants[state.players[self.player.pk]]

    def room(self) -> int:
        """The table of the room at which they sit."""
        return self.rooms[self.own.table]

    def move(self) -> int:
        """Move them to a free seat of the other table; that one's id in the room."""
        own, now, entrants = self.own, timezone.now(), self.engine.entrants.values()
        other = next(number for number in self.rooms if number != own.table)
        taken = {one.seat for one in entrants if one.table == other}
        seat = next(number for number in range(8, 0, -1) if number not in taken)
        with transaction.atomic():
            room_event.play(self.event, c.Move(self.entrant, other, seat, "To even the tables.", "TDA 11"))
            moves = [(self.player.pk, self.rooms[own.table], self.rooms[other], seat)]
            event_seats.move_players(moves=moves, reference=f"test:{self.event.pk}:move", now=now)
        return self.rooms[other]

    def bust(self, entrant: int, *, by: int) -> None:
        room_event.play(self.event, c.Bust(((entrant, STACK),), by=(by,)))


@pytest.fixture
def seated(come_in, direct):
    """`seated()`: Ada, and the floor of an event at whose table she sits and looks."""

    def sit_down(*, width=1280, height=800, **options):
        ada = come_in("Ada", width=width, height=height)
        floor: Floor = direct(Floor, ada.user, **options)
        ada.go_to(direct(floor.room))
        return ada, floor

    return sit_down


@pytest.mark.long("a move and a bust in one event; the tests below and test_tournament_evening.py have the bar")
def test_a_player_sees_their_rank_and_is_taken_to_their_new_table(direct, seated):
    ada, floor = seated(width=390, height=844)
    bar = ada.page.locator("#event-bar")
    expect(bar.locator("[data-bar=level]")).to_have_text("Level 1")
    expect(bar.locator("[data-bar=time]")).to_have_text(re.compile(r"^(20:00|19:\d\d)$"))
    expect(bar.locator("[data-bar=position]")).to_have_text("10 left")
    for entrant in range(1, 11):
        direct(room_event.play, floor.event, c.Count(entrant, STACK))
    expect(bar.locator("[data-bar=position]")).to_contain_text("1st of 10")
    direct(floor.bust, 1, by=floor.entrant)
    expect(bar.locator("[data-bar=position]")).to_contain_text("of 9")
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    second = direct(floor.move)
    dialog = ada.page.get_by_role("dialog", name="To another table")
    words = re.compile("You are moved: go to table \\d, seat \\d[.] To even the tables. [(]TDA 11[)]")
    expect(dialog).to_contain_text(words)
    expect(ada.page).to_have_url(re.compile(f"/tables/{second}/$"))
    expect(bar.locator("[data-bar=position]")).to_contain_text("of 9")
    assert direct(Notice.objects.filter(player=ada.user, read_at__isnull=True).count) == 0
    direct(floor.bust, 2, by=floor.entrant)
    direct(floor.bust, floor.entrant, by=3)
    is_told_of_the_end(ada.page, "You finish 8th of 10", "No prize this time.")


def is_told_of_the_end(page, title, words):
    """Their place, their prize, and what next."""
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog).to_contain_text(words)
    for way, address in {"More tournaments": "/tournaments/", "To the lobby": "/"}.items():
        expect(dialog.get_by_role("link", name=way)).to_have_attribute("href", address)
    dialog.get_by_role("button", name="Keep watching").click()
    expect(dialog).to_be_hidden()


@_long
def test_a_player_at_another_table_is_shown_the_way_to_their_seat(direct, seated, come_in):
    ada, floor = seated()
    own = direct(floor.room)
    other = next(room for room in floor.rooms.values() if room != own)
    ada.go_to(other)
    link = ada.page.get_by_role("link", name=re.compile("To your seat: table"))
    expect(link).to_have_attribute("href", f"/tables/{own}/")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    link.click()
    expect(ada.page).to_have_url(re.compile(f"/tables/{own}/$"))
    rail = come_in(None)
    rail.go_to(other)
    for name, words in (("level", "Level 1"), ("average", "10 of 10 left")):
        expect(rail.page.locator(f"#event-bar [data-bar={name}]")).to_have_text(words)
    expect(rail.page.locator("#event-bar [data-bar=position]")).to_be_hidden()
    expect(ada.page.locator("#event-bar [data-bar=position]")).to_have_text("10 left")
    for entrant in range(1, 11):
        if entrant != floor.entrant:
            direct(floor.bust, entrant, by=floor.entrant)
    is_told_of_the_end(ada.page, "You win the tournament!", "First of 10.")


@_long
def test_whoever_may_buy_again_does_so_at_the_table_and_two_presses_are_one_purchase(direct, seated):
    ada, floor = seated(rebuy=RebuyTerms(500, most=2, at_most_stack=STACK))
    buy = ada.page.get_by_role("button", name="Rebuy: 500 for nothing")
    buy.dblclick()
    expect(ada.page.get_by_text("500 chips bought for 0.").first).to_be_visible()
    expect(buy).to_be_hidden()
    own = direct(lambda: floor.own)
    assert (own.stack, own.rebuys) == (STACK + 500, 1)
