"""Text in columns that wrap, for people: hanzi take two columns, colours only on a terminal."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from cli.output import emit
from cli.tables import padded, width

NARROWEST: Final = 80  # columns of a page
WIDEST: Final = 120
PIPED: Final = 100
LEAST: Final = 8  # columns that a column keeps when it gives way
GAP: Final = "  "
_SYMBOLS: Final = "♠♥♣♦·–→⌊⌋✓✗…小王大"


class Span(NamedTuple):
    """Text in one style; the styles are those of rich, "" is none."""

    text: str
    style: str = ""


Spans: TypeAlias = tuple[Span, ...]


class Column(NamedTuple):
    """A column: its heading, whether it is flush right, whether its text may wrap."""

    heading: str
    is_right: bool = False
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Columns, and rows of as many cells; a row that is one ``Span`` is a remark between."""

    columns: Sequence[Column]
    rows: Sequence[Spans | Span]


def page_width() -> int:
    """Columns of a page: those of the terminal, within reason."""
    if not sys.stdout.isatty():
        return PIPED
    return min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)


def can_show_symbols() -> bool:
    """Whether standard output can encode the suits and all other signs."""
    try:
        _SYMBOLS.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def lines_of(table: Table, page: int, indent: str = GAP) -> Iterator[Spans]:
    """The lines of a table that is at most ``page`` wide, if its columns can give way so far."""
    headings = tuple(Span(column.heading, "bold") for column in table.columns)
    cells = [headings, *(row for row in table.rows if not isinstance(row, Span))]
    widths = _widths(table.columns, cells, page - len(indent))
    yield from _row_lines(headings, table.columns, widths, indent)
    for row in table.rows:
        if isinstance(row, Span):
            yield from _remark_lines(row, page, indent)
        else:
            yield from _row_lines(row, table.columns, widths, indent)


def _widths(columns: Sequence[Column], rows: Iterable[Spans], room: int) -> list[int]:
    """As wide as the text; where that is too much the widest that may wrap gives way."""
    widths = [max(width(cell.text) for cell in column) for column in zip(*rows, strict=True)]
    flexible = [at for at, column in enumerate(columns) if column.wraps]
    while sum(widths) + len(GAP) * (len(widths) - 1) > room:
        widest = max(flexible, key=lambda at: widths[at])
        if widths[widest] <= LEAST:
            break
        widths[widest] -= 1
    return widths


def _row_lines(
    row: Spans, columns: Sequence[Column], widths: Sequence[int], indent: str
) -> Iterator[Spans]:
    pieces = [wrapped(cell.text, most) for cell, most in zip(row, widths, strict=True)]
    for at in range(max(map(len, pieces))):
        line = [Span(indent)]
        for cell, column, most, texts in zip(row, columns, widths, pieces, strict=True):
            text = texts[at] if at < len(texts) else ""
            line += [Span(padded(text, most, is_right=column.is_right), cell.style), Span(GAP)]
        yield tuple(line[:-1])


def _remark_lines(remark: Span, page: int, indent: str) -> Iterator[Spans]:
    for text in wrapped(remark.text, page - len(indent)):
        yield (Span(indent), Span(text, remark.style))


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns.

    Lines break at blanks and beside hanzi; what has neither is cut. Leading blanks stay,
    and begin every line, as far as they leave room for a hanzi.

    >>> wrapped("pair of kings", 7), wrapped("座位 1 先出", 6), wrapped("", 5)
    (['pair of', 'kings'], ['座位 1', '先出'], [''])
    """
    words = text.lstrip(" ")
    begin = " " * min(len(text) - len(words), columns - _WIDEST)
    lines, line = [], begin
    for token in _TOKENS.findall(words):
        for piece in _cut(token, columns - len(begin)):
            if width((line + piece).rstrip()) > columns and line.strip():
                lines.append(line.rstrip())
                line = begin
            line += piece if line != begin else piece.lstrip(" ")
    return [*lines, line.rstrip()]


_WIDEST: Final = 2  # columns of a hanzi
# A run of blanks, a joker with what follows, a word, or one hanzi with the punctuation
# that must not begin a line.
_TOKENS: Final = re.compile(
    r" +|[小大]王[^ \u2e80-\uffef]*|[^ \u2e80-\uffef]+|[\u2e80-\uffef][，。；：）”]*"
)


def _cut(token: str, columns: int) -> Iterator[str]:
    """The token in pieces that fit."""
    piece = ""
    for character in token:
        if width(piece + character) > columns and piece:
            yield piece
            piece = ""
        piece += character
    yield piece


def write_lines(lines: Iterable[Spans]) -> None:
    """Writes lines, with their styles on a terminal."""
    if not sys.stdout.isatty():
        for line in lines:
            emit("".join(span.text for span in line).rstrip() + "\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout)
    for line in lines:
        text = Text.assemble(*((span.text, span.style) for span in line))
        text.rstrip()
        console.print(text, soft_wrap=True)
