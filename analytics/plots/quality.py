"""Figures of what verification found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analytics.plots.style import BLUE, DARK, VERMILION, check_rows, dated, framed, pen, percents
from analytics.wording import Language

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SIGMAS = 3  # W. A. Shewhart's limits of a control chart (1931)


def mismatches(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Share of games with an error by day, as a control chart of shares (p chart).

    The limits of a day are three standard errors of a share of so many games around the
    share of all days.

    Args:
        frame: of the study ``findings.games`` by ``day``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw.
    """
    import pandas as pd

    own = pen(language)
    known = frame[frame["day"].notna()]
    check_rows(frame if len(known) else known, own)
    center = float(known["mismatched"].sum() / known["games"].sum())
    half = _SIGMAS * (center * (1 - center) / known["games"]) ** 0.5
    low, high = (center - half).clip(lower=0), (center + half).clip(upper=1)
    is_outside = (known["share"] > high) | (known["share"] < low)
    ax.axhline(center, color=BLUE, label=own.said("mismatches.center"))
    noon = pd.Timedelta(hours=12)
    begin, end = known["day"] - noon, known["day"] + noon
    for ends, label in ((low, "_"), (high, own.said("mismatches.limits"))):
        ax.hlines(ends, begin, end, color=BLUE, linestyle="--", label=label)
    ax.plot(known["day"], known["share"], "o-", color=DARK)
    if is_outside.any():
        outside, label = known[is_outside], own.said("mismatches.outside")
        ax.plot(outside["day"], outside["share"], "X", color=VERMILION, markersize=12,
                markeredgecolor=DARK, label=label)  # fmt: skip
    dated(ax, known["day"])
    ax.set(xlabel=own.said("day"), ylabel=own.said("mismatches.y"))
    ax.set_ylim(0, 1.25 * max(float(high.max()), float(known["share"].max())) or 1)
    percents(ax)
    ax.legend(fontsize="small", ncols=3, loc="upper left")
    return framed(ax, "mismatches", frame, own)
