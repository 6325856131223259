"""The guards of `guards`, for PostgreSQL: functions, and triggers by name as (table, CREATE statement)."""

from collections.abc import Collection, Iterator
from typing import Any

from cardroom.core.database.triggers import Trigger, quoted

PREPARATION = [
    """
    CREATE OR REPLACE FUNCTION cardroom_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    # One UPDATE for all entries of a statement, so that a hand's nine legs cost as much as two.
    """
    CREATE OR REPLACE FUNCTION cardroom_apply_entries() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE ledger_account AS account SET balance = account.balance + moved.amount
        FROM (SELECT account_id, SUM(amount)::bigint AS amount FROM inserted GROUP BY account_id) AS moved
        WHERE account.id = moved.account_id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION cardroom_check_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        fault record;
    BEGIN
        SELECT account.unit AS unit, SUM(entry.amount) AS amount INTO fault
        FROM ledger_entry AS entry JOIN ledger_account AS account ON account.id = entry.account_id
        WHERE entry.transfer_id = NEW.transfer_id
        GROUP BY account.unit HAVING SUM(entry.amount) <> 0 LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING
                MESSAGE = format('transfer %s is off balance by %s %s', NEW.transfer_id, fault.amount, fault.unit),
                ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
    END $$
    """,
]


def _refuse(name: str, table: str, moment: str, message: str, when: str = "") -> Trigger:
    condition = f"WHEN ({when}) " if when else ""
    return name, (
        table,
        f"CREATE TRIGGER {name} BEFORE {moment} ON {table} FOR EACH ROW {condition}"
        f"EXECUTE FUNCTION cardroom_refuse('{quoted(message)}')",
    )


def append_only(table: str, message: str, key: str) -> list[Trigger]:
    """The guards of a table whose rows are neither changed nor deleted."""
    return [_refuse(f"{table}_stays", table, "UPDATE OR DELETE", message), _refuse_emptying(table, message)]


def life_cycle(table: str, message: str, key: str, *, changed: str, stays: bool) -> list[Trigger]:
    """The guards of a table whose rows change only as their life goes on; `changed`: what no UPDATE may do."""
    triggers = [_refuse(f"{table}_keeps", table, "UPDATE", message, changed), _refuse_emptying(table, message)]
    return [*triggers, _refuse(f"{table}_stays", table, "DELETE", message)] if stays else triggers


def _refuse_emptying(table: str, message: str) -> Trigger:
    name = f"{table}_is_not_emptied"
    return name, (
        table,
        f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT "
        f"EXECUTE FUNCTION cardroom_refuse('{quoted(message)}')",
    )


TRIGGERS: dict[str, tuple[str, str]] = dict(
    [
        (
            "cardroom_entry_moves_balance",
            (
                "ledger_entry",
                "CREATE TRIGGER cardroom_entry_moves_balance AFTER INSERT ON ledger_entry "
                "REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION cardroom_apply_entries()",
            ),
        ),
        (
            "cardroom_transfer_balances",
            (
                "ledger_entry",
                "CREATE CONSTRAINT TRIGGER cardroom_transfer_balances AFTER INSERT ON ledger_entry "
                "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cardroom_check_transfer()",
            ),
        ),
        _refuse(
            "cardroom_account_opens_empty", "ledger_account", "INSERT",
            "an account opens empty: post a transfer into it", "NEW.balance <> 0",
        ),
        # The one UPDATE that may move a balance comes from within the trigger on entries.
        _refuse(
            "cardroom_account_balance_follows_entries", "ledger_account", "UPDATE",
            "a balance moves by entries only: post a transfer",
            "OLD.balance <> NEW.balance AND pg_trigger_depth() = 0",
        ),
        _refuse(
            "cardroom_sealedview_only_ends", "accounts_sealedview", "UPDATE",
            "a view of sealed cards can only be ended early", "NEW.until > OLD.until",
        ),
    ]
)  # fmt: skip

#: The triggers that are there: name, table, whether it is on, the bits of its moments, its function and that function's
#: body, and whether it has a condition.
IN_PLACE = """
    SELECT trigger.tgname, trigger.tgrelid::regclass::text, trigger.tgenabled IN ('O', 'A') AS is_on, trigger.tgtype,
        function.proname, function.prosrc, trigger.tgqual IS NOT NULL
    FROM pg_trigger AS trigger JOIN pg_proc AS function ON function.oid = trigger.tgfoid
    JOIN pg_class AS class ON class.oid = trigger.tgrelid
    WHERE NOT trigger.tgisinternal AND class.relnamespace = current_schema()::regnamespace
"""
#: The bits of `tgtype`.
_MOMENTS = {2: "BEFORE", 4: "INSERT", 8: "DELETE", 16: "UPDATE", 32: "TRUNCATE"}


def drop(name: str, table: str) -> str:
    """The statement that takes a trigger away."""
    return f"DROP TRIGGER {name} ON {table}"


def unchanged(rows: Collection[tuple[Any, ...]]) -> Iterator[str]:
    """The names of those `IN_PLACE` that are on and what they were made as."""
    bodies = {
        _text_between(statement, "FUNCTION ", "("): _text_between(statement, "$$", "$$") for statement in PREPARATION
    }
    for name, table, is_on, kind, function, body, has_condition in rows:
        expected = TRIGGERS.get(name)
        if expected is None or not is_on or table != expected[0] or body != bodies.get(function):
            continue
        create = expected[1]
        moments = sum(bit for bit, word in _MOMENTS.items() if word in create.partition(" ON ")[0])
        if function in create and kind & sum(_MOMENTS) == moments and has_condition == (" WHEN (" in create):
            yield name


def _text_between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]
