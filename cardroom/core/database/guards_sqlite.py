"""The guards of `guards`, for SQLite: helper tables, and triggers by name as (table, CREATE statement).

An `INSERT OR REPLACE` deletes without firing delete triggers, and an `INSERT OR IGNORE` passes its leniency on to the
statements inside a trigger: hence the explicit checks before an insert.
"""

TABLES = [
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


def _refuse(name: str, table: str, moment: str, message: str, when: str = "") -> tuple[str, tuple[str, str]]:
    condition = f"WHEN {when} " if when else ""
    return name, (
        table,
        f"CREATE TRIGGER {name} BEFORE {moment} ON {table} {condition}BEGIN SELECT RAISE(ABORT, '{message}'); END",
    )


def append_only(table: str, message: str) -> list[tuple[str, tuple[str, str]]]:
    """The guards of a table whose rows are neither changed nor deleted."""
    return [
        _refuse(f"{table}_stays_unchanged", table, "UPDATE", message),
        _refuse(f"{table}_stays", table, "DELETE", message),
        _refuse_replacing(table, message),
    ]


def _refuse_replacing(table: str, message: str) -> tuple[str, tuple[str, str]]:
    is_taken = f"EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)"  # noqa: S608  a table of our own
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
        *append_only("ledger_entry", "a posted entry stays as it is: post a reversing transfer"),
        *append_only("ledger_transfer", "a posted transfer stays as it is: post a reversing transfer"),
        _refuse(
            "cardroom_account_opens_empty", "ledger_account", "INSERT",
            "an account opens empty: post a transfer into it", "NEW.balance <> 0",
        ),
        _refuse_replacing("ledger_account", "an account is not replaced: open another"),
        _refuse(
            "cardroom_account_keeps_identity", "ledger_account", "UPDATE",
            "an account keeps its kind, owner, label and unit: open another",
            "(OLD.id, OLD.kind, OLD.label, OLD.unit) <> (NEW.id, NEW.kind, NEW.label, NEW.unit) "
            "OR OLD.owner_id IS NOT NEW.owner_id",
        ),
        _refuse(
            "cardroom_account_balance_follows_entries", "ledger_account", "UPDATE",
            "a balance moves by entries only: post a transfer",
            "OLD.balance <> NEW.balance AND NOT EXISTS "
            "(SELECT 1 FROM cardroom_moving WHERE account_id = NEW.id AND balance = NEW.balance)",
        ),
        *append_only("accounts_sealedlook", "a look at sealed cards stays on record"),
        _refuse(
            "cardroom_sealedview_stays", "accounts_sealedview", "DELETE",
            "a view of sealed cards stays on record",
        ),
        _refuse_replacing("accounts_sealedview", "a view of sealed cards stays on record"),
        _refuse(
            "cardroom_sealedview_only_ends", "accounts_sealedview", "UPDATE",
            "a view of sealed cards can only be ended early",
            "(OLD.id, OLD.user_id, OLD.reason, OLD.opened_at) <> (NEW.id, NEW.user_id, NEW.reason, NEW.opened_at) "
            "OR OLD.agreed_by_id IS NOT NEW.agreed_by_id OR NEW.until > OLD.until",
        ),
    ]
)  # fmt: skip
