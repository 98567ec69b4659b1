"""Pairs: the same games under two tables, seat by seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.shuangkou import settlement as S
from analytics.tuning.exact import exact_sum, weighted
from analytics.tuning.groups import Seatings
from analytics.tuning.measuring import Accounts
from analytics.tuning.tiers import tiers_of

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Games, or groups of games, settled by two tables.

    Attributes:
        baseline, candidate: what they come to under either.
        seatings: who sat where.
        thresholds: balances at which a level begins, ascending; ``seatings.level`` counts
            them.
    """

    baseline: Accounts
    candidate: Accounts
    seatings: Seatings
    thresholds: tuple[int, ...]

    @property
    def compared(self) -> Int64s:
        """int64 ``(g,)``: games that both tables settle; 0 where one does not."""
        return np.minimum(self.baseline.count, self.candidate.count)

    @property
    def difference(self) -> Int64s:
        """int64 ``(g, seats)``: what each seat gets more under the candidate."""
        return np.asarray(self.candidate.result - self.baseline.result)

    @property
    def seat_games(self) -> int:
        """Seats of compared games."""
        return int(self.compared.sum()) * int(self.baseline.items.shape[1])


def of_seatings(values: npt.NDArray[Any], seatings: Seatings) -> npt.NDArray[Any]:
    """What a value of each seat ``(g, seats)`` is for who sat there: ``(r,)``."""
    return np.asarray(values[seatings.group, seatings.position])


def by_player(
    amounts: npt.NDArray[Any], seatings: Seatings, chosen: Int64s | None = None
) -> npt.NDArray[Any]:
    """Σ over the seatings of each player: ``(players,)``.

    Args:
        amounts: of seatings, in their order.
        seatings: all of them.
        chosen: ascending places of those that the amounts are of; None: all.
    """
    player = seatings.player if chosen is None else seatings.player[chosen]
    found = np.zeros(len(seatings.players), amounts.dtype)
    if len(amounts):
        starts = np.flatnonzero(np.diff(player, prepend=-1))
        found[player[starts]] = np.add.reduceat(amounts, starts)
    return found


class Nets(NamedTuple):
    """What players get of all their games that a table settles.

    Attributes:
        amounts: ``(players,)``: int64, or Python ints where sums could pass it.
        has_played: bool ``(players,)``: whether they have such a game.
    """

    amounts: npt.NDArray[Any]
    has_played: npt.NDArray[np.bool_]

    @property
    def gains(self) -> npt.NDArray[Any]:
        """What those who gained have gained: all above 0."""
        return self.amounts[self.amounts > 0]

    @property
    def losses(self) -> npt.NDArray[Any]:
        """What those who lost have lost: all above 0."""
        return -self.amounts[self.amounts < 0]


def nets_of(own: Accounts, seatings: Seatings) -> Nets:
    """What players get of all games that a table settles."""
    count = seatings.count * own.is_settled[seatings.group]
    amounts = by_player(weighted(of_seatings(own.result, seatings), count), seatings)
    return Nets(amounts, by_player(count, seatings) > 0)


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """One kind of players or seats: what it gets under either table.

    Attributes:
        seats: int64 ``(players,)``: seats of compared games, of each player.
        baseline, candidate: ``(players,)``: what each player gets in these; int64, or
            Python ints where sums could pass it.
    """

    seats: Int64s
    baseline: npt.NDArray[Any]
    candidate: npt.NDArray[Any]

    @property
    def totals(self) -> tuple[int, int, int]:
        """Seats, and what they get under either, of all players."""
        return exact_sum(self.seats), exact_sum(self.baseline), exact_sum(self.candidate)


def shares_of(pair: Pair) -> Shares:
    """What players get in games that both tables settle."""
    every = np.zeros(len(pair.seatings.count), np.int64)
    return _shares_by(pair, every).get(0) or Shares(*np.zeros((3, 0), np.int64))


def tier_shares(pair: Pair) -> dict[int, Shares]:
    """By tier of players, from who win least often."""
    return _shares_by(pair, tiers_of(pair.seatings)[pair.seatings.player])


def level_shares(pair: Pair) -> dict[int, Shares]:
    """By how many thresholds a player's own balance met before the game."""
    return _shares_by(pair, pair.seatings.level)


def _shares_by(pair: Pair, kind: Int64s) -> dict[int, Shares]:
    """By kind of seating, in ascending order."""
    sat = pair.seatings
    count = sat.count * (pair.compared > 0)[sat.group]
    got = [weighted(of_seatings(own.result, sat), count) for own in (pair.baseline, pair.candidate)]
    places = {int(each): np.flatnonzero(kind == each) for each in np.unique(kind)}
    return {
        each: Shares(*(by_player(amounts[at], sat, at) for amounts in (count, *got)))
        for each, at in places.items()
    }


# Sums over games that can be told seat by seat, and so be resampled by player.
SEAT_SUMS: Final = ("turnover", "fees", "system", "total")


def seat_sums(own: Accounts) -> dict[str, Floats]:
    """Sums over games as parts of their seats, float64 ``(g, seats)`` each; 0 where unsettled.

    What seats win from one another is no matter of the system: what it gets of a game
    counts for all seats alike.
    """
    fee = -own.items[:, :, S.FEE]
    result = own.result
    shared = np.repeat(result.mean(axis=1, keepdims=True), result.shape[1], axis=1)
    return {
        "turnover": -np.minimum(result + fee, 0).astype(np.float64),
        "fees": fee.astype(np.float64),
        "system": -shared,
        "total": shared,
    }
