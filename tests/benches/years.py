"""Ten years of a cash room, written straight into PostgreSQL: millions of entries that are what the room would have
posted, for what statements and reports cost among them.

Everything follows from the number of an evening at a table (`s`, number `slot` of its day) and of a seat there (`k`),
so each table is one INSERT ... SELECT. Six sit there for three hours and play `HANDS` hands. Even slots are raked,
three hands in four; odd ones pay time. Everybody plays with the same buy-in, and wins and loses by the remainders of
the hand's number. A few players come far more often than the others.

Keys and indexes are lifted for the load and put back, and so are the guards of the ledger, in
the same transaction: it is committed only once the ledger's own audit finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from django.db import connection, models, transaction

from cardroom.cage.models import Drawer, DrawerSession, Slip
from cardroom.core import access
from cardroom.core import audit as core_audit
from cardroom.core.database import guards
from cardroom.core.errors import Conflict, Verbatim
from cardroom.core.models import User
from cardroom.ledger import ledger
from cardroom.ledger.models import Account, Entry, Transfer
from games.rake.models.drops import HandDrop
from games.rake.models.times import CompAccrual, TimeCharge
from games.tables.models.offers import DropSchedule, Offer, Section
from games.tables.models.tables import Hand, SeatMove, Table
from games.tables.models.times import HandResult, Stay

PLAYERS, STAFF, TABLES = 5_000, 16, 16
SLOTS, SEATS, HANDS, PERIODS = 4, 6, 88, 6
BUY_IN, OPENING, DEPOSIT, WITHDRAWAL, TIME, POINTS = 20_000, 10_000_000, 500, 400, 6, 30
RAKE, PROMO = 2, 1

#: Stacks and what is taken in the hands; coming, going and comps; deposits and withdrawals of two in three.
_BOTH = SEATS * 2 * 3 + SEATS // 3 * 4 * 2
_RAKED = HANDS * SEATS + HANDS * 3 // 4 * 2 + _BOTH
_TIMED = HANDS * SEATS + PERIODS * SEATS * 2 + _BOTH
ENTRIES_A_DAY = (_RAKED + _TIMED) * SLOTS // 2
OPENING_ENTRIES = PLAYERS * 4

_EVENINGS = "year_evening"
_STAYS = "year_stay"
_HANDS = "year_hand"
_TRANSFERS = "year_transfer"


#: What is written in bulk; the rest is a few rows each.
_BULK = (Transfer, Entry, Account, Hand, HandDrop, HandResult, SeatMove, Stay, TimeCharge, CompAccrual, Slip)
LEDGER_CHECKS = ("transfers balance", "balances equal entries", "nobody owes", "guards in place")

Tell = Callable[[str], Any]


def write(*, entries: int, tell: Tell = str) -> dict[str, int]:
    """At least so many entries, up to yesterday; how many rows of what there are then.

    Refuses (`Conflict`): a database that is not PostgreSQL, or in which there is anything of a room already; and, with
    nothing written, should the ledger's audit find a fault.
    """
    if connection.vendor != "postgresql":
        raise Conflict("not-postgresql", Verbatim("Years of play are written into PostgreSQL alone: set DATABASE_URL."))
    if User.objects.exists() or Table.objects.exists() or Transfer.objects.exists():
        raise Conflict("not-empty", Verbatim("There is a room in this database: years of play go into an empty one."))
    days = max(2, ceil((entries - OPENING_ENTRIES) / ENTRIES_A_DAY))
    first_day = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)
    with transaction.atomic():
        names = _few(first_day)
        with _lifted(tell):
            _many(statements(days=days, first_day=first_day, **names), tell)
        tell("audit of the ledger")
        if faults := core_audit.run(only=LEDGER_CHECKS).faults:
            raise Conflict("off-balance", Verbatim(f"The ledger would not be right: {faults[0]}"))
    tell("vacuum and analyze")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    return {model._meta.model_name or "": model.objects.count() for model in (*_BULK, User)} | {"days": days}


def _few(first_day: datetime) -> dict[str, Any]:
    """People, games, tables and the accounts that stay; their numbers for the statements."""
    access.ensure_roles()
    staff = _people([f"staff{number:02}" for number in range(1, STAFF + 1)])
    for role, user in zip(("manager", "cashier", "auditor", "floor"), staff, strict=False):
        access.grant_role(user=user, role=role, by=None)
    players = _people([f"player{number:04}" for number in range(PLAYERS)])
    tables = _tables(staff[0], first_day)
    drawer = Drawer.objects.create(name="Cage 1", made_at=first_day)
    house, money = Account.Kind.HOUSE, "money"
    named = {
        "chips": ledger.open_account(kind=house, label="chips"),
        "comps": ledger.open_account(kind=house, label="comps", unit="comp"),
        "street": ledger.open_account(kind=house, label="street", unit=money),
        "drawer": ledger.open_account(kind=Account.Kind.DRAWER, label=f"drawer:{drawer.pk}", unit=money),
    }
    per_table = {
        what: _in_a_row([Account(kind=house, label=f"{what}:table:{table.pk}") for table in tables])
        for what in ("rake", "promo", "time")
    }
    wallets = {
        unit: _in_a_row([Account(kind=Account.Kind.WALLET, owner=player, unit=unit) for player in players])
        for unit in ("cash", "comp")
    }
    session = DrawerSession.objects.create(drawer=drawer, cashier=staff[1], opened_at=first_day)
    return {
        "player": players[0].pk,
        "staff": staff[0].pk,
        "table": tables[0].pk,
        "session": session.pk,
        "stack": Account.objects.latest("pk").pk + 1,
        **{name: account.pk for name, account in named.items()},
        **per_table,
        "wallet": wallets["cash"],
        "comp_wallet": wallets["comp"],
    }


def _people(names: list[str]) -> list[User]:
    return User.objects.bulk_create(User(username=name, password="!") for name in names)


def _in_a_row(accounts: list[Account]) -> int:
    """The id of the first of these new accounts, whose ids follow each other."""
    return Account.objects.bulk_create(accounts)[0].pk


def _tables(manager: User, first_day: datetime) -> list[Table]:
    """Two games, one raked and one for time, and their tables in turns."""
    made = {"made_at": first_day, "made_by": manager}
    rake = DropSchedule.objects.create(name="Rake", caps=[[2, 3]], promo=1, **made)
    time = DropSchedule.objects.create(name="Time", kind="time", time_charges=[[2, 6]], **made)
    stakes = {"ante": 2, "bring_in": 5, "small_bet": 15, "big_bet": 30, "min_buy_in": 300, "max_buy_in": 20_000}
    sections = [Section.objects.create(name=f"Section {number}", place=number) for number in range(4)]
    offers = [
        Offer.objects.create(name=name, drop=drop, made_at=first_day, comp_per_hour=10, **stakes)
        for name, drop in (("Stud 15/30", rake), ("Stud 15/30, time", time))
    ]
    tables = [
        Table(
            name=f"Table {number + 1}",
            offer=offers[number % 2],
            drop=offers[number % 2].drop,
            section=sections[number % 4],
            opened_at=first_day,
            **stakes,
        )
        for number in range(TABLES)
    ]
    return Table.objects.bulk_create(tables)


def _many(statements: Iterator[tuple[str, str | Rows]], tell: Tell) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '512MB'")
        cursor.execute("SET LOCAL work_mem = '128MB'")
        for what, statement in statements:
            tell(what)
            if isinstance(statement, Rows):
                sql, given = _insert(statement)
                cursor.execute(sql, given)
            else:
                cursor.execute(statement)
        for model in _BULK:
            if model is not Slip:  # its numbers are given out by the cage
                name = model._meta.db_table
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))")


def _insert(rows: Rows) -> tuple[str, list[Any]]:
    """INSERT ... SELECT, with the model's own default wherever the rows do not say."""
    columns, values, given = [], [], []
    for field in rows.model._meta.concrete_fields:
        said = rows.columns.get(field.column)
        if said is None and (field.null or isinstance(field, models.AutoField)):
            continue
        columns.append(f'"{field.column}"')
        values.append("%s" if said is None else said)
        if said is None:
            given.append(field.get_db_prep_save(field.get_default(), connection))
    head = f'INSERT INTO "{rows.model._meta.db_table}" ({", ".join(columns)})'
    return f"{head} SELECT {', '.join(values)} FROM {rows.source}", given


@contextmanager
def _lifted(tell: Tell) -> Iterator[None]:
    """Load without triggers, foreign keys, unique constraints and indexes; afterwards they are what they were."""
    names = [model._meta.db_table for model in _BULK]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE conrelid = ANY(%s::regclass[]) AND contype IN ('f', 'u') ORDER BY contype DESC",
            [names],
        )
        constraints = cursor.fetchall()
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
            "WHERE indrelid = ANY(%s::regclass[]) "
            "AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))",
            [names],
        )
        indexes = cursor.fetchall()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for name in names:
            cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        for table, name, _ in constraints:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
    yield
    with connection.cursor() as cursor:
        tell("indexes and keys")
        for _, definition in indexes:
            cursor.execute(definition)
        for table, name, definition in constraints:
            cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')
        for name in names:
            cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")
    if lost := guards.missing(connection):
        raise Conflict("guard-missing", Verbatim(f"The guard {lost[0]} is not back in its place."))


@dataclass(frozen=True)
class Rows:
    """Rows of a model: SQL by column, and where it is selected from."""

    model: type[models.Model]
    source: str
    columns: Mapping[str, str]


def statements(*, days: int, first_day: datetime, **at: Any) -> Iterator[tuple[str, str | Rows]]:
    """What is done, in words, and how. `at`: the ids of what is there, see `_few`."""
    yield "evenings", _evenings(days, first_day, at)
    yield "stays", _stays(at)
    yield "stacks", _stacks(at)
    yield "hands", _hands()
    yield from (("hands", rows) for rows in _hand_rows(at))
    yield from (("seats", rows) for rows in _seat_rows())
    yield "transfers", _transfers(first_day, at)
    yield from (("transfers", rows) for rows in _slip_rows(at))
    yield "entries", _entries(at)
    yield (
        "balances",
        "UPDATE ledger_account AS account SET balance = moved.amount FROM (SELECT account_id, SUM(amount) AS amount "
        "FROM ledger_entry GROUP BY account_id) AS moved WHERE account.id = moved.account_id",
    )


def _temporary(name: str, select: str) -> str:
    return f"CREATE TEMPORARY TABLE {name} ON COMMIT DROP AS {select}"


def _evenings(days: int, first_day: datetime, at: Mapping[str, Any]) -> str:
    return _temporary(
        _EVENINGS,
        f"""SELECT s, s / {SLOTS} AS day, mod(s, {SLOTS}) AS slot, {at["table"]} + mod(s, {TABLES}) AS table_id,
            mod(s, {TABLES}) AS place, s / {TABLES} AS round, mod(s, 2) = 0 AS is_raked,
            timestamptz '{first_day.isoformat()}' + (s / {SLOTS}) * interval '1 day' + interval '18 hours'
              + mod(s, {SLOTS}) * interval '7 seconds' AS at,
            6 * floor({PLAYERS // 6} * power(mod(s * 7919, 10007) / 10007.0, 3))::int AS crowd
        FROM generate_series(0, {days * SLOTS - 1}) AS s""",
    )


def _stays(at: Mapping[str, Any]) -> str:
    return _temporary(
        _STAYS,
        f"""SELECT evening.*, k, s * {SEATS} + k AS stay, crowd + k AS person, {at["player"]} + crowd + k AS player_id,
            {at["stack"]} + s * {SEATS} + k AS account_id,
            day * {2 * SLOTS * SEATS} + slot * {SEATS} + k + 1 AS sat_id,
            day * {2 * SLOTS * SEATS} + {SLOTS * SEATS} + slot * {SEATS} + k + 1 AS left_id,
            at + k * interval '1 second' AS sat_at, at + interval '190 minutes' + k * interval '1 second' AS left_at
        FROM {_EVENINGS} AS evening, generate_series(0, {SEATS - 1}) AS k""",
    )


def _stacks(at: Mapping[str, Any]) -> Rows:
    columns = {"id": "account_id", "kind": "'stack'", "owner_id": "player_id", "balance": "0"}
    label = "'table:' || table_id || ':seat:' || (k + 1)"
    return Rows(Account, f"{_STAYS} ORDER BY account_id", {**columns, "label": label, "unit": "'cash'"})


def _hands() -> str:
    """Every hand with what it comes to."""
    pot = " + ".join(_put_in("n", k) for k in range(SEATS))
    return _temporary(
        _HANDS,
        f"""SELECT numbered.*, {pot} AS pot, mod(n * 5 + n / 7, {SEATS}) AS winner,
            CASE WHEN is_raked AND mod(h, 4) > 0 THEN {RAKE} ELSE 0 END AS rake,
            CASE WHEN is_raked AND mod(h, 4) > 0 THEN {PROMO} ELSE 0 END AS promo
        FROM (SELECT evening.*, h, (day::bigint * {HANDS} + h) * {SLOTS} + slot + 1 AS n,
              at + interval '1 minute' + h * interval '2 minutes' AS dealt_at
              FROM {_EVENINGS} AS evening, generate_series(0, {HANDS - 1}) AS h) AS numbered""",
    )


def _put_in(hand: str, seat: object) -> str:
    return f"(10 + mod({hand} * 7 + {seat} * 13, 41))"


def _hand_rows(at: Mapping[str, Any]) -> Iterator[Rows]:
    over = "dealt_at + interval '100 seconds'"
    seats = " || ',' || ".join(
        f"""'"{k + 1}":{{"player":' || {at["player"] + k} + crowd || ',"name":"player'
        || lpad((crowd + {k})::text, 4, '0') || '","is_bot":false,"account":'
        || {at["stack"] + k} + s * {SEATS} || '}}'"""
        for k in range(SEATS)
    )
    hand = {"id": "n", "table_id": "table_id", "number": f"round * {HANDS} + h + 1", "started_at": "dealt_at"}
    hand |= {"seats": f"('{{' || {seats} || '}}')::jsonb", "ended_at": over, "seq": "40", "pot": "pot"}
    yield Rows(Hand, f"{_HANDS} ORDER BY n", hand)
    drop = {"hand_id": "n", "table_id": "table_id", "players": str(SEATS), "pot": "pot", "rake": "rake"}
    drop |= {"promo": "promo", "jackpot": "0", "at": over, "why": "CASE WHEN rake = 0 THEN 'no-call' ELSE '' END"}
    drop |= {"offer_id": "t.offer_id", "schedule_id": "t.drop_id", "dealer_id": f"{at['staff']} + 4 + mod(s, 12)"}
    drop = {column: said.replace("table_id", "h.table_id") for column, said in drop.items()}
    yield Rows(HandDrop, f"{_HANDS} AS h JOIN tables_table AS t ON t.id = h.table_id WHERE is_raked ORDER BY n",
               drop | {"pot": "h.pot"})  # fmt: skip
    put = _put_in("n", "k")
    result = {"hand_id": "n", "table_id": "table_id", "player_id": f"{at['player']} + crowd + k", "seat": "k + 1"}
    result |= {"stay_id": f"s * {SEATS} + k + 1", "put_in": put, "at": over}
    result |= {"is_cash": "true", "is_showdown": "true", "is_all_in": "false"}
    result |= {"game": "'seven-card-stud'", "start": "'other'", "saw": "7", "has_folded": "false", "big_bet": "10"}
    result |= {"is_voluntary": "true", "is_raised": "false"}
    result |= {"net": f"CASE WHEN k = winner THEN pot - rake - promo ELSE 0 END - {put}"}
    result |= {"taken": "CASE WHEN k < rake + promo THEN 1 ELSE 0 END"}
    yield Rows(HandResult, f"{_HANDS}, generate_series(0, {SEATS - 1}) AS k ORDER BY n, k", result)


def _seat_rows() -> Iterator[Rows]:
    sat = {"id": "sat_id", "table_id": "table_id", "player_id": "player_id", "number": "k + 1", "at": "sat_at"}
    yield Rows(SeatMove, _STAYS, sat | {"kind": "'sat'", "amount": str(BUY_IN)})
    left = {"id": "left_id", "at": "left_at", "kind": "'left'", "amount": "held"}
    won = "SELECT stay_id, SUM(net) AS net FROM tables_handresult GROUP BY stay_id"
    held = f"{BUY_IN} + won.net - CASE WHEN is_raked THEN 0 ELSE {PERIODS * TIME} END AS held"
    yield Rows(
        SeatMove, f"(SELECT y.*, {held} FROM {_STAYS} AS y JOIN ({won}) AS won ON won.stay_id = y.stay + 1) AS gone",
        sat | left,
    )  # fmt: skip
    stay = {"id": "stay + 1", "sat_id": "sat_id", "left_id": "left_id", "left_at": "left_at", "sat_at": "sat_at"}
    stay |= {"per_hour": "10"}
    yield Rows(Stay, f"{_STAYS} ORDER BY stay", {**sat, **stay})
    comp = {"id": "stay + 1", "stay_id": "stay + 1", "player_id": "player_id", "since": "sat_at", "until": "left_at"}
    comp |= {"seconds": "11400", "per_hour": "10", "points": str(POINTS), "rest": "0", "at": "left_at"}
    yield Rows(CompAccrual, f"{_STAYS} ORDER BY stay", comp)
    begins = "at + c * interval '30 minutes'"
    paid = {"amount": str(TIME), "paid": str(TIME), "parts": "1", "state": "'charged'", "players": str(SEATS)}
    charge = {"id": _charge("c"), "period_start": begins, "at": begins, "number": "k + 1"}
    charge |= {"table_id": "table_id", "player_id": "player_id"}
    yield Rows(TimeCharge, f"{_STAYS}, generate_series(0, {PERIODS - 1}) AS c WHERE NOT is_raked", charge | paid)


def _charge(period: str) -> str:
    return f"((day * {PERIODS} + {period}) * {SLOTS // 2} + slot / 2) * {SEATS} + k + 1"


def _transfers(first_day: datetime, at: Mapping[str, Any]) -> str:
    """Every transfer, numbered as it came; `n` is the number of what it is of."""
    cashier = at["staff"] + 1
    parts = [
        "SELECT 'hand' AS kind, n::bigint, dealt_at + interval '100 seconds' AS at, place, NULL::bigint AS by "
        f"FROM {_HANDS}",
        f"SELECT 'buy-in', sat_id, sat_at, place, player_id FROM {_STAYS}",
        f"SELECT 'cash-out', left_id, left_at, place, player_id FROM {_STAYS}",
        f"SELECT 'comp:play', stay + 1, left_at, place, NULL FROM {_STAYS}",
        f"SELECT 'time', {_charge('c')}, at + c * interval '30 minutes', place, NULL "
        f"FROM {_STAYS}, generate_series(0, {PERIODS - 1}) AS c WHERE NOT is_raked",
        f"SELECT 'deposit', stay, sat_at - interval '10 minutes', place, {cashier} FROM {_STAYS} "
        "WHERE mod(stay, 3) = 0",
        f"SELECT 'withdrawal', stay, left_at + interval '10 minutes', place, {cashier} FROM {_STAYS} "
        "WHERE mod(stay, 3) = 1",
        f"SELECT 'opening', p, timestamptz '{first_day.isoformat()}' + interval '8 hours' + p * interval '1 second', "
        f"0, {cashier} FROM generate_series(0, {PLAYERS - 1}) AS p",
    ]
    every = " UNION ALL ".join(parts)
    slips = "kind IN ('deposit', 'withdrawal', 'opening')"
    return _temporary(
        _TRANSFERS,
        f"""SELECT every.*, row_number() OVER (ORDER BY at, kind, n) AS id, CASE WHEN {slips}
            THEN row_number() OVER (PARTITION BY {slips} ORDER BY at, kind, n) END AS slip FROM ({every}) AS every""",
    )


_REASON = """to_jsonb(CASE kind WHEN 'withdrawal' THEN 'withdrawal'
  WHEN 'deposit' THEN 'deposit' WHEN 'opening' THEN 'deposit'
  ELSE CASE kind WHEN 'hand' THEN 'a hand' WHEN 'cash-out' THEN 'cashed out' WHEN 'comp:play' THEN 'play' ELSE kind END
    || ' at Table ' || place + 1 END)"""
_NOUN = "CASE kind WHEN 'opening' THEN 'deposit' ELSE kind END"


def _slip_rows(at: Mapping[str, Any]) -> Iterator[Rows]:
    reference = f"{_NOUN} || ':' || coalesce(slip, n)"
    transfer = {"id": "id", "reference": reference, "reason": _REASON, "by_id": "by", "at": "at"}
    yield Rows(Transfer, f"{_TRANSFERS} ORDER BY id", transfer)
    amount = f"CASE kind WHEN 'opening' THEN {OPENING} WHEN 'deposit' THEN {DEPOSIT} ELSE {WITHDRAWAL} END"
    player = f"CASE kind WHEN 'opening' THEN {at['player']} + n ELSE y.player_id END"
    slip = {"id": "slip", "kind": _NOUN, "player_id": player, "session_id": str(at["session"]), "amount": amount}
    slip |= {"transfer_id": "t.id", "by_id": "t.by", "at": "t.at"}
    source = f"{_TRANSFERS} AS t LEFT JOIN {_STAYS} AS y ON y.stay = t.n WHERE slip IS NOT NULL ORDER BY slip"
    yield Rows(Slip, source, slip)


def _entries(at: Mapping[str, Any]) -> Rows:
    """The legs of all transfers, in their order."""
    moved = f"{_TRANSFERS} AS t JOIN"
    wallet, comp = f"{at['wallet']} + person", f"{at['comp_wallet']} + person"
    legs = [
        f"SELECT t.id, {at['stack']} + stay_id - 1 AS account, net AS amount FROM {moved} tables_handresult AS r "
        "ON t.kind = 'hand' AND r.hand_id = t.n"
    ]
    legs += [
        f"SELECT t.id, {at[part]} + h.place, h.{part} FROM {moved} {_HANDS} AS h "
        f"ON t.kind = 'hand' AND h.n = t.n WHERE h.{part} > 0"
        for part in ("rake", "promo")
    ]
    legs += [
        f"SELECT t.id, unnest(ARRAY[{wallet}, y.account_id]), unnest(ARRAY[-m.amount, m.amount]) * {sign} "
        f"FROM {moved} {_STAYS} AS y ON t.kind = '{kind}' AND y.{move} = t.n JOIN tables_seatmove AS m ON m.id = t.n"
        for kind, move, sign in (("buy-in", "sat_id", 1), ("cash-out", "left_id", -1))
    ]
    legs.append(
        f"SELECT t.id, unnest(ARRAY[y.account_id, {at['time']} + y.place]), unnest(ARRAY[{-TIME}, {TIME}]) "
        f"FROM {moved} (SELECT *, {_charge('c')} AS charge FROM {_STAYS}, generate_series(0, {PERIODS - 1}) AS c) AS y "
        "ON t.kind = 'time' AND NOT y.is_raked AND y.charge = t.n"
    )
    legs.append(
        f"SELECT t.id, unnest(ARRAY[{at['comps']}, {comp}]), unnest(ARRAY[{-POINTS}, {POINTS}]) FROM {moved} {_STAYS} "
        "AS y ON t.kind = 'comp:play' AND y.stay + 1 = t.n"
    )
    legs += [_through_the_cage(at, "opening", "n", OPENING, "generate_series(0, 0) AS y ON TRUE")]
    legs += [
        _through_the_cage(at, kind, "person", amount, f"{_STAYS} AS y ON y.stay = t.n")
        for kind, amount in (("deposit", DEPOSIT), ("withdrawal", -WITHDRAWAL))
    ]
    columns = {"transfer_id": "id", "account_id": "account", "amount": "amount"}
    return Rows(Entry, f"({' UNION ALL '.join(legs)}) AS legs ORDER BY id, account", columns)


def _through_the_cage(at: Mapping[str, Any], kind: str, person: str, amount: int, whose: str) -> str:
    accounts = f"{at['street']}, {at['drawer']}, {at['chips']}, {at['wallet']} + {person}"
    amounts = f"{-amount}, {amount}, {-amount}, {amount}"
    return (
        f"SELECT t.id, unnest(ARRAY[{accounts}]), unnest(ARRAY[{amounts}]) FROM {_TRANSFERS} AS t JOIN {whose} "
        f"WHERE t.kind = '{kind}'"
    )
