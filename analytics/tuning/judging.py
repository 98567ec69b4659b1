"""How well tables meet goals: what each requirement misses, and what each want comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.tuning.goals import FEWEST_CHANGES, Goals, Require, Want

if TYPE_CHECKING:
    import pandas as pd

Floats = npt.NDArray[np.float64]

SHORTFALL_COLUMNS: Final = ("requirement", "bound", "value", "miss", "miss_share", "closest")
_LAST: Final = 1e300  # what a want costs that cannot be told: more than any amount


class Missed(NamedTuple):
    """How far tables are from meeting all requirements: fewer unknown first, then the least.

    Attributes:
        unknown: int64 ``(tables,)``: values that are not known, each worse than any miss.
        known: float64 ``(tables,)``: the sum of the misses that are, in parts of their scales.
    """

    unknown: npt.NDArray[np.int64]
    known: Floats

    @property
    def best(self) -> int:
        """The place of the table that is nearest; of equal ones the first."""
        return int(np.lexsort((self.known, self.unknown))[0])

    @property
    def one_number(self) -> Floats:
        """float64 ``(tables,)``: the same order as one number, 0 where all is met.

        Sums of misses stay below 1, so that they are not lost beside what is not known.
        """
        return _floats(self.unknown + self.known / (1 + self.known))


class Bound(NamedTuple):
    """One side of a requirement.

    Attributes:
        requirement: whose it is.
        sign: 1: it is the most; -1: it is the least.
        value: the bound.
        scale: what a miss is measured by.
    """

    requirement: Require
    sign: int
    value: float
    scale: float

    @property
    def text(self) -> str:
        """For people, for instance ``net_issue a day <= 100``."""
        return f"{name_of(self.requirement)} {'<=' if self.sign > 0 else '>='} {self.value:g}"


def name_of(goal: Require | Want) -> str:
    """What a goal is about.

    >>> name_of(Require(metric="fees", least=1, per="day")), name_of(FEWEST_CHANGES)
    ('fees a day', 'changed')
    """
    return f"{goal.metric} a {goal.per}" if goal.per else goal.metric


@dataclass(frozen=True, slots=True)
class Judge:
    """Measures tables against goals.

    Attributes:
        bounds: those of all requirements.
        wants: what is wanted; at least one.
        days: by which sums are divided where goals are a day's.
    """

    bounds: tuple[Bound, ...]
    wants: tuple[Want, ...]
    days: int

    def misses(self, frame: pd.DataFrame) -> Floats:
        """float64 ``(tables, bounds)``: by how much each is missed; 0 and below: it is met.

        NaN where the value of a metric is not known.
        """
        columns = [b.sign * (self.values(frame, b.requirement) - b.value) for b in self.bounds]
        return np.column_stack(columns) if columns else np.zeros((len(frame), 0))

    def shares(self, misses: Floats) -> Floats:
        """The same in parts of each bound's scale."""
        return _floats(misses / np.array([bound.scale for bound in self.bounds]))

    def missed(self, misses: Floats) -> Missed:
        """What the misses of each table come to."""
        shares = self.shares(misses)
        is_unknown = np.isnan(shares)
        known = np.where(is_unknown, 0, np.maximum(shares, 0))
        return Missed(is_unknown.sum(axis=1), _floats(known.sum(axis=1)))

    def costs(self, frame: pd.DataFrame) -> Floats:
        """float64 ``(tables, wants)``: the smaller, the better."""
        columns = [_cost(self.values(frame, want), want) for want in self.wants]
        found = np.column_stack(columns)
        return np.where(np.isnan(found), _LAST, found)

    def values(self, frame: pd.DataFrame, goal: Require | Want) -> Floats:
        """float64 ``(tables,)``: a metric as a goal wants it."""
        values = frame[goal.metric].astype(float).to_numpy()
        if goal.per == "day":
            return _floats(values / self.days)
        if goal.per == "game":
            return _floats(values / frame["games"].astype(float).to_numpy())
        return _floats(values)


def judge_of(goals: Goals, baseline: pd.DataFrame, days: int) -> Judge:
    """The judge of goals.

    Args:
        goals: what must hold, and what is wanted.
        baseline: what the baseline comes to, one row.
        days: on how many days games began.
    """
    judge = Judge((), goals.want or (FEWEST_CHANGES,), max(days, 1))
    bounds = (
        Bound(own, sign, value, _scale(value, float(judge.values(baseline, own)[0])))
        for own in goals.require
        for sign, value in ((-1, own.least), (1, own.most))
        if value is not None
    )
    return Judge(tuple(bounds), judge.wants, judge.days)


def _scale(bound: float, now: float) -> float:
    """The larger of the bound and what there is; 1 where both are nothing."""
    sizes = [abs(bound), 0.0 if np.isnan(now) else abs(now)]
    return max(sizes) or 1.0


def _cost(values: Floats, want: Want) -> Floats:
    if want.aim == "near":
        return np.abs(values - float(want.value or 0))
    return -values if want.aim == "most" else values


def _floats(values: Any) -> Floats:
    found: Floats = np.asarray(values, np.float64)
    return found


def shortfalls(judge: Judge, misses: Floats, values: Sequence[Floats]) -> pd.DataFrame:
    """Where nothing meets all requirements: what the best table misses, the worst first.

    The best table is that with the fewest values that are not known; of these, that with the
    least sum of misses, each in parts of its scale.

    Args:
        judge: with at least one bound.
        misses: float64 ``(tables, bounds)``, all tables that were tried.
        values: per bound, float64 ``(tables,)``: the metric of each table.

    Returns:
        ``SHORTFALL_COLUMNS``, a row a bound that the best table misses: ``requirement``, its
        ``bound``, the ``value`` of the best table, ``miss``, ``miss_share`` in parts of the
        scale, and ``closest``, the least miss of any table for that bound alone. Metrics of a
        slower class are not asked of a table that misses something else: they are NaN.
    """
    import pandas as pd

    best = judge.missed(misses).best
    frame = pd.DataFrame(
        {
            "requirement": [bound.text for bound in judge.bounds],
            "bound": [bound.value for bound in judge.bounds],
            "value": [float(column[best]) for column in values],
            "miss": misses[best],
            "miss_share": judge.shares(misses)[best],
            "closest": _closest(misses),
        }
    )
    missed = frame[~(frame["miss"] <= 0)].sort_values("miss_share", ascending=False, kind="stable")
    return missed.reset_index(drop=True)[list(SHORTFALL_COLUMNS)]


def _closest(misses: Floats) -> Floats:
    """float64 ``(bounds,)``: the least miss of each; NaN where none is known."""
    known = np.where(np.isnan(misses), np.inf, np.maximum(misses, 0)).min(axis=0)
    return _floats(np.where(np.isinf(known), np.nan, known))
