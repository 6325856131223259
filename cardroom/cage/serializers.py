"""The shapes of the cage's resources."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.cage import books as cage_books
from cardroom.cage import counter, vault
from cardroom.cage import queries as cage_queries
from cardroom.cage.models import CashierRequest, DrawerCount, DrawerSession, Slip
from cardroom.core import access, approvals
from cardroom.core.models import Approval
from cardroom.core.web.api import bodies
from cardroom.core.web.api.fields import (
    ChipsField,
    FlagField,
    Keyed,
    RequestBody,
    Sentence,
    Text,
    Together,
    WholeNumber,
)
from cardroom.core.web.api.shapes import Shape
from cardroom.ledger.models import BlindCount

_SEEN: dict[str, Any] = {"read_only": True, "allow_null": True}
_REASON = {"max_length": 300, "default": "", "allow_blank": True}
#: What only one kind of slip has.
_ONLY_FOR = {"to": "transfer", "in_money": "repayment", "in_chips": "comp", "settles": "withdrawal"}


class PlayerName(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="username")


class SlipOut(serializers.Serializer[Any]):
    """One act of the cage and its transfer."""

    id = serializers.IntegerField(source="pk", help_text="The slip's number.")
    kind = serializers.CharField(help_text="One of: " + ", ".join(Slip.Kind.values))
    event = serializers.IntegerField(allow_null=True, help_text="The event whose money it is; only it takes it back.")
    player = PlayerName(allow_null=True)
    to = PlayerName(allow_null=True, help_text="Who got the chips of a transfer.")
    session = serializers.IntegerField(
        source="session_id", allow_null=True, help_text="The session of the drawer that the money is in."
    )
    amount = serializers.IntegerField(help_text="Below zero: what was short, money out of the vault, or a reversal.")
    unit = serializers.CharField(help_text="`cash`: chips; `money`: in drawers; `comp`: points.")
    reference = serializers.CharField(source="transfer.reference", help_text="Its transfer in the ledger.")
    reverses = serializers.IntegerField(source="reverses_id", allow_null=True)
    reversed_by = serializers.IntegerField(source="reversed_by.pk", default=None, **_SEEN)
    approval = serializers.IntegerField(source="approval_id", allow_null=True)
    reason = Sentence()
    by = PlayerName()
    at = serializers.DateTimeField()


class ApprovalOut(serializers.Serializer[Any]):
    """What a second person decides, or has decided."""

    id = serializers.IntegerField(source="pk")
    what = serializers.CharField()
    words = serializers.CharField(source="said", help_text="The request, in words.")
    reason = serializers.CharField()
    player = PlayerName(allow_null=True)
    amount = serializers.IntegerField(allow_null=True)
    details = serializers.SerializerMethodField(
        help_text="What is approved, by name, as it was when it was asked for: limit passed, total of the day, slip, "
        "drawer, and for those who decide on a count the figures of it."
    )
    asked_by = PlayerName(allow_null=True, help_text="Null: the system.")
    asked_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="Expires then if not decided.")
    verdict = serializers.CharField(
        help_text="Empty while it waits; approved, refused, taken-back (cancelled), over (expired)."
    )
    verdict_reason = serializers.CharField()
    decided_by = PlayerName(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.JSONField(allow_null=True, help_text="The result, such as the slip's number.")

    def get_details(self, row: Approval) -> dict[str, Any]:
        return approvals.details_for(row, self.context["viewer"])


class CageDone(serializers.Serializer[Any]):
    """The slip that was written, or the approval that it waits for."""

    slip = SlipOut(allow_null=True)
    approval = ApprovalOut(allow_null=True)


class SlipOrder(bodies.body_of(counter.write_slip, "WriteSlip")):  # type: ignore[misc]
    """What to do. Money goes into and out of the drawer you have open."""

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form has the fields of all kinds, and says by a screen name who gets the chips."""
        kind = form.get("kind", "")
        typed = {name: value for name, value in form.items() if _ONLY_FOR.get(name, kind) == kind}
        if name := typed.get("to", "").strip():
            typed["to"] = str(access.get_user_by_name(name).pk)
        return super().typed(typed)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        for name, kind in _ONLY_FOR.items():
            if name in attrs and attrs["kind"] != kind:
                raise Together({name: [gettext("Only for a {kind}.").format(kind=kind)]})
        if attrs["kind"] == "transfer" and "to" not in attrs:
            raise Together({"to": [gettext("Enter the player who gets the chips.")]})
        return attrs


class DrawerOut(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="drawer.pk")
    name = serializers.CharField(source="drawer.name")
    is_for_events = serializers.BooleanField(source="drawer.is_for_events", help_text="Of the tournament desk.")
    holds = serializers.IntegerField(allow_null=True, help_text="The book balance; null for anybody who may count it.")
    session = serializers.IntegerField(source="session.pk", allow_null=True, default=None)
    cashier = PlayerName(source="session.cashier", allow_null=True, default=None)


def _without_blind_fields(shape: Any, session: DrawerSession, shown: dict[str, Any], *names: str) -> dict[str, Any]:
    """The data without these fields where the session is counted blind for its reader."""
    blind = shape.context.get("blind")
    if blind is None:
        blind = cage_queries.blind_among(shape.context["viewer"], [session])
    if session.pk in blind:
        shown |= dict.fromkeys(names)
    return shown


class DrawerCountOut(Shape):
    of = DrawerCount
    field_names = "id=pk what counted expected difference pieces number reason by at"
    help_texts = {
        "what": "One of: " + ", ".join(DrawerCount.Kind.values),
        "number": "How often it was counted until this count was taken, this one included.",
    }
    counted = serializers.IntegerField(allow_null=True, help_text="Null for anybody who may count the drawer.")
    expected = serializers.IntegerField(allow_null=True, help_text="The book balance; null as well.")
    difference = serializers.IntegerField(allow_null=True, help_text="Over (above zero) or short; null as well.")
    pieces = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    by = PlayerName()

    def to_representation(self, row: DrawerCount) -> dict[str, Any]:
        blind = ("counted", "expected", "difference", "pieces")
        return _without_blind_fields(self, row.session, super().to_representation(row), *blind)


class DrawerSessionOut(Shape):
    """A cashier at a drawer, from count to count. What was counted is null for a person who may count it again."""

    of = DrawerSession
    field_names = """
        id=pk drawer=drawer_id name=drawer.name cashier state opened_at closed_at expected counted difference left_in
    """
    help_texts = {"state": "One of: " + ", ".join(DrawerSession.State.values)}
    difference = serializers.IntegerField(**_SEEN, help_text="Over (above zero) or short, once it is closed.")
    cashier = PlayerName()

    def to_representation(self, row: DrawerSession) -> dict[str, Any]:
        blind = ["expected", "counted", "left_in"]
        if row.state != DrawerSession.State.CLOSED:
            blind.append("difference")
        return _without_blind_fields(self, row, super().to_representation(row), *blind)


class DrawerTotalOut(serializers.Serializer[Any]):
    kind = serializers.CharField()
    number = serializers.IntegerField()
    amount = serializers.IntegerField(allow_null=True, help_text="Null for anybody who may count the drawer.")
    money = serializers.IntegerField(
        allow_null=True, help_text="In the drawer by these slips; null for anybody who may count it."
    )


class DrawerSessionSheet(DrawerSessionOut):
    """With its counts and what its slips came to."""

    counts = DrawerCountOut(many=True)
    totals = serializers.SerializerMethodField()

    def get_totals(self, row: DrawerSession) -> list[dict[str, Any]]:
        totals = cage_queries.totals(row)
        if row.pk in self.context["blind"]:
            totals = [replace(total, amount=None, money=None) for total in totals]
        return list(DrawerTotalOut(totals, many=True).data)


class DrawerOpenDone(serializers.Serializer[Any]):
    """The session that was opened, or the approval that it waits for."""

    session = DrawerSessionOut(allow_null=True)
    approval = ApprovalOut(allow_null=True)


class _CountOrder(RequestBody):
    counted = WholeNumber(
        required=False,
        min_value=0,
        max_value=cage_books.MOST,
        help_text="The sum; or send how many there are of each value.",
    )
    pieces = Keyed(
        key="^[0-9]{1,12}$",
        words=gettext_lazy("Each piece is a whole number."),
        required=False,
        child=WholeNumber(min_value=0, max_value=10**6),
        help_text='The number of each: {"100": 4}.',
    )
    reason = Text(**_REASON)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        pieces = attrs.pop("pieces", None)
        if (pieces is None) == ("counted" not in attrs):
            raise Together({"counted": [gettext("Enter the sum or the pieces.")]})
        if pieces is not None:
            attrs["counted"] = pieces
        return attrs

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form has a sum and pieces; where pieces are given they are the count."""
        has_pieces = any(value for name, value in form.items() if name.startswith("pieces-"))
        return super().typed({name: value for name, value in form.items() if name != "counted" or not has_pieces})


class DrawerCountOrder(_CountOrder):
    """A count of the drawer you have open."""


class DrawerOpenOrder(_CountOrder):
    """Open a drawer: all that is in it now, with what was brought from the vault."""

    drawer = ChipsField(source="drawer_id", help_text="Its id.")
    from_vault = WholeNumber(default=0, min_value=0, max_value=cage_books.MOST)


class DrawerCloseOrder(_CountOrder):
    """The closing count. What is not left in the drawer goes to the vault."""

    left_in = WholeNumber(required=False, min_value=0, max_value=cage_books.MOST, help_text="Without it, everything.")


class VaultOut(serializers.Serializer[Any]):
    holds = serializers.IntegerField(allow_null=True, help_text="The book balance; null for anybody who may count it.")


class VaultOrder(bodies.body_of(vault.vault, "MoveVault")):  # type: ignore[misc]
    """The form says by its button which way the money goes."""

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """An amount out of the vault is negative."""
        order = super().typed(form)
        return order | {"amount": -order["amount"]} if form.get("way") == "out" else order


class VaultCountOut(Shape):
    """A count of the vault. The counted sum and the book balance are shown to the counter once the count stands, and to
    auditors, who count nothing; so is a difference that nobody has answered for yet."""

    of = BlindCount
    field_names = "id=pk counted expected pieces difference posted stage number approval=approval_id reason by at"
    help_texts = {
        "posted": "Whether the difference is in the ledger.",
        "stage": "One of: " + ", ".join(BlindCount.Stage.values) + "; empty: not kept then.",
        "number": "Which count this is since the last that was taken.",
    }
    counted = serializers.IntegerField(**_SEEN)
    expected = serializers.IntegerField(**_SEEN)
    pieces = serializers.DictField(child=serializers.IntegerField(), **_SEEN)
    difference = serializers.IntegerField(**_SEEN, help_text="Over (above zero) or short.")
    by = PlayerName()

    def to_representation(self, row: BlindCount) -> dict[str, Any]:
        blind = ["counted", "expected", "pieces"]
        if not row.is_told:
            blind += ["difference", "stage"]
        return super().to_representation(row) | ({} if self.context["sees"] else dict.fromkeys(blind))


class VaultCountOrder(_CountOrder):
    """All that is in the vault now."""


class VaultCountDone(serializers.Serializer[Any]):
    """The count, or the approval that it waits for."""

    count = VaultCountOut(allow_null=True)
    approval = ApprovalOut(allow_null=True)


class CageLimitOut(serializers.Serializer[Any]):
    role = serializers.CharField()
    verb = serializers.CharField()
    slip = serializers.IntegerField(allow_null=True, help_text="At once; null: no limit, 0: always a second person.")
    day = serializers.IntegerField(allow_null=True, help_text="Within twenty-four hours; null: no limit.")


class CashierRequestOut(Shape):
    """What a player asks the cage for."""

    of = CashierRequest
    field_names = "id=pk player kind amount note state slip=slip_id answer at answered_at"
    help_texts = {"state": "One of: " + ", ".join(CashierRequest.State.values)}
    player = PlayerName()


class CashierRequestDone(serializers.Serializer[Any]):
    request = CashierRequestOut()
    approval = ApprovalOut(allow_null=True)


class StandingOut(serializers.Serializer[Any]):
    """A player as the cage sees them."""

    player = PlayerName()
    wallet = serializers.IntegerField()
    comps = serializers.IntegerField()
    at_tables = serializers.IntegerField()
    owes = serializers.IntegerField()
    line = serializers.IntegerField(help_text="How much the player may owe.")
    ban = serializers.CharField(help_text="Why the player may not play; empty where they may.")
    requests = CashierRequestOut(many=True)


class DecisionOrder(RequestBody):
    approve = FlagField()
    reason = Text(**_REASON)
