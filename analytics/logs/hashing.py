"""XXH64 of texts and of words, many at a time, and from kernels.

Anybody can compute the same (Y. Collet, "XXH64 algorithm description", xxHash 0.1.1, a
public specification); uncompiled, the xxhash library does. It is not cryptographic: who
may choose texts may make two that have the same hash.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from xxhash import xxh64_intdigest

from analytics import compiled
from analytics.compiled import Ints, kernel, quick_kernel
from analytics.logs.tokens import eight_bytes

Int64s = npt.NDArray[np.int64]

# The five primes of XXH64, then masks. As they come from an array of uint64, kernels work
# on unsigned words throughout; the whole mask lets Python's ints wrap as these do.
_P1, _P2, _P3, _P4, _P5, WHOLE, LOW_32, LOW_8, ONE = range(9)
CONSTANTS: Final = np.array(
    [
        *(0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63),
        *(0x27D4EB2F165667C5, 2**64 - 1, 2**32 - 1, 2**8 - 1, 1),
    ],
    np.uint64,
)


def hashes_of(buffer: bytes, at: Int64s) -> Int64s:
    """int64 ``(n,)``: XXH64 of each text, the same bits.

    Args:
        buffer, at: ``n`` texts, as in ``Strings``.

    >>> same = hashes_of(b"abab", np.array([0, 2, 4]))
    >>> same.tolist() == as_int64([xxh64_intdigest(b"ab")] * 2).tolist()
    True
    """
    by = _by_kernel if compiled.is_compiled(hash_texts) else _by_library
    return by(buffer, at)


def _by_library(buffer: bytes, at: Int64s) -> Int64s:
    spans = pairwise(at.tolist())
    return as_int64([xxh64_intdigest(buffer[start:stop]) for start, stop in spans])


def _by_kernel(buffer: bytes, at: Int64s) -> Int64s:
    n = len(at) - 1
    words = np.empty(int(np.diff(at).max(initial=0)) // 8 + 3, np.int64)
    hashes = np.empty(n, np.uint64)
    compiled.run(hash_texts, buffer, at, n, words, words.view(np.uint64), CONSTANTS, hashes)
    return hashes.view(np.int64)


def as_int64(unsigned: Sequence[int]) -> Int64s:
    """64-bit hashes as int64, the same bits.

    >>> as_int64([2**64 - 1, 1]).tolist()
    [-1, 1]
    """
    bits: Any = np.array(unsigned, np.uint64)
    view: Int64s = bits.view(np.int64)
    return view


@quick_kernel
def hash_texts(
    chars: Ints, at: Ints, n: int, words: Ints, bits: Ints, constants: Ints, hashes: Ints
) -> None:
    """The hash of each of ``n`` texts (entry kernel).

    Args:
        chars, at: the texts, as in ``Strings``.
        n: how many.
        words: int64, room for the longest text and two words.
        bits: uint64, the same memory.
        constants: ``CONSTANTS``.
        hashes: uint64 ``(n,)``, to be written.
    """
    for i in range(n):
        length = at[i + 1] - at[i]
        after = write_bytes(chars, at[i], length, words, 0)
        words[after] = length
        whole = length // 8
        hashes[i] = hash_words(
            bits, whole, length - 8 * whole, constants[0] ^ constants[0], constants
        )


@kernel
def write_bytes(text: Ints, start: int, length: int, words: Ints, w: int) -> int:
    """Writes bytes of a text, eight a word, the last padded with zeros; returns the next place."""
    # Never so; knowing it, the compiler reads whole words.
    if start < 0 or length < 0:  # pragma: no cover - said to the compiler
        return w
    whole = length // 8
    for k in range(whole):
        words[w + k] = eight_bytes(text, start + 8 * k)
    w += whole
    if length == 8 * whole:
        return w
    word = 0
    for j in range(length - 8 * whole):
        word |= text[start + 8 * whole + j] << 8 * j
    words[w] = word
    return w + 1


@kernel
def hash_words(bits: Ints, whole: int, left: int, seed: int, constants: Ints) -> int:
    """XXH64 of the first words of an array.

    Args:
        bits: uint64; after the last word stands how many bytes are hashed.
        whole: how many whole words are hashed.
        left: how many bytes of one more word, 0..7.
        seed: an item of an array of uint64.
        constants: ``CONSTANTS``.
    """
    w = 0
    h = seed + constants[_P5]
    if whole >= 4:
        a = seed + constants[_P1] + constants[_P2]
        b = seed + constants[_P2]
        c = seed
        d = seed - constants[_P1]
        while w + 4 <= whole:
            a = _round(a, bits[w], constants)
            b = _round(b, bits[w + 1], constants)
            c = _round(c, bits[w + 2], constants)
            d = _round(d, bits[w + 3], constants)
            w += 4
        h = _rotated(a, 1, constants) + _rotated(b, 7, constants)
        h += _rotated(c, 12, constants) + _rotated(d, 18, constants)
        h = _merged(_merged(h, a, constants), b, constants)
        h = _merged(_merged(h, c, constants), d, constants)
    h = (h + bits[whole + int(left > 0)]) & constants[WHOLE]
    for k in range(w, whole):
        h ^= _round(seed ^ seed, bits[k], constants)
        h = (_rotated(h, 27, constants) * constants[_P1] + constants[_P4]) & constants[WHOLE]
    if left > 0:
        h = _hash_bytes(h, bits[whole], left, constants)
    h = (h ^ h >> 33) * constants[_P2] & constants[WHOLE]
    h = (h ^ h >> 29) * constants[_P3] & constants[WHOLE]
    return h ^ h >> 32


@kernel
def _hash_bytes(h: int, word: int, left: int, constants: Ints) -> int:
    """Adds the lowest bytes of a word, fewer than eight, to a hash."""
    if left >= 4:
        h ^= (word & constants[LOW_32]) * constants[_P1] & constants[WHOLE]
        h = (_rotated(h, 23, constants) * constants[_P2] + constants[_P3]) & constants[WHOLE]
        word = word >> 32
        left -= 4
    for _ in range(left):
        h ^= (word & constants[LOW_8]) * constants[_P5] & constants[WHOLE]
        h = _rotated(h, 11, constants) * constants[_P1] & constants[WHOLE]
        word = word >> 8
    return h


@kernel
def _round(lane: int, word: int, constants: Ints) -> int:
    lane = (lane + word * constants[_P2]) & constants[WHOLE]
    return _rotated(lane, 31, constants) * constants[_P1] & constants[WHOLE]


@kernel
def _merged(h: int, lane: int, constants: Ints) -> int:
    h ^= _round(lane ^ lane, lane, constants)
    return (h * constants[_P1] + constants[_P4]) & constants[WHOLE]


@kernel
def _rotated(word: int, by: int, constants: Ints) -> int:
    return (word << by | word >> 64 - by) & constants[WHOLE]
