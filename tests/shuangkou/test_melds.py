"""Melds as the kernels have them: ints that are packed must not run into one another."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import pytest

from analytics.cards import NATURAL_RANKS, RANKS
from analytics.rules import Ruleset
from analytics.rules import row as R
from analytics.shuangkou import melds
from analytics.shuangkou.melds import (
    BOMB,
    CHAIN,
    KIND_NAMES,
    MAX_CARDS,
    MAX_GROUPS,
    NO_KIND,
    NO_MELD,
    NO_RANK,
    SINGLE,
    Meld,
    beats,
    is_bomb,
    is_irregular,
    joker_bomb,
    one_rank_bomb,
    outranks,
    strongest,
    strongest_order,
)
from analytics.shuangkou.sheets import pack
from analytics.shuangkou.trustee import can_beat
from tests.rulebook.builder import JIULE, POINTS, book_of, rules

HOUSES: list[str | Ruleset] = [POINTS, JIULE, rules(JIULE, chain_min=2), rules(POINTS, chain_min=2)]


def row_of(house: str | Ruleset) -> list[int]:
    row: list[int] = book_of(house).rows[0].tolist()
    return row


def counts_of(**cards: int) -> list[int]:
    """Counts per rank; ``r3=4`` is four cards of rank 3."""
    counts = [0] * RANKS
    for name, count in cards.items():
        counts[int(name[1:])] = count
    return counts


def test_there_is_a_name_for_every_kind() -> None:
    """Kinds are numbered in the order of clause 3; no kind has no name."""
    assert len(KIND_NAMES) == 11
    assert KIND_NAMES[NO_KIND] is None
    assert [is_bomb(kind) for kind in range(11)] == [False] * 7 + [True] * 4


@pytest.mark.parametrize("house", HOUSES)
def test_no_strength_reaches_the_next_xiang(house: str | Ruleset) -> None:
    """The largest and the smallest chains of a xiang stay within it, and within int64."""
    row = row_of(house)
    rng = Random("strengths")
    bombs = [joker_bomb(3, row), joker_bomb(4, row)]
    bombs += [one_rank_bomb(n, rank, row) for n in range(4, 13) for rank in range(NATURAL_RANKS)]
    for _ in range(3000):
        counts = [0] * RANKS
        first, groups = rng.randrange(NATURAL_RANKS), rng.randint(2, MAX_GROUPS)
        for step in range(groups):
            counts[(first + step) % NATURAL_RANKS] = rng.choice([4, 4, 4, 5, 6, 8])
        counts[13], counts[14] = rng.randrange(3), rng.randrange(3)
        bombs.append(strongest(counts, row, NO_MELD))
    by_strength = sorted((b for b in bombs if is_bomb(b.kind)), key=lambda b: b.strength)
    xiangs = [bomb.xiang for bomb in by_strength]
    assert xiangs == sorted(xiangs)
    assert 0 < by_strength[0].strength <= by_strength[-1].strength < 2**63


@pytest.mark.parametrize("cards", [MAX_CARDS, MAX_CARDS + 1, 40])
def test_more_cards_than_the_packing_holds_are_no_meld(cards: int) -> None:
    """No hand has so many; a log may still say so, and must not get a wrong reading."""
    read = strongest(counts_of(r5=cards), row_of(POINTS), NO_MELD)
    assert read.kind == (BOMB if cards <= MAX_CARDS else NO_KIND)


def test_no_meld_is_nothing() -> None:
    """No cards, no rank, and like all that is no bomb no xiang (clause 4)."""
    assert tuple(NO_MELD) == (NO_KIND, 0, NO_RANK, 0, 0, 0)


def test_anything_beats_the_empty_table_but_nothing_does() -> None:
    """A meld may be led; no meld may not."""
    row = row_of(POINTS)
    assert beats(Meld(SINGLE, 1, 0, 0, 0, 0), NO_MELD, row)
    assert not beats(NO_MELD, NO_MELD, row)


@pytest.mark.parametrize(
    ("size", "xiang", "groups", "expected"),
    [(12, 7, 3, False), (13, 7, 3, True), (15, 8, 3, False), (16, 8, 4, False), (17, 8, 4, True)],
)
def test_is_irregular(size: int, xiang: int, groups: int, expected: bool) -> None:
    """A chain with more cards than its smallest group times its ranks."""
    assert is_irregular(Meld(CHAIN, size, 5, xiang, groups, 0)) == expected
    assert not is_irregular(Meld(BOMB, size, 5, xiang, groups, 0))


@pytest.mark.parametrize("top", [-1, 0, 14])
def test_a_packed_meld_keeps_its_parts_apart(top: int) -> None:
    """For the detail of a finding."""
    packed = pack(Meld(10, 27, top, 31, 6, 0))
    parts = [packed >> shift & 255 for shift in (0, 8, 16, 24, 32)]
    assert parts == [10, 27, top + 1, 31, 6]
    assert pack(NO_MELD) == 0


def test_the_rules_do_not_change_what_a_row_is() -> None:
    """Reading leaves the row and the counts as they are."""
    row, counts = row_of(JIULE), counts_of(r5=4, r6=4, r7=3, r14=2)
    before = (row.copy(), counts.copy())
    strongest(counts, row, NO_MELD)
    assert (row, counts) == before
    assert len(row) == R.WIDTH


def test_kinds_have_the_numbers_of_their_names() -> None:
    """In the order of the table of clause 3, as facts and logs of findings hold them."""
    for number, name in enumerate(KIND_NAMES):
        assert getattr(melds, (name or "no_kind").upper()) == number


@pytest.mark.parametrize("spare", range(5))
def test_spare_jokers_make_the_highest_order_there_is(spare: int) -> None:
    """All ways to place them on the groups, tried one by one (clause 4, most-groups)."""
    rng = Random(spare)
    for _ in range(60):
        groups, smallest = rng.randint(2, MAX_GROUPS), rng.randint(4, 6)
        top = rng.randint(groups - 1, NATURAL_RANKS - 1)
        counts = [0] * RANKS
        for back in range(groups):
            counts[top - back] = rng.choice([2, smallest - 1, smallest, smallest, smallest + 1])
        orders = [
            _order_of(
                [max(smallest, counts[top - b]) + placed.count(b) for b in range(groups)], top
            )
            for placed in combinations_with_replacement(range(groups), spare)
        ]
        assert strongest_order(counts, top, groups, smallest, spare) == max(orders), counts


def _order_of(held: list[int], top: int) -> int:
    """The ranks of the groups as one number, the largest group first, then the highest."""
    order = 0
    for back in sorted(range(len(held)), key=lambda back: (-held[back], back)):
        order = (order << 5) + top - back + MAX_GROUPS
    return order


def test_of_equally_strong_readings_more_groups_count() -> None:
    """Then the kind that stands lower in the table; a reading does not outrank itself (3.3)."""
    three, four = Meld(CHAIN, 12, 5, 9, 3, 77), Meld(CHAIN, 12, 5, 9, 4, 77)
    assert outranks(four, three)
    assert not outranks(three, four)
    assert not outranks(three, three)


@pytest.mark.parametrize("size", [3, 4])
def test_bombs_of_jokers_stand_at_the_head_of_their_class(size: int) -> None:
    """Nothing but xiang and class is in their strength (clause 4)."""
    for house in HOUSES:
        assert joker_bomb(size, row_of(house)).strength % (1 << 40) == 0


@pytest.mark.parametrize(("held", "beating"), [("r4", True), ("r3", False)])
def test_a_hand_beats_or_it_does_not(held: str, beating: bool) -> None:
    """A pair of sixes is beaten by a pair of sevens, not by another of sixes (5.1)."""
    row = row_of(POINTS)
    pair = strongest(counts_of(r3=2), row, NO_MELD)
    assert can_beat(counts_of(**{held: 2}), pair, row, [0] * RANKS) is beating
