"""Plans: every card in one group, every group a meld."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import get_args

import pytest

from analytics.cards import parse_faces
from analytics.shuangkou.melds import BOMB, CHAIN, STRAIGHT, THREE_JOKERS
from analytics.simulate.deals import Blocks, Uniform
from analytics.simulate.hands import Counts, counts_of, read, without
from analytics.simulate.planning import Jokers, Taste, kept_apart, planned
from tests.simulate.verification import row_of

TASTES = tuple(Taste(jokers, chains) for jokers, chains in product(get_args(Jokers), (True, False)))
RULES = ("huopin-points", "jiule", "baibian")


def _kinds(hand: str, taste: Taste, rules: str = "huopin-points") -> list[int]:
    plan = planned(counts_of(parse_faces(hand)), row_of(rules), taste)
    return sorted(group.meld.kind for group in plan)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("taste", TASTES, ids=lambda t: f"{t.jokers}-{t.chains}")
def test_a_plan_is_the_hand_cut_into_melds(rules: str, taste: Taste) -> None:
    """Nothing is left over, nothing is used twice, and each group is read as it says."""
    rng, row = Random(3), row_of(rules)
    for dealer in (Uniform(), Blocks(4, 12, 9), Blocks(8, 8, 27)):
        for _ in range(10):
            hand = counts_of(dealer.deal(rng, 2)[0])
            left = hand
            for group in planned(hand, row, taste):
                assert read(group.cards, row) == group
                left = without(left, group.cards)
            assert not any(left)


def test_a_taste_for_chains_joins_bombs() -> None:
    """Three neighbouring fours are one chain, or three bombs."""
    hand = "5S5H5D5C6S6H6D6C7S7H7D7C"
    assert _kinds(hand, Taste("alone", chains=True)) == [CHAIN]
    assert _kinds(hand, Taste("alone", chains=False)) == [BOMB] * 3


def test_jokers_go_where_the_player_likes_them() -> None:
    """To a bomb, into a run, or by themselves."""
    hand = "3S4S5S7S" + "KSKHKD" + "BJBJSJ"
    assert BOMB in _kinds(hand, Taste("bomb", chains=False))
    assert STRAIGHT in _kinds(hand, Taste("run", chains=False))
    assert THREE_JOKERS in _kinds(hand, Taste("jokers", chains=False))


def test_the_plan_with_the_fewest_groups_is_kept() -> None:
    """Five pairs in a row are one pair run and no two straights."""
    assert len(_kinds("3S3H4S4H5S5H6S6H7S7H", Taste("alone", chains=False))) == 1


def test_bombs_and_jokers_are_kept_apart() -> None:
    """What may be broken up has no bomb and no joker in it."""
    hand: Counts = counts_of(parse_faces("3S3H3D3C4S4HBJ"))
    assert kept_apart(hand) == counts_of(parse_faces("4S4H"))
