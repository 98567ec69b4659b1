"""Comparing what the house recorded with what was recomputed.

``compare_games`` is the entry kernel: every component by itself, also where errors
cancel out in the total. Source: log format, section Findings.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from analytics.compiled import Ints, called_kernel, kernel
from analytics.findings import Code
from analytics.logs.batch import END_OUT
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.shuangkou.sheets import add_finding

_ABSENT: Final = S.NOTHING

MOST_A_GAME: Final = 6  # end, winner, kou, doubling, base, ledger.sum
MOST_A_SEAT: Final = 6  # xiang, fee, places, contribution, delta, balance; or base.level

_SETTLE_END: Final = int(Code.SETTLE_END)
_SETTLE_WINNER: Final = int(Code.SETTLE_WINNER)
_SETTLE_PLACES: Final = int(Code.SETTLE_PLACES)
_SETTLE_KOU: Final = int(Code.SETTLE_KOU)
_SETTLE_XIANG: Final = int(Code.SETTLE_XIANG)
_SETTLE_DOUBLING: Final = int(Code.SETTLE_DOUBLING)
_SETTLE_CONTRIBUTION: Final = int(Code.SETTLE_CONTRIBUTION)
_SETTLE_BASE: Final = int(Code.SETTLE_BASE)
_SETTLE_DELTA: Final = int(Code.SETTLE_DELTA)
_SETTLE_FEE: Final = int(Code.SETTLE_FEE)
_SETTLE_BALANCE: Final = int(Code.SETTLE_BALANCE)
_BASE_LEVEL: Final = int(Code.BASE_LEVEL)
_LEDGER_SUM: Final = int(Code.LEDGER_SUM)


class House(NamedTuple):
    """What the house recorded: the columns of ``Recorded``, and the base.

    Attributes:
        end, kou: int8 ``(n,)``; 0 and -1 where absent.
        winner, doubling, base: int64 ``(n,)``; ABSENT where absent.
        places, xiang, contribution, delta, fee, balance: int64 ``(k,)``; likewise.
    """

    end: Ints
    kou: Ints
    winner: Ints
    doubling: Ints
    base: Ints
    places: Ints
    xiang: Ints
    contribution: Ints
    delta: Ints
    fee: Ints
    balance: Ints


@kernel
def compare_games(
    house: House, played: S.Played, books: S.Books, desk: Ints, findings: Ints
) -> None:
    """Compares every game that replayed to its end (entry kernel)."""
    for game in range(len(house.base)):
        if played.games[game][D.G_END] != 0:
            _compare_game(game, house, played, books, desk, findings)
            _compare_seats(game, house, played, books, desk, findings)
            if books.games[game][S.X_BASE] != S.NOTHING:
                _compare_amounts(game, house, played, books, desk, findings)


@called_kernel
def _differ(
    desk: Ints, findings: Ints, game: int, code: int, seat: int, recorded: int, recomputed: int
) -> None:
    """Writes a finding where something was recorded and differs."""
    if recorded != _ABSENT and recorded != recomputed:
        add_finding(desk, findings, game, code, -1, seat, recorded, recomputed, 0)


@kernel
def _compare_game(
    game: int, house: House, played: S.Played, books: S.Books, desk: Ints, findings: Ints
) -> None:
    """End, winner, kou, doubling and base: one value a game."""
    end = played.games[game][D.G_END]
    row = played.rules[played.rules_ix[game]]
    worth = books.games[game]
    if house.end[game] != 0:
        _differ(desk, findings, game, _SETTLE_END, -1, house.end[game], end)
    winner = played.games[game][D.G_WINNER]
    _differ(desk, findings, game, _SETTLE_WINNER, -1, house.winner[game], winner)
    if end == END_OUT:
        if house.kou[game] != R.NO_KOU:
            _differ(desk, findings, game, _SETTLE_KOU, -1, house.kou[game], worth[S.X_KOU])
        _differ(
            desk, findings, game, _SETTLE_DOUBLING, -1, house.doubling[game], worth[S.X_DOUBLING]
        )
    if worth[S.X_BASE] == S.NOTHING:
        _report_levels(game, played, desk, findings, row)
    elif row[R.BASE_KIND] != R.BASE_GIVEN:
        _differ(desk, findings, game, _SETTLE_BASE, -1, house.base[game], worth[S.X_BASE])


@kernel
def _report_levels(game: int, played: S.Played, desk: Ints, findings: Ints, row: Ints) -> None:
    """Clause 8.1: every seat whose balance is below the first level."""
    start = played.seats_at[game]
    for seat in range(row[R.SEATS]):
        balance = played.balance[start + seat]
        if S.level_of(balance, row) < 0:
            add_finding(desk, findings, game, _BASE_LEVEL, -1, seat, balance, 0, row[R.LEVEL_FROM])


@kernel
def _compare_seats(
    game: int, house: House, played: S.Played, books: S.Books, desk: Ints, findings: Ints
) -> None:
    """Xiang, fee, places and contribution: one value a seat."""
    start = played.seats_at[game]
    seats = played.seats_at[game + 1] - start
    is_out = played.games[game][D.G_END] == END_OUT
    for seat in range(seats):
        at = start + seat
        worth = books.seats[at]
        _differ(desk, findings, game, _SETTLE_XIANG, seat, house.xiang[at], worth[S.Y_XIANG])
        _differ(desk, findings, game, _SETTLE_FEE, seat, house.fee[at], worth[S.Y_FEE])
        if is_out and seats == 4:
            place = played.seats[at][D.S_PLACE]
            _differ(desk, findings, game, _SETTLE_PLACES, seat, house.places[at], place)
        if is_out:
            paid = worth[S.Y_CONTRIBUTION]
            _differ(desk, findings, game, _SETTLE_CONTRIBUTION, seat, house.contribution[at], paid)


@kernel
def _compare_amounts(
    game: int, house: House, played: S.Played, books: S.Books, desk: Ints, findings: Ints
) -> None:
    """Deltas, balances after, and the sum of the recorded deltas."""
    start, stop = played.seats_at[game], played.seats_at[game + 1]
    recorded, is_recorded = 0, True
    for at in range(start, stop):
        delta = books.seats[at][S.Y_DELTA]
        after = played.balance[at] + delta
        _differ(desk, findings, game, _SETTLE_DELTA, at - start, house.delta[at], delta)
        _differ(desk, findings, game, _SETTLE_BALANCE, at - start, house.balance[at], after)
        if house.delta[at] == _ABSENT:
            is_recorded = False
        else:
            recorded += house.delta[at]
    if is_recorded:
        _differ(desk, findings, game, _LEDGER_SUM, -1, recorded, -books.games[game][S.X_SYSTEM])
