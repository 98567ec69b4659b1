"""Deals: the right cards, the same for the same seed, and what shuffling does to them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from analytics.cards import HAND_SIZE, rank_of
from analytics.simulate.deals import DECK, Blocks, Dealer, Hands, Uniform

DEALERS = (Uniform(), Blocks(1, 0, 1), Blocks(4, 12, 9), Blocks(8, 8, 27), Blocks(30, 0, 5))


def _bombs(hands: Hands) -> int:
    """How many ranks are held four times or more."""
    ranks = [Counter(map(rank_of, hand)) for hand in hands]
    return sum(held >= 4 for counts in ranks for held in counts.values())


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("dealer", DEALERS, ids=lambda dealer: dealer.name)
def test_every_seat_has_27_cards_of_two_packs(dealer: Dealer, seats: int) -> None:
    """Clause 2: 27 cards each, no face more than twice."""
    for seed in range(50):
        hands = dealer.deal(Random(seed), seats)
        assert [len(hand) for hand in hands] == [HAND_SIZE] * seats
        dealt = Counter(face for hand in hands for face in hand)
        assert not dealt - Counter(DECK)


@pytest.mark.parametrize("dealer", DEALERS, ids=lambda dealer: dealer.name)
def test_a_seed_means_one_deal(dealer: Dealer) -> None:
    """The same seed deals the same cards, another seed others."""
    assert dealer.deal(Random(5), 4) == dealer.deal(Random(5), 4)
    assert dealer.deal(Random(5), 4) != dealer.deal(Random(6), 4)


def test_a_uniform_deal_favours_no_card() -> None:
    """Over many deals of two every face lies in a hand half the time."""
    rng = Random(1)
    dealt = Counter(face for _ in range(2000) for hand in Uniform().deal(rng, 2) for face in hand)
    assert all(abs(count - 2000) < 5 * 32 for count in dealt.values())  # five deviations


def test_blocks_make_bombs() -> None:
    """Cards that stay together make several times the bombs of shuffled ones."""
    rng = Random(1)
    shuffled = sum(_bombs(Uniform().deal(rng, 4)) for _ in range(200))
    blocks = sum(_bombs(Blocks(4, 12, 9).deal(rng, 4)) for _ in range(200))
    assert blocks > 2 * shuffled


def test_stray_cards_break_blocks() -> None:
    """The more cards stray, the fewer bombs are left."""
    rng = Random(1)
    bombs = [sum(_bombs(Blocks(4, n, 9).deal(rng, 4)) for _ in range(100)) for n in (0, 40, 200)]
    assert bombs == sorted(bombs, reverse=True)
