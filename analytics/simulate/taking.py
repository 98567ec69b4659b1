"""Taking cards out of a hand: which cards a meld is played with.

The searches of the engine say *what* is the lowest meld (``trustee.lowest_plain``,
``lowest_bomb``); here are the cards for it, natural ones first. What a set of cards is,
is always asked of the engine (``melds.strongest``). Hands and sets are counts per rank,
15 ints. Source: rules clauses 3 and 5.1.
"""

from __future__ import annotations

from analytics.cards import BIG_JOKER, NATURAL_RANKS, RANKS, SMALL_JOKER
from analytics.compiled import Ints, called_kernel, kernel
from analytics.rules import row as R
from analytics.shuangkou.melds import (
    BOMB,
    CHAIN,
    MAX_GROUPS,
    MIN_BOMB,
    NO_KIND,
    STRAIGHT,
    TRIPLE,
    Meld,
    is_run,
    missing,
    strongest,
    wild_jokers,
)
from analytics.shuangkou.trustee import add_wild, chain_choices, choose_chain, fill_chain


@called_kernel
def take_run(hand: Ints, width: int, length: int, top: int, row: Ints, cards: Ints) -> bool:
    """Puts ``width`` cards of each of ``length`` ranks into ``cards``, naturals first.

    Wild jokers take the places that are left; False where the hand has too few.
    """
    jokers = width * length
    for rank in range(RANKS):
        inside = rank < NATURAL_RANKS and (top - rank) % NATURAL_RANKS < length
        cards[rank] = min(width, hand[rank]) if inside else 0
        jokers -= cards[rank]
    if jokers > wild_jokers(hand, row):
        return False
    add_wild(hand, jokers, row, cards)
    return True


@called_kernel
def take_meld(wanted: Meld, hand: Ints, over: Meld, row: Ints, cards: Ints) -> bool:
    """The cards that are read as a meld which a search of the engine found in the hand.

    Args:
        wanted: what ``lowest_plain``, ``lowest_bomb`` or ``smallest_play`` gave.
        hand: the hand that was searched.
        over: the meld on the table; ``NO_MELD`` when leading.
        row: the ruleset.
        cards: 15 ints, to be written.

    Returns:
        False where no such cards were found, which would be a defect.
    """
    if wanted.kind == CHAIN:
        return _take_chain(wanted, hand, over, row, cards)
    if wanted.top < 0 or wanted.top >= SMALL_JOKER:
        return _take_jokers(wanted, hand, cards)
    if wanted.kind <= TRIPLE or wanted.kind == BOMB:
        return take_run(hand, wanted.size, 1, wanted.top, row, cards)
    width = wanted.kind - STRAIGHT + 1
    length = wanted.size // width
    for top in range(max(over.top + 1, length - 1), wanted.top + 1):
        if take_run(hand, width, length, top, row, cards):
            read = strongest(cards, row, over)
            if read.kind == wanted.kind and read.strength == wanted.strength:
                return True
    return False


@kernel
def _take_jokers(wanted: Meld, hand: Ints, cards: Ints) -> bool:
    """Jokers only: of a single or an equal pair that rank, else big ones first."""
    for rank in range(RANKS):
        cards[rank] = 0
    if wanted.top >= SMALL_JOKER and hand[wanted.top] >= wanted.size:
        cards[wanted.top] = wanted.size
        return True
    cards[BIG_JOKER] = min(hand[BIG_JOKER], 1 if wanted.size == 2 else wanted.size)
    cards[SMALL_JOKER] = wanted.size - cards[BIG_JOKER]
    return cards[SMALL_JOKER] <= hand[SMALL_JOKER]


@kernel
def _take_chain(wanted: Meld, hand: Ints, over: Meld, row: Ints, cards: Ints) -> bool:
    """A chain as the engine's search makes it, over whatever run it is read."""
    wild = wild_jokers(hand, row)
    for groups in range(row[R.CHAIN_MIN], MAX_GROUPS + 1):
        for top in range(NATURAL_RANKS):
            smallest = MIN_BOMB
            while is_run(top, groups, row) and missing(hand, top, groups, smallest) <= wild:
                if _take_over_run(wanted, hand, over, top, groups, smallest, row, cards):
                    return True
                smallest += 1
    return False


@called_kernel
def _take_over_run(
    wanted: Meld,
    hand: Ints,
    over: Meld,
    top: int,
    groups: int,
    smallest: int,
    row: Ints,
    cards: Ints,
) -> bool:
    """A chain over one run with a smallest group; every choice of naturals, if need be."""
    for way in range(-1, chain_choices(hand, top, groups, smallest)):
        spare = 0
        if way < 0:
            fill_chain(hand, top, groups, smallest, wanted.size, row, cards)
        else:
            spare = choose_chain(hand, top, groups, smallest, wanted.size, way, row, cards)
        if spare >= 0 and _is_wanted(wanted, hand, over, row, cards):
            return True
    return False


@kernel
def _is_wanted(wanted: Meld, hand: Ints, over: Meld, row: Ints, cards: Ints) -> bool:
    """Whether the cards are in the hand and are read as what is wanted."""
    for rank in range(RANKS):
        if cards[rank] < 0 or cards[rank] > hand[rank]:
            return False
    read = strongest(cards, row, over)
    return read.kind == wanted.kind and read.strength == wanted.strength


@called_kernel
def take_whole_bomb(
    highest_chain: int, joins: int, hand: Ints, over: Meld, row: Ints, rest: Ints, cards: Ints
) -> bool:
    """Takes a bomb that beats and breaks up no larger one; False where there is none.

    Args:
        highest_chain: 1 for the highest natural chain, if there is one; else the lowest bomb
            of one rank. Ranks of four or more are played whole.
        joins: 1 where the wild jokers belong to the largest rank.
        hand: counts.
        over: the meld on the table.
        row: the ruleset.
        rest: 15 ints to work in.
        cards: 15 ints, to be written.
    """
    found = 0
    first, last = (row[R.CHAIN_MIN], MAX_GROUPS) if highest_chain != 0 else (1, 1)
    for groups in range(first, last + 1):
        for top in range(NATURAL_RANKS):
            is_wanted = groups == 1 or is_run(top, groups, row)
            if is_wanted and missing(hand, top, groups, MIN_BOMB) == 0:
                _take_whole(hand, top, groups, row, rest)
                if joins != 0 and groups == 1 and is_largest(hand, top):
                    add_wild(hand, wild_jokers(hand, row), row, rest)
                read = strongest(rest, row, over)
                strength = read.strength if highest_chain != 0 else -read.strength
                if read.kind != NO_KIND and (found == 0 or strength > found):
                    found = strength
                    for at in range(RANKS):
                        cards[at] = rest[at]
    return found != 0


@kernel
def is_largest(hand: Ints, rank: int) -> bool:
    """Whether no other natural rank has more cards; of equal ones the highest."""
    for other in range(NATURAL_RANKS):
        if hand[other] > hand[rank] or (hand[other] == hand[rank] and other > rank):
            return False
    return True


@kernel
def _take_whole(hand: Ints, top: int, groups: int, row: Ints, cards: Ints) -> None:
    """All cards of the ranks of a run; four of each where a chain must be regular."""
    for rank in range(RANKS):
        inside = rank < NATURAL_RANKS and (top - rank) % NATURAL_RANKS < groups
        whole = groups == 1 or row[R.CHAIN_IRREGULAR] != 0
        cards[rank] = (hand[rank] if whole else MIN_BOMB) if inside else 0
