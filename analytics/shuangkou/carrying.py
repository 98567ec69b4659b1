"""Settling in order of time, with balances carried from game to game.

A table that pays otherwise leaves its players with other balances, by which the next game
may have another level, another cap, or none of both. So games are settled one after the
other, each by what its players hold by then. Source: rules clauses 8.1 and 8.3.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.compiled import Ints, Rows, kernel
from analytics.rules import row as R
from analytics.shuangkou.settlement import (
    ITEMS,
    NOTHING,
    Y_DELTA,
    Books,
    Played,
    level_of,
    settle_game,
)

Int64s = npt.NDArray[np.int64]

# Columns of purses: what a player holds, and what became of it.
BALANCE: Final = 0
GAMES: Final = 1  # games played
UNSETTLED: Final = 2  # of these, games that no level allowed (clause 8.1)
BANKRUPTCIES: Final = 3  # games after which it could not pay any more, but before which it could
RISES: Final = 4  # games that brought it to a higher level, or out of debt
FALLS: Final = 5  # games that brought it to a lower one, or below all of them
IS_BROKE: Final = 6  # 1 where it could not pay after its last game
LEVEL: Final = 7  # after its last game; -1: none; NOTHING: the base has no levels
PURSE_WIDTH: Final = 8

# Rows of sums of a ruleset, ``ITEMS`` columns each: what seats received and what they paid,
# what the system got and what it gave. A sum of many games may pass int64, so it stands in two
# rows: high · 2^32 + low.
RECEIVED: Final = 0
PAID: Final = 2
GOT: Final = 4
GAVE: Final = 6
SUM_ROWS: Final = 8
HALF: Final = 32  # bits
_LOW_BITS: Final = 2**HALF - 1

MAX_CARRIED: Final = 10**15  # clause 12: |balance|


class BalanceOverrun(ValueError):
    """A balance passed what clause 12 allows: nobody can say what such games would pay.

    Attributes:
        game: its row among the games that were to be settled.
    """

    def __init__(self, game: int) -> None:
        super().__init__("a balance passes 10^15, the largest that there may be (clause 12)")
        self.game = game


class Course(NamedTuple):
    """What goes on from game to game.

    Attributes:
        sat: int32 ``(k,)``, the player of each seat: a row of the purses.
        flow: int64 ``(k,)``, what came to the player from outside since its last game.
        purses: int64 ``(players, PURSE_WIDTH)``, as the games before have left them.
        sums: int64 ``(rulesets · SUM_ROWS, ITEMS)``, over the games before: ``SUM_ROWS`` rows
            for each ruleset; zero at first.
        events: int64 ``(rulesets, PURSE_WIDTH)``: of games by each ruleset, the seats that
            ``BANKRUPTCIES``, ``RISES`` and ``FALLS`` count; zero at first.
    """

    sat: Ints
    flow: Ints
    purses: Rows
    sums: Rows
    events: Rows


def carry(played: Played, books: Books, course: Course) -> None:
    """Settles games in order; ``played.balance``, books, purses and sums are written.

    Guarantees: with the rules by which games were paid, and flows that make up for whatever
    else changed a balance, every balance is the one that was recorded.

    Args:
        played: the games, in order of time; what its balances hold is not read.
        books: all zero.
        course: what goes on from the games before.

    Raises:
        BalanceOverrun: a balance passes 10^15.
    """
    done = compiled.run(settle_in_order, played, books, course)
    if done < len(played.given):
        raise BalanceOverrun(int(done))


@kernel
def settle_in_order(played: Played, books: Books, course: Course) -> int:
    """Settles games one after the other (entry kernel); how many it could settle."""
    purses = course.purses
    for game in range(len(played.given)):
        start, stop = played.seats_at[game], played.seats_at[game + 1]
        for seat in range(start, stop):
            purse = purses[course.sat[seat]]
            purse[BALANCE] += course.flow[seat]
            played.balance[seat] = purse[BALANCE]
        settle_game(game, played, books)
        ruleset = played.rules_ix[game]
        row, events, first = played.rules[ruleset], course.events[ruleset], ruleset * SUM_ROWS
        for seat in range(start, stop):
            purse = purses[course.sat[seat]]
            _book(played.balance[seat], books.seats[seat][Y_DELTA], row, purse, events)
            if abs(purse[BALANCE]) > MAX_CARRIED:
                return game
            add_up(books.items[seat], first + RECEIVED, first + PAID, course.sums)
        add_up(books.system[game], first + GOT, first + GAVE, course.sums)
    return len(played.given)


@kernel
def add_up(items: Ints, gains: int, losses: int, sums: Rows) -> None:
    """Adds items to the sums of gains or losses."""
    for item in range(ITEMS):
        side = gains if items[item] > 0 else losses
        sums[side][item] += items[item] >> HALF
        sums[side + 1][item] += items[item] & _LOW_BITS


def sums_of(sums: Int64s, is_told: npt.NDArray[np.bool_]) -> Int64s:
    """int64 ``(SUM_ROWS, ITEMS)``: the sums over some rulesets.

    Args:
        sums: of a ``Course``.
        is_told: bool ``(rulesets,)``, which ones.
    """
    own: Int64s = sums.reshape(len(is_told), SUM_ROWS, -1)[is_told].sum(axis=0)
    return own


def totals(sums: Int64s, side: int) -> list[int]:
    """The sums of a side by item, as Python ints.

    >>> totals(np.full((SUM_ROWS, 2), 1), PAID)
    [4294967297, 4294967297]
    """
    rows = zip(sums[side].tolist(), sums[side + 1].tolist(), strict=True)
    return [(high << HALF) + low for high, low in rows]


@kernel
def _book(before: int, delta: int, row: Ints, purse: Ints, events: Ints) -> None:
    """Books what a seat got, and what that changed for its player; the change is an event."""
    purse[GAMES] += 1
    if delta == NOTHING:
        purse[UNSETTLED] += 1
        delta = 0
    after = before + delta
    purse[BALANCE] += delta
    was, now = _level(before, row), _level(after, row)
    purse[LEVEL] = now if row[R.BASE_KIND] == R.BASE_LEVELS else NOTHING
    purse[IS_BROKE] = 1 if now < 0 else 0
    if now < 0 <= was:
        purse[BANKRUPTCIES] += 1
        events[BANKRUPTCIES] += 1
    if now > was:
        purse[RISES] += 1
        events[RISES] += 1
    elif now < was:
        purse[FALLS] += 1
        events[FALLS] += 1


@kernel
def _level(balance: int, row: Ints) -> int:
    """The level of a balance; with a base that has none 0, or -1 for nothing and for debts."""
    if row[R.BASE_KIND] == R.BASE_LEVELS:
        return level_of(balance, row)
    return 0 if balance > 0 else -1
