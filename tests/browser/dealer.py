"""Somebody who deals, or rules, at a browser; and a table laid out for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from cardroom.accounts import people
from cardroom.core.models import User
from games.play import opening, seats
from tests.browser.player import PASSWORD, Player
from tests.browser.staff import STAKES

_IDLE = """
() => {
  const page = document.querySelector("[data-table]");
  return page.dataset.busy !== "true" && page.dataset.step !== "wait";
}
"""
_OUT_OF_REACH = """
() => [...document.querySelectorAll(".console :is(.go, .act, .declare button)")].filter((button) => {
  const box = button.getBoundingClientRect();
  const seen = document.elementFromPoint(box.x + box.width / 2, box.bottom - 4);
  return box.height && !button.contains(seen);
}).map((button) => button.innerText)
"""


class Dealer:
    """`person`: a player who holds the role. They see their console and nothing behind it."""

    def __init__(self, person: Player, table: int) -> None:
        self.person = person
        self.page: Page = person.page
        self.page.goto(f"/tables/{table}/deal/")
        expect(self.main).to_have_attribute("data-connection", "open")

    @property
    def main(self) -> Locator:
        return self.page.locator("[data-table]")

    @property
    def step(self) -> Locator:
        """The one big button."""
        return self.page.locator("[data-page=go]")

    @property
    def seq(self) -> int:
        return int(self.main.get_attribute("data-seq") or 0)

    def has_all_in_reach(self, *, width: int, height: int) -> None:
        """On a screen of this size nothing lies over what is to be entered, and nothing is offered twice."""
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": width, "height": height})
        self.wait()
        assert self.page.evaluate(_OUT_OF_REACH) == []
        # The big button only tells what whoever is to act may do.
        offers = self.page.locator(".console button:not(.go):visible", has_text=re.compile("all-in", re.I))
        assert len(offers.all_inner_texts()) <= 1, offers.all_inner_texts()
        self.page.set_viewport_size(before)

    def kind(self) -> str:
        self.wait()
        return self.main.get_attribute("data-step") or ""

    def wait(self) -> None:
        self.page.wait_for_function(_IDLE)

    def go(self, *steps: str) -> None:
        """Press the big button, once or when it says each of these."""
        for words in steps or [""]:
            if words:
                expect(self.step).to_contain_text(words)
            expect(self.step).to_be_enabled()
            self.step.click()

    def went_wrong(self, what: str, seat: int = 0) -> None:
        self.page.get_by_role("button", name=what, exact=True).click()
        if seat:
            self.tile(seat).click()

    def tile(self, seat: int) -> Locator:
        return self.page.get_by_role("button", name=re.compile(rf"^Seat {seat}, "))

    def button(self) -> int:
        """The seat that has the dealer's button: the last to receive."""
        return int(self.page.locator(".tile:has(.tile__button:visible)").get_attribute("data-seat") or 0)

    def receivers(self) -> list[int]:
        """Ada's and Bert's seats in dealing order."""
        return [seat for seat in (1, 3) if seat != self.button()] + [self.button()]

    def enter(self, seat: int | None = None) -> None:
        """Enter the cheapest way in for whoever is to act."""
        if seat is not None:
            expect(self.step).to_contain_text(f"Seat {seat} ")
        seq = self.seq
        self.page.locator(".act--check, .act--call, .act--bring-in").first.click()
        self.moved_on(seq)

    def moved_on(self, seq: int) -> None:
        """Wait until the hand is past fact `seq`."""
        self.page.wait_for_function(
            "(seq) => Number(document.querySelector('[data-table]').dataset.seq) > seq", arg=seq
        )
        self.wait()

    def play_the_round(self) -> None:
        """Enter everybody's cheapest way to the end of the betting."""
        while self.kind() == "act":
            self.enter()


def ruled(page: Page, key: str, verdict: str, rule: str) -> Locator:
    """The ruling on the console or over a player's table, with its rule."""
    card = page.locator(f"[data-page=ruling] [data-key={key}][data-verdict={verdict}]")
    expect(card).to_be_visible()
    expect(card.locator("cite")).to_have_text(rule)
    return card


#: Opens a table and lets people in who are logged in already: sign-up, sitting down and roles have tests of their own.
def lay_out(
    name: str, people_there: Iterable[tuple[str, Sequence[str], int]], **options: Any
) -> tuple[int, list[User]]:
    """A table and these people, by name, roles and seat (0: none); the table's id."""
    now = timezone.now()
    table = opening.open_table(name=name, **STAKES, now=now, **options)
    made = []
    for who, roles, seat in people_there:
        user = people.make_player(name=who, password=PASSWORD, now=now, roles=roles)
        made.append(user)
        if seat:
            seats.sit(table_id=table.pk, player=user, number=seat, buy_in=600, now=now, key="")
    return table.pk, made
