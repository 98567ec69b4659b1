"""Pages: self-contained, escaped, the same every time."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

import pandas as pd

from analytics.plots import tuning as plots
from analytics.report.page import Cell, Page, Section, figure_of, render, table_of, table_of_rows

EVIL = '<script>alert("x")</script>&'


class Seen(HTMLParser):
    """All tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keeps what begins."""
        self.tags.append(tag)
        self.attributes += attrs


def seen(html: str) -> Seen:
    """What is in a page."""
    parser = Seen()
    parser.feed(html)
    return parser


def page(text: str = "text", frame: pd.DataFrame | None = None) -> Page:
    """A page on which one text stands wherever a text can stand."""
    front = pd.DataFrame({"fees": [1, 2], text: [3, 4], "written": [text, None]})
    section = Section(
        text,
        (text,),
        figure_of(plots.pareto, front, "en", text),
        (table_of(text, front if frame is None else frame),),
    )
    return Page("en", text, (text,), ((text, text),), (section,))


def test_every_text_is_escaped() -> None:
    """Whatever names hold, no tag comes of it."""
    html = render(page(EVIL))
    assert "<script" not in html
    assert "script" not in seen(html).tags
    assert html.count("&lt;script&gt;") >= 8


def test_a_page_loads_nothing() -> None:
    """No address but data, and the browser is told so."""
    html = render(page())
    attributes = seen(html).attributes
    loaded = [v or "" for name, v in attributes if name in ("src", "href", "srcset", "action")]
    assert loaded
    assert all(value.startswith("data:image/svg+xml;base64,") for value in loaded)
    assert not re.search(r"url\(|@import|https?://", html)
    assert "default-src 'none'" in html


def test_a_figure_is_a_drawing_of_its_own() -> None:
    """SVG with its letters as outlines, and the question as its text."""
    [section] = page().sections
    [figure] = section.figures
    drawn = base64.b64decode(figure.source.partition(",")[2]).decode()
    assert drawn.startswith("<?xml")
    assert "<text" not in drawn  # outlines: no font is needed
    assert figure.title == "What can be had for what?"
    assert 'alt="What can be had for what?"' in render(page())


def test_the_same_page_has_the_same_bytes() -> None:
    """No time, no chance."""
    assert render(page()) == render(page())


def test_what_cannot_be_drawn_leaves_no_figure() -> None:
    """An empty frame gives none, and the page is still there."""
    assert figure_of(plots.pareto, pd.DataFrame({"a": [], "written": []}), "en", "") == ()


def test_cells_are_written_for_people() -> None:
    """Commas in whole numbers of any size, six digits in others, a dash for nothing."""
    frame = pd.DataFrame(
        {
            "a": [10**20, 3],
            "b": [0.123456789, float("nan")],
            "c": [pd.Timestamp("2026-11-02"), None],
            "d": [True, "x"],
        },
        dtype=object,
    )
    rows = table_of("t", frame).rows
    assert [cell.text for cell in rows[0]] == [
        "100,000,000,000,000,000,000", "0.123457", "2026-11-02", "true",
    ]  # fmt: skip
    assert [cell.text for cell in rows[1]] == ["3", "–", "–", "x"]
    assert rows[0][0] == Cell("100,000,000,000,000,000,000", is_number=True)
    assert not rows[1][3].is_number


def test_large_amounts_are_written_out() -> None:
    """From a million on a number is whole; no cell has a power of ten."""
    rows = table_of("t", pd.DataFrame({"held": [1_144_930.4, -2e9, 999_999.44]})).rows
    assert [row[0].text for row in rows] == ["1,144,930", "-2,000,000,000", "999,999"]


def test_long_tables_are_closed_at_first() -> None:
    """Twelve rows are seen at once; of more one sees that they are there."""
    assert table_of_rows("t", ["a"], [[n] for n in range(12)]).is_open
    html = render(page(frame=pd.DataFrame({"a": range(13)})))
    assert "<details>" in html
    assert html.count("<td") == 13
