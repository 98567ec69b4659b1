"""Hands by rank, and the card sets in them that may be melds.

Suits never matter for play (rules clause 2), so that players think in *counts*, cards
per rank, and faces are chosen last. A *group* is a card set with what it is read as.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from analytics.cards import (
    ACE,
    BIG_JOKER,
    NATURAL_RANKS,
    RANKS,
    SMALL_JOKER,
    rank_of,
)
from analytics.compiled import Ints
from analytics.rules import row as R
from analytics.shuangkou.melds import (
    MAX_GROUPS,
    MIN_BOMB,
    NO_KIND,
    NO_MELD,
    PAIR,
    PAIR_RUN,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    TRIPLE_RUN,
    Meld,
    is_run,
    strongest,
    wild_jokers,
)

Counts = tuple[int, ...]  # 15: cards per rank

EMPTY: Final[Counts] = (0,) * RANKS
WIDTHS: Final = {STRAIGHT: 1, PAIR_RUN: 2, TRIPLE_RUN: 3}  # clause 3: cards a rank
SIZES: Final = {SINGLE: 1, PAIR: 2, TRIPLE: 3}  # clause 3: cards


class Group(NamedTuple):
    """A card set and the meld that it is read as."""

    cards: Counts
    meld: Meld


def counts_of(faces: Iterable[int]) -> Counts:
    """Cards per rank.

    >>> counts_of([0, 1, 53])
    (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    """
    counts = [0] * RANKS
    for face in faces:
        counts[rank_of(face)] += 1
    return tuple(counts)


def chosen(faces: Sequence[int], cards: Counts) -> tuple[int, ...]:
    """The first faces of a hand that make up a card set, in the order of the hand.

    >>> chosen([53, 0, 1, 2], counts_of([0, 3]))
    (0, 1)
    """
    wanted = list(cards)
    taken = []
    for face in faces:
        if wanted[rank_of(face)] > 0:
            wanted[rank_of(face)] -= 1
            taken.append(face)
    return tuple(taken)


def without(hand: Counts, cards: Counts) -> Counts:
    """What is left of a hand."""
    return tuple(held - gone for held, gone in zip(hand, cards, strict=True))


def read(cards: Counts, row: Ints, over: Meld = NO_MELD) -> Group | None:
    """The cards with their strongest reading that beats ``over``; None: there is none."""
    meld = strongest(list(cards), row, over)
    return None if meld.kind == NO_KIND else Group(cards, meld)


def readable(sets: Iterable[Counts], row: Ints, over: Meld = NO_MELD) -> Iterator[Group]:
    """Those of the card sets that beat ``over``, as groups."""
    for cards in sets:
        group = read(cards, row, over)
        if group is not None:
            yield group


def with_wild(naturals: dict[int, int], lacking: int, hand: Counts, row: Ints) -> Counts | None:
    """Naturals by rank and so many wild jokers of the hand; None: it has not so many."""
    big = min(lacking, hand[BIG_JOKER] * row[R.WILD_BIG])
    small = lacking - big
    if small > hand[SMALL_JOKER] * row[R.WILD_SMALL]:
        return None
    counts = [naturals.get(rank, 0) for rank in range(NATURAL_RANKS)]
    return (*counts, small, big)


def equal_sets(hand: Counts, size: int, row: Ints) -> Iterator[Counts]:
    """Card sets of one rank, naturals first: single, pair, triple or bomb (clause 3)."""
    for rank in range(NATURAL_RANKS):
        held = min(hand[rank], size)
        cards = with_wild({rank: held}, size - held, hand, row)
        if held and cards:
            yield cards


def joker_sets(hand: Counts, size: int) -> Iterator[Counts]:
    """Sets of jokers only (clauses 3.1, 3.2)."""
    for small in range(hand[SMALL_JOKER] + 1):
        if 0 <= size - small <= hand[BIG_JOKER]:
            yield (*EMPTY[:SMALL_JOKER], small, size - small)


def run_sets(hand: Counts, width: int, length: int, row: Ints) -> Iterator[Counts]:
    """Runs of ``length`` ranks with ``width`` cards each, naturals first (clause 3)."""
    for top in range(length - 1, ACE + 1):
        ranks = range(top - length + 1, top + 1)
        naturals = {rank: min(width, hand[rank]) for rank in ranks}
        lacking = width * length - sum(naturals.values())
        cards = with_wild(naturals, lacking, hand, row)
        if cards and lacking < width * length:
            yield cards


def chain_sets(hand: Counts, row: Ints) -> Iterator[Counts]:
    """Chains of every length: with all that is held of each rank, and evened out (clause 4)."""
    for groups in range(row[R.CHAIN_MIN], MAX_GROUPS + 1):
        for top in range(NATURAL_RANKS):
            if is_run(top, groups, row):
                ranks = [(top - back) % NATURAL_RANKS for back in range(groups)]
                yield from _chains_over(ranks, hand, row)


def _chains_over(ranks: Sequence[int], hand: Counts, row: Ints) -> Iterator[Counts]:
    """Chains over some ranks with a smallest group of every size that the hand can fill."""
    smallest = MIN_BOMB
    while True:
        lacking = sum(max(0, smallest - hand[rank]) for rank in ranks)
        if lacking > wild_jokers(list(hand), row):
            return
        even = {rank: min(smallest, hand[rank]) for rank in ranks}
        whole = {rank: hand[rank] for rank in ranks}
        for naturals in (even, whole) if even != whole else (even,):
            cards = with_wild(naturals, lacking, hand, row)
            if cards and any(naturals.values()):
                yield cards
        smallest += 1


def every_chain(hand: Counts, top: int, groups: int, row: Ints) -> Iterator[Counts]:
    """Every chain over one run: all sizes of all its groups, naturals first."""
    ranks = [(top - back) % NATURAL_RANKS for back in range(groups)]
    wild = wild_jokers(list(hand), row)
    for sizes in product(*(range(MIN_BOMB, hand[rank] + wild + 1) for rank in ranks)):
        wanted = dict(zip(ranks, sizes, strict=True))
        naturals = {rank: min(size, hand[rank]) for rank, size in wanted.items()}
        cards = with_wild(naturals, sum(sizes) - sum(naturals.values()), hand, row)
        if cards:
            yield cards


def bomb_sets(hand: Counts, row: Ints) -> Iterator[Counts]:
    """Bombs of every sort (clause 3)."""
    wild = wild_jokers(list(hand), row)
    for size in range(MIN_BOMB, max(hand[:NATURAL_RANKS]) + wild + 1):
        yield from equal_sets(hand, size, row)
    yield from joker_sets(hand, 3)
    yield from joker_sets(hand, 4)
    yield from chain_sets(hand, row)


def like_sets(hand: Counts, like: Meld, row: Ints) -> Iterator[Counts]:
    """Card sets of the kind and size of a meld that is no bomb."""
    if like.kind in SIZES:
        yield from equal_sets(hand, like.size, row)
        yield from joker_sets(hand, like.size) if like.kind != TRIPLE else ()
    else:
        width = WIDTHS[like.kind]
        yield from run_sets(hand, width, like.size // width, row)
