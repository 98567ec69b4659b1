"""What the reading kernel looks up."""

from __future__ import annotations

import numpy as np

from analytics import compiled
from analytics.compiled import Ints
from analytics.logs import layout, tables
from analytics.logs.batch import LABELS
from analytics.logs.columns import TEXT_FIELDS
from analytics.logs.tables import NO_WORD, WORDS, build, find_word, slot_of
from analytics.logs.tokens import eight_bytes


def test_no_two_words_share_a_slot() -> None:
    """Else one of them would never be found."""
    slots = {slot_of(ord(word[0]), ord(word[-1]), len(word)) for word in WORDS}
    assert len(slots) == len(WORDS)


def test_words_have_the_numbers_they_are_given() -> None:
    """The names of the numbers are the words."""
    for number, word in enumerate(WORDS):
        if word not in (*TEXT_FIELDS, "dan"):
            assert getattr(tables, word.upper()) == number
    assert WORDS[: layout.CLIENT + 1] == TEXT_FIELDS
    assert tuple(WORDS[row] for row in layout.LABEL_ROWS) == LABELS
    assert WORDS[tables.PING : tables.SHUANG + 1] == ("ping", "dan", "shuang")


def test_every_word_is_found_and_nothing_else(mode: str) -> None:
    """By its slot, byte for byte."""
    array = build([], [])
    for word, number in [*((w, n) for n, w in enumerate(WORDS)), ("delts", NO_WORD), ("", NO_WORD)]:
        block = np.frombuffer(f"{word}\n".encode(), np.uint8).copy()
        assert compiled.run(find_word, block, 0, len(word), array) == number


def test_short_words_are_known_by_eight_bytes(mode: str) -> None:
    """With their closing quote; long ones are not known that way."""
    array = build([], [])
    for number, word in enumerate(WORDS):
        block = np.frombuffer(f'{word}" and more'.encode(), np.uint8).copy()
        seen = compiled.run(eight_bytes, block, 0) & int(array[tables.MASK + number])
        assert (seen == array[tables.MARK + number]) == (len(word) < 8)


def test_eight_bytes_are_the_same_in_both_modes(mode: str) -> None:
    """Also where the last one would be the sign."""
    for raw in (b"\xff" * 8, b"\x00" * 7 + b"\x80", bytes(range(8)), "金币".encode() + b"ab"):
        block = np.frombuffer(raw, np.uint8).copy()
        found = compiled.run(eight_bytes, block, 0)
        assert found == int.from_bytes(raw, "little", signed=True)


def test_arrays_are_flat_ints() -> None:
    """What kernels index, uncompiled."""
    array: Ints = build([], []).data
    assert array[tables.RULES_COUNT] == array[tables.UNKNOWN_COUNT] == 0
