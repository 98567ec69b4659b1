"""Figures of play: bombs and kou."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analytics.plots.style import (
    BLUE,
    DARK,
    LINES,
    MARKERS,
    SERIES,
    Pen,
    PlotError,
    check_rows,
    framed,
    n_of,
    pen,
    percents,
    whiskers,
)
from analytics.wording import Language

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

KOU = ("ping", "dan", "shuang")


def bombs(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Natural bombs dealt to a hand, observed beside expected.

    Args:
        frame: of the study ``bombs.dealt``, grouped by nothing else.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw.
    """
    own = pen(language)
    check_rows(frame, own)
    ax.bar(frame["dealt"], frame["share"], color="#cccccc", edgecolor=DARK, width=0.6)
    ax.errorbar(frame["dealt"], frame["share"], whiskers(frame, "share"), fmt="none",
                ecolor=DARK, capsize=3, label=own.said("observed"))  # fmt: skip
    if frame["expected_share"].notna().all():
        ax.plot(frame["dealt"], frame["expected_share"], "D", color=BLUE, markersize=6,
                markerfacecolor="white", markeredgewidth=1.8,
                label=own.said("expected"))  # fmt: skip
    ax.set(xlabel=own.said("bombs.x"), ylabel=own.said("share_hands"))
    percents(ax)
    ax.legend()
    return framed(ax, "bombs", frame, own, own.said("intervals"))


def xiang_kou(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Kou by the best xiang that the winner played, as a heat map with its numbers.

    Args:
        frame: of the study ``kou`` by ``winner_best`` and ``seats``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or games of two and of four players.
    """
    own = pen(language)
    known = _played_out(frame, "winner_best", own)
    table = known.pivot(index="kou", columns="winner_best", values="share").loc[list(KOU)]
    counts = known.pivot(index="kou", columns="winner_best", values="games").loc[list(KOU)]
    shares = table.to_numpy(dtype=float)
    ax.imshow(shares, cmap="Greys", vmin=0, vmax=1, aspect="auto")
    for row, column in ((r, c) for r in range(shares.shape[0]) for c in range(shares.shape[1])):
        ink = "white" if shares[row, column] > 0.55 else DARK
        text = f"{shares[row, column]:.0%}\n({counts.iloc[row, column]:,})"
        ax.text(column, row, text, ha="center", va="center", color=ink, fontsize="x-small")
    ax.set_xticks(range(shares.shape[1]), [str(xiang) for xiang in table.columns])
    ax.set_yticks(range(len(KOU)), [own.shown(own.words.word(f"kou.{name}")) for name in KOU])
    ax.set(xlabel=own.said("xiang-kou.x"), ylabel=own.said("xiang-kou.y"))
    return framed(
        ax, "xiang-kou", frame, own, own.said("xiang-kou.drawn"), n=n_of(known, own, "n_out")
    )


def kou_by_bombs(frame: pd.DataFrame, ax: Axes, language: Language = "en") -> Axes:
    """Shares of ping, dan and shuang by the bombs that the loser played.

    Args:
        frame: of the study ``kou`` by ``loser_bombs`` and ``seats``.
        ax: to draw on.
        language: of the labels.

    Raises:
        PlotError: there is nothing to draw, or games of two and of four players.
    """
    own = pen(language)
    known = _played_out(frame, "loser_bombs", own)
    for place, name in enumerate(KOU):
        rows = known[known["kou"] == name]
        ax.errorbar(
            rows["loser_bombs"].astype(float) + 0.12 * (place - 1), rows["share"],
            whiskers(rows, "share"), color=SERIES[place], marker=MARKERS[place],
            linestyle=LINES[place], capsize=2, label=own.shown(own.words.word(f"kou.{name}")),
        )  # fmt: skip
    ax.set(xlabel=own.said("kou-by-bombs.x"), ylabel=own.said("share"), ylim=(0, 1))
    percents(ax)
    ax.legend(ncols=3)
    return framed(
        ax, "kou-by-bombs", frame, own, own.said("intervals"), n=n_of(known, own, "n_out")
    )


def _played_out(frame: pd.DataFrame, column: str, own: Pen) -> pd.DataFrame:
    """The rows of games that were played out, all of one number of players.

    Raises:
        PlotError: there are none, or some of two and some of four players.
    """
    check_rows(frame, own)
    known = frame[frame[column].notna() & (frame["opportunities"] > 0)]
    seats = sorted(set(known["seats"]))
    if not seats:
        raise PlotError(own.said("nothing"))
    if len(seats) > 1:
        raise PlotError(own.said("several_seats", first=seats[0]))
    return known
