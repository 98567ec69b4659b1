"""What the system plays: the trustee's smallest, as cards that are there."""

from __future__ import annotations

from random import Random

import pytest

from analytics.cards import RANKS
from analytics.shuangkou.melds import NO_MELD
from analytics.shuangkou.trustee import is_smallest, smallest_play
from analytics.simulate.deals import Blocks
from analytics.simulate.hands import counts_of, read, without
from analytics.simulate.planning import Taste, planned
from analytics.simulate.system import has_answer, system_play
from tests.simulate.verification import row_of

RULES = ("huopin-points", "jiule", "baibian")


@pytest.mark.parametrize("rules", RULES)
def test_the_system_plays_the_smallest_or_passes(rules: str) -> None:
    """Whatever lies on the table, it plays exactly where the hand has an answer."""
    rng, row = Random(5), row_of(rules)
    for _ in range(15):
        mine, yours = (counts_of(hand) for hand in Blocks(7, 6, 14).deal(rng, 2))
        for table in planned(yours, row, Taste("bomb", chains=True)):
            group = system_play(mine, table.meld, row)
            assert (group is not None) == has_answer(mine, table.meld, row)
            if group:
                assert min(without(mine, group.cards)) >= 0
                assert read(group.cards, row, table.meld) == group
                smallest = smallest_play(list(mine), table.meld, group.meld, row, [0] * RANKS)
                assert is_smallest(group.meld, smallest)


@pytest.mark.parametrize("rules", RULES)
def test_the_system_leads_a_single(rules: str) -> None:
    """Clause 5.1: leading, a single of the lowest rank held."""
    hand = counts_of(Blocks(5, 5, 9).deal(Random(6), 2)[0])
    group = system_play(hand, NO_MELD, row_of(rules))
    assert group is not None
    assert group.cards.index(1) == next(rank for rank, held in enumerate(hand) if held)
    assert sum(group.cards) == 1
