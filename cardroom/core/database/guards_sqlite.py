"""The guards of `guards`, for SQLite: helper tables, and triggers by name as (table, CREATE statement).

An `INSERT OR REPLACE` deletes without firing delete triggers, and an `INSERT OR IGNORE` passes its leniency on to the
statements inside a trigger: hence the explicit checks before an insert.
"""

from collections.abc import Collection, Iterator

from cardroom.core.database.triggers import Trigger, quoted

PREPARATION = [
    # Always empty: what points at it can never be committed.
    "CREATE TABLE IF NOT EXISTS cardroom_nowhere (id INTEGER PRIMARY KEY CHECK (1 = 0))",
    """
    CREATE TABLE IF NOT EXISTS cardroom_offbalance (
        transfer_id INTEGER NOT NULL,
        unit TEXT NOT NULL,
        amount INTEGER NOT NULL,
        settled_in INTEGER NOT NULL DEFAULT 0 REFERENCES cardroom_nowhere (id) DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (transfer_id, unit)
    )
    """,
    # Holds the account whose balance is moving while the trigger on entries moves it, and nothing at other times.
    "CREATE TABLE IF NOT EXISTS cardroom_moving (account_id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)",
]

_MOVE_BALANCE = """
    CREATE TRIGGER cardroom_entry_moves_balance AFTER INSERT ON ledger_entry
    BEGIN
        INSERT INTO cardroom_moving (account_id, balance)
            SELECT id, balance + NEW.amount FROM ledger_account WHERE id = NEW.account_id;
        UPDATE ledger_account SET balance = balance + NEW.amount WHERE id = NEW.account_id;
        DELETE FROM cardroom_moving;
    END
"""

_BALANCE_TRANSFER = """
    CREATE TRIGGER cardroom_transfer_balances AFTER INSERT ON ledger_entry
    BEGIN
        INSERT INTO cardroom_offbalance (transfer_id, unit, amount)
            SELECT NEW.transfer_id, unit, NEW.amount FROM ledger_account WHERE id = NEW.account_id
            ON CONFLICT (transfer_id, unit) DO UPDATE SET amount = amount + excluded.amount;
        DELETE FROM cardroom_offbalance WHERE transfer_id = NEW.transfer_id AND amount = 0;
    END
"""


def _refuse(name: str, table: str, moment: str, message: str, when: str = "") -> Trigger:
    condition = f"WHEN {when} " if when else ""
    return name, (
        table,
        f"CREATE TRIGGER {name} BEFORE {moment} ON {table} {condition}"
        f"BEGIN SELECT RAISE(ABORT, '{quoted(message)}'); END",
    )


def append_only(table: str, message: str, key: str) -> list[Trigger]:
    """The guards of a table whose rows are neither changed nor deleted; `key`: the column that identifies them."""
    return [
        _refuse(f"{table}_stays_unchanged", table, "UPDATE", message),
        _refuse(f"{table}_stays", table, "DELETE", message),
        _refuse_replacing(table, message, key),
    ]


def life_cycle(table: str, message: str, key: str, *, changed: str, stays: bool) -> list[Trigger]:
    """The guards of a table whose rows change only as their life goes on; `changed`: what no UPDATE may do."""
    changed = changed.replace("IS DISTINCT FROM", "IS NOT")
    triggers = [_refuse(f"{table}_keeps", table, "UPDATE", message, changed), _refuse_replacing(table, message, key)]
    return [*triggers, _refuse(f"{table}_stays", table, "DELETE", message)] if stays else triggers


def _refuse_replacing(table: str, message: str, key: str) -> Trigger:
    is_taken = f"EXISTS (SELECT 1 FROM {table} WHERE {key} = NEW.{key})"  # noqa: S608  a table of our own
    return _refuse(f"{table}_is_not_replaced", table, "INSERT", message, is_taken)


TRIGGERS: dict[str, tuple[str, str]] = dict(
    [
        ("cardroom_entry_moves_balance", ("ledger_entry", _MOVE_BALANCE)),
        ("cardroom_transfer_balances", ("ledger_entry", _BALANCE_TRANSFER)),
        _refuse(
            "cardroom_entry_does_not_overdraw", "ledger_entry", "INSERT",
            "an account of this kind cannot go below zero",
            "EXISTS (SELECT 1 FROM ledger_account WHERE id = NEW.account_id AND kind <> 'house' "
            "AND balance + NEW.amount < 0)",
        ),
        _refuse(
            "cardroom_account_opens_empty", "ledger_account", "INSERT",
            "an account opens empty: post a transfer into it", "NEW.balance <> 0",
        ),
        _refuse(
            "cardroom_account_balance_follows_entries", "ledger_account", "UPDATE",
            "a balance moves by entries only: post a transfer",
            "OLD.balance <> NEW.balance AND NOT EXISTS "
            "(SELECT 1 FROM cardroom_moving WHERE account_id = NEW.id AND balance = NEW.balance)",
        ),
        _refuse(
            "cardroom_sealedview_only_ends", "accounts_sealedview", "UPDATE",
            "a view of sealed cards can only be ended early", "NEW.until > OLD.until",
        ),
    ]
)  # fmt: skip

#: The triggers that are there: name, table and statement.
IN_PLACE = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"


def drop(name: str, table: str) -> str:
    """The statement that takes a trigger away."""
    return f"DROP TRIGGER {name}"


def unchanged(rows: Collection[tuple[str, str, str]]) -> Iterator[str]:
    """The names of those `IN_PLACE` that are what they were made as."""
    for name, _table, statement in rows:
        expected = TRIGGERS.get(name)
        if expected is not None and statement.split() == expected[1].split():
            yield name
