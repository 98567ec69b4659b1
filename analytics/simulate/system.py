"""What the system (托管) plays for a seat, as cards. Source: rules clause 5.1."""

from __future__ import annotations

from collections.abc import Iterator

from analytics.cards import RANKS
from analytics.compiled import Ints
from analytics.shuangkou.melds import BOMB, CHAIN, NO_KIND, NO_MELD, Meld, is_bomb
from analytics.shuangkou.trustee import can_beat, smallest_play
from analytics.simulate.hands import (
    Counts,
    Group,
    equal_sets,
    every_chain,
    joker_sets,
    like_sets,
    readable,
)


def has_answer(hand: Counts, over: Meld, row: Ints) -> bool:
    """Whether the hand can beat what lies on the table; a leader always can."""
    return over.kind == NO_KIND or can_beat(list(hand), over, row, [0] * RANKS)


def system_play(hand: Counts, over: Meld, row: Ints) -> Group | None:
    """The trustee's smallest play, or None for a pass.

    Raises:
        LookupError: no card set of the hand is read as that play.
    """
    smallest = smallest_play(list(hand), over, NO_MELD, row, [0] * RANKS)
    if smallest.kind == NO_KIND:
        return None
    for group in readable(_sets(hand, smallest, row), row, over):
        if (group.meld.kind, group.meld.strength) == (smallest.kind, smallest.strength):
            return group
    raise LookupError(f"no cards of {hand} are {smallest}")


def _sets(hand: Counts, wanted: Meld, row: Ints) -> Iterator[Counts]:
    """Card sets that may be read as a meld."""
    if not is_bomb(wanted.kind):
        return like_sets(hand, wanted, row)
    if wanted.kind == BOMB:
        return equal_sets(hand, wanted.size, row)
    if wanted.kind == CHAIN:
        return every_chain(hand, wanted.top, wanted.groups, row)
    return joker_sets(hand, wanted.size)
