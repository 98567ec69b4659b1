"""The tables that a search may try: whole numbers that never fall, with few different values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from math import comb, prod
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.rules import Fixed, Kou, Level, Levels, Row, Ruleset
from analytics.rules.model import Scoring
from analytics.tuning.errors import CannotTune
from analytics.tuning.goals import Range, Vary
from analytics.tuning.table_entries import LIMITS

Int64s = npt.NDArray[np.int64]

_THIRDS: Final = 3  # clause 8.3: of four seats the three others pay equal parts


class Part(NamedTuple):
    """Entries of one setting: consecutive columns of a table.

    Attributes:
        key: of the setting.
        at: the columns.
        least, step: an entry is ``least + step · n``, n the number in its column.
        most: n at most.
        steps: how many different values at most.
    """

    key: str
    at: slice
    least: int
    step: int
    most: int
    steps: int

    @property
    def width(self) -> int:
        """How many entries there are."""
        return int(self.at.stop - self.at.start)

    @property
    def size(self) -> int:
        """How many different rows its entries can be: those that never fall, of few values.

        Of so many values C(most + 1, values) can be chosen; C(width - 1, values - 1) is in
        how many ways they can share the entries.
        """
        return sum(
            comb(self.most + 1, values) * comb(self.width - 1, values - 1)
            for values in range(1, min(self.steps, self.width) + 1)
        )

    def every(self) -> Iterator[tuple[int, ...]]:
        """All of these rows, those of the fewest values first."""
        for values in range(1, min(self.steps, self.width) + 1):
            for chosen in combinations(range(self.most + 1), values):
                for cuts in combinations(range(1, self.width), values - 1):
                    runs = pairwise((0, *cuts, self.width))
                    yield tuple(
                        n for n, (a, b) in zip(chosen, runs, strict=True) for _ in range(a, b)
                    )


@dataclass(frozen=True, slots=True)
class Space:
    """All tables that may be tried.

    Attributes:
        baseline: what they are made of.
        parts: what of it changes.
    """

    baseline: Ruleset
    parts: tuple[Part, ...]

    @property
    def width(self) -> int:
        """How many entries a table has."""
        return sum(part.width for part in self.parts)

    @property
    def most(self) -> Int64s:
        """int64 ``(width,)``: the largest number of each column; the smallest is 0."""
        return np.concatenate([np.full(part.width, part.most, np.int64) for part in self.parts])

    @property
    def size(self) -> int:
        """How many different tables there are."""
        return prod(part.size for part in self.parts)

    def every(self) -> Int64s:
        """int64 ``(size, width)``: all of them; for few only."""
        rows = product(*(part.every() for part in self.parts))
        return np.array([sum(row, ()) for row in rows], np.int64)

    def repaired(self, numbers: npt.NDArray[Any]) -> Int64s:
        """The nearest tables that may be: whole, in bounds, never falling, few values.

        Args:
            numbers: ``(tables, width)``, any numbers.
        """
        whole: Int64s = np.clip(np.rint(numbers), 0, self.most).astype(np.int64)
        for part in self.parts:
            whole[:, part.at] = with_few_values(np.sort(whole[:, part.at], axis=1), part.steps)
        return whole

    def numbers_of(self, ruleset: Ruleset) -> Int64s:
        """int64 ``(width,)``: the nearest table to a ruleset's own entries."""
        own = [(np.array(_entries(p.key, ruleset.scoring)) - p.least) / p.step for p in self.parts]
        nearest: Int64s = self.repaired(np.concatenate(own)[None])[0]
        return nearest

    @property
    def has_baseline(self) -> bool:
        """Whether the baseline is one of them."""
        return self.changed(self.ruleset(self.numbers_of(self.baseline))) == 0

    def ruleset(self, numbers: Int64s) -> Ruleset:
        """The ruleset that a row of numbers stands for."""
        scoring = self.baseline.scoring
        for part in self.parts:
            entries = [part.least + part.step * int(n) for n in numbers[part.at]]
            scoring = _with_entries(part.key, entries, scoring)
        return replace(self.baseline, scoring=scoring, source="")

    def changed(self, ruleset: Ruleset) -> int:
        """How many entries differ from the baseline."""
        return sum(
            own != other
            for part in self.parts
            for own, other in zip(
                _entries(part.key, ruleset.scoring),
                _entries(part.key, self.baseline.scoring),
                strict=True,
            )
        )


def with_few_values(rows: Int64s, steps: int) -> Int64s:
    """Ascending rows with at most so many different values: the largest rises stay.

    >>> with_few_values(np.array([[1, 2, 3, 9, 10, 20]]), 3)
    array([[ 1,  1,  1,  9,  9, 20]])
    """
    if rows.shape[1] <= steps:
        return rows
    rises = np.diff(rows, axis=1)
    rank = np.argsort(np.argsort(-rises, axis=1, kind="stable"), axis=1, kind="stable")
    begins = np.zeros(rows.shape, np.int64)
    begins[:, 1:] = np.where(rank < steps - 1, np.arange(1, rows.shape[1]), 0)
    return np.take_along_axis(rows, np.maximum.accumulate(begins, axis=1), axis=1)


def space_of(baseline: Ruleset, vary: Vary) -> Space:
    """The tables that may be made of a baseline.

    Raises:
        CannotTune: it has no such entries, or an entry could pass its limits (clause 12).
    """
    return Space(baseline, tuple(_parts(baseline, vary)))


def _parts(baseline: Ruleset, vary: Vary) -> Iterator[Part]:
    begin = 0
    for key in vary.__struct_fields__:
        own: Range | None = getattr(vary, key)
        if own is None:
            continue
        width = len(_entries(key, baseline.scoring))
        _check(key, own, width, baseline)
        step = _step(key, own, baseline)
        most = (own.most - own.least) // step
        yield Part(key, slice(begin, begin + width), own.least, step, most, own.steps or width)
        begin += width


def _check(key: str, own: Range, width: int, baseline: Ruleset) -> None:
    if not width:
        raise CannotTune(f"vary.{key}: {baseline.at} has no such entries.")
    low, high = LIMITS[key]
    if own.least < low or own.most > high:
        raise CannotTune(f"vary.{key}: entries lie between {low:,} and {high:,} (clause 12).")


def _step(key: str, own: Range, baseline: Ruleset) -> int:
    """The step; of a contribution that three others pay it is a multiple of three."""
    if key != "contribution" or baseline.play.seats == 2:
        return own.step
    if own.least % _THIRDS:
        raise CannotTune(
            f"vary.contribution: least is {own.least}, which three seats cannot share (clause 8.3)."
        )
    return own.step if own.step % _THIRDS == 0 else own.step * _THIRDS


def _entries(key: str, scoring: Scoring) -> list[int]:
    """The numbers of a setting, in order; none where it does not apply."""
    value = getattr(scoring, key)
    if key in ("doubling", "contribution"):
        return [row.times for row in value]
    if key == "base":
        return _bases(value)
    if value is None:
        return []
    return list(value) if key == "kou" else [value]


def _bases(base: Any) -> list[int]:
    if isinstance(base, Levels):
        return [level.base for level in base.rows]
    return [base.amount] if isinstance(base, Fixed) else []


def _with_entries(key: str, entries: list[int], scoring: Scoring) -> Scoring:
    own = getattr(scoring, key)
    value: Any = entries[0]
    if key in ("doubling", "contribution"):
        value = tuple(Row(row.xiang, n) for row, n in zip(own, entries, strict=True))
    elif key == "kou":
        value = Kou(*entries)
    elif isinstance(own, Levels):
        rows = zip(own.rows, entries, strict=True)
        value = Levels(tuple(Level(level.required, n) for level, n in rows))
    elif isinstance(own, Fixed):
        value = Fixed(entries[0])
    return replace(scoring, **{key: value})
