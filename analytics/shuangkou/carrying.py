"""Settling in order of time, with balances carried from game to game.

A table that pays otherwise leaves its players with other balances, by which the next game
may have another level, another cap, or none of both. So games are settled one after the
other, each by what its players hold by then. Source: rules clauses 8.1 and 8.3.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.compiled import Ints, Rows, kernel
from analytics.rules import row as R
from analytics.shuangkou.settlement import NOTHING, Y_DELTA, Books, Played, level_of, settle_game

Int64s = npt.NDArray[np.int64]

# Columns of purses: what a player holds, and what became of it.
BALANCE: Final = 0
GAMES: Final = 1  # games played
UNSETTLED: Final = 2  # of these, games that no level allowed (clause 8.1)
BANKRUPTCIES: Final = 3  # games after which it could not pay any more, but before which it could
RISES: Final = 4  # games that brought it to a higher level
FALLS: Final = 5  # games that brought it to a lower one
IS_BROKE: Final = 6  # 1 where it could not pay after its last game
PURSE_WIDTH: Final = 7

MAX_CARRIED: Final = 10**15  # clause 12: |balance|


class BalanceOverrun(ValueError):
    """A balance passed what clause 12 allows: nobody can say what such games would pay.

    Attributes:
        game: its row among the games that were to be settled.
    """

    def __init__(self, game: int) -> None:
        super().__init__("a balance passes 10^15, the largest that there may be (clause 12)")
        self.game = game


def carry(played: Played, books: Books, sat: Int64s, flow: Int64s, purses: Int64s) -> None:
    """Settles games in order; ``played.balance``, books and purses are written.

    Guarantees: with the rules by which games were paid, and flows that make up for whatever
    else changed a balance, every balance is the one that was recorded.

    Args:
        played: the games, in order of time; what its balances hold is not read.
        books: all zero.
        sat: int64 ``(k,)``, the player of each seat: a row of the purses.
        flow: int64 ``(k,)``, what came to the player from outside since its last game.
        purses: int64 ``(players, PURSE_WIDTH)``, as the games before have left them.

    Raises:
        BalanceOverrun: a balance passes 10^15.
    """
    done = compiled.run(settle_in_order, played, books, sat, flow, purses)
    if done < len(played.given):
        raise BalanceOverrun(int(done))


@kernel
def settle_in_order(played: Played, books: Books, sat: Ints, flow: Ints, purses: Rows) -> int:
    """Settles games one after the other (entry kernel); how many it could settle."""
    for game in range(len(played.given)):
        start, stop = played.seats_at[game], played.seats_at[game + 1]
        for seat in range(start, stop):
            purses[sat[seat]][BALANCE] += flow[seat]
            played.balance[seat] = purses[sat[seat]][BALANCE]
        settle_game(game, played, books)
        row = played.rules[played.rules_ix[game]]
        for seat in range(start, stop):
            _book(played.balance[seat], books.seats[seat][Y_DELTA], row, purses[sat[seat]])
            if abs(purses[sat[seat]][BALANCE]) > MAX_CARRIED:
                return game
    return len(played.given)


@kernel
def _book(before: int, delta: int, row: Ints, purse: Ints) -> None:
    """Books what a seat got, and what that changed for its player."""
    purse[GAMES] += 1
    if delta == NOTHING:
        purse[UNSETTLED] += 1
        delta = 0
    after = before + delta
    purse[BALANCE] += delta
    is_broke = _is_broke(after, row)
    purse[IS_BROKE] = 1 if is_broke else 0
    if is_broke and not _is_broke(before, row):
        purse[BANKRUPTCIES] += 1
    if row[R.BASE_KIND] == R.BASE_LEVELS:
        move = level_of(after, row) - level_of(before, row)
        if move > 0:
            purse[RISES] += 1
        elif move < 0:
            purse[FALLS] += 1


@kernel
def _is_broke(balance: int, row: Ints) -> bool:
    """Whether a balance has no level, or with a base that has none is nothing or a debt."""
    if row[R.BASE_KIND] == R.BASE_LEVELS:
        return level_of(balance, row) < 0
    return balance <= 0
