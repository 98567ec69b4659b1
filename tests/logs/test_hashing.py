"""XXH64, as the library of its author has it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xxhash import xxh64_intdigest

from analytics.logs.hashing import CONSTANTS, _by_kernel, as_int64, hash_words, hashes_of
from analytics.logs.strings import Strings

# Every length of a rest, with and without the stripes of 32 bytes before it.
_LENGTHS = (*range(41), *range(60, 75))


@pytest.mark.parametrize("mode_", ["never", "always"])
@settings(deadline=None)
@given(seed=st.integers(0, 2**32), listed=st.lists(st.binary(max_size=200)))
def test_hashes_are_the_librarys(mode_: str, seed: int, listed: list[bytes]) -> None:
    """Compiled and not, of texts of any length."""
    chance = np.random.default_rng(seed)
    listed = [*listed, *(chance.bytes(length) for length in _LENGTHS)]
    at = np.cumsum([0, *map(len, listed)])
    expected = as_int64([xxh64_intdigest(text) for text in listed])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIPU_COMPILE", mode_)
        assert hashes_of(b"".join(listed), at).tolist() == expected.tolist()


@given(st.lists(st.binary(max_size=80)))
def test_kernel_and_library_say_the_same(listed: list[bytes]) -> None:
    """Also where the kernel runs uncompiled, as it can."""
    at = np.cumsum([0, *map(len, listed)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAIPU_COMPILE", "never")
        hashes = _by_kernel(b"".join(listed), at)
    assert [int(h) % 2**64 for h in hashes] == [xxh64_intdigest(text) for text in listed]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20), st.integers(0, 2**64 - 1))
def test_words_may_have_a_seed(words: list[int], seed: int) -> None:
    """As the hash of a game has, by its family."""
    bits = np.array([*words, 8 * len(words)], np.uint64)
    expected = xxh64_intdigest(bits[:-1].tobytes(), seed)
    assert hash_words(bits.data, len(words), 0, seed, CONSTANTS.data) == expected


def test_nothing_has_no_hashes(mode: str) -> None:
    """A batch may be empty."""
    assert Strings.of([]).hashes().tolist() == []
