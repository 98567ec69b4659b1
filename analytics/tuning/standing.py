"""How everybody stands at the end of a day: what players hold, and how unequally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.shuangkou.settlement import NOTHING
from analytics.tuning.exact import exact_sum, whole_numbers
from analytics.tuning.inequality import gini

if TYPE_CHECKING:
    import pandas as pd

Int64s = npt.NDArray[np.int64]

POINTS: Final = (5, 25, 50, 75, 95)  # percentiles of balances
# Sums run from the first day to the end of this one.
DAY_COLUMNS: Final = (
    "day", "games", "players", "held", "brought", "outside", "system", "bankruptcies", "broke",
    "gini", "level", *(f"p{point}" for point in POINTS),
)  # fmt: skip
# What is drawn over time beside the points, and what is told.
FIGURES: Final = ("gini", "growth", "ruin", "level")
TOLD: Final = (*FIGURES, "players", "held", *(f"p{point}" for point in POINTS))
OVER_TIME_COLUMNS: Final = ("table", "figure", "day", "value", "low", "high")
_BAND: Final = (5, 95)  # per cent: of many runs
MANY: Final = 20  # runs, of which 5 % are one: of fewer no run lies beyond such a point


class Day(NamedTuple):
    """How a day ended.

    Attributes:
        day: which one.
        games: so far.
        balance: int64 ``(players,)``, of all who have played so far.
        level: int64 ``(players,)``, their levels; NOTHING where a base has none.
        brought: the first balances of all of them.
        outside: what else came from outside.
        system: what the system got.
        bankruptcies: so far.
        broke: players who cannot pay now.
    """

    day: np.datetime64
    games: int
    balance: Int64s
    level: Int64s
    brought: int
    outside: int
    system: int
    bankruptcies: int
    broke: int

    def row(self) -> tuple[Any, ...]:
        """In the order of ``DAY_COLUMNS``."""
        levels = self.level[self.level != NOTHING]
        return (
            self.day,
            self.games,
            len(self.balance),
            exact_sum(self.balance),
            self.brought,
            self.outside,
            self.system,
            self.bankruptcies,
            self.broke,
            gini(self.balance),
            float(levels.mean()) if len(levels) else None,
            *np.percentile(self.balance, POINTS, method="inverted_cdf").tolist(),
        )


def days_frame(days: Sequence[Day]) -> pd.DataFrame:
    """A row a day, with ``DAY_COLUMNS``; amounts are whole numbers."""
    import pandas as pd

    values = zip(*(day.row() for day in days), strict=True)
    columns = dict(zip(DAY_COLUMNS, values, strict=True))
    return pd.DataFrame({name: _column(name, own) for name, own in columns.items()})


def _column(name: str, values: Sequence[Any]) -> Any:
    import pandas as pd

    if name == "day":
        return pd.Series(values)
    if name in ("gini", "level"):
        return pd.Series(values, dtype="Float64")
    return whole_numbers(values)


def over_time(runs: Mapping[str, Sequence[pd.DataFrame]]) -> pd.DataFrame:
    """How several tables did over time, each in one run or in many.

    Args:
        runs: by the name of the table, frames of ``days_frame`` of the same days.

    Returns:
        a row a table, figure and day: ``table``, ``figure``, ``day``, ``value``, the median of
        the runs, and the band from ``low`` to ``high``: the least and the greatest of them,
        of ``MANY`` runs and more their 5 % and 95 % points; NaN of one run, which has no
        band. Figures are ``TOLD``.
        ``growth`` is what the system has put in or taken out, as a share of what came from
        outside; ``ruin`` the share of players who cannot pay; ``level`` the mean level.
    """
    import pandas as pd

    rows: list[tuple[Any, ...]] = []
    for table, frames in runs.items():
        for figure in TOLD:
            drawn = np.array([figure_of(frame, figure) for frame in frames])
            middle, (low, high) = np.median(drawn, axis=0), _band(drawn)
            days = frames[0]["day"]
            rows += zip([table] * len(days), [figure] * len(days), days, middle, low, high,
                        strict=True)  # fmt: skip
    return pd.DataFrame(rows, columns=list(OVER_TIME_COLUMNS))


def _band(drawn: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Lower and upper end of what runs came to, ``(runs, days)``: ``(2, days)``."""
    if len(drawn) == 1:
        return np.full((2, drawn.shape[1]), np.nan)
    if len(drawn) < MANY:
        return np.stack([drawn.min(axis=0), drawn.max(axis=0)])
    return np.asarray(np.percentile(drawn, _BAND, axis=0, method="inverted_cdf"))


def figure_of(frame: pd.DataFrame, figure: str) -> npt.NDArray[np.float64]:
    """float64 ``(days,)``: a figure of a run; NaN where there is none."""
    if figure == "growth":
        values = (0 - frame["system"].astype(float)) / (frame["brought"] + frame["outside"]).astype(
            float
        )
    elif figure == "ruin":
        values = frame["broke"].astype(float) / frame["players"].astype(float)
    else:
        values = frame[figure]
    found: npt.NDArray[np.float64] = values.to_numpy(dtype=float, na_value=np.nan)
    return found
