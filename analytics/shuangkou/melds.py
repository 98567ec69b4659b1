"""Melds (牌型): reading cards as a meld, and which meld beats which.

Cards come as *counts*: an array of 15 ints, the number of cards per rank
(``analytics.cards``), suits left out since they never matter for play. ``row`` is
a ruleset's row (``analytics.rules.row``). Source: rules clauses 3 and 4.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from analytics.cards import ACE, BIG_JOKER, NATURAL_RANKS, SMALL_JOKER, TWO
from analytics.compiled import Ints, called_kernel, kernel
from analytics.rules import row as R

# The kinds, in the order of the table of clause 3.
NO_KIND: Final = 0
SINGLE: Final = 1  # 单张
PAIR: Final = 2  # 对子
TRIPLE: Final = 3  # 三张
STRAIGHT: Final = 4  # 顺子
PAIR_RUN: Final = 5  # 连对
TRIPLE_RUN: Final = 6  # 连三张
BOMB: Final = 7  # 炸弹
CHAIN: Final = 8  # 连炸
THREE_JOKERS: Final = 9  # 三王炸弹
FOUR_JOKERS: Final = 10  # 天王炸弹
KIND_NAMES: Final = (
    None,
    "single",
    "pair",
    "triple",
    "straight",
    "pair_run",
    "triple_run",
    "bomb",
    "chain",
    "three_jokers",
    "four_jokers",
)

NO_RANK: Final = -1
MIN_BOMB: Final = 4  # clause 3: a bomb, or a group of a chain, has 4 or more cards
_SHORTEST_RUN: Final = 5  # clause 3: a straight of five; the runs of pairs and triples are longer
MAX_GROUPS: Final = 6  # clause 2: six groups of 4 are the most that 27 cards hold
THREE_JOKERS_XIANG: Final = 6  # clause 4
FOUR_JOKERS_XIANG: Final = 7  # clause 4
MAX_CARDS: Final = 31  # a play has at most 27; what is packed below has room for 31

# Classes among bombs of the same xiang, lowest first (clause 4).
_LOWEST: Final = 0
_CHAINS: Final = 1
_BOMBS: Final = 2
_HIGHEST: Final = 3


class Meld(NamedTuple):
    """A meld (牌型) as it was read: six ints.

    Attributes:
        kind: ``SINGLE`` .. ``FOUR_JOKERS``; ``NO_KIND`` where there is no meld.
        size: number of cards.
        top: the rank that stands for it: the rank of equal cards, the last rank of a
            run (clause 4: of a chain's run too); ``NO_RANK`` for joker bombs.
        xiang: its grade (相), 0 for what is no bomb (clause 4).
        groups: number of ranks of a chain, else 0.
        strength: orders melds that may be compared: the top rank, or for bombs a
            number that grows in the order of clause 4.
    """

    kind: int
    size: int
    top: int
    xiang: int
    groups: int
    strength: int


NO_MELD: Final = Meld(NO_KIND, 0, NO_RANK, 0, 0, 0)


@kernel
def is_bomb(kind: int) -> bool:
    """Whether a kind is a bomb of any sort (clause 3)."""
    return kind >= BOMB


@kernel
def is_irregular(meld: Meld) -> bool:
    """Whether a chain has groups of different sizes (clause 4)."""
    return meld.kind == CHAIN and meld.size != (meld.xiang - meld.groups) * meld.groups


@kernel
def are_equal_irregulars(a: Meld, b: Meld) -> bool:
    """Whether two irregular chains have the same X and the same Y (clause 4)."""
    return is_irregular(a) and is_irregular(b) and a.groups == b.groups and a.xiang == b.xiang


@kernel
def beats(a: Meld, b: Meld, row: Ints) -> bool:
    """Whether ``a`` may be played over ``b``; anything beats ``NO_MELD`` (clauses 4, 5.3)."""
    if b.kind == NO_KIND:
        return a.kind != NO_KIND
    if is_bomb(a.kind) != is_bomb(b.kind):
        return is_bomb(a.kind)
    if not is_bomb(a.kind) and (a.kind != b.kind or a.size != b.size):
        return False
    if row[R.IRREGULAR_EQUAL] != 0 and are_equal_irregulars(a, b):
        return False
    return a.strength > b.strength


@kernel
def outranks(a: Meld, b: Meld) -> bool:
    """Whether of two readings of the same cards ``a`` counts rather than ``b`` (clause 3.3).

    A bomb before any other; the stronger one, which of what is no bomb has the higher
    top; still equal: more groups, or the kind that stands lower in the table of clause 3.

    >>> outranks(Meld(STRAIGHT, 6, 9, 0, 0, 9), Meld(PAIR_RUN, 6, 9, 0, 0, 9))
    False
    """
    if is_bomb(a.kind) != is_bomb(b.kind):
        return is_bomb(a.kind)
    if a.strength != b.strength:
        return a.strength > b.strength
    return a.kind > b.kind or a.groups > b.groups


@kernel
def strongest(counts: Ints, row: Ints, over: Meld) -> Meld:
    """The strongest reading of the cards that beats ``over``, or ``NO_MELD`` (clause 3.3).

    Args:
        counts: number of cards per rank, 15 ints; at least one card.
        row: the ruleset.
        over: what lies on the table; ``NO_MELD`` when leading.
    """
    low, high, natural = _span(counts)
    return strongest_of(counts, low, high, natural, row, over)


@called_kernel
def strongest_of(counts: Ints, low: int, high: int, natural: int, row: Ints, over: Meld) -> Meld:
    """As ``strongest``, where it is known what cards there are.

    Args:
        counts, row, over: as there.
        low, high: the lowest and the highest natural rank; with no natural card anything.
        natural: how many natural cards.
    """
    jokers = counts[SMALL_JOKER] + counts[BIG_JOKER]
    if natural == 0:
        read = _jokers_only(counts, row)
        return read if beats(read, over, row) else NO_MELD
    wild = wild_jokers(counts, row)
    if wild < jokers:  # clause 3.1: a joker that is not wild goes with no natural card
        return NO_MELD
    size = natural + wild
    if size > MAX_CARDS:
        return NO_MELD
    if low == high and size >= MIN_BOMB:  # outranks any chain of the same cards
        read = one_rank_bomb(size, low, row)
        if beats(read, over, row):
            return read
    if size >= MIN_BOMB * row[R.CHAIN_MIN]:
        read = _strongest_chain(counts, natural, wild, row, over)
        if read.kind != NO_KIND:
            return read
    return _strongest_plain(counts, low, high, size, over)


@kernel
def wild_jokers(counts: Ints, row: Ints) -> int:
    """How many of the jokers are wild (clause 3.1)."""
    return counts[SMALL_JOKER] * row[R.WILD_SMALL] + counts[BIG_JOKER] * row[R.WILD_BIG]


@kernel
def _span(counts: Ints) -> tuple[int, int, int]:
    """Lowest and highest natural rank and the number of natural cards."""
    natural = 0
    for rank in range(NATURAL_RANKS):
        natural += counts[rank]
    low, high = 0, TWO
    while low < NATURAL_RANKS and counts[low] == 0:
        low += 1
    while high > NO_RANK and counts[high] == 0:
        high -= 1
    return low, high, natural


@kernel
def _jokers_only(counts: Ints, row: Ints) -> Meld:
    """Clauses 3.1, 3.2: a set of jokers only is a single, a pair or a joker bomb."""
    small, big = counts[SMALL_JOKER], counts[BIG_JOKER]
    size = small + big
    if size == 1 or (size == 2 and (small == 0 or big == 0)):
        rank = SMALL_JOKER if small > 0 else BIG_JOKER
        return Meld(size, size, rank, 0, 0, rank)  # SINGLE is 1, PAIR is 2
    if size == 2 and row[R.MIXED_JOKER_PAIR] != 0:
        rank = row[R.MIXED_JOKER_PAIR]
        return Meld(PAIR, 2, rank, 0, 0, rank)
    if size == 3:
        return joker_bomb(3, row)
    if size == 4:
        return joker_bomb(4, row)
    return NO_MELD


@kernel
def joker_bomb(size: int, row: Ints) -> Meld:
    """Three or four jokers (clause 4)."""
    if size == 3:
        return Meld(
            THREE_JOKERS, 3, NO_RANK, THREE_JOKERS_XIANG, 0, _head(THREE_JOKERS_XIANG, _LOWEST)
        )
    place = _HIGHEST if row[R.FOUR_JOKERS_HIGHEST] != 0 else _LOWEST
    return Meld(FOUR_JOKERS, 4, NO_RANK, FOUR_JOKERS_XIANG, 0, _head(FOUR_JOKERS_XIANG, place))


@kernel
def _head(xiang: int, place: int) -> int:
    """The leading part of a bomb's strength: xiang, then its class (clause 4)."""
    return (xiang * 4 + place) << 40


@kernel
def one_rank_bomb(size: int, rank: int, row: Ints) -> Meld:
    """``size`` cards of one rank (clause 4); xiang is the number of cards."""
    return Meld(BOMB, size, rank, size, 0, bomb_strength(size, size, rank, row))


@kernel
def bomb_strength(xiang: int, size: int, rank: int, row: Ints) -> int:
    """Strength of a bomb of one rank (clause 4).

    Under fewest-cards one rule orders bombs and chains: fewer cards, then the top.
    """
    if row[R.MOST_GROUPS] != 0:
        return _head(xiang, _BOMBS) + rank
    return _fewest_cards(xiang, size, rank)


@kernel
def _fewest_cards(xiang: int, size: int, top: int) -> int:
    """Clause 4: higher xiang, then fewer cards, then the higher top rank."""
    return _head(xiang, _CHAINS) + ((MAX_CARDS - size) << 5) + top


@called_kernel
def _strongest_chain(counts: Ints, natural: int, wild: int, row: Ints, over: Meld) -> Meld:
    """The strongest chain that the cards can be read as and that beats ``over``.

    Clause 4: with wild jokers the highest xiang counts, then the order of bombs;
    clause 3.3: still equal, more groups.
    """
    best = NO_MELD
    longest = min(MAX_GROUPS, (natural + wild) // MIN_BOMB)
    for groups in range(row[R.CHAIN_MIN], longest + 1):
        for top in range(NATURAL_RANKS):
            if is_run(top, groups, row) and _in_run(counts, top, groups) == natural:
                read = _chain(counts, natural, wild, top, groups, row)
                if outranks(read, best) and beats(read, over, row):
                    best = read
    return best


@kernel
def is_run(top: int, groups: int, row: Ints) -> bool:
    """Whether ``groups`` ranks that end at ``top`` are consecutive in a chain (clause 4).

    Cyclic, 2 is next to A and next to 3, so every rank ends a run; otherwise a run
    lies within 3..A.
    """
    return row[R.CHAIN_CYCLIC] != 0 or groups - 1 <= top <= ACE


@kernel
def _in_run(counts: Ints, top: int, groups: int) -> int:
    """How many natural cards lie in the run of ``groups`` ranks that ends at ``top``."""
    inside = 0
    for back in range(groups):
        inside += counts[(top - back) % NATURAL_RANKS]
    return inside


@kernel
def _chain(counts: Ints, natural: int, wild: int, top: int, groups: int, row: Ints) -> Meld:
    """The cards as a chain over a given run, at its highest xiang; else ``NO_MELD``."""
    size = natural + wild
    smallest = size // groups
    if row[R.CHAIN_IRREGULAR] == 0:
        if smallest * groups != size or _largest(counts, top, groups) > smallest:
            return NO_MELD
    else:
        while smallest >= MIN_BOMB and missing(counts, top, groups, smallest) > wild:
            smallest -= 1
    if smallest < MIN_BOMB:
        return NO_MELD
    xiang = smallest + groups
    if row[R.MOST_GROUPS] == 0:
        return Meld(CHAIN, size, top, xiang, groups, _fewest_cards(xiang, size, top))
    spare = wild - missing(counts, top, groups, smallest)
    order = strongest_order(counts, top, groups, smallest, spare)
    return Meld(CHAIN, size, top, xiang, groups, chain_strength(size, groups, smallest, order))


@kernel
def chain_strength(size: int, groups: int, smallest: int, order: int) -> int:
    """Clause 4, most-groups 4: more ranks, then more cards, then the order of groups."""
    return _head(smallest + groups, _CHAINS) + (((groups << 5) + size) << 30) + order


@kernel
def _largest(counts: Ints, top: int, groups: int) -> int:
    """The largest number of natural cards of one rank in the run."""
    largest = 0
    for back in range(groups):
        largest = max(largest, counts[(top - back) % NATURAL_RANKS])
    return largest


@kernel
def missing(counts: Ints, top: int, groups: int, size: int) -> int:
    """How many cards are missing for every group of the run to have ``size``."""
    absent = 0
    for back in range(groups):
        absent += max(0, size - counts[(top - back) % NATURAL_RANKS])
    return absent


@called_kernel
def strongest_order(counts: Ints, top: int, groups: int, smallest: int, spare: int) -> int:
    """The highest order (clause 4, most-groups 4) over all ways to place the spare jokers.

    ``spare`` jokers (0..4) are left once every group has ``smallest`` cards; each
    goes to one of the groups. The groups' ranks make one number: the largest group
    first, of equal ones the higher rank first. Ranks are positions in the cyclic run,
    below 0 what stands before a 3; groups are counted back from the top.
    """
    best = 0
    largest = max(smallest, _largest(counts, top, groups)) + spare
    for a in range(groups if spare > 0 else 1):
        for b in range(a, groups if spare > 1 else a + 1):
            for c in range(b, groups if spare > 2 else b + 1):
                for d in range(c, groups if spare > 3 else c + 1):
                    order = 0
                    for size in range(largest, smallest - 1, -1):
                        for back in range(groups):
                            held = max(smallest, counts[(top - back) % NATURAL_RANKS])
                            held += int(spare > 0 and a == back) + int(spare > 1 and b == back)
                            held += int(spare > 2 and c == back) + int(spare > 3 and d == back)
                            if held == size:
                                order = (order << 5) + top - back + MAX_GROUPS
                    best = max(best, order)
    return best


@kernel
def _strongest_plain(counts: Ints, low: int, high: int, size: int, over: Meld) -> Meld:
    """The strongest reading that is no bomb (clause 3.3): higher top, then later kind."""
    if is_bomb(over.kind):
        return NO_MELD
    best = NO_MELD
    if low == high and size < MIN_BOMB:
        best = Meld(size, size, low, 0, 0, low)  # SINGLE, PAIR, TRIPLE are 1, 2, 3
    for width in range(1, 4 if size >= _SHORTEST_RUN else 1):
        top = _run_top(counts, low, high, size, width)
        kind = STRAIGHT + width - 1
        is_wanted = over.kind == NO_KIND or over.kind == kind
        read = Meld(kind, size, top, 0, 0, top)
        if is_wanted and top != NO_RANK and outranks(read, best):
            best = read
    if over.kind == NO_KIND:
        return best
    fits = best.kind == over.kind and best.size == over.size and best.strength > over.strength
    return best if fits else NO_MELD


@kernel
def _run_top(counts: Ints, low: int, high: int, size: int, width: int) -> int:
    """The highest top of a run with ``width`` cards a rank, or ``NO_RANK`` (clause 3).

    The wild jokers fill whatever the natural cards leave open, so the run may begin
    at the lowest natural card and no later, and must end at an ace or before.
    """
    length = size // width
    shortest = 5 if width == 1 else 3  # clause 3: straight 5, pair and triple run 3
    if length * width != size or length < shortest or length > ACE + 1:
        return NO_RANK
    top = min(ACE, low + length - 1)
    if high > top:
        return NO_RANK
    for rank in range(low, high + 1):
        if counts[rank] > width:
            return NO_RANK
    return top
