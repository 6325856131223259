"""Chips move here and nowhere else.

A transfer is posted whole: its legs add up to zero in every unit, and no wallet or stack goes below zero. Both are
checked here, to answer in words, and again by the database (`models.guards`). What takes an account of the house down
needs a passage (`passages`), so that nothing leaves the house that nobody answers for. A post is three statements: lock
the accounts, write the transfer, write its entries; the balances follow in the database.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction
from django.utils.translation import gettext_lazy

from cardroom.core import step_up, topics
from cardroom.core.errors import Conflict, Invalid, NotEnoughChips, NotFound, Verbatim
from cardroom.core.models import StaffAction, User
from cardroom.core.sentences import StoredText, filled
from cardroom.ledger import passages
from cardroom.ledger.models import Account, Entry, Transfer
from cardroom.ledger.passages import Passage

Leg = tuple[Account | int, int]


class Post(NamedTuple):
    """One of the transfers of `post_many`."""

    reference: str
    reason: StoredText
    legs: Sequence[Leg]
    passage: Passage | None = None


MOST_CHIPS = 10**15
_LONGEST = 200
_LONGEST_REASON = 300


def post(
    *,
    reference: str,
    reason: StoredText,
    legs: Sequence[Leg],
    at: datetime,
    by: User | None = None,
    passage: Passage | None = None,
) -> Transfer:
    """Move chips between accounts, all legs or none. `passage`: permission to take an account of the house down.

    `legs` are (account or its id, chips): positive into the account, negative out of it. Legs of one account are
    netted and legs that come to nothing left out, so a hand in which nobody won or lost is posted with no entries.

    The same `reference` again returns the first transfer if its legs were the same, else raises `Conflict`.
    Raises `NotEnoughChips` before anything is written, so the caller's transaction stays usable; `Invalid` where legs
    do not balance or are not whole chips; `NotFound` where an account does not exist. Without a passage, what takes an
    account of the house down is a programming error (`passages.UngatedError`).
    Locks the accounts in the order of their ids until the transaction ends.
    """
    _check_words(reference=reference, reason=reason, at=at)
    moves = _net_moves(legs)
    with _one_transaction():
        accounts = _lock_accounts(moves)
        _require_step_up(accounts, moves, by)
        _refuse_unbalanced(accounts, moves)
        passage_name = passages.check(accounts, moves, passage, reference=reference)
        short = _first_overdrawn(accounts, moves)
        if short:
            # A repeat of a post that went through long ago must not be refused because the chips have moved on.
            earlier = Transfer.objects.filter(reference=reference).first()
            if earlier:
                return _same_transfer(earlier, moves)
            raise not_enough(short, -moves[short.pk])
        transfer = _write_transfer(reference, reason, at, by, passage_name)
        if transfer is None:
            return _same_transfer(Transfer.objects.get(reference=reference), moves)
        Entry.objects.bulk_create(
            Entry(transfer=transfer, account_id=account, amount=amount) for account, amount in moves.items()
        )
        _tell_owners(accounts[account] for account in moves)
        return transfer


def post_many(posts: Sequence[Post], *, at: datetime, by: User | None = None) -> list[Transfer]:
    """Post several transfers in this order, all or none, by a constant number of statements; else as `post` does, once
    for each reference: one that is there already moves nothing more.

    Callers that post one of these at the same time must hold a common lock of their own, or they wait at the same
    accounts.
    """
    moves = {}
    for post in posts:
        _check_words(reference=post.reference, reason=post.reason, at=at)
        moves[post.reference] = _net_moves(post.legs)
    if len(moves) < len(posts):
        raise Conflict("reference-taken", Verbatim("Two transfers of one reference were to be posted."))
    with _one_transaction():
        accounts = _lock_accounts({account: 0 for legs in moves.values() for account in legs})
        earlier_ones = Transfer.objects.filter(reference__in=moves).prefetch_related("entries")
        known = {earlier.reference: earlier for earlier in earlier_ones}
        fresh = [post for post in posts if post.reference not in known]
        for reference, earlier in known.items():
            _same_transfer(earlier, moves[reference])
        passage_names = {}
        for post in fresh:
            _refuse_unbalanced(accounts, moves[post.reference])
            touched = {pk: accounts[pk] for pk in moves[post.reference]}
            _require_step_up(touched, moves[post.reference], by)
            passage_names[post.reference] = passages.check(
                touched, moves[post.reference], post.passage, reference=post.reference
            )
            short = _first_overdrawn(touched, moves[post.reference])
            if short:
                raise not_enough(short, -moves[post.reference][short.pk])
            for pk, account in touched.items():
                account.balance += moves[post.reference][pk]  # in memory: the entries move it in the database
        transfers = Transfer.objects.bulk_create(
            Transfer(reference=post.reference, reason=post.reason, by=by, at=at, passage=passage_names[post.reference])
            for post in fresh
        )
        known |= {transfer.reference: transfer for transfer in transfers}
        Entry.objects.bulk_create(
            Entry(transfer=transfer, account_id=account, amount=amount)
            for transfer in transfers
            for account, amount in moves[transfer.reference].items()
        )
        _tell_owners(accounts[account] for post in fresh for account in moves[post.reference])
        return [known[post.reference] for post in posts]


def _tell_owners(accounts: Iterable[Account]) -> None:
    """Tell pages that show these wallets to refresh."""
    owners = {account.owner_id for account in accounts if account.kind == Account.Kind.WALLET}
    if owners:
        topics.tell(*(f"player:{owner}" for owner in sorted(owners)))


def reverse(
    *, transfer: Transfer, reason: StoredText, at: datetime, by: User | None, entry: StaffAction | None = None
) -> Transfer:
    """Undo a transfer by one that mirrors it, once; the present holders of the chips must still have them. `entry`: of
    the audit log, where one of the staff decided."""
    return post(**reversal(transfer, reason=reason, entry=entry)._asdict(), at=at, by=by)


def reversal(transfer: Transfer, *, reason: StoredText, entry: StaffAction | None = None) -> Post:
    """What `reverse` posts, for several at once by `post_many`. One query; none with its entries prefetched."""
    legs = [(row.account_id, -row.amount) for row in transfer.entries.all()]
    most = max((abs(chips) for _, chips in legs), default=0)
    return Post(f"reversal:{transfer.reference}", reason, legs, passages.reversal_passage(transfer, most, entry))


def open_account(*, kind: str, owner: User | None = None, label: str = "", unit: str = "cash") -> Account:
    """Open an empty account: always a new one for a stack, else the existing one of this kind."""
    if kind == Account.Kind.STACK:
        return Account.objects.create(kind=kind, owner=owner, label=label, unit=unit)
    if kind == Account.Kind.WALLET and owner is not None:
        return wallet(owner, unit=unit)
    is_named = kind in {Account.Kind.POOL, Account.Kind.DRAWER} and label
    if (kind == Account.Kind.HOUSE or is_named) and owner is None:
        return Account.objects.get_or_create(kind=kind, label=label, unit=unit)[0]
    if kind == Account.Kind.DEBT and owner is not None:
        return Account.objects.get_or_create(kind=kind, owner=owner, unit=unit)[0]
    raise Invalid(
        "no-such-account-kind", Verbatim(f"There is no {kind} account with{'' if owner else 'out'} an owner.")
    )


def open_stacks(stacks: Sequence[tuple[int, str]], *, unit: str) -> list[Account]:
    """Open an empty stack for each (id of its owner, label), in this order."""
    kind = Account.Kind.STACK
    return Account.objects.bulk_create(
        Account(kind=kind, owner_id=owner, label=label, unit=unit) for owner, label in stacks
    )


def wallet(user: User, *, unit: str = "cash") -> Account:
    """A player's chips in the house, made empty the first time it is asked for."""
    return Account.objects.get_or_create(kind=Account.Kind.WALLET, owner=user, unit=unit)[0]


def wallets(users: Collection[int], *, unit: str = "cash") -> dict[int, Account]:
    """The wallets of several players by their ids, made where there is none. Three statements at most."""
    kind = Account.Kind.WALLET
    held = Account.objects.filter(kind=kind, owner__in=users, unit=unit)
    accounts = {account.owner_id: account for account in held}
    absent = set(users) - set(accounts)
    if absent:
        Account.objects.bulk_create(
            [Account(kind=kind, owner_id=owner, unit=unit) for owner in sorted(absent)], ignore_conflicts=True
        )
        accounts = {account.owner_id: account for account in held.all()}
    return accounts


def balance(account: Account | int) -> int:
    """The balance of an account now, read from the database."""
    pk = account.pk if isinstance(account, Account) else account
    held = Account.objects.filter(pk=pk).values_list("balance", flat=True).first()
    if held is None:
        raise NotFound("no-such-account", Verbatim(f"There is no account {pk}."))
    return held


def repeated_transfer(earlier: Transfer, legs: Sequence[Leg]) -> Transfer:
    """The earlier transfer, which is asked for again; `Conflict` where other chips are to move now."""
    return _same_transfer(earlier, _net_moves(legs))


def _one_transaction() -> AbstractContextManager[None]:
    """A transaction of its own, or the caller's as it is: a savepoint would cost two statements and protect nothing."""
    return nullcontext() if connection.in_atomic_block else transaction.atomic()


def _check_words(*, reference: str, reason: StoredText, at: datetime) -> None:
    if not reference or len(reference) > _LONGEST:
        raise Invalid("bad-transfer", Verbatim(f"A transfer has a reference of 1 to {_LONGEST} characters."))
    if not reason or (isinstance(reason, str) and len(reason) > _LONGEST_REASON):
        raise Invalid("bad-transfer", Verbatim(f"A transfer has a reason of 1 to {_LONGEST_REASON} characters."))
    if at.tzinfo is None:
        raise Invalid("bad-transfer", Verbatim("The time of a transfer needs its time zone."))


def _net_moves(legs: Sequence[Leg]) -> dict[int, int]:
    """Chips by account id, in the order of the legs, without accounts whose legs add up to zero."""
    moves: dict[int, int] = {}
    for account, amount in legs:
        if type(amount) is not int or abs(amount) > MOST_CHIPS:
            raise Invalid("bad-amount", Verbatim(f"Chips are whole numbers of at most {MOST_CHIPS:,}, not {amount!r}."))
        pk = account.pk if isinstance(account, Account) else account
        moves[pk] = moves.get(pk, 0) + amount
    return {pk: amount for pk, amount in moves.items() if amount}


def _lock_accounts(moves: dict[int, int]) -> dict[int, Account]:
    """The accounts by id, locked in that order so that two transfers never wait for each other in a ring."""
    if not moves:
        return {}
    # Their keys stay as they are: `no_key` lets entries that refer to the accounts be written meanwhile.
    rows = Account.objects.select_for_update(no_key=True).filter(pk__in=moves).order_by("pk")
    accounts = {account.pk: account for account in rows}
    absent = [pk for pk in moves if pk not in accounts]
    if absent:
        raise NotFound("no-such-account", Verbatim(f"There is no account {absent[0]}."))
    return accounts


def _require_step_up(accounts: dict[int, Account], moves: dict[int, int], by: User | None) -> None:
    """A member of staff shows their second factor before chips pass from one owner to another.

    Not to spend their own chips, nor where the rules move chips (`by` None: a hand ends).
    """
    person = step_up.caller()
    if person is None or by is None:
        return
    is_own = all(accounts[pk].owner_id == person.user_id for pk, amount in moves.items() if amount < 0)
    if not is_own and _changes_owner(accounts, moves):
        step_up.require()


def _changes_owner(accounts: dict[int, Account], moves: dict[int, int]) -> bool:
    sums: dict[tuple[int | None, int], int] = {}
    for pk, amount in moves.items():
        owner = accounts[pk].owner_id
        whose = (owner, 0 if owner is not None else pk)
        sums[whose] = sums.get(whose, 0) + amount
    return any(sums.values())


def _refuse_unbalanced(accounts: dict[int, Account], moves: dict[int, int]) -> None:
    totals: dict[str, int] = {}
    for pk, amount in moves.items():
        unit = accounts[pk].unit
        totals[unit] = totals.get(unit, 0) + amount
    for unit, total in totals.items():
        if total:
            raise Invalid(
                "off-balance", Verbatim(f"The legs of a transfer add up to zero; these leave {total:+,} {unit}.")
            )


def _first_overdrawn(accounts: dict[int, Account], moves: dict[int, int]) -> Account | None:
    for pk, account in accounts.items():
        if account.kind != Account.Kind.HOUSE and account.balance + moves[pk] < 0:
            return account
    return None


_LACKS = {
    Account.Kind.WALLET: gettext_lazy("Not enough chips: the wallet holds {balance:,} and this takes {needed:,}."),
    Account.Kind.STACK: gettext_lazy("Not enough chips: the stack holds {balance:,} and this takes {needed:,}."),
    Account.Kind.HOUSE: gettext_lazy("Not enough chips: the house holds {balance:,} and this takes {needed:,}."),
    Account.Kind.POOL: gettext_lazy("Not enough chips: the pool holds {balance:,} and this takes {needed:,}."),
    Account.Kind.DRAWER: gettext_lazy("Not enough chips: the drawer holds {balance:,} and this takes {needed:,}."),
    Account.Kind.DEBT: gettext_lazy("Not enough chips: the debt holds {balance:,} and this takes {needed:,}."),
}


def not_enough(account: Account, needed: int) -> NotEnoughChips:
    """The refusal of an amount that this account, as it was just read, does not hold."""
    return NotEnoughChips(
        "not-enough-chips",
        Verbatim(filled(_LACKS[Account.Kind(account.kind)], balance=account.balance, needed=needed)),
        account=account.pk,
        held=account.balance,
        needed=needed,
    )


def _write_transfer(
    reference: str, reason: StoredText, at: datetime, by: User | None, passage: str | None
) -> Transfer | None:
    """The new transfer, or None where the reference is taken. Plain SQL, for the ORM cannot tell the two apart."""
    author = by.pk if by else None
    stored_reason = Transfer._meta.get_field("reason").get_db_prep_save(reason, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_transfer (reference, reason, by_id, at, passage) VALUES (%s, %s, %s, %s, %s) "
            "ON CONFLICT (reference) DO NOTHING RETURNING id",
            [reference, stored_reason, author, connection.ops.adapt_datetimefield_value(at), passage],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    names = ["id", "reference", "reason", "by_id", "at", "passage"]
    return Transfer.from_db(connection.alias, names, [row[0], reference, reason, author, at, passage])


def _same_transfer(earlier: Transfer, moves: dict[int, int]) -> Transfer:
    if dict(earlier.entries.values_list("account_id", "amount")) != moves:
        raise Conflict(
            "reference-taken",
            Verbatim(f"The reference {earlier.reference!r} belongs to a transfer that moved other chips."),
        )
    return earlier
