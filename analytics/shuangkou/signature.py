"""The xiang signature: what of a seat's bombs any ruleset can ask for.

Effective xiang depends on settings that change without a replay, so the facts keep
what it is made of. Source: rules clause 7.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import ACE, NATURAL_RANKS
from analytics.compiled import Ints, kernel
from analytics.shuangkou import desk as D
from analytics.shuangkou.melds import BOMB

FOUR: Final = 4  # clause 7: unlinked bombs are of xiang exactly 4 ...
FIVE: Final = 5  # ... or exactly 5


@kernel
def write_signature(seat: int, desk: Ints) -> None:
    """Writes the signature of a seat among its facts, from the bombs of the game."""
    facts = D.SEAT_FACTS + seat * D.SEAT_WIDTH
    for bomb in range(desk[D.BOMB_COUNT]):
        at = D.BOMBS + bomb * D.BOMB_WIDTH
        if desk[at + D.B_SEAT] == seat:
            xiang = desk[at + D.B_XIANG]
            desk[facts + D.S_BEST] = max(desk[facts + D.S_BEST], xiang)
            desk[facts + D.S_BOMBS + xiang] += 1
            if xiang > desk[facts + D.S_LINKED] and _is_linked(at, bomb, desk):
                desk[facts + D.S_LINKED] = xiang
    if desk[facts + D.S_BEST] > 0:
        desk[facts + D.S_FOURS] = _count(seat, FOUR, desk)
        desk[facts + D.S_FOURS_APART] = _apart(desk)
        desk[facts + D.S_FIVES] = _count(seat, FIVE, desk)
        desk[facts + D.S_FIVES_APART] = _apart(desk)


@kernel
def _is_linked(here: int, bombs: int, desk: Ints) -> bool:
    """Whether one of the first ``bombs`` bombs is linked to the one that stands at ``here``.

    Same seat, same xiang, adjacent ranks; A and 2 are not adjacent, as 2 is in no run.
    """
    if desk[here + D.B_KIND] != BOMB:
        return False
    top = desk[here + D.B_TOP]
    for other in range(bombs):
        at = D.BOMBS + other * D.BOMB_WIDTH
        if (
            desk[at + D.B_KIND] == BOMB
            and desk[at + D.B_SEAT] == desk[here + D.B_SEAT]
            and desk[at + D.B_XIANG] == desk[here + D.B_XIANG]
            and abs(desk[at + D.B_TOP] - top) == 1
            and max(desk[at + D.B_TOP], top) <= ACE
        ):
            return True
    return False


@kernel
def _count(seat: int, xiang: int, desk: Ints) -> int:
    """Number of a seat's bombs of exactly that xiang; per rank, on the scratch."""
    for rank in range(NATURAL_RANKS):
        desk[D.SCRATCH + rank] = 0
    count = 0
    for bomb in range(desk[D.BOMB_COUNT]):
        at = D.BOMBS + bomb * D.BOMB_WIDTH
        is_same = desk[at + D.B_SEAT] == seat and desk[at + D.B_XIANG] == xiang
        if is_same and desk[at + D.B_KIND] == BOMB:
            desk[D.SCRATCH + desk[at + D.B_TOP]] += 1
            count += 1
    return count


@kernel
def _apart(desk: Ints) -> int:
    """Size of the largest set of the counted bombs without adjacent ranks.

    Bombs of equal rank are not adjacent, and a 2 is adjacent to none.
    """
    with_last, without_last = 0, 0
    for rank in range(ACE + 1):
        best = max(with_last, without_last)
        with_last = without_last + desk[D.SCRATCH + rank]
        without_last = best
    return max(with_last, without_last) + desk[D.SCRATCH + ACE + 1]
