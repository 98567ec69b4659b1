"""Cutting logs into shards: pieces that can be verified by themselves.

A plain file is cut into byte ranges at line ends, a Parquet file into row groups; a
compressed file is one shard, as it can only be read from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final, NamedTuple

from analytics.logs import Source, is_parquet, is_plain
from analytics.logs.files import opened, size_of
from analytics.logs.streams import range_of

SHARD_BYTES: Final = 32 << 20  # about 30,000 games: seconds of work, and a few MB of keys
_DENSER: Final = 8  # a game takes so many times less of Parquet than of plain text, about


class Shard(NamedTuple):
    """A piece of a log.

    Attributes:
        source: the file.
        start: byte where it begins, and a line with it; of Parquet the first row group.
        stop: byte where it ends, also at a line's end, or the row group behind the last
            one; None: the whole source.
    """

    source: Source
    start: int
    stop: int | None


class Contents(NamedTuple):
    """What a shard depends on, and what it has.

    Attributes:
        spans: bytes of its file, each from the first to behind the last.
        rows: of Parquet, how many; None: its lines have to be counted.
    """

    spans: tuple[tuple[int, int], ...]
    rows: int | None


def cut(
    sources: Sequence[Source], size: int = SHARD_BYTES, encoding: str | None = None
) -> Iterator[Shard]:
    """The shards of all sources, in order.

    Args:
        sources: what to cut.
        size: bytes of a shard, about; of Parquet fewer, for as many games.
        encoding: of plain files, where it is not UTF-8.
    """
    for source in sources:
        yield from _cut(source, size, encoding)


def contents(shard: Shard) -> Contents:
    """Which bytes a shard depends on.

    Raises:
        SourceError: its file cannot be opened.
    """
    source, start, stop = shard
    if stop is None:
        return Contents(((0, size_of(source.path) or 0),), None)
    if not is_parquet(source.path):
        return Contents(((start, stop),), None)
    from analytics.logs.parquet import footer_size, row_groups  # pyarrow: 0.3 s

    groups = row_groups(source.path)[start:stop]
    with opened(source.path) as file:
        footer = footer_size(file)
    end = size_of(source.path) or 0
    spans = ((group.start, group.stop) for group in groups)
    return Contents((*spans, (end - footer, end)), sum(group.rows for group in groups))


def offsets(shard: Shard) -> tuple[int, int | None]:
    """Where its games lie in their file, as ``GameBatch.offset`` counts; None: to the end."""
    source, start, stop = shard
    if stop is None or not is_parquet(source.path):
        return start, stop
    from analytics.logs.parquet import row_groups

    rows = [group.rows for group in row_groups(source.path)]
    return sum(rows[:start]), sum(rows[:stop])


def _cut(source: Source, size: int, encoding: str | None) -> Iterator[Shard]:
    whole = size_of(source.path) or 0
    if whole > size // _DENSER and is_parquet(source.path):
        return _cut_groups(source, size // _DENSER)
    if whole > size and is_plain(source.path, encoding):
        return _cut_plain(source, size)
    return iter([Shard(source, 0, None)])


def _cut_plain(source: Source, size: int) -> Iterator[Shard]:
    start = 0
    end = size_of(source.path) or 0
    with opened(source.path) as file:
        while start < end:
            stop = _line_end(file, start + size, end)
            yield Shard(source, start, stop)
            start = stop


def _line_end(file: BinaryIO, at: int, end: int) -> int:
    """Where the first line ends that ends at ``at`` or later: the next range begins there."""
    if at >= end:
        return end
    _, stop = range_of(file, at, None)
    return stop


def _cut_groups(source: Source, size: int) -> Iterator[Shard]:
    from analytics.logs.parquet import row_groups

    groups = row_groups(source.path)
    if not groups:  # whoever reads it will say why
        yield Shard(source, 0, None)
    start = held = 0
    for at, group in enumerate(groups, 1):
        held += group.stop - group.start
        if held >= size or at == len(groups):
            yield Shard(source, start, at)
            start, held = at, 0
