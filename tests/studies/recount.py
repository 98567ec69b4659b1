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


def events(values: Sequence[int]) -> tuple[float, float]:
    """The two means λ with (m − λ)² = z² φ λ / n, with φ = s²/m, or 1 where nothing scatters."""
    n, mean = len(values), statistics.fmean(values)
    scatter = statistics.variance(values) if n > 1 else 0
    phi = scatter / mean if scatter else 1
    b, c = -(2 * mean + Z**2 * phi / n), mean**2
    root = math.sqrt(max(b * b - 4 * c, 0))
    return (-b - root) / 2, (-b + root) / 2


def ratio(parts: Sequence[int], wholes: Sequence[int]) -> tuple[float, float]:
    """The interval of Σx / Σy by the scatter of x − R·y."""
    n, r = len(parts), sum(parts) / sum(wholes)
    residues = [x - r * y for x, y in zip(parts, wholes, strict=True)]
    scatter = sum(residue**2 for residue in residues) / (n - 1)
    half = Z * math.sqrt(scatter / n) / (sum(wholes) / n)
    return r - half, r + half


def gini(amounts: Sequence[int]) -> float:
    """The mean difference of all pairs over twice the mean."""
    n, total = len(amounts), sum(amounts)
    return sum(abs(a - b) for a in amounts for b in amounts) / (2 * n * total)


def gini_error(amounts: Sequence[int]) -> float:
    """The standard error of the Gini coefficient by Davidson's linearisation (2009)."""
    n, total, g = len(amounts), sum(amounts), gini(amounts)
    scores, below = [], 0
    for place, amount in enumerate(sorted(amounts), 1):
        below += amount
        scores.append((2 * place - 1) * amount - 2 * below - n * (g + 1) * amount)
    mean = statistics.fmean(scores)
    return math.sqrt(sum((score - mean) ** 2 for score in scores)) / (n * total)


def without_one(amounts: Sequence[int]) -> float:
    """The standard error of the Gini coefficient by the jackknife."""
    n = len(amounts)
    found = [gini([*amounts[:i], *amounts[i + 1 :]]) for i in range(n)]
    mean = statistics.fmean(found)
    return math.sqrt((n - 1) / n * sum((each - mean) ** 2 for each in found))
