"""Tables that a search may try are tables that an operator can ship."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from analytics.rules import Fixed, check_ruleset
from analytics.tuning.errors import CannotTune
from analytics.tuning.goals import Range, Vary
from analytics.tuning.space import space_of, with_few_values
from tests.rulebook.builder import BAIBIAN, JIULE, WEALTH, rules

EVERYTHING = Vary(
    kou=Range(least=1, most=9),
    doubling=Range(least=1, most=200, steps=4),
    contribution=Range(least=0, most=90, steps=3),
    base=Range(least=5, most=5_000, step=5),
    fee=Range(least=0, most=50, step=10),
    escape_times=Range(least=0, most=20),
    share=Range(least=0, most=100, step=5),
)


def test_every_table_is_whole_monotone_in_bounds_and_of_few_values() -> None:
    """A thousand tables drawn by chance, looked at one by one."""
    space = space_of(rules(WEALTH), EVERYTHING)
    drawn = np.random.default_rng(1).uniform(-50, 300, (1_000, space.width))
    for numbers in space.repaired(drawn):
        scoring = space.ruleset(numbers).scoring
        doubling = [row.times for row in scoring.doubling]
        contribution = [row.times for row in scoring.contribution]
        bases = [level.base for level in scoring.base.rows]  # type: ignore[union-attr]
        for table in (list(scoring.kou or ()), doubling, contribution, bases):
            assert table == sorted(table)
        assert min(doubling) >= 1
        assert max(doubling) <= 200
        assert len(set(doubling)) <= 4
        assert len(set(contribution)) <= 3
        assert all(base % 5 == 0 and 5 <= base <= 5_000 for base in bases)
        assert scoring.fee in range(0, 51, 10)
        assert scoring.share in range(0, 101, 5)


def test_tables_pass_the_check_of_rulesets() -> None:
    """No error, and no warning that the baseline does not have."""
    baseline = rules(WEALTH)
    known = {mistake.code for mistake in check_ruleset(baseline)}
    space = space_of(baseline, EVERYTHING)
    for numbers in space.repaired(np.random.default_rng(2).uniform(0, 100, (30, space.width))):
        assert {mistake.code for mistake in check_ruleset(space.ruleset(numbers))} <= known


@pytest.mark.parametrize("steps", [1, 2, 3, None])
def test_all_tables_that_never_fall_are_counted_and_made(steps: int | None) -> None:
    """As many, and the same ones, as are left of all combinations when those are sifted."""
    vary = Vary(kou=Range(least=1, most=4, steps=steps), fee=Range(least=0, most=20, step=10))
    space = space_of(rules(WEALTH), vary)
    sifted = {
        (*kou, fee)
        for *kou, fee in product(range(4), range(4), range(4), range(3))
        if kou == sorted(kou) and len(set(kou)) <= (steps or 3)
    }
    every = space.every()
    assert space.size == len(every) == len(sifted)
    assert {tuple(row) for row in every.tolist()} == sifted
    assert np.array_equal(space.repaired(every), every)


def test_few_values_among_many_are_made_at_once() -> None:
    """A thousand tables of one value each, of all the tables that thousands of values could be."""
    space = space_of(rules(WEALTH), Vary(base=Range(least=1, most=1_000, steps=1)))
    assert space.size == len(space.every()) == 1_000


def test_the_baseline_stands_for_itself() -> None:
    """Its own entries are a table of the space; none of them is changed."""
    baseline = rules(WEALTH)
    space = space_of(baseline, Vary(doubling=Range(least=0, most=128), fee=Range(least=0, most=9)))
    own = space.ruleset(space.numbers_of(baseline))
    assert own.hash == baseline.hash
    assert space.changed(own) == 0
    other = space.ruleset(np.append(space.numbers_of(baseline)[:-1], 3))
    assert space.changed(other) == 1
    assert other.scoring.fee == 3


def test_three_others_can_pay_every_contribution_of_four_seats() -> None:
    """Clause 8.3: entries are divisible by three, whatever step was asked for."""
    space = space_of(rules(BAIBIAN), Vary(contribution=Range(least=0, most=30, step=2)))
    for numbers in space.repaired(np.random.default_rng(3).uniform(0, 9, (50, space.width))):
        assert all(row.times % 3 == 0 for row in space.ruleset(numbers).scoring.contribution)
    with pytest.raises(CannotTune, match="three seats cannot share"):
        space_of(rules(BAIBIAN), Vary(contribution=Range(least=1, most=30)))


def test_a_fixed_base_is_one_entry() -> None:
    """It is replaced as a whole."""
    space = space_of(rules(BAIBIAN), Vary(base=Range(least=1, most=10)))
    assert space.ruleset(np.array([6])).scoring.base == Fixed(7)


def test_what_a_baseline_has_not_cannot_vary() -> None:
    """A base that is given per game, multipliers of kou with four seats, and no fee below 0."""
    with pytest.raises(CannotTune, match=r"vary\.base: jiule@1 has no such entries"):
        space_of(rules(JIULE), Vary(base=Range(least=1, most=5)))
    with pytest.raises(CannotTune, match=r"vary\.kou: baibian@1 has no such entries"):
        space_of(rules(BAIBIAN), Vary(kou=Range(least=1, most=5)))
    with pytest.raises(CannotTune, match=r"vary\.fee: entries lie between 0 and"):
        space_of(rules(BAIBIAN), Vary(fee=Range(least=-1, most=5)))


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5])
def test_few_values_keep_the_largest_rises(steps: int) -> None:
    """Each row has at most so many values, never falls, and begins where it began."""
    rows = np.sort(np.random.default_rng(4).integers(0, 30, (200, 5)), axis=1)
    few = with_few_values(rows, steps)
    assert max(len(set(row.tolist())) for row in few) <= steps
    assert (np.diff(few, axis=1) >= 0).all()
    assert (few[:, 0] == rows[:, 0]).all()
    assert (few <= rows).all()
