"""Significance: p-values of sums, corrected for how many there are, and what they can miss.

Exact where few games are summed: the distribution of the sum is that of one game, taken so
many times. With many games it is normal with the exact mean and variance.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

MOST_VALUES: Final = 1 << 16  # a sum that can have more values than this is taken as normal
SMALLEST: Final = 1e-12  # p-values are not told apart below: rounding would decide
_NEAR: Final = 1e-9  # a sum that is this near to a whole number is that number


def sum_of(odds: Floats, times: int) -> Floats:
    """The distribution of a sum of independent draws, by Fourier's transform.

    Args:
        odds: ``(most + 1,)``: of one draw being 0, 1, 2 and so on.
        times: how many are drawn.

    >>> sum_of(np.array([0.5, 0.5]), 2).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    values = (len(odds) - 1) * times + 1
    size = 1 << (values - 1).bit_length()  # powers of two are fast
    found = np.fft.irfft(np.fft.rfft(odds, size) ** times, size)[:values]
    return np.maximum(found, 0.0)


def p_of_sum(odds: Floats, times: int, total: float, variance: float, shift: float = 0.0) -> float:
    """How often chance alone strays so far from the mean, on either side: twice a tail.

    Args:
        odds: of one draw, see ``sum_of``.
        times: how many were drawn.
        total: their sum.
        variance: of one draw.
        shift: by how much the mean of the sum is known to be off that of ``odds``.

    >>> round(p_of_sum(np.array([0.5, 0.5]), 5, 5, 0.25), 6)  # 2 of 32 ways
    0.0625
    """
    at = total - shift
    if (len(odds) - 1) * times >= MOST_VALUES:
        mean = float(np.arange(len(odds)) @ odds)
        return p_of_score((at - times * mean) / np.sqrt(times * variance))
    chances = sum_of(odds, times)
    above = chances[max(0, int(np.ceil(at - _NEAR))) :].sum()
    below = chances[: max(0, int(np.floor(at + _NEAR)) + 1)].sum()
    return float(np.clip(2 * min(above, below), SMALLEST, 1))


def p_of_score(score: float) -> float:
    """The same by a standard normal score.

    >>> round(p_of_score(-1.96), 4)
    0.05
    """
    from scipy import special  # takes as long to import as most studies to run

    return float(np.clip(2 * special.ndtr(-abs(score)), SMALLEST, 1))


def holm(ps: Floats, tests: int | None = None) -> Floats:
    """p-values corrected for how many there are, by Holm's method.

    The chance that any of all tests without effect is called significant stays below the level,
    however the tests depend on each other; those here do, since hands of one game and suits
    of one hand do. A false alarm costs a house dear, so no share of them is allowed, as it
    would be by Benjamini and Hochberg's method. Source: S. Holm, A simple sequentially
    rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).

    Args:
        ps: ``(n,)``; NaN is no test.
        tests: how many tests there were, if more than these: the others have p = 1.

    >>> holm(np.array([0.01, 0.04, np.nan, 0.03])).round(4).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    asked = np.flatnonzero(~np.isnan(ps))
    order = asked[np.argsort(ps[asked], kind="stable")]
    left = (len(asked) if tests is None else tests) - np.arange(len(asked))
    corrected = np.full(len(ps), np.nan)
    corrected[order] = np.minimum(1, np.maximum.accumulate(ps[order] * left))
    return corrected


def detectable(deviation: Floats, level: float, power: float) -> Floats:
    """The least effect that a two-sided test finds with some power, by the normal distribution.

    Args:
        deviation: of what is tested.
        level: of one test.
        power: how often the effect is found.

    >>> detectable(np.array([1.0]), 0.05, 0.8).round(2).tolist()
    [2.8]
    """
    from scipy import special

    return np.asarray(deviation * (special.ndtri(1 - level / 2) + special.ndtri(power)))
