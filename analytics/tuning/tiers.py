"""Tiers: players by how often they win, which no scoring table has a say in."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from analytics.studies.payments import PRIOR
from analytics.tuning.groups import Seatings

Int64s = npt.NDArray[np.int64]

TIERS: Final = 4  # quarters of the players


def tiers_of(seatings: Seatings) -> Int64s:
    """int64 ``(players,)``: 1, who win least often, to ``TIERS``, who win most often.

    Shares of games won are steadied by ``PRIOR`` games of which half were won, so that who
    played few games stands in the middle. Players with equal shares are in the order of
    their names. Winners sit at even positions.
    """
    players = len(seatings.players)
    won, games = np.zeros((2, players), np.int64)
    is_won = seatings.position % 2 == 0
    np.add.at(won, seatings.player, seatings.count * is_won)
    np.add.at(games, seatings.player, seatings.count)
    share = (won + PRIOR / 2) / (games + PRIOR)
    tier = np.empty(players, np.int64)
    tier[np.argsort(share, kind="stable")] = np.arange(players) * TIERS // max(players, 1) + 1
    return tier
