"""Which figures there are, and what each is drawn of."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from analytics.plots import money, play, quality
from analytics.plots.style import PlotError, check_study, pen
from analytics.wording import Language


class Draw(Protocol):
    """Draws a frame on axes, and gives them back."""

    def __call__(self, frame: Any, ax: Any, language: Language = "en") -> Any: ...


class Plot(NamedTuple):
    """A figure.

    Attributes:
        name: on the command line, and in the catalogue of texts.
        study: that gives its frame.
        by: what that is grouped by.
        paint: frame and axes to axes.
    """

    name: str
    study: str
    by: tuple[str, ...]
    paint: Draw

    def draw(self, frame: Any, ax: Any, language: Language = "en") -> Any:
        """Draws a frame of the study on axes, and gives them back.

        Raises:
            PlotError: it is of another study, or cannot be drawn.
        """
        check_study(frame, self.name, self.study, self.by, pen(language))
        return self.paint(frame, ax, language)


_ALL: Final = (
    Plot("bombs", "bombs.dealt", (), play.bombs),
    Plot("xiang-kou", "kou", ("winner_best", "seats"), play.xiang_kou),
    Plot("kou-by-bombs", "kou", ("loser_bombs", "seats"), play.kou_by_bombs),
    Plot("results", "economy.results", ("ruleset",), money.results),
    Plot("items", "economy", (), money.items),
    Plot("flows", "economy.turnover", ("day",), money.flows),
    Plot("lorenz", "economy.lorenz", (), money.lorenz),
    Plot("balances", "economy.balances", ("day",), money.balances),
    Plot("deals", "deals", ("room", "day"), quality.deals),
    Plot("mismatches", "findings.games", ("day",), quality.mismatches),
)
PLOTS: Final[Mapping[str, Plot]] = {plot.name: plot for plot in _ALL}


def plot_of(name: str) -> Plot:
    """The figure of a name.

    Raises:
        PlotError: there is none; says which is near.
    """
    if name in PLOTS:
        return PLOTS[name]
    near = difflib.get_close_matches(name, PLOTS, 1)
    hint = f"; is {near[0]} meant?" if near else f"; there are {', '.join(PLOTS)}."
    raise PlotError(f"there is no plot {name!r}{hint}")
