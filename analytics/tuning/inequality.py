"""How unequally money is spread over players.

Amounts are int64 or Python ints; their sums may pass 64 bits.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.tuning.exact import exact_sum, exact_sums

Floats = npt.NDArray[np.float64]

PERCENTS: Final = range(101)  # points of a Lorenz curve


def gini(balances: npt.NDArray[Any]) -> float | None:
    """The Gini coefficient of balances: 0 where all have the same, nearly 1 where one has all.

    Of amounts x in ascending order: G = Σ (2i − n − 1)·x / (n·Σ x). Debts count as nothing.

    Returns:
        None where nobody has anything.

    >>> gini(np.array([5, 5])), gini(np.array([0, 10])), gini(np.array([-7]))
    (0.0, 0.5, None)
    """
    held = np.sort(np.maximum(balances, 0)).astype(float)
    total, n = held.sum(), len(held)
    if total == 0:
        return None
    places = 2 * np.arange(1, n + 1) - n - 1
    return float((places * held).sum() / (n * total))


def top_share(amounts: npt.NDArray[Any], percent: int) -> float:
    """What the richest so many per cent, rounded up to a whole player, have of all.

    Args:
        amounts: of players, none below 0.
        percent: above 0.

    Returns:
        nan where nobody has anything.

    >>> top_share(np.array([1, 1, 8]), 10)
    0.8
    """
    if not amounts.any():
        return math.nan
    most = -(-len(amounts) * percent // 100)
    return exact_sum(np.sort(amounts)[-most:]) / exact_sum(amounts)


def lorenz(amounts: npt.NDArray[Any]) -> Floats:
    """Which share the poorest p per cent, rounded down to whole players, have: ``(101,)``.

    Args:
        amounts: of players, none below 0.

    Returns:
        for every p from 0 to 100; nan where nobody has anything.

    >>> lorenz(np.array([8, 1, 1]))[[0, 33, 34, 67, 100]].tolist()
    [0.0, 0.0, 0.1, 0.2, 1.0]
    """
    if not amounts.any():
        return np.full(len(PERCENTS), math.nan)
    places = [len(amounts) * percent // 100 for percent in PERCENTS]
    below = exact_sums(np.sort(amounts), places)
    return np.array([amount / below[-1] for amount in below])
