"""Each form of the house's pages, sent as its page has it, does what its button says."""

from datetime import UTC, datetime, timedelta

from django.template.defaultfilters import date

from cardroom.accounts import bans, blacklist, notes, sessions
from tests.support.models import Approval, Blocked, Jackpot, LimitChange, Notice, PlayerNote, User
from tests.support.offers import staff
from tests.support.pages import assert_hides, assert_shows, get, html_of, words
from tests.support.parts.cardroom import access, limits, people

WHY = "Because of that"


def test_the_desk_does_all_it_does_with_a_player_on_their_page(pia, press):
    mia, page = staff("manager", "mia"), f"/players/{pia.pk}/"
    for button, sent, said in (
        ("Check in", {}, "pia is checked in."),
        ("Issue card", {"name": "Pia Ash", "born_on": "1990-02-03"}, "Member "),
        ("Save", {"name": "Pia Oak", "phone": ""}, "Member "),
        ("New card", {}, "A new card is issued."),
        ("Report card as lost", {}, "The card is reported lost."),
        ("Add note", {"text": "Left-handed", "flag": "host"}, "Note added."),
        ("Ban", {"reason": WHY, "length": "until", "until": "2099-01-06T10:00", "sure": "yes"}, "banned"),
        ("Check out", {}, "pia is checked out."),
    ):
        given = press(mia, page, button, **sent)
        assert said in given, (button, given)
    pia.refresh_from_db()
    assert (pia.member.name, pia.member.phone, pia.member.born_on.year) == ("Pia Oak", "", 1990)
    assert bans.in_force(pia, now=datetime.now(UTC)).get().until.isoformat() == "2099-01-06T10:00:00+00:00"
    assert "The ban is lifted." in press(mia, page, "Lift", reason=WHY)
    note = PlayerNote.objects.get()
    assert "The note is archived." in press(mia, page, f"Archive the note of {date(note.at, 'j M, H:i')}")
    assert (note.flag, notes.about(pia)) == ("host", [])


def test_a_manager_does_all_they_do_with_an_account_on_its_page(pia, press, now):
    mia, page = staff("manager", "mia"), f"/staff/accounts/{pia.pk}/"
    staff("manager", "max")
    before = people.wallet_balance(pia)
    User.objects.filter(pk=pia.pk).update(last_name="Ash")
    for button, sent, said in (
        ("Save", {"name": "pia.two", "first_name": "Pia", "last_name": ""}, "Saved."),
        ("Correct", {"amount": "+900", "reason": WHY}, "+900 chips."),
        ("Correct", {"amount": "1,500", "reason": WHY}, "approval is requested"),
        ("Correct", {"amount": "-200", "reason": WHY}, "-200 chips."),
        ("Correct", {"amount": "a lot", "reason": WHY}, "Amount is a whole number."),
        ("Give the role dealer", {}, "pia.two has the role dealer."),
        ("Remove the role dealer", {}, "pia.two no longer has the role dealer."),
        ("Request the role auditor", {}, "approval is requested"),
        ("Set password", {"password": " seven-card-stud-1 "}, "pia.two has a new password"),
        ("Close", {"reason": WHY}, "The account is closed."),
        ("Reopen", {"reason": WHY}, "The account is reopened."),
    ):
        given = press(mia, page, button, **sent)
        assert said in given, (button, given)
    pia.refresh_from_db()
    assert (pia.username, pia.first_name, pia.last_name, pia.is_active) == ("pia.two", "Pia", "", True)
    assert pia.check_password(" seven-card-stud-1 "), "with the spaces that were typed"
    assert (people.wallet_balance(pia) - before, access.roles_of(pia)) == (700, set())
    assert Approval.objects.count() == 2
    made = press(mia, "/staff/accounts/", "Create", name="wren", full_name="Wren Hill")
    assert "The account of wren is created." in made
    assert User.objects.get(username="wren").last_name == "Hill"


def test_the_first_manager_gives_every_role_alone_and_the_page_says_so(pia, press):
    mia, page = staff("manager", "mia"), f"/staff/accounts/{pia.pk}/"
    assert "pia has the role auditor." in press(mia, page, "Give the role auditor")
    assert "pia has the role manager." in press(mia, page, "Give the role manager")
    assert "approval is requested" in press(mia, page, "Request the role cashier")
    assert access.roles_of(pia) == {"auditor", "manager"}


def test_a_line_of_the_blacklist_is_written_changed_and_taken_off(press, now):
    mia, page = staff("manager", "mia"), "/staff/blacklist/"
    assert "Added to the blacklist." in press(mia, page, "Block", kind="name", value="troll*", reason=WHY)
    assert "The entry is changed." in press(mia, page, "Save", reason="Spam", until="2099-01-06T10:00")
    line = Blocked.objects.get()
    assert (line.value, line.reason, line.until.year) == ("troll*", "Spam", 2099)
    assert "Removed from" in press(mia, page, "Remove troll*")
    assert not blacklist.on_the_list(now=now).exists()


def test_who_is_connected_is_told_something_and_logged_out(pia, browse):
    player, browser = browse(pia), browse(staff("floor", "flo"))
    page = f"/staff/connections/{sessions.open_now(now=datetime.now(UTC), user=pia).get().handle}/"
    told = {("message", "text"): "The message to pia is sent.", ("terminate", "reason"): "pia is logged out."}
    for (what, field), said in told.items():
        answer = browser.post(page, {"what": what, field: "Your taxi is here", "key": what})
        assert said in words(get(browser, answer["Location"]))
    assert Notice.objects.filter(player=pia, text="Your taxi is here").exists()
    assert not sessions.open_now(now=datetime.now(UTC), user=pia).exists()
    assert player.get("/me/").status_code == 302
    assert "There is no such connection" in words(browser.post(page, {"what": "message", "text": "Hello"}), 404)


def test_a_player_sets_limits_keeps_one_as_it_is_and_shuts_themselves_out(pia, press, now):
    page = "/me/limits/"
    assert "It is in force now." in press(pia, page, "Set deposits in a day", amount="1,000")
    assert "until then you can cancel the change" in press(pia, page, "Set deposits in a day", amount="")
    assert LimitChange.objects.latest("pk").amount is None
    assert "the limit stays as it is" in press(pia, page, "Cancel the change: deposits in a day")
    assert [limit.amount for limit in limits.all_of(pia, now=datetime.now(UTC)) if limit.amount] == [1000]
    press(pia, page, "Exclude me", days="30", where="room")
    assert not bans.in_force(pia, now=now).exists(), "the box was not ticked"
    press(pia, page, "Exclude me", days="30", where="room", sure="on")
    ban = bans.in_force(pia, now=datetime.now(UTC)).get()
    assert (ban.where, round((ban.until - now) / timedelta(days=1))) == ("room", 30)


def test_two_managers_create_a_jackpot_and_a_refusal_loses_no_input(browse):
    asked, decided = browse(staff("manager", "max")), browse(staff("manager", "mia"))
    said = {"name": "Bad beat", "seed": "lots", "reason": "For the opening", "key": "a"}
    page = html_of(asked.post("/jackpots/change/", said), 400)
    assert_shows(page, "Seed is a whole number", 'value="lots"', 'value="For the opening"')
    assert asked.post("/jackpots/hit/", {"jackpot_id": "1", "players": "9" * 6000}).status_code == 400
    assert_shows(
        get(browse(User.objects.create_user("pia")), "/jackpots/"), "No live jackpots", but=["Request approval"]
    )
    asked.post("/jackpots/change/", said | {"seed": "12,000"})
    assert_hides(get(browse(), "/jackpots/fragment/"), "Bad beat")
    approves = {"approval_id": Approval.objects.get().pk, "approve": "yes"}
    assert asked.post("/jackpots/decide/", approves).status_code == 403
    assert_shows(html_of(decided.post("/jackpots/decide/", approves, follow=True)), "12,000")
    seen = get(browse(), "/jackpots/fragment/")
    assert_shows(seen, "Bad beat", "12,000")
    assert Jackpot.objects.get().seed == 12_000
    assert seen in get(browse()), "the lobby has it from the first, and does not jump"
