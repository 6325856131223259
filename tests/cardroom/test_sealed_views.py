"""Who may see sealed cards: nobody alone, for an hour at most, and all of it is on the trail."""

from datetime import timedelta

import pytest

from tests.support.models import SealedLook, SealedView, StaffAction
from tests.support.offers import staff
from tests.support.parts.cardroom import Forbidden, Invalid, access, accounts, approvals, sealed_views
from tests.support.refusals import refused
from tests.support.sealed import opened

MINUTE = timedelta(minutes=1)


def verbs() -> list[str]:
    return list(StaffAction.objects.order_by("pk").values_list("verb", flat=True))


@pytest.fixture
def auditor(north):
    access.grant_role(user=north, role="auditor", by=None)
    return north


@pytest.fixture
def view(auditor, now):
    return opened(auditor, now=now)


def test_no_manager_alone_makes_anybody_an_auditor(north, now):
    mia, max_ = staff("manager", "mia"), staff("manager", "max")
    for user in (mia, north):
        row = accounts.give(user=user, role="auditor", by=mia, now=now)
        assert accounts.give(user=user, role="auditor", by=mia, now=now) == row
        assert not access.has_role(user, "auditor")
        refused(Forbidden, approvals.decide, approval_id=row.pk, by=mia, approve=True, now=now)
        approvals.decide(approval_id=row.pk, by=max_, approve=True, now=now)
        assert access.has_role(user, "auditor")
        assert accounts.give(user=user, role="auditor", by=mia, now=now) is None
    assert verbs() == ["approvals.ask", "account.give-role", "approvals.approve"] * 2


def test_no_manager_alone_makes_another_who_would_agree_to_everything(now):
    mia = staff("manager", "mia")
    other = accounts.open_one(name="other", by=mia, now=now)
    row = accounts.give(user=other, role="manager", by=mia, now=now)
    for user in (mia, other):
        refused(Forbidden, approvals.decide, approval_id=row.pk, by=user, approve=True, now=now)
    assert not access.has_role(other, "manager")
    approvals.decide(approval_id=row.pk, by=staff("manager", "max"), approve=True, now=now)
    assert access.has_role(other, "manager")


def test_who_is_to_be_an_auditor_does_not_agree_to_it(now):
    mia, max_ = staff("manager", "mia"), staff("manager", "max")
    row = accounts.give(user=max_, role="auditor", by=mia, now=now)
    refused(Forbidden, "the player concerned", approvals.decide, approval_id=row.pk, by=max_, approve=True, now=now)


def test_a_view_is_asked_for_by_one_and_opened_by_another(auditor, south, now):
    asked = sealed_views.ask(by=auditor, reason="a complaint about hand 41", now=now, minutes=60)
    assert sealed_views.opened(user=auditor, now=now) is None
    access.grant_role(user=auditor, role="manager", by=None)
    for user in (auditor, south):
        refused(Forbidden, approvals.decide, approval_id=asked.pk, by=user, approve=True, now=now)
    access.grant_role(user=south, role="auditor", by=None)
    later = now + 5 * MINUTE
    approvals.decide(approval_id=asked.pk, by=south, approve=True, now=later)
    view = sealed_views.opened(user=auditor, now=later)
    assert (view.agreed_by, view.reason, view.until) == (south, "a complaint about hand 41", later + 60 * MINUTE)
    assert verbs() == ["approvals.ask", "sealed.open", "approvals.approve"]


def test_a_view_that_was_refused_or_whose_auditor_is_none_any_more_never_opens(auditor, now):
    said, by = {"by": auditor, "reason": "a complaint about hand 41", "now": now}, staff("manager")
    asked = sealed_views.ask(**said)
    approvals.decide(approval_id=asked.pk, by=by, approve=False, reason="ask the floor first", now=now)
    asked = sealed_views.ask(**said)
    access.take_role(user=auditor, role="auditor", by=None)
    refused(Forbidden, "no longer an auditor", approvals.decide, approval_id=asked.pk, by=by, approve=True, now=now)
    assert not SealedView.objects.exists()


def test_each_look_is_recorded_and_on_the_trail(view, auditor, now):
    sealed_views.note_look(view=sealed_views.require(user=auditor, now=now), subject="hand:41", now=now + MINUTE)
    look = SealedLook.objects.get()
    assert (look.view, look.subject, look.at) == (view, "hand:41", now + MINUTE)
    act = StaffAction.objects.get(verb="sealed.look")
    assert (act.by, act.subject, act.reason, act.details) == (auditor, "hand:41", view.reason, {"view": view.pk})
    assert sealed_views.looks_of(auditor, kind="hand") == [41]
    assert sealed_views.looks_of(auditor, kind="hand", since=now + 2 * MINUTE) == []


def test_a_view_ends_by_itself_or_when_it_is_closed_and_is_nobody_elses(view, auditor, south, now):
    assert sealed_views.opened(user=auditor, now=view.until - MINUTE) == view
    assert sealed_views.opened(user=auditor, now=view.until) is None
    access.grant_role(user=south, role="auditor", by=None)
    refused(Forbidden, "a second person opens it", sealed_views.require, user=south, now=now)
    sealed_views.close(user=auditor, now=now + MINUTE)
    assert sealed_views.opened(user=auditor, now=now + MINUTE) is None
    sealed_views.close(user=auditor, now=now + 2 * MINUTE)
    assert verbs().count("sealed.close") == 1


def test_a_view_ends_with_the_role(view, auditor, now):
    access.take_role(user=auditor, role="auditor", by=None)
    assert sealed_views.opened(user=auditor, now=now) is None


def test_only_an_auditor_asks_for_a_view_with_a_reason_and_for_an_hour_at_most(auditor, now):
    with pytest.raises(Forbidden, match="auditor"):
        sealed_views.ask(by=staff("manager"), reason="a complaint about hand 41", now=now)
    for reason in ("", "   ", "why?", "x" * 301):
        refused(Invalid, "Enter a reason", sealed_views.ask, by=auditor, reason=reason, now=now)
    for minutes in (0, -1, 61, 1.5):
        with pytest.raises(Invalid, match="1 to 60 minutes"):
            sealed_views.ask(by=auditor, reason="a complaint", now=now, minutes=minutes)
