"""What one table comes to on groups that were settled one by one: class (a), exact.

Sums are Python ints, since they may pass 64 bits; nothing exact goes through floating
point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analytics.ledger import ITEM_NAMES
from analytics.shuangkou import settlement as S
from analytics.shuangkou.facts import Settled
from analytics.tuning.exact import weighted
from analytics.tuning.groups import Groups
from analytics.tuning.metrics import GROUPED_ITEMS, POINTS, TAILS

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Accounts:
    """Settled groups by account.

    Attributes:
        items: int64 ``(g, seats, ITEMS)``.
        system: int64 ``(g, ITEMS)``.
        base: int64 ``(g,)``; NOTHING where there is none.
        count: int64 ``(g,)``: games; 0 where there is no base.
    """

    items: Int64s
    system: Int64s
    base: Int64s
    count: Int64s

    @property
    def result(self) -> Int64s:
        """int64 ``(g, seats)``: what each seat gets in all."""
        summed: Int64s = self.items.sum(axis=2)
        return summed

    @property
    def is_settled(self) -> Bools:
        """bool ``(g,)``: whether there are amounts."""
        has_base: Bools = self.base != S.NOTHING
        return has_base


def accounts_of(groups: Groups, settled: Settled) -> Accounts:
    """What ``settling.settle_groups`` gave, by account."""
    base = settled.games[:, S.X_BASE]
    items = settled.items.reshape(len(groups), groups.seats, S.ITEMS)
    return Accounts(items, settled.system, base, np.where(base == S.NOTHING, 0, groups.count))


def total(amounts: Int64s, weights: Int64s) -> int:
    """Σ amount·weight as a Python int, whatever its size.

    >>> total(np.array([2**62, 5]), np.array([4, 1])) == 2**64 + 5
    True
    """
    return int(weighted(amounts, weights).sum())


def measure(groups: Groups, own: Accounts, baseline: Accounts) -> dict[str, Any]:
    """Every metric of class (a) by its name.

    Args:
        groups: that were settled.
        own: by the table.
        baseline: by the table by which they were settled in the warehouse.
    """
    found: dict[str, Any] = {
        "games": int(own.count.sum()),
        "unsettled": int(groups.count.sum() - own.count.sum()),
        **sums_of(own),
        **_of_results(own),
        "flips": flips(own, baseline),
    }
    return {**found, **ratios(found)}


def ratios(found: dict[str, Any]) -> dict[str, float]:
    """The metrics that are ratios of sums; nan where there is nothing to divide by."""
    shares = {f"share.{item}": _ratio(found[f"moved.{item}"], found["moved"])
              for item in GROUPED_ITEMS}  # fmt: skip
    return {
        **shares,
        "fee_share": _ratio(found["fees"], found["turnover"]),
        "net_issue": -found["system"],
    }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def sums_of(own: Accounts) -> dict[str, int]:
    """The sums of metrics of class (a), games apart, as Python ints."""
    moved = {item: _moved(own, at) for at, item in enumerate(ITEM_NAMES)}
    lost = np.minimum(own.result - own.items[:, :, S.FEE], 0).sum(axis=1)
    system = own.system.sum(axis=1)
    sinks = total(np.maximum(system, 0), own.count)
    faucets = -total(np.minimum(system, 0), own.count)
    return {
        **{f"moved.{item}": amount for item, amount in moved.items()},
        "moved": sum(moved.values()),
        "turnover": -total(lost, own.count),
        "fees": total(own.system[:, S.FEE], own.count),
        "sinks": sinks,
        "faucets": faucets,
        "system": sinks - faucets,
    }


def _moved(own: Accounts, item: int) -> int:
    """All positive amounts of an item, those of the system among them."""
    received = np.maximum(own.items[:, :, item], 0).sum(axis=1)
    return total(received + np.maximum(own.system[:, item], 0), own.count)


def _of_results(own: Accounts) -> dict[str, Any]:
    """Figures of the results of seats, each seat of a game by itself."""
    count = np.repeat(own.count, own.items.shape[1])
    result = own.result.ravel()
    before_fee = result - own.items[:, :, S.FEE].ravel()
    base = np.repeat(np.where(own.is_settled, own.base, 1), own.items.shape[1])
    low, *tails, high = quantiles(before_fee // base, count, TAILS)
    return {
        **distribution(result, count),
        "times_worst": low,
        **{f"times_p{p}": value for p, value in zip(TAILS, tails, strict=True)},
        "times_best": high,
    }


def distribution(values: Int64s, count: Int64s) -> dict[str, Any]:
    """``mean``, ``sigma``, ``worst``, ``p1`` … ``p99`` and ``best`` of values, by name.

    Args:
        values: int64 ``(n,)``.
        count: int64 ``(n,)``: how many times each occurred.
    """
    worst, *points, best = quantiles(values, count, POINTS)
    middle = {f"p{p}": value for p, value in zip(POINTS, points, strict=True)}
    return {**moments(values, count), "worst": worst, **middle, "best": best}


def moments(values: Int64s, count: Int64s) -> dict[str, float]:
    """``mean`` and ``sigma`` of values that occurred so many times; nan of fewer than two."""
    n = int(count.sum())
    mean = total(values, count) / n if n else math.nan
    squares = float(((values - mean) ** 2 * count).sum()) if n else 0.0
    return {"mean": mean, "sigma": math.sqrt(squares / (n - 1)) if n > 1 else math.nan}


def quantiles(values: npt.NDArray[Any], count: Int64s, percents: Sequence[int]) -> list[Any]:
    """The least, the points, and the greatest of values that occurred so many times.

    A point of p per cent is the least value that at least p per cent of all are at most;
    nan where there is nothing.

    >>> quantiles(np.array([5, -1, 3]), np.array([1, 98, 0]), [50, 99])
    [-1, -1, 5, 5]
    """
    occurred = count > 0
    values, count = values[occurred], count[occurred]
    if not len(values):
        return [math.nan] * (len(percents) + 2)
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(count[order])
    ranks = [1, *(-(-int(reached[-1]) * p // 100) for p in percents), int(reached[-1])]
    return values[order][np.searchsorted(reached, ranks)].tolist()  # type: ignore[no-any-return]


def flips(own: Accounts, baseline: Accounts) -> float:
    """The share of results whose sign is the opposite; nan where no game is settled by both."""
    count = np.minimum(own.count, baseline.count)
    seats = own.items.shape[1]
    flipped = np.sign(own.result) * np.sign(baseline.result) < 0
    games = int(count.sum())
    return int(flipped.sum(axis=1) @ count) / (games * seats) if games else math.nan
