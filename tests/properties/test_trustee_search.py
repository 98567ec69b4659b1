"""The searches through a hand against trying every set of its cards.

Hands are made for this: small ones with up to four wild jokers, and hands of 20 cards
and more that are rich in chains, under random rules of play.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from analytics import compiled
from analytics.cards import BIG_JOKER, NATURAL_RANKS, RANKS, SMALL_JOKER
from analytics.rules import row as R
from analytics.shuangkou.melds import (
    MIN_BOMB,
    NO_KIND,
    NO_MELD,
    Meld,
    beats,
    is_bomb,
    strongest,
)
from analytics.shuangkou.trustee import (
    can_beat,
    is_smallest,
    lowest_bomb,
    lowest_plain,
    smallest_play,
)

Ints = list[int]
SHARE = int(os.environ.get("PAIPU_SEARCH_SHARE", "100"))  # percent of the hands
SMALL_HANDS, RICH_HANDS, CHAIN_HANDS = (hands * SHARE // 100 for hands in (4000, 400, 2400))
COMPILED_HANDS = 20_000
SLICES = 4


# Random rules, hands and tables.


def random_row(rng: Random) -> Ints:
    """Rules of play, every setting by itself; what is scored is left out."""
    row = [0] * R.WIDTH
    wild = rng.choices([(1, 1), (0, 1), (1, 0), (0, 0)], [6, 3, 1, 1])[0]
    row[R.WILD_SMALL], row[R.WILD_BIG] = wild
    row[R.MIXED_JOKER_PAIR] = rng.choice([0, SMALL_JOKER, BIG_JOKER])
    row[R.CHAIN_MIN] = rng.choice([2, 3, 3, 4])
    row[R.CHAIN_IRREGULAR] = int(rng.random() < 0.7)
    row[R.CHAIN_CYCLIC] = rng.randrange(2)
    row[R.MOST_GROUPS] = rng.randrange(2)
    row[R.IRREGULAR_EQUAL] = 0 if row[R.MOST_GROUPS] else rng.randrange(2)
    row[R.FOUR_JOKERS_HIGHEST] = rng.randrange(2)
    return row


def small_hand(rng: Random) -> Ints:
    """A few cards of neighbouring ranks, and often jokers."""
    hand = [0] * RANKS
    first = rng.randrange(NATURAL_RANKS)
    for _ in range(rng.randint(1, 9)):
        rank = (first + rng.choice([0, 0, 0, 1, 1, 2, 3, 4])) % NATURAL_RANKS
        hand[rank] += int(hand[rank] < 8)
    hand[SMALL_JOKER], hand[BIG_JOKER] = rng.randrange(3), rng.randrange(3)
    return hand


def rich_hand(rng: Random) -> Ints:
    """20 to 27 cards that hold chains, all of them in a run of three to five ranks."""
    hand = [0] * RANKS
    groups = rng.choice([3, 3, 4, 4, 5])
    first = rng.randrange(NATURAL_RANKS)
    hand[SMALL_JOKER], hand[BIG_JOKER] = rng.choice([0, 0, 1, 2]), rng.choice([0, 0, 1, 2])
    size = rng.randint(20, 27)
    while sum(hand) < size:
        rank = (first + rng.randrange(groups)) % NATURAL_RANKS
        if hand[rank] == 8:
            rank = rng.randrange(NATURAL_RANKS)
        hand[rank] += int(hand[rank] < 8)
    return hand


def chain_hand(rng: Random) -> Ints:
    """Hardly anything but a chain or two, with jokers to spare or a few cards short."""
    hand = [0] * RANKS
    groups = rng.choice([2, 3, 3, 3, 4])
    first = rng.randrange(NATURAL_RANKS)
    for step in range(groups):
        hand[(first + step) % NATURAL_RANKS] = rng.choice([2, 3, 4, 4, 4, 5, 5, 6])
    hand[SMALL_JOKER], hand[BIG_JOKER] = rng.choice([0, 1, 1, 2]), rng.choice([0, 1, 1, 2])
    while sum(hand) > 27:
        hand[hand.index(max(hand))] -= 1
    return hand


def chain_table(rng: Random, hand: Ints, row: Ints) -> Meld:
    """A bomb that only a chain may beat, or a chain much like those of the hand."""
    while True:
        counts = [0] * RANKS
        if rng.random() < 0.5:
            counts[rng.randrange(NATURAL_RANKS)] = rng.choice([5, 6, 6, 6, 7])
        else:
            shift = rng.choice([0, 0, 0, 1, -1])
            for rank in range(NATURAL_RANKS):
                held = min(6, hand[rank] + rng.choice([0, 0, 1, 1, 2]))
                counts[(rank + shift) % NATURAL_RANKS] = held if hand[rank] else 0
        meld = strongest(counts, row, NO_MELD)
        if meld.kind != NO_KIND:
            return meld


def random_table(rng: Random, hand: Ints, row: Ints) -> Meld:
    """Something on the table that the hand may well be able to beat."""
    while True:
        counts = [0] * RANKS
        shape = rng.choice(["rank", "rank", "rank", "run", "run", "chain", "chain", "jokers"])
        start = rng.choice([rank for rank in range(RANKS) if hand[rank]]) - rng.randrange(4)
        width = rng.choice([1, 1, 2, 3]) if shape == "run" else rng.choice([4, 4, 4, 5, 6])
        length = {"run": rng.randint(3, 7), "chain": rng.randint(2, 4)}.get(shape, 1)
        for step in range(length):
            more = rng.choice([0, 0, 1]) if shape == "chain" else 0
            counts[(start + step) % NATURAL_RANKS] = width + more
        if shape == "rank":
            counts[start % NATURAL_RANKS] = rng.choice([1, 2, 3, 4, 5, 6, 6, 6, 7, 7])
        if shape == "jokers":
            counts = [0] * 13 + [rng.randrange(3), rng.randrange(3)]
        meld = strongest(counts, row, NO_MELD) if sum(counts) else NO_MELD
        if meld.kind != NO_KIND:
            return meld


# Every set of cards.


def sets_of(hand: Ints, over: Meld) -> Iterator[Ints]:
    """Every set of the hand's cards that may beat, by number of cards per rank.

    Left out is what is neither of the size on the table nor a bomb of any sort: a bomb is
    jokers only, or of one rank, or has four cards of each of its ranks, jokers included.
    """
    for small, big in product(range(hand[SMALL_JOKER] + 1), range(hand[BIG_JOKER] + 1)):
        for natural in product(*(range(held + 1) for held in hand[:NATURAL_RANKS])):
            missing = sum(MIN_BOMB - held for held in natural if 0 < held < MIN_BOMB)
            size = sum(natural) + small + big
            if size and (size == over.size or missing <= small + big):
                yield [*natural, small, big]


def readings(hand: Ints, over: Meld, row: Ints) -> set[Meld]:
    """What the sets are read as that beat the table."""
    return {strongest(cards, row, over) for cards in sets_of(hand, over)} - {NO_MELD}


def key(meld: Meld) -> tuple[int, int] | None:
    return None if meld.kind == NO_KIND else (meld.kind, meld.strength)


def lowest(melds: list[Meld]) -> Meld:
    return min(melds, key=lambda meld: meld.strength) if melds else NO_MELD


def check(hand: Ints, row: Ints, over: Meld) -> None:
    """Holds the searches against all sets of the hand."""
    scratch = [0] * RANKS
    told = (hand, over, row[: R.LINKED])
    found = readings(hand, over, row)
    bombs = [meld for meld in found if is_bomb(meld.kind)]
    plain = [meld for meld in found if not is_bomb(meld.kind)]
    assert can_beat(hand, over, row, scratch) == bool(found), told
    assert key(lowest_plain(hand, over, row, scratch)) == key(lowest(plain)), told
    bomb = lowest_bomb(hand, over, NO_MELD, row, scratch)
    assert bomb.strength == lowest(bombs).strength, (bomb, *told)
    for played in found:
        # Clause 5.1: the lowest of its kind; else a bomb that beats no other one.
        would_do = plain or [other for other in bombs if other != played]
        is_low = played in plain if plain else True
        is_low = is_low and not any(beats(played, other, row) for other in would_do)
        smallest = smallest_play(hand, over, played, row, scratch)
        assert is_smallest(played, smallest) == is_low, (played, smallest, *told)


@pytest.mark.parametrize("part", range(SLICES))
def test_small_hands(part: int) -> None:
    """Lowest bomb, lowest meld and whether anything beats, of small hands."""
    rng = Random(f"small hands {part}")
    for _ in range(SMALL_HANDS // SLICES):
        hand, row = small_hand(rng), random_row(rng)
        check(hand, row, random_table(rng, hand, row))


@pytest.mark.parametrize("part", range(SLICES))
def test_hands_rich_in_chains(part: int) -> None:
    """The same of hands of 20 cards and more."""
    rng = Random(f"rich hands {part}")
    for _ in range(RICH_HANDS // SLICES):
        hand, row = rich_hand(rng), random_row(rng)
        check(hand, row, random_table(rng, hand, row))


@pytest.mark.parametrize("part", range(SLICES))
def test_hands_that_are_chains(part: int) -> None:
    """The same where a chain is the answer, or all but one."""
    rng = Random(f"chain hands {part}")
    for _ in range(CHAIN_HANDS // SLICES):
        hand, row = chain_hand(rng), random_row(rng)
        check(hand, row, chain_table(rng, hand, row))


@pytest.mark.parametrize("seed", range(200))
def test_a_leader_plays_the_lowest_single(seed: int) -> None:
    """On the lead there is nothing to search."""
    rng = Random(seed)
    hand, row = small_hand(rng), random_row(rng)
    smallest = smallest_play(hand, NO_MELD, NO_MELD, row, [0] * RANKS)
    assert smallest.top == next(rank for rank in range(RANKS) if hand[rank])


# The same compiled, for far more hands, and with every set read that there is.


def least_of_all(hands: Any, overs: Any, rows: Any, scratch: Any, found: Any) -> None:
    """Writes for each hand the lowest bomb and the lowest other meld: searched, and tried."""
    for game in range(len(hands)):
        hand, row, told = hands[game], rows[game], found[game]
        table = overs[game]
        over = Meld(table[0], table[1], table[2], table[3], table[4], table[5])
        told[0] = lowest_bomb(hand, over, NO_MELD, row, scratch).strength
        told[1] = lowest_plain(hand, over, row, scratch).strength
        told[2] = int(can_beat(hand, over, row, scratch))
        for at in range(RANKS):
            scratch[at] = 0
        rank = 0
        while rank < RANKS:
            if scratch[rank] == hand[rank]:
                scratch[rank] = 0
                rank += 1
                continue
            scratch[rank] += 1
            rank = 0
            read = strongest(scratch, row, over)
            if read.kind != NO_KIND:
                told[5] = 1
                at = 3 if is_bomb(read.kind) else 4
                if told[at] == 0 or read.strength < told[at] - 1:
                    told[at] = read.strength + 1


def _tried(hands: list[Ints], overs: list[Meld], rows: list[Ints]) -> Any:
    found = np.zeros((len(hands), 6), np.int64)
    tables = np.array([list(over) for over in overs], np.int64)
    compiled.run(
        least_of_all,
        np.array(hands, np.int64), tables, np.array(rows, np.int64),
        np.zeros(RANKS, np.int64), found,
    )  # fmt: skip
    return found


@pytest.mark.slow
def test_many_hands_rich_in_chains(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Thousands of hands of 20 cards and more, every set of their cards tried."""
    monkeypatch.setenv("PAIPU_COMPILE", "always")
    monkeypatch.setenv("PAIPU_CACHE_DIR", str(tmp_path))
    rng = Random("many rich hands")
    rows = [random_row(rng) for _ in range(COMPILED_HANDS)]
    hands = [rich_hand(rng) for _ in rows]
    overs = [random_table(rng, hand, row) for hand, row in zip(hands, rows, strict=True)]
    for told, hand, over, row in zip(_tried(hands, overs, rows), hands, overs, rows, strict=True):
        bomb, plain = max(told[3] - 1, 0), max(told[4] - 1, 0)
        expected = [bomb, plain, told[5]]
        assert told[:3].tolist() == expected, (hand, over, row[: R.LINKED])
