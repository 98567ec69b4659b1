"""Games in order, written by hand: who beat whom, how badly, with which bombs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analytics.logs.batch import ABSENT, END_OUT
from analytics.rules import Ruleset
from analytics.shuangkou import desk as D
from analytics.tuning.ordered import Ordered

DAY = np.datetime64("2026-11-02")


class Duel(NamedTuple):
    """A game of two.

    Attributes:
        winner, loser: their numbers.
        left: cards left to the loser: 1 to 6 ping, 7 to 11 dan, 12 and more shuang.
        xiang: of the best bomb of the winner; 0: none.
        day: after the first one.
    """

    winner: int
    loser: int
    left: int = 12
    xiang: int = 0
    day: int = 0


def duels(
    ruleset: Ruleset,
    brought: Sequence[int],
    games: Sequence[Duel],
    flows: Sequence[tuple[int, int, int]] = (),
) -> Ordered:
    """Games of two by one ruleset.

    Args:
        ruleset: of all of them.
        brought: what each player has at first.
        games: in order; the winner sits on seat 0.
        flows: game, seat, and what came to its player before that game.
    """
    sat = np.array([number for game in games for number in game[:2]], np.int32)
    flow = np.zeros(len(sat), np.int64)
    _, first = np.unique(sat, return_index=True)
    flow[first] = np.array(brought)[sat[first]]
    for game, seat, amount in flows:
        flow[2 * game + seat] += amount
    rows = np.zeros((len(games), D.GAME_WIDTH), np.int64)
    rows[:, D.G_END], rows[:, D.G_FLEER] = END_OUT, -1
    days = [game.day for game in games]
    return Ordered(
        games=rows,
        given=np.full(len(games), ABSENT),
        rules_ix=np.zeros(len(games), np.int16),
        seats_at=2 * np.arange(len(games) + 1),
        kinds=np.array([seat for game in games for seat in _seats(game)]),
        kind=np.arange(len(sat), dtype=np.int32),
        sat=sat,
        flow=flow,
        recorded=np.zeros(len(sat), np.int64),
        day_at=np.append(np.searchsorted(days, np.unique(days)), len(games)),
        days=DAY + np.unique(days),
        rulesets=(ruleset,),
        unit=ruleset.scoring.unit,
        players=tuple(f"p{number}" for number in range(len(brought))),
        opening=np.array(brought),
        left_out=0,
    )


def _seats(game: Duel) -> list[list[int]]:
    seats = np.zeros((2, D.SEAT_WIDTH), np.int64)
    seats[:, D.S_PLAYED] = 1
    seats[1, D.S_LEFT] = game.left
    if game.xiang:
        seats[0, D.S_BEST] = game.xiang
        seats[0, D.S_BOMBS + game.xiang] = 1
    found: list[list[int]] = seats.tolist()
    return found
