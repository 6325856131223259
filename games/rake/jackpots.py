"""Bad-beat jackpots: created, changed and closed. Hits are in `jackpot_hits`, growth and the end in `jackpot_growth`.

Creating, changing, paying and closing need two persons (`cardroom.core.approvals`); alarms let a jackpot grow and end.
Locks: the approval, then the jackpot's row, then its own accounts, then wallets.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from django.utils.translation import gettext, gettext_lazy

from cardroom.core import approvals, audit_log, sentences, topics
from cardroom.core.arguments import Limits, internal
from cardroom.core.errors import Conflict, Illegal, Invalid, Verbatim
from cardroom.core.models import Approval, User
from cardroom.core.sentences import StoredText, stored_text
from cardroom.core.verb import current_time, lock, verb
from cardroom.ledger import ledger
from games.engine.cards import parse_cards
from games.engine.games import MOST_SEATS
from games.engine.ranking import name_of, value_of
from games.rake import jackpot_chips, reasons
from games.rake.jackpot_growth import CHANGE, set_alarm
from games.rake.models.drops import Jackpot, JackpotHit
from games.tables.models.offers import DropSchedule
from games.tables.words import hand_kept

ROLES = ("manager",)


_MOST = 10**12


#: The settings that are whole numbers, each with its least and its greatest value.
WHOLE = {
    "least_downcards": (0, 3),
    "least_players": (2, MOST_SEATS),
    "seed": (0, _MOST),
    "backup_percent": (0, 100),
    "loser_percent": (0, 100),
    "winner_percent": (0, 100),
    "loser_bonus": (0, _MOST),
    "winner_bonus": (0, _MOST),
    "table_bonus": (0, _MOST),
    "growth": (0, _MOST),
    "growth_minutes": (0, 60 * 24 * 31),
}


#: The titles of these settings.
TITLES = {
    "least_downcards": gettext_lazy("Own downcards that must play"),
    "least_players": gettext_lazy("Minimum players dealt in"),
    "seed": gettext_lazy("Seed"),
    "backup_percent": gettext_lazy("Percent to the backup"),
    "loser_percent": gettext_lazy("Percent to the losing hand"),
    "winner_percent": gettext_lazy("Percent to the winning hand"),
    "loser_bonus": gettext_lazy("Bonus of the losing hand"),
    "winner_bonus": gettext_lazy("Bonus of the winning hand"),
    "table_bonus": gettext_lazy("Bonus of each other player"),
    "growth": gettext_lazy("Growth by the clock, chips"),
    "growth_minutes": gettext_lazy("Interval, minutes"),
}


SETTINGS = ("name", "least_hand", *WHOLE)


def _whole(name: str, **limits: int) -> Limits:
    """The limits of a setting of `WHOLE`; `limits` replace them."""
    least, most = WHOLE[name]
    return Limits(**{"min_value": least, "max_value": most} | limits)


Name = Annotated[str | None, Limits(max_length=60)]


LeastHand = Annotated[str | None, Limits(max_length=10, help_text="Five cards, as in JsJhJdJc2s.")]


Added = Annotated[int, Limits(min_value=0, max_value=_MOST, help_text="Chips that the house adds.")]


ChangeReason = Annotated[str, Limits(max_length=300)]


@verb("jackpots.ask", roles=ROLES)
def ask(
    *,
    jackpot_id: Annotated[int | None, internal] = None,
    name: Name = None,
    least_hand: LeastHand = None,
    least_downcards: Annotated[int | None, _whole("least_downcards")] = None,
    least_players: Annotated[int | None, _whole("least_players")] = None,
    seed: Annotated[int | None, _whole("seed")] = None,
    backup_percent: Annotated[int | None, _whole("backup_percent")] = None,
    loser_percent: Annotated[int | None, _whole("loser_percent")] = None,
    winner_percent: Annotated[int | None, _whole("winner_percent")] = None,
    loser_bonus: Annotated[int | None, _whole("loser_bonus")] = None,
    winner_bonus: Annotated[int | None, _whole("winner_bonus")] = None,
    table_bonus: Annotated[int | None, _whole("table_bonus")] = None,
    growth: Annotated[int | None, _whole("growth")] = None,
    growth_minutes: Annotated[int | None, _whole("growth_minutes")] = None,
    add: Added = 0,
    is_closed: bool = False,
    reason: ChangeReason,
    by: User,
) -> Approval:
    """Ask a second person to approve a new jackpot (`jackpot_id` None), or other settings of one, chips that the house
    adds (`add`), or its end. A setting that is not given stays as it is, and of a new jackpot has the usual value.
    Nothing changes before the approval.

    Refuses: `NotFound`, `Invalid` (with the field), `Conflict` (the name is taken),
    `Illegal` (closed already; hits wait).
    """
    changes = {
        "name": name,
        "least_hand": least_hand,
        "least_downcards": least_downcards,
        "least_players": least_players,
        "seed": seed,
        "backup_percent": backup_percent,
        "loser_percent": loser_percent,
        "winner_percent": winner_percent,
        "loser_bonus": loser_bonus,
        "winner_bonus": winner_bonus,
        "table_bonus": table_bonus,
        "growth": growth,
        "growth_minutes": growth_minutes,
    }
    settings = {setting: value for setting, value in changes.items() if value is not None}
    why = audit_log.reason_given(reason, what=gettext("a change of a jackpot"))
    if jackpot_id is not None:
        jackpot, now = lock(Jackpot, jackpot_id)
    else:
        now = current_time()
        jackpot = Jackpot(made_at=now, version=0)
    _check(jackpot, settings, add=add, is_closed=is_closed)
    return approvals.ask(
        what=CHANGE,
        words=request_in_words(jackpot, settings, add, is_closed),
        payload={
            "jackpot": jackpot_id,
            "version": jackpot.version,
            "settings": settings,
            "add": add,
            "is_closed": is_closed,
        },
        by=by,
        now=now,
        reason=why,
        subject=f"jackpot:{jackpot_id or 'new'}",
        alone=f"jackpot:{jackpot_id or settings.get('name', 'new')}",
        details=_details(jackpot, settings, add, is_closed),
    )


def request_in_words(jackpot: Jackpot, settings: Mapping[str, Any], add: int, is_closed: bool) -> StoredText:
    """What is asked for, in words for the person who decides."""
    changed: list[StoredText] = [_setting_in_words(name, value) for name, value in settings.items() if name != "name"]
    called = settings.get("name", jackpot.name)
    if jackpot.pk is None:
        return [stored_text("New jackpot {name}", name=called), *changed]
    parts: list[StoredText] = [stored_text("Jackpot {name}", name=jackpot.name)]
    parts += [stored_text("called {name}", name=called)] if called != jackpot.name else []
    parts += changed
    parts += [stored_text("{chips:,} added by the house", chips=add)] if add else []
    parts += [stored_text("this jackpot ends")] if is_closed else []
    return parts


def _details(jackpot: Jackpot, settings: Mapping[str, Any], add: int, is_closed: bool) -> dict[str, Any]:
    """The request in values, for the list of approvals."""
    details = {"jackpot": jackpot.name or settings.get("name", ""), **settings}
    return details | ({"add": add} if add else {}) | ({"ends": True} if is_closed else {})


def _setting_in_words(name: str, value: Any) -> StoredText:
    if name == "least_hand":
        cards = parse_cards(value)
        return stored_text(
            "Minimum losing hand: {hand} ({cards})", hand=hand_kept(name_of(value_of(cards))), cards=" ".join(cards)
        )
    return stored_text("{title}: {value:,}", title=stored_text(TITLES[name]), value=value)


def _change(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Make the approved change. It holds for the hands dealt after this."""
    payload = approval.payload
    is_new = payload["jackpot"] is None
    jackpot = Jackpot(made_at=now, version=0) if is_new else lock(Jackpot, payload["jackpot"])[0]
    if jackpot.version != payload["version"]:
        raise Conflict("changed-since", "This jackpot has changed since the request: send a new request.")
    _check(jackpot, payload["settings"], add=payload["add"], is_closed=payload["is_closed"])
    called = payload["settings"].get("name", jackpot.name)
    if called != jackpot.name and not is_new:
        # Schedules find it by its name.
        DropSchedule.objects.filter(jackpot_name=jackpot.name).update(jackpot_name=called)
    for name, value in payload["settings"].items():
        setattr(jackpot, name, value)
    jackpot.version += 1
    jackpot.save()
    if is_new:
        jackpot_chips.seed(jackpot, now=now, by=by, approval=approval)
    if payload["add"]:
        legs = [(jackpot_chips.promotions(), -payload["add"]), (jackpot_chips.pool(jackpot.pk), payload["add"])]
        reference = f"jackpot-add:{approval.pk}"
        ledger.post(
            reference=reference, reason=reasons.ADDED(name=jackpot.name), legs=legs, at=now, by=by,
            passage=jackpot_chips.let_out("jackpots.add", jackpot, payload["add"], approval=approval, by=by, now=now),
        )  # fmt: skip
    if payload["is_closed"]:
        jackpot.state = Jackpot.State.CLOSING
    set_alarm(jackpot, now=now, is_new=is_new or {"growth", "growth_minutes"} & set(payload["settings"]) != set())
    jackpot.save()
    audit_log.note(verb="jackpots.change", subject=f"jackpot:{jackpot.pk}", by=by, now=now, reason=approval.reason,
               settings=payload["settings"], add=payload["add"], is_closed=payload["is_closed"])  # fmt: skip
    topics.tell("jackpots")
    return {"jackpot": jackpot.pk}


approvals.register(CHANGE, _change, roles=ROLES)


def _check(jackpot: Jackpot, settings: Mapping[str, Any], *, add: int, is_closed: bool) -> None:
    if jackpot.state != Jackpot.State.LIVE:
        raise Illegal("jackpot-closed", "{name} is closed: create a new one.", name=jackpot.name)
    if is_closed and jackpot.pk and jackpot.hits.filter(state=JackpotHit.State.WAITING).exists():
        raise Illegal("hits-wait", "Hits of {name} wait for a decision: decide them first.", name=jackpot.name)
    if type(add) is not int or not 0 <= add <= _MOST:
        raise _bad_field("add", gettext("Chips that are added are a whole number."))
    if not settings and not add and not is_closed:
        raise _bad_field("settings", gettext("Enter at least one change."))
    for name, (least, most) in WHOLE.items():
        value = settings.get(name, least)
        if type(value) is not int or not least <= value <= most:
            words = gettext("{name} is a whole number from {least:,} to {most:,}.")
            raise _bad_field(name, sentences.filled(words, name=TITLES[name], least=least, most=most))
    whole = {name: settings.get(name, getattr(jackpot, name)) for name in SETTINGS}
    if whole["loser_percent"] + whole["winner_percent"] > 100:
        raise _bad_field("loser_percent", gettext("Loser and winner share no more than the whole."))
    if bool(whole["growth"]) != bool(whole["growth_minutes"]):
        raise _bad_field("growth_minutes", gettext("Growth by the clock takes both: how much, and how often."))
    _check_name(jackpot, whole["name"])
    _check_hand(whole["least_hand"])


def _check_name(jackpot: Jackpot, name: Any) -> None:
    if not isinstance(name, str) or not 3 <= len(name.strip()) <= 60 or not name.isprintable() or name != name.strip():
        raise _bad_field("name", gettext("A jackpot has a name of 3 to 60 characters."))
    if Jackpot.objects.filter(name=name).exclude(pk=jackpot.pk).exists():
        raise Conflict("name-taken", "There is a jackpot called {name} already.", name=name, field="name")


def _check_hand(cards: Any) -> None:
    try:
        hand = parse_cards(cards) if isinstance(cards, str) else ()
    except ValueError:
        hand = ()
    if len(hand) != 5 or len(set(hand)) != 5:
        raise _bad_field("least_hand", gettext("The least hand is five cards, each once, as in JsJhJdJc2s."))


def _bad_field(field: str, message: str) -> Invalid:
    return Invalid("bad-jackpot", Verbatim(message), field=field)
