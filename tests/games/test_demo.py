"""`manage.py demo`: what it lays out, that it may be run again, and where it refuses."""

import io
import logging

from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.training.problems import answering as problems
from tests.support.evening import Evening
from tests.support.models import Approval, Drawer, ListEntry, Offer, Section, Table, User
from tests.support.parts.cardroom import access, drawers, people
from tests.support.parts.games import drops, rake_queries, receivers, seats, tables
from tests.support.refusals import refused
from tests.support.worlds import world

LOGINS = {"floor", "dealer", "player1", "player2", "player3", "cashier", "manager", "owner", "auditor"}


def demo(*options: str) -> str:
    output = io.StringIO()
    call_command("demo", *options, stdout=output)
    return output.getvalue()


@world
def demo_output() -> str:
    """What the command says when the room is laid out."""
    return demo()


def test_every_printed_login_works(demo_output):
    lines = [line.split() for line in demo_output.splitlines()]
    printed = {line[0]: line[1] for line in lines if line and line[0] in LOGINS}
    assert set(printed) == LOGINS
    for name, password in printed.items():
        assert authenticate(username=name, password=password) == User.objects.get(username=name)
    for person in User.objects.all():
        assert people.good_name(person.username, is_staff=bool(access.roles_of(person))) == person.username
    floor = User.objects.get(username="floor")
    assert floor.is_staff
    assert floor.has_perm("tables.view_hand")
    assert not floor.has_perm("tables.change_hand")
    assert set(floor.groups.values_list("name", flat=True)) == {"floor", "manager"}


def test_it_is_laid_out_in_silence(db, caplog, capfd):
    with caplog.at_level(logging.INFO):
        demo()
        assert [record.getMessage() for record in caplog.records] == []
        assert capfd.readouterr().err == ""
        access.grant_role(user=User.objects.get(username="player1"), role="dealer", by=None)
    assert "role granted" in caplog.text, "it is not silent for ever"


def test_there_is_a_problem_of_the_day_and_a_jackpot_that_grows(demo_output):
    assert problems.problem(day=None, viewer=None, now=timezone.now()).actions
    assert "Regent bad beat" in demo_output
    (row,) = rake_queries.rows()
    assert (row.jackpot.name, row.chips, row.least) == ("Regent bad beat", 2_500, "full house, aces over tens")
    made = Approval.objects.get(what="jackpot.change")
    assert (made.asked_by.username, made.decided_by.username) == ("manager", "owner")
    table = Table.objects.get(name="Regent")
    assert (table.drop.jackpot_name, drops.taking_of(table).terms.jackpot) == ("Regent bad beat", 1)


def test_run_again_it_leaves_what_is_there_mends_what_is_not_and_takes_no_name_over(demo_output):
    harbour = Table.objects.get(name="Harbour")
    tables.close(table_id=harbour.pk, now=harbour.opened_at)
    player = User.objects.get(username="player1")
    deep = Table.objects.get(name="Open Sea")
    seats.sit(table_id=deep.pk, by=player, buy_in=7_500, now=deep.opened_at)
    before = User.objects.count(), Table.objects.count()
    assert (demo(), (User.objects.count(), Table.objects.count())) == (demo_output, before)
    assert (Table.objects.get(name="Harbour").state, player.seats.count()) == ("open", 1)
    cheap = Table.objects.get(name="Lighthouse")
    seats.sit(table_id=cheap.pk, by=player, buy_in=2_000, now=deep.opened_at)
    other = User.objects.get(username="player2")
    other.set_password("something else")
    other.save()
    assert "(somebody changed it)" in demo()
    assert Evening.wallet(player) == 10_500, "a guest who has lost their chips gets new ones"
    other.refresh_from_db()
    assert other.check_password("something else")


def test_where_people_have_a_room_of_their_own_it_asks_first(demo_output, settings):
    settings.DEBUG = False
    User.objects.filter(username="player1").update(username="ann")
    harbour = Table.objects.get(name="Harbour")
    tables.close(table_id=harbour.pk, now=harbour.opened_at)
    refused(CommandError, "passwords everybody knows", demo)
    assert Table.objects.get(name="Harbour").state == "closed", "nothing was done"
    assert "player1" in demo("--yes")
    assert Table.objects.get(name="Harbour").state == "open"


def test_bots_come_to_tables_and_the_room_has_lists_and_a_drawer(demo_output, audited):
    laid_out = list(Table.objects.filter(offer=None, is_physical=False).order_by("small_bet"))
    assert len({table.small_bet for table in laid_out}) == len(laid_out) == 4
    assert [table.bots_wait_for_people for table in laid_out] == [False, False, True, True]
    assert [table.is_dealt_by_person for table in laid_out] == [False, True, False, False]
    for table in laid_out:
        receivers.wake(table_id=table.pk, fence=table.version, now=table.wake_at)
    assert len(set(User.objects.filter(is_bot=True).values_list("personality", flat=True))) >= 2
    assert list(Section.objects.values_list("name", flat=True)) == ["Main room", "Window", "Online"]
    offers = Offer.objects.select_related("drop")
    assert {offer.drop.kind for offer in offers} == {"rake", "time"}
    assert {offer.is_physical for offer in offers} == {True, False}
    first, second = Table.objects.filter(is_physical=True, state="open").order_by("name")
    assert (second.must_move_to, first.seats.count(), second.seats.count()) == (first, 8, 7)
    assert Table.objects.get(name="Table 3").state == "free"
    kinds = ListEntry.objects.order_by("kind").values_list("offer__name", "kind").distinct()
    assert list(kinds) == [("Stud-8 10/20 live", "interest"), ("Stud 20/40 live", "list")]
    desk, window = Drawer.objects.order_by("-is_for_events")
    assert [desk.is_for_events, window.is_for_events] == [True, False]
    assert list(desk.sessions.values_list("state", "cashier__username")) == [("open", "director")]
    cashier = User.objects.get(username="cashier")
    said = {"by": cashier, "now": timezone.now(), "from_vault": 5_000, "counted": 5_000}
    assert drawers.open_drawer(drawer_id=window.pk, **said).drawer == window
