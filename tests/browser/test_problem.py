"""The problem of the day, by keyboard alone: a turn on the table, its answer, and how the hand went on."""

from datetime import date

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.training.problems import answering, making

KEYS = {"fold": "f", "check": "c", "call": "c", "complete": "b", "bet": "b", "raise": "r"}


@pytest.mark.parametrize("day", [date(2019, 12, 28), date(2019, 12, 27)], ids=["to call", "to bet"])
def test_the_problem_is_answered_by_a_key_and_the_hand_goes_on_to_its_end(come_in, direct, day):
    page = come_in("Ann").page
    now = timezone.now()
    direct(making.make, day, now=now)
    asked = direct(answering.problem, day=day, viewer=None, choice="", now=now)
    choice = asked.actions[-1]
    page.goto(f"/learn/problem/{day}/")
    bar = page.get_by_role("group", name="Your legal actions")
    expect(bar.get_by_role("button").first).to_be_enabled()
    expect(bar.get_by_role("button")).to_have_count(len(asked.actions))
    page.keyboard.press(KEYS[choice])
    row = page.get_by_role("row").filter(has_text="your choice")
    expect(row).to_contain_text(choice.capitalize())
    page.get_by_role("button", name="See how it went on").focus()
    page.keyboard.press("Enter")
    solution = direct(answering.problem, day=day, viewer=None, choice=choice, now=now).solution
    winner = next(fact.seat for fact in solution.facts if fact.kind == "pot-awarded")
    name = "You" if winner == asked.seat else f"Seat {winner}"
    expect(page.locator(".seat").filter(has_text=name).locator("[data-part=won]")).to_be_visible()
