"""Resampling: intervals by drawing players anew, each with all his games.

Results of one player hang together, so players are drawn and not games. Source: B. Efron
and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapters 8 and 13.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

RESAMPLES: Final = 1_000
SEED: Final = 1
_ENDS: Final = (0.025, 0.975)  # intervals of 95 %
_AT_ONCE: Final = 50  # resamples whose weights are in memory together


class Interval(NamedTuple):
    """Lower and upper ends: float64 ``(k,)`` each."""

    low: Floats
    high: Floats


def intervals(parts: Floats, wholes: Floats, *, resamples: int, seed: int) -> Interval:
    """Intervals of ratios of sums over players: of Σ part ÷ Σ whole, column by column.

    Guarantees: the same input and seed give the same ends. Where a whole is 0 in every
    resample, and where there are fewer than two players, the ends are nan.

    Args:
        parts: float64 ``(players, k)``.
        wholes: float64 ``(players, k)``.
        resamples: how many times players are drawn.
        seed: of all chance.
    """
    players, columns = parts.shape
    if players < 2:
        return Interval(*np.full((2, columns), np.nan))
    rng = np.random.Generator(np.random.Philox(seed))
    both = np.concatenate([parts, wholes], axis=1)
    drawn = [
        _weights(rng, players, min(_AT_ONCE, resamples - start)) @ both
        for start in range(0, resamples, _AT_ONCE)
    ]
    sums = np.concatenate(drawn)
    whole = np.where(sums[:, columns:] == 0, np.nan, sums[:, columns:])
    ratios = sums[:, :columns] / whole
    known = ~np.isnan(ratios).all(axis=0)
    ends = np.full((2, columns), np.nan)
    ends[:, known] = np.nanquantile(ratios[:, known], _ENDS, axis=0)
    return Interval(*ends)


def _weights(rng: np.random.Generator, players: int, resamples: int) -> Floats:
    """How often each player is drawn: float64 ``(resamples, players)``."""
    drawn = rng.integers(0, players, (resamples, players))
    drawn += np.arange(resamples)[:, None] * players
    counts = np.bincount(drawn.ravel(), minlength=resamples * players)
    return counts.reshape(resamples, players).astype(np.float64)
