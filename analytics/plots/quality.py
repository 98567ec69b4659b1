"""Figures of what verification found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analytics.plots.style import (
    BLUE,
    DARK,
    LINES,
    MARKERS,
    SERIES,
    VERMILION,
    Pen,
    by_day,
    check_rows,
    dated,
    framed,
    log_counts,
    n_of,
    pen,
    percents,
)
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
    known = by_day(frame, own)
    center = float(known["mismatched"].sum() / known["games"].sum())
    half = _SIGMAS * (center * (1 - center) / known["games"]) ** 0.5
    low, high = (center - half).clip(lower=0), (center + half).clip(upper=1)
    is_outside = (known["share"] > high) | (known["share"] < low)
    ax.axhline(center, color=BLUE, label=own.said("mismatches.center"))
    noon = pd.Timedelta(hours=12)
    begin, end = known["day"] - noon, known["day"] + noon
    for ends, label in ((low, "_"), (high, own.said("mismatches.limits"))):
        ax.hlines(ends, begin, end, color=BLUE, linestyle="--", label=label)
    ax.plot(known["day"], known["share"], "o-", color=DARK, clip_on=False)
    if is_outside.any():
        outside, label = known[is_outside], own.said("mismatches.outside")
        ax.plot(outside["day"], outside["share"], "X", color=VERMILION, markersize=12,
                markeredgecolor=DARK, label=label)  # fmt: skip
    dated(ax, known["day"])
    ax.set(xlabel=own.said("day"), ylabel=own.said("mismatches.y"))
    one = 1 / float(known["games"].max())  # room for one game where there is no error at all
    ax.set_ylim(0, 1.25 * max(float(high.max()), float(known["share"].max()), one))
    percents(ax)
    ax.legend(fontsize="small", ncols=3, loc="upper left")
    return framed(ax, "mismatches", frame, own, own.said("mismatches.drawn"), n=n_of(known, own))


def deals(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Natural bombs beyond what is expected, by number of hands: a funnel plot.

    A point is a seat, or all seats, of a group of games. The funnel of a way of dealing
    holds 95 % of its points where deals are honest; the study's verdicts, which are
    corrected for the number of points, say which stray too far.

    Args:
        frame: of the study ``deals`` by room and day.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or nothing of it can be compared.
    """
    own = pen(language)
    bombs = frame[frame["measure"] == "bombs"]
    known = bombs[bombs["excess"].notna()].copy()
    check_rows(frame if len(known) else known, own)
    known["hands"] = (known["observed"] / known["rate"]).where(known["rate"] > 0, known["games"])
    ax.axhline(0, color=DARK, linewidth=0.8)
    for nth, (model, points) in enumerate(known.groupby("model", sort=True)):
        _funnel(points, str(model), nth, ax, own)
    strayed = known[known["verdict"] != _HONEST]
    for point in strayed.itertuples(index=False):
        ax.plot(point.hands, point.excess, "X", color=VERMILION, markersize=11,
                markeredgecolor=DARK, label="_")  # fmt: skip
        ax.annotate(
            own.shown(f"{_group(point)}: {point.verdict}"),
            (point.hands, point.excess), (6, 6), textcoords="offset points", fontsize="x-small",
        )  # fmt: skip
    ax.set(xlabel=own.said("deals.x"), ylabel=own.said("deals.y"))
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.25 * (high - low))  # room for the legend
    percents(ax)
    log_counts(ax)
    ax.legend(fontsize="small", loc="upper right")
    return framed(ax, "deals", frame, own, own.said("deals.drawn"))


def _group(point: Any) -> str:
    """Room and day of a point, where it has them."""
    import pandas as pd

    room = "" if pd.isna(point.room) else str(point.room)
    return f"{room} {'' if pd.isna(point.day) else f'{point.day:%m-%d}'}".strip()


_HONEST = "as expected"  # the verdict of ``studies.deals``


def _funnel(points: pd.DataFrame, model: str, nth: int, ax: Axes, own: Pen) -> None:
    """Points of one way of dealing, and the limits that honest ones keep to."""
    import numpy as np

    color, marker = SERIES[nth % len(SERIES)], MARKERS[nth % len(MARKERS)]
    label = own.shown(own.said("deals.model", model=model))
    ax.plot(points["hands"], points["excess"], marker, color=color, markersize=4, label=label)
    half = (points["rate_high"] - points["rate_low"]) / 2 * points["hands"] / points["expected"]
    spread = float((half * points["hands"] ** 0.5).max())  # half an interval of one hand
    hands = np.geomspace(points["hands"].min(), points["hands"].max() + 1, 200)
    for sign in (-1, 1):
        ax.plot(hands, sign * spread / hands**0.5, LINES[nth % len(LINES)], color=color,
                linewidth=1, label="_")  # fmt: skip
