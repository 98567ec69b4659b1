"""Products of integers: exact whatever their size, as cheap as it allows."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

# Of int64, or of Python ints where sums would pass it.
Integers: TypeAlias = npt.NDArray[Any]

FLOAT: Final = 2.0**53  # up to here floating point holds every integer
INT64: Final = 2.0**62  # half of what int64 holds, as bounds are worked out in floating point


def matrix_product(left: Integers, right: Integers) -> Integers:
    """``left @ right`` of two matrices: int64 where nothing passes it, else Python ints.

    >>> matrix_product(np.array([[2**62]]), np.array([[4]])).tolist() == [[2**64]]
    True
    """
    limit = bound(left) * bound(right) * left.shape[1]
    if limit < FLOAT:  # a library multiplies matrices of floats, and only these, fast
        return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)
    if limit < INT64:
        return np.asarray(left @ right)
    return np.asarray(left.astype(object) @ right.astype(object))


def bound(values: Integers) -> float:
    """The largest size of all values.

    >>> bound(np.array([3, -7])), bound(np.zeros(0, np.int64))
    (7.0, 0.0)
    """
    return float(max(values.max(), -values.min())) if values.size else 0.0
