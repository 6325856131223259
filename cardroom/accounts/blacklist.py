"""The blacklist: networks, e-mail addresses and names from or by which nobody signs up or logs in."""

import ipaddress
from datetime import datetime
from typing import Annotated

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from cardroom.accounts.models import Blocked
from cardroom.core import audit_log, names, room_time
from cardroom.core.arguments import UNCHANGED, Limits, Reason, RowId, Unchanged
from cardroom.core.errors import Conflict, Forbidden, Invalid
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb

STAFF = ("manager",)
_WIDEST = {4: 8, 6: 16}  # a wider network would be half of the world
_LONGEST = 254

Value = Annotated[
    str,
    Limits(
        max_length=_LONGEST,
        help_text="192.0.2.0/24, @example.org, a@example.org, a name, or the start of a name and *.",
    ),
]


def check(*, now: datetime, address: str | None = None, email: str = "", name: str = "") -> None:
    """Before signing up and logging in: `Forbidden` where the list has the network, the e-mail or the name.

    The refusal does not name the entry: that would show how to get around it. One query.
    """
    if matching_entry(now=now, address=address, email=email, name=name) is not None:
        raise Forbidden("blacklisted", "You cannot sign up or log in here. Ask a manager.")


def matching_entry(*, now: datetime, address: str | None = None, email: str = "", name: str = "") -> Blocked | None:
    """The entry of the blacklist that matches this."""
    place = ipaddress.ip_address(address) if address else None
    # A listener of both kinds writes 192.0.2.7 as ::ffff:192.0.2.7.
    place = getattr(place, "ipv4_mapped", None) or place
    for line in on_the_list(now=now).order_by("pk"):
        if line.kind == Blocked.Kind.NETWORK:
            is_it = place is not None and place in ipaddress.ip_network(line.value)
        elif line.kind == Blocked.Kind.EMAIL:
            email_address = email.lower()
            is_it = email_address.endswith(line.value) if line.value.startswith("@") else email_address == line.value
        else:
            lower = name.lower()
            # By how it looks as well: spam* is not escaped by other alphabets, capitals or dots.
            is_it = bool(lower) and (_goes_by(lower, line.value) or _looks_like(lower, line.value))
        if is_it:
            return line
    return None


def on_the_list(*, now: datetime) -> QuerySet[Blocked]:
    """Entries in force at this moment, newest first."""
    counts = Blocked.objects.filter(removed_at=None).filter(Q(until=None) | Q(until__gt=now))
    return counts.select_related("by").order_by("-pk")


def get_entry(line_id: int) -> Blocked:
    """A line by its number; `NotFound` where it is off the list."""
    line = Blocked.objects.select_related("by").filter(pk=line_id, removed_at=None).first()
    if line is None:
        raise Blocked.not_found()
    return line


@verb("blacklist.add", roles=STAFF)
def add(
    *,
    kind: Blocked.Kind,
    value: Value,
    reason: Reason,
    until: Annotated[datetime | None, Limits(allow_null=True)] = None,
    by: User,
) -> Blocked:
    """Put a network ("192.0.2.0/24"), an e-mail ("@example.org") or a name ("spam*") on the list. For managers.

    The same again returns the entry that is there. Refuses: `Invalid` (malformed, far too wide, over already),
    `Conflict` (on the list with another reason or end).
    """
    clean, why = _clean(kind, value), audit_log.reason_given(reason, what=gettext("a blacklist entry"))
    now = current_time()
    _check_end(until, now)
    Blocked.objects.filter(kind=kind, value=clean, removed_at=None, until__lte=now).update(removed_at=now)
    line, is_new = Blocked.objects.get_or_create(
        kind=kind, value=clean, removed_at=None, defaults={"reason": why, "until": until, "by": by, "at": now}
    )
    if not is_new:
        if (line.reason, line.until) != (why, until):
            raise Conflict("line-exists", "This is already on the blacklist: change that entry.")
        return line
    audit_log.note(
        verb="blacklist.add", subject=f"blocked:{line.pk}", by=by, now=now, reason=why, kind=kind, value=clean
    )
    return line


@verb("blacklist.edit", roles=STAFF)
def edit(
    *,
    line_id: RowId,
    reason: Reason | None = None,
    until: Annotated[datetime | Unchanged | None, Limits(allow_null=True)] = UNCHANGED,
    by: User,
) -> Blocked:
    """Change the `reason` or until when (`until`; None: for good), where they are given; what is blocked stays (remove
    the entry and add another). For managers. Locks the line."""
    line, now = lock(Blocked.objects.filter(removed_at=None), line_id)
    if reason is not None:
        line.reason = audit_log.reason_given(reason, what=gettext("a blacklist entry"))
    if not isinstance(until, Unchanged):
        _check_end(until, now)
        line.until = until
    line.save(update_fields=["reason", "until"])
    end = line.until.isoformat() if line.until else None
    audit_log.note(verb="blacklist.edit", subject=f"blocked:{line.pk}", by=by, now=now, reason=line.reason, until=end)
    return line


@verb("blacklist.remove", roles=STAFF)
def remove(*, line_id: RowId, by: User) -> Blocked:
    """Take a line off the list. For managers; `NotFound` where it is off already. Locks the line."""
    line, now = lock(Blocked.objects.filter(removed_at=None), line_id)
    line.removed_at = now
    line.save(update_fields=["removed_at"])
    audit_log.note(
        verb="blacklist.delete", subject=f"blocked:{line.pk}", by=by, now=now, kind=line.kind, value=line.value
    )
    return line


def _check_end(until: datetime | None, now: datetime) -> None:
    room_time.check(until)
    if until is not None and until <= now:
        raise Invalid("bad-until", "A blacklist entry ends in the future, or never.")


def _clean(kind: str, value: str) -> str:
    text = value.strip().lower()
    if not 1 <= len(text) <= _LONGEST or not text.isprintable() or " " in text:
        raise Invalid("bad-value", "Enter what to block, without spaces.")
    if kind == Blocked.Kind.NETWORK:
        try:
            network = ipaddress.ip_network(text, strict=False)
        except ValueError as error:
            raise Invalid("bad-network", "Write a network as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.") from error
        if network.prefixlen < _WIDEST[network.version]:
            raise Invalid("bad-network", "This network is too large: /{most} at most.", most=_WIDEST[network.version])
        return str(network)
    if kind == Blocked.Kind.EMAIL:
        local, at, domain = text.partition("@")
        if not at or "." not in domain or "@" in domain:
            raise Invalid("bad-email", "Write an e-mail address as a@example.org, or a domain as @example.org.")
        return f"{local}@{domain}"
    if kind != Blocked.Kind.NAME:
        raise Invalid("bad-kind", "Blocked is one of: {names}.", names=", ".join(Blocked.Kind.values))
    if "*" in text[:-1] or len(text.rstrip("*")) < 2:
        raise Invalid("bad-name", "A name has at least 2 letters; a * at the end matches any ending.")
    return text


def _goes_by(name: str, value: str) -> bool:
    return name.startswith(value[:-1]) if value.endswith("*") else name == value


def _looks_like(name: str, value: str) -> bool:
    written_looks = names.looks(value.removesuffix("*"))
    return bool(written_looks) and _goes_by(names.looks(name), written_looks + ("*" if value.endswith("*") else ""))
