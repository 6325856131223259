"""The guards of `guards`, for PostgreSQL: functions, and triggers by name as (table, CREATE statement)."""

FUNCTIONS = [
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


def _refuse(name: str, table: str, moment: str, message: str, when: str = "") -> tuple[str, tuple[str, str]]:
    condition = f"WHEN ({when}) " if when else ""
    return name, (
        table,
        f"CREATE TRIGGER {name} BEFORE {moment} ON {table} FOR EACH ROW {condition}"
        f"EXECUTE FUNCTION cardroom_refuse('{message}')",
    )


def append_only(table: str, message: str) -> list[tuple[str, tuple[str, str]]]:
    """The guard of a table whose rows are neither changed nor deleted."""
    return [_refuse(f"{table}_stays", table, "UPDATE OR DELETE", message)]


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
        *append_only("ledger_entry", "a posted entry stays as it is: post a reversing transfer"),
        *append_only("ledger_transfer", "a posted transfer stays as it is: post a reversing transfer"),
        _refuse(
            "cardroom_account_opens_empty", "ledger_account", "INSERT",
            "an account opens empty: post a transfer into it", "NEW.balance <> 0",
        ),
        _refuse(
            "cardroom_account_keeps_identity", "ledger_account", "UPDATE",
            "an account keeps its kind, owner, label and unit: open another",
            "(OLD.id, OLD.kind, OLD.owner_id, OLD.label, OLD.unit) IS DISTINCT FROM "
            "(NEW.id, NEW.kind, NEW.owner_id, NEW.label, NEW.unit)",
        ),
        # The one UPDATE that may move a balance comes from within the trigger on entries.
        _refuse(
            "cardroom_account_balance_follows_entries", "ledger_account", "UPDATE",
            "a balance moves by entries only: post a transfer",
            "OLD.balance <> NEW.balance AND pg_trigger_depth() = 0",
        ),
        *append_only("accounts_sealedlook", "a look at sealed cards stays on record"),
        _refuse(
            "cardroom_sealedview_stays", "accounts_sealedview", "DELETE",
            "a view of sealed cards stays on record",
        ),
        _refuse(
            "cardroom_sealedview_only_ends", "accounts_sealedview", "UPDATE",
            "a view of sealed cards can only be ended early",
            "(OLD.id, OLD.user_id, OLD.agreed_by_id, OLD.reason, OLD.opened_at) IS DISTINCT FROM "
            "(NEW.id, NEW.user_id, NEW.agreed_by_id, NEW.reason, NEW.opened_at) OR NEW.until > OLD.until",
        ),
    ]
)  # fmt: skip
