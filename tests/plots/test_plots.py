"""Figures: what would be drawn is what the frame says."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import replace
from datetime import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from analytics.plots import PLOTS, PlotError, drawing, fonts
from analytics.plots.style import caption, pen
from analytics.studies import Studied
from tests.plots.conftest import Axes

each = pytest.mark.parametrize("name", PLOTS)
HANZI = re.compile("[\u2e80-\uffef]")


def texts(ax: Any) -> list[str]:
    """All texts of axes: title, labels, ticks, legend, caption."""
    legend = ax.get_legend()
    own = [ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()]
    own += [text.get_text() for text in ax.texts]
    own += [label.get_text() for label in (*ax.get_xticklabels(), *ax.get_yticklabels())]
    return own + [text.get_text() for text in (legend.get_texts() if legend else ())]


# What a figure draws beside its points: intervals, bands, limits; nothing else is claimed.
DRAWN = {
    "bombs": "whiskers: intervals of 95 %",
    "xiang-kou": "columns add up to 100 %",
    "kou-by-bombs": "whiskers: intervals of 95 %",
    "results": "bands: quantiles of single results",
    "items": "percent: share of all that changes accounts",
    "flows": "unit = 'wealth'",
    "lorenz": "a point a player, a hundred at most",
    "balances": "bands: quantiles of players",
    "deals": "crosses: verdicts corrected for the number of points",
    "mismatches": "limits: 3 standard errors around all days together",
}


def games_of(name: str, frame: Any) -> int:
    """Of how many games a figure is: those in its rows; else those that were chosen."""
    if name in ("xiang-kou", "kou-by-bombs"):
        return int(frame[frame[PLOTS[name].by[0]].notna()]["games"].sum())
    if name in ("results", "flows", "mismatches"):
        return int(frame["games"].sum())
    return int(frame["games"].max() if name == "items" else frame.attrs["about"].games)


@each
def test_title_is_a_question_and_the_caption_says_of_what(axes: Axes, name: str) -> None:
    """The question, n, the ruleset, the choice of games."""
    ax, frame = axes(name)
    assert ax.get_title(loc="left").endswith("?")
    caption = ax.texts[-1].get_text()
    assert f"n = {games_of(name, frame):,} games" in caption
    assert "huopin-wealth@1" in caption
    assert "unit = 'wealth'" in caption
    assert caption.endswith(DRAWN[name])


def test_the_caption_says_days_that_are_not_those_of_the_warehouse(studied: Studied) -> None:
    """When a day begins and in which zone, in both languages; the usual is not said."""
    usual = studied.study("findings.games", day_start=time(0), zone="Asia/Shanghai")
    assert not re.search("days|Shanghai|时区", caption(usual, pen()) + caption(usual, pen("zh")))
    frame = studied.study("findings.games", day_start=time(6), zone="Asia/Tokyo")
    assert " · days begin at 06:00 · days of Asia/Tokyo" in caption(frame, pen())
    assert " · 每日自 06:00 起 · 时区 Asia/Tokyo" in caption(frame, pen("zh"))


@each
def test_chinese_figures_are_drawn_in_hanzi_without_a_missing_glyph(axes: Axes, name: str) -> None:
    """With a font every glyph is there: a box would be a warning, which is an error."""
    assert fonts.hanzi_family() is not None  # of the extra, which the tests bring
    ax, _ = axes(name, language="zh")
    assert HANZI.search(ax.get_title(loc="left"))
    with warnings.catch_warnings(), drawing():
        warnings.simplefilter("error")
        ax.figure.savefig(io.BytesIO(), format="png")


@each
def test_without_a_font_no_hanzi_is_drawn(
    axes: Axes, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels are in English, and hanzi of the question are escapes: no boxes."""
    monkeypatch.setattr("analytics.plots.style.hanzi_family", lambda: None)
    ax, _ = axes(name, where="unit = 'wealth' AND room <> '财'", language="zh")
    assert not HANZI.search("".join(texts(ax)))
    assert r"\u8d22" in "".join(texts(ax))
    with warnings.catch_warnings(), drawing():
        warnings.simplefilter("error")
        ax.figure.savefig(io.BytesIO(), format="png")


@each
def test_a_frame_that_is_of_no_study_or_of_another_is_refused(axes: Axes, name: str) -> None:
    """A sentence says which study the figure is drawn of."""
    ax, frame = axes(name)
    other = frame.copy()
    other.attrs["about"] = replace(frame.attrs["about"], study="length")
    sentence = f"The figure {name} is drawn of the study {PLOTS[name].study} by .*study length"
    with pytest.raises(PlotError, match=sentence):
        PLOTS[name].draw(other, ax)
    other.attrs.clear()
    with pytest.raises(PlotError, match="comes from no study"):
        PLOTS[name].draw(other, ax)
    with pytest.raises(PlotError, match="comes from no study"):
        PLOTS[name].paint(other, ax)


@pytest.mark.parametrize("name", ["flows", "balances", "mismatches"])
def test_without_a_day_nothing_is_drawn_by_day(axes: Axes, name: str) -> None:
    """Games of which none has a start have no days: a sentence."""
    ax, frame = axes(name)
    frame["day"] = None
    with pytest.raises(PlotError, match="None of these games has a start"):
        PLOTS[name].draw(frame, ax)


@pytest.mark.parametrize("name", ["xiang-kou", "kou-by-bombs"])
def test_games_of_two_and_of_four_are_not_one_figure(axes: Axes, name: str) -> None:
    """The sentence says how to choose; n is of those that were played out."""
    with pytest.raises(PlotError, match=r"two and of four.*seats = 2"):
        axes(name, where=None)
    ax, frame = axes(name, where="seats = 4")
    games = frame[frame[PLOTS[name].by[0]].notna()]["games"].sum()
    assert f"n = {games:,} games played out" in ax.texts[-1].get_text()


@each
def test_a_figure_of_nothing_is_refused(axes: Axes, name: str) -> None:
    """Without a game there is a sentence and no empty figure."""
    with pytest.raises(PlotError, match="no such games"):
        axes(name, where="false")


@pytest.mark.parametrize("name", ["results", "items", "flows", "lorenz", "balances"])
def test_money_of_several_units_is_refused(axes: Axes, name: str) -> None:
    """The sentence says which units there are, and how to choose one."""
    with pytest.raises(PlotError, match=r"coins, points, silver, wealth.*unit = 'coins'"):
        axes(name, where=None)


@each
def test_the_same_figure_has_the_same_bytes(axes: Axes, name: str) -> None:
    """SVG and PNG, drawn twice."""
    for form, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
        made = []
        for _ in range(2):
            ax, _frame = axes(name)
            with drawing():
                ax.figure.savefig(file := io.BytesIO(), format=form, metadata=metadata)
            made.append(file.getvalue())
        assert made[0] == made[1]


def test_bombs_draws_shares_and_exact_odds(axes: Axes) -> None:
    """Bars are observed shares; marks are the odds, only where deals are uniform."""
    ax, frame = axes("bombs", where="deal = 'uniform'")
    assert [bar.get_height() for bar in ax.patches] == pytest.approx(list(frame["share"]))
    marks = next(line for line in ax.lines if line.get_marker() == "D")
    assert list(marks.get_ydata()) == pytest.approx(list(frame["expected_share"]))
    mixed, _ = axes("bombs", where=None)
    assert not [line for line in mixed.lines if line.get_marker() == "D"]


def test_xiang_kou_is_a_table_of_shares(axes: Axes) -> None:
    """Columns add up to one; every cell says its share and its count."""
    ax, frame = axes("xiang-kou")
    shares = np.asarray(ax.images[0].get_array())
    assert shares.sum(axis=0) == pytest.approx(np.ones(shares.shape[1]))
    said = [text.get_text() for text in ax.texts[:-1]]
    known = frame[frame["winner_best"].notna() & (frame["opportunities"] > 0)]
    assert len(said) == len(known)
    assert sum(int(re.search(r"\((.*)\)", text)[1].replace(",", "")) for text in said) == (
        known["games"].sum()
    )


def test_kou_by_bombs_has_a_line_a_kou(axes: Axes) -> None:
    """Three lines of different colour, marker and style, with whiskers."""
    ax, frame = axes("kou-by-bombs")
    lines = [container[0] for container in ax.containers]
    assert len({(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines}) == 3
    for line, name in zip(lines, ("ping", "dan", "shuang"), strict=True):
        known = frame[(frame["kou"] == name) & (frame["opportunities"] > 0)]
        known = known[known["loser_bombs"].notna()]
        assert list(line.get_ydata()) == pytest.approx(list(known["share"]))


def test_results_are_bands_of_quantiles(axes: Axes) -> None:
    """From 1 % to 99 %, from 5 % to 95 %, from 25 % to 75 %, the median on top."""
    ax, frame = axes("results")
    for band, (low, high) in zip(
        ax.collections, (("p1", "p99"), ("p5", "p95"), ("p25", "p75")), strict=True
    ):
        ends = [(segment[0][0], segment[1][0]) for segment in band.get_segments()]
        assert ends == list(zip(frame[low], frame[high], strict=True))


@pytest.mark.parametrize("where", ["unit = 'wealth'", "rules = 'baibian'"])
def test_items_stand_on_one_another(axes: Axes, where: str) -> None:
    """Each bar begins where the one before ends; the last is all that moves, by where it goes."""
    ax, frame = axes("items", where=where)
    bars = [(bar.get_y(), bar.get_height()) for bar in ax.patches]
    assert [y for y, _ in bars[1:-3]] == [y + height for y, height in bars[:-4]]
    moved, system = frame["moved"].sum(), frame["system"]
    taken, minted = system.clip(lower=0).sum(), -system[frame["item"] == "mint"].sum()
    assert [height for _, height in bars[-3:]] == [moved - taken - minted, minted, taken]
    assert (minted > 0) == ("baibian" in where)
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert ("from the system" in legend) == (minted > 0)
    shares = [text for text in ax.texts[:-1] if "%" in text.get_text()]
    assert len(shares) == (frame["moved"] > 0).sum()
    assert max(text.xy[1] for text in shares) < 0.95 * ax.get_ylim()[1]


def test_flows_go_up_and_down(axes: Axes) -> None:
    """Sinks above zero, faucets below, the difference as a line."""
    ax, frame = axes("flows", where="rules = 'baibian'")
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == [*frame["sinks"], *(-frame["faucets"])]
    assert min(heights) < 0  # baibian mints
    assert ax.get_ylim()[1] > 0  # the legend stands above the bars
    assert list(ax.lines[0].get_ydata()) == list(frame["drain"])


def test_lorenz_goes_from_nothing_to_all(axes: Axes) -> None:
    """A diagonal and three curves below it: straight from player to player, no staircase."""
    ax, frame = axes("lorenz")
    assert list(ax.lines[0].get_ydata()) == [0, 100]
    for line, name in zip(ax.lines[1:], ("balances", "gains", "losses"), strict=True):
        rows = frame[frame["of"] == name]
        points = sorted(
            set(zip(100 * rows["counted"] / rows["players"], rows["share"] * 100, strict=True))
        )
        x, y = list(line.get_xdata()), list(line.get_ydata())
        assert list(zip(x, y, strict=True)) == points
        assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 100, 100)
        assert all(low < high for low, high in pairwise(x))
        assert (line.get_ydata() <= line.get_xdata() + 1e-9).all()


def test_balances_are_a_fan_around_the_median(axes: Axes) -> None:
    """The line is the median of every day."""
    ax, frame = axes("balances")
    assert list(ax.lines[0].get_ydata()) == list(frame["p50"])


def test_days_beyond_the_limits_are_marked(axes: Axes) -> None:
    """Three standard errors around the share of all days; what lies outside has a cross."""
    ax, frame = axes("mismatches", where=None)
    center = frame["mismatched"].sum() / frame["games"].sum()
    half = 3 * (center * (1 - center) / frame["games"]) ** 0.5
    outside = frame[(frame["share"] - center).abs() > half]
    crosses = [line for line in ax.lines if line.get_marker() == "X"]
    assert [list(line.get_ydata()) for line in crosses] == (
        [list(outside["share"])] if len(outside) else []
    )
    assert list(ax.lines[0].get_ydata()) == pytest.approx([center, center])


def test_without_errors_points_lie_on_a_floor_of_their_own(axes: Axes) -> None:
    """The axis has room for one game with an error, not for 100 %; points are not cut."""
    _, frame = axes("mismatches", where="rules = 'jiule'")
    frame[["mismatched", "share"]] = 0
    again = Figure().subplots()
    PLOTS["mismatches"].draw(frame, again)
    assert again.get_ylim() == (0, pytest.approx(1.25 / frame["games"].max()))
    assert not again.lines[1].get_clip_on()


def test_a_funnel_has_a_point_for_each_seat_and_marks_what_strays(axes: Axes) -> None:
    """Excess by hands; where no verdict says that deals stray there is no cross."""
    ax, frame = axes("deals")
    bombs = frame[frame["measure"] == "bombs"]
    drawn = [line for line in ax.lines if line.get_marker() in ("o", "s", "^")]
    assert sum(len(line.get_ydata()) for line in drawn) == len(bombs)
    hands = bombs["games"] * bombs["seat"].isna().map({True: 2, False: 1})
    for name, values in (("x", hands), ("y", bombs["excess"])):
        points = [value for line in drawn for value in getattr(line, f"get_{name}data")()]
        assert sorted(points) == pytest.approx(sorted(values))
    assert not [line for line in ax.lines if line.get_marker() == "X"]
    frame.loc[bombs.index[0], "verdict"] = "too many"
    again = Figure().subplots()
    PLOTS["deals"].draw(frame, again)
    (cross,) = [line for line in again.lines if line.get_marker() == "X"]
    assert list(cross.get_ydata()) == [bombs["excess"].iloc[0]]
    upper = max((line for line in ax.lines if len(line.get_xdata()) == 200), key=_height)
    half = (bombs["rate_high"] - bombs["rate_low"]) / 2 * hands / bombs["expected"]
    assert _height(upper) >= float(half.max()) - 1e-9


def _height(line: Any) -> float:
    return float(line.get_ydata()[0])


def test_a_dollar_is_a_dollar(axes: Axes) -> None:
    """What is asked for is shown as it is, not as mathematics."""
    ax, _ = axes("bombs", where="room <> '$x$' AND room <> '$y'")
    with drawing():
        ax.figure.savefig(io.BytesIO(), format="png")
    assert "'$x$'" in ax.texts[-1].get_text()


def test_english_stays_english_where_there_is_a_font() -> None:
    """The language is that which was asked for."""
    assert pen("en").words.language == "en"
    assert pen("zh").words.language == "zh"
