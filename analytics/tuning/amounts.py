"""Amounts: what tables of one shape pay, as formulas over their entries, many at a time.

The formulas are those of clauses 8.3 and 9: X·s·b + X·C for a seat that played to the end,
X·(times + C + b) for who flees. Which X, s, b and rows of C meet is in ``Collapsed``, as the
settlement itself said; tests hold both to the same coin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.rules import Ruleset, row_of
from analytics.rules import row as R
from analytics.tuning.collapsing import NO_PARTS, Collapsed
from analytics.tuning.products import INT64, Integers, bound, matrix_product

Int64s = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Entries:
    """What stands in tables of one shape: a row a table.

    Guarantees: integers are int64 where no sum over all games can pass it, else Python
    ints, and so is all that is worked out from them.

    Attributes:
        base: ``(c, levels)``.
        stake: ``(c, kou or places)``.
        doubling: ``(c, classes)``; class 0 is 1.
        contribution: ``(c, rows)``.
        fee, times, share: ``(c, 1)``: of every seat, of who flees, per cent to the other.
        parts: how bombs count in an escape, ``row.PARTS_*``.
        seats: 2 or 4.
    """

    base: Integers
    stake: Integers
    doubling: Integers
    contribution: Integers
    fee: Integers
    times: Integers
    share: Integers
    parts: int
    seats: int


def entries_of(rulesets: Sequence[Ruleset], collapsed: Collapsed) -> Entries:
    """The entries of tables that have the shape of what was collapsed."""
    rows: Integers = np.array([row_of(ruleset) for ruleset in rulesets])
    shape, parts = collapsed.shape, int(rows[0, R.ESCAPE_PARTS])
    seats = int(rows[0, R.SEATS])
    if _most(rows, collapsed) >= INT64:
        rows = rows.astype(object)
    stakes = slice(R.KOU_TIMES, R.KOU_TIMES + 3) if seats == 2 else slice(R.PLACES, R.PLACES + 12)
    return Entries(
        base=_bases(rows, collapsed),
        stake=rows[:, stakes],
        doubling=rows[:, R.DOUBLING + np.array([0, *shape.doubling])],
        contribution=rows[:, R.CONTRIBUTION + np.array(shape.contribution, np.int64)],
        fee=rows[:, R.FEE, None],
        times=rows[:, R.ESCAPE_TIMES, None],
        share=rows[:, R.SHARE, None] * (parts != R.PARTS_NONE),
        parts=parts,
        seats=seats,
    )


_MOST_BOMBS: Final = 28  # more than all bombs of a table of four, each of four cards at least


def _most(rows: Int64s, collapsed: Collapsed) -> float:
    """What no sum of amounts over all games can pass, in floating point."""
    base = bound(_bases(rows, collapsed))
    stake = bound(rows[:, R.KOU_TIMES : R.PLACES + 12]) * bound(
        rows[:, R.DOUBLING : R.DOUBLING + R.MAX_XIANG]
    )
    bombs = _MOST_BOMBS * bound(rows[:, R.CONTRIBUTION : R.CONTRIBUTION + R.MAX_XIANG])
    game = base * (2 * stake + bombs + bound(rows[:, R.ESCAPE_TIMES])) + bound(rows[:, R.FEE])
    return 4 * game * max(collapsed.games, 1)


def _bases(rows: Integers, collapsed: Collapsed) -> Integers:
    levels = len(collapsed.outs.by_level)
    if len(collapsed.bases):
        return np.broadcast_to(collapsed.bases.astype(rows.dtype), (len(rows), levels))
    if collapsed.shape.look.base == "fixed":
        return rows[:, R.BASE_FIXED_AT, None]
    return rows[:, R.LEVEL_BASE : R.LEVEL_BASE + levels]


class Times(NamedTuple):
    """What patterns of seats get, in multiples of the base: ``(c, p)`` each."""

    base: Integers
    doubling: Integers
    contribution: Integers

    @property
    def all(self) -> Integers:
        """Before the fee."""
        return self.base + self.doubling + self.contribution


def times_of(entries: Entries, collapsed: Collapsed) -> Times:
    """What each pattern gets of each table (clause 8.3)."""
    outs = collapsed.outs
    stake = entries.stake[:, outs.stake] * outs.side
    contribution = matrix_product(entries.contribution, outs.contribution)
    return Times(
        stake,
        stake * (entries.doubling[:, outs.doubling] - 1),
        contribution // (entries.seats - 1),
    )


class Penalties(NamedTuple):
    """What escapes come to: ``(c, e)`` each (clause 9).

    Attributes:
        base: X.
        times: of it, what who flees pays apart from a fee.
        paid: the same as an amount.
        part: of it that the other gets.
        fee: ``(c, 1)``: what who flees pays besides.
    """

    base: Integers
    times: Integers
    paid: Integers
    part: Integers
    fee: Integers


def penalties_of(entries: Entries, collapsed: Collapsed) -> Penalties:
    """What each escape comes to under each table (clause 9)."""
    escapes = collapsed.escapes
    doubling = entries.doubling[:, np.maximum(escapes.doubling, 0)]
    counts = (escapes.doubling != NO_PARTS) & (doubling > 1)
    if entries.parts == R.PARTS_POINTS:
        doubling = doubling * entries.stake[:, [R.DAN]]
    contribution = matrix_product(entries.contribution, escapes.contribution)
    times = entries.times + contribution + counts * doubling
    base = entries.base[:, escapes.level]
    paid = base * times
    part = paid // 100 * entries.share + paid % 100 * entries.share // 100
    alone = entries.parts == R.PARTS_NONE
    return Penalties(base, times, paid, part, entries.fee * alone)


def results_of(
    entries: Entries, times: Times, penalties: Penalties, collapsed: Collapsed
) -> Integers:
    """What a seat of each kind gets in all: ``(c, width)``.

    Kinds are the cells of games that were played to the end, then who stayed in each
    escape, then who fled.
    """
    outs = collapsed.outs
    out = entries.base[:, outs.level] * times.all[:, outs.pattern] - entries.fee
    return np.concatenate([out, penalties.part, -penalties.paid - penalties.fee], axis=1)


def every_result(entries: Entries, collapsed: Collapsed) -> Integers:
    """The same, from the entries alone."""
    times, penalties = times_of(entries, collapsed), penalties_of(entries, collapsed)
    return results_of(entries, times, penalties, collapsed)
