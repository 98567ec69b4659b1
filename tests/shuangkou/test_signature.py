"""The xiang signature against trying every set of bombs."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from analytics.cards import ACE, NATURAL_RANKS, TWO
from analytics.shuangkou import desk as D
from analytics.shuangkou.melds import BOMB, CHAIN, FOUR_JOKERS, THREE_JOKERS
from analytics.shuangkou.signature import write_signature

Bomb = tuple[int, int, int, int]  # seat, kind, xiang, top


def signature(bombs: list[Bomb], seat: int) -> list[int]:
    """The facts of a seat, the bombs of the game being these."""
    desk: Any = D.new_desk()
    desk[D.BOMB_COUNT] = len(bombs)
    for place, (owner, kind, xiang, top) in enumerate(bombs):
        at = D.BOMBS + place * D.BOMB_WIDTH
        desk[at + D.B_SEAT], desk[at + D.B_KIND] = owner, kind
        desk[at + D.B_XIANG], desk[at + D.B_TOP] = xiang, top
    write_signature(seat, desk)
    facts = D.SEAT_FACTS + seat * D.SEAT_WIDTH
    row: list[int] = desk[facts : facts + D.SEAT_WIDTH].tolist()
    return row


def adjacent(a: int, b: int) -> bool:
    """Clause 7: next to one another in 3..A."""
    return abs(a - b) == 1 and TWO not in (a, b)


def largest_apart(ranks: list[int]) -> int:
    """The largest pairwise non-adjacent set, by trying them all."""
    for size in range(len(ranks), 0, -1):
        for chosen in combinations(ranks, size):
            if not any(adjacent(a, b) for a, b in combinations(chosen, 2)):
                return size
    return 0


def random_bombs(rng: Random) -> list[Bomb]:
    bombs: list[Bomb] = []
    for _ in range(rng.randint(0, 12)):
        kind = rng.choice([BOMB] * 8 + [CHAIN, THREE_JOKERS, FOUR_JOKERS])
        xiang = {BOMB: rng.choice([4, 4, 4, 5, 5, 6, 12]), THREE_JOKERS: 6}.get(kind, 7)
        top = rng.randrange(NATURAL_RANKS) if kind in (BOMB, CHAIN) else -1
        bombs.append((rng.choice([0, 2, 2, 3]), kind, xiang, top))
    return bombs


@pytest.mark.parametrize("seed", range(300))
def test_the_signature_is_that_of_all_sets(seed: int) -> None:
    """Best, linked, counted and apart, from the bombs of one seat among those of all."""
    bombs = random_bombs(Random(f"bombs {seed}"))
    for seat in range(4):
        mine = [bomb for bomb in bombs if bomb[0] == seat]
        plain = [(xiang, top) for _, kind, xiang, top in mine if kind == BOMB]
        row = signature(bombs, seat)
        linked = [a for (a, x), (b, y) in combinations(plain, 2) if a == b and adjacent(x, y)]
        assert row[D.S_BEST] == max((xiang for _, _, xiang, _ in mine), default=0)
        assert row[D.S_LINKED] == max(linked, default=0)
        for xiang, every, apart in (
            (4, D.S_FOURS, D.S_FOURS_APART),
            (5, D.S_FIVES, D.S_FIVES_APART),
        ):
            ranks = [top for x, top in plain if x == xiang]
            assert row[every] == len(ranks)
            assert row[apart] == largest_apart(ranks)
        counted = [sum(x == xiang for _, _, x, _ in mine) for xiang in range(32)]
        assert row[D.S_BOMBS :] == counted


@pytest.mark.parametrize(
    ("tops", "apart"),
    [([ACE, TWO], 2), ([0, TWO], 2), ([ACE - 1, ACE, TWO], 2), ([3, 3, 4, 4, 4], 3), ([], 0)],
)
def test_what_is_apart(tops: list[int], apart: int) -> None:
    """2 is next to none, equal ranks are not adjacent."""
    row = signature([(0, BOMB, 4, top) for top in tops], 0)
    assert row[D.S_FOURS_APART] == apart
