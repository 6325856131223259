"""The shapes of players, as staff sees them, of what they set themselves, of accounts, connections and the trail."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from cardroom.models import Ban, Blocked, LimitChange, PlayerCard, PlayerNote, User, Visit, Where
from cardroom.services import access, cards, limits, notes, selectors, standing, visits
from cardroom.services.errors import Invalid
from cardroom.web.api.cage_serializers import ApprovalOut
from cardroom.web.api.fields import Chips, Flag, Order, Query, Reason, Text, WholeNumber

#: For how many days somebody may shut themselves out, as the form offers it; "": for good.
EXCLUSIONS = {
    "1": "a day",
    "7": "a week",
    "30": "a month",
    "182": "six months",
    "365": "a year",
    "1826": "five years",
    "": "for good",
}


class MemberCard(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    barcode = serializers.CharField()
    issued_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_as = serializers.CharField(help_text="lost, replaced or returned; empty while it is good.")


class PlayerLine(serializers.Serializer[Any]):
    """A player as the desk finds them."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="username", help_text="The screen name.")
    full_name = serializers.SerializerMethodField()
    number = serializers.CharField(source="member.number", default=None, allow_null=True, help_text="As a member.")
    phone = serializers.SerializerMethodField(help_text="Digits; empty for who is no member.")
    is_open = serializers.BooleanField(source="is_active", help_text="False: the account is closed.")

    def get_full_name(self, user: User) -> str:
        member = getattr(user, "member", None)
        return member.name if member else user.get_full_name()

    def get_phone(self, user: User) -> str:
        member = getattr(user, "member", None)
        return member.phone if member else ""


class BanLine(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    kind = serializers.ChoiceField(Ban.Kind.choices, help_text="By the house, or by the player themselves.")
    where = serializers.ChoiceField(Where.choices)
    reason = serializers.CharField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: for good.")
    by = serializers.CharField(source="by.username", default=None, allow_null=True)
    lifted_at = serializers.DateTimeField(allow_null=True)
    lifted_why = serializers.CharField()


class NoteLine(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    text = serializers.CharField()
    flag = serializers.CharField(help_text="watch, dispute, host, care, or empty.")
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class VisitLine(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.username")
    where = serializers.ChoiceField(Where.choices)
    way = serializers.ChoiceField(Visit.Way.choices)
    came_at = serializers.DateTimeField()
    went_at = serializers.DateTimeField(allow_null=True, help_text="null: the player is here.")


class LimitLine(serializers.Serializer[Any]):
    """How you stand with one kind of limit."""

    kind = serializers.ChoiceField(LimitChange.Kind.choices)
    label = serializers.CharField()
    amount = serializers.IntegerField(allow_null=True, help_text="Chips or minutes; null: no limit.")
    used = serializers.IntegerField(allow_null=True)
    left = serializers.IntegerField(allow_null=True)
    coming = serializers.SerializerMethodField(help_text="What was asked for and does not count yet.")

    def get_coming(self, limit: limits.Limit) -> "dict[str, Any] | None":
        return Wish(limit.coming).data if limit.coming else None


class Wish(serializers.Serializer[Any]):
    """A limit that was asked for."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(LimitChange.Kind.choices)
    amount = serializers.IntegerField(allow_null=True)
    counts_from = serializers.DateTimeField()
    cancelled_at = serializers.DateTimeField(allow_null=True)


class Player(PlayerLine):
    """One player, with all that the desk knows of them."""

    cards = MemberCard(many=True)
    bans = BanLine(many=True, help_text="Those that count now.")
    notes = NoteLine(many=True)
    visits = VisitLine(many=True, help_text="The last ten.")
    wallet = serializers.IntegerField(help_text="Chips.")

    def to_representation(self, user: User) -> dict[str, Any]:
        member = cards.member_of(user)
        more = {
            "cards": MemberCard(member.cards.all()[:20] if member else [], many=True).data,
            "bans": BanLine(standing.in_force(user, now=timezone.now()).select_related("by"), many=True).data,
            "notes": NoteLine(notes.about(user), many=True).data,
            "visits": VisitLine(visits.of(user, limit=10), many=True).data,
            "wallet": selectors.wallet_balance(user),
        }
        return {**PlayerLine(user).data, **more}


class PlayerQuery(Query):
    q = serializers.CharField(max_length=80, help_text="Name, number, phone, e-mail, or the barcode of a card.")


class MemberOrder(Order):
    name = Text(min_length=2, max_length=60, help_text="As on their papers.")
    phone = Text(required=False, allow_blank=True, max_length=30)
    born_on = serializers.DateField(required=False, allow_null=True)


class CardOrder(Order):
    was = serializers.ChoiceField(
        PlayerCard.Ended.choices, default=PlayerCard.Ended.REPLACED, help_text="What became of the card before."
    )


class ScanOrder(Order):
    barcode = Text(min_length=13, max_length=13)


class BanOrder(Order):
    reason = Reason()
    where = serializers.ChoiceField(Where.choices, default=Where.BOTH)
    until = serializers.DateTimeField(required=False, allow_null=True, help_text="null: for good.")


class ExclusionOrder(Order):
    where = serializers.ChoiceField(Where.choices, default=Where.BOTH)
    until = serializers.DateTimeField(allow_null=True, help_text="A day from now at least; null: for good.")

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form says for how many days; its box, that it cannot be taken back, has to be ticked."""
        days = form.get("days", "no")
        if days not in EXCLUSIONS or "sure" not in form:
            raise Invalid("Say for how long, and tick that you know it cannot be taken back.", "not-sure")
        until = (timezone.now() + timedelta(days=int(days))).isoformat() if days else ""
        return super().typed({"where": form.get("where", ""), "until": until})


class AccountReason(Order):
    reason = Reason()


class NoteOrder(Order):
    text = Text(min_length=2, max_length=1000)
    flag = serializers.ChoiceField(
        [flag for flag in PlayerNote.Flag.choices if flag[0]], required=False, allow_blank=True
    )


class WishOrder(Order):
    kind = serializers.ChoiceField(LimitChange.Kind.choices)
    amount = WholeNumber(allow_null=True, min_value=1, max_value=10**12, help_text="Chips or minutes; null: no limit.")


class Account(serializers.Serializer[Any]):
    """An account as managers see it."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="username")
    email = serializers.CharField()
    first_name = serializers.CharField()
    last_name = serializers.CharField()
    is_bot = serializers.BooleanField()
    is_open = serializers.BooleanField(source="is_active")
    joined_at = serializers.DateTimeField(source="date_joined")
    last_login = serializers.DateTimeField(allow_null=True)
    roles = serializers.SerializerMethodField()

    def get_roles(self, user: User) -> list[str]:
        return sorted(group.name for group in user.groups.all() if group.name in access.ROLES)


class AccountOrder(Order):
    name = Text(min_length=2, max_length=20)
    email = serializers.EmailField(required=False, allow_blank=True)
    password = Text(
        required=False, allow_blank=True, max_length=128, trim_whitespace=False,
        help_text="Without it the person sets one by e-mail.",
    )  # fmt: skip
    full_name = Text(required=False, allow_blank=True, max_length=60)


class AccountChange(Order):
    """What is to be changed."""

    name = Text(required=False, source="username", min_length=2, max_length=20)
    email = serializers.EmailField(required=False, allow_blank=True)
    first_name = Text(required=False, allow_blank=True, max_length=150)
    last_name = Text(required=False, allow_blank=True, max_length=150)


class NewPasswordOrder(Order):
    password = Text(max_length=128, trim_whitespace=False)


class AdjustOrder(Order):
    amount = Chips(help_text="Chips.")
    takes = Flag(default=False, help_text="Take them out of the wallet, and not put them in.")
    reason = Reason()

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form takes them out by a minus."""
        amount = form.get("amount", "").strip()
        takes = "yes" if amount.startswith("-") else "no"
        return super().typed({"amount": amount.lstrip("+-"), "takes": takes, "reason": form.get("reason", "")})


class Adjustment(serializers.Serializer[Any]):
    transfer = serializers.IntegerField(allow_null=True, help_text="Null while it waits for a second person.")
    reference = serializers.CharField()
    wallet = serializers.IntegerField(help_text="The chips in the wallet after it.")
    approval = ApprovalOut(allow_null=True)


class BlockedLine(serializers.Serializer[Any]):
    """A line of the blacklist."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(Blocked.Kind.choices)
    value = serializers.CharField()
    reason = serializers.CharField()
    until = serializers.DateTimeField(allow_null=True)
    by = serializers.CharField(source="by.username", default=None, allow_null=True)
    at = serializers.DateTimeField()


class BlockedOrder(Order):
    kind = serializers.ChoiceField(Blocked.Kind.choices)
    value = Text(max_length=254, help_text="192.0.2.0/24, @example.org, a@example.org, a name, or its beginning and *.")
    reason = Reason()
    until = serializers.DateTimeField(required=False, allow_null=True)


class BlockedChange(Order):
    reason = Reason()
    until = serializers.DateTimeField(required=False, allow_null=True)


class Connection(serializers.Serializer[Any]):
    """One browser somebody is logged in with, or a kiosk, where nobody is."""

    handle = serializers.CharField()
    player = serializers.IntegerField(source="user_id", allow_null=True, help_text="null: a kiosk.")
    name = serializers.CharField(source="user.username", default=None, allow_null=True)
    kiosk_by = serializers.CharField(
        source="kiosk_by.username", default=None, allow_null=True, help_text="Who opened the kiosk."
    )
    address = serializers.CharField(allow_null=True)
    agent = serializers.CharField()
    since = serializers.DateTimeField(source="began_at", allow_null=True)
    seen_at = serializers.DateTimeField(allow_null=True, help_text="When one of its sockets was last known to be open.")


class WordOrder(Order):
    text = Text(max_length=300)


class Act(serializers.Serializer[Any]):
    """What somebody of the staff did."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField(source="by.username", default=None, allow_null=True, help_text="null: the house.")
    verb = serializers.CharField()
    subject = serializers.CharField()
    player = serializers.CharField(source="player.username", default=None, allow_null=True)
    reason = serializers.CharField()
    details = serializers.DictField()


class ActQuery(Query):
    who = serializers.CharField(required=False, max_length=60, help_text="A screen name.")
    verb = serializers.CharField(required=False, max_length=60, help_text="What was done, or its beginning: cage.")
    subject = serializers.CharField(required=False, max_length=60, help_text="Such as table:3.")
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


class EventOrder(Order):
    text = Reason()
