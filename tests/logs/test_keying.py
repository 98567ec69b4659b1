"""Numbers that stand for ids and players."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.logs.keying import player_keys, sort_keys
from analytics.logs.strings import Strings

MODES = pytest.mark.parametrize("mode_", ["never", "always"])


@MODES
@settings(deadline=None)
@given(listed=st.lists(st.text(max_size=20), max_size=9))
def test_ids_sort_as_their_numbers_do(mode_: str, listed: list[str]) -> None:
    """By their bytes, of which two numbers hold sixteen."""
    column = Strings.of(listed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIPU_COMPILE", mode_)
        heads, tails = sort_keys(column.buffer, column.at)
    padded = [text.encode()[:16].ljust(16, b"\0") for text in listed]
    assert heads.tolist() == [int.from_bytes(text[:8], "big") for text in padded]
    assert tails.tolist() == [int.from_bytes(text[8:], "big") for text in padded]


@MODES
@settings(deadline=None)
@given(listed=st.lists(st.text(max_size=20), max_size=9), seed=st.integers(0, 2**64 - 1))
def test_a_number_adds_up_weights(mode_: str, listed: list[str], seed: int) -> None:
    """As written down, modulo 2^64."""
    column = Strings.of(listed)
    units = np.arange(len(listed)).astype(np.int16) % 3
    weights = [int(w) | 1 for w in np.random.Philox(seed).random_raw(100)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIPU_COMPILE", mode_)
        keys = player_keys(column.buffer, column.at, units, seed)
    for key, text, unit in zip(keys.tolist(), listed, units.tolist(), strict=True):
        pairs = zip(text.encode(), weights[1:], strict=False)
        expected = unit * weights[0] + sum((byte + 1) * weight for byte, weight in pairs)
        assert key % 2**64 == expected % 2**64


def test_accounts_have_numbers_of_their_own(mode: str) -> None:
    """Equal texts and units, equal numbers; others, also with zeros at the end, others."""
    texts = ["", "a", "b", "ab", "ba", "a\0", "a\0\0", "aa", "牌", "谱", "x" * 300, "x" * 301]
    column = Strings.of(texts * 3)
    units = np.repeat(np.array([0, 0, 1], np.int16), len(texts))
    keys = player_keys(column.buffer, column.at, units, 1)
    first, again, other = keys.reshape(3, -1).tolist()
    assert first == again
    assert len({*first, *other}) == 2 * len(texts)


def test_names_made_to_be_one_player_are_two() -> None:
    """Two names that were searched for have one number by one seed, and two by others."""
    column = Strings.of(["fgffmffofmkffn", "kfgifljfnffppf"])
    units = np.zeros(2, np.int16)
    found = [set(player_keys(column.buffer, column.at, units, s).tolist()) for s in range(1, 21)]
    assert [len(keys) for keys in found] == [1] + [2] * 19
