"""A page: one HTML file with its figures inside, which asks nobody for anything."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from analytics.plots import PlotError, drawing
from analytics.wording import Language

if TYPE_CHECKING:
    import pandas as pd

_WIDTH: Final = 9.0  # inches of a figure
_HEIGHT: Final = 4.8
_BAR: Final = 0.3  # inches of height that a bar with its label needs
_DIGITS: Final = 6  # of a number that is not whole
NOTHING: Final = "–"
_FEW_ROWS: Final = 12  # of a table that is open from the first


class Figure(NamedTuple):
    """A figure.

    Attributes:
        title: what it answers, for who cannot see it.
        source: the drawing itself, as a ``data:`` address.
    """

    title: str
    source: str


class Cell(NamedTuple):
    """What stands in a cell, and whether it is a number."""

    text: str
    is_number: bool


class Table(NamedTuple):
    """A table, open or to be opened.

    Attributes:
        title: what it holds.
        columns: their names, which no language changes.
        rows: of cells.
        is_open: whether it is seen at once.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_open: bool


class Section(NamedTuple):
    """A part of a page.

    Attributes:
        title: what it is about.
        texts: paragraphs.
        figures: in order.
        tables: what figures are drawn of.
        given: a file as it was given; "": none.
    """

    title: str
    texts: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    given: str = ""


class Page(NamedTuple):
    """A page.

    Attributes:
        language: of its texts.
        title: of the whole.
        lead: paragraphs that come first.
        facts: what it was made of: labels and values.
        sections: in order.
    """

    language: Language
    title: str
    lead: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def render(page: Page) -> str:
    """The page as HTML.

    Guarantees: one file that loads nothing; every text is escaped; the same page gives the
    same bytes.
    """
    text: str = _template().render(page=page)
    return text


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("analytics.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.j2")


def figure_of(
    draw: Any, frame: pd.DataFrame, language: Language, note: str, *, bars: int = 0
) -> tuple[Figure, ...]:
    """A figure of a frame, as vectors; none where there is nothing to draw.

    Args:
        draw: a function of ``analytics.plots.tuning``.
        frame: that it takes.
        language: of its labels.
        note: its caption.
        bars: horizontal ones, one above the other: of many the figure is higher.
    """
    from matplotlib.figure import Figure as Canvas

    own = frame.copy()
    own.attrs["note"] = note
    drawn = io.BytesIO()
    with drawing():
        canvas = Canvas((_WIDTH, max(_HEIGHT, bars * _BAR)), layout="constrained")
        ax = canvas.subplots()
        try:
            draw(own, ax, language)
        except PlotError:
            return ()
        canvas.savefig(drawn, format="svg", metadata={"Date": None})
    packed = base64.b64encode(drawn.getvalue()).decode("ascii")
    return (Figure(ax.get_title(loc="left"), f"data:image/svg+xml;base64,{packed}"),)


def table_of(title: str, frame: pd.DataFrame) -> Table:
    """A frame as a table: whole numbers with commas, others with six digits, large ones whole."""
    rows = tuple(
        tuple(_cell(value) for value in row)
        for row in frame.astype(object).itertuples(index=False, name=None)
    )
    return Table(title, tuple(map(str, frame.columns)), rows, len(rows) <= _FEW_ROWS)


def table_of_rows(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Rows of plain values as a table."""
    cells = tuple(tuple(_cell(value) for value in row) for row in rows)
    return Table(title, tuple(columns), cells, len(cells) <= _FEW_ROWS)


def _cell(value: Any) -> Cell:
    import numpy as np
    import pandas as pd

    if value is None or (not isinstance(value, list | tuple | dict) and pd.isna(value)):
        return Cell(NOTHING, is_number=False)
    if isinstance(value, bool | np.bool_):
        return Cell(str(value).lower(), is_number=False)
    if isinstance(value, int | np.integer):
        return Cell(f"{int(value):,}", is_number=True)
    if isinstance(value, float | np.floating):
        number = float(value)
        is_large = math.isfinite(number) and abs(number) >= 10**_DIGITS
        return Cell(f"{number:,.0f}" if is_large else f"{number:,.{_DIGITS}g}", is_number=True)
    if isinstance(value, pd.Timestamp):
        return Cell(value.strftime("%Y-%m-%d"), is_number=False)
    return Cell(str(value), is_number=False)
