"""What all figures share: colours, fonts, title, caption."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import time
from typing import TYPE_CHECKING, Any, Final

from analytics.plots.fonts import drawable, hanzi_family
from analytics.studies.asking import MIDNIGHT
from analytics.wording import Language, Words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from analytics.studies.opening import About

# From Okabe and Ito's palette, which colour-blind readers can tell apart, in an order in
# which the greys differ as well; markers and hatches tell the same without any colour.
DARK: Final = "#000000"
BLUE: Final = "#0072b2"
ORANGE: Final = "#e69f00"
SKY: Final = "#56b4e9"
VERMILION: Final = "#d55e00"
GREY: Final = "#888888"
SERIES: Final = (BLUE, ORANGE, DARK)
MARKERS: Final = ("o", "s", "^")
LINES: Final = ("-", "--", ":")


class PlotError(Exception):
    """A frame cannot be drawn so; the text is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Pen:
    """Says texts in the language of a figure.

    Attributes:
        words: of the language that can be drawn.
        family: the font that draws hanzi; None: none does.
    """

    words: Words
    family: str | None

    def said(self, key: str, /, **values: object) -> str:
        """A text of figures with its values, as it can be drawn."""
        return self.shown(self.words.said(f"plot.{key}", **values))

    def shown(self, text: str) -> str:
        """Any text, as it can be drawn."""
        return drawable(text, self.family)


def pen(language: Language = "en") -> Pen:
    """A pen for a language; English where there is no font for Chinese."""
    family = hanzi_family()
    return Pen(Words("en" if family is None else language), family)


def hint(language: Language) -> str | None:
    """What to say where the labels could not be in the language that was asked for."""
    if language == "en" or hanzi_family() is not None:
        return None
    return Words(language).said("plot.no_font")


@contextmanager
def drawing() -> Iterator[None]:
    """Inside, figures have the fonts and looks of paipu, and the same bytes every time."""
    import matplotlib

    family = hanzi_family()
    settings: Any = {
        "font.family": ["DejaVu Sans", *([family] if family else [])],
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.unicode_minus": False,
        "axes.titlelocation": "left",
        "legend.frameon": False,
        "svg.hashsalt": "paipu",
        "text.parse_math": False,  # a dollar in --where is a dollar
    }
    with matplotlib.rc_context(settings):
        yield


def framed(ax: Axes, name: str, frame: pd.DataFrame, own: Pen, *said: str, n: str = "") -> Axes:
    """Gives axes the question as a title, and the caption.

    Args:
        ax: to be framed.
        name: of the figure.
        frame: that was drawn.
        own: says texts.
        said: what the figure draws: which intervals, bands or limits.
        n: of how many games; all that were chosen if it is not told.
    """
    ax.set_title(own.said(f"{name}.title"), wrap=True)
    ax.annotate(
        own.shown(caption(frame, own, n, *said)), (0, 0), (0, -46), xycoords="axes fraction",
        textcoords="offset points", fontsize="x-small", color="#555555", va="top", wrap=True,
    )  # fmt: skip
    return ax


def n_of(rows: pd.DataFrame, own: Pen, key: str = "n") -> str:
    """What a caption says where rows rest on fewer games than were chosen."""
    return own.said(key, games=f"{rows['games'].sum():,}")


def caption(frame: pd.DataFrame, own: Pen, n: str = "", *said: str) -> str:
    """What a figure is made of: n, rulesets, what was asked for; and what it draws.

    Days are said where they are not those of the warehouse.
    """
    about = about_of(frame, own)
    asked = about.asked
    parts = [
        n or own.said("n", games=f"{about.games:,}"),
        ", ".join(about.rulesets),
        own.said("since", day=asked.since) if asked.since else "",
        own.said("until", day=asked.until) if asked.until else "",
        own.said("day_start", time=_shortest(asked.day_start))
        if asked.day_start != MIDNIGHT
        else "",
        own.said("zone", zone=asked.zone) if asked.zone != asked.home else "",
        asked.where or "",
        *said,
    ]
    return " · ".join(part for part in parts if part)


def _shortest(moment: time) -> str:
    """A time of day, with seconds only where it has some."""
    return moment.isoformat("seconds" if moment.second else "minutes")


def about_of(frame: pd.DataFrame, own: Pen) -> About:
    """What a frame of a study is about.

    Raises:
        PlotError: it is of no study, or has lost its ``attrs``.
    """
    about: About | None = frame.attrs.get("about")
    if about is None:
        raise PlotError(own.said("no_study"))
    return about


def check_study(frame: pd.DataFrame, name: str, study: str, by: Sequence[str], own: Pen) -> None:
    """Refuses a frame that a figure cannot be drawn of.

    Raises:
        PlotError: it is of another study, of none, or grouped otherwise.
    """
    about = about_of(frame, own)
    if (about.study, set(about.asked.by)) != (study, set(by)):
        wanted, given = _said_study(study, by, own), _said_study(about.study, about.asked.by, own)
        raise PlotError(own.said("other_study", name=name, wanted=wanted, given=given))


def _said_study(study: str, by: Sequence[str], own: Pen) -> str:
    return own.said("study_by", study=study, by=", ".join(by) or "-")


def by_day(frame: pd.DataFrame, own: Pen) -> pd.DataFrame:
    """The rows of a frame that have a day.

    Raises:
        PlotError: there is nothing, or no game has a start.
    """
    check_rows(frame, own)
    known = frame[frame["day"].notna()]
    if not len(known):
        raise PlotError(own.said("no_days"))
    return known


def check_rows(frame: pd.DataFrame, own: Pen) -> None:
    """Refuses what cannot be drawn.

    Raises:
        PlotError: there is nothing.
    """
    if not len(frame) or not about_of(frame, own).games:
        raise PlotError(own.said("nothing"))


def unit_of(frame: pd.DataFrame, own: Pen) -> str:
    """The unit of all amounts of a frame.

    Raises:
        PlotError: there is nothing, or amounts of several units.
    """
    check_rows(frame, own)
    units: Sequence[str] = sorted(set(frame["unit"]))
    if len(units) > 1:
        raise PlotError(own.said("several_units", units=", ".join(units), first=units[0]))
    return own.shown(units[0])


def whiskers(frame: pd.DataFrame, name: str) -> Any:
    """Distances of the ends of intervals from their middles, as ``errorbar`` wants them."""
    low = (frame[name] - frame[f"{name}_low"]).clip(lower=0)
    high = (frame[f"{name}_high"] - frame[name]).clip(lower=0)
    return [low.to_numpy(), high.to_numpy()]


def scaled(ax: Axes, values: Any, axis: str) -> None:
    """A logarithmic scale, linear near zero where it has to be, for amounts that differ much."""
    import numpy as np

    amounts = np.asarray(values, dtype=float)
    sizes = np.abs(amounts[amounts != 0])
    if not len(sizes) or sizes.max() < MUCH * sizes.min():
        return
    set_scale = ax.set_yscale if axis == "y" else ax.set_xscale
    if (amounts > 0).all():
        set_scale("log")
        return
    least, most = (int(np.floor(np.log10(size))) for size in (sizes.min(), sizes.max()))
    least = max(least, most - _DECADES)
    set_scale("symlog", linthresh=10.0**least)
    # Every second power where there are many, so that labels do not touch.
    tens = [10.0**power for power in range(most, least, -2 if most - least >= _DECADES else -1)]
    (ax.yaxis if axis == "y" else ax.xaxis).set_ticks([*(-ten for ten in tens), 0.0, *tens[::-1]])


_DECADES: Final = 4  # on each side of zero that there is room for
MUCH: Final = 30  # the largest amount over the smallest, from which a linear scale hides


def percents(ax: Axes, axis: str = "y") -> None:
    """Ticks as per cent."""
    from matplotlib.ticker import PercentFormatter

    (ax.yaxis if axis == "y" else ax.xaxis).set_major_formatter(PercentFormatter(1.0))


def thousands(ax: Axes, axis: str = "y") -> None:
    """Ticks as whole amounts with commas."""
    from matplotlib.ticker import FuncFormatter

    chosen = ax.yaxis if axis == "y" else ax.xaxis
    chosen.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def log_counts(ax: Axes) -> None:
    """A logarithmic x axis of counts, with ticks at 1, 2 and 5 of each power of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_minor_formatter(NullFormatter())
    thousands(ax, "x")


def dated(ax: Axes, days: pd.Series) -> None:
    """Ticks at days that there are, as many as there is room for."""
    import pandas as pd

    dates = pd.DatetimeIndex(days.unique()).sort_values()
    step = math.ceil(len(dates) / _DATES)
    shown = dates[::step]
    half = pd.Timedelta(hours=15)
    ax.set_xlim(dates[0] - half, dates[-1] + half)
    ax.set_xticks(list(shown), [f"{date:%Y-%m-%d}" for date in shown])


_DATES: Final = 7  # that stand beside one another on a figure
