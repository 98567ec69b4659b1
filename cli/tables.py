"""Tables for people: aligned text, and on a terminal with the terminal's own means."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Row = Sequence[Any]

CHUNK: Final = 2_000  # rows that are aligned with one another
LEAST: Final = 24  # columns of a terminal that the last column of a table needs


def write_table(rows: Iterable[Row], headings: Sequence[str], indent: str = "") -> None:
    """Writes rows under headings, as they come.

    Args:
        rows: texts, ints and None.
        headings: one a column.
        indent: begins every line where the output is plain text.
    """
    write = _write_rich if sys.stdout.isatty() else _write_plain
    write(iter(rows), headings, indent)


def write_pairs(pairs: Iterable[tuple[str, Any]], indent: str = "") -> None:
    """Writes names and values, one pair a line."""
    table = [(name, cell(value)) for name, value in pairs]
    widest = max((width(name) for name, _ in table), default=0)
    for name, value in table:
        sys.stdout.write(f"{indent}{padded(name, widest)}  {value}".rstrip() + "\n")


def cell(value: Any) -> str:
    """A value as text that is safe to print."""
    from analytics.wording.values import cell as text_of

    return text_of(value)


def width(text: str) -> int:
    """Columns that a text takes on a terminal: a hanzi takes two.

    >>> width("双扣 ok")
    7
    """
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int, *, is_right: bool = False) -> str:
    """The text with blanks up to so many columns.

    >>> padded("双扣", 6) + "|", padded("7", 3, is_right=True)
    ('双扣  |', '  7')
    """
    blanks = " " * (columns - width(text))
    return blanks + text if is_right else text + blanks


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _write_plain(rows: Iterator[Row], headings: Sequence[str], indent: str) -> None:
    """The heading once; later chunks are at least as wide as the first one."""
    widths = [width(heading) for heading in headings]
    is_number = [True] * len(headings)
    for number, chunk in enumerate(_chunks(rows)):
        lines = [[cell(value) for value in row] for row in chunk]
        needed = [map(width, line) for line in lines]
        widths = [max(column) for column in zip(widths, *needed, strict=True)]
        if not number:
            is_number = [_are_numbers(column) for column in zip(*chunk, strict=True)]
            _write_line(headings, widths, is_number, indent)
        for line in lines:
            _write_line(line, widths, is_number, indent)


def _are_numbers(values: Iterable[Any]) -> bool:
    return all(isinstance(value, int) or value is None for value in values)


def _write_line(
    cells: Sequence[str], widths: Sequence[int], is_number: Sequence[bool], indent: str
) -> None:
    parts = (
        padded(text, columns, is_right=is_right)
        for text, columns, is_right in zip(cells, widths, is_number, strict=True)
    )
    sys.stdout.write((indent + "  ".join(parts)).rstrip() + "\n")


def _write_rich(rows: Iterator[Row], headings: Sequence[str], indent: str) -> None:
    """In colours, the last column wrapped; plain where all others leave it no room."""
    from rich.console import Console

    console = Console(file=sys.stdout)
    for chunk in _chunks(rows):
        columns = list(zip(headings, *chunk, strict=True))
        taken = sum(max(width(cell(value)) for value in column) + 2 for column in columns[:-1])
        if console.width - taken < LEAST:
            _write_plain(iter(chunk), headings, indent)
        else:
            console.print(_rich_table(chunk, headings))


def _rich_table(chunk: Sequence[Row], headings: Sequence[str]) -> RichTable:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, column in enumerate(zip(*chunk, strict=True), 1):
        justify: Literal["left", "right"] = "right" if _are_numbers(column) else "left"
        is_last = place == len(headings)
        table.add_column(headings[place - 1], justify=justify, overflow="fold", no_wrap=not is_last)
    for row in chunk:
        table.add_row(*(Text(cell(value)) for value in row))
    return table
