"""Numbers that stand for ids and players, where columns of numbers are sorted and compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.compiled import Ints, kernel, quick_kernel
from analytics.logs.hashing import CONSTANTS, LOW_8, ONE, WHOLE

Int64s = npt.NDArray[np.int64]
Uint64s = npt.NDArray[np.uint64]


def sort_keys(buffer: bytes, at: Int64s) -> tuple[Uint64s, Uint64s]:
    """The first 16 bytes of each id as two numbers that sort as the ids do.

    Args:
        buffer, at: ``n`` texts, as in ``Strings``.

    Returns:
        uint64 ``(n,)`` twice. Ids that agree in both may still differ further on.
    """
    heads, tails = (np.empty(len(at) - 1, np.uint64) for _ in range(2))
    compiled.run(write_heads, buffer, at, CONSTANTS, heads, tails)
    return heads, tails


def player_keys(buffer: bytes, at: Int64s, unit: npt.NDArray[np.int16], seed: int) -> Int64s:
    """A number for each player's account, equal for equal texts and units: int64 ``(n,)``.

    It adds up a random odd number for every byte, by its place and its value, modulo 2^64:
    of two different texts, whatever they are, once in 2^55 seeds the numbers are the same. So
    whoever chooses names, but not the seed, cannot make two players one.

    Args:
        buffer, at: ``n`` texts, as in ``Strings``.
        unit: int16 ``(n,)``: what they own there is counted in.
        seed: of the random numbers.

    >>> units = np.array([0, 0, 0, 1], np.int16)
    >>> keys = player_keys(b"abbaabab", np.array([0, 2, 4, 6, 8]), units, 1).tolist()
    >>> keys[0] == keys[2], keys[0] == keys[1], keys[0] == keys[3]
    (True, False, False)
    """
    longest = int(np.diff(at).max(initial=0))
    weights: Any = np.random.Philox(seed).random_raw(1 + longest) | np.uint64(1)
    keys = np.empty(len(at) - 1, np.uint64)
    compiled.run(add_up, buffer, at, unit.astype(np.uint64), weights, CONSTANTS, keys)
    return keys.view(np.int64)


@quick_kernel
def write_heads(chars: Ints, at: Ints, constants: Ints, heads: Ints, tails: Ints) -> None:
    """Writes eight bytes of each text, and the next eight, the first one highest (entry kernel)."""
    for i in range(len(heads)):
        heads[i] = _head(chars, at[i], at[i + 1], constants)
        tails[i] = _head(chars, at[i] + 8, at[i + 1], constants)


@kernel
def _head(chars: Ints, start: int, stop: int, constants: Ints) -> int:
    """The eight bytes from ``start`` on as one unsigned word; zeros behind ``stop``."""
    word = constants[ONE] ^ constants[ONE]
    for j in range(8):
        word = (word << 8) & constants[WHOLE]
        if start + j < stop:
            word |= chars[start + j] & constants[LOW_8]
    return word


@quick_kernel
def add_up(chars: Ints, at: Ints, units: Ints, weights: Ints, constants: Ints, keys: Ints) -> None:
    """Adds up the weights of each text, the first weight for its unit (entry kernel)."""
    for i in range(len(keys)):
        key = units[i] * weights[0]
        for j in range(at[i + 1] - at[i]):
            value = (chars[at[i] + j] & constants[LOW_8]) + constants[ONE]
            key = (key + value * weights[1 + j]) & constants[WHOLE]
        keys[i] = key & constants[WHOLE]
