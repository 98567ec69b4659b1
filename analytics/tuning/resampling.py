"""Resampling: intervals by drawing players anew, each with all his games.

Results of one player hang together, so players are drawn and not games. Source: B. Efron
and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapters 8 and 13.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.tuning.errors import CannotTune

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

RESAMPLES: Final = 1_000
SEED: Final = 1
_ENDS: Final = (0.025, 0.975)  # intervals of 95 %
_AT_ONCE: Final = 50  # resamples whose weights are in memory together


class Means(NamedTuple):
    """What means are made of: float64 ``(players, k)`` each.

    Attributes:
        parts: what each player adds to the sum.
        wholes: over how many seats; not negative.
    """

    parts: Floats
    wholes: Floats


class Interval(NamedTuple):
    """Lower and upper ends: float64 ``(k,)`` each."""

    low: Floats
    high: Floats


def check_draws(resamples: int, seed: int) -> None:
    """Makes sure that intervals can be drawn so.

    Raises:
        CannotTune: they cannot.
    """
    if resamples < 2:
        raise CannotTune(f"resamples are {resamples}: players must be drawn twice at least.")
    if seed < 0:
        raise CannotTune(f"the seed is {seed}: it must not be negative.")


def intervals(parts: Floats, wholes: Floats, *, resamples: int, seed: int) -> Interval:
    """Intervals of ratios of sums over players: of Σ part ÷ Σ whole, column by column.

    Guarantees: the same input and seed give the same ends. Where fewer than two players
    have a part in the whole nothing is known of their scatter: the ends are nan.

    Args:
        parts: float64 ``(players, k)``.
        wholes: float64 ``(players, k)``: not negative.
        resamples: how many times players are drawn.
        seed: of all chance.
    """
    is_known = (wholes > 0).sum(axis=0) > 1
    both = np.concatenate([parts[:, is_known], wholes[:, is_known]], axis=1)
    part, whole = np.hsplit(_resampled(both, resamples, seed), 2)
    return _ends_of(part / _or_nan(whole), is_known)


def mean_intervals(one: Means, other: Means, *, resamples: int, seed: int) -> Interval:
    """Intervals of differences of two means of which each is over seats of its own.

    Guarantees: as those of ``intervals``; of equal sides both ends are exactly 0.

    Args:
        one: a side, of ``k`` columns.
        other: the other side, from which the first is taken away.
        resamples: how many times players are drawn.
        seed: of all chance.
    """
    is_known = ((one.wholes > 0).sum(axis=0) > 1) & ((other.wholes > 0).sum(axis=0) > 1)
    columns = (
        other.parts - one.parts, other.wholes - one.wholes, one.parts, one.wholes, other.wholes
    )  # fmt: skip
    known = np.concatenate([column[:, is_known] for column in columns], axis=1)
    more, seats_more, part, whole, whole_other = np.hsplit(_resampled(known, resamples, seed), 5)
    # b/v - a/u, written so that it is exactly 0 where b = a and v = u.
    differences = (more - part / _or_nan(whole) * seats_more) / _or_nan(whole_other)
    return _ends_of(differences, is_known)


def _resampled(columns: Floats, resamples: int, seed: int) -> Floats:
    """Sums over players that are drawn anew: float64 ``(resamples, k)``."""
    players = len(columns)
    if not columns.size:
        return np.zeros((resamples, columns.shape[1]))
    rng = np.random.Generator(np.random.Philox(seed))
    drawn = [
        _weights(rng, players, min(_AT_ONCE, resamples - start)) @ columns
        for start in range(0, resamples, _AT_ONCE)
    ]
    return np.concatenate(drawn)


def _or_nan(wholes: Floats) -> Floats:
    return np.where(wholes == 0, np.nan, wholes)


def _ends_of(drawn: Floats, is_known: npt.NDArray[np.bool_]) -> Interval:
    """Ends of the columns that are known, ``(resamples, known)``; nan for the others."""
    ends = np.full((2, len(is_known)), np.nan)
    ends[:, is_known] = np.nanquantile(drawn, _ENDS, axis=0)
    return Interval(*ends)


def _weights(rng: np.random.Generator, players: int, resamples: int) -> Floats:
    """How often each player is drawn: float64 ``(resamples, players)``."""
    drawn = rng.integers(0, players, (resamples, players))
    drawn += np.arange(resamples)[:, None] * players
    counts = np.bincount(drawn.ravel(), minlength=resamples * players)
    return counts.reshape(resamples, players).astype(np.float64)
