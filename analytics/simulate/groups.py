"""How well a hand holds together: in how many groups it can be played.

Every group but the last costs a lead, so the fewer the better. Source: rules clause 3.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import ACE, NATURAL_RANKS, RANKS, SMALL_JOKER
from analytics.compiled import Ints, called_kernel, kernel
from analytics.rules import row as R
from analytics.shuangkou.melds import MIN_BOMB

SHORTEST_STRAIGHT: Final = 5  # clause 3
SHORTEST_RUN: Final = 3  # clause 3: of pairs and triples


@kernel
def keep_plain(hand: Ints, row: Ints, kept: Ints) -> None:
    """The hand without what is kept for bombs: ranks of four or more, and the jokers.

    Jokers that are not wild, and those that could not make a bomb, are not kept back.
    """
    jokers = hand[SMALL_JOKER] + hand[SMALL_JOKER + 1]
    most = 0
    for rank in range(NATURAL_RANKS):
        most = max(most, hand[rank])
        kept[rank] = hand[rank] if hand[rank] < MIN_BOMB else 0
    is_bombless = most < MIN_BOMB - 1 and jokers < 3  # clause 3: three jokers are a bomb
    kept[SMALL_JOKER] = hand[SMALL_JOKER] if is_bombless or row[R.WILD_SMALL] == 0 else 0
    kept[SMALL_JOKER + 1] = hand[SMALL_JOKER + 1] if is_bombless else 0


@called_kernel
def count_groups(kept: Ints, work: Ints) -> int:
    """In about how many groups the cards can be played, none of them a bomb.

    Two ways are tried: as they lie, and with the longest straights taken out first.

    Args:
        kept: at most three cards of each natural rank, and jokers, which count singly.
        work: 15 ints to work in.
    """
    as_they_lie = _count_lying(kept)
    for rank in range(RANKS):
        work[rank] = kept[rank]
    straights = 0
    while _take_straight(work):
        straights += 1
    if straights == 0:
        return as_they_lie
    return min(as_they_lie, straights + _count_lying(work))


@kernel
def _count_lying(kept: Ints) -> int:
    """Neighbouring ranks with equally many cards are one group where they are long enough."""
    groups = kept[SMALL_JOKER] + kept[SMALL_JOKER + 1] + int(kept[NATURAL_RANKS - 1] > 0)
    length, width = 0, 0
    for rank in range(ACE + 2):
        held = kept[rank] if rank <= ACE else -1
        if held == width:
            length += 1
        else:
            if width > 0:
                shortest = SHORTEST_STRAIGHT if width == 1 else SHORTEST_RUN
                groups += 1 if length >= shortest else length
            length, width = 1, held
    return groups


@kernel
def _take_straight(work: Ints) -> bool:
    """Takes the longest straight out; False where there is none."""
    best, best_top, length = 0, 0, 0
    for rank in range(ACE + 1):
        length = length + 1 if work[rank] > 0 else 0
        if length > best:
            best, best_top = length, rank
    if best < SHORTEST_STRAIGHT:
        return False
    for rank in range(best_top - best + 1, best_top + 1):
        work[rank] -= 1
    return True
