"""The words of the log, its keys and values, and how kernels look them up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.compiled import kernel
from analytics.logs import layout

# The number of each word; the texts have the numbers of their rows (``layout``).
HANDS: Final = layout.HANDS
ACTIONS: Final = layout.ACTIONS
V: Final = 11
GAME: Final = 12
START: Final = 13
END: Final = 14
SEATS: Final = 15
FIRST: Final = 16
BASE: Final = 17
TIMES: Final = 18
RESULT: Final = 19
PLAYER: Final = 20
WINNER: Final = 21
PLACES: Final = 22  # the parts per seat stand in the order of their rows
XIANG: Final = 23
CONTRIBUTION: Final = 24
DELTA: Final = 25
FEE: Final = 26
BALANCE: Final = 27
KOU: Final = 28
DOUBLING: Final = 29
# Words that stand as values.
SHUANGKOU: Final = 30
OUT: Final = 31
ESCAPE: Final = 32
PING: Final = 33
SHUANG: Final = 35

WORDS: Final = (
    *("id", "rules", "shown", "room", "table", "round", "deal", "arm", "client"),
    *("hands", "actions", "v", "game", "start", "end", "seats", "first", "base", "times"),
    *("result", "player", "winner", "places", "xiang", "contribution", "delta", "fee"),
    *("balance", "kou", "doubling", "shuangkou", "out", "escape", "ping", "dan", "shuang"),
)

UNKNOWN: Final = -1
SLOTS: Final = 128

# Rows of the table of words and of ``Names``.
FROM: Final = 0  # where the name begins among the characters of all names
TO: Final = 1
NUMBER: Final = 2  # of the word, or UNKNOWN where the slot is empty


class Names(NamedTuple):
    """Names for kernels to compare with.

    Attributes:
        chars: all names, one after the other.
        rows: int64 ``(rows, names)``; FROM and TO, and what is said of each name.
    """

    chars: bytes
    rows: npt.NDArray[np.int64]

    @classmethod
    def of(cls, names: Sequence[bytes], *values: Sequence[int]) -> Names:
        """The names with their values, each in a row of its own from NUMBER on."""
        at = np.zeros(len(names) + 1, np.int64)
        np.cumsum([len(name) for name in names], out=at[1:])
        rows = [at[:-1], at[1:], *(np.array(row, np.int64) for row in values)]
        return cls(b"".join(names), np.array(rows))


def word_table() -> Names:
    """The words of the log, each in its slot.

    >>> table = word_table()
    >>> find_word(b"delta", 0, 5, table.chars, table.rows) == DELTA
    True
    >>> find_word(b"Delta", 0, 5, table.chars, table.rows) == UNKNOWN
    True
    """
    names = [b""] * SLOTS
    numbers = [UNKNOWN] * SLOTS
    for number, word in enumerate(WORDS):
        name = word.encode()
        slot = slot_of(name[0], name[-1], len(name))
        names[slot], numbers[slot] = name, number
    return Names.of(names, numbers)


@kernel
def slot_of(first: int, last: int, length: int) -> int:
    """The slot of a word by its first and last byte; no two words share one."""
    return (1 * first + 3 * last + 11 * length) % SLOTS


@kernel
def find_word(block, start, stop, chars, rows):  # type: ignore[no-untyped-def]
    """The number of the word ``block[start:stop]``, or UNKNOWN."""
    if start == stop:
        return UNKNOWN
    slot = slot_of(block[start], block[stop - 1], stop - start)
    if equals(block, start, stop, chars, rows[FROM][slot], rows[TO][slot]):
        return rows[NUMBER][slot]
    return UNKNOWN


@kernel
def equals(block, start, stop, chars, first, after):  # type: ignore[no-untyped-def]
    """Whether ``block[start:stop]`` is ``chars[first:after]``."""
    if stop - start != after - first:
        return False
    for j in range(stop - start):
        if block[start + j] != chars[first + j]:
            return False
    return True
