"""Collapsing: groups that all tables of one shape pay alike become one.

Which entry counts for which seat is not worked out here: a settlement is asked, by tables
whose entries say which they are (``shapes.asking_row``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from analytics.logs.batch import END_ESCAPE, END_OUT
from analytics.shuangkou import settlement as S
from analytics.shuangkou.facts import Settled
from analytics.tuning.groups import Groups
from analytics.tuning.settling import settle_rows
from analytics.tuning.shapes import FIRST_CLASS, Shape, asking_row, counting_row

Int64s = npt.NDArray[np.int64]

NO_PARTS: Final = -1  # class of the doubling of an escape in which no parts count (clause 9)


class Outs(NamedTuple):
    """Seats of games that were played to the end, by what a table pays them for.

    A *pattern* is all of that but the base; a cell is a pattern at a level.

    Attributes:
        stake: int64 ``(p,)``: the kou, or with four seats the entry of the place table.
        side: int64 ``(p,)``: 1, or -1 for who loses to one other.
        doubling: int64 ``(p,)``: class.
        contribution: int64 ``(rows, p)``: how often each row counts, times the other seats.
        by_level: int64 ``(levels, p)``: seats.
        pattern, level: int64 ``(n,)``: of each cell.
        sign: int64 ``(n,)``: of what the baseline pays; 0 also where it pays nothing at all.
        seats: int64 ``(n,)``: how many seats of games there are.
    """

    stake: Int64s
    side: Int64s
    doubling: Int64s
    contribution: Int64s
    by_level: Int64s
    pattern: Int64s
    level: Int64s
    sign: Int64s
    seats: Int64s


class Escapes(NamedTuple):
    """Games that ended by an escape, by what a table pays for.

    Attributes:
        doubling: int64 ``(e,)``: class, or ``NO_PARTS``.
        contribution: int64 ``(rows, e)``: how often each row counts.
        level: int64 ``(e,)``.
        signs: int64 ``(2, e)``: of what the baseline pays the other seat, and the fleer.
        games: int64 ``(e,)``.
    """

    doubling: Int64s
    contribution: Int64s
    level: Int64s
    signs: Int64s
    games: Int64s


class Deals(NamedTuple):
    """Games that were played to the end, by what the system gets of them.

    Attributes:
        kou, doubling, level: int64 ``(k,)``.
        games: int64 ``(k,)``.
    """

    kou: Int64s
    doubling: Int64s
    level: Int64s
    games: Int64s


class Collapsed(NamedTuple):
    """All games under the tables of one shape.

    Attributes:
        shape: the shape.
        bases: int64 ``(levels,)``: the bases that were given; empty where tables say them.
        outs, escapes, deals: see there.
        cells: int64 ``(g, seats)``: which kind each seat of the groups is, a place in
            ``amounts.results_of``; -1 where there is no base.
        unsettled: games without a base.
        compared: games that the baseline settles as well.
    """

    shape: Shape
    bases: Int64s
    outs: Outs
    escapes: Escapes
    deals: Deals
    cells: Int64s
    unsettled: int
    compared: int

    @property
    def games(self) -> int:
        """Games that have amounts."""
        return int(self.deals.games.sum() + self.escapes.games.sum())

    @property
    def width(self) -> int:
        """Kinds of seats."""
        return len(self.outs.seats) + 2 * len(self.escapes.games)


UNSETTLED: Final = 2  # stands for the sign of what is not settled


class _Answers(NamedTuple):
    """What a settlement said of groups that have a base: a row a group.

    Attributes:
        group: int64 ``(n,)``: its place.
        kou, doubling, level: int64 ``(n,)``.
        times: int64 ``(n, seats)``: multiples of the base, undoubled.
        penalty: int64 ``(n,)``: of an escape, multiples of the base.
        counts: int64 ``(rows, n, seats)``: how often each row of the contribution table counts.
        penalties: int64 ``(rows, n)``: the same in an escape.
        signs: int64 ``(n, seats)``: of what the baseline pays.
        games: int64 ``(n,)``.
    """

    group: Int64s
    kou: Int64s
    doubling: Int64s
    level: Int64s
    times: Int64s
    penalty: Int64s
    counts: Int64s
    penalties: Int64s
    signs: Int64s
    games: Int64s


def collapse(groups: Groups, shape: Shape, row: Int64s, signs: Int64s) -> Collapsed:
    """What is left of groups under the tables of a shape.

    Args:
        groups: the games.
        shape: the shape.
        row: of one ruleset of that shape.
        signs: int64 ``(g, seats)``: of what the baseline pays, or ``UNSETTLED``.
    """
    asked = settle_rows(groups, asking_row(row, shape))
    rows = range(len(shape.contribution))
    counted = [settle_rows(groups, counting_row(row, shape, nth)) for nth in rows]
    base = asked.games[:, S.X_BASE]
    has_base = base != S.NOTHING
    bases = np.unique(base[has_base])
    if shape.look.base != "given":
        bases = np.arange(1, bases.max(initial=1) + 1)  # they are numbers of levels
    chosen = [np.flatnonzero(has_base & (groups.end == end)) for end in (END_OUT, END_ESCAPE)]
    played, fled = (_answers(groups, at, asked, counted, bases, signs) for at in chosen)
    outs, out_cell = _outs(played, len(bases))
    escapes, escape_cell = _escapes(fled)
    cells = np.full((len(groups), groups.seats), -1, np.int64)
    cells[played.group] = out_cell
    cells[fled.group, 0] = len(outs.seats) + escape_cell
    cells[fled.group, -1] = len(outs.seats) + len(escapes.games) + escape_cell
    return Collapsed(
        shape=shape,
        bases=bases if shape.look.base == "given" else bases[:0],
        outs=outs,
        escapes=escapes,
        deals=_deals(played),
        cells=cells,
        unsettled=int(groups.count[~has_base].sum()),
        compared=int(groups.count[has_base & (signs[:, 0] != UNSETTLED)].sum()),
    )


def _answers(
    groups: Groups,
    at: Int64s,
    asked: Settled,
    counted: Sequence[Settled],
    bases: Int64s,
    signs: Int64s,
) -> _Answers:
    base, shape = asked.games[at, S.X_BASE], (len(groups), groups.seats)

    def of_seats(rows: Int64s, column: int) -> Int64s:
        return rows[:, column].reshape(shape)[at]

    counts = [of_seats(each.seats, S.Y_CONTRIBUTION) for each in counted]
    penalties = [of_seats(each.items, S.ESCAPE)[:, -1] // -base for each in counted]
    return _Answers(
        group=at,
        kou=asked.games[at, S.X_KOU],
        doubling=asked.games[at, S.X_DOUBLING] - FIRST_CLASS,
        level=np.searchsorted(bases, base),
        times=of_seats(asked.items, S.BASE) // base[:, None],
        penalty=of_seats(asked.items, S.ESCAPE)[:, -1] // -base,
        counts=_stacked(counts, (len(at), groups.seats)),
        penalties=_stacked(penalties, (len(at),)),
        signs=np.where(signs == UNSETTLED, 0, signs)[at],
        games=groups.count[at],
    )


def _stacked(columns: Sequence[Int64s], shape: tuple[int, ...]) -> Int64s:
    """int64 ``(columns, *shape)``, also of none."""
    return np.array(columns, np.int64).reshape(len(columns), *shape)


def _outs(played: _Answers, levels: int) -> tuple[Outs, Int64s]:
    """Seats by cell, and the cell of each seat: int64 ``(n, seats)``."""
    seats = played.times.shape[1]
    doubling, level, games = (
        np.repeat(each, seats) for each in (played.doubling, played.level, played.games)
    )
    stake, side = _stakes(played)
    counts = played.counts.reshape(len(played.counts), played.times.size)
    pattern, first = _numbered([stake, side, doubling, *counts])
    cell, at = _numbered([pattern, level, played.signs.ravel()])
    number = _summed(cell, games, len(at))
    by_level = np.zeros((levels, len(first)), np.int64)
    np.add.at(by_level, (level[at], pattern[at]), number)
    outs = Outs(
        stake=stake[first],
        side=side[first],
        doubling=doubling[first],
        contribution=counts[:, first],
        by_level=by_level,
        pattern=pattern[at],
        level=level[at],
        sign=played.signs.ravel()[at],
        seats=number,
    )
    return outs, cell.reshape(-1, seats)


def _stakes(played: _Answers) -> tuple[Int64s, Int64s]:
    """Which entry says what a seat wins or loses, and on which side of it the seat is."""
    times, seats = played.times.ravel(), played.times.shape[1]
    if seats == 2:
        return np.repeat(played.kou, seats), times
    return times - 1, np.ones_like(times)


def _escapes(fled: _Answers) -> tuple[Escapes, Int64s]:
    """Escapes by cell, and the cell of each: int64 ``(n,)``."""
    doubling = np.where(fled.penalty > 0, fled.penalty - FIRST_CLASS, NO_PARTS)
    ends = fled.signs[:, [0, -1]].T
    cell, at = _numbered([doubling, fled.level, *ends, *fled.penalties])
    escapes = Escapes(
        doubling=doubling[at],
        contribution=fled.penalties[:, at],
        level=fled.level[at],
        signs=ends[:, at],
        games=_summed(cell, fled.games, len(at)),
    )
    return escapes, cell


def _deals(played: _Answers) -> Deals:
    cell, at = _numbered([played.kou, played.doubling, played.level])
    games = _summed(cell, played.games, len(at))
    return Deals(played.kou[at], played.doubling[at], played.level[at], games)


def _numbered(columns: Iterable[Int64s]) -> tuple[Int64s, Int64s]:
    """Which of the different rows each is, in the order in which they come, and where each
    comes first."""
    number: Int64s | None = None
    for column in columns:
        values, uniques = pd.factorize(column)
        joined = values if number is None else number * max(len(uniques), 1) + values
        number = pd.factorize(joined)[0].astype(np.int64)
    assert number is not None
    return number, np.unique(number, return_index=True)[1]


def _summed(number: Int64s, count: Int64s, rows: int) -> Int64s:
    """Counts by number, exactly."""
    found = np.zeros(rows, np.int64)
    np.add.at(found, number, count)
    return found
