"""People and house bots: how they come to be, and the play money they begin with."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Annotated, Any

from django.conf import settings
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Sum

from cardroom.core import access, languages, names, room_time
from cardroom.core.arguments import Limits
from cardroom.core.errors import Conflict, Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import StoredText, Wording, to_text
from cardroom.core.verb import current_time, verb
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account, Entry, Transfer

BOT_CHIPS = 10_000
LONGEST_NAME = 20  # more does not fit on a seat of a phone's table
PLAY_MONEY = "play money"
_LONGEST_FULL_NAME = 60
WELCOME = Wording("people.welcome", "welcome to the room")
NO_WELCOME_FOR_STAFF = Wording("people.no-welcome-for-staff", "staff has no welcome chips")


@verb("people.sign_up_bonus")
def sign_up_bonus(*, user: User) -> Transfer | None:
    """Put the welcome chips into a new wallet; once for each person, however often it is called. Call with the user new
    or locked.

    The room's setting says how many, and 0 of them post nothing. A bot, whose chips never go to the cage, has its own.
    Staff has none: they come to work and not to play.
    """
    amount = BOT_CHIPS if user.is_bot else welcome_chips()
    reference = f"welcome:{user.pk}"
    earlier = Transfer.objects.filter(reference=reference).first()
    if earlier is not None or amount == 0 or access.roles_of(user):
        return earlier
    rule = "bots" if user.is_bot else "welcome"
    return issue_play_money(user=user, amount=amount, reference=reference, reason=WELCOME(), rule=rule)


def welcome_chips() -> int:
    """The number of welcome chips: none where a drawer would pay them out, unless the operator allows that."""
    is_allowed = settings.CARDROOM_WELCOME_CHIPS_PAID_OUT or not pays_out()
    return int(settings.CARDROOM_WELCOME_CHIPS) if is_allowed else 0


def pays_out() -> bool:
    """Whether this room has a drawer that chips can be paid out of."""
    return Account.objects.filter(kind=Account.Kind.DRAWER).exists()


@verb("people.take_back_welcome")
def take_back_welcome(*, user: User, by: User | None) -> Transfer | None:
    """A player who becomes staff gives back the chips of the welcome, as long as nothing else happened in the wallet;
    None where there is nothing to take back. Call with the user locked."""
    bonus = Transfer.objects.filter(reference=f"welcome:{user.pk}").first()
    if bonus is None or ledger.wallet(user).entries.count() != 1:
        return None
    return ledger.reverse(transfer=bonus, reason=NO_WELCOME_FOR_STAFF(), at=current_time(), by=by)


@verb("people.issue_play_money")
def issue_play_money(*, user: User, amount: int, reference: str, reason: StoredText, rule: str = "demo") -> Transfer:
    """Play money from the house into a wallet, by one of the house's own rules (`passages.RULES`), not by a person's
    order. The house then owes as much as it has issued."""
    if type(amount) is not int or amount <= 0:
        raise Invalid("bad-amount", Verbatim(f"Play money is a whole number of chips, at least 1, not {amount!r}."))
    issue = ledger.open_account(kind=Account.Kind.HOUSE, label=PLAY_MONEY)
    legs = [(issue, -amount), (ledger.wallet(user), amount)]
    passage = passages.rule_passage(rule, amount)
    return ledger.post(reference=reference, reason=reason, legs=legs, at=current_time(), passage=passage)


def lock_player_making() -> None:
    """Lock out others who make players until the current transaction ends.

    For one that makes several, or does more with them: called before their names are chosen, it keeps two of them from
    choosing the same name, and from waiting for each other over it and over the account that welcome chips come from.
    """
    issue = ledger.open_account(kind=Account.Kind.HOUSE, label=PLAY_MONEY)
    Account.objects.select_for_update(no_key=True).get(pk=issue.pk)


@verb("people.make_player")
def make_player(*, name: str, password: str, email: str = "", roles: Iterable[str] = ()) -> User:
    """Make a person who can log in, with welcome chips and roles; for the demo and an operator's command.

    The same name and password again return the same person, roles added. A name taken otherwise: `Conflict`.
    """
    roles, now = [*roles], current_time()
    name = good_name(name, is_staff=bool(roles))
    user = User.objects.filter(looks=names.looks(name)).first()
    if user is None:
        user = _create(name, email=email, password=password, date_joined=now)
    elif user.is_bot or user.username.lower() != name.lower() or not user.check_password(password):
        raise name_taken_refusal(name)
    for role in roles:
        access.grant_role(user=user, role=role, by=None, now=now)
    sign_up_bonus(user=user)
    return user


@verb("people.make_guest")
def make_guest(*, name: str, email: str = "") -> User:
    """Make a guest, registered at a desk by name ("Ana Ruiz"); they cannot log in, and begin with no chips.

    Their screen name is made from it, with a number where somebody has it already: each call makes another person.
    Refuses: `Invalid` (no screen name can be made of it).
    """
    full = " ".join(name.split())
    # Joiners are unseen parts of letters and pictures in many scripts.
    seen = full.replace("\u200c", "").replace("\u200d", "")
    if not 2 <= len(full) <= _LONGEST_FULL_NAME or not seen.isprintable():
        raise Invalid("bad-name", "A guest's name has 2 to {longest} characters.", longest=_LONGEST_FULL_NAME)
    first, _, last = full.partition(" ")
    screen = _free_screen_name("".join(letter if letter.isalnum() else "." for letter in full))
    return _create(screen, email=email, password=None, first_name=first, last_name=last, date_joined=current_time())


@verb("people.make_bot")
def make_bot(*, name: str, personality: str) -> User:
    """A player of the house: marked as a bot, cannot log in, begins with the same chips as people.

    The same name again returns the same bot, its personality as now asked for. A person's name: `Conflict`.
    """
    name = good_name(name)
    if not personality:
        raise Invalid("no-personality", Verbatim("A bot has a personality."))
    bot = User.objects.filter(looks=names.looks(name)).first()
    if bot is None:
        bot = _create(name, password=None, is_bot=True, personality=personality, date_joined=current_time())
    elif not bot.is_bot or bot.username.lower() != name.lower():
        raise name_taken_refusal(name)
    elif bot.personality != personality:
        bot.personality = personality
        bot.save(update_fields=["personality"])
    sign_up_bonus(user=bot)
    return bot


@verb("people.prefer")
def set_preferences(
    *,
    wants_mail: Annotated[
        bool | None, Limits(help_text="Whether to get e-mail about your tournaments and calls.")
    ] = None,
    time_zone: Annotated[
        str | None, Limits(max_length=60, allow_blank=True, help_text="Such as Europe/Berlin, for pages.")
    ] = None,
    language: Annotated[
        str | None, Limits(max_length=10, allow_blank=True, help_text="en, de, es, fr or pt-br, for pages.")
    ] = None,
    by: User,
) -> User:
    """Whether their tournaments may write to them, in which zone pages are for them ("": the room's) and in which
    language ("": their browser's); None: as it is. `Invalid`: there is no such zone or language."""
    languages.check(language or "")
    if time_zone and not room_time.is_known(time_zone):
        raise Invalid(
            "no-such-zone", "There is no time zone {time_zone!r}: choose one from the list.", time_zone=time_zone
        )
    wishes = {"wants_mail": wants_mail, "time_zone": time_zone, "language": language}
    changes = {name: wish for name, wish in wishes.items() if wish is not None}
    for name, wish in changes.items():
        setattr(by, name, wish)
    by.save(update_fields=list(changes))
    return by


def can_log_in(user: User) -> bool:
    """Whether a person has a way in: a password, or an e-mail address to set one by. A guest registered by name has
    none, and so plays only in the room."""
    return user.is_active and (user.has_usable_password() or bool(user.email))


def good_name(name: str, *, is_staff: bool = False) -> str:
    """The screen name as it is kept; `Invalid` for what cannot be one: 2 to 20 letters of one script, digits and @ . +
    - _, and a name that looks like one of staff only for staff."""
    name = names.normal(name)
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError as error:
        raise Invalid("bad-name", "A screen name has letters, digits and @ . + - _ only.") from error
    if not 2 <= len(name) <= LONGEST_NAME:
        raise Invalid("bad-name", "A screen name has 2 to {longest} characters.", longest=LONGEST_NAME)
    if fault := names.fault(name):
        raise Invalid("bad-name", Verbatim(fault))
    if not is_staff and names.is_like_staff(name):
        raise Invalid("name-of-staff", "This screen name is reserved for staff. Choose another.")
    return name


def name_taken_refusal(name: str) -> Conflict:
    """The refusal of a screen name that somebody has, or one that looks like it."""
    return Conflict("name-taken", "The name {name}, or one that looks like it, is taken. Choose another.", name=name)


def is_name_taken(name: str) -> bool:
    """Whether somebody has this screen name, or one that looks like it."""
    return User.objects.filter(looks=names.looks(name)).exists()


def _free_screen_name(wanted: str) -> str:
    """The wanted name, with the first free number where it is taken; "guest" where it cannot be a screen name."""
    stem = names.normal(wanted)[: LONGEST_NAME - 5].strip(".")
    try:
        stem = good_name(stem)
    except Invalid:
        stem = stem if len(stem) == 1 and not names.fault(stem) else "guest"
    lookalikes = User.objects.filter(looks__startswith=names.looks(stem))
    taken = set(lookalikes.values_list("looks", flat=True))
    if len(stem) > 1 and names.looks(stem) not in taken:
        return stem
    return next(name for number in count(2) if names.looks(name := f"{stem}.{number}") not in taken)


def _create(name: str, **fields: Any) -> User:
    try:
        with transaction.atomic():
            return User.objects.create_user(username=name, **fields)
    except IntegrityError as error:
        raise name_taken_refusal(name) from error


@dataclass(frozen=True)
class StatementLine:
    """One movement on an account, with the chips that lay there after it."""

    entry: int
    at: datetime
    reference: str
    reason: StoredText
    amount: int
    balance: int

    @property
    def reason_text(self) -> str:
        """Its reason in the current language."""
        return to_text(self.reason)


def wallet_balance(user: User, *, unit: str = "cash") -> int:
    """The chips in a player's wallet; 0 for one who never had a wallet."""
    return wallet_balances([user], unit=unit)[user.pk]


def wallet_balances(users: Iterable[User], *, unit: str = "cash") -> dict[int, int]:
    """The chips in the wallets of these players, by their ids. One query."""
    balances = dict.fromkeys((user.pk for user in users), 0)
    wallets = Account.objects.filter(kind=Account.Kind.WALLET, owner__in=balances, unit=unit).order_by()
    return balances | dict(wallets.values_list("owner", "balance"))


def statement(user: User, *, limit: int = 50, before: int | None = None, unit: str = "cash") -> list[StatementLine]:
    """The last movements of a player's wallet, newest first; with `before` only those older than that entry."""
    entries = (
        Entry.objects.filter(account__kind=Account.Kind.WALLET, account__owner=user, account__unit=unit)
        .select_related("transfer", "account")
        .order_by("-pk")
    )
    lines: list[StatementLine] = []
    held: int | None = None
    for entry in (entries.filter(pk__lt=before) if before is not None else entries)[:limit]:
        if held is None:
            # Read with the newest entry, in one statement, so it is the balance that entry left.
            held = entry.account.balance if before is None else _held_after(entry)
        transfer = entry.transfer
        lines.append(StatementLine(entry.pk, transfer.at, transfer.reference, transfer.reason, entry.amount, held))
        held -= entry.amount
    return lines


def _held_after(entry: Entry) -> int:
    """What an account held after this entry. Entries are only ever added, so it stays true."""
    entries = Entry.objects.filter(account=entry.account_id, pk__lte=entry.pk)
    return int(entries.aggregate(held=Sum("amount"))["held"])  # PostgreSQL adds up to a decimal
