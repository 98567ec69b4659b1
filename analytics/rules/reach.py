"""Which xiang (相) a seat can reach with its 27 cards. Source: rules clauses 2 to 4 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from analytics.rules.model import MAX_HAND

_COPIES: Final = 8  # clause 2: cards of one rank in two packs
_SMALLEST: Final = 4  # clause 3: cards of a bomb, or of a group of a chain
_JOKER_BOMBS: Final = frozenset((6, 7))  # clause 4: three_jokers and four_jokers

# The settings that decide it.
NEEDED: Final = ("wild", "chain_min", "linked", "xiang_cap")


def bomb_xiang(settings: Mapping[str, Any]) -> frozenset[int]:
    """The xiang that a single bomb, chain or joker bomb can have, not capped.

    >>> sorted(bomb_xiang({"wild": ("big",), "chain_min": 3}))
    [4, 5, 6, 7, 8, 9, 10, 11]
    """
    jokers = 2 * len(settings["wild"])  # clause 2: every face exists twice
    bombs = range(_SMALLEST, _COPIES + jokers + 1)
    chains = (
        size + ranks
        for ranks in range(settings["chain_min"], MAX_HAND // _SMALLEST + 1)
        for size in range(_SMALLEST, MAX_HAND // ranks + 1)
        if ranks * size <= ranks * _COPIES + jokers
    )
    return _JOKER_BOMBS.union(bombs, chains)


def effective_xiang(settings: Mapping[str, Any]) -> frozenset[int]:
    """The effective xiang that a seat with a bomb can have, not capped (clause 7).

    Unlinked bombs count as 5 to 8 at most, which single bombs reach as well.

    >>> plain = {"wild": ("big",), "chain_min": 3}
    >>> max(effective_xiang({**plain, "linked": False}))
    11
    >>> max(effective_xiang({**plain, "linked": True, "linked_bonus": 3}))
    12
    >>> effective_xiang(plain)
    Traceback (most recent call last):
    ...
    KeyError: 'linked'
    """
    reached = bomb_xiang(settings)
    bonus = settings.get("linked_bonus")  # missing where it could not be read
    if not settings["linked"] or bonus is None:
        return reached
    largest = _COPIES + len(settings["wild"])  # the jokers of both copies, shared by two bombs
    return reached.union(size + bonus for size in range(_SMALLEST, largest + 1))


def capped(reached: frozenset[int], cap: int | None) -> frozenset[int]:
    """What scoring sees of it (clause 4).

    >>> sorted(capped(frozenset((7, 8, 9, 10)), 9))
    [7, 8, 9]
    """
    return reached if cap is None else frozenset(min(xiang, cap) for xiang in reached)
