"""Sums of money that no number of games can make wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Int64s: TypeAlias = npt.NDArray[np.int64]

_HALF: Final = 32  # bits
_LOW: Final = 2**_HALF - 1
_SMALL: Final = 2.0**62  # what a sum in floating point may say without int64 being passed


def exact_sum(amounts: npt.NDArray[Any]) -> int:
    """The sum of amounts ``(n,)``, int64 or Python ints, as a Python int: it cannot wrap.

    >>> exact_sum(np.full(4, 2**62))
    18446744073709551616
    >>> exact_sum(np.zeros(0, np.int64))
    0
    """
    high = int((amounts >> _HALF).sum())
    low = int((amounts & _LOW).sum())
    return (high << _HALF) + low


def exact_sums(amounts: npt.NDArray[Any], places: Iterable[int]) -> list[int]:
    """The sums of the first so many amounts, each as ``exact_sum`` has it.

    >>> exact_sums(np.full(4, 2**62), [0, 1, 4])
    [0, 4611686018427387904, 18446744073709551616]
    """
    high = np.cumsum(amounts >> _HALF)
    low = np.cumsum(amounts & _LOW)
    return [(int(high[n - 1]) << _HALF) + int(low[n - 1]) if n else 0 for n in places]


def weighted(amounts: Int64s, weights: Int64s) -> npt.NDArray[Any]:
    """Every amount times its weight, ``(n,)``: no sum of these can wrap.

    Returns:
        int64 where no sum of them can pass it, else Python ints.

    >>> weighted(np.array([2, 3]), np.array([4, 1])).tolist()
    [8, 3]
    >>> weighted(np.array([2**62, 5]), np.array([4, 1])).sum() == 2**64 + 5
    True
    """
    most = np.abs(amounts.astype(np.float64)) @ np.abs(weights.astype(np.float64))
    return np.asarray(amounts * weights if most < _SMALL else amounts.astype(object) * weights)


def whole_numbers(values: Iterable[int | None]) -> Any:
    """A column of whole numbers or None: Int64 where they fit, else Python ints."""
    import pandas as pd

    given = list(values)
    fits = all(value is None or -(2**63) <= value < 2**63 for value in given)
    return pd.Series(given, dtype="Int64" if fits else object)
