"""What a uniform deal gives a hand, checked against sums that must hold."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from analytics import odds


@pytest.mark.parametrize("kind", [4, 8, 26])
def test_the_odds_of_a_sort_of_card_add_up(kind: int) -> None:
    """Every hand has some number of them, and 27 of 108 cards are a quarter on average."""
    found = odds.cards_of(kind)
    assert sum(found.values()) == 1
    assert sum(n * share for n, share in found.items()) == Fraction(kind, 4)


def test_bombs_add_up() -> None:
    """Counted hand by hand and rank by rank, the mean number of natural bombs is the same."""
    found = odds.bombs()
    assert sum(found.values()) == 1
    assert sum(n * share for n, share in found.items()) == sum(odds.bombs_of_size().values())


def test_six_bombs_are_counted_by_hand() -> None:
    """Six bombs take 24 of 27 cards: one way to count them is short enough for a test."""
    fours, fives = comb(8, 4), comb(8, 5)
    sixes, sevens = comb(8, 6), comb(8, 7)
    others = 7 * 8 + 4  # cards of the seven other ranks and jokers
    # what six ranks hold beyond four each: 0 to 3 cards in all, the others fill the hand
    extra = [
        fours**6,
        6 * fives * fours**5,
        6 * sixes * fours**5 + comb(6, 2) * fives**2 * fours**4,
        6 * sevens * fours**5 + 30 * sixes * fives * fours**4 + comb(6, 3) * fives**3 * fours**3,
    ]
    hands = comb(13, 6) * sum(ways * comb(others, 3 - more) for more, ways in enumerate(extra))
    assert odds.bombs()[6] == Fraction(hands, comb(108, 27))


def test_forgotten_outcomes_are_refused() -> None:
    """A statistic over outcomes that are not all of them would be too small."""
    with pytest.raises(ValueError, match="the odds add up"):
        odds.chi_square([1], [Fraction(1, 2)])


def test_chi_square_of_what_is_expected() -> None:
    """Counts as expected give 0; two too many of one give (2²)/5 twice."""
    halves = [Fraction(1, 2), Fraction(1, 2)]
    assert odds.chi_square([5, 5], halves) == 0
    assert odds.chi_square([7, 3], halves) == pytest.approx(8 / 5)
