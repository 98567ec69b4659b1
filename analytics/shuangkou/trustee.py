"""What a hand could play: whether it can beat, and the trustee's smallest play.

A hand comes as counts per rank (15 ints). The plays of a hand are far too many to
list when wild jokers are among them, so each search visits only card sets that can
be the answer; why these suffice is said where they are made. Two facts carry it:

- *Naturals first.* Replacing a wild joker by a natural card that it stands for takes
  readings away and adds none. So of all card sets that can be read in a given way,
  one with as many natural cards as possible has the weakest strongest reading.
- *A reading is checked by reading.* Whatever set is made is handed to ``strongest``,
  and only what that says counts.

Source: rules clause 5.1.
"""

from __future__ import annotations

from analytics.cards import ACE, BIG_JOKER, NATURAL_RANKS, RANKS, SMALL_JOKER
from analytics.compiled import Ints, called_kernel, kernel
from analytics.rules import row as R
from analytics.shuangkou.melds import (
    BOMB,
    CHAIN,
    MAX_GROUPS,
    MIN_BOMB,
    NO_KIND,
    NO_MELD,
    PAIR,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    Meld,
    are_equal_irregulars,
    beats,
    chain_strength,
    is_bomb,
    is_run,
    joker_bomb,
    missing,
    one_rank_bomb,
    strongest,
    strongest_order,
    wild_jokers,
)


@kernel
def can_beat(hand: Ints, over: Meld, row: Ints, scratch: Ints) -> bool:
    """Whether some play of the hand beats ``over`` (clause 5.1, auto-pass).

    Args:
        hand: counts per rank, 15 ints.
        over: the meld on the table, not ``NO_MELD``.
        row: the ruleset.
        scratch: 15 ints to work in.
    """
    return smallest_play(hand, over, NO_MELD, row, scratch).kind != NO_KIND


@called_kernel
def smallest_play(hand: Ints, over: Meld, peer: Meld, row: Ints, scratch: Ints) -> Meld:
    """What the trustee plays, or ``NO_MELD`` for a pass (clause 5.1).

    Args:
        hand: counts per rank, 15 ints.
        over: the meld on the table; ``NO_MELD`` when leading.
        peer: the play that is to be judged. Of two irregular chains that are equal to
            one another neither beats the other, so those equal to it do not count.
        row: the ruleset.
        scratch: 15 ints to work in.
    """
    if over.kind == NO_KIND:
        return lowest_single(hand, -1)
    lowest = lowest_plain(hand, over, row, scratch)
    if lowest.kind != NO_KIND:
        return lowest
    return lowest_bomb(hand, over, peer, row, scratch)


@kernel
def is_smallest(played: Meld, smallest: Meld) -> bool:
    """Whether a play is as small as the smallest one: same kind and key (clause 5.1).

    As the play beats the table there is a smallest one; of chains that are equal to the
    play, the regular one of the same xiang and ranks is never left out.
    """
    if is_bomb(smallest.kind) and is_bomb(played.kind):
        return played.strength <= smallest.strength
    return played.kind == smallest.kind and played.strength == smallest.strength


@kernel
def lowest_single(hand: Ints, above: int) -> Meld:
    """The lowest single above a rank; a joker alone is itself (clause 3.1)."""
    for rank in range(above + 1, RANKS):
        if hand[rank] > 0:
            return Meld(SINGLE, 1, rank, 0, 0, rank)
    return NO_MELD


@called_kernel
def lowest_plain(hand: Ints, over: Meld, row: Ints, scratch: Ints) -> Meld:
    """The lowest meld of the kind and size of ``over`` that beats it and is no bomb."""
    if is_bomb(over.kind):
        return NO_MELD
    if over.kind == SINGLE:
        return lowest_single(hand, over.top)
    if over.kind == PAIR or over.kind == TRIPLE:
        return _lowest_of_a_rank(hand, over, row)
    return _lowest_run(hand, over, row, scratch)


@kernel
def _lowest_of_a_rank(hand: Ints, over: Meld, row: Ints) -> Meld:
    """The lowest pair or triple above ``over``; joker pairs come last (clause 3.2)."""
    wild = wild_jokers(hand, row)
    for rank in range(over.top + 1, NATURAL_RANKS):
        if hand[rank] > 0 and hand[rank] + wild >= over.size:
            return Meld(over.kind, over.size, rank, 0, 0, rank)
    if over.kind == PAIR:
        for rank in range(max(SMALL_JOKER, over.top + 1), RANKS):
            mixed = row[R.MIXED_JOKER_PAIR] == rank and hand[SMALL_JOKER] * hand[BIG_JOKER] > 0
            if hand[rank] == 2 or mixed:
                return Meld(PAIR, 2, rank, 0, 0, rank)
    return NO_MELD


@called_kernel
def _lowest_run(hand: Ints, over: Meld, row: Ints, scratch: Ints) -> Meld:
    """The lowest straight, pair run or triple run above ``over``.

    A card set is read with the highest top that its lowest natural card allows, so a
    set read with a given top fits the run that ends there: one set for each run, with
    naturals first, is enough. A set may turn out to be a bomb, or to be read higher.
    """
    width = over.kind - STRAIGHT + 1
    length = over.size // width
    wild = wild_jokers(hand, row)
    best = NO_MELD
    for top in range(over.top + 1, ACE + 1):
        if best.kind != NO_KIND and best.top <= top:
            return best
        open_places = over.size
        for rank in range(RANKS):
            inside = top - length < rank <= top
            scratch[rank] = min(width, hand[rank]) if inside else 0
            open_places -= scratch[rank]
        if open_places <= wild:
            add_wild(hand, open_places, row, scratch)
            read = strongest(scratch, row, over)
            if read.kind == over.kind and (best.kind == NO_KIND or read.top < best.top):
                best = read
    return best


@kernel
def add_wild(hand: Ints, jokers: int, row: Ints, scratch: Ints) -> None:
    """Puts that many of the hand's wild jokers into the set, big ones first."""
    big = min(jokers, hand[BIG_JOKER] * row[R.WILD_BIG])
    scratch[BIG_JOKER] = big
    scratch[SMALL_JOKER] = jokers - big


@called_kernel
def lowest_bomb(hand: Ints, over: Meld, peer: Meld, row: Ints, scratch: Ints) -> Meld:
    """The lowest bomb of the hand that beats ``over``, or ``NO_MELD``.

    Irregular chains that are equal to ``peer`` are left out where ``irregular_equal``
    holds (clause 4), as neither beats the other.
    """
    jokers = hand[SMALL_JOKER] + hand[BIG_JOKER]
    if _most_of_a_rank(hand) + jokers < MIN_BOMB and jokers < 3:
        return NO_MELD  # as most hands: no bomb at all
    best = _lowest_rank_bomb(hand, over, row)
    for size in range(3, jokers + 1):
        best = _lower(best, joker_bomb(size, row), over, row)
    if best.kind != NO_KIND and best.xiang < MIN_BOMB + row[R.CHAIN_MIN]:
        return best  # no chain is as low as that
    if not _holds_chain(hand, row):
        return best
    return _lowest_chain(hand, over, peer, best, row, scratch)


@kernel
def _most_of_a_rank(hand: Ints) -> int:
    """The largest number of natural cards of one rank."""
    most = 0
    for rank in range(NATURAL_RANKS):
        most = max(most, hand[rank])
    return most


@kernel
def _lower(best: Meld, other: Meld, over: Meld, row: Ints) -> Meld:
    """``other`` where it beats ``over`` and is lower than the best so far."""
    if beats(other, over, row) and (best.kind == NO_KIND or other.strength < best.strength):
        return other
    return best


@kernel
def _lowest_rank_bomb(hand: Ints, over: Meld, row: Ints) -> Meld:
    """The lowest bomb of one rank that beats ``over``."""
    wild = wild_jokers(hand, row)
    best = NO_MELD
    for rank in range(NATURAL_RANKS):
        if hand[rank] > 0:
            first = max(MIN_BOMB, over.xiang)
            for size in range(first, min(first + 1, hand[rank] + wild) + 1):
                best = _lower(best, one_rank_bomb(size, rank, row), over, row)
    return best


@kernel
def _holds_chain(hand: Ints, row: Ints) -> bool:
    """Whether the hand holds any chain: the shortest one, of fours, is part of each."""
    wild = wild_jokers(hand, row)
    groups = row[R.CHAIN_MIN]
    for top in range(NATURAL_RANKS):
        if is_run(top, groups, row) and missing(hand, top, groups, MIN_BOMB) <= wild:
            return True
    return False


@called_kernel
def _lowest_chain(hand: Ints, over: Meld, peer: Meld, best: Meld, row: Ints, scratch: Ints) -> Meld:
    """The lowest chain that beats ``over`` and is lower than ``best``; else ``best``."""
    wild = wild_jokers(hand, row)
    for groups in range(row[R.CHAIN_MIN], MAX_GROUPS + 1):
        for top in range(NATURAL_RANKS):
            if is_run(top, groups, row):
                smallest = max(MIN_BOMB, over.xiang - groups)
                while missing(hand, top, groups, smallest) <= wild:
                    if best.kind != NO_KIND and smallest + groups > best.xiang:
                        break
                    best = _lowest_in_run(
                        hand, over, peer, best, top, groups, smallest, row, scratch
                    )
                    smallest += 1
    return best


@called_kernel
def _lowest_in_run(
    hand: Ints,
    over: Meld,
    peer: Meld,
    best: Meld,
    top: int,
    groups: int,
    smallest: int,
    row: Ints,
    scratch: Ints,
) -> Meld:
    """The lowest chain over one run whose smallest group has ``smallest`` cards.

    Weakest first: under fewest-cards that is with most cards, under most-groups with
    fewest. A set can be read in another way than meant only when all four jokers are
    wild in it, so mostly the first size tried is the answer.
    """
    if not _may_beat(over, smallest + groups, groups, row):
        return best
    fewest = smallest * groups
    most = fewest
    if row[R.CHAIN_IRREGULAR] != 0:
        most = _most_cards(hand, top, groups, smallest, row)
    if over.kind == CHAIN and over.xiang == smallest + groups:
        if row[R.MOST_GROUPS] == 0:
            most = min(most, over.size)
        elif over.groups == groups:
            fewest = max(fewest, over.size)
    for step in range(most - fewest + 1):
        size = fewest + step if row[R.MOST_GROUPS] != 0 else most - step
        if row[R.MOST_GROUPS] != 0 and size > smallest * groups:
            found = _lowest_order(hand, over, top, groups, smallest, size, row, scratch)
        else:
            fill_chain(hand, top, groups, smallest, size, row, scratch)
            found = _as_candidate(over, peer, row, scratch)
        if found.kind != NO_KIND:
            best = _lower(best, found, over, row)
            if found.xiang == smallest + groups and found.groups == groups:
                return best
    return best


@kernel
def _may_beat(over: Meld, xiang: int, groups: int, row: Ints) -> bool:
    """Whether a chain of a xiang and a number of ranks can beat ``over`` at all."""
    if xiang > over.xiang:
        return True
    if over.kind == BOMB:  # clause 4: fewer cards than any chain of its xiang
        return False
    return over.kind != CHAIN or row[R.MOST_GROUPS] == 0 or groups >= over.groups


@kernel
def _as_candidate(over: Meld, peer: Meld, row: Ints, scratch: Ints) -> Meld:
    """What the set in ``scratch`` is read as over ``over``; NO_MELD if equal to the peer."""
    read = strongest(scratch, row, over)
    if row[R.IRREGULAR_EQUAL] != 0 and are_equal_irregulars(read, peer):
        return NO_MELD
    return read


@kernel
def _most_cards(hand: Ints, top: int, groups: int, smallest: int, row: Ints) -> int:
    """The most cards of a chain over the run whose smallest group has ``smallest``.

    A group that the hand fills only up to ``smallest`` is *low*, the others take all
    natural cards; where none is low, the poorest one is kept low. Spare jokers can be
    added as long as not every low group grows by one.
    """
    cards, low, poorest = 0, 0, 31
    for back in range(groups):
        held = hand[(top - back) % NATURAL_RANKS]
        cards += max(held, smallest)
        low += int(held <= smallest)
        poorest = min(poorest, held)
    if low == 0:
        return cards - poorest + smallest
    spare = wild_jokers(hand, row) - missing(hand, top, groups, smallest)
    return cards + min(low - 1, spare)


@kernel
def fill_chain(
    hand: Ints, top: int, groups: int, smallest: int, size: int, row: Ints, scratch: Ints
) -> None:
    """Makes a set of ``size`` cards over the run, its smallest group of ``smallest``.

    Naturals first: groups above ``smallest`` take their own cards, the poorest one
    last and only when another one is low; what is missing then is jokers.
    """
    for rank in range(RANKS):
        scratch[rank] = 0
    room = size - smallest * groups
    jokers = size
    poorest = _poorest(hand, top, groups)
    for back in range(groups):
        rank = (top - back) % NATURAL_RANKS
        extra = 0
        if rank != poorest:
            extra = max(0, min(room, hand[rank] - smallest))
        room -= extra
        scratch[rank] = min(hand[rank], smallest + extra)
        jokers -= scratch[rank]
    add_wild(hand, jokers, row, scratch)


@kernel
def _poorest(hand: Ints, top: int, groups: int) -> int:
    """The rank of the run that the hand holds fewest cards of."""
    poorest = top
    for back in range(1, groups):
        rank = (top - back) % NATURAL_RANKS
        if hand[rank] < hand[poorest]:
            poorest = rank
    return poorest


@called_kernel
def _lowest_order(
    hand: Ints,
    over: Meld,
    top: int,
    groups: int,
    smallest: int,
    size: int,
    row: Ints,
    scratch: Ints,
) -> Meld:
    """The lowest irregular chain of ``size`` cards over the run under most-groups.

    There the order among chains of equal size depends on which group is how large, so
    every choice of natural cards is tried; jokers are the rest. How high a set is read
    over its run is worked out first, and only what may be lower is read in earnest.
    """
    least = -1  # what must be passed
    if over.kind == CHAIN and over.xiang == smallest + groups and over.groups == groups:
        least = over.strength
    lowest = NO_MELD
    for way in range(chain_choices(hand, top, groups, smallest)):
        spare = choose_chain(hand, top, groups, smallest, size, way, row, scratch)
        if spare < 0:
            continue
        order = strongest_order(scratch, top, groups, smallest, spare)
        strength = chain_strength(size, groups, smallest, order)
        if strength > least and (lowest.kind == NO_KIND or strength < lowest.strength):
            read = strongest(scratch, row, over)
            if read.kind == CHAIN and read.xiang == smallest + groups:
                lowest = _lower(lowest, read, over, row)
    return lowest


@kernel
def chain_choices(hand: Ints, top: int, groups: int, smallest: int) -> int:
    """How many choices of natural cards there are: of each rank up to ``smallest`` or more."""
    ways = 1
    for back in range(groups):
        ways *= max(0, hand[(top - back) % NATURAL_RANKS] - smallest) + 1
    return ways


@kernel
def choose_chain(
    hand: Ints,
    top: int,
    groups: int,
    smallest: int,
    size: int,
    way: int,
    row: Ints,
    scratch: Ints,
) -> int:
    """Makes the set of one choice of natural cards, filled up with jokers.

    Returns:
        the jokers that are left when each group has ``smallest`` cards, or -1 where the
        set cannot be made or every group would have more.
    """
    for rank in range(RANKS):
        scratch[rank] = 0
    jokers, lacking, low = size, 0, 0
    for back in range(groups):
        rank = (top - back) % NATURAL_RANKS
        choices = max(0, hand[rank] - smallest) + 1
        natural = min(hand[rank], smallest) + way % choices
        way //= choices
        scratch[rank] = natural
        jokers -= natural
        lacking += max(0, smallest - natural)
        low += int(natural <= smallest)
    spare = jokers - lacking
    if spare < 0 or spare >= low or jokers > wild_jokers(hand, row):
        return -1
    add_wild(hand, jokers, row, scratch)
    return spare
