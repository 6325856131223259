"""Whose turn it is: what page and act agree on, who goes before whom, and what refusing and passing over do."""

from functools import partial

from cardroom.core.errors import Conflict, Illegal
from games.waitlists import calling, choosing, filling
from tests.support.lists import ListRoom
from tests.support.models import Ban, LimitChange, ListEntry, ListMove, Seat, Table, TablePlay
from tests.support.parts.games import holds, list_reasons, locking, moving, playtime, private, seating
from tests.support.refusals import refused
from tests.support.worlds import world


@world
def room() -> ListRoom:
    """One table of three seats, all taken."""
    made = ListRoom(seat_count=3)
    made.players = made.full()
    return made.ring()


def _moving_to_the_main_game(room: ListRoom) -> ListEntry:
    """dan moves to the main game's free seat when the hand is over."""
    room.dealt_feeder()
    return ListEntry.objects.get(kind="must-move", state="coming")


def test_a_must_move_cannot_be_dodged_and_goes_to_the_next_if_taken_back(room, monkeypatch):
    entry = _moving_to_the_main_game(room)
    spot = {"table_id": room.table.pk, "player": entry.player, "now": room.now}
    refused(Conflict, "lose your seat", calling.give_up, table_id=room.table.pk, by=entry.player, now=room.now)
    refused(Conflict, "answer the call", holds.release, by=entry.player, **spot)
    assert room.state(entry) == "coming"
    moving.cancel_move(player=entry.player, table_id=entry.table_id, by=room.floor, now=room.now)
    filling.fill_seats(offer_id=room.offer.pk, now=room.now)
    assert room.state(entry) == "left"
    second = ListEntry.objects.get(kind="must-move", state="coming")
    locked: list[set[int]] = []
    one, several = locking.table, locking.hold
    monkeypatch.setattr(locking, "table", lambda pk: locked.append({pk}) or one(pk))
    monkeypatch.setattr(locking, "hold", lambda pks: locked.append(set(pks)) or several(pks))
    calling.pass_over(entry_id=second.pk, by=room.floor, reason="let him be", now=room.now)
    assert locked[0] == {second.table_id, second.called_to_id}, "both tables of the move at once"
    filling.fill_seats(offer_id=room.offer.pk, now=room.now)
    assert not ListEntry.objects.filter(kind="must-move", state="coming").exists()
    room.later(minutes=room.offer.hold_minutes).ring()
    assert ListEntry.objects.get(kind="must-move", state="coming").player_id == entry.player_id


def _seen_and_done(room: ListRoom) -> tuple[str, str]:
    """Whom the page of the floor names at the table, and who is called when that is clicked."""
    shown = [each for one in filling.for_staff(now=room.now) for each in one.suggestions if each.table == room.table]
    seen = shown[0].choice.entry.player
    done = calling.call_next(table_id=room.table.pk, player_id=seen.pk, by=room.floor, now=room.now)
    return seen.username, done.player.username


def test_only_a_limit_keeps_a_player_from_being_called(monkeypatch):
    room, other = ListRoom(is_physical=True), ListRoom()
    ann, bob, _ = (room.join(name) for name in ("ann", "bob", "cid"))
    other.sit(ann.player)
    other.join(bob.player)  # so that the page reads the seats of that game too
    Ban.objects.create(player=ann.player, where="online", since=room.now, made_at=room.now, reason="slow")
    assert _seen_and_done(room) == ("ann", "ann")
    LimitChange.objects.create(player=bob.player, kind="time-day", amount=30, asked_at=room.now, counts_from=room.now)
    monkeypatch.setattr(playtime, "minutes", lambda players, spans: {each: [30] for each in players})
    assert _seen_and_done(room) == ("cid", "cid")


def test_the_first_table_with_a_seat_is_one_where_the_player_may_sit():
    room = ListRoom(is_physical=True, count_tables=4, tables_per_player=2)
    own, private, _unwanted, right = room.tables
    Table.objects.filter(pk=private.pk).update(is_private=True)
    ann = room.player("ann")
    seating.seat(table_id=own.pk, player=ann, buy_in=500, by=None, now=room.now)
    change = room.join(ann, kind="table-change", table_id=own.pk, wishes={"tables": [own.pk, private.pk, right.pk]})
    assert calling.call(entry_id=change.pk, by=room.floor, reason="asked me", now=room.now).called_to == right
    bob = room.join("bob")
    asked = {"table_id": private.pk, "by": room.floor, "reason": "asked me", "now": room.now}
    refused(Illegal, "invite bob", calling.call, entry_id=bob.pk, **asked)


def test_a_player_moved_by_the_house_keeps_their_name_on_the_list():
    room = ListRoom(count_tables=2, tables_per_player=2, calls_itself=False)
    ann = room.sit("ann")
    entry = room.later(minutes=1).join(ann)
    moving.move(player=ann, table_id=room.tables[0].pk, to_table_id=room.tables[1].pk, by=None, why="", now=room.now)
    filling.fill_seats(offer_id=room.offer.pk, now=room.later(minutes=1).now)
    assert room.state(entry) == "waiting"
    room.sit(ann, table=room.tables[0])
    filling.fill_seats(offer_id=room.offer.pk, now=room.now)
    assert room.state(entry) == "seated"


def test_a_newcomer_takes_no_seat_past_who_changes_seats_or_must_move(room):
    room.join(room.players[1], kind="seat-change", table_id=room.table.pk)
    room.leave(room.players[0])
    ann, bob = room.player("ann"), room.player("bob")
    refused(Illegal, "before anybody new", room.sit, ann, 1)
    room.ring()
    room.sit(ann, 2)  # the seat that the change left
    room.sit("dan", None, room.feeder())
    room.leave(room.players[2])
    refused(Illegal, "must-move", room.sit, bob, 3)


def test_names_that_may_not_sit_at_a_private_table_keep_nobody_out_of_it(room):
    ann, bob = room.player("ann"), room.join("bob")
    private.make_private(table_id=room.table.pk, is_private=True, by=room.floor, now=room.now)
    private.invite(table_id=room.table.pk, player=ann, by=room.floor, now=room.now)
    room.leave(room.players[0])
    room.sit(ann, 1)
    private.invite(table_id=room.table.pk, player=bob.player, by=room.floor, now=room.now)
    room.leave(room.players[1])
    private.invite(table_id=room.table.pk, player=room.players[1], by=room.floor, now=room.now)
    refused(Illegal, "this game: 1", room.sit, room.players[1], 2)


def test_more_time_counts_from_the_end_of_the_hand_that_the_call_waits_for(room, evening):
    entries = [room.join(evening.ann), room.join(evening.bob)]
    for player in room.players[:2]:
        room.leave(player)
    room.ring()
    for entry, reply in zip(entries, ("more-time", "coming"), strict=True):
        calling.answer(entry_id=entry.pk, by=entry.player, reply=reply, now=room.now)
    hand, called = evening.table.hand_id, [room.entry(entry) for entry in entries]
    assert [(entry.in_hand_id, entry.call_until) for entry in called] == [(hand, None)] * 2
    evening.play_out()
    filling.hand_ended(hand_id=hand, now=room.later(minutes=30).now)
    left = [(room.entry(entry).call_until - room.now).total_seconds() / 60 for entry in entries]
    assert left == [room.offer.call_minutes + room.offer.more_time_minutes, room.offer.hold_minutes]


def test_a_player_who_refuses_a_finished_move_is_not_barred(room):
    entry = _moving_to_the_main_game(room)
    TablePlay.objects.filter(pk=entry.table_id).update(hand=None)  # the hand is over
    moving.wake(seat_id=Seat.objects.get(player=entry.player).pk, now=room.now)
    assert room.seat_of(entry.player)[0] == room.table.pk
    calling.answer(entry_id=entry.pk, by=entry.player, reply="cancel", now=room.now)
    assert room.state(entry) == "seated"
    assert not ListMove.objects.filter(rule="refused-move").exists()


def test_who_is_passed_over_for_a_seat_is_not_called_to_it_again_for_a_while(room):
    ann = room.join("ann")
    room.leave(room.players[0]).ring()
    calling.pass_over(entry_id=ann.pk, by=room.floor, reason="not here", to="stay", now=room.now)
    room.ring()
    assert room.state(ann) == "waiting"
    room.leave(room.players[1]).ring()
    assert room.entry(ann).called_number == 2  # another seat is theirs
    calling.pass_over(entry_id=ann.pk, by=room.floor, reason="not here", to="stay", now=room.now)
    room.later(minutes=room.offer.hold_minutes).ring()
    assert (room.state(ann), room.entry(ann).called_number) == ("called", 1)


def test_the_must_move_goes_on_past_players_who_do_not_move():
    room = ListRoom(tables_per_player=2, seat_count=3)
    feeder = room.feeder()
    both = room.sit("ann")
    for each in (both, "bob", "cid"):
        room.later(seconds=1).sit(each, None, feeder)
    Seat.objects.filter(player__username="bob").update(state=Seat.State.REMOVED)
    room.ring()
    filling.fill_seats(offer_id=room.offer.pk, now=room.now)
    assert Seat.objects.get(player__username="cid").table == room.table
    why = dict(ListEntry.objects.get(kind="must-move").moves.first().passed_over)
    assert why == {"ann": list_reasons.SITS_THERE(at=room.table.name), "bob": list_reasons.LEAVES()}


def test_a_player_who_gives_up_a_called_seat_is_off_the_list(room):
    ann, bob = room.join("ann"), room.join("bob")
    room.leave(room.players[0]).ring()
    seat = {"table_id": room.table.pk, "player": ann.player, "now": room.now}
    refused(Conflict, "take the call back", holds.release, **seat, by=room.floor, reason="gone")
    room.leave(room.players[1])
    kept = {"number": 2, "why": "reserved", "until": None, "by": room.floor}
    refused(Conflict, "take the call back", holds.hold, **seat, **kept)
    give_up = partial(calling.give_up, table_id=room.table.pk, by=ann.player, now=room.now)
    assert give_up()
    assert not give_up()
    room.ring()
    assert (room.state(ann), room.state(bob)) == ("left", "called")


def test_a_must_move_whose_chips_were_not_counted_in_time_is_still_due():
    room = ListRoom(is_physical=True)
    feeder = room.feeder()
    for name in ("dan", "eve"):
        player = room.later(minutes=1).player(name)
        seating.seat(table_id=feeder.pk, player=player, buy_in=500, by=None, now=room.now)
    entry = calling.call_next(table_id=room.table.pk, by=room.floor, now=room.now)
    assert choosing.next_for(room.table, now=room.now).entry.player.username == "eve"
    room.later(minutes=room.offer.hold_minutes).ring()
    filling.fill_seats(offer_id=room.offer.pk, now=room.now)
    assert room.state(entry) == "expired"
    assert choosing.next_for(room.table, now=room.now).entry.player.username == "dan"


def test_a_change_of_seats_keeps_newcomers_from_that_seat_and_from_no_other():
    room = ListRoom(seat_count=8, calls_itself=False)
    ann = room.sit("ann", 2)
    room.join(ann, kind="seat-change", table_id=room.table.pk, wishes={"seats": [1]})
    refused(Illegal, "Choose another seat", room.sit, "bob", 1)
    assert room.seat_of(room.sit("cid", 7)) == (room.table.pk, 7)
    assert room.seat_of(room.sit("dan")) == (room.table.pk, 3)  # the first that is nobody's before them


def test_newcomers_get_the_seats_that_the_must_move_game_leaves_and_no_more():
    room = ListRoom(seat_count=4, calls_itself=False)
    feeder = room.feeder()
    room.sit("ann", None, feeder)
    room.later(seconds=1).sit("bob", None, feeder)
    dan, _ = room.player("dan"), room.join("cid")
    assert room.seat_of(room.sit("eve")) == (room.table.pk, 3)
    refused(Illegal, "this game: 1", room.sit, dan, 4)
    room.sit(ListEntry.objects.get(player__username="cid").player, 4)
    refused(Illegal, "must-move", room.sit, dan)
