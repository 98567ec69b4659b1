"""Figures of tuning: two tables side by side, sensitivity, Pareto sets, money over days.

Each takes a frame of ``analytics.tuning``; what stands in ``frame.attrs["note"]`` is its
caption.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from analytics.plots.style import (
    BLUE,
    DARK,
    GREY,
    LINES,
    MARKERS,
    ORANGE,
    SERIES,
    SKY,
    Pen,
    PlotError,
    dated,
    pen,
    percents,
    scaled,
    thousands,
)
from analytics.wording import Language

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_TICKS: Final = 7  # of an axis at most, so that long numbers do not touch
NO_BASELINE: Final[Mapping[str, float]] = {}
_MOST_BARS: Final = 10  # of a tornado: what is below would hardly be seen
_POINTS: Final = ("worst", "p1", "p5", "p25", "p50", "p75", "p95", "p99", "best")
_SHARES: Final = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
_FILLS: Final = ("#cfe6f5", "#fbe3b5", "#dddddd")
_HATCHES: Final = ("", "//", "..")


class DrawTuning(Protocol):
    """Draws a frame on axes, and gives them back."""

    def __call__(self, frame: Any, ax: Any, language: Language = "en") -> Any: ...


def items(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """What moves through each item under either table, two bars an item.

    Args:
        frame: ``WhatIf.economy``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: nothing moves under either table.
    """
    own = pen(language)
    rows = frame[(frame["study"] == "economy") & (frame["figure"] == "moved")]
    rows = rows[(rows["baseline"] != 0) | (rows["candidate"] != 0)]
    _check(rows, own)
    for place, name in enumerate(("baseline", "candidate")):
        heights = rows[name].astype(float)
        at = [nth + (place - 0.5) * 0.4 for nth in range(len(rows))]
        ax.bar(at, heights, width=0.38, color=(BLUE, ORANGE)[place], edgecolor=DARK,
               hatch=_HATCHES[place], label=own.said(f"tune-items.{name}"))  # fmt: skip
    for nth, (_, row) in enumerate(rows.iterrows()):
        top = max(float(row["baseline"]), float(row["candidate"]))
        if row["baseline"]:
            change = float(row["difference"]) / float(row["baseline"])
            told = f"{change:+.1%}" if change else "0%"
            ax.annotate(told, (nth, top), (0, 3), textcoords="offset points", ha="center",
                        fontsize="small")  # fmt: skip
    names = [own.shown(own.words.word(f"item.{name}")) for name in rows["item"]]
    ax.set_xticks(range(len(rows)), names)
    ax.set_ylabel(own.said("tune-items.y"))
    thousands(ax)
    ax.margins(y=0.12)
    ax.legend()
    return _titled(ax, "tune-items", frame, own)


def paired(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """What a seat gets more in a game: which share of results is at most how much.

    Args:
        frame: ``WhatIf.paired``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is no result.
    """
    own = pen(language)
    values = frame.set_index("figure")["value"]
    if not len(values) or not values["seat_games"]:
        raise PlotError(own.said("nothing"))
    amounts = [float(values[name]) for name in _POINTS]
    ax.plot(amounts, _SHARES, "o-", color=BLUE, drawstyle="steps-post",
            label=own.said("tune-paired.points"))  # fmt: skip
    ax.axvline(0, color=DARK, linewidth=0.8)
    mean = frame.set_index("figure").loc["mean"]
    has_interval = mean["low"] <= mean["high"]  # of games in order there is none
    label = own.said(f"tune-paired.{'mean' if has_interval else 'mean_alone'}")
    ax.axvline(float(mean["value"]), color=ORANGE, linestyle="--", label=label)
    if has_interval:
        ax.axvspan(float(mean["low"]), float(mean["high"]), color=ORANGE, alpha=0.25, linewidth=0)
    told = own.said("tune-paired.shares", gaining=f"{values['gaining']:.1%}",
                    losing=f"{values['losing']:.1%}", flips=f"{values['flips']:.1%}")  # fmt: skip
    ax.text(0.02, 0.72, told, transform=ax.transAxes, fontsize="small", va="top")
    _spaced(ax, amounts)
    percents(ax)
    ax.set(xlabel=own.said("tune-paired.x"), ylabel=own.said("tune-paired.y"))
    ax.legend(loc="upper left")
    return _titled(ax, "tune-paired", frame, own)


def who(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Who gains and who loses: mean differences with their intervals, a row a kind.

    Args:
        frame: ``WhatIf.tiers`` or ``WhatIf.levels``: the first column says who it is.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nobody.
    """
    own = pen(language)
    rows = frame[frame["seat_games"].astype(float) > 0]
    _check(rows, own)
    kind = "tier" if frame.columns[0] == "tier" else "level"
    places = range(len(rows))
    values = rows["difference"].astype(float)
    colours = [BLUE if value >= 0 else ORANGE for value in values]
    bars = ax.barh(places, values, color=colours, edgecolor=DARK, height=0.6)
    for bar, value in zip(bars, values, strict=True):
        bar.set_hatch("" if value >= 0 else "//")
    reach = [(values - rows["low"].astype(float)).clip(lower=0),
             (rows["high"].astype(float) - values).clip(lower=0)]  # fmt: skip
    ax.errorbar(values, places, xerr=reach, fmt="none", ecolor=DARK, capsize=3)
    ax.axvline(0, color=DARK, linewidth=0.8)
    ax.set_yticks(places, [_who(kind, row, own) for _, row in rows.iterrows()])
    ax.set_xlabel(own.said("tune-who.x"))
    _spaced(ax, rows[["difference", "low", "high"]].astype(float).fillna(0).to_numpy())
    return _titled(ax, f"tune-{kind}s", frame, own)


def _who(kind: str, row: Any, own: Pen) -> str:
    import pandas as pd

    first = row.iloc[0]
    if pd.isna(first):
        return own.said("tune-who.below")
    players = f"{int(row['players']):,}"
    return own.said(f"tune-who.{kind}", kind=f"{int(first):,}", players=players)


def lorenz(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Lorenz curves under either table: gains and losses of players, or what they hold.

    Args:
        frame: ``WhatIf.lorenz`` or ``InOrder.lorenz``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: nobody has anything under either table.
    """
    own = pen(language)
    rows = frame[frame["baseline"].notna() | frame["candidate"].notna()]
    _check(rows, own)
    ax.plot([0, 100], [0, 100], color=GREY, linewidth=0.8, label=own.said("lorenz.equal"))
    for place, of in enumerate(rows["of"].unique()):
        curve = rows[rows["of"] == of]
        for side, colour in (("baseline", BLUE), ("candidate", ORANGE)):
            label = f"{own.said(f'lorenz.{of}')}: {own.said(f'tune-items.{side}')}"
            ax.plot(curve["percent"], curve[side] * 100, linestyle=LINES[place], color=colour,
                    label=label)  # fmt: skip
    ax.set(xlabel=own.said("lorenz.x"), ylabel=own.said("lorenz.y"), xlim=(0, 100), ylim=(0, 100))
    ax.legend(fontsize="small")
    return _titled(ax, "tune-lorenz", frame, own)


def tornado(
    frame: pd.DataFrame, ax: Axes, language: Language = "en", *, most: int = _MOST_BARS
) -> Axes:
    """What one per cent more in each entry does to a metric, the largest effect on top.

    Args:
        frame: rows of ``sensitivity`` of one metric.
        ax: to draw on.
        language: of the labels.
        most: bars at most.

    Raises:
        PlotError: nothing has an effect, or there are several metrics.
    """
    own = pen(language)
    if frame["metric"].nunique() > 1:
        raise PlotError(own.said("tune-tornado.several"))
    known = frame[frame["relative"].notna() & (frame["relative"] != 0)]
    rows = known.iloc[known["relative"].abs().argsort()[::-1]].head(most)
    _check(rows, own)
    rows = rows.iloc[::-1]
    for how, hatch in (("derivative", ""), ("difference", "//")):
        is_own = rows["how"] == how
        if is_own.any():
            places = [nth for nth, chosen in enumerate(is_own) if chosen]
            ax.barh(places, rows.loc[is_own, "relative"] * 100, edgecolor=DARK, hatch=hatch,
                    color=SKY if hatch else BLUE, height=0.7,
                    label=own.said(f"tune-tornado.{how}"))  # fmt: skip
    ax.axvline(0, color=DARK, linewidth=0.8)
    labels = [own.said("tune-tornado.entry", entry=row.entry, value=f"{row.value:,}")
              for row in rows.itertuples()]  # fmt: skip
    ax.set_yticks(range(len(rows)), labels, fontsize="small")
    metric = str(rows["metric"].iloc[0])
    ax.set_xlabel(own.said("tune-tornado.x", metric=metric))
    _legend_beside(ax)
    return _titled(ax, "tune-tornado", frame, own, metric=metric)


def pareto(
    frame: pd.DataFrame,
    ax: Axes,
    language: Language = "en",
    *,
    baseline: Mapping[str, float] = NO_BASELINE,
) -> Axes:
    """The Pareto set by the first two things that are wanted, and where the baseline stands.

    Args:
        frame: ``Found.front``.
        ax: to draw on.
        language: of the labels.
        baseline: ``Found.now``; none: it is not drawn.

    Raises:
        PlotError: the set is empty, or only one thing is wanted.
    """
    from matplotlib.patheffects import withStroke

    own = pen(language)
    _check(frame, own)
    if len(frame.columns) < 3:  # two wants, and what was written
        raise PlotError(own.said("tune-pareto.one"))
    x, y = frame.columns[:2]
    is_written = frame["written"].notna()
    ax.plot(frame.loc[~is_written, x], frame.loc[~is_written, y], "o", color=GREY,
            markerfacecolor="white", label=own.said("tune-pareto.others"))  # fmt: skip
    written = frame[is_written]
    ax.plot(written[x], written[y], "D", color=BLUE, label=own.said("tune-pareto.written"))
    if baseline:
        ax.plot([baseline[x]], [baseline[y]], "*", color=ORANGE, markeredgecolor=DARK,
                markersize=16, zorder=1.5, label=own.said("tune-items.baseline"))  # fmt: skip
    for _, row in written.iterrows():
        ax.annotate(own.shown(row["written"]), (row[x], row[y]), (7, -3), color=DARK,
                    textcoords="offset points", fontsize="small",
                    path_effects=[withStroke(linewidth=2, foreground="white")])  # fmt: skip
    ax.set(xlabel=own.shown(x), ylabel=own.shown(y))
    for axis, name in ((ax.xaxis, x), (ax.yaxis, y)):
        _readable(axis, [*frame[name], *([baseline[name]] if baseline else [])])
    ax.margins(0.12)
    _legend_beside(ax)
    return _titled(ax, "tune-pareto", frame, own)


def fan(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """What players hold, day by day: a fan of quantiles a table, one within the other.

    Args:
        frame: of ``standing.over_time``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is no day.
    """
    own = pen(language)
    _check(frame, own)
    shown = frame[frame["figure"].isin(["p5", "p50", "p95"])]
    for place, table in enumerate(frame["table"].unique()):
        rows = shown[shown["table"] == table].pivot(index="day", columns="figure", values="value")
        style = place % len(SERIES)
        ax.fill_between(rows.index, rows["p5"], rows["p95"], facecolor=_FILLS[style],
                        edgecolor=SERIES[style], hatch=_HATCHES[style], linewidth=0.6, alpha=0.6,
                        label=own.said("tune-fan.most", table=own.shown(table)))  # fmt: skip
        ax.plot(rows.index, rows["p50"], color=SERIES[style], linestyle=LINES[style],
                marker=MARKERS[style],
                label=own.said("tune-fan.median", table=own.shown(table)))  # fmt: skip
    scaled(ax, shown["value"].dropna().to_numpy(), "y")
    dated(ax, frame["day"])
    thousands(ax)
    ax.set(xlabel=own.said("day"), ylabel=own.said("tune-fan.y"))
    ax.legend(fontsize="small", ncols=2)
    return _titled(ax, "tune-fan", frame, own)


def over_days(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """One figure over days, a line a table, with the band of its runs where it has several.

    Args:
        frame: of ``standing.over_time``, rows of one figure that is no point of balances.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is no value, or there are several figures.
    """
    own = pen(language)
    rows = frame[frame["value"].notna()]
    _check(rows, own)
    [figure] = _only(frame["figure"].unique(), own)
    for place, table in enumerate(rows["table"].unique()):
        line, style = rows[rows["table"] == table], place % len(SERIES)
        if line["low"].notna().any():  # one run alone has no band
            ax.fill_between(line["day"], line["low"], line["high"], color=_FILLS[style],
                            alpha=0.7, linewidth=0)  # fmt: skip
        ax.plot(line["day"], line["value"], color=SERIES[style], linestyle=LINES[style],
                marker=MARKERS[style], label=own.shown(table))  # fmt: skip
    dated(ax, rows["day"])
    if figure in ("growth", "ruin"):
        percents(ax)
    ax.set(xlabel=own.said("day"), ylabel=own.said(f"tune-{figure}.y"))
    ax.margins(y=0.15)
    ax.legend(fontsize="small")
    return _titled(ax, f"tune-{figure}", frame, own)


def _readable(axis: Any, values: Sequence[float]) -> None:
    """Ticks with commas, and between whole values none."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    known = [value for value in values if math.isfinite(value)]
    is_whole = all(value == round(value) for value in known)
    axis.set_major_locator(MaxNLocator(_TICKS, integer=is_whole))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def _legend_beside(ax: Axes) -> None:
    """The legend right of the axes, where it covers nothing."""
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")


def _spaced(ax: Axes, amounts: Any) -> None:
    """Amounts along x, on a scale on which small ones can be seen, with room for the ticks."""
    scaled(ax, amounts, "x")
    thousands(ax, "x")
    ax.tick_params("x", labelrotation=30, labelsize="small")


def _only(values: Any, own: Pen) -> Any:
    if len(values) > 1:
        raise PlotError(own.said("tune-gini.several"))
    return values


def _check(rows: pd.DataFrame, own: Pen) -> None:
    if not len(rows):
        raise PlotError(own.said("nothing"))


def _titled(ax: Axes, name: str, frame: pd.DataFrame, own: Pen, **values: str) -> Axes:
    """Gives axes the question as a title, and the caption that travels with the frame."""
    ax.set_title(own.said(f"{name}.title", **values), wrap=True)
    note = frame.attrs.get("note", "")
    ax.annotate(
        own.shown(note), (0, 0), (0, -60), xycoords="axes fraction",
        textcoords="offset points", fontsize="x-small", color="#555555", va="top", wrap=True,
    )  # fmt: skip
    return ax


TUNING_PLOTS: Final[Mapping[str, DrawTuning]] = {
    "items": items,
    "paired": paired,
    "who": who,
    "lorenz": lorenz,
    "tornado": tornado,
    "pareto": pareto,
    "fan": fan,
    "over-days": over_days,
}
