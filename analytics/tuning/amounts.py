"""Amounts: what tables of one shape pay, as formulas over their entries, many at a time.

The formulas are those of clauses 8.3 and 9: X·s·b + X·C for a seat that played to the end,
X·(times + C + b) for who flees. Which X, s, b and rows of C meet is in ``Collapsed``, as the
settlement itself said; tests hold both to the same coin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.rules import Base, Fixed, Levels, Ruleset, Scoring, Table
from analytics.rules import row as R
from analytics.rules.rulebook import dense
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

    def big(self) -> Entries:
        """The same as Python ints, which know no bounds."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        arrays: dict[str, Any] = {
            name: values.astype(object)
            for name, values in own.items()
            if isinstance(values, np.ndarray)
        }
        return replace(self, **arrays)


def stack_entries(rulesets: Sequence[Ruleset], collapsed: Collapsed) -> Entries:
    """The entries of tables that have the shape of what was collapsed."""
    shape, seats = collapsed.shape, rulesets[0].play.seats
    scorings = [ruleset.scoring for ruleset in rulesets]
    found = Entries(
        base=_bases(scorings, collapsed),
        stake=np.array([_stakes(own) for own in scorings], np.int64),
        doubling=np.array([(1, *_times(own.doubling, shape.doubling, 1)) for own in scorings]),
        contribution=np.array(
            [_times(own.contribution, shape.contribution, 0) for own in scorings], np.int64
        ).reshape(len(scorings), len(shape.contribution)),
        fee=np.array([[own.fee] for own in scorings], np.int64),
        times=np.array([[own.escape_times or 0] for own in scorings], np.int64),
        share=np.array([[_share(own)] for own in scorings], np.int64),
        parts=_PARTS.get(shape.look.escape_parts or "none", R.PARTS_NONE),
        seats=seats,
    )
    return found if _most(found, collapsed.games) < INT64 else found.big()


_PARTS: Final = {"points": R.PARTS_POINTS, "wealth": R.PARTS_WEALTH}
_MOST_BOMBS: Final = 28  # more than all bombs of a table of four, each of four cards at least


def _stakes(scoring: Scoring) -> Sequence[int]:
    """The entries of kou, or of places."""
    if scoring.kou is not None:
        return scoring.kou
    assert scoring.places is not None
    return [times for kou in R.KOU_NAMES for times in getattr(scoring.places, kou)]


def _times(table: Table, xiangs: tuple[int, ...], below: int) -> Sequence[int]:
    """What holds at each of these xiang, among which are those of all rows of the table."""
    rows = tuple(zip(*table, strict=True))
    if rows and rows[0] == xiangs:
        return rows[1]
    held = dense(table, below)
    return [held[xiang] for xiang in xiangs]


def _share(scoring: Scoring) -> int:
    """Without parts all of a penalty is the system's (clause 9)."""
    return 0 if scoring.escape_parts in (None, "none") else scoring.share or 0


def _bases(scorings: Sequence[Scoring], collapsed: Collapsed) -> Int64s:
    levels = len(collapsed.outs.by_level)
    if len(collapsed.bases):
        return np.broadcast_to(collapsed.bases, (len(scorings), levels))
    bases = [_base(scoring.base)[:levels] for scoring in scorings]
    return np.array(bases, np.int64).reshape(len(scorings), levels)


def _base(base: Base) -> Sequence[int]:
    if isinstance(base, Levels):
        return [level.base for level in base.rows]
    assert isinstance(base, Fixed)
    return [base.amount]


def _most(entries: Entries, games: int) -> float:
    """What no sum of amounts over all games can pass, in floating point."""
    stake = 2 * bound(entries.stake) * bound(entries.doubling)
    bombs = _MOST_BOMBS * bound(entries.contribution) + bound(entries.times)
    return 4 * (bound(entries.base) * (stake + bombs) + bound(entries.fee)) * max(games, 1)


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
    out = entries.base.take(outs.level, axis=1) * times.all.take(outs.pattern, axis=1)
    out -= entries.fee
    return np.concatenate([out, penalties.part, -penalties.paid - penalties.fee], axis=1)


def every_result(entries: Entries, collapsed: Collapsed) -> Integers:
    """The same, from the entries alone."""
    times, penalties = times_of(entries, collapsed), penalties_of(entries, collapsed)
    return results_of(entries, times, penalties, collapsed)
