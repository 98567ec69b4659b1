"""Players: what tables make of each of them, class (b), many tables after another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from analytics.rules import Ruleset
from analytics.tuning.amounts import every_result, stack_entries
from analytics.tuning.candidates import Evaluator
from analytics.tuning.collapsing import Collapsed
from analytics.tuning.errors import CannotTune
from analytics.tuning.groups import Groups, Seatings
from analytics.tuning.inequality import gini, top_share
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.shapes import Shape

Int64s = npt.NDArray[np.int64]

_TOP: Final = 10  # per cent of the winners


@dataclass(frozen=True, slots=True, eq=False)
class _Sat:
    """How often each player sat where a shape pays alike.

    Attributes:
        cell: int64 ``(r,)``: what is paid there, a place in ``amounts.every_result``.
        count: int64 ``(r,)``: games.
        starts: int64 ``(players,)``: where the rows of each player begin.
        present: bool ``(players,)``: whether the player has any.
    """

    cell: Int64s
    count: Int64s
    starts: Int64s
    present: npt.NDArray[np.bool_]


class PlayerEvaluator:
    """Evaluates tables on groups whose players are known."""

    def __init__(self, groups: Groups, evaluator: Evaluator) -> None:
        """Keeps the groups.

        Args:
            groups: with players.
            evaluator: of the same groups.

        Raises:
            CannotTune: it is not known who sat in them.
        """
        if groups.seatings is None:
            raise CannotTune("it is not known who sat in these groups.")
        self._seatings = groups.seatings
        self._evaluator = evaluator
        self._sat: dict[Shape, _Sat] = {}

    def nets(self, candidate: Ruleset) -> npt.NDArray[Any]:
        """What each player gets of all his games: ``(players,)``, exact.

        Raises:
            CannotTune: groups cannot tell what the table pays.
        """
        found, _ = self._nets(candidate)
        return found

    def evaluate(self, candidates: Sequence[Ruleset]) -> pd.DataFrame:
        """What tables come to: a row a candidate, a column a metric of class (b).

        Raises:
            CannotTune: groups cannot tell what one of them pays.
        """
        found = (self._nets(candidate) for candidate in candidates)
        rows = [player_metrics(nets[present]) for nets, present in found]
        return pd.DataFrame(rows, columns=list(names_of(Class.B)))

    def _nets(self, candidate: Ruleset) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """What each player gets, and whether any of his games has amounts."""
        collapsed = self._evaluator.collapsed_for([candidate])
        sat = self._sat.get(collapsed.shape)
        if sat is None:
            sat = self._sat[collapsed.shape] = _sat_of(self._seatings, collapsed)
        results = every_result(stack_entries([candidate], collapsed), collapsed)[0]
        found = np.zeros(len(self._seatings.players), results.dtype)
        if len(sat.cell):
            amounts = results[sat.cell] * sat.count
            found[sat.present] = np.add.reduceat(amounts, sat.starts[sat.present])
        return found, sat.present


def _sat_of(seatings: Seatings, collapsed: Collapsed) -> _Sat:
    """Seatings with what the shape tells apart, each player's together."""
    cell = collapsed.cells[seatings.group, seatings.position]
    key, place = np.unique(seatings.player * (collapsed.width + 1) + cell + 1, return_inverse=True)
    count = np.zeros(len(key), np.int64)
    np.add.at(count, place, seatings.count)
    player, own = np.divmod(key, collapsed.width + 1)
    is_paid = own > 0
    player, own, count = player[is_paid], own[is_paid] - 1, count[is_paid]
    every = np.arange(len(seatings.players))
    starts = np.searchsorted(player, every)
    present = starts < np.searchsorted(player, every, side="right")
    return _Sat(own, count, starts, present)


def player_metrics(nets: npt.NDArray[Any]) -> dict[str, Any]:
    """Metrics of class (b) of what players in games that have amounts got in all.

    Args:
        nets: ``(players,)``, of these players alone.

    >>> player_metrics(np.array([6, -6, 2, -2, 0]))["gini_gains"]
    0.25
    """
    gains, losses = nets[nets > 0], -nets[nets < 0]
    return {
        "players": len(nets),
        "winners": len(gains),
        "losers": len(losses),
        "gini_gains": _or_nan(gini(gains)),
        "gini_losses": _or_nan(gini(losses)),
        "top10_gains": top_share(gains, _TOP),
    }


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value
