"""Chance: random numbers that are the same everywhere, compiled or not, in any order.

Two sources, both made from the seed of a run:

- *dice*, for kernels: an array of states, one a game. ``draw`` advances one state by
  multiply-with-carry, which stays within positive int64 and so needs no wrapping.
- *shares*, for columns: numbers that are hashed from what they are for. Asking twice, or
  in another order, changes nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from analytics.compiled import Ints, kernel

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# Multiply-with-carry (G. Marsaglia, 2003) in base 2^32. MULTIPLIER * 2^32 - 1 is a safe
# prime, so that the period is half of it; the multiplier is below 2^31, so that no step
# passes 2^63. A test proves both.
MULTIPLIER: Final = 2_131_995_753
BASE_BITS: Final = 32
_LOW: Final = (1 << BASE_BITS) - 1
STATES: Final = (MULTIPLIER << BASE_BITS) - 2  # 0 and STATES + 1 would stay what they are

# The finaliser of splitmix64 (G. Steele, D. Lea, C. Flood, 2014).
_GOLDEN: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_WORD: Final = 2**64 - 1


@kernel
def draw(dice: Ints, at: int) -> int:
    """The next number 0..2^32-1 of the state ``dice[at]``, which moves on.

    The carry is mixed in, as in MWC64X (D. Thomas, 2011): low words alone are less random.
    """
    low = dice[at] & _LOW
    carry = dice[at] >> BASE_BITS
    dice[at] = MULTIPLIER * low + carry
    return low ^ carry


@kernel
def below(dice: Ints, at: int, n: int) -> int:
    """A number 0..n-1; ``n`` is at most 2^31. No number is likelier by more than n / 2^32."""
    return (draw(dice, at) * n) >> BASE_BITS


@kernel
def happens(dice: Ints, at: int, parts: int) -> bool:
    """Whether something happens that does so ``parts`` times in a million."""
    return below(dice, at, 1_000_000) < parts


def dice_of(seed: int, purpose: str, *numbers: Any) -> Int64s:
    """States for ``draw``: one for each of the numbers, which are hashed with the seed.

    Args:
        seed: of the run.
        purpose: a word; different words give unrelated states.
        numbers: ints or arrays of ints of one length.
    """
    hashed = _hashed(seed, purpose, numbers)
    return (hashed % np.uint64(STATES)).astype(np.int64) + 1


def shares(seed: int, purpose: str, *numbers: Any) -> Floats:
    """Numbers from 0 to below 1, one for each of the numbers; see ``dice_of``.

    >>> bool(shares(1, "a", [3, 4])[1] == shares(1, "a", 4)[0])
    True
    """
    return (_hashed(seed, purpose, numbers) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _hashed(seed: int, purpose: str, numbers: tuple[Any, ...]) -> npt.NDArray[np.uint64]:
    word = _start(seed, purpose)
    at = 0
    while at < len(numbers) and isinstance(numbers[at], int):  # one number needs no array
        word = _mixed_word(word + _GOLDEN + numbers[at])
        at += 1
    words = np.array([word], np.uint64)
    for number in numbers[at:]:
        added = np.atleast_1d(np.asarray(number, np.int64)).view("u8")
        words = _mixed(words + np.uint64(_GOLDEN) + added)
    return words


@cache
def _start(seed: int, purpose: str) -> int:
    return (xxh3_64_intdigest(purpose.encode()) ^ seed) & _WORD


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(_FIRST)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(_SECOND)
    return words ^ (words >> np.uint64(31))


def _mixed_word(word: int) -> int:
    """The same of one word."""
    word &= _WORD
    word = (word ^ word >> 30) * _FIRST & _WORD
    word = (word ^ word >> 27) * _SECOND & _WORD
    return word ^ word >> 31
