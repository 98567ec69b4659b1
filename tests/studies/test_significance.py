"""p-values: exact where few games are summed, corrected, and honest about what they miss."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from analytics.studies.significance import (
    SMALLEST,
    detectable,
    holm,
    p_of_score,
    p_of_sum,
    sum_of,
)

ODDS = np.array([0.5, 0.2, 0.3])
VARIANCE = float(np.arange(3) ** 2 @ ODDS - (np.arange(3) @ ODDS) ** 2)


def test_a_sum_is_counted_out() -> None:
    """Four draws, all 81 ways of them written out, give the same distribution."""
    counted = np.zeros(9)
    for ways in product(range(3), repeat=4):
        counted[sum(ways)] += np.prod(ODDS[list(ways)])
    assert sum_of(ODDS, 4) == pytest.approx(counted)


@pytest.mark.parametrize("total", range(9))
def test_p_of_few_is_twice_a_tail(total: int) -> None:
    """Of four draws the p-value is exact: twice the smaller tail, at most 1."""
    odds = sum_of(ODDS, 4)
    tails = odds[total:].sum(), odds[: total + 1].sum()
    assert p_of_sum(ODDS, 4, total, VARIANCE) == pytest.approx(min(1, 2 * min(tails)))


def test_p_of_many_is_normal_and_meets_the_exact_one() -> None:
    """Where the exact way ends, the normal one goes on: nearly the same number."""
    few, many = 32_000, 33_000
    mean = float(np.arange(3) @ ODDS)
    exact, normal = (
        p_of_sum(ODDS, n, round(n * mean + 3 * (n * VARIANCE) ** 0.5), VARIANCE)
        for n in (few, many)
    )
    assert normal == pytest.approx(p_of_score(3), rel=0.03)
    assert exact == pytest.approx(normal, rel=0.05)


def test_a_known_shift_is_taken_off() -> None:
    """A seat that is known to get two more gets what another one gets without them."""
    assert p_of_sum(ODDS, 4, 6, VARIANCE, 2.0) == p_of_sum(ODDS, 4, 4, VARIANCE)


def test_what_cannot_be_told_apart_is_not() -> None:
    """Far out rounding would decide, so p stays at its smallest value."""
    assert p_of_sum(ODDS, 1_000, 2_000, VARIANCE) == SMALLEST


def test_holm_keeps_order_and_counts_tests_that_are_not_shown() -> None:
    """Corrected p-values never fall as p grows; more tests make them larger."""
    ps = np.array([0.2, 0.001, 0.01])
    assert holm(ps).tolist() == [0.2, 0.003, 0.02]
    assert holm(ps, tests=100)[1] == pytest.approx(0.1)


def test_holm_of_no_tests() -> None:
    """Nothing tested, nothing corrected."""
    assert np.isnan(holm(np.array([np.nan]))).all()
    assert len(holm(np.array([]))) == 0


def test_what_is_detectable_is_found_so_often() -> None:
    """Of normal samples with that effect, the stated share passes the test."""
    rng = np.random.default_rng(5)
    effect = detectable(np.array(2.0), 0.01, 0.9)
    scores = rng.normal(effect, 2.0, 20_000) / 2.0
    found = np.mean([p_of_score(score) < 0.01 for score in scores])
    assert found == pytest.approx(0.9, abs=0.01)
