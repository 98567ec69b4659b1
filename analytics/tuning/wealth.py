"""Wealth: who of the players gained and lost in all under two tables, and how unequally.

What the studies ``economy.inequality`` and ``economy.lorenz`` say of gains and losses, on both
sides; balances need games in order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from analytics.studies.wealth import TOPS
from analytics.tuning.exact import exact_sum
from analytics.tuning.inequality import PERCENTS, gini, lorenz, top_share
from analytics.tuning.metrics import METRICS, MONEY
from analytics.tuning.pairing import Nets, Pair, nets_of
from analytics.tuning.players import player_metrics

if TYPE_CHECKING:
    import pandas as pd

Int64s: TypeAlias = npt.NDArray[np.int64]
Ends: TypeAlias = tuple[float, float]

PLAYER_COLUMNS: Final = ("metric", "unit", "baseline", "candidate", "difference", "low", "high")
LORENZ_COLUMNS: Final = ("of", "percent", "baseline", "candidate", "difference")


class Both(NamedTuple):
    """What players get of all games that a table settles, under either table."""

    baseline: Nets
    candidate: Nets


def both_nets(pair: Pair) -> Both:
    """What players get under either table."""
    return Both(*(nets_of(own, pair.seatings) for own in (pair.baseline, pair.candidate)))


def counted(both: Both) -> dict[str, Int64s]:
    """Of each player, by metric, whether he counts under the candidate less under the baseline."""
    one, other = map(_marks, both)
    return {name: other[name].astype(np.int64) - one[name] for name in one}


def _marks(nets: Nets) -> dict[str, npt.NDArray[np.bool_]]:
    return {
        "players": nets.has_played,
        "winners": nets.amounts > 0,
        "losers": nets.amounts < 0,
    }


def players_frame(both: Both, ends: Mapping[str, Ends]) -> pd.DataFrame:
    """The metrics of class (b), side by side: a row a metric, ``PLAYER_COLUMNS``.

    Args:
        both: what players get.
        ends: the interval of the difference by metric, where there is one: of counts alone.
    """
    import pandas as pd

    one, other = (player_metrics(own.amounts[own.has_played]) for own in both)
    rows = [
        (name, METRICS[name].unit, one[name], other[name], other[name] - one[name],
         *ends.get(name, (math.nan, math.nan)))
        for name in one
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=list(PLAYER_COLUMNS), dtype=object)
    return frame.astype({"low": float, "high": float})


def inequality_of(nets: Nets) -> Iterator[tuple[str, str, str, Any]]:
    """What ``economy.inequality`` says of gains and losses: of what, figure, unit, value."""
    for name, amounts in (("gains", nets.gains), ("losses", nets.losses)):
        yield name, "players", "players", len(amounts)
        yield name, "total", MONEY, exact_sum(amounts)
        yield name, "gini", "", gini(amounts) if len(amounts) else math.nan
        for percent in TOPS:
            yield name, f"top{percent}", "", top_share(amounts, percent)


def lorenz_frame(both: Both) -> pd.DataFrame:
    """Lorenz curves of gains and of losses, side by side: ``LORENZ_COLUMNS``, shares."""
    one, other = both
    return lorenz_curves({"gains": (one.gains, other.gains), "losses": (one.losses, other.losses)})


def tenths(curves: pd.DataFrame) -> pd.DataFrame:
    """Every tenth per cent of Lorenz curves: what can be read as a table."""
    return curves[curves["percent"] % 10 == 0]


def lorenz_curves(amounts: Mapping[str, tuple[Int64s, Int64s]]) -> pd.DataFrame:
    """Lorenz curves under baseline and candidate of amounts, none below 0, by name."""
    import pandas as pd

    curves = {of: (lorenz(one), lorenz(other)) for of, (one, other) in amounts.items()}
    frames = [
        pd.DataFrame({"of": of, "percent": list(PERCENTS), "baseline": one, "candidate": other,
                      "difference": other - one})
        for of, (one, other) in curves.items()
    ]  # fmt: skip
    return pd.concat(frames, ignore_index=True)[list(LORENZ_COLUMNS)]
