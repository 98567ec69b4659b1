"""Collapsing: groups that all tables of one shape pay alike become one.

Which entry counts for which seat is not worked out here: a settlement is asked, by tables
whose entries say which they are (``shapes.asking_row``).
"""

from __future__ import annotations

from collections.abc import Iterable
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
        unsettled: games without a base.
        compared: games that the baseline settles as well.
    """

    shape: Shape
    bases: Int64s
    outs: Outs
    escapes: Escapes
    deals: Deals
    unsettled: int
    compared: int

    @property
    def games(self) -> int:
        """Games that have amounts."""
        return int(self.deals.games.sum() + self.escapes.games.sum())


def collapse(groups: Groups, shape: Shape, row: Int64s, signs: Int64s) -> Collapsed:
    """What is left of groups under the tables of a shape.

    Args:
        groups: the games.
        shape: the shape.
        row: of one ruleset of that shape.
        signs: int64 ``(g, seats)``: of what the baseline pays; 2 where it settles nothing.
    """
    asked = settle_rows(groups, asking_row(row, shape))
    counted = [
        settle_rows(groups, counting_row(row, shape, nth)) for nth in range(len(shape.contribution))
    ]
    base = asked.games[:, S.X_BASE]
    has_base = base != S.NOTHING
    bases = np.unique(base[has_base]) if shape.look.base == "given" else np.zeros(0, np.int64)
    level = np.searchsorted(bases, base) if len(bases) else np.maximum(base, 1) - 1
    outs, escapes = (
        np.flatnonzero(has_base & (groups.end == end)) for end in (END_OUT, END_ESCAPE)
    )
    levels = max(int(level.max(initial=0)) + 1, len(bases))
    return Collapsed(
        shape=shape,
        bases=bases,
        outs=_outs(groups, outs, asked, counted, level, signs, levels),
        escapes=_escapes(groups, escapes, asked, counted, level, signs),
        deals=_deals(groups, outs, asked, level),
        unsettled=int(groups.count[~has_base].sum()),
        compared=int(groups.count[has_base & (signs[:, 0] != UNSETTLED)].sum()),
    )


UNSETTLED: Final = 2  # stands for the sign of what is not settled


def _outs(
    groups: Groups,
    chosen: Int64s,
    asked: Settled,
    counted: Iterable[Settled],
    level: Int64s,
    signs: Int64s,
    levels: int,
) -> Outs:
    seats = groups.seats
    flat = (chosen[:, None] * seats + np.arange(seats)).ravel()
    by_game = np.repeat(chosen, seats)
    stake, side = _stakes(asked, flat, by_game, seats)
    doubling = asked.games[by_game, S.X_DOUBLING] - FIRST_CLASS
    contribution = [each.seats[flat, S.Y_CONTRIBUTION] for each in counted]
    pattern, first = _numbered([stake, side, doubling, *contribution])
    sign = np.where(signs == UNSETTLED, 0, signs).ravel()[flat]
    cell, at = _numbered([pattern, level[by_game], sign])
    number = _summed(cell, groups.count[by_game], len(at))
    by_level = np.zeros((levels, len(first)), np.int64)
    np.add.at(by_level, (level[by_game][at], pattern[at]), number)
    return Outs(
        stake[first],
        side[first],
        doubling[first],
        _stacked(contribution, first),
        by_level,
        pattern[at],
        level[by_game][at],
        sign[at],
        number,
    )


def _stakes(asked: Settled, flat: Int64s, by_game: Int64s, seats: int) -> tuple[Int64s, Int64s]:
    """Which entry says what a seat wins or loses, and on which side of it the seat is."""
    times = asked.items[flat, S.BASE] // asked.games[by_game, S.X_BASE]
    if seats == 2:
        return asked.games[by_game, S.X_KOU], times
    return times - 1, np.ones_like(times)


def _escapes(
    groups: Groups,
    chosen: Int64s,
    asked: Settled,
    counted: Iterable[Settled],
    level: Int64s,
    signs: Int64s,
) -> Escapes:
    fleer = chosen * groups.seats + 1
    base = asked.games[chosen, S.X_BASE]
    parts = -asked.items[fleer, S.ESCAPE] // base
    doubling = np.where(parts > 0, parts - FIRST_CLASS, NO_PARTS)
    contribution = [-each.items[fleer, S.ESCAPE] // base for each in counted]
    sign = np.where(signs == UNSETTLED, 0, signs)[chosen]
    columns = [doubling, level[chosen], sign[:, 0], sign[:, -1], *contribution]
    cell, at = _numbered(columns)
    return Escapes(
        doubling[at],
        _stacked(contribution, at),
        level[chosen][at],
        sign[at][:, [0, -1]].T.copy(),
        _summed(cell, groups.count[chosen], len(at)),
    )


def _deals(groups: Groups, chosen: Int64s, asked: Settled, level: Int64s) -> Deals:
    kou = asked.games[chosen, S.X_KOU]
    doubling = asked.games[chosen, S.X_DOUBLING] - FIRST_CLASS
    cell, at = _numbered([kou, doubling, level[chosen]])
    games = _summed(cell, groups.count[chosen], len(at))
    return Deals(kou[at], doubling[at], level[chosen][at], games)


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


def _stacked(columns: list[Int64s], at: Int64s) -> Int64s:
    """Columns at some rows: int64 ``(columns, rows)``, also of none."""
    return np.array([column[at] for column in columns], np.int64).reshape(len(columns), len(at))
