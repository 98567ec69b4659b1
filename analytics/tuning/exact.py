"""Sums of money that no number of games can make wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Int64s: TypeAlias = npt.NDArray[np.int64]

_HALF: Final = 32  # bits


def exact_sum(amounts: Int64s) -> int:
    """The sum of int64 amounts ``(n,)``, as a Python int: it cannot wrap.

    >>> exact_sum(np.full(4, 2**62))
    18446744073709551616
    >>> exact_sum(np.zeros(0, np.int64))
    0
    """
    high = int((amounts >> _HALF).sum())
    low = int((amounts & (2**_HALF - 1)).sum())
    return (high << _HALF) + low


def whole_numbers(values: Iterable[int]) -> Any:
    """A column of whole numbers: Int64 where they fit, else Python ints."""
    import pandas as pd

    given = list(values)
    fits = all(-(2**63) <= value < 2**63 for value in given)
    return pd.Series(given, dtype="Int64" if fits else object)
