"""Fair deals: what shuffled cards give all hands of a game together, exactly.

Hands of one game depend on each other: a card that one seat was dealt no other seat has. So
beside what one hand gets (``analytics.odds``) there is what two hands get at once, and
what all hands of a game get in all. Source: rules clauses 2, 3 and 5.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from analytics import odds
from analytics.cards import COPIES, FACES, HAND_SIZE, NATURAL_RANKS
from analytics.odds import MIN_BOMB, Odds

Floats = npt.NDArray[np.float64]

CARDS: Final = FACES * COPIES
JOKERS: Final = 4  # clause 2
JOKER_BOMB: Final = 3  # clause 3: three jokers are a bomb
_OF_A_RANK: Final = 4 * COPIES
_OF_A_SUIT: Final = NATURAL_RANKS * COPIES
_REST: Final = CARDS - COPIES  # the cards beside both copies of the shown face


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is counted in a hand as it was dealt.

    Attributes:
        name: of its column in the study.
        what: what is counted, in words.
        hand: how much of it one hand has.
        together: the mean of the product of what two hands of one game have.
        totals: by seats, how much all hands of a game have in all: floats, from 0 upwards.
        given: by copies 0, 1, 2, the mean of a hand that has so many of the shown face.
        is_good: whether a hand is the better the more of it there is.
    """

    name: str
    what: str
    hand: Odds
    together: Fraction
    totals: Callable[[int], Floats]
    given: tuple[Fraction, Fraction, Fraction]
    is_good: bool = True

    @property
    def mean(self) -> Fraction:
        """Of one hand."""
        return sum((n * share for n, share in self.hand.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Of one hand."""
        return sum((n * n * share for n, share in self.hand.items()), Fraction(0)) - self.mean**2

    @property
    def covariance(self) -> Fraction:
        """Of two hands of one game."""
        return self.together - self.mean**2

    def variance_of_all(self, seats: int) -> Fraction:
        """Of the sum over all hands of a game; 0 where that is always the same."""
        return seats * self.variance + seats * (seats - 1) * self.covariance

    def by_role(self, seats: int) -> tuple[Fraction, Fraction, Fraction]:
        """The mean of the seat that leads, of the one opposite, of any other (clause 5.2).

        The leader holds the shown card. Its twin is as likely to be any other card of the
        pack; of four players, who holds it sits opposite. Of two, the seat opposite is the
        other one.
        """
        twin = Fraction(HAND_SIZE - 1, CARDS - 1)  # in the same hand
        none, one, both = self.given
        lead = twin * both + (1 - twin) * one
        if seats == 2:
            across = Fraction(HAND_SIZE, CARDS - 1)
            return lead, across * one + (1 - across) * none, none
        return lead, (1 - twin) * one + twin * none, none


def measures() -> Mapping[str, Measure]:
    """All that is counted, by name; made once, in some hundredths of a second."""
    return {each.name: each for each in _measures()}


@cache
def _measures() -> tuple[Measure, ...]:
    suits = ("spades", "hearts", "clubs", "diamonds")
    return (
        _bombs(),
        _cards("jokers", "jokers", JOKERS),
        _joker_bombs(),
        _repeated(),
        *(_cards(suit, f"natural {suit}", _OF_A_SUIT, is_good=False) for suit in suits),
    )


def draws(kind: int, cards: int, drawn: int) -> Odds:
    """How many of the ``kind`` of some sort are among ``drawn`` of ``cards`` cards.

    >>> draws(1, 4, 3)
    {0: Fraction(1, 4), 1: Fraction(3, 4)}
    """
    ways = comb(cards, drawn)
    least = max(0, drawn - (cards - kind))
    return {
        n: Fraction(comb(kind, n) * comb(cards - kind, drawn - n), ways)
        for n in range(least, min(kind, drawn) + 1)
    }


def as_floats(shares: Odds) -> Floats:
    """Odds as an array, from 0 upwards.

    >>> as_floats({2: Fraction(1, 4), 0: Fraction(3, 4)})
    array([0.75, 0.  , 0.25])
    """
    array = np.zeros(max(shares) + 1)
    for n, share in shares.items():
        array[n] = float(share)
    return array


def _at_least(least: int, shares: Odds) -> Fraction:
    return sum((share for n, share in shares.items() if n >= least), Fraction(0))


def _given(
    of_joker: Callable[[int], Fraction], of_natural: Callable[[int], Fraction]
) -> tuple[Fraction, Fraction, Fraction]:
    """The mean by copies of the shown face, which is any of 54, two of them jokers."""
    share = Fraction(JOKERS, CARDS)
    none, one, both = (share * of_joker(n) + (1 - share) * of_natural(n) for n in range(3))
    return none, one, both


# Cards of a sort: jokers, suits


def _cards(name: str, what: str, kind: int, *, is_good: bool = True) -> Measure:
    """Cards of a sort: hypergeometric, for one hand and for all of them."""
    return Measure(
        name=name,
        what=what,
        hand=odds.cards_of(kind),
        together=Fraction(kind * (kind - 1) * HAND_SIZE**2, CARDS * (CARDS - 1)),
        totals=lambda seats: as_floats(draws(kind, CARDS, seats * HAND_SIZE)),
        given=_cards_given(kind),
        is_good=is_good,
    )


def _cards_given(kind: int) -> tuple[Fraction, Fraction, Fraction]:
    share = Fraction(kind, CARDS)  # that the shown card is of the sort
    none, one, both = (
        share * (n + Fraction((HAND_SIZE - n) * (kind - COPIES), _REST))
        + (1 - share) * Fraction((HAND_SIZE - n) * kind, _REST)
        for n in range(3)
    )
    return none, one, both


def _joker_bombs() -> Measure:
    """Hands with three jokers or more; of one game at most one hand has them."""
    share = _at_least(JOKER_BOMB, odds.jokers())

    def of_joker(n: int) -> Fraction:
        return _at_least(JOKER_BOMB - n, draws(JOKERS - COPIES, _REST, HAND_SIZE - n))

    def of_natural(n: int) -> Fraction:
        return _at_least(JOKER_BOMB, draws(JOKERS, _REST, HAND_SIZE - n))

    return Measure(
        name="joker_bombs",
        what="hands with three jokers or more",
        hand={0: 1 - share, 1: share},
        together=Fraction(0),
        totals=lambda seats: as_floats({0: 1 - seats * share, 1: seats * share}),
        given=_given(of_joker, of_natural),
    )


# Natural bombs


def _bombs() -> Measure:
    def of_joker(n: int) -> Fraction:
        return NATURAL_RANKS * _at_least(MIN_BOMB, draws(_OF_A_RANK, _REST, HAND_SIZE - n))

    def of_natural(n: int) -> Fraction:
        others = _at_least(MIN_BOMB, draws(_OF_A_RANK, _REST, HAND_SIZE - n))
        own = _at_least(MIN_BOMB - n, draws(_OF_A_RANK - COPIES, _REST, HAND_SIZE - n))
        return (NATURAL_RANKS - 1) * others + own

    return Measure(
        name="bombs",
        what="ranks dealt four times or more",
        hand=odds.bombs(),
        together=_bombs_together(),
        totals=_bomb_totals,
        given=_given(of_joker, of_natural),
    )


def _bombs_together() -> Fraction:
    """The mean of bombs of one hand times bombs of another: of one rank, then of two."""
    one_rank = sum(
        comb(_OF_A_RANK, a) * comb(_OF_A_RANK - a, b) * _two_hands(_OF_A_RANK, a, b)
        for a, b in _shares_of_a_rank()
        if a >= MIN_BOMB and b >= MIN_BOMB
    )
    two_ranks = sum(
        comb(_OF_A_RANK, a) * comb(_OF_A_RANK - a, b)
        * comb(_OF_A_RANK, c) * comb(_OF_A_RANK - c, d)
        * _two_hands(2 * _OF_A_RANK, a + c, b + d)
        for (a, b), (c, d) in product(_shares_of_a_rank(), repeat=2)
        if a >= MIN_BOMB and d >= MIN_BOMB
    )  # fmt: skip
    pairs = NATURAL_RANKS * (NATURAL_RANKS - 1)
    every = comb(CARDS, HAND_SIZE) * comb(CARDS - HAND_SIZE, HAND_SIZE)
    return Fraction(NATURAL_RANKS * one_rank + pairs * two_ranks, every)


def _shares_of_a_rank() -> Iterator[tuple[int, int]]:
    """How many cards of a rank two hands can have."""
    for a in range(_OF_A_RANK + 1):
        for b in range(_OF_A_RANK - a + 1):
            yield a, b


def _two_hands(apart: int, a: int, b: int) -> int:
    """Ways to fill up two hands that have a and b of the ``apart`` cards set apart."""
    others = CARDS - apart
    if a > HAND_SIZE or b > HAND_SIZE:
        return 0
    return comb(others, HAND_SIZE - a) * comb(others - HAND_SIZE + a, HAND_SIZE - b)


@cache
def _bomb_totals(seats: int) -> Floats:
    """Natural bombs of all hands of a game.

    A polynomial, rank by rank: how many bombs there are, and how many cards the first
    hands have; the last place, which is a hand of four players and the cards out of play of
    two, has what is left. All terms are positive, so that floats lose nothing.
    """
    hands = 2 if seats == 2 else seats - 1
    ways = np.zeros((1,) + (HAND_SIZE + 1,) * hands)
    ways.flat[0] = 1
    for _ in range(NATURAL_RANKS):
        ways = _with_group(ways, _OF_A_RANK, seats)
    jokers = _with_group(ways, JOKERS, seats, counts_bombs=False)
    found: Floats = jokers[(slice(None),) + (HAND_SIZE,) * hands]
    return np.trim_zeros(found / found.sum(), "b")


def _with_group(ways: Floats, size: int, seats: int, *, counts_bombs: bool = True) -> Floats:
    """The ways with one more group of equal cards, in shares of all ways of that group."""
    hands = ways.ndim - 1
    most = size // MIN_BOMB if counts_bombs else 0
    after = np.zeros((ways.shape[0] + most, *ways.shape[1:]))
    for held in product(range(size + 1), repeat=hands):
        if sum(held) <= size:
            dealt = (*held, size - sum(held)) if seats != 2 else held
            bombs = sum(n >= MIN_BOMB for n in dealt) if counts_bombs else 0
            room = tuple(slice(0, HAND_SIZE + 1 - n) for n in held)
            moved = tuple(slice(n, HAND_SIZE + 1) for n in held)
            chosen = _arrangements(size, held) * (2.0 if seats == 2 else 1.0) ** -sum(held)
            after[(slice(bombs, bombs + ways.shape[0]), *moved)] += (
                chosen * ways[(slice(None), *room)]
            )
    scaled: Floats = after / after.max()
    return scaled


def _arrangements(size: int, held: tuple[int, ...]) -> int:
    """Ways to give each hand its number of a group; the others stay together."""
    ways, left = 1, size
    for n in held:
        ways *= comb(left, n)
        left -= n
    return ways


# Repeated faces


def _repeated() -> Measure:
    """Faces of which a hand has both copies."""
    every = comb(CARDS, HAND_SIZE)
    hand = {
        n: Fraction(_pairs_and_singles(FACES, 0, n, HAND_SIZE), every)
        for n in range(HAND_SIZE // COPIES + 1)
    }
    two_pairs = Fraction(
        (HAND_SIZE * (HAND_SIZE - 1)) ** 2, CARDS * (CARDS - 1) * (CARDS - 2) * (CARDS - 3)
    )

    def given(n: int) -> Fraction:
        both = Fraction((HAND_SIZE - n) * (HAND_SIZE - n - 1), _REST * (_REST - 1))
        return int(n == COPIES) + (FACES - 1) * both

    return Measure(
        name="repeated",
        what="faces dealt twice to one hand",
        hand=hand,
        together=FACES * (FACES - 1) * two_pairs,
        totals=_repeated_totals,
        given=(given(0), given(1), given(2)),
        is_good=False,
    )


def _pairs_and_singles(whole: int, single: int, pairs: int, drawn: int) -> int:
    """Ways to draw so many pairs from faces of which both copies, or one, are left."""
    others = whole - pairs  # of each at most one copy is drawn
    rest = max(0, drawn - 2 * pairs)
    return comb(whole, pairs) * sum(
        (comb(others, n) << n) * comb(single, rest - n) for n in range(rest + 1)
    )


@cache
def _repeated_totals(seats: int) -> Floats:
    """Repeated faces of all hands of a game, dealt hand by hand."""
    ways: dict[tuple[int, int], int] = {(FACES, 0): 1}  # faces with both copies left, pairs dealt
    for nth in range(seats):
        left = CARDS - nth * HAND_SIZE
        after: dict[tuple[int, int], int] = {}
        for (whole, dealt), number in ways.items():
            for pairs, halved, more in _draws_of_faces(whole, left - 2 * whole):
                key = (whole - pairs - halved, dealt + pairs)
                after[key] = after.get(key, 0) + number * more
        ways = after
    every = sum(ways.values())
    totals: dict[int, Fraction] = {}
    for (_, dealt), number in ways.items():
        totals[dealt] = totals.get(dealt, Fraction(0)) + Fraction(number, every)
    return as_floats(totals)


def _draws_of_faces(whole: int, single: int) -> Iterator[tuple[int, int, int]]:
    """Hands: pairs, faces of which one of two copies is drawn, and the ways to do so."""
    for pairs in range(min(whole, HAND_SIZE // COPIES) + 1):
        for halved in range(min(whole - pairs, HAND_SIZE - 2 * pairs) + 1):
            rest = HAND_SIZE - 2 * pairs - halved
            ways = comb(whole, pairs) * comb(whole - pairs, halved) * 2**halved
            if rest <= single:
                yield pairs, halved, ways * comb(single, rest)
