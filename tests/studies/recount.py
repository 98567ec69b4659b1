"""Statistics of plain Python, to hold the figures of studies against."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


def wilson(count: int, trials: int) -> tuple[float, float]:
    """Wilson's interval as the two roots of (p̂ − p)² = z² p (1 − p) / n."""
    share = count / trials
    a, b, c = 1 + Z**2 / trials, -(2 * share + Z**2 / trials), share**2
    root = math.sqrt(max(b * b - 4 * a * c, 0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def normal(values: Sequence[float]) -> tuple[float, float]:
    """The normal interval of a mean."""
    half = Z * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.fmean(values) - half, statistics.fmean(values) + half


def quantile(values: Sequence[int], share: float) -> int:
    """The smallest value that at least this share of the values does not pass."""
    return sorted(values)[max(math.ceil(share * len(values)) - 1, 0)]
