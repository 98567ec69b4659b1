"""Odds: what a uniform deal gives a hand, exactly.

A hand is 27 of the 108 cards, every choice equally likely. All probabilities are
fractions of whole numbers of hands, so that they are exact; they do not depend on how
many seats there are. Source: rules clause 2.

A *natural bomb* is a rank that was dealt four times or more, jokers not counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Final

from analytics.cards import COPIES, FACES, HAND_SIZE, NATURAL_RANKS

MIN_BOMB: Final = 4  # clause 3: a bomb has 4 or more cards of one rank
_CARDS: Final = FACES * COPIES
_OF_A_RANK: Final = 4 * COPIES
_JOKERS: Final = _CARDS - NATURAL_RANKS * _OF_A_RANK
_OF_A_SUIT: Final = NATURAL_RANKS * COPIES
_HANDS: Final = comb(_CARDS, HAND_SIZE)

Odds = Mapping[int, Fraction]


def cards_of(kind: int) -> Odds:
    """How many of the ``kind`` cards of some sort a hand has: hypergeometric.

    >>> round(float(cards_of(4)[0]), 4)  # no joker
    0.3105
    >>> sum(cards_of(8).values())
    Fraction(1, 1)
    """
    others = _CARDS - kind
    return {
        n: Fraction(comb(kind, n) * comb(others, HAND_SIZE - n), _HANDS)
        for n in range(min(kind, HAND_SIZE) + 1)
    }


def jokers() -> Odds:
    """How many jokers a hand has, 0 to 4."""
    return cards_of(_JOKERS)


def suit() -> Odds:
    """How many cards of one suit a hand has, 0 to 26."""
    return cards_of(_OF_A_SUIT)


def bombs() -> Odds:
    """How many natural bombs a hand has, 0 to 6.

    Counted by a polynomial: a rank gives C(8, n) ways to hold n of it, and those with a
    bomb are counted apart; the jokers fill the rest.
    """
    ways: dict[tuple[int, int], int] = {(0, 0): 1}  # by bombs and cards
    for _ in range(NATURAL_RANKS):
        ways = _with_rank(ways)
    hands: dict[int, int] = {}
    for (count, cards), number in ways.items():
        missing = HAND_SIZE - cards
        hands[count] = hands.get(count, 0) + number * comb(_JOKERS, missing)
    return {count: Fraction(number, _HANDS) for count, number in sorted(hands.items()) if number}


def _with_rank(ways: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """The ways with one more rank."""
    after: dict[tuple[int, int], int] = {}
    for (count, cards), number in ways.items():
        for held in range(min(_OF_A_RANK, HAND_SIZE - cards) + 1):
            key = (count + (held >= MIN_BOMB), cards + held)
            after[key] = after.get(key, 0) + number * comb(_OF_A_RANK, held)
    return after


def bombs_of_size() -> Odds:
    """How many natural bombs of each size, 4 to 8, a hand has on average.

    >>> round(float(bombs_of_size()[4]), 4)
    1.0783
    """
    held = cards_of(_OF_A_RANK)
    return {size: NATURAL_RANKS * held[size] for size in range(MIN_BOMB, _OF_A_RANK + 1)}


def chi_square(counts: Sequence[int], odds: Sequence[Fraction]) -> float:
    """Pearson's statistic: how far counts are from what the odds expect.

    Args:
        counts: how often each outcome came.
        odds: of the same outcomes; they add up to 1.

    Raises:
        ValueError: the odds do not add up to 1, so that an outcome was forgotten.
    """
    if sum(odds) != 1:
        raise ValueError(f"the odds add up to {float(sum(odds))}, not to 1")
    expected = [float(sum(counts) * share) for share in odds]
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))
