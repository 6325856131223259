"""Members and their cards: registered at the desk, found by number, barcode, name or phone.

A member's number never changes and follows from their account. The card has a barcode that nobody can guess, for it
checks in at the kiosk. A card reported lost is not accepted from that moment on, which the kiosk and the desk say.
"""

import re
import secrets
from datetime import date, datetime
from typing import Annotated, Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts.models import Member, PlayerCard
from cardroom.core import access, audit_log, room_time, topics
from cardroom.core.arguments import Limits
from cardroom.core.errors import Illegal, Invalid, NotFound, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import lock, verb

STAFF = ("floor", "cashier", "manager")
BARCODE = re.compile(r"\d{13}")
_LONGEST_NAME = 60
_PHONE = re.compile(r"\+?\d{4,19}")

FullName = Annotated[str, Limits(min_length=2, max_length=_LONGEST_NAME, help_text="As on their ID.")]
Phone = Annotated[str, Limits(max_length=30, required=False)]
Birthday = Annotated[date | None, Limits(allow_null=True)]


@verb("cards.register", roles=STAFF)
def register(*, player: User, name: FullName, phone: Phone = "", born_on: Birthday = None, by: User) -> PlayerCard:
    """Make a player a member and give them their first card; one that is a member already keeps number and card, and
    gets these particulars.

    For the floor, cashiers and managers. Refuses: `Invalid` (name, phone, birthday, a bot), `Illegal` (too young).
    Locks the player's row.
    """
    _, now = lock(User, player.pk)
    particulars = _particulars(name, phone, born_on, now)
    if player.is_bot:
        raise Invalid("bad-player", "A house bot cannot be a member.")
    member, is_new = Member.objects.update_or_create(
        player=player,
        defaults=particulars,
        create_defaults=particulars | {"number": number_of(player), "joined_at": now},
    )
    card = member.cards.filter(ended_at=None).first() or _issue_card(member, by=by, now=now)
    act = "card.register" if is_new else "card.edit"
    audit_log.note(verb=act, subject=f"user:{player.pk}", player=player, by=by, now=now, number=member.number)
    topics.tell("players", f"player:{player.pk}")
    return card


@verb("cards.issue", roles=STAFF)
def issue(
    *,
    player: User,
    was: Annotated[
        PlayerCard.EndReason, Limits(help_text="The reason for the new card.")
    ] = PlayerCard.EndReason.REPLACED,
    by: User,
) -> PlayerCard:
    """Issue another card; `was`: what became of the member's card (lost, replaced or returned).

    Refuses: `NotFound` (no member), `Invalid`. Locks the member's row.
    """
    member, now = lock(Member, player.pk)
    _end(member, was, now=now)
    card = _issue_card(member, by=by, now=now)
    audit_log.note(verb="card.issue", subject=f"user:{player.pk}", player=player, by=by, now=now, was=was)
    topics.tell("players", f"player:{player.pk}")
    return card


@verb("cards.report_lost")
def report_lost(*, player: User, by: User) -> PlayerCard:
    """Report a card lost: it is not accepted any more. By staff or the player. A second call does nothing.

    Refuses: `Forbidden`, `NotFound` (no member, or never a card). Locks the member's row.
    """
    if by.pk != player.pk:
        access.require_role(by, *STAFF)
    member, now = lock(Member, player.pk)
    _end(member, PlayerCard.EndReason.LOST, now=now)
    card = member.cards.first()
    if card is None:
        raise NotFound("no-card", "The player has no card.")
    if card.ended_at == now and by.pk != player.pk:
        audit_log.note(verb="card.lost", subject=f"user:{player.pk}", player=player, by=by, now=now)
    topics.tell("players", f"player:{player.pk}")
    return card


def find(words: str, *, limit: int = 20) -> list[User]:
    """The players that these words may mean, the best match first: a barcode or a number finds one player, anything
    else is looked for in screen names, names, phones and e-mails. Two queries at most.

    Refuses (`Illegal`) the barcode of a card that is lost or replaced.
    """
    text = " ".join(words.split())
    if not text or "\0" in text:
        return []
    if BARCODE.fullmatch(text):
        return [by_barcode(text)]
    people = User.objects.filter(is_bot=False).select_related("member")
    if text.isdigit() and (player := people.filter(member__number=text).first()):
        return [player]
    return list(_matching(people, text)[:limit])


def exact(words: str) -> User | None:
    """The one player that these words name: the barcode of a valid card, a member number, or a whole screen name. Use
    it where something is done to the player and `find` is too vague.

    Refuses as `by_barcode`.
    """
    text = " ".join(words.split())
    if not text or "\0" in text:
        return None
    if BARCODE.fullmatch(text):
        return by_barcode(text)
    people = User.objects.filter(is_bot=False)
    numbered = people.filter(member__number=text).first() if text.isdigit() else None
    return numbered or people.filter(username__iexact=text).first()


def by_barcode(barcode: str) -> User:
    """The owner of a card. `NotFound` for a card the room did not issue, `Illegal` for a lost or replaced one."""
    card = PlayerCard.objects.select_related("member__player").filter(barcode=barcode).first()
    if card is None or not is_checked(barcode):
        raise NotFound("no-such-card", "This is not a card of this room. Scan it again, or search by name.")
    if card.ended_at is not None:
        words = gettext("This card was {ended} on {day}. Keep the card, and check who the person is.").format(
            ended=card.get_ended_as_display(), day=room_time.format_date(card.ended_at)
        )
        rule = gettext("House rules: a lost or replaced card is kept by the desk")
        raise Illegal("card-ended", Verbatim(words), rule=rule)
    return card.member.player


def member_of(player: User) -> Member | None:
    """The member row of a player."""
    return Member.objects.filter(player=player).first()


def number_of(player: User) -> str:
    """A member's number: seven digits or more, and a check digit, so that a mistyped number names nobody else."""
    return with_check_digit(f"{player.pk:07d}")


def phone_of(player: User) -> str:
    """The telephone number a member gave, or ""."""
    member = member_of(player)
    return member.phone if member is not None else ""


def with_check_digit(digits: str) -> str:
    """Luhn's, as on bank cards: finds any one wrong digit, and two neighbours changed about (but 09 and 90)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (2 if place % 2 == 0 else 1)
        total += number - 9 if number > 9 else number
    return f"{digits}{-total % 10}"


def is_checked(digits: str) -> bool:
    """Whether the last digit is the check digit of the others."""
    return len(digits) > 1 and digits.isdigit() and with_check_digit(digits[:-1]) == digits


def _matching(people: QuerySet[User], text: str) -> QuerySet[User]:
    digits = "".join(letter for letter in text if letter.isdigit() or letter == "+")
    by_words = Q(username__istartswith=text) | Q(member__name__icontains=text) | Q(email__istartswith=text)
    names = text.split(" ")
    if len(names) == 2:
        by_words |= Q(first_name__iexact=names[0], last_name__istartswith=names[1])
    by_words |= Q(first_name__istartswith=text) | Q(last_name__istartswith=text)
    if len(digits) >= 4:
        by_words |= Q(member__phone__endswith=digits.removeprefix("+").removeprefix("0"))
    return people.filter(by_words).order_by("username")


def _particulars(name: str, phone: str, born_on: date | None, now: datetime) -> dict[str, Any]:
    full = " ".join(name.split())
    if not 2 <= len(full) <= _LONGEST_NAME or not full.isprintable():
        raise Invalid("bad-name", "A member's name has 2 to {longest} characters.", longest=_LONGEST_NAME)
    number = "".join(letter for letter in phone if letter not in " -()./")
    if number and not _PHONE.fullmatch(number):
        raise Invalid("bad-phone", "A phone number has 4 to 19 digits, with a + before the country code.")
    least: int = settings.CARDROOM_MINIMUM_AGE
    if born_on is not None:
        today = room_time.today(now)
        age = today.year - born_on.year - ((today.month, today.day) < (born_on.month, born_on.day))
        if not 0 <= age <= 130:
            raise Invalid("bad-birthday", "This date of birth is not possible.")
        if age < least:
            raise Illegal(
                "too-young",
                "A member is at least {least} years old.",
                rule=gettext_lazy("House rules: nobody under {least}").format(least=least),
                least=least,
            )
    return {"name": full, "phone": number, "born_on": born_on}


def _end(member: Member, how: str, *, now: datetime) -> None:
    if how not in PlayerCard.EndReason.values:
        raise Invalid(
            "bad-ending", "The end of a card is one of: {names}.", names=", ".join(PlayerCard.EndReason.values)
        )
    member.cards.filter(ended_at=None).update(ended_at=now, ended_as=how)


def _issue_card(member: Member, *, by: User, now: datetime) -> PlayerCard:
    barcode = with_check_digit(f"{secrets.randbits(64) % 10**12:012d}")
    return PlayerCard.objects.create(member=member, barcode=barcode, issued_at=now, issued_by=by)
