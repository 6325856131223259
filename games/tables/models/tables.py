"""Rows of tables, seats, hands and their facts."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from cardroom.core.database import guards
from cardroom.core.database.other_row import OfRow
from cardroom.core.errors import NotFound
from games.engine.games import MOST_SEATS


class TableTerms(models.Model):
    """The terms of a table. A game on offer sets them, and each of its tables has a copy that it plays by."""

    class DealtBy(models.TextChoices):
        AUTOMATIC = "automatic", gettext_lazy("the automatic dealer")
        PERSON = "person", gettext_lazy("a person")

    class Deck(models.TextChoices):
        SYSTEM = "system", gettext_lazy("the system's deck")
        TYPED = "typed", gettext_lazy("a physical deck, typed or scanned")

    #: The column by which `has_extra_time` is known.
    EXTRA_TIME = "extra_seconds"
    #: The terms that every viewer of a table sees, beside its game, betting and stakes.
    SHOWN = (
        "min_buy_in max_buy_in seat_count act_seconds extra_seconds extra_cap_seconds dealt_by deck is_spoken has_help"
        " has_chat"
    )

    game = models.CharField(max_length=40, default="seven-card-stud")
    structure = models.CharField(max_length=20, default="fixed-limit")
    rulebook = models.CharField(
        max_length=80,
        default="roberts-v4",
        help_text="The next hand's book, such as roberts-v4 or house:north@2030-01-05.",
    )
    ante = models.PositiveIntegerField()
    bring_in = models.PositiveIntegerField()
    small_bet = models.PositiveIntegerField()
    big_bet = models.PositiveIntegerField()
    smallest_chip = models.PositiveIntegerField(default=0, help_text="In which pots are split; 0: nobody says.")
    seat_count = models.PositiveSmallIntegerField(default=MOST_SEATS)
    min_buy_in = models.PositiveIntegerField()
    max_buy_in = models.PositiveIntegerField()
    drop = models.ForeignKey(
        "DropSchedule",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="%(class)ss",
        help_text="What the house takes; none: nothing.",
    )
    dealt_by = models.CharField(max_length=10, choices=DealtBy.choices, default=DealtBy.AUTOMATIC)
    deck = models.CharField(
        max_length=10, choices=Deck.choices, default=Deck.SYSTEM, help_text="Where a person deals: whose cards."
    )
    is_physical = models.BooleanField(
        default=False, help_text="Seats, stacks and times of a table in the room; its hands are not dealt here."
    )
    is_spoken = models.BooleanField(default=False, help_text="Whether browsers say what the dealer announces.")
    has_help = models.BooleanField(default=True, help_text="Whether pages may help players: cards seen, odds, hands.")
    has_chat = models.BooleanField(default=True, help_text="Whether players talk in a chat.")
    has_spectators = models.BooleanField(default=True, help_text="Whether spectators are allowed.")
    act_seconds = models.PositiveSmallIntegerField(default=30, help_text="0 where a person deals: no clock.")
    time_bank_seconds = models.PositiveSmallIntegerField(default=60, help_text="What a player sits down with.")
    bank_refill_seconds = models.PositiveSmallIntegerField(default=1, help_text="Won back with each hand dealt.")
    missed_clocks_allowed = models.PositiveSmallIntegerField(
        default=2, help_text="Clocks missed in a row until a player sits out."
    )
    extra_seconds = models.JSONField(
        default=list,
        blank=True,
        help_text="Online, for the first, second, ... turn of a player who lost the connection; empty: none.",
    )
    extra_cap_seconds = models.PositiveSmallIntegerField(
        default=0, help_text="The most of it that a player gets in a visit to the table, or in the whole event."
    )
    pause_seconds = models.PositiveSmallIntegerField(default=4, help_text="Between a showdown and the next deal.")
    keep_seat_minutes = models.PositiveSmallIntegerField(
        default=30, help_text="How long a player may sit out before their seat is picked up."
    )

    class Meta:
        abstract = True

    @property
    def stakes(self) -> str:
        """The stakes in words: small and big bet."""
        return f"{self.small_bet:,}/{self.big_bet:,}"

    @property
    def has_extra_time(self) -> bool:
        """Whether players who lose the connection get more time."""
        return bool(self.extra_seconds)

    def extra_ms_of(self, turn: int, used_ms: int) -> int:
        """The extra time, in milliseconds, of a player without a connection: in this turn (0: the first without it),
        with `used_ms` of it used already."""
        if turn >= len(self.extra_seconds):
            return 0
        return min(self.extra_seconds[turn] * 1000, max(0, self.extra_cap_seconds * 1000 - used_ms))


#: Position of `is_away` in an entry of `Table.clocks`, see `games.play.clocks.SeatClock`.
_AWAY = 2


class _TableRows(models.QuerySet["Table"]):
    def bulk_create(self, objs: Iterable["Table"], *args: Any, **options: Any) -> list["Table"]:
        tables = super().bulk_create(objs, *args, **options)
        TablePlay.objects.bulk_create([TablePlay(table=table) for table in tables])
        return tables

    def only(self, *fields: Any) -> "_TableRows":
        """These columns alone; the play row is read where it is asked for."""
        return super(_TableRows, self.select_related(None)).only(*fields)


class _Tables(models.Manager.from_queryset(_TableRows)):  # type: ignore[misc]
    """Reads the play row with the table, in one query."""

    def get_queryset(self) -> Any:
        return super().get_queryset().select_related("play")


@guards.free("how a table stands now; what happened at it is in moves, hands and facts")
class Table(TableTerms):
    """One table of the room: what is played on it (`TableTerms`), and where the game stands.

    Written by `locking.store` alone once it is open; `version` counts the writes and fences its one alarm.
    """

    class State(models.TextChoices):
        FREE = "free", gettext_lazy("free")
        OPEN = "open", gettext_lazy("open")
        BREAKING = "breaking", gettext_lazy("breaking up after this hand")
        CLOSING = "closing", gettext_lazy("closing after this hand")
        CLOSED = "closed", gettext_lazy("closed")

    name = models.CharField(max_length=60, unique=True)
    event = models.CharField(
        max_length=40,
        blank=True,
        help_text='What its seats are drawn for, such as "tournament:7"; empty: anybody sits.',
    )
    offer = models.ForeignKey(
        "Offer",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="tables",
        help_text="The game on offer that it plays; none at an event, at a free table and at one opened by hand.",
    )
    section = models.ForeignKey("Section", null=True, blank=True, on_delete=models.PROTECT, related_name="tables")
    must_move_to = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="fed_by",
        help_text="The main game whose free seats the players of this one must take.",
    )
    is_private = models.BooleanField(default=False, help_text="Only those who are invited, or know the password, sit.")
    password = models.CharField(max_length=128, blank=True, help_text="Hashed; empty: by invitation alone.")
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Since when no new hand is dealt.")
    pause_reason = models.CharField(max_length=200, blank=True, help_text="Why, as players read it.")
    offer_version = models.PositiveIntegerField(default=0, help_text="Of its offer: the settings it plays by.")
    is_taking_up = models.BooleanField(
        default=False, help_text="Takes the newest settings of its offer up when the hand being played is over."
    )
    dealer_on = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The dealer who is clocked in here, see `Down`.",
    )
    notice = models.CharField(max_length=200, blank=True, help_text="A message of the staff to spectators.")
    notice_at = models.DateTimeField(null=True, blank=True)
    unit = models.CharField(max_length=40, default="cash", help_text="Of the chips in its seats.")
    setting = models.CharField(max_length=20, default="cash")
    bots = models.PositiveSmallIntegerField(default=0, help_text="House bots to keep; one seat stays free of them.")
    bot_strength = models.CharField(max_length=20, blank=True, help_text="How well its bots play; empty: mixed.")
    bots_wait_for_people = models.BooleanField(default=True, help_text="Bots are dealt in with a person only.")
    is_hand_shown = models.BooleanField(
        default=False, help_text="Where a person deals: hands are shown or mucked one by one, and not by themselves."
    )
    opened_at = models.DateTimeField()

    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    cuts = models.JSONField(
        default=dict, blank=True, help_text="Of the next deck, by seat, and its root; see `games.play.cutting`."
    )

    # What changes with every action, see `TablePlay`.
    version = OfRow("play")
    hand = OfRow("play")
    hand_id = OfRow("play")
    last_hand = OfRow("play")
    last_hand_id = OfRow("play")
    hand_count = OfRow("play")
    dealer = OfRow("play")
    is_redeal = OfRow("play")
    people_waiting = OfRow("play")
    players_left = OfRow("play")
    wake_at = OfRow("play")
    deal_at = OfRow("play")
    seq = OfRow("play")
    street = OfRow("play")
    to_act = OfRow("play")
    turn_at = OfRow("play")
    extra_ms = OfRow("play")
    deadline = OfRow("play")
    clocks = OfRow("play")

    objects = _Tables()

    class Meta:
        base_manager_name = "objects"
        constraints = [
            models.CheckConstraint(
                condition=Q(seat_count__gte=2, seat_count__lte=MOST_SEATS), name="table_seats_two_to_eight"
            ),
            models.CheckConstraint(
                condition=~Q(event="") | Q(min_buy_in__gt=0, max_buy_in__gte=F("min_buy_in")),
                name="table_buy_in_has_a_range",
            ),
            models.CheckConstraint(condition=~Q(event="") | Q(unit="cash"), name="table_of_no_event_plays_for_cash"),
        ]
        indexes = [models.Index(fields=["event"], condition=~Q(event=""), name="table_of_an_event")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        """A new table begins its play row as well."""
        is_new = self._state.adding
        super().save(*args, **options)
        if is_new:
            TablePlay.objects.create(table=self)

    @property
    def bank_from(self) -> datetime | None:
        """When the player to act begins to use their time bank; None when nobody is to act."""
        if self.turn_at is None or self.deadline is None:
            return None
        return min(self.turn_at + timedelta(seconds=self.act_seconds, milliseconds=self.extra_ms), self.deadline)

    @property
    def is_dealt_by_person(self) -> bool:
        """Whether a dealer starts the hands and deals them by commands."""
        return self.dealt_by == Table.DealtBy.PERSON

    @property
    def has_system_deck(self) -> bool:
        """Whether its cards come off a deck that the room shuffles, and not off a physical one."""
        return not (self.is_dealt_by_person and self.deck == Table.Deck.TYPED)

    @property
    def minds_presence(self) -> bool:
        """Whether it needs to know which players lost the connection: at an event, and where it gives extra time."""
        return bool(self.event) or self.has_extra_time

    def is_in_hand(self, number: int) -> bool:
        """Whether this seat was dealt into the hand being played."""
        return self.hand_id is not None and str(number) in self.clocks

    def is_away_in_hand(self, number: int) -> bool:
        """Whether this seat, which is in the hand of an event being played, is played without its player."""
        return bool(self.clocks[str(number)][_AWAY])


@guards.free("where the table stands now; hands and their facts remember")
class TablePlay(models.Model):
    """Where the play at a table stands: what changes with every action, in a narrow row of its own.

    The lock of a table is the lock of both its rows, `Table` first; an action in mid-hand writes this row alone, where
    `version` is still the one that it was played on.
    """

    table = models.OneToOneField(Table, primary_key=True, on_delete=models.CASCADE, related_name="play")
    version = models.PositiveBigIntegerField(default=0)
    hand = models.OneToOneField("Hand", null=True, blank=True, on_delete=models.PROTECT, related_name="playing_at")
    # Without an index: what an action writes stands in none, so that the row's new version stays on its page.
    last_hand = models.ForeignKey(
        "Hand", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    hand_count = models.PositiveIntegerField(default=0)
    dealer = models.PositiveSmallIntegerField(default=0, help_text="The seat that deals, or dealt last; 0 before that.")
    is_redeal = models.BooleanField(default=False, help_text="After a misdeal the same seat deals again.")
    people_waiting = models.PositiveSmallIntegerField(default=0, help_text="Seated, and not dealt into this hand.")
    wake_at = models.DateTimeField(null=True, blank=True, help_text="When the table's alarm is due.")
    claimed_until = models.DateTimeField(
        null=True, blank=True, help_text="Its task is sent for `wake_at`, and not again before this."
    )
    deal_at = models.DateTimeField(null=True, blank=True, help_text="The next hand is not dealt before this.")
    players_left = models.PositiveIntegerField(
        default=0, help_text="In the event when this hand was dealt; 0: no event."
    )

    # In the hand being played.
    seq = models.PositiveIntegerField(default=0)
    street = models.PositiveSmallIntegerField(default=0)
    to_act = models.PositiveSmallIntegerField(default=0)
    turn_at = models.DateTimeField(null=True, blank=True, help_text="When the turn of the player to act began.")
    extra_ms = models.PositiveIntegerField(default=0, help_text="Extra time in this turn, before the time bank.")
    deadline = models.DateTimeField(null=True, blank=True, help_text="When clock and time bank are both used up.")
    clocks = models.JSONField(default=dict, blank=True, help_text="By seat, see `games.play.clocks.SeatClock`.")

    class Meta:
        db_table = "tables_play"

    def __str__(self) -> str:
        return f"play at table {self.table_id}"


@guards.free("who sits there now; moves and stays remember")
class Seat(models.Model):
    """A taken seat: the row goes when the player does. `SeatMove` remembers."""

    class State(models.TextChoices):
        PLAYING = "playing", gettext_lazy("playing")
        SITTING_OUT = "sitting-out", gettext_lazy("sitting out")
        LEAVING = "leaving", gettext_lazy("leaving after this hand")
        MOVING = "moving", gettext_lazy("moving after this hand")
        REMOVED = "removed", gettext_lazy("unseated after this hand")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats")
    account = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="seat")
    state = models.CharField(max_length=12, choices=State.choices, default=State.PLAYING)
    time_bank_ms = models.PositiveIntegerField()
    missed_clocks = models.PositiveSmallIntegerField(default=0)
    top_up_queued = models.PositiveIntegerField(default=0, help_text="Chips asked for during a hand.")
    counted = models.PositiveBigIntegerField(
        default=0, help_text="At a physical table, where the account stays empty: chips as last counted."
    )
    counted_at = models.DateTimeField(null=True, blank=True)
    is_warned = models.BooleanField(default=False, help_text="Warned at this table for reordering their upcards.")
    misses_hands = models.PositiveSmallIntegerField(default=0, help_text="Hands a penalty keeps them out of, still.")
    gone_at = models.DateTimeField(
        null=True, blank=True, help_text="Where there is extra time for it, since when nobody hears from them."
    )
    extras_taken = models.PositiveSmallIntegerField(default=0, help_text="Turns with extra time since they were gone.")
    extra_used_ms = models.PositiveIntegerField(
        default=0, help_text="Extra time used in the whole event, or in this visit to the table."
    )
    moving_to = models.ForeignKey(Table, null=True, blank=True, on_delete=models.PROTECT, related_name="coming")
    moving_number = models.PositiveSmallIntegerField(default=0, help_text="The seat they move to; 0: none.")
    sat_at = models.DateTimeField()
    out_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_is_taken_once"),
            models.UniqueConstraint(fields=["table", "player"], name="seat_one_per_player_and_table"),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=MOST_SEATS), name="seat_number_one_to_eight"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of table {self.table_id}"


@guards.append_only("what happened at a seat stays as it was written down")
class SeatMove(models.Model):
    """Who did what with a seat, kept for ever."""

    class Kind(models.TextChoices):
        SAT = "sat", gettext_lazy("sat down")
        LEAVING = "leaving", gettext_lazy("leaves after this hand")
        LEFT = "left", gettext_lazy("left")
        TOP_UP_ASKED = "top-up-asked", gettext_lazy("asked for chips after this hand")
        TOPPED_UP = "topped-up", gettext_lazy("added chips")
        SAT_OUT = "sat-out", gettext_lazy("sat out")
        CAME_BACK = "came-back", gettext_lazy("came back")
        MOVED = "moved", gettext_lazy("was moved here")
        MOVING = "moving", gettext_lazy("moves after this hand")
        MOVED_AWAY = "moved-away", gettext_lazy("was moved to another seat")
        REMOVED = "removed", gettext_lazy("unseated after this hand")
        PICKED_UP = "picked-up", gettext_lazy("was away too long: seat picked up")
        COUNTED = "counted", gettext_lazy("chips counted")
        TAKEN_OUT = "taken-out", gettext_lazy("is out")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="moves")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seat_moves")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    amount = models.PositiveBigIntegerField(default=0, help_text="Chips moved, or asked for.")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Who of the staff did it; none: the player alone, or the house's clock.",
    )
    reason = models.JSONField(default=str, blank=True, help_text="Typed by a person, or a sentence of the house.")
    at = models.DateTimeField()

    class Meta:
        # For how much a player left with of late, when they come back to the same game.
        indexes = [models.Index(F("player"), F("id").desc(), name="seatmove_of_a_player")]

    def __str__(self) -> str:
        return f"{self.kind} seat {self.number} of table {self.table_id}"


@guards.life_cycle(
    "a hand stays as it was started, and as it ended", changes=("ended_at", "seq", "pot", "stacks"), ends="ended_at"
)
class Hand(models.Model):
    """One hand: its players, and its end. Its facts have what happened in it.

    `seats`, by seat number: `{"player": id, "name": screen name, "is_bot": bool, "account": id}`, as the hand found
    them. `seq`, `pot` and `stacks` are filled in when it ends.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField(help_text="Counts from 1 at each table.")
    seats = models.JSONField()
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    start_key = models.CharField(max_length=80, blank=True, help_text="The dealer's own word for starting it.")
    rulebook = models.CharField(max_length=80, blank=True, help_text="The book it is played by to its end.")
    funds = models.JSONField(
        default=dict, blank=True, help_text="Where what is taken of it goes, see `games.rake.drops`; empty: nothing is."
    )
    has_spectators = models.BooleanField(
        default=True, help_text="Whether anybody may see it; it stays so, whatever its table becomes later."
    )
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    seq = models.PositiveIntegerField(default=0)
    pot = models.PositiveBigIntegerField(default=0, help_text="All that was bet and called, ante included.")
    stacks = models.JSONField(default=dict, blank=True, help_text="Chips by seat number after the hand.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="hand_number_is_unique_at_its_table"),
            models.UniqueConstraint(
                fields=["table", "start_key"], condition=~Q(start_key=""), name="hand_one_per_start_key"
            ),
        ]
        indexes = [
            models.Index(F("table"), F("id").desc(), name="hand_newest_of_a_table"),
            models.Index(fields=["ended_at"], name="hand_by_its_end"),
        ]

    def __str__(self) -> str:
        return f"hand {self.number} at table {self.table_id}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-hand", "There is no such hand.")


@guards.append_only("what happened in a hand stays as it was written down", is_sealed=False)
class HandFact(models.Model):
    """One fact, unredacted: read and written through `journal` alone, refused any change by the database itself.

    `data` is JSON as text. `command_id` names the seat and the command whose outcome the fact belongs to. `point` is
    the rulebook point that a ruling is on, and empty for every other fact.
    """

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    point = models.CharField(max_length=40, blank=True, default="")
    data = models.TextField()
    at = models.DateTimeField()
    command_id = models.CharField(max_length=80, blank=True)
    chain = models.BinaryField(max_length=32, null=True, help_text="None: from before there were chains.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hand", "seq"], name="handfact_seq_is_unique_in_its_hand")]
        indexes = [
            models.Index(F("point"), F("id").desc(), condition=~Q(point=""), name="handfact_newest_rulings"),
            models.Index(F("id").desc(), condition=~Q(point=""), name="handfact_all_rulings"),
        ]

    def __str__(self) -> str:
        return f"fact {self.seq} of hand {self.hand_id}"
