"""Sheets for the wall and for the desk, printed: structure, results, seating, counts, payouts and money."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext

from cardroom.core import access, room_time, sentences
from cardroom.core.documents import mm, moment
from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.paper import A4, Column, Paper
from cardroom.core.sentences import filled, joined, translated
from tournaments.directing import outcomes
from tournaments.directing import queries as directing_queries
from tournaments.directing.money_report import EventMoney
from tournaments.directing.outcomes import EventOutcome, KnockOut
from tournaments.engine.clock import Level, Structure
from tournaments.engine.config import EventConfig
from tournaments.engine.plain import ordinal
from tournaments.events import journal as event_journal
from tournaments.events import queries as event_words
from tournaments.events import staff, terms
from tournaments.events.models import Tournament, TournamentEntry


def structure_sheet(*, tournament: Tournament, now: datetime) -> bytes:
    """Levels with their stakes, lengths and the times at which they begin as the clock stands, the price of an entry
    and until when there is entry."""
    config = terms.config_of(tournament)
    structure = _structure(tournament, config.structure)
    paper = Paper(gettext("Structure, {name}").format(name=tournament.name), A4)
    y = _sheet_heading(paper, tournament, gettext("Structure"))
    entry = terms.price_of(tournament, "entry")
    paid = filled(gettext("Entry {total:,}"), total=entry.total) if entry.total else gettext("Free entry")
    facts = [
        paid,
        filled(gettext("{starting_stack:,} chips"), starting_stack=config.starting_stack),
        event_words.games(config),
        event_words.format_of(config),
    ]
    if config.late_level:
        pattern = gettext("late registration to the end of level {level}")
        if config.has_entry_in_break:
            pattern = gettext("late registration to the end of level {level}, and the break after it")
        facts.append(pattern.format(level=config.late_level))
    y = paper.lines(joined(facts) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    times = directing_queries.level_times(tournament, structure, now=now)
    printed = _printed_columns(structure, config, times)
    columns = [column for column, _ in printed]
    rows = [[cell(index) for _, cell in printed] for index in range(len(structure.levels))]
    paper.listing(columns, rows, y, head=gettext("Structure, {name}").format(name=tournament.name), size=11)
    return paper.done()


def results_sheet(*, tournament: Tournament) -> bytes:
    """Places, prizes and bounties, and the knock-outs; so far, while the event is played."""
    paper = Paper(gettext("Results, {name}").format(name=tournament.name), A4)
    y = _sheet_heading(paper, tournament, gettext("Results") if tournament.is_over else gettext("Results so far"))
    figures = [
        filled(gettext("{entries_count:,} entries"), entries_count=tournament.entries_count),
        filled(gettext("{pool:,} paid for prizes"), pool=tournament.pool),
    ]
    if tournament.places_paid:
        figures.append(
            ngettext("{n} place paid", "{n} places paid", tournament.places_paid).format(n=tournament.places_paid)
        )
    y = paper.lines(joined(figures) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    in_order = outcomes.results(tournament)
    has_bounties = any(result.bounties for result in in_order)
    columns = [
        Column(gettext("Place"), 14),
        Column(gettext("Player"), 50),
        Column(pgettext("its number", "Entry"), 10, is_number=True),
    ]
    columns += [Column(gettext("Prize"), 16, is_number=True)]
    columns += [Column(gettext("Bounties"), 16, is_number=True)] if has_bounties else []
    y = paper.listing(
        columns,
        [_result(result, has_bounties=has_bounties) for result in in_order],
        y,
        head=gettext("Results, {name}").format(name=tournament.name),
    )
    knock_outs = outcomes.knock_outs(tournament)
    if knock_outs:
        if y > paper.height - 100:
            paper.turn()
            y = paper.margin
        paper.line(gettext("Knock-outs"), paper.margin, y + 24, size=13, bold=True)
        rows = [_knock_out(knock_out) for knock_out in reversed(knock_outs)]
        paper.listing(_outs_columns(), rows, y + 44, head=gettext("Knock-outs, {name}").format(name=tournament.name))
    return paper.done()


def seating_sheet(*, tournament: Tournament, by: User, by_name: bool) -> bytes:
    """The seating, for the wall: by name, or by table and seat.

    Refuses: `Forbidden`, `NotFound` (nobody has a seat).
    """
    access.require_role(by, *staff.TABLES)
    entries = _seated_entries(tournament)
    title = gettext("Seating by name") if by_name else gettext("Seating by table")
    paper = Paper(f"{title}, {tournament.name}", A4)
    y = _sheet_heading(paper, tournament, title)
    table, seat = Column(gettext("Table"), 10, is_number=True), Column(gettext("Seat"), 10, is_number=True)
    number = Column(pgettext("its number", "Entry"), 10, is_number=True)
    if by_name:
        columns = [Column(gettext("Player"), 50), number, table, seat]
        in_order = sorted(entries, key=lambda entry: (entry.name.casefold(), entry.number))
        rows: list[list[object]] = [[entry.name, entry.number, entry.table, entry.seat] for entry in in_order]
    else:
        columns = [table, seat, Column(gettext("Player"), 50), number]
        rows = [[entry.table, entry.seat, entry.name, entry.number] for entry in entries]
    paper.listing(columns, rows, y, head=f"{title}, {tournament.name}", size=11)
    return paper.done()


_COUNTS_A_PAGE = 2
_COUNT_LINE = 11 * mm


def count_sheets(*, tournament: Tournament, by: User) -> bytes:
    """A form for each table on which its stacks are written down, two to a page to be cut.

    Refuses: `Forbidden`, `NotFound` (nobody has a seat).
    """
    access.require_role(by, *staff.TABLES)
    tables: dict[int, list[TournamentEntry]] = {}
    for entry in _seated_entries(tournament):
        tables.setdefault(entry.table or 0, []).append(entry)
    paper = Paper(gettext("Count sheets, {name}").format(name=tournament.name), A4)
    half = paper.height / _COUNTS_A_PAGE
    for place, (table, entries) in enumerate(tables.items()):
        if place and place % _COUNTS_A_PAGE == 0:
            paper.turn()
        top = place % _COUNTS_A_PAGE * half
        if top:
            paper.rule(top, x=0, width=paper.width, dashed=True)
        _count_sheet(paper, tournament, table, entries, top)
    return paper.done()


def _count_sheet(
    paper: Paper, tournament: Tournament, table: int, entries: Sequence[TournamentEntry], top: float
) -> None:
    left, right = paper.margin, paper.width - paper.margin
    y = top + 15 * mm
    paper.line(gettext("Table {table}").format(table=table), left, y, size=22, bold=True, width=0.4 * paper.inner)
    paper.line(tournament.name, right, y, size=10, grey=True, width=0.55 * paper.inner, align="right")
    for entry in entries:
        y += _COUNT_LINE
        paper.line(str(entry.seat), left + 6 * mm, y, size=14, bold=True, align="right")
        paper.line(entry.name, left + 10 * mm, y, size=13, width=0.5 * paper.inner)
        paper.rule(y + 1 * mm, x=right - 60 * mm, width=60 * mm)
    y += _COUNT_LINE
    paper.line(gettext("Total"), right - 64 * mm, y, size=11, bold=True, align="right")
    paper.rule(y + 1 * mm, x=right - 60 * mm, width=60 * mm)
    paper.line(gettext("Counted by"), left, y, size=9, grey=True)
    paper.rule(y + 1 * mm, x=left + 25 * mm, width=45 * mm)


def _seated_entries(tournament: Tournament) -> list[TournamentEntry]:
    rows = list(tournament.entries.filter(state=TournamentEntry.State.IN, table__gt=0).order_by("table", "seat"))
    if not rows:
        raise NotFound("no-seats", "Nobody has a seat yet.")
    return rows


def payouts_sheet(*, tournament: Tournament, by: User) -> bytes:
    """What each place gets; after a deal, what was agreed for whom, and the places below.

    Refuses: `Forbidden`, `NotFound` (no prizes yet).
    """
    access.require_role(by, *staff.TABLES)
    shares, rest, left = directing_queries.payout_lines(tournament)
    if not shares and not rest:
        raise NotFound("no-prizes", "There are no prizes yet.")
    paper = Paper(gettext("Payouts, {name}").format(name=tournament.name), A4)
    y = _sheet_heading(paper, tournament, gettext("Payouts"))
    head = gettext("Payouts, {name}").format(name=tournament.name)
    if shares:
        columns = [Column(gettext("Deal accepted"), 60), Column(gettext("Gets"), 20, is_number=True)]
        rows: list[list[object]] = [[name, amount] for name, amount in shares]
        rows += [[gettext("The winner, on top"), left]] if left else []
        y = paper.listing(columns, rows, y, head=head, size=12) + 24
    if rest:
        columns = [Column(gettext("Place"), 30), Column(gettext("Prize"), 20, is_number=True)]
        paper.listing(columns, [[translated(ordinal(place)), amount] for place, amount in rest], y, head=head, size=12)
    return paper.done()


def money_sheet(*, tournament: Tournament, report: EventMoney) -> bytes:
    """What was paid in and how, what was paid out, and the drawers that the cash lay in."""
    paper = Paper(gettext("Money, {name}").format(name=tournament.name), A4)
    head = gettext("Money, {name}").format(name=tournament.name)
    y = _sheet_heading(paper, tournament, gettext("Money"))
    figures = [
        filled(gettext("{chips:,} received"), chips=report.received),
        filled(gettext("{chips:,} fees of the house"), chips=report.fees),
        filled(gettext("{chips:,} of prizes paid"), chips=report.prizes_paid),
    ]
    for pattern, chips in (
        (gettext("{chips:,} of prizes due"), report.prizes_due),
        (gettext("{chips:,} of refunds due"), report.refunds_due),
        (gettext("{chips:,} added by the house"), report.overlay),
    ):
        if chips:
            figures.append(filled(pattern, chips=chips))
    y = paper.lines(joined(figures) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    number = pgettext("how many", "Number")
    columns = [
        *(Column(gettext("Paid in"), 22), Column(gettext("How"), 26), Column(number, 12, is_number=True)),
        *(Column(title, 16, is_number=True) for title in (gettext("Prizes"), gettext("Fee"), gettext("Bounties"))),
        *(Column(title, 16, is_number=True) for title in (gettext("Staff"), gettext("Total"), gettext("Refunded"))),
    ]
    rows: list[list[object]] = [
        [row.what_name, row.method_name, row.number, row.pool, row.fee, row.bounty, row.staff, row.total, row.refunds]
        for row in report.taken
    ]
    y = paper.listing(columns, rows, y, head=head, size=9)
    columns = [
        *(Column(gettext("Paid out"), 22), Column(gettext("How"), 26), Column(gettext("Status"), 16)),
        *(Column(number, 12, is_number=True), Column(gettext("Amount"), 18, is_number=True)),
    ]
    rows = [[row.what_name, row.method_name, row.state_name, row.number, row.amount] for row in report.paid_out]
    y = paper.listing(columns, rows, y + 24, head=head, size=9)
    columns = [
        *(Column(gettext("Drawer"), 26), Column(gettext("Opened by"), 22), Column(gettext("Opened"), 30)),
        *(Column(title, 16, is_number=True) for title in (gettext("Slips"), gettext("Taken"), gettext("Paid out"))),
        Column(gettext("Over or short"), 20, is_number=True),
    ]
    rows = [
        [
            drawer.drawer,
            drawer.cashier,
            moment(drawer.opened_at),
            drawer.slips,
            *("–" if chips is None else chips for chips in (drawer.taken, drawer.paid, drawer.over_short)),
        ]
        for drawer in report.drawers
    ]
    paper.listing(columns, rows, y + 24, head=head, size=9)
    return paper.done()


def _outs_columns() -> list[Column]:
    columns = ((gettext("When"), 30), (pgettext("busted", "Out"), 34), (gettext("By"), 34), (gettext("Place"), 10))
    return [*(Column(name, width) for name, width in columns), Column(gettext("Level"), 14)]


def _structure(tournament: Tournament, planned: Structure) -> Structure:
    """The structure as played, with edited levels."""
    if not tournament.seq:
        return planned
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return state.structure


def _sheet_heading(paper: Paper, tournament: Tournament, title: str) -> float:
    y = paper.margin + 20
    paper.line(tournament.name, paper.margin, y, size=20, bold=True)
    when = tournament.started_at or tournament.starts_at
    about = [title, *([moment(when)] if when else []), *([tournament.series.name] if tournament.series else [])]
    paper.line(", ".join(about), paper.margin, y + 18, size=11, grey=True)
    paper.rule(y + 26)
    return y + 44


def _printed_columns(
    structure: Structure, config: EventConfig, times: Sequence[datetime | None]
) -> list[tuple[Column, Callable[[int], object]]]:
    """The columns of a structure sheet, each with its cell by the index of an entry; only those that say something.
    `times`: when each entry begins, as far as it is known."""
    levels = structure.levels
    notes = [_notes(structure, config, index) for index in range(len(levels))]
    candidates: list[tuple[bool, Column, Callable[[int], object]]] = [
        (True, Column("", 15), lambda index: translated(structure.name(index))),
        (
            any(times),
            Column(gettext("Starts at"), 13, is_number=True),
            lambda index: room_time.clock(at) if (at := times[index]) else "",
        ),
        (
            len({level.game for level in levels if not level.is_break}) > 1,
            Column(gettext("Game"), 15),
            lambda index: "" if levels[index].is_break else event_words.SHORT_GAMES.get(levels[index].game, ""),
        ),
        (True, Column(gettext("Minutes"), 15, is_number=True), lambda index: _length(levels[index])),
        (
            any(level.ante for level in levels),
            Column(gettext("Ante"), 14, is_number=True),
            lambda index: levels[index].ante or "",
        ),
        (
            any(level.bring_in for level in levels),
            Column(gettext("Bring-in"), 16, is_number=True),
            lambda index: levels[index].bring_in or "",
        ),
        (
            True,
            Column(gettext("Bets"), 25, is_number=True),
            lambda index: "" if levels[index].is_break else event_words.bets(levels[index]),
        ),
        (
            any(level.colour_up for level in levels),
            Column(gettext("Colour-up"), 18, is_number=True),
            lambda index: ", ".join(map(sentences.number, levels[index].colour_up)),
        ),
        (any(notes), Column("", 4), lambda _: ""),  # words stand away from the figures before them
        (any(notes), Column(gettext("Notes"), 30, wraps=True), lambda index: notes[index]),
    ]
    return [(column, cell) for says_something, column, cell in candidates if says_something]


def _notes(structure: Structure, config: EventConfig, index: int) -> str:
    """What ends or is sold at this break, or with this level where none follows."""
    level = structure.levels[index]
    follows = structure.levels[index + 1 : index + 2]
    if not level.is_break and follows and follows[0].is_break:
        return ""
    number = structure.number(index)
    add_on = config.add_on.at_break if config.add_on else 0
    notes = [
        *([gettext("registration closes")] if config.late_level == number else []),
        *([gettext("rebuys end")] if config.rebuy and config.rebuy.until_level == number else []),
        *([gettext("add-on")] if level.is_break and structure.break_number(index) == add_on else []),
    ]
    return capfirst(joined(notes))


def _length(level: Level) -> str:
    return gettext("{hands} hands").format(hands=level.hands) if level.is_by_hands else str(level.minutes)


def _result(result: EventOutcome, *, has_bounties: bool) -> list[object]:
    place = _place(result.place, result.tied) if result.place else gettext("in")
    name = gettext("{name} (re-entry)").format(name=result.name) if result.re_entry_of else result.name
    name = ", ".join([name, gettext("disqualified")]) if result.is_disqualified else name
    return [place, name, result.entrant, result.prize or "", *([result.bounties or ""] if has_bounties else [])]


def _knock_out(out: KnockOut) -> list[object]:
    return [moment(out.at), out.name, ", ".join(out.by), _place(out.place, out.tied), out.level_name]


def _place(place: int, tied: int) -> str:
    return (
        gettext("{place} shared").format(place=translated(ordinal(place))) if tied > 1 else translated(ordinal(place))
    )
