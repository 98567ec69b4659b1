"""Rooms (场): where players of a house sit down, by what they own.

A house has three rooms, for small, middling and large balances; with a ruleset that
charges by level they begin at levels of its own. Source: rules clause 8.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from analytics.rules import Ruleset
from analytics.rules.model import MAX_BALANCE, Fixed, Levels
from analytics.simulate.dealing import Deal, deal_of
from analytics.simulate.refusing import CannotSimulate

MIXED: Final = "mixed"
_NAMES: Final = ("初级场", "中级场", "高级场")
_MIXED: Final = ("uniform", "blocks-4-9", "blocks-8-27")
_FIXED: Final = (-50, 1_000, 10_000)  # in bases: the lowest room lets players run into debt
_GIVEN: Final = 100  # in bases: what somebody needs who plays for a given one
_GIVEN_BASES: Final = (100, 500, 2_000)  # clause 11: a base that is given per game
_LEAST: Final = 20  # units that newcomers bring in any case
_CEILING: Final = 20  # newcomers bring so many times the highest floor at most, or the least
# Clause 12. Whoever owns more leaves, so that there is room for what a game can pay.
MOST: Final = MAX_BALANCE // 2


class Room(NamedTuple):
    """One room.

    Attributes:
        name: as the log calls it.
        floor: the least balance with which somebody sits down, in the ruleset's unit; may be
            negative.
        deal: how its cards are dealt.
        base: the base that the log gives; None: the ruleset has it.
    """

    name: str
    floor: int
    deal: Deal
    base: int | None


class Opened(NamedTuple):
    """The rooms of a house from a moment on: those of the version in effect.

    Attributes:
        since: microseconds since 1970 in UTC.
        rooms: ascending by floor.
    """

    since: int
    rooms: tuple[Room, ...]


def rooms_of(ruleset: Ruleset, deal: str = MIXED) -> tuple[Room, ...]:
    """The rooms of a house, ascending by their floors.

    Args:
        ruleset: by which all of them play.
        deal: the name of a way of dealing, see ``dealing``, or ``MIXED``: each room has one
            of its own.

    Raises:
        ValueError: there is no such way of dealing.
        CannotSimulate: nobody may own enough for the lowest room.
    """
    names = _MIXED if deal == MIXED else (deal,) * len(_NAMES)
    floors, bases = _floors(ruleset), _bases(ruleset)
    rooms = tuple(
        Room(name, floor, deal_of(way), base)
        for name, floor, way, base in zip(_NAMES, floors, names, bases, strict=True)
    )
    if least_of(rooms) > MOST:
        raise CannotSimulate(
            f"{ruleset.at}: the lowest level asks for {floors[0]:,}, so that newcomers would "
            f"bring {least_of(rooms):,}; players can own {MOST:,} at most (clause 12)."
        )
    return rooms


def least_of(rooms: Sequence[Room]) -> int:
    """What a newcomer brings at least; less than the debt that the lowest room allows."""
    floor = rooms[0].floor
    return max(_LEAST, 2 * floor if floor > 0 else -floor * 2 // 5)


def ceiling_of(rooms: Sequence[Room]) -> int:
    """What a newcomer brings at most."""
    return min(MOST, _CEILING * max(rooms[-1].floor, least_of(rooms)))


def _floors(ruleset: Ruleset) -> tuple[int, ...]:
    base = ruleset.scoring.base
    if isinstance(base, Levels):
        rows = base.rows
        wanted = (0, len(rows) // 3, len(rows) * 2 // 3)
        return tuple(rows[at].required for at in wanted)
    if isinstance(base, Fixed):
        return tuple(times * base.amount for times in _FIXED)
    return tuple(_GIVEN * given for given in _GIVEN_BASES)


def _bases(ruleset: Ruleset) -> tuple[int | None, ...]:
    if isinstance(ruleset.scoring.base, Levels | Fixed):
        return (None,) * len(_NAMES)
    return _GIVEN_BASES
