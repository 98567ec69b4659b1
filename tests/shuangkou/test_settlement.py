"""What settlements are computed with, apart from games."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analytics.rules import row as R
from analytics.shuangkou.settlement import level_of, multiply_divide
from tests.rulebook.builder import POINTS, WEALTH, book_of, rules

QUIET = settings(max_examples=300, deadline=None, derandomize=True, database=None)


@QUIET
@given(st.integers(0, 2**62), st.integers(1, 2**61), st.data())
def test_multiply_divide_is_exact(a: int, c: int, data: st.DataObject) -> None:
    """a·b ÷ c with its remainder, as big ints have it, for all that it is made for."""
    b = data.draw(st.integers(0, c))
    assert multiply_divide(a, b, c) == divmod(a * b, c)


@QUIET
@example(2**62, 2**61, 2**61)
@example(2**62, 0, 1)
@example(0, 1, 1)
@given(st.integers(0, 2**62), st.integers(0, 1), st.integers(1, 3))
def test_multiply_divide_of_small_parts(a: int, b: int, c: int) -> None:
    """The edges of what it is made for."""
    assert multiply_divide(a, b, c) == divmod(a * b, c)


def test_multiply_divide_never_passes_int64() -> None:
    """Nothing in it grows beyond 2^63, so that it is right where ints wrap."""

    class Bounded(int):
        """An int that complains."""

        def _kept(self, value: int) -> Bounded:
            assert -(2**63) <= value < 2**63
            return Bounded(value)

        def __add__(self, other: int) -> Bounded:
            return self._kept(int(self) + other)

        __radd__ = __add__

        def __mul__(self, other: int) -> Bounded:
            return self._kept(int(self) * other)

        __rmul__ = __mul__

    for a, b, c in ((2**62, 2**61, 2**61), (2**62 - 1, 2**61 - 1, 2**61), (10**18, 7, 10**17)):
        assert multiply_divide(Bounded(a), Bounded(b), Bounded(c)) == divmod(a * b, c)


@pytest.mark.parametrize(
    ("balance", "level"),
    [(-(10**15), -1), (99, -1), (100, 0), (999, 0), (1000, 1), (50_000_000, 10), (10**15, 10)],
)
def test_level_of(balance: int, level: int) -> None:
    """The highest level whose requirement the balance meets, or -1."""
    row = book_of(WEALTH).rows[0].tolist()
    assert level_of(balance, row) == level


def test_level_of_negative_levels() -> None:
    """A house may have levels below zero."""
    row = book_of(rules(POINTS, base=[[-50, 1], [0, 2]])).rows[0].tolist()
    assert [level_of(balance, row) for balance in (-51, -50, -1, 0)] == [-1, 0, 0, 1]
    assert row[R.LEVELS] == 2


@QUIET
@given(st.integers(0, 10**15), st.lists(st.integers(0, 10**12), min_size=1, max_size=3))
def test_shares_are_within_one_unit(pool: int, wanted: list[int]) -> None:
    """Each part is the exact share rounded down; the parts miss less than one unit each."""
    total = sum(wanted)
    if total:
        parts = [multiply_divide(pool, amount, total) for amount in wanted]
        for (part, rest), amount in zip(parts, wanted, strict=True):
            assert part + Fraction(rest, total) == Fraction(pool * amount, total)
        assert 0 <= pool - sum(part for part, _ in parts) < len(wanted)
