"""What a game says, as one 64-bit number: equal exactly where two logs say the same.

The canonical form of a game is a row of 64-bit words in fixed order: an int is
one word, a text its length in bytes and its UTF-8, padded with zeros to whole
words. It is made from columns, so that it knows nothing of key
order, blanks, escapes or whether a log was JSON Lines or Parquet. Fields that
the format does not know, and where the game was read, are no part of it.

The number is the XXH64 (``analytics.logs.hashing``) of the form.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from xxhash import xxh64_intdigest

from analytics import compiled
from analytics.compiled import Ints, kernel, quick_kernel
from analytics.logs import layout
from analytics.logs.hashing import CONSTANTS, as_int64, hash_words, write_bytes

Int64s = npt.NDArray[np.int64]

_GAME_WORDS: Final = 64  # more than a game has beside seats, times and the texts themselves
_SEAT_WORDS: Final = 16
# What ``hash_games`` and ``write_games`` take first, up to ``words``.
_Rows = tuple[Int64s, Int64s, npt.NDArray[np.uint8], int, Int64s, int, Int64s]


def contents(
    games: Int64s,
    seats: Int64s,
    text: npt.NDArray[np.uint8],
    times: Int64s,
    *,
    family: str,
    n: int,
) -> Int64s:
    """int64 ``(n,)``: the hash of each game's canonical form.

    Args:
        games, seats, text, times: filled for ``n`` games, as in ``layout``.
        family: the game word of the log.
        n: how many games.
    """
    words = np.empty(_most_words(games, seats, n), np.int64)
    rows = (games.ravel(), seats.ravel(), text.ravel(), text.shape[1], times, n, words)
    by = _by_kernel if compiled.is_compiled(hash_games) else _by_library
    return by(rows, xxh64_intdigest(family.encode()))


def _by_library(rows: _Rows, seed: int) -> Int64s:
    *_, n, words = rows
    ends = np.empty(n + 1, np.int64)
    compiled.run(write_games, *rows, ends)
    view = words.view(np.uint8).data
    spans = pairwise((ends * 8).tolist())
    return as_int64([xxh64_intdigest(view[start:stop], seed) for start, stop in spans])


def _by_kernel(rows: _Rows, seed: int) -> Int64s:
    *_, n, words = rows
    hashes = np.empty(n, np.uint64)
    seeds = np.array([seed], np.uint64)
    compiled.run(hash_games, *rows, words.view(np.uint64), CONSTANTS, seeds, hashes)
    return hashes.view(np.int64)


def _most_words(games: Int64s, seats: Int64s, n: int) -> int:
    k = int(games[n, layout.SEATS_AT])
    chars = int(games[n, : layout.PLAYER].sum()) + int(seats[k, layout.PLAYER_AT])
    return n * _GAME_WORDS + k * _SEAT_WORDS + chars // 8 + int(games[n, layout.TIMES_AT])


@quick_kernel
def hash_games(
    games: Ints,
    seats: Ints,
    text: Ints,
    width: int,
    times: Ints,
    n: int,
    words: Ints,
    bits: Ints,
    constants: Ints,
    seeds: Ints,
    hashes: Ints,
) -> None:
    """The hash of each of ``n`` games; their forms overwrite one another (entry kernel).

    Args:
        games, seats, text, times: as in ``layout``.
        width: of a row of ``text``.
        n: how many games.
        words: int64, room for the longest form and one word.
        bits: uint64, the same memory.
        constants: of ``hashing``.
        seeds: uint64 ``(1,)``.
        hashes: uint64 ``(n,)``, to be written.
    """
    for i in range(n):
        after = _write_game(games, i * layout.GAME, seats, text, width, times, words, 0)
        words[after] = 8 * after
        hashes[i] = hash_words(bits, after, 0, seeds[0], constants)


@quick_kernel
def write_games(
    games: Ints,
    seats: Ints,
    text: Ints,
    width: int,
    times: Ints,
    n: int,
    words: Ints,
    ends: Ints,
) -> None:
    """Writes the forms of ``n`` games, one after the other (entry kernel).

    Args:
        games, seats, text, width, times, n: as for ``hash_games``.
        words: int64, to be written.
        ends: int64 ``(n + 1,)``, to be written: where each game's words begin.
    """
    ends[0] = 0
    for i in range(n):
        g = i * layout.GAME
        ends[i + 1] = _write_game(games, g, seats, text, width, times, words, ends[i])


@kernel
def _write_game(
    games: Ints, g: int, seats: Ints, text: Ints, width: int, times: Ints, words: Ints, w: int
) -> int:
    """Writes the form of the game at ``g``; returns the next place."""
    after = g + layout.GAME
    present = games[g + layout.PRESENT]
    words[w] = present
    w += 1
    for row in range(layout.PLAYER):
        if present >> row & 1:
            start = games[g + row]
            length = games[after + row] - start
            w = _write_text(text, row * width + start, length, words, w)
    for field in range(layout.START, layout.GAME):
        words[w] = games[g + field]
        w += 1
    w = _write_seats(games, g, seats, text, width, words, w)
    start = games[g + layout.TIMES_AT]
    return _write_times(times, start, games[after + layout.TIMES_AT] - start, words, w)


@kernel
def _write_seats(
    games: Ints, g: int, seats: Ints, text: Ints, width: int, words: Ints, w: int
) -> int:
    """Writes how many seats the game at ``g`` has, and each; returns the next place."""
    first = games[g + layout.SEATS_AT]
    after = games[g + layout.GAME + layout.SEATS_AT]
    words[w] = after - first
    w += 1
    for seat in range(first, after):
        s = seat * layout.SEAT
        start = seats[s + layout.PLAYER_AT]
        length = seats[s + layout.SEAT + layout.PLAYER_AT] - start
        w = _write_text(text, layout.PLAYER * width + start, length, words, w)
        for field in range(layout.BALANCE, layout.SEAT):
            words[w] = seats[s + field]
            w += 1
    return w


@kernel
def _write_text(text: Ints, start: int, length: int, words: Ints, w: int) -> int:
    """Writes a text's length and its bytes, eight a word; returns the next place."""
    words[w] = length
    return write_bytes(text, start, length, words, w + 1)


@kernel
def _write_times(times: Ints, start: int, length: int, words: Ints, w: int) -> int:
    """Writes how many times a game has, and each; returns the next place."""
    words[w] = length
    w += 1
    if start < 0 or w < 0:  # pragma: no cover - said to the compiler, as in hashing
        return w
    for j in range(length):
        words[w + j] = times[start + j]
    return w + length
