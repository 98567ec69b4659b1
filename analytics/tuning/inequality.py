"""How unequally money is spread over players."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def gini(balances: npt.NDArray[np.int64]) -> float | None:
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
