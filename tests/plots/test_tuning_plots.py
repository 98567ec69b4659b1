"""Figures of tuning: what would be drawn is what the frame says."""

from __future__ import annotations

import io
import re
import warnings
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analytics.plots import PlotError, drawing
from analytics.plots import tuning as T
from tests.plots.test_plots import HANZI, texts

DAYS = pd.to_datetime(["2026-11-02", "2026-11-03"])


def economy() -> pd.DataFrame:
    """Two items that move, one that does not, and a line of another study."""
    rows = [
        ("economy", "base", "moved", 100, 150, 50),
        ("economy", "fee", "moved", 0, 30, 30),
        ("economy", "cap", "moved", 0, 0, 0),
        ("economy.turnover", "", "turnover", 7, 8, 1),
    ]
    columns = ["study", "item", "figure", "baseline", "candidate", "difference"]
    return pd.DataFrame(rows, columns=columns, dtype=object)


def paired() -> pd.DataFrame:
    """Differences from -8 to 8."""
    values = {"seat_games": 10, "mean": 1.5, "worst": -8, "p1": -6, "p5": -4, "p25": -2, "p50": 0,
              "p75": 2, "p95": 4, "p99": 6, "best": 8, "gaining": 0.4, "losing": 0.35,
              "flips": 0.05}  # fmt: skip
    frame = pd.DataFrame({"figure": list(values), "value": list(values.values())}, dtype=object)
    return frame.assign(low=1.0, high=2.0)


def who(kind: str) -> pd.DataFrame:
    """One kind that gains and one that loses."""
    rows = [(1, 5, 20, 3.0, 2.0, 4.0), (2, 6, 30, -1.0, -2.5, 0.5)]
    columns = [kind, "players", "seat_games", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def lorenz() -> pd.DataFrame:
    """One has all under the baseline; all have the same under the candidate; nobody lost."""
    gains = pd.DataFrame({"of": "gains", "percent": [0, 50, 100], "baseline": [0.0, 0.0, 1.0],
                          "candidate": [0.0, 0.5, 1.0]})  # fmt: skip
    return pd.concat([gains, gains.assign(of="losses", baseline=None, candidate=None)])


def sensitivity() -> pd.DataFrame:
    """Three entries, one of which has no effect."""
    rows = [
        ("turnover", "scoring.fee", 5, 0.01, "derivative"),
        ("turnover", "scoring.kou.dan", 2, -0.03, "difference"),
        ("turnover", "scoring.share", 0, 0.0, "derivative"),
    ]
    return pd.DataFrame(rows, columns=["metric", "entry", "value", "relative", "how"])


def front() -> pd.DataFrame:
    """Three tables, two of which were written."""
    return pd.DataFrame(
        {"fees": [1.0, 2.0, 3.0], "changed": [1, 2, 3], "written": ["g-1", None, "g-2"]}
    )


def over_time(*figures: str) -> pd.DataFrame:
    """Two tables, two days; values tell which is which."""
    rows = [
        (table, figure, day, at + nth, at + nth - 0.5, at + nth + 0.5)
        for table, at in (("a@1", 10), ("b@1", 20))
        for figure in figures
        for nth, day in enumerate(DAYS)
    ]
    return pd.DataFrame(rows, columns=["table", "figure", "day", "value", "low", "high"])


CASES: dict[str, tuple[Any, pd.DataFrame]] = {
    "items": (T.items, economy()),
    "paired": (T.paired, paired()),
    "tiers": (T.who, who("tier")),
    "levels": (T.who, who("from_balance")),
    "lorenz": (T.lorenz, lorenz()),
    "tornado": (T.tornado, sensitivity()),
    "pareto": (T.pareto, front()),
    "fan": (T.fan, over_time("p5", "p50", "p95", "gini")),
    "gini": (T.over_days, over_time("gini")),
    "growth": (T.over_days, over_time("growth")),
    "ruin": (T.over_days, over_time("ruin")),
    "level": (T.over_days, over_time("level")),
}
each = pytest.mark.parametrize("name", CASES)


def drawn(name: str, language: str = "en", frame: pd.DataFrame | None = None) -> Any:
    """The axes of a case, with a caption that has hanzi."""
    draw, own = CASES[name]
    frame = (own if frame is None else frame).copy()
    frame.attrs["note"] = "n = 9 · 财"
    with drawing():
        ax = Figure(layout="constrained").subplots()
        assert draw(frame, ax, language) is ax
    return ax


def widths(ax: Any) -> list[float]:
    """Lengths of horizontal bars, lowest first."""
    return [round(float(bar.get_width()), 9) for bar in ax.patches]


def test_every_figure_is_a_case() -> None:
    """What can be drawn is tested."""
    assert {draw for draw, _ in CASES.values()} == set(T.TUNING_PLOTS.values())


def test_lorenz_curves_of_both_tables_are_drawn_where_somebody_has_something() -> None:
    """The line of equality, and two curves in per cent; nobody lost, so there are no others."""
    lines = drawn("lorenz").lines
    assert [line.get_ydata().tolist() for line in lines[1:]] == [[0, 0, 100], [0, 50, 100]]
    assert [str(line.get_label()) for line in lines[1:]] == ["gains: baseline", "gains: candidate"]


def test_what_has_no_interval_and_no_band_shows_none() -> None:
    """Of games in order, and of one run, the legend does not speak of them either."""
    ax = drawn("paired", frame=paired().assign(low=float("nan"), high=float("nan")))
    assert "mean" in [str(line.get_label()) for line in ax.lines]
    assert not any("interval" in text for text in texts(ax))
    assert any("interval" in text for text in texts(drawn("paired")))
    alone = over_time("gini").assign(low=float("nan"), high=float("nan"))
    assert len(drawn("gini", frame=alone).collections) == 0
    assert len(drawn("gini").collections) == 2


@each
def test_title_is_a_question_and_the_caption_travels_with_the_frame(name: str) -> None:
    """Both are there, in both languages; with a font no glyph is missing."""
    for language in ("en", "zh"):
        ax = drawn(name, language)
        assert ax.get_title(loc="left").endswith(("?", "？"))
        assert ax.texts[-1].get_text() == "n = 9 · 财"
        assert bool(HANZI.search(ax.get_title(loc="left"))) == (language == "zh")
        with warnings.catch_warnings(), drawing():
            warnings.simplefilter("error")
            ax.figure.savefig(io.BytesIO(), format="png")


@each
def test_without_a_font_no_hanzi_is_drawn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """English labels, and escapes for what is in hanzi."""
    monkeypatch.setattr("analytics.plots.style.hanzi_family", lambda: None)
    said = "".join(texts(drawn(name, "zh")))
    assert not HANZI.search(said)
    assert r"\u8d22" in said


@each
def test_a_figure_of_nothing_is_refused(name: str) -> None:
    """A sentence and no empty figure."""
    with pytest.raises(PlotError):
        drawn(name, frame=CASES[name][1].head(0))


def test_items_have_two_bars_each_and_say_by_how_much_they_change() -> None:
    """Items that never move are left out; from nothing there is no percentage."""
    ax = drawn("items")
    assert [bar.get_height() for bar in ax.patches] == [100, 0, 150, 30]
    assert [text.get_text() for text in ax.texts[:-1]] == ["+50.0%"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["base", "fee"]


def test_paired_differences_are_drawn_at_their_points() -> None:
    """Amounts against shares, the mean, and who gets more or less."""
    ax = drawn("paired")
    assert ax.lines[0].get_xdata().tolist() == [-8, -6, -4, -2, 0, 2, 4, 6, 8]
    assert ax.lines[0].get_ydata().tolist() == [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1]
    assert set(ax.lines[2].get_xdata()) == {1.5}
    assert ax.texts[0].get_text() == "more: 40.0% · less: 35.0% · sign flips: 5.0%"


def test_who_gains_is_drawn_with_intervals() -> None:
    """Bars are mean differences; labels say who it is, and how many players."""
    for name, labels in (("tiers", ["tier 1, players: 5", "tier 2, players: 6"]),
                         ("levels", ["from 1, players: 5", "from 2, players: 6"])):  # fmt: skip
        ax = drawn(name)
        assert widths(ax) == [3, -1]
        assert [label.get_text() for label in ax.get_yticklabels()] == labels
        segments = [path.tolist() for path in ax.collections[0].get_segments()]
        assert segments == [[[2, 0], [4, 0]], [[-2.5, 1], [0.5, 1]]]


def test_a_tornado_has_the_largest_effect_on_top() -> None:
    """Entries without an effect are left out; effects are in per cent."""
    ax = drawn("tornado")
    assert widths(ax) == [1, -3]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["scoring.fee = 5", "scoring.kou.dan = 2"]
    two = pd.concat([sensitivity(), sensitivity().assign(metric="fees")])
    with pytest.raises(PlotError, match="of one metric"):
        drawn("tornado", frame=two)


def test_a_pareto_set_names_what_was_written() -> None:
    """Written tables are filled and named; the axes say what they are."""
    ax = drawn("pareto")
    others, written = ax.lines
    assert (others.get_xdata().tolist(), others.get_ydata().tolist()) == ([2], [2])
    assert (written.get_xdata().tolist(), written.get_ydata().tolist()) == ([1, 3], [1, 3])
    assert [text.get_text() for text in ax.texts[:-1]] == ["g-1", "g-2"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("fees", "changed")
    with pytest.raises(PlotError, match="Only one thing is wanted"):
        drawn("pareto", frame=front().drop(columns="changed"))


def test_a_pareto_set_stands_beside_its_baseline_and_its_legend() -> None:
    """The baseline has a mark; whole values have whole ticks; the legend covers no point."""
    baseline = {"fees": 1_234_000.0, "changed": 0.0}
    with drawing():
        ax = Figure(layout="constrained").subplots()
        T.pareto(front(), ax, baseline=baseline)
        ax.figure.canvas.draw()
    assert [str(line.get_label()) for line in ax.lines][-1] == "baseline"
    assert (ax.lines[-1].get_xdata()[0], ax.lines[-1].get_ydata()[0]) == (1_234_000, 0)
    assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1
    assert all(tick.is_integer() for tick in ax.get_yticks().tolist())
    assert "1,000,000" in [label.get_text() for label in ax.get_xticklabels()]


def test_a_fan_has_a_median_for_each_table() -> None:
    """Lines are medians; the fans say of which table they are."""
    ax = drawn("fan")
    assert [line.get_ydata().tolist() for line in ax.lines] == [[10, 11], [20, 21]]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [text for text in legend if re.match("b@1", text)] == ["b@1: middle 90 %", "b@1: median"]


def test_figures_over_days_have_bands() -> None:
    """A line a table with the band of its runs; one thing at a time."""
    ax = drawn("gini")
    assert [line.get_ydata().tolist() for line in ax.lines] == [[10, 11], [20, 21]]
    lows = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (lows.min(), lows.max()) == (9.5, 11.5)
    with pytest.raises(PlotError, match="one thing at a time"):
        drawn("gini", frame=over_time("gini", "ruin"))
