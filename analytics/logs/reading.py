"""Reads a log: batches of good games, and a finding for all else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from analytics.findings import Finding
from analytics.logs.batch import GameBatch
from analytics.logs.encodings import decoding, has_line_ends, needs_decoding, other_encoding
from analytics.logs.lines import LineReader
from analytics.logs.sources import Source, SourceError, find_sources
from analytics.logs.streams import PACKED, PARQUET, blocks, first_bytes, opened, range_of, unpacked
from analytics.rules.rulebook import Rulebook

__all__ = ["Source", "SourceError", "find_sources", "is_plain", "read", "read_range"]

BATCH_GAMES: Final = 2048


def read(
    source: Source,
    rulebook: Rulebook,
    *,
    keep_extra: bool = False,
    encoding: str | None = None,
    batch_games: int = BATCH_GAMES,
) -> Iterator[GameBatch | Finding]:
    """The games of one source, in order, and what is wrong with it.

    Guarantees:
        Constant memory. A bad line is one finding and hides no other line. A batch
        holds at most ``batch_games`` games, and only the last one fewer.

    Args:
        source: JSON Lines, plain or in gzip or zstd, or Parquet; its first bytes tell.
        rulebook: finds the rulesets that games name.
        keep_extra: whether fields that the format does not know go to ``extra``.
        encoding: of the text of JSON Lines, where it is not UTF-8. In UTF-16 and 32,
            ``offset`` counts bytes of the same text in UTF-8.
        batch_games: the most games of a batch.

    Raises:
        SourceError: the source cannot be opened.
        LookupError: there is no such encoding.
    """
    with opened(source.path) as stream:
        if first_bytes(stream).startswith(PARQUET):
            yield from _read_parquet(
                source, rulebook, keep_extra=keep_extra, batch_games=batch_games
            )
            return
        fill = unpacked(stream)
        if encoding is not None and needs_decoding(encoding) and not has_line_ends(encoding):
            fill, encoding = decoding(fill, encoding), None
        reader = LineReader(
            source, rulebook, keep_extra=keep_extra, batch_games=batch_games, encoding=encoding
        )
        yield from reader.read(blocks(fill))


def read_range(
    source: Source,
    rulebook: Rulebook,
    *,
    start: int = 0,
    stop: int | None = None,
    keep_extra: bool = False,
    encoding: str | None = None,
    batch_games: int = BATCH_GAMES,
) -> Iterator[GameBatch | Finding]:
    """The games of the lines that begin within a range of bytes of a plain file.

    Guarantees:
        Ranges that lie side by side give every line exactly once. ``offset`` counts
        from the beginning of the file, ``line`` from the first line of the range.

    Args:
        source: plain JSON Lines; anything that ``read`` takes, where the range is all.
        rulebook: finds the rulesets that games name.
        start, stop: bytes, ``start`` within the range and ``stop`` not; None: the end.
        keep_extra, encoding, batch_games: as for ``read``.

    Raises:
        SourceError: the source cannot be opened, or cannot be read in parts.
        LookupError: there is no such encoding.
    """
    if start == 0 and stop is None:
        yield from read(
            source, rulebook, keep_extra=keep_extra, encoding=encoding, batch_games=batch_games
        )
        return
    if not is_plain(source.path) or (encoding is not None and not has_line_ends(encoding)):
        raise SourceError(f"{source.path}: only plain text can be read in parts")
    with opened(source.path) as stream:
        if start > 0 and other_encoding(first_bytes(stream)) is not None:
            return  # said by the range that has the beginning
        fill, first = range_of(stream, start, stop)
        reader = LineReader(
            source, rulebook, keep_extra=keep_extra, batch_games=batch_games, encoding=encoding
        )
        yield from reader.read(blocks(fill, first))


def is_plain(path: str) -> bool:
    """Whether this is a file that can be read in parts: text, and not packed.

    Raises:
        SourceError: it cannot be opened.
    """
    if not os.path.isfile(path):
        return False
    with opened(path) as stream:
        return not first_bytes(stream).startswith(PACKED)


def _read_parquet(
    source: Source, rulebook: Rulebook, *, keep_extra: bool, batch_games: int
) -> Iterator[GameBatch | Finding]:
    from analytics.logs.parquet import read_parquet  # pyarrow takes 0.3 s to import

    return read_parquet(source, rulebook, keep_extra=keep_extra, batch_games=batch_games)
