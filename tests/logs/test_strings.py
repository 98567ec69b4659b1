"""Columns of strings that are made only when somebody looks."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh64_intdigest

from analytics.logs.strings import MaybeStrings, Strings
from tests.logs.strategies import texts


@given(st.lists(texts))
def test_a_column_is_its_strings(listed: list[str]) -> None:
    """Length, items, slices and equality are those of the list."""
    column = Strings.of(listed)
    assert column == listed
    assert len(column) == len(listed)
    assert [column[i] for i in range(len(listed))] == listed
    assert [column[i - len(listed)] for i in range(len(listed))] == listed
    assert column[1:-1] == listed[1:-1]
    assert np.array(column, object).tolist() == listed
    assert pickle.loads(pickle.dumps(column)) == listed


@given(st.lists(st.none() | texts))
def test_a_column_may_have_gaps(listed: list[str | None]) -> None:
    """An absent string is None, an empty one is not."""
    column = MaybeStrings.of(listed)
    assert column == listed
    assert [column[i] for i in range(len(listed))] == listed
    assert column[1:] == listed[1:]
    assert np.array(column, object).tolist() == listed
    assert pickle.loads(pickle.dumps(column)) == listed


@given(st.lists(texts))
def test_hashes_are_those_of_the_utf_8(listed: list[str]) -> None:
    """As anybody can compute them."""
    expected = [xxh64_intdigest(text.encode()) for text in listed]
    assert [hash_ % 2**64 for hash_ in Strings.of(listed).hashes().tolist()] == expected


@pytest.mark.parametrize("place", [2, -3])
def test_there_is_nothing_beyond_the_end(place: int) -> None:
    """As in a list."""
    with pytest.raises(IndexError):
        Strings.of(["a", "b"])[place]


def test_a_column_equals_nothing_but_sequences() -> None:
    """A string is a sequence of characters, not of strings."""
    assert Strings.of(["a"]) != "a"
    assert Strings.of(["a"]) != 5
    assert MaybeStrings.of(["a"]) != "a"
    with pytest.raises(TypeError):
        hash(Strings.of([]))
