"""The pages as people get them: what is on them, and above all what is not."""

import re
from datetime import timedelta
from unittest.mock import Mock

from django.utils import timezone

from games.engine.facts.play import CardsDealt
from games.tables import journal as table_journal
from tests.support.models import Approval, HandResult, SealedLook, Seat, Table
from tests.support.offers import staff
from tests.support.pages import assert_hides, assert_shows, confirmed, get, html_of
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


def cards_shown(page):
    """The cards drawn on a page, by their names in words."""
    return {RANKS[rank] + suit[0] for rank, suit in re.findall(r"(\w+) of (spades|hearts|diamonds|clubs)", page)}


def test_the_lobby_invites_whoever_comes_by_and_its_part_leads_to_the_whole(evening, browse):
    assert_shows(get(browse()), "Sign up and play", "Larch", "15/30", "2 of 8 seats")
    assert_shows(get(browse(evening.ann)), "Your seats", "Return<span")
    for more in ({"HX-Request": "true"}, {}):
        assert WHOLE not in browse().get("/lobby/?game=razz", headers={"Accept": "*/*"} | more).content.lower()
    headers = AS_A_BROWSER | {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert browse().get("/lobby/?game=razz", headers=headers)["Location"] == "/?game=razz"


def test_the_table_page_holds_no_card_and_no_inline_code(evening, browse):
    for user in (None, evening.ann, evening.bob):
        page = get(browse(user), f"/tables/{evening.pk}/")
        assert not cards_shown(page)
        assert_hides(page, *(f'"{card}"' for card in downcards(evening.table.hand_id)))
    policy = browse().get(f"/tables/{evening.pk}/")["Content-Security-Policy"]
    assert_shows(policy, "script-src 'self'", "style-src 'self'", but=["unsafe"])

    assert_shows(get(browse(evening.ann), f"/tables/{evening.pk}/"), "data-sit-any")
    Table.objects.filter(pk=evening.pk).update(is_physical=True)
    offered = ("data-sit-any", "data-top-up", "/sit-out/", "/leave/", "/come-back/", "sit-dialog")
    for user in (None, evening.ann):
        assert_hides(get(browse(user), f"/tables/{evening.pk}/"), *offered)


def test_sitting_down_takes_the_buy_in_once_however_often_it_is_sent(evening, browse):
    newcomer, address = evening.player("cleo"), f"/tables/{evening.pk}/sit/"
    for _ in range(2):
        answer = browse(newcomer).post(address, {"number": 5, "buy_in": 700, "key": "one"}, follow=True)
        assert_shows(html_of(answer), "You are in seat 5")
    assert (evening.stack(newcomer), evening.wallet(newcomer)) == (700, 9_300)
    answer = browse(evening.player("poor", chips=100)).post(address, {"number": 4, "buy_in": 700})
    assert_shows(html_of(answer, 422), "Not enough chips", "To the lobby")

    browser = browse(evening.player("live"), headers={"HX-Request": "true"})
    refused = html_of(browser.post(address, {"number": 1, "buy_in": 700}), 409)
    assert_shows(refused, "data-problem", "Seat 1 was taken a moment ago", but=["<html"])
    answer = browser.post(address, {"number": 6, "buy_in": 700})
    assert (answer.status_code, "You are in seat 6" in answer["HX-Trigger"]) == (204, True)


def test_leaving_and_adding_chips_in_a_hand_wait_for_its_end(evening, browse):
    ann, table = browse(evening.ann), f"/tables/{evening.pk}/"
    assert_shows(html_of(ann.post(f"{table}leave/", follow=True)), "You leave when this hand is over")
    assert evening.seat_of(evening.ann).state == Seat.State.LEAVING
    ann.post(f"{table}come-back/")
    assert evening.seat_of(evening.ann).state == Seat.State.PLAYING
    assert_shows(html_of(ann.post(f"{table}top-up/", {"amount": 100}, follow=True)), "100 chips come after this hand")
    assert evening.seat_of(evening.ann).top_up_queued == 100
    answer = ann.get(f"/hands/{evening.table.hand_id}/")
    assert (answer.status_code, answer["Location"]) == (302, table)


def test_a_finished_hand_is_shown_by_street_with_what_its_viewer_may_see(finished, browse):
    page = get(browse(), f"/hands/{finished.hand}/")
    assert_shows(
        page, *(f">{ordinal} street<" for ordinal in ("Third", "Fourth", "Fifth", "Sixth", "Seventh")), ">Showdown<"
    )
    assert_shows(page, "brings it in for 5", 'id="fact-4"', "as seen by spectators")
    assert_shows(get(browse(), f"/tables/{finished.pk}/hands/"), f"/hands/{finished.hand}/")
    assert get(browse(), f"/tables/{finished.pk}/hands/?before=1").count("None yet") == 1
    # Folded and mucked downcards stay hidden for good.
    tabled = {fact.seat for fact in table_journal.facts(finished.hand) if fact.kind == "hand-shown"}
    for viewer in (None, finished.ann, finished.bob):
        page = get(browse(viewer), f"/hands/{finished.hand}/")
        for seat, player in ((1, finished.ann), (2, finished.bob)):
            seen = downcards(finished.hand, of=seat) & cards_shown(page)
            assert seen == (downcards(finished.hand, of=seat) if seat in tabled or player == viewer else set())


def test_ones_hands_are_a_list_that_can_be_searched_and_each_takes_a_note(finished, browse):
    ann = browse(finished.ann)
    address = f"/hands/{finished.hand}/"
    assert_shows(get(ann, "/me/hands/"), address, "showdown", "Your hands")
    assert_shows(get(ann, address), "Your note", f'action="{address}mark/"')
    answer = ann.post(f"{address}mark/", {"tags": "#bluff", "note": "He had <b>it</b>."})
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert_shows(get(ann, address), "bluff", "He had &lt;b&gt;it")
    assert_shows(get(ann, "/me/hands/?words=bluff&result=&game=seven-card-stud"), address, "He had &lt;b&gt;it")
    assert_hides(get(ann, "/me/hands/?words=river"), address)
    assert_shows(get(ann, "/me/hands/?words=river&before=1"), "No hand of yours is like that")
    assert_shows(get(ann, "/me/hands/?game=bridge"), "bridge is not one of")
    day = timezone.localdate(HandResult.objects.latest("at").at)
    assert_shows(get(ann, f"/me/hands/?since={day}&until={day}"), address)
    assert_shows(get(ann, f"/me/hands/?until={day - timedelta(1)}"), "No hand of yours is like that")
    refused = ann.post(f"{address}mark/", {"tags": "one two three four five six", "note": "kept"})
    assert_shows(html_of(refused, 400), "Up to 5 tags", 'value="one two three four five six"', ">kept</textarea>")
    assert_hides(get(browse(finished.bob), address), "bluff")
    assert_hides(get(browse(), address), "Your note", "bluff")
    assert_shows(get(browse(finished.player("cec")), "/me/hands/"), "The hands you play are kept here")


def test_the_page_of_a_shared_hand_names_nobody_and_has_a_picture(finished, browse):
    page = get(browse(finished.ann), f"/hands/{finished.hand}/")
    assert_shows(page, f'href="/hands/{finished.hand}/file/phh/"', "data-picture")
    (link,) = re.findall(r'data-without-names="([^"]+)"', page)
    shared = get(browse(), link)
    assert_shows(shared, "Seat 1", "Seat 2", "as seen from seat 1", "/api/v1/shared-hands/")
    assert downcards(finished.hand, of=1) <= cards_shown(shared)
    assert_hides(shared, ">ann<", ">bob<", "ann ", "bob ", "Next hand", "data-share", "you</span>")
    get(browse(), f"{link[:-2]}x/", 404)
    assert_shows(shared, 'name="twitter:card" content="summary_large_image"', 'property="og:title"', "Seat 1 wins")
    (picture,) = re.findall(r'property="og:image" content="http://testserver([^"]+)"', shared)
    assert picture == f"{link[:-1]}.png"
    answer = browse().get(picture)
    assert (answer["Content-Type"], answer.content[:4]) == ("image/png", b"\x89PNG")
    assert answer["Cache-Control"] == "public, max-age=86400"
    assert_hides(page, "og:image")


def test_ones_hands_are_grouped_by_session_saved_as_files_and_counted(finished, browse):
    ann = browse(finished.ann)
    page = get(ann, "/me/hands/")
    (session,) = re.findall(r'href="\?(session=evening-\d+)"', page)
    assert_shows(page, "1 hand<", "/me/hands/file/phh/?")
    assert_shows(
        get(ann, f"/me/hands/?{session}"), f"/hands/{finished.hand}/?{session}#play", f"/me/hands/file/txt/?{session}"
    )
    assert_shows(get(ann, f"/hands/{finished.hand}/?{session}"), "hand 1 of 1", f"/mark/?{session}")
    assert_shows(get(ann, f"/hands/{finished.hand}/?words=bluff&x=1"), '?words=bluff">your hands')
    assert_shows(get(ann, f"/hands/{finished.hand}/?session=nonsense"), "all its hands")
    answer = ann.get(f"/me/hands/file/txt/?{session}")
    assert answer["Content-Disposition"] == 'attachment; filename="hands.txt"'
    assert b"".join(answer.streaming_content).startswith(f"Cardroom Hand #{finished.hand}:".encode())
    assert b"".join(ann.get("/me/hands/file/txt/?only=all-in").streaming_content) == b""
    assert_shows(get(ann, "/me/statistics/"), "You have played 1 hand of these", "1 of 1", "Street by street", "15/30")
    assert_shows(get(browse(finished.player("cec")), "/me/statistics/"), "counted here from your first hand on")


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
    assert not downcards(hand) & cards_shown(page)
    assert_shows(page, "Won unopposed", "Folded")


def test_an_auditor_sees_sealed_cards_once_a_second_person_opens_them(finished, browse):
    auditor, hand = staff("auditor", "audrey"), f"/hands/{finished.hand}/"
    sealed = downcards(finished.hand) - cards_shown(get(browse(), hand))
    assert sealed
    assert_hides(get(browse(finished.ann), hand), "Request a view")
    browser = browse(auditor)
    page = get(browser, hand)
    assert_shows(page, "Request a view")
    key = re.search(r'name="key" value="([^"]+)"', page.partition("sealed-title")[2])[1]
    for _ in range(2):  # a double click asks once
        said = {"reason": "a complaint at the table", "minutes": 20, "key": key}
        asked = browser.post(f"{hand}sealed/ask/", said, follow=True)
    assert_shows(html_of(asked), "You have requested a view: a complaint at the table")
    assert browser.post(f"{hand}sealed/look/").status_code == 403
    approval = Approval.objects.get(what=sealed_views.ACT)
    approvals.decide(approval_id=approval.pk, by=staff("manager", "second"), approve=True, now=timezone.now())
    assert not sealed & cards_shown(get(browser, hand)), "not before they ask for this hand, which is written down"
    assert sealed <= cards_shown(browser.post(f"{hand}sealed/look/").content.decode())
    assert SealedLook.objects.get().subject == f"hand:{finished.hand}"
    assert_shows(html_of(browser.post(f"{hand}sealed/close/", follow=True)), "Request a view")
    assert browser.post(f"{hand}sealed/look/").status_code == 403


def test_the_account_page_shows_postings_and_settings_but_no_token(evening, browse):
    assert_shows(get(browse(evening.ann), "/me/"), "9,500", "-500", "For a test")
    browser = browse(evening.ann)
    browser.post("/me/look/", {"deck": "four", "dead": ["off", "on"], "odds": "off"})
    chosen = {"deck": "four", "dead": "on", "odds": "off", "felt": "green"}
    assert_shows(get(browser), *(f'data-look-{name}="{value}"' for name, value in chosen.items()))
    browser.post("/me/look/", {"deck": "two"})
    assert_shows(get(browser), 'data-look-deck="two"')
    assert_shows(get(browser, "/me/"), 'name="wants_mail" checked')
    for sent, is_wanted in (({}, False), ({"wants_mail": "on"}, True)):
        browser.post("/me/mail/", sent)
        assert ('name="wants_mail" checked' in get(browser, "/me/")) == is_wanted

    confirmed(browser)
    made = browser.post("/me/tokens/", {"name": "notebook", "scopes": ["read", "play"], "days": "7"}).content.decode()
    secret = re.search(r'class="secret"><code>(\w+)<', made)[1]
    again = get(browser, "/me/tokens/")
    assert_shows(
        again,
        "notebook",
        "Read what I can read; Play for me: take seats, enter tournaments, act and leave",
        but=[secret],
    )
    assert_shows(
        browser.post("/me/tokens/", {"scopes": ["read"], "days": "7"}).content.decode(), "This field is required"
    )


def test_somebody_signs_up_and_finds_their_chips(browse):
    answer = browse().post("/accounts/signup/", {"username": "newcomer", "password1": "a-quiet-evening-1"}, follow=True)
    assert answer.redirect_chain[-1][0] == "/"
    assert_shows(html_of(answer), "10,000")


def test_error_pages_have_links_and_no_traceback(browse, monkeypatch):
    browser = browse()
    assert_shows(get(browser, "/nowhere/", 404), "Page not found", "To the lobby")
    monkeypatch.setattr("games.floor.lobby.room_lobby", Mock(side_effect=RuntimeError("As Kd 9c")))
    browser.raise_request_exception = False
    assert_shows(get(browser, "/", 500), "Server error", but=["RuntimeError", "Kd"])
