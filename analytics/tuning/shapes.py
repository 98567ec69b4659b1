"""Shapes: what of a table says which entry counts where, whatever stands in the entries.

Two tables of one shape look the same games up in the same places: they sum up bombs alike,
have their levels and kou at the same thresholds, and rows for the same xiang. What either
pays is then one formula over its entries (``amounts``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.rules import KouCards, Levels, Ruleset, Xiang
from analytics.rules import row as R
from analytics.rules.model import Base

Int64s = npt.NDArray[np.int64]

# A multiplier that is no class of its own: 1 counts as no doubling in an escape (clause 9).
FIRST_CLASS: Final = 2


class Look(NamedTuple):
    """The shape of a table, apart from the rows of its multiplier tables.

    Attributes:
        xiang: how bombs add up (clause 7).
        base: "given", "fixed", or the thresholds of its levels (clause 8.1).
        kou_cards: see ``Scoring`` (clause 6).
        contribution_mode: likewise (clause 8.3).
        doubling_scope: likewise.
        escape_parts: likewise (clause 9).
    """

    xiang: Xiang
    base: str | tuple[int, ...]
    kou_cards: KouCards | None
    contribution_mode: str
    doubling_scope: str | None
    escape_parts: str | None


class Shape(NamedTuple):
    """A look, and for which xiang there are rows.

    Attributes:
        look: all else.
        doubling: xiang with which rows begin, ascending; the class of a xiang is how many
            of them it reaches.
        contribution: likewise.
    """

    look: Look
    doubling: tuple[int, ...]
    contribution: tuple[int, ...]


def look_of(ruleset: Ruleset) -> Look:
    """The look of a table."""
    scoring = ruleset.scoring
    return Look(
        ruleset.xiang,
        _base(scoring.base),
        scoring.kou_cards,
        scoring.contribution_mode,
        scoring.doubling_scope,
        scoring.escape_parts,
    )


def _base(base: Base) -> str | tuple[int, ...]:
    if isinstance(base, Levels):
        return first_column(base.rows)
    return "given" if base == "given" else "fixed"


def shape_of(look: Look, rulesets: Sequence[Ruleset], known: Shape | None = None) -> Shape:
    """The shape that serves all these tables of one look: it has the rows of each.

    Args:
        look: of all of them.
        rulesets: the tables.
        known: a shape whose rows are kept, so that it need not be left soon.

    >>> from analytics.rules import load_rulesets
    >>> wealth = load_rulesets().rulesets[3]
    >>> shape_of(look_of(wealth), [wealth]).contribution
    (6, 7, 8, 9, 10, 11, 12)
    """
    doubling = set(known.doubling if known else ())
    contribution = set(known.contribution if known else ())
    for ruleset in rulesets:
        doubling.update(first_column(ruleset.scoring.doubling))
        contribution.update(first_column(ruleset.scoring.contribution))
    return Shape(look, tuple(sorted(doubling)), tuple(sorted(contribution)))


def first_column(rows: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The xiang of a table's rows, or the thresholds of levels; the quickest way to them.

    >>> first_column(((5, 2), (6, 4))), first_column(())
    ((5, 6), ())
    """
    return next(zip(*rows, strict=True), ())


def classes(xiangs: Sequence[int]) -> Int64s:
    """int64 ``(MAX_XIANG,)``: the class of each xiang.

    >>> classes((5, 7))[:9]
    array([0, 0, 0, 0, 0, 1, 1, 2, 2])
    """
    found: Int64s = np.searchsorted(xiangs, np.arange(R.MAX_XIANG), side="right").astype(np.int64)
    return found


def asking_row(row: Int64s, shape: Shape) -> Int64s:
    """A row by which a settlement says which entries it looks up.

    The base is the number of the level from 1, the doubling ``FIRST_CLASS`` and its class,
    a place the number of its entry from 1; nothing else is paid.

    Args:
        row: of a ruleset of this shape.
        shape: the shape.
    """
    asking = _silent(row)
    asking[R.DOUBLING : R.DOUBLING + R.MAX_XIANG] = FIRST_CLASS + classes(shape.doubling)
    return asking


def counting_row(row: Int64s, shape: Shape, nth: int) -> Int64s:
    """A row by which a settlement says how often a contribution of the nth row counts.

    It is worth 1 to each of the other seats, so that what a seat pays to one of three is
    whole (clause 8.3).

    Args:
        row: of a ruleset of this shape.
        shape: the shape.
        nth: of ``shape.contribution``, from 0.
    """
    counting = _silent(row)
    counting[R.DOUBLING : R.DOUBLING + R.MAX_XIANG] = 1
    is_nth = classes(shape.contribution) == nth + 1
    counting[R.CONTRIBUTION : R.CONTRIBUTION + R.MAX_XIANG] = is_nth * (row[R.SEATS] - 1)
    return counting


def _silent(row: Int64s) -> Int64s:
    """A row that pays the base by its kou or place, and nothing else."""
    silent = row.copy()
    silent[[R.FEE, R.CAP_AT_BALANCE, R.ESCAPE_TIMES, R.SHARE]] = 0
    silent[R.CONTRIBUTION : R.CONTRIBUTION + R.MAX_XIANG] = 0
    silent[R.BASE_FIXED_AT] = 1
    silent[R.LEVEL_BASE : R.LEVEL_BASE + R.MAX_ROWS] = np.arange(1, R.MAX_ROWS + 1)
    silent[R.KOU_TIMES : R.KOU_TIMES + 3] = 1
    silent[R.PLACES : R.PLACES + 12] = np.arange(1, 13)
    return silent
