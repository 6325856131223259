"""What the audit log says of an act in the reader's language: what was done, to what, and its details. The log itself
keeps codes: auditors look for acts by them, and programs read them.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.formats import localize
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts.models import Blocked, PlayerCard, PlayerNote, Where
from cardroom.cage import allowances
from cardroom.cage.books import UNITS
from cardroom.core import access, room_time, sentences, titles
from cardroom.core.models import StaffAction

#: What was done, by its verb, and what a second person was asked for.
VERBS = {
    "account.add": gettext_lazy("Account opened"),
    "account.adjust": gettext_lazy("Wallet correction"),
    "account.dec-balance": gettext_lazy("Chips taken from a wallet"),
    "account.delete": gettext_lazy("Account closed"),
    "account.edit": gettext_lazy("Account changed"),
    "account.give-role": gettext_lazy("Role given"),
    "account.inc-balance": gettext_lazy("Chips added to a wallet"),
    "account.password": gettext_lazy("Password set"),
    "account.reopen": gettext_lazy("Account reopened"),
    "account.take-in": gettext_lazy("New player registered at the desk"),
    "account.take-role": gettext_lazy("Role taken away"),
    "approvals.approve": gettext_lazy("Approval given"),
    "approvals.ask": gettext_lazy("Approval requested"),
    "approvals.over": gettext_lazy("Request for approval expired"),
    "approvals.refuse": gettext_lazy("Approval refused"),
    "approvals.take_back": gettext_lazy("Request for approval cancelled"),
    "blacklist.add": gettext_lazy("Blacklist entry added"),
    "blacklist.delete": gettext_lazy("Blacklist entry removed"),
    "blacklist.edit": gettext_lazy("Blacklist entry changed"),
    "cage.act": gettext_lazy("Slip at the cage"),
    "cage.buy-in": gettext_lazy("Buy-in at the cage"),
    "cage.cash-out": gettext_lazy("Cash-out at the cage"),
    "cage.close": gettext_lazy("Closing of a drawer"),
    "cage.close_drawer": gettext_lazy("Drawer closed"),
    "cage.comp": gettext_lazy("Comp given"),
    "cage.comp-used": gettext_lazy("Comp redeemed"),
    "cage.count": gettext_lazy("Drawer counted"),
    "cage.count_vault": gettext_lazy("Vault counted"),
    "cage.credit": gettext_lazy("Chips given on credit"),
    "cage.deposit": gettext_lazy("Deposit at the cage"),
    "cage.event-add-on": gettext_lazy("Add-on paid in cash"),
    "cage.event-bounty": gettext_lazy("Bounty paid in cash"),
    "cage.event-entry": gettext_lazy("Entry paid in cash"),
    "cage.event-prize": gettext_lazy("Prize paid in cash"),
    "cage.event-re-entry": gettext_lazy("Re-entry paid in cash"),
    "cage.event-rebuy": gettext_lazy("Rebuy paid in cash"),
    "cage.event-refund": gettext_lazy("Refund of a tournament paid in cash"),
    "cage.event-return": gettext_lazy("Payment of a tournament returned in cash"),
    "cage.event-ticket": gettext_lazy("Ticket paid out in cash"),
    "cage.fill": gettext_lazy("Drawer filled from the vault"),
    "cage.join": gettext_lazy("Joined a shared drawer"),
    "cage.leave": gettext_lazy("Left a shared drawer"),
    "cage.make_drawer": gettext_lazy("Drawer added"),
    "cage.open_drawer": gettext_lazy("Drawer opened"),
    "cage.over-short": gettext_lazy("Count difference posted"),
    "cage.print": gettext_lazy("Slip printed"),
    "cage.refuse_request": gettext_lazy("Player's request refused at the cage"),
    "cage.repayment": gettext_lazy("Credit repaid"),
    "cage.request": gettext_lazy("Player's request at the cage"),
    "cage.retire_drawer": gettext_lazy("Drawer retired"),
    "cage.reversal": gettext_lazy("Slip reversed"),
    "cage.set_credit_line": gettext_lazy("Credit line set"),
    "cage.set_limit": gettext_lazy("Limit at the cage set"),
    "cage.take": gettext_lazy("Excess moved to the vault"),
    "cage.transfer": gettext_lazy("Transfer between players"),
    "cage.vault": gettext_lazy("Transfer between vault and bank"),
    "cage.withdrawal": gettext_lazy("Withdrawal at the cage"),
    "card.edit": gettext_lazy("Member's details changed"),
    "card.issue": gettext_lazy("Player card issued"),
    "card.lost": gettext_lazy("Player card reported lost"),
    "card.register": gettext_lazy("Member registered"),
    "chat.announce": gettext_lazy("Announcement in the chat"),
    "chat.dismiss": gettext_lazy("Report of a message dismissed"),
    "chat.hide": gettext_lazy("Message hidden"),
    "chat.mute_words": gettext_lazy("Muted words changed"),
    "chat.silence": gettext_lazy("Player muted in the chat"),
    "chat.unsilence": gettext_lazy("Player unmuted in the chat"),
    "clubs.close": gettext_lazy("Club closed"),
    "clubs.found": gettext_lazy("Club founded"),
    "clubs.hand_over": gettext_lazy("Club handed over"),
    "clubs.remove": gettext_lazy("Member removed from a club"),
    "clubs.rename": gettext_lazy("Club renamed"),
    "clubs.silence": gettext_lazy("Member muted in a club"),
    "clubs.unsilence": gettext_lazy("Member unmuted in a club"),
    "collection.collect": gettext_lazy("Time charge collected"),
    "collection.end_courtesy": gettext_lazy("Courtesy hand ended"),
    "collection.give_back": gettext_lazy("Paid time given back"),
    "collection.pause": gettext_lazy("Player's time paused"),
    "collection.pay": gettext_lazy("Refused time paid after all"),
    "collection.refuse": gettext_lazy("Player refused to pay time"),
    "collection.resume": gettext_lazy("Player's time resumed"),
    "collection.waive": gettext_lazy("Time charge waived"),
    "connection.message": gettext_lazy("Message sent to a player"),
    "connection.terminate": gettext_lazy("Connection ended"),
    "counting.count": gettext_lazy("Chips of a table counted"),
    "downs.back": gettext_lazy("Dealer back from a break"),
    "downs.clock_in": gettext_lazy("Dealer clocked in at a table"),
    "downs.clock_out": gettext_lazy("Dealer clocked out of a table"),
    "downs.home": gettext_lazy("Dealer off duty"),
    "downs.start": gettext_lazy("Dealer on duty"),
    "downs.take_break": gettext_lazy("Dealer on a break"),
    "event": gettext_lazy("Entry added by staff"),
    "events.cash": gettext_lazy("Cash of a tournament above a limit"),
    "floor.cash_in": gettext_lazy("Cash taken at a table"),
    "holds.hold": gettext_lazy("Seat held"),
    "holds.release": gettext_lazy("Held seat released"),
    "home_games.close": gettext_lazy("Home game closed"),
    "home_games.open": gettext_lazy("Home game opened"),
    "jackpot.change": gettext_lazy("Change of a jackpot"),
    "jackpot.hit": gettext_lazy("Payment of a jackpot"),
    "jackpots.add": gettext_lazy("Chips of the house added to a jackpot"),
    "jackpots.change": gettext_lazy("Jackpot changed"),
    "jackpots.hit": gettext_lazy("Jackpot hit"),
    "jackpots.pay": gettext_lazy("Jackpot paid"),
    "jackpots.seed": gettext_lazy("Jackpot started by the house"),
    "lists.called": gettext_lazy("Called from a list"),
    "lists.called-off": gettext_lazy("Call from a list cancelled"),
    "lists.clock": gettext_lazy("Time to answer a call started"),
    "lists.coming": gettext_lazy("Call from a list accepted"),
    "lists.expired": gettext_lazy("Call from a list expired"),
    "lists.held-back": gettext_lazy("Held back on a list"),
    "lists.joined": gettext_lazy("Put on a list"),
    "lists.left": gettext_lazy("Left a list"),
    "lists.more-time": gettext_lazy("More time for a call"),
    "lists.moving": gettext_lazy("Move from a list announced"),
    "lists.passed-over": gettext_lazy("Skipped on a list"),
    "lists.put-back": gettext_lazy("Put back on a list"),
    "lists.refused": gettext_lazy("Must-move refused"),
    "lists.seated": gettext_lazy("Seated from a list"),
    "lists.stayed": gettext_lazy("Stayed at the table"),
    "lists.taken-off": gettext_lazy("Taken off a list"),
    "lists.transferred": gettext_lazy("Moved to another list"),
    "note.remove": gettext_lazy("Staff note archived"),
    "note.write": gettext_lazy("Staff note added"),
    "offers.create": gettext_lazy("Game on offer added"),
    "offers.edit": gettext_lazy("Game on offer changed"),
    "offers.relist": gettext_lazy("Game offered again"),
    "offers.reorder": gettext_lazy("Games on offer reordered"),
    "offers.withdraw": gettext_lazy("Game on offer withdrawn"),
    "physical.cash_out": gettext_lazy("Player cashed out at the table"),
    "physical.count": gettext_lazy("Stacks counted"),
    "physical.empty_box": gettext_lazy("Drop box emptied"),
    "physical.top_up": gettext_lazy("Chips brought to a player"),
    "picture.dismiss": gettext_lazy("Report of a picture dismissed"),
    "picture.remove": gettext_lazy("Picture removed"),
    "private.invite": gettext_lazy("Player invited to a table"),
    "private.make_private": gettext_lazy("Table made private or open to everybody"),
    "private.uninvite": gettext_lazy("Invitation to a table cancelled"),
    "reports.unwish": gettext_lazy("Reports by mail stopped"),
    "reports.wish": gettext_lazy("Reports by mail started"),
    "room.away": gettext_lazy("Room could not be reached"),
    "schedules.retire": gettext_lazy("Drop schedule retired"),
    "schedules.save": gettext_lazy("Drop schedule saved"),
    "sealed.close": gettext_lazy("View of sealed cards closed"),
    "sealed.look": gettext_lazy("Sealed cards viewed"),
    "sealed.open": gettext_lazy("View of sealed cards opened"),
    "sealed.view": gettext_lazy("View of sealed cards"),
    "seating.cancel_move": gettext_lazy("Player's move cancelled"),
    "seating.mark_absent": gettext_lazy("Player marked away"),
    "seating.mark_back": gettext_lazy("Player marked back"),
    "seating.move": gettext_lazy("Player moved"),
    "seating.pick_up": gettext_lazy("Seat of an absent player picked up"),
    "seating.seat": gettext_lazy("Player seated"),
    "seating.swap": gettext_lazy("Seats swapped"),
    "seating.unseat": gettext_lazy("Player removed from a table"),
    "sections.create": gettext_lazy("Section added"),
    "sections.place": gettext_lazy("Section of a table changed"),
    "sections.remove": gettext_lazy("Section removed"),
    "sections.rename": gettext_lazy("Section renamed"),
    "sections.reorder": gettext_lazy("Sections reordered"),
    "shifts.close": gettext_lazy("Shift closed"),
    "shifts.open": gettext_lazy("Shift opened"),
    "standing.ban": gettext_lazy("Player banned"),
    "standing.lift": gettext_lazy("Ban lifted"),
    "statements.look": gettext_lazy("Player's statement viewed"),
    "tables.add": gettext_lazy("Table added"),
    "tables.break_up": gettext_lazy("Game broken"),
    "tables.close": gettext_lazy("Table closed"),
    "tables.edit": gettext_lazy("Table changed"),
    "tables.open_for": gettext_lazy("Table opened"),
    "tables.pause": gettext_lazy("Table paused"),
    "tables.reopen": gettext_lazy("Table reopened"),
    "tables.resume": gettext_lazy("Table resumed"),
    "tables.take_up": gettext_lazy("Newest settings of the game applied"),
    "tables.tell": gettext_lazy("Message to spectators changed"),
    "tickets.give": gettext_lazy("Ticket given by the house"),
    "tournaments.answer": gettext_lazy("Prices and guarantee of a tournament approved"),
    "tournaments.enter": gettext_lazy("Entry on the house"),
    "tournaments.give_back": gettext_lazy("Payments of a tournament refunded"),
    "tournaments.guarantee": gettext_lazy("Guarantee of a tournament covered"),
    "tournaments.undo": gettext_lazy("Order of a tournament undone"),
    "visit.check-in": gettext_lazy("Player checked in"),
    "visit.check-out": gettext_lazy("Player checked out"),
}
#: To what it was done, by the beginning of the subject, or the whole of one without a number.
SUBJECTS = {
    "approval:": gettext_lazy("approval {number}"),
    "blocked:": gettext_lazy("blacklist entry {number}"),
    "cage-limit:": gettext_lazy("limit: {role}, {acts}"),
    "cashier-request:": gettext_lazy("player's request {number}"),
    "chat": gettext_lazy("chat"),
    "chat:": gettext_lazy("message {number}"),
    "club:": gettext_lazy("club {number}"),
    "drawer:": gettext_lazy("drawer {number}"),
    "drop-schedule:": gettext_lazy("drop schedule {number}"),
    "jackpot:": gettext_lazy("jackpot {number}"),
    "kiosk:": gettext_lazy("kiosk {number}"),
    "list-entry:": gettext_lazy("list entry {number}"),
    "offer:": gettext_lazy("game on offer {number}"),
    "offers": gettext_lazy("games on offer"),
    "room": gettext_lazy("the room"),
    "section:": gettext_lazy("section {number}"),
    "sections": gettext_lazy("sections"),
    "shift:": gettext_lazy("shift {number}"),
    "slip:": gettext_lazy("slip {number}"),
    "table:": gettext_lazy("table {number}"),
    "ticket:": gettext_lazy("ticket {number}"),
    "time:": gettext_lazy("time charge {number}"),
    "tournament:": gettext_lazy("tournament {number}"),
    "user:": gettext_lazy("account {number}"),
    "vault": gettext_lazy("the vault"),
}
#: What details are called that are no fields of a form, or something else there.
NAMES = {
    "after": gettext_lazy("After"),
    "approval": gettext_lazy("Approval"),
    "ban": gettext_lazy("Ban number"),
    "before": gettext_lazy("Before"),
    "cashier": gettext_lazy("Cashier's account"),
    "closed_jackpot": gettext_lazy("Closed jackpot"),
    "copy": gettext_lazy("Copy number"),
    "day_before": gettext_lazy("Per day, before"),
    "dealers": gettext_lazy("Dealers"),
    "difference": gettext_lazy("Difference"),
    "drawers": gettext_lazy("Drawers"),
    "dropped_for_it": gettext_lazy("Dropped for it"),
    "events": gettext_lazy("Tournaments"),
    "expected": gettext_lazy("Expected"),
    "from": gettext_lazy("From table"),
    "has_password": gettext_lazy("Password"),
    "gate": gettext_lazy("Counts as"),
    "hit": gettext_lazy("Jackpot hit"),
    "line_id": gettext_lazy("Message"),
    "money": gettext_lazy("Money"),
    "must_move_to_id": gettext_lazy("Must move to"),
    "names_on_lists": gettext_lazy("Names on lists"),
    "order": gettext_lazy("Order"),
    "over": gettext_lazy("Over or short"),
    "paid": gettext_lazy("Paid"),
    "pushed": gettext_lazy("Pushed"),
    "receipts": gettext_lazy("Receipts"),
    "seconds": gettext_lazy("Seconds"),
    "section_id": gettext_lazy("Section"),
    "session": gettext_lazy("Session"),
    "settings": gettext_lazy("Settings"),
    "since": gettext_lazy("Since"),
    "slip": gettext_lazy("Per slip"),
    "slip_before": gettext_lazy("Per slip, before"),
    "time": gettext_lazy("Time charges"),
    "to": gettext_lazy("To table"),
    "transfer": gettext_lazy("Transfer"),
    "unit": gettext_lazy("Unit"),
    "username": gettext_lazy("Screen name"),
    "view": gettext_lazy("View of sealed cards"),
    "visit": gettext_lazy("Visit"),
    "was": gettext_lazy("Earlier card"),
    "with_own": gettext_lazy("Settings of its own"),
}
#: What is one of a few codes, with its words.
_CHOICES: dict[str, Mapping[Any, Any]] = {
    "every": {"day": gettext_lazy("each morning, of the day before"), "shift": gettext_lazy("after each shift")},
    "flag": dict(PlayerNote.Flag.choices),
    "kind": {
        **dict(Blocked.Kind.choices),
        "none": gettext_lazy("nothing"),
        "rake": gettext_lazy("rake"),
        "time": gettext_lazy("time collection"),
    },
    "role": access.ROLE_NAMES,
    "rule": {
        "barred": gettext_lazy("Barred"),
        "call-time": gettext_lazy("The time of a call"),
        "enough": gettext_lazy("Enough names"),
        "floor": gettext_lazy("The floor decides"),
        "list": gettext_lazy("First come"),
        "must-move": gettext_lazy("Must move"),
        "no-table": gettext_lazy("No table any more"),
        "own-wish": gettext_lazy("Player's request"),
        "put-back": gettext_lazy("Put back from a broken game"),
        "refused-move": gettext_lazy("Refused to move"),
        "seat-change": gettext_lazy("Seat changes first"),
        "table-change": gettext_lazy("Table changes"),
        "took-a-seat": gettext_lazy("Took a seat"),
    },
    "unit": UNITS,
    "was": dict(PlayerCard.EndReason.choices),
    "what": VERBS,
    "where": dict(Where.choices),
}
#: Numbers of rows, which are no amounts.
_ROWS = frozenset({
    *("approval", "ban", "cashier", "closed_jackpot", "drawer", "drop_id", "from", "handed_to", "hit", "line_id"),
    *("must_move_to_id", "note", "offer", "order", "other", "replaces", "section", "section_id", "session", "table"),
    *("to", "transfer", "view", "visit"),
})  # fmt: skip
_MOMENTS = ("since", "until")
#: Yes or no, some of it kept in words.
_FLAGS = ("has_", "is_", "must_move_")


@dataclass(frozen=True)
class AuditRow:
    """An entry of the audit log in words."""

    act: StaffAction

    @property
    def who(self) -> str:
        return self.act.by.username if self.act.by else gettext("the house")

    @property
    def what(self) -> str:
        return verb_text(self.act.verb)

    @property
    def subject(self) -> str:
        return subject_text(self.act.subject)

    @property
    def why(self) -> str:
        return sentences.to_text(self.act.reason)

    @property
    def details(self) -> str:
        return details_text(self.act.details)


def verb_text(verb: str) -> str:
    """The phrase of a verb, such as "Table paused"; an unknown verb as it is."""
    return str(VERBS.get(verb, verb))


def subject_text(subject: str) -> str:
    """A subject in words, such as "table 3"; an unknown subject as it is."""
    kind, mark, number = subject.partition(":")
    pattern = SUBJECTS.get(f"{kind}{mark}")
    if pattern is None or (mark and not number):
        return subject
    role, _, acts = number.partition(":")
    acts = sentences.mid_sentence(str(allowances.VERBS.get(acts, acts)))
    return str(pattern).format(number=number, role=access.role_name(role), acts=acts)


def details_text(details: Mapping[str, Any]) -> str:
    """The details in words, without empty ones: "Seat: 3; Buy in: 800"."""
    return sentences.joined(_pairs(details))


def detail_title(name: str) -> str:
    """The title of a detail."""
    return gettext("seat {n}").format(n=name) if name.isdigit() else str(NAMES.get(name) or titles.title(name))


def _pairs(details: Mapping[str, Any]) -> Iterator[str]:
    for name, value in details.items():
        if value not in (None, "", [], {}):
            yield gettext("{name}: {words}").format(name=detail_title(name), words=_value(name, value))


def _value(name: str, value: Any) -> str:
    if isinstance(value, dict):
        is_sentence = "pattern" in value or value.keys() == {"code", "values"}
        return sentences.to_text(value) if is_sentence else ", ".join(_pairs(value))
    if name == "gate":
        return str(allowances.VERBS.get(value, value))
    if isinstance(value, list):
        return ", ".join(_value(name, part) for part in value)
    if isinstance(value, bool) or (name.startswith(_FLAGS) and value in ("True", "False", "None")):
        return gettext("yes") if value in (True, "True") else gettext("no")
    if isinstance(value, int):
        return str(value) if name in _ROWS else sentences.number(value)
    if name in _MOMENTS:
        with suppress(ValueError):
            return moment_text(datetime.fromisoformat(value))
    if name == "with_own":
        return detail_title(value)
    return str(localize(value) if isinstance(value, float) else _CHOICES.get(name, {}).get(value, value))


def moment_text(at: datetime) -> str:
    """`5 Jan 2030, 20:00:00`, by the clocks of the room."""
    local_time = room_time.local(at)
    return f"{room_time.format_day(local_time, 'j M Y')}, {local_time:%H:%M:%S}"
