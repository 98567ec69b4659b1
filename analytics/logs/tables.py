"""What the reading kernel looks up, all in one array of int64.

One array, since each that a kernel passes on costs time at every call (see
``tokens``). It holds where strings stop, the words of the log, which key follows
which, and what was met so far: rulesets and fields that the format does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.compiled import Ints, kernel
from analytics.logs import layout

Int64s = npt.NDArray[np.int64]

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
PLACES: Final = 22  # the parts per seat stand in the order of their columns
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
NO_WORD: Final = -1
FAMILY: Final = WORDS[SHUANGKOU]  # the only one whose lines the kernel takes

# Where an unknown field stands.
IN_GAME: Final = 0
IN_SEAT: Final = 1
IN_RESULT: Final = 2
MOST_UNKNOWN: Final = 60  # names of unknown fields that are told apart: bits of an int

# Places in the array. First what is noted of the line at hand:
GIVEN: Final = 0  # bit w: word w has a value
ACTION_COUNT: Final = 1
PARTS: Final = 2  # bit w: part w of the result has a value
PER_SEAT: Final = 3  # entries of each list in the result; -1 before the first
MET: Final = 4  # bit u: unknown field u was met
MET_IN_SEAT: Final = 5  # the same, of the seat at hand
NOTES: Final = 6
# then what holds for a block,
WIDTH: Final = 6  # of a row of ``layout`` text
RULES: Final = 7  # where the rulesets met so far begin ...
RULES_COUNT: Final = 8  # ... and how many there are
UNKNOWN: Final = 9  # where the unknown fields met so far begin ...
UNKNOWN_COUNT: Final = 10  # ... and how many there are
# then tables of 256: where a string stops, where one in a list stops,
STOPS: Final = 16
LIST_STOPS: Final = STOPS + 256
# then, by slot, the number of a word, its first place and the place behind it,
SLOTS: Final = 128
SLOT: Final = LIST_STOPS + 256
SLOT_FROM: Final = SLOT + SLOTS
SLOT_TO: Final = SLOT_FROM + SLOTS
# then, by word, how it looks,
MARK: Final = SLOT_TO + SLOTS
MASK: Final = MARK + 64
LENGTH: Final = MASK + 64
# then which key followed last, by context: where it stands and the key before,
CONTEXTS: Final = 64
FOLLOW: Final = LENGTH + 64
FOLLOW_IN_SEAT: Final = FOLLOW + CONTEXTS
FOLLOW_IN_RESULT: Final = FOLLOW_IN_SEAT + CONTEXTS
# then the characters of the words.
CHARS: Final = FOLLOW_IN_RESULT + CONTEXTS

# What is said of a ruleset: the place of its name, from when to when, and which it is.
NAME: Final = 0
NAME_END: Final = 1
SINCE: Final = 2
UNTIL: Final = 3
RULES_IX: Final = 4
IS_GIVEN: Final = 5
RULE: Final = 6
# What is said of an unknown field, beside NAME and NAME_END.
WHERE: Final = 2
COUNT: Final = 3
FIELD: Final = 4


class Entry(NamedTuple):
    """What was met so far: a name and what is said of it, in the order of its places."""

    name: bytes
    values: tuple[int, ...]


def build(rules: Sequence[Entry], fields: Sequence[Entry]) -> Int64s:
    """The whole array.

    Args:
        rules: the rulesets met so far, with SINCE, UNTIL, RULES_IX and IS_GIVEN.
        fields: the unknown fields met so far, with WHERE and COUNT.
    """
    fixed = _fixed()
    names = b"".join(entry.name for entry in (*rules, *fields))
    array = np.concatenate(
        [fixed, np.frombuffer(names, np.uint8), *_rows((*rules, *fields), len(fixed))],
        dtype=np.int64,
    )
    array[RULES] = len(fixed) + len(names)
    array[RULES_COUNT] = len(rules)
    array[UNKNOWN] = array[RULES] + RULE * len(rules)
    array[UNKNOWN_COUNT] = len(fields)
    return array


def _rows(entries: Iterable[Entry], at: int) -> Iterable[tuple[int, ...]]:
    for name, values in entries:
        yield at, at + len(name), *values
        at += len(name)


@cache
def _fixed() -> Int64s:
    """All but what is met on the way; not to be written to."""
    array = np.zeros(CHARS, np.int64)
    for table, special in ((STOPS, b""), (LIST_STOPS, b";")):
        array[table : table + 32] = 1
        array[[table + byte for byte in b'"\\' + special]] = 1
    array[SLOT : SLOT + SLOTS] = NO_WORD
    at = CHARS
    for number, word in enumerate(WORDS):
        name = word.encode()
        slot = slot_of(name[0], name[-1], len(name))
        array[[SLOT + slot, SLOT_FROM + slot, SLOT_TO + slot]] = number, at, at + len(name)
        array[LENGTH + number] = len(name)
        array[[MARK + number, MASK + number]] = _mark(name + b'"')
        at += len(name)
    return np.concatenate([array, np.frombuffer("".join(WORDS).encode(), np.uint8)], dtype=np.int64)


def _mark(quoted: bytes) -> tuple[int, int]:
    """The eight bytes by which a word with its closing quote is known, and their mask.

    A word that is too long for eight bytes is not known that way.
    """
    if len(quoted) > 8:
        return 1, 0
    mask = -1 if len(quoted) == 8 else (1 << 8 * len(quoted)) - 1
    return int.from_bytes(quoted, "little"), mask


@kernel
def slot_of(first: int, last: int, length: int) -> int:
    """The slot of a word by its first and last byte; no two words share one."""
    return (first + 3 * last + 11 * length) % SLOTS


@kernel
def find_word(block: Ints, start: int, stop: int, tables: Ints) -> int:
    """The number of the word ``block[start:stop]``, or NO_WORD."""
    if start == stop:
        return NO_WORD
    slot = slot_of(block[start], block[stop - 1], stop - start)
    if equals(block, start, stop, tables, tables[SLOT_FROM + slot], tables[SLOT_TO + slot]):
        return tables[SLOT + slot]
    return NO_WORD


@kernel
def equals(block: Ints, start: int, stop: int, tables: Ints, first: int, after: int) -> bool:
    """Whether ``block[start:stop]`` is ``tables[first:after]``."""
    if stop - start != after - first or start < 0 or first < 0:
        return False
    for j in range(stop - start):  # noqa: SIM110  # a kernel has no generators
        if block[start + j] != tables[first + j]:
            return False
    return True
