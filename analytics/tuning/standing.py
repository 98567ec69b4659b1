"""How everybody stands at the end of a day: what players hold, and how unequally."""

from __future__ import annotations

import math
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
_BEYOND: Final = 20  # of so many runs one lies below the band, and one above it


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
            *self._points(),
        )

    def _points(self) -> list[int | None]:
        """The percentiles of balances; None where nobody has played yet."""
        if not len(self.balance):
            return [None] * len(POINTS)
        found: list[int | None] = np.percentile(
            self.balance, POINTS, method="inverted_cdf"
        ).tolist()
        return found


def days_frame(days: Sequence[Day]) -> pd.DataFrame:
    """A row a day, with ``DAY_COLUMNS``; amounts are whole numbers.

    Before the first game nobody holds anything: percentiles, ``gini`` and ``level`` are null.
    """
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
        the runs, and the band from ``low`` to ``high``: of n runs without the ⌊n/20⌋ least
        and as many of the greatest, so that at least nine in ten lie within. Only runs that
        have a value on that day count: of none all are NaN, and one has no band. Figures are
        ``TOLD``.
        ``growth`` is what the system has put in or taken out, as a share of what came from
        outside; ``ruin`` the share of players who cannot pay; ``level`` the mean level.
    """
    import pandas as pd

    rows: list[tuple[Any, ...]] = []
    for table, frames in runs.items():
        for figure in TOLD:
            drawn = np.array([figure_of(frame, figure) for frame in frames])
            middle, low, high = zip(*map(_middle_and_band, drawn.T), strict=True)
            days = frames[0]["day"]
            rows += zip([table] * len(days), [figure] * len(days), days, middle, low, high,
                        strict=True)  # fmt: skip
    return pd.DataFrame(rows, columns=list(OVER_TIME_COLUMNS))


def _middle_and_band(drawn: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """The median of what runs came to on a day, ``(runs,)``, and both ends of their band."""
    known = np.sort(drawn[~np.isnan(drawn)])
    if not len(known):
        return math.nan, math.nan, math.nan
    if len(known) == 1:
        return float(known[0]), math.nan, math.nan
    beyond = len(known) // _BEYOND
    return float(np.median(known)), float(known[beyond]), float(known[-1 - beyond])


def figure_of(frame: pd.DataFrame, figure: str) -> npt.NDArray[np.float64]:
    """float64 ``(days,)``: a figure of a run; NaN where there is none."""
    if figure == "growth":
        came = (frame["brought"] + frame["outside"]).astype(float)
        values = (0 - frame["system"].astype(float)) / came.where(came != 0)
    elif figure == "ruin":
        players = frame["players"].astype(float)
        values = frame["broke"].astype(float) / players.where(players != 0)
    else:
        values = frame[figure]
    found: npt.NDArray[np.float64] = values.to_numpy(dtype=float, na_value=np.nan)
    return found
