"""Sheets of paper for the wall: the structure, and the results."""

from __future__ import annotations

from cardroom.services.prints.paper import A4, Column, Paper
from cardroom.services.prints.words import moment
from tournaments import journal, words
from tournaments.engine.structure import Level, Structure
from tournaments.engine.words import ordinal
from tournaments.models import Tournament
from tournaments.selectors import results as selectors
from tournaments.selectors.results import KnockOut, Result
from tournaments.services import prices, terms


def structure_sheet(*, tournament: Tournament) -> bytes:
    """Levels with their stakes and lengths, the price of an entry and until when there is entry, as they are now."""
    config = terms.config_of(tournament)
    structure = _structure(tournament, config.structure)
    paper = Paper(f"Structure, {tournament.name}", A4)
    y = _head(paper, tournament, "Structure")
    entry = prices.of(tournament, "entry")
    paid = f"Entry {entry.total:,}" if entry.total else "Free entry"
    facts = [paid, f"{config.starting_stack:,} chips", words.games(config), words.format_of(config)]
    if config.late_level:
        through = ", and the break after it" if config.has_entry_in_break else ""
        facts.append(f"entry is open to the end of level {config.late_level}{through}")
    y = paper.lines("; ".join(facts) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    has_games = len({level.game for level in structure.levels if not level.is_break}) > 1
    columns = [Column("", 16), *([Column("Game", 22)] if has_games else []), *_STAKES]
    rows = [_level(structure, index, has_games=has_games) for index in range(len(structure.levels))]
    paper.listing(columns, rows, y, head=f"Structure, {tournament.name}", size=11)
    return paper.done()


def results_sheet(*, tournament: Tournament) -> bytes:
    """Places, prizes and bounties, and who knocked out whom; so far, while it is played."""
    paper = Paper(f"Results, {tournament.name}", A4)
    y = _head(paper, tournament, "Results" if tournament.is_over else "Results so far")
    told = [f"{tournament.entries_count:,} entries", f"{tournament.pool:,} paid for prizes"]
    if tournament.places_paid:
        told.append(f"{tournament.places_paid} places paid")
    y = paper.lines("; ".join(told) + ".", paper.margin, y, size=10, width=paper.inner) + 14
    found = selectors.results(tournament)
    has_bounties = any(result.bounties for result in found)
    columns = [Column("Place", 14), Column("Player", 50), Column("Entry", 10, is_number=True)]
    columns += [Column("Prize", 16, is_number=True)]
    columns += [Column("Bounties", 16, is_number=True)] if has_bounties else []
    y = paper.listing(
        columns,
        [_result(result, has_bounties=has_bounties) for result in found],
        y,
        head=f"Results, {tournament.name}",
    )
    knock_outs = selectors.knock_outs(tournament)
    if knock_outs:
        if y > paper.height - 100:
            paper.turn()
            y = paper.margin
        paper.line("Knock-outs", paper.margin, y + 24, size=13, bold=True)
        rows = [_knock_out(each) for each in reversed(knock_outs)]
        paper.listing(_OUTS, rows, y + 44, head=f"Knock-outs, {tournament.name}")
    return paper.done()


_STAKES = (
    Column("Minutes", 12, is_number=True),
    Column("Ante", 14, is_number=True),
    Column("Bring-in", 14, is_number=True),
    Column("Bets", 24, is_number=True),
    Column("Chips that leave", 20, is_number=True),
)
_OUTS = (Column("When", 30), Column("Out", 34), Column("By", 34), Column("Place", 10), Column("Level", 14))


def _structure(tournament: Tournament, planned: Structure) -> Structure:
    """As it is played: levels may have been edited meanwhile."""
    if not tournament.seq:
        return planned
    with journal.looking(tournament.pk, upto=tournament.seq) as state:
        return state.structure


def _head(paper: Paper, tournament: Tournament, title: str) -> float:
    y = paper.margin + 20
    paper.line(tournament.name, paper.margin, y, size=20, bold=True)
    when = tournament.started_at or tournament.starts_at
    about = [title, *([moment(when)] if when else []), *([tournament.series.name] if tournament.series else [])]
    paper.line(", ".join(about), paper.margin, y + 18, size=11, grey=True)
    paper.rule(y + 26)
    return y + 44


def _level(structure: Structure, index: int, *, has_games: bool) -> list[object]:
    level = structure.levels[index]
    long = f"{level.hands} hands" if level.is_by_hands else str(level.minutes)
    game = [] if not has_games else [""] if level.is_break else [words.SHORT_GAMES.get(level.game, level.game)]
    gone = ", ".join(f"{chip:,}" for chip in level.colour_up)
    return [structure.name(index), *game, long, *_stakes(level), gone]


def _stakes(level: Level) -> list[object]:
    if level.is_break:
        return ["", "", ""]
    return [level.ante or "", level.bring_in or "", words.bets(level)]


def _result(result: Result, *, has_bounties: bool) -> list[object]:
    place = _place(result.place, result.tied) if result.place else "in"
    name = f"{result.name} (re-entry)" if result.re_entry_of else result.name
    name += ", disqualified" if result.is_disqualified else ""
    return [place, name, result.entrant, result.prize or "", *([result.bounties or ""] if has_bounties else [])]


def _knock_out(out: KnockOut) -> list[object]:
    return [moment(out.at), out.name, ", ".join(out.by), _place(out.place, out.tied), out.level_name]


def _place(place: int, tied: int) -> str:
    return f"{ordinal(place)} shared" if tied > 1 else ordinal(place)
