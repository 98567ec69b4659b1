"""Plans: a hand split into the melds that a player means to play.

Several ways to split are tried, since a straight may break pairs and the reverse, and
the one with the fewest groups is kept: every group but the last costs a lead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from analytics.cards import ACE, BIG_JOKER, NATURAL_RANKS, SMALL_JOKER
from analytics.compiled import Ints
from analytics.shuangkou.melds import MIN_BOMB, PAIR_RUN, STRAIGHT, TRIPLE_RUN, wild_jokers
from analytics.simulate.hands import (
    EMPTY,
    WIDTHS,
    Counts,
    Group,
    chain_sets,
    equal_sets,
    joker_sets,
    read,
    readable,
    run_sets,
    without,
)

Plan = tuple[Group, ...]
Jokers = Literal["bomb", "run", "jokers", "alone"]

_ORDERS: Final = (
    (),
    (TRIPLE_RUN, PAIR_RUN, STRAIGHT),
    (PAIR_RUN, STRAIGHT, TRIPLE_RUN),
    (STRAIGHT, PAIR_RUN, TRIPLE_RUN),
)
_SHORTEST: Final = {STRAIGHT: 5, PAIR_RUN: 3, TRIPLE_RUN: 3}  # clause 3: ranks
_MOST_TRIPLE: Final = 3  # clause 3: more cards of a rank are a bomb


@dataclass(frozen=True, slots=True)
class Taste:
    """How a player likes to split a hand.

    Attributes:
        jokers: what wild jokers are for: they complete a ``bomb`` or a ``run``, make a
            bomb of ``jokers``, or are played ``alone``.
        chains: whether neighbouring bombs are joined to chains.
    """

    jokers: Jokers
    chains: bool


def planned(hand: Counts, row: Ints, taste: Taste) -> Plan:
    """The groups of a hand; each of its cards is in one of them."""
    bombs = tuple(_bombs(hand, row, taste))
    rest = _without(hand, bombs)
    splits = [(*bombs, *_split(rest, row, taste, order)) for order in _ORDERS]
    return min(splits, key=len)


def _without(hand: Counts, groups: Plan) -> Counts:
    for group in groups:
        hand = without(hand, group.cards)
    return hand


def _bombs(hand: Counts, row: Ints, taste: Taste) -> Iterator[Group]:
    """Joker bombs, chains, then every rank of four or more; wild jokers to the largest."""
    if taste.jokers == "jokers":
        for group in readable(joker_sets(hand, min(4, sum(hand[SMALL_JOKER:]))), row):
            if group.meld.xiang:
                yield group
                hand = without(hand, group.cards)
    spare = hand if taste.jokers == "bomb" else (*hand[:SMALL_JOKER], 0, 0)
    if taste.chains:
        chains = sorted(readable(chain_sets(spare, row), row), key=lambda g: -g.meld.strength)
        for group in chains[:1]:
            yield group
            spare = without(spare, group.cards)
    yield from _equal_bombs(spare, row)


def _equal_bombs(hand: Counts, row: Ints) -> Iterator[Group]:
    """Bombs of one rank, all cards of each; the largest, or the highest, takes the jokers."""
    ranks = sorted(range(NATURAL_RANKS), key=lambda rank: (hand[rank], rank), reverse=True)
    for rank in ranks:
        size = hand[rank] + wild_jokers(list(hand), row)
        if hand[rank] < MIN_BOMB - 1 or size < MIN_BOMB:
            return
        only = tuple(
            held if at in (rank, SMALL_JOKER, BIG_JOKER) else 0 for at, held in enumerate(hand)
        )
        for group in readable(equal_sets(only, size, row), row):
            yield group
            hand = without(hand, group.cards)


def _split(hand: Counts, row: Ints, taste: Taste, order: tuple[int, ...]) -> Iterator[Group]:
    """Runs in an order of kinds, then what is left by rank, jokers last."""
    lent = wild_jokers(list(hand), row) if taste.jokers == "run" else 0
    for kind in order:
        while group := _longest_run(hand, kind, lent, row):
            yield group
            hand = without(hand, group.cards)
            lent -= min(lent, sum(group.cards[SMALL_JOKER:]))
    for rank in range(NATURAL_RANKS):
        while hand[rank]:
            size = min(hand[rank], _MOST_TRIPLE)
            cards = (*EMPTY[:rank], size, *EMPTY[rank + 1 :])
            yield from readable([cards], row)
            hand = without(hand, cards)
    yield from _jokers(hand, row)


def _longest_run(hand: Counts, kind: int, lent: int, row: Ints) -> Group | None:
    """The longest, lowest run; at most one joker is lent to it."""
    lent = min(lent, 1)
    big = min(lent, hand[BIG_JOKER])
    hand = (*hand[:SMALL_JOKER], min(lent - big, hand[SMALL_JOKER]), big)
    for length in range(ACE + 1, _SHORTEST[kind] - 1, -1):
        for group in readable(run_sets(hand, WIDTHS[kind], length, row), row):
            if group.meld.kind == kind:
                return group
    return None


def _jokers(hand: Counts, row: Ints) -> Iterator[Group]:
    """Jokers that nothing else took: equal ones together."""
    for cards in (
        (*EMPTY[:SMALL_JOKER], hand[SMALL_JOKER], 0),
        (*EMPTY[:BIG_JOKER], hand[BIG_JOKER]),
    ):
        group = read(cards, row) if any(cards) else None
        if group:
            yield group


def kept_apart(hand: Counts) -> Counts:
    """The hand without its bombs and jokers: what a player breaks up without regret."""
    return (*(held if held < MIN_BOMB else 0 for held in hand[:SMALL_JOKER]), 0, 0)
