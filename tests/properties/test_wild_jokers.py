"""Wild jokers against what they stand for: every rank for every one of them is tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random

import pytest

from analytics.cards import BIG_JOKER, NATURAL_RANKS, RANKS, SMALL_JOKER
from analytics.rules import row as R
from analytics.shuangkou.melds import (
    NO_KIND,
    NO_MELD,
    Meld,
    beats,
    is_bomb,
    strongest,
    wild_jokers,
)
from tests.properties.test_trustee_search import SHARE, Ints, random_row, random_table

SLICES, SETS = 4, 250 * SHARE // 100


def random_set(rng: Random) -> Ints:
    """Cards that may well be a meld: a run of groups, some of them short, and jokers."""
    counts = [0] * RANKS
    length = rng.choice([1, 1, 2, 2, 3, 3, 3, 4, 5, 6])
    width = rng.choice([1, 1, 2, 3, 4, 4, 5, 6]) if length < 5 else rng.choice([1, 1, 2, 3, 4])
    start = rng.choice([0, 0, 8, 9, 10, 11, 12, rng.randrange(NATURAL_RANKS)])
    jokers = rng.choice([1, 1, 2, 2, 3, 4])
    for step in range(length):
        more = rng.choice([0, 0, 0, 1, 2]) if width > 3 else 0
        counts[(start + step) % NATURAL_RANKS] = min(8, width + more)
    for _ in range(rng.choice([0, jokers, jokers])):  # what the jokers are to stand for
        rank = (start + rng.randrange(length)) % NATURAL_RANKS
        counts[rank] -= int(counts[rank] > 0)
    if not sum(counts):
        counts[start] = 1
    counts[SMALL_JOKER] = rng.randint(max(0, jokers - 2), min(2, jokers))
    counts[BIG_JOKER] = jokers - counts[SMALL_JOKER]
    return counts


def assigned(counts: Ints) -> Iterator[Ints]:
    """The cards with every rank in every joker's place."""
    jokers = counts[SMALL_JOKER] + counts[BIG_JOKER]
    for ranks in combinations_with_replacement(range(NATURAL_RANKS), jokers):
        cards = [*counts[:NATURAL_RANKS], 0, 0]
        for rank in ranks:
            cards[rank] += 1
        yield cards


def worth(meld: Meld) -> tuple[bool, int, int]:
    """Clause 3.3: a bomb before anything else, the stronger, then more groups or a later kind."""
    return (is_bomb(meld.kind), meld.strength, meld.groups or meld.kind)


@pytest.mark.parametrize("part", range(SLICES))
def test_wild_jokers_make_the_strongest_meld_that_they_can_stand_for(part: int) -> None:
    """Leading and following, in every detail, under random rules."""
    rng = Random(f"wild jokers {part}")
    for _ in range(SETS):
        counts, row = random_set(rng), random_row(rng)
        row[R.WILD_SMALL] = row[R.WILD_BIG] = 1
        over = rng.choice([NO_MELD, random_table(rng, counts, row)])
        found = {strongest(cards, row, NO_MELD) for cards in assigned(counts)}
        legal = [meld for meld in found if beats(meld, over, row)]
        expected = max(legal, key=worth, default=NO_MELD)
        assert strongest(counts, row, over) == expected, (counts, row[: R.LINKED], over)


@pytest.mark.parametrize("seed", range(100))
def test_a_joker_that_is_not_wild_goes_with_no_natural_card(seed: int) -> None:
    """However the other cards may look."""
    rng = Random(f"not wild {seed}")
    counts, row = random_set(rng), random_row(rng)
    jokers = counts[SMALL_JOKER] + counts[BIG_JOKER]
    if wild_jokers(counts, row) < jokers:
        assert strongest(counts, row, NO_MELD).kind == NO_KIND
