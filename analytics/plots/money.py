"""Figures of money: results, items, flows, inequality, balances. Each is of one unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from analytics.ledger import ITEM_NAMES
from analytics.plots.style import (
    BLUE,
    DARK,
    GREY,
    LINES,
    ORANGE,
    SERIES,
    SKY,
    by_day,
    dated,
    framed,
    n_of,
    pen,
    scaled,
    thousands,
    unit_of,
)
from analytics.wording import Language

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_BANDS = (("nearly", "p1", "p99", 3.0, GREY), ("most", "p5", "p95", 7.0, SKY),
          ("middle", "p25", "p75", 12.0, BLUE))  # fmt: skip

_ROWS = 4  # that fill a figure

_FAN = (("most", "p5", "p95", "#cfe6f5"), ("middle", "p25", "p75", SKY))


def results(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """What seats gain and lose in a game, as bands of quantiles, a row a ruleset.

    Args:
        frame: of the study ``economy.results`` by ``ruleset``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or there are several units.
    """
    own = pen(language)
    unit = unit_of(frame, own)
    places = range(len(frame))
    wide = max(1.0, _ROWS / len(frame))  # few rows are drawn wider, or the figure is empty
    for name, low, high, width, colour in _BANDS:
        ax.hlines(places, frame[low], frame[high], linewidth=wide * width, color=colour,
                  label=own.said(f"results.{name}"))  # fmt: skip
    ax.plot(frame["p50"], places, "|", color="white", markersize=11 * wide, markeredgewidth=2.5)
    ax.plot(frame["p50"], places, "|", color=DARK, markersize=16 * wide, markeredgewidth=1,
            label=own.said("results.median"))  # fmt: skip
    ax.axvline(0, color=DARK, linewidth=0.8)
    ax.set_yticks(places, [own.shown(name) for name in frame["ruleset"]])
    ax.set(xlabel=own.said("results.x", unit=unit), ylim=(-0.7, len(frame) - 0.1))
    scaled(ax, frame[["p1", "p5", "p25", "p75", "p95", "p99"]].to_numpy(), "x")
    thousands(ax, "x")
    legend = ax.legend(ncols=4, fontsize="small", loc="upper center")
    *bands, median = cast("list[Any]", legend.legend_handles)
    for handle, (*_, width, _colour) in zip(bands, _BANDS, strict=True):
        handle.set(linewidth=width)
    median.set(markersize=16)
    return framed(ax, "results", frame, own, own.said("results.drawn"), n=n_of(frame, own))


def items(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """What moves through each item, one on top of the other, up to all that moves.

    Args:
        frame: of the study ``economy``, grouped by nothing else.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or there are several units.
    """
    own = pen(language)
    unit = unit_of(frame, own)
    rows = frame[frame["moved"] > 0].set_index("item")
    taken = rows["system"].clip(lower=0)
    minted = (rows["moved"] + rows["paid"]).clip(lower=0)  # what no seat paid; ``mint`` moves none
    names = [name for name in ITEM_NAMES if name in rows.index]
    below = 0
    for place, name in enumerate(names):
        moved = int(rows["moved"][name])
        _item_bar(ax, place, below, (moved, int(taken[name]), int(minted[name])))
        ax.annotate(f"{rows['share'][name]:.1%}", (place, below + moved), (0, 2),
                    textcoords="offset points", ha="center", fontsize="small")  # fmt: skip
        below += moved
    said = [own.said(f"items.{part}") for part in ("seats", "minted", "system")]
    _item_bar(ax, len(names), 0, (below, int(taken.sum()), int(minted.sum())), said)
    labels = [own.shown(own.words.word(f"item.{name}")) for name in names]
    ax.set_xticks(range(len(names) + 1), [*labels, own.said("items.total")])
    ax.set_ylabel(own.said("amount", unit=unit))
    thousands(ax)
    ax.set_ylim(0, 1.1 * below)  # room for the last share
    ax.legend(loc="upper left")
    return framed(ax, "items", frame, own, own.said("items.drawn"), n=n_of(frame[:1], own))


def _item_bar(
    ax: Axes, place: int, below: int, amounts: tuple[int, int, int], said: Sequence[str] = ()
) -> None:
    """A bar of what moved: between seats, then from the system to seats, then to the system.

    Args:
        ax: to draw on.
        place: of the bar.
        below: where it begins.
        amounts: what moved, what of it the system took, and what it gave.
        said: what the legend says of the three parts; nothing if there are none.
    """
    moved, taken, minted = amounts
    parts = ((moved - taken - minted, BLUE, ""), (minted, SKY, ".."), (taken, ORANGE, "//"))
    for nth, (amount, color, hatch) in enumerate(parts):
        label = said[nth] if said and amount else "_"
        ax.bar(place, amount, bottom=below, color=color, edgecolor=DARK, width=0.6, hatch=hatch,
               label=label)  # fmt: skip
        below += amount


def flows(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """What the system takes and gives, a bar a day.

    Args:
        frame: of the study ``economy.turnover`` by ``day``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or there are several units.
    """
    own = pen(language)
    known = by_day(frame, own)
    unit = unit_of(known, own)
    ax.bar(known["day"], known["sinks"], color=BLUE, edgecolor=DARK, width=0.7,
           label=own.said("flows.sinks"))  # fmt: skip
    ax.bar(known["day"], -known["faucets"], color=ORANGE, edgecolor=DARK, hatch="//", width=0.7,
           label=own.said("flows.faucets"))  # fmt: skip
    ax.plot(known["day"], known["drain"], "o-", color=DARK, label=own.said("flows.drain"))
    ax.axhline(0, color=DARK, linewidth=0.8)
    dated(ax, known["day"])
    ax.set(xlabel=own.said("day"), ylabel=own.said("amount", unit=unit))
    thousands(ax)
    ax.margins(y=0.05)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.15 * (high - low))  # room for the legend, also without sinks
    ax.legend(fontsize="small", ncols=3, loc="upper left")
    return framed(ax, "flows", frame, own, n=n_of(known, own))


def lorenz(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Lorenz curves of balances, gains and losses.

    Args:
        frame: of the study ``economy.lorenz``, grouped by nothing else.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or there are several units.
    """
    own = pen(language)
    unit_of(frame, own)
    ax.plot([0, 100], [0, 100], color=GREY, linewidth=0.8, label=own.said("lorenz.equal"))
    for place, name in enumerate(("balances", "gains", "losses")):
        rows = frame[frame["of"] == name].drop_duplicates("counted")
        if len(rows):
            poorest = 100 * rows["counted"] / rows["players"]
            ax.plot(poorest, rows["share"] * 100, linestyle=LINES[place],
                    color=SERIES[place], linewidth=2, label=own.said(f"lorenz.{name}"))  # fmt: skip
    ax.set(xlabel=own.said("lorenz.x"), ylabel=own.said("lorenz.y"), xlim=(0, 100), ylim=(0, 100))
    ax.legend()
    return framed(ax, "lorenz", frame, own, own.said("lorenz.drawn"))


def balances(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """What players hold, day by day, as a fan of quantiles.

    Args:
        frame: of the study ``economy.balances`` by ``day``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or there are several units.
    """
    own = pen(language)
    known = by_day(frame, own)
    unit = unit_of(known, own)
    days = known["day"].to_numpy()
    for name, low, high, colour in _FAN:
        ends = known[[low, high]].astype(float).to_numpy()
        label = own.said(f"results.{name}")
        if len(days) > 1:
            ax.fill_between(days, ends[:, 0], ends[:, 1], facecolor=colour, edgecolor=DARK,
                            linewidth=0.5, label=label)  # fmt: skip
        else:
            ax.bar(days, ends[:, 1] - ends[:, 0], bottom=ends[:, 0], width=0.4, color=colour,
                   edgecolor=DARK, label=label)  # fmt: skip
    ax.plot(days, known["p50"], "o-", color=DARK, label=own.said("results.median"))
    dated(ax, known["day"])
    scaled(ax, known[["p5", "p25", "p50", "p75", "p95"]].to_numpy(), "y")
    ax.set(xlabel=own.said("day"), ylabel=own.said("balances.y", unit=unit))
    ax.margins(y=0.15)
    thousands(ax)
    ax.legend(ncols=3, fontsize="small", loc="upper left")
    return framed(ax, "balances", frame, own, own.said("balances.drawn"))
