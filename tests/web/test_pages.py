"""The pages as people get them: what is on them, and above all what is not."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from games.engine.facts.play import CardsDealt
from games.tables import journal as table_journal
from tests.support.models import Approval, SealedLook, Seat, Table
from tests.support.offers import staff
from tests.support.pages import get, hides, html_of, says
from tests.support.parts.cardroom import approvals, sealed_views
from tests.web.room_rows import AS_A_BROWSER, WHOLE

WORDS = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANKS = dict(zip(WORDS, "23456789TJQKA", strict=True))


def downcards(hand_id, *, of=None):
    """The cards dealt face down in a hand (to seat `of`), unredacted."""
    return {
        card
        for fact in table_journal.facts(hand_id)
        if isinstance(fact, CardsDealt)
        for seat, card, is_up in fact.cards
        if not is_up and of in (None, seat)
    }


def shown(page):
    """The cards drawn on a page, by their names in words."""
    found = re.findall(r"(\w+) of (spades|hearts|diamonds|clubs)", page)
    return {RANKS[rank] + suit[0] for rank, suit in found}


def test_the_lobby_invites_whoever_comes_by_and_shows_a_player_where_he_sits(evening, browse):
    page = get(browse(), "/")
    says(page, "Sign up and play", "Larch", "15/30", "2 of 8 seats")
    page = get(browse(evening.ann), "/")
    says(page, "Your seats", "Return<span")


def test_a_page_that_asks_for_its_part_gets_the_part_and_going_back_leads_to_the_whole(evening, browse):
    for more in ({"HX-Request": "true"}, {}):
        assert WHOLE not in browse().get("/lobby/?game=razz", headers={"Accept": "*/*"} | more).content.lower()
    headers = AS_A_BROWSER | {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert browse().get("/lobby/?game=razz", headers=headers)["Location"] == "/?game=razz"


def test_the_table_page_holds_no_card_and_a_policy_forbids_foreign_and_inline_code_and_style(evening, browse):
    for user in (None, evening.ann, evening.bob):
        page = get(browse(user), f"/tables/{evening.pk}/")
        assert not shown(page)
        for card in downcards(evening.table.hand_id):
            assert f'"{card}"' not in page
    policy = browse().get(f"/tables/{evening.pk}/")["Content-Security-Policy"]
    says(policy, "script-src 'self'", "style-src 'self'")
    assert "unsafe" not in policy


def test_the_page_of_a_table_in_the_room_offers_nothing_that_staff_does_there(evening, browse):
    assert "data-sit-any" in get(browse(evening.ann), f"/tables/{evening.pk}/")
    Table.objects.filter(pk=evening.pk).update(is_physical=True)
    for user in (None, evening.ann):
        page = get(browse(user), f"/tables/{evening.pk}/")
        for offered in ("data-sit-any", "data-top-up", "/sit-out/", "/leave/", "/come-back/", "sit-dialog"):
            assert offered not in page


def test_sitting_down_takes_the_buy_in_and_the_seat_once_however_often_the_form_is_sent(evening, browse):
    newcomer = evening.player("cleo")
    form = {"number": 5, "buy_in": 700, "key": "one"}
    for _ in range(2):
        answer = browse(newcomer).post(f"/tables/{evening.pk}/sit/", form, follow=True)
        assert "You are in seat 5" in answer.content.decode()
    assert (evening.stack(newcomer), evening.wallet(newcomer)) == (700, 9_300)


def test_the_live_page_is_answered_with_a_notice_and_refused_with_a_fragment_that_says_why(evening, browse):
    browser, address, headers = browse(evening.player("cleo")), f"/tables/{evening.pk}/sit/", {"HX-Request": "true"}
    refused = html_of(browser.post(address, {"number": 1, "buy_in": 700}, headers=headers), 409)
    says(refused, "data-problem", "Seat 1 was taken a moment ago")
    assert "<html" not in refused
    answer = browser.post(address, {"number": 5, "buy_in": 700}, headers=headers)
    assert answer.status_code == 204
    assert "You are in seat 5" in answer["HX-Trigger"]


def test_a_refusal_without_scripts_is_a_page_with_the_reason(evening, browse):
    answer = browse(evening.player("cleo", chips=100)).post(f"/tables/{evening.pk}/sit/", {"number": 4, "buy_in": 700})
    says(html_of(answer, 422), "Not enough chips", "To the lobby")


def test_leaving_and_chips_asked_for_in_a_hand_wait_for_its_end_and_the_hand_is_at_its_table(evening, browse):
    answer = browse(evening.ann).post(f"/tables/{evening.pk}/leave/", follow=True)
    assert "You leave when this hand is over" in answer.content.decode()
    assert evening.seat_of(evening.ann).state == Seat.State.LEAVING
    browse(evening.ann).post(f"/tables/{evening.pk}/come-back/")
    assert evening.seat_of(evening.ann).state == Seat.State.PLAYING
    answer = browse(evening.ann).post(f"/tables/{evening.pk}/top-up/", {"amount": 100}, follow=True)
    assert "100 chips come after this hand" in answer.content.decode()
    assert evening.seat_of(evening.ann).top_up_queued == 100
    answer = browse(evening.ann).get(f"/hands/{evening.table.hand_id}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/tables/{evening.pk}/")


def test_a_finished_hand_is_told_street_by_street_and_listed_at_its_table(finished, browse):
    page = get(browse(), f"/hands/{finished.hand}/")
    for title in ("Third street", "Fourth street", "Fifth street", "Sixth street", "Seventh street", "Showdown"):
        assert f">{title}<" in page
    says(page, "brings it in for 5", 'id="fact-3"', "as seen by spectators")
    page = get(browse(), f"/tables/{finished.pk}/hands/")
    assert reverse("hand", args=[finished.hand]) in page
    assert get(browse(), f"/tables/{finished.pk}/hands/?before=1").count("None yet") == 1


def test_ones_hands_are_a_list_that_can_be_searched_and_each_takes_a_note(finished, browse):
    ann = browse(finished.ann)
    address = f"/hands/{finished.hand}/"
    says(get(ann, "/me/hands/"), address, "showdown", "Your hands")
    says(get(ann, address), "Your note", f'action="{address}mark/"')
    answer = ann.post(f"{address}mark/", {"tags": "#bluff", "note": "He had <b>it</b>."})
    assert (answer.status_code, answer["Location"]) == (302, address)
    says(get(ann, address), "bluff", "He had &lt;b&gt;it")
    says(get(ann, "/me/hands/?words=bluff&result=&game=seven-card-stud"), address, "He had &lt;b&gt;it")
    assert address not in get(ann, "/me/hands/?words=river")
    says(get(ann, "/me/hands/?words=river&before=1"), "No hand of yours is like that")
    says(get(ann, "/me/hands/?game=bridge"), "bridge is not one of")
    refused = ann.post(f"{address}mark/", {"tags": "one two three four five six", "note": "kept"})
    says(html_of(refused, 400), "Up to 5 tags", 'value="one two three four five six"', ">kept</textarea>")
    page = get(browse(finished.bob), address)
    assert "bluff" not in page
    hides(get(browse(), address), "Your note", "bluff")
    says(get(browse(finished.player("cec")), "/me/hands/"), "The hands you play are kept here")


def test_a_shared_hand_has_a_page_that_names_nobody_and_leads_to_no_other_hand(finished, browse):
    page = get(browse(finished.ann), f"/hands/{finished.hand}/")
    (link,) = re.findall(r'data-without-names="([^"]+)"', page)
    shared = get(browse(), link)
    says(shared, "Seat 1", "Seat 2", "as seen from seat 1", "/api/v1/shared-hands/")
    assert downcards(finished.hand, of=1) <= shown(shared)
    for word in (">ann<", ">bob<", "ann ", "bob ", "Next hand", "data-share", "you</span>"):
        assert word not in shared
    html_of(browse().get(link[:-2] + "x/"), 404)


def test_a_shared_link_unfurls_with_a_picture_of_the_hand(finished, browse):
    page = get(browse(finished.ann), f"/hands/{finished.hand}/")
    says(page, f'href="/hands/{finished.hand}/file/phh/"', "data-picture")
    (link,) = re.findall(r'data-without-names="([^"]+)"', page)
    shared = get(browse(), link)
    says(shared, 'name="twitter:card" content="summary_large_image"', 'property="og:title"', "Seat 1 wins")
    (picture,) = re.findall(r'property="og:image" content="http://testserver([^"]+)"', shared)
    assert picture == f"{link[:-1]}.png"
    answer = browse().get(picture)
    assert (answer["Content-Type"], answer.content[:4]) == ("image/png", b"\x89PNG")
    assert answer["Cache-Control"] == "public, max-age=86400"
    assert "og:image" not in page


def test_ones_hands_are_grouped_by_session_saved_as_files_and_counted(finished, browse):
    ann = browse(finished.ann)
    page = get(ann, "/me/hands/")
    (session,) = re.findall(r'href="\?(session=stay-\d+)"', page)
    says(page, "1 hand<", "/me/hands/file/phh/?")
    says(get(ann, f"/me/hands/?{session}"), f"/hands/{finished.hand}/", f"/me/hands/file/txt/?{session}")
    answer = ann.get(f"/me/hands/file/txt/?{session}")
    assert answer["Content-Disposition"] == 'attachment; filename="hands.txt"'
    assert b"".join(answer.streaming_content).startswith(f"Cardroom Hand #{finished.hand}:".encode())
    assert b"".join(ann.get("/me/hands/file/txt/?only=all-in").streaming_content) == b""
    says(get(ann, "/me/statistics/"), "You have played 1 hand of these", "1 of 1", "Street by street", "15/30")
    says(get(browse(finished.player("cec")), "/me/statistics/"), "counted here from your first hand on")


@pytest.mark.parametrize("viewer", ["rail", "ann", "bob"])
def test_a_finished_hand_shows_a_viewer_only_what_he_may_see(finished, browse, viewer):
    """Folded and mucked downcards stay hidden for good."""
    user = None if viewer == "rail" else getattr(finished, viewer)
    page = get(browse(user), f"/hands/{finished.hand}/")
    tabled = {fact.seat for fact in table_journal.facts(finished.hand) if fact.kind == "hand-shown"}
    for seat, name in ((1, "ann"), (2, "bob")):
        cards = downcards(finished.hand, of=seat)
        if seat in tabled or name == viewer:
            assert cards <= shown(page)
        else:
            assert not cards & shown(page)


def test_a_mucked_hand_is_mucked_on_its_page(evening, browse):
    """One bets to the end, the other folds on the last street: nobody sees either's downcards."""
    hand = evening.table.hand_id
    while evening.table.hand_id == hand:
        turn = evening.turn
        if evening.engine.street == 7 and not turn.can_check:
            evening.act("fold")
        elif evening.engine.street == 7:
            evening.act("bet")
        else:
            evening.act("bring-in" if turn.bring_in else "check" if turn.can_check else "call")
    page = get(browse(), f"/hands/{hand}/")
    assert not downcards(hand) & shown(page)
    says(page, "Won unopposed", "Folded")


def test_an_auditor_asks_on_the_page_of_a_hand_and_looks_once_a_second_person_has_opened_it(finished, browse):
    auditor, hand = staff("auditor", "audrey"), f"/hands/{finished.hand}/"
    sealed = downcards(finished.hand) - shown(get(browse(), hand))
    assert sealed
    assert "Request a view" not in get(browse(finished.ann), hand)
    browser = browse(auditor)
    assert "Request a view" in get(browser, hand)
    key = re.search(r'name="key" value="([^"]+)"', get(browser, hand).partition("sealed-title")[2])[1]
    for _ in range(2):  # a double click asks once
        said = {"reason": "a complaint at the table", "minutes": 20, "key": key}
        asked = browser.post(f"{hand}sealed/ask/", said, follow=True)
    assert "You have requested a view: a complaint at the table" in asked.content.decode()
    assert browser.post(f"{hand}sealed/look/").status_code == 403
    approval = Approval.objects.get(what=sealed_views.ACT)
    approvals.decide(approval_id=approval.pk, by=staff("manager", "second"), approve=True, now=timezone.now())
    assert not sealed & shown(get(browser, hand)), "not before they ask for this hand, which is written down"
    assert sealed <= shown(browser.post(f"{hand}sealed/look/").content.decode())
    assert SealedLook.objects.get().subject == f"hand:{finished.hand}"
    assert "Request a view" in browser.post(f"{hand}sealed/close/", follow=True).content.decode()
    assert browser.post(f"{hand}sealed/look/").status_code == 403


def test_the_rulebook_page_has_every_point_with_its_citation(db, browse):
    from games.rulebooks.queries import load

    book = load("roberts-v4")
    page = get(browse(), "/rules/roberts-v4/")
    for key in book.points:
        assert f'id="{key}"' in page
    assert page.count("<cite>") == len(book.points)


def test_the_account_page_tells_the_wallet_and_what_moved_and_what_was_chosen_is_remembered(evening, browse):
    says(get(browse(evening.ann), "/me/"), "9,500", "-500", "For a test")
    browser = browse(evening.ann)
    browser.post("/me/look/", {"deck": "four", "dead": ["off", "on"], "odds": "off"})
    says(
        get(browser, "/"),
        'data-look-deck="four"',
        'data-look-dead="on"',
        'data-look-odds="off"',
        'data-look-felt="green"',
    )
    browser.post("/me/look/", {"deck": "two"})
    assert 'data-look-deck="two"' in get(browser, "/")
    assert 'name="wants_mail" checked' in get(browser, "/me/")
    browser.post("/me/mail/", {})
    assert 'name="wants_mail" checked' not in get(browser, "/me/")
    browser.post("/me/mail/", {"wants_mail": "on"})
    assert 'name="wants_mail" checked' in get(browser, "/me/")


def test_a_new_token_has_a_name_and_its_secret_is_shown_once(evening, browse):
    browser = browse(evening.ann)
    made = browser.post("/me/tokens/", {"name": "notebook", "scopes": ["read", "play"], "days": "7"}).content.decode()
    secret = re.search(r'class="secret"><code>(\w+)<', made)
    assert secret
    again = get(browser, "/me/tokens/")
    assert "notebook" in again
    assert "Read what I can read; Play for me: take seats, enter events, act and leave" in again
    assert secret.group(1) not in again
    answer = browser.post("/me/tokens/", {"scopes": ["read"], "days": "7"})
    assert "This field is required" in answer.content.decode()


def test_somebody_signs_up_and_finds_his_chips(db, browse):
    answer = browse().post("/accounts/signup/", {"username": "newcomer", "password1": "a-quiet-evening-1"}, follow=True)
    assert answer.redirect_chain[-1][0] == "/"
    assert "10,000" in answer.content.decode()


def test_what_is_not_there_is_a_page_that_leads_on(db, browse):
    says(get(browse(), "/nowhere/", status=404), "Page not found", "To the lobby")


def test_a_page_that_breaks_says_so_without_a_traceback(evening, browse, monkeypatch):
    def broken(**asked):
        raise RuntimeError("As Kd 9c")

    monkeypatch.setattr("games.tables.queries.offers.room_lobby", broken)
    browser = browse()
    browser.raise_request_exception = False
    page = get(browser, "/", status=500)
    assert "Server error" in page
    hides(page, "RuntimeError", "Kd")
