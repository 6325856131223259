"""Who may see sealed cards: nobody alone, for an hour at most, and all of it is on the trail."""

from datetime import timedelta

import pytest

from tests.support.models import SealedLook, SealedView, StaffAction
from tests.support.offers import staff
from tests.support.parts.cardroom import Forbidden, Invalid, access, accounts, approvals, roles, sealed_views
from tests.support.refusals import refused
from tests.support.sealed import open_view

MINUTE = timedelta(minutes=1)


def verbs() -> list[str]:
    return list(StaffAction.objects.order_by("pk").values_list("verb", flat=True))


def decide(row, by, now):
    return approvals.decide(approval_id=row.pk, by=by, approve=True, now=now)


@pytest.fixture
def auditor(north):
    access.grant_role(user=north, role="auditor", by=None)
    return north


@pytest.fixture
def view(auditor, now):
    return open_view(auditor, now=now)


def test_no_manager_alone_makes_anybody_an_auditor(north, now):
    mia, max_ = staff("manager", "mia"), staff("manager", "max")
    for user in (mia, north):
        row = roles.give(user=user, role="auditor", by=mia, now=now)
        assert roles.give(user=user, role="auditor", by=mia, now=now) == row
        assert not access.has_role(user, "auditor")
        refused(Forbidden, decide, row, mia, now)
        decide(row, max_, now)
        assert access.has_role(user, "auditor")
        assert roles.give(user=user, role="auditor", by=mia, now=now) == user
    assert verbs() == ["approvals.ask", "account.give-role", "approvals.approve"] * 2


def test_a_manager_alone_makes_no_second_manager(now):
    mia, max_ = staff("manager", "mia"), staff("manager", "max")
    other = accounts.open_one(name="other", by=mia, now=now)
    row = roles.give(user=other, role="manager", by=mia, now=now)
    for user in (mia, other):
        refused(Forbidden, decide, row, user, now)
    assert not access.has_role(other, "manager")
    decide(row, max_, now)
    assert access.has_role(other, "manager")
    row = roles.give(user=max_, role="auditor", by=mia, now=now)
    refused(Forbidden, "the player concerned", decide, row, max_, now)


def test_a_view_is_asked_for_by_one_and_opened_by_another(auditor, south, now):
    asked = sealed_views.ask(by=auditor, reason="a complaint about hand 41", now=now, minutes=60)
    assert sealed_views.opened(user=auditor, now=now) is None
    access.grant_role(user=auditor, role="manager", by=None)
    for user in (auditor, south):
        refused(Forbidden, decide, asked, user, now)
    access.grant_role(user=south, role="auditor", by=None)
    later = now + 5 * MINUTE
    decide(asked, south, later)
    view = sealed_views.opened(user=auditor, now=later)
    assert (view.agreed_by, view.reason, view.until) == (south, "a complaint about hand 41", later + 60 * MINUTE)
    assert verbs() == ["approvals.ask", "sealed.open", "approvals.approve"]


def test_a_view_that_was_refused_or_whose_auditor_is_none_any_more_never_opens(auditor, now):
    said, by = {"by": auditor, "reason": "a complaint about hand 41", "now": now}, staff("manager")
    asked = sealed_views.ask(**said)
    approvals.decide(approval_id=asked.pk, by=by, approve=False, reason="ask the floor first", now=now)
    asked = sealed_views.ask(**said)
    access.take_role(user=auditor, role="auditor", by=None)
    refused(Forbidden, "no longer an auditor", decide, asked, by, now)
    assert not SealedView.objects.exists()


def test_each_look_is_on_the_trail_and_a_view_ends_and_is_nobody_elses(view, auditor, south, now):
    sealed_views.note_look(view=sealed_views.require(user=auditor, now=now), subject="hand:41", now=now + MINUTE)
    assert SealedLook.objects.values_list("view", "subject", "at").get() == (view.pk, "hand:41", now + MINUTE)
    act = StaffAction.objects.get(verb="sealed.look")
    assert (act.by, act.subject, act.reason, act.details) == (auditor, "hand:41", view.reason, {"view": view.pk})
    assert sealed_views.looks_of(auditor, kind="hand") == [41]
    assert sealed_views.looks_of(auditor, kind="hand", since=now + 2 * MINUTE) == []
    assert sealed_views.opened(user=auditor, now=view.until - MINUTE) == view
    assert sealed_views.opened(user=auditor, now=view.until) is None
    access.take_role(user=auditor, role="auditor", by=None)
    assert sealed_views.opened(user=auditor, now=now) is None
    access.grant_role(user=auditor, role="auditor", by=None)
    access.grant_role(user=south, role="auditor", by=None)
    refused(Forbidden, "a second person opens it", sealed_views.require, user=south, now=now)
    sealed_views.close(by=auditor, now=now + MINUTE)
    assert sealed_views.opened(user=auditor, now=now + MINUTE) is None
    sealed_views.close(by=auditor, now=now + 2 * MINUTE)
    assert verbs().count("sealed.close") == 1


def test_only_an_auditor_asks_for_a_view_with_a_reason_and_for_an_hour_at_most(auditor, now):
    asked = {"by": auditor, "reason": "a complaint about hand 41", "now": now}
    refused(Forbidden, "auditor", sealed_views.ask, **asked | {"by": staff("manager")})
    for reason in ("", "   ", "why?", "x" * 301):
        refused(Invalid, "Enter a reason", sealed_views.ask, **asked | {"reason": reason})
    for minutes in (0, -1, 61, 1.5):
        refused(Invalid, "1 to 60 minutes", sealed_views.ask, minutes=minutes, **asked)
