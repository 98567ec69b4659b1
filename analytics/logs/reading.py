"""Reads a log: batches of good games, and a finding for all else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

from analytics.findings import Finding
from analytics.logs.batch import GameBatch
from analytics.logs.checking import FAMILIES
from analytics.logs.encodings import (
    decoding,
    has_line_ends,
    may_begin_log,
    needs_decoding,
    other_encoding,
)
from analytics.logs.files import SourceError, opened, size_of
from analytics.logs.flaws import torn
from analytics.logs.lines import LineReader
from analytics.logs.sources import Source
from analytics.logs.streams import (
    PACKED,
    PARQUET,
    blocks,
    first_bytes,
    is_named_packed,
    range_of,
    unpacked,
)
from analytics.rules.rulebook import Rulebook

BATCH_GAMES: Final = 2048


def read(
    source: Source,
    rulebook: Rulebook,
    *,
    families: Collection[str] = FAMILIES,
    keep_extra: bool = False,
    encoding: str | None = None,
    batch_games: int = BATCH_GAMES,
) -> Iterator[GameBatch | Finding]:
    """The games of one source, in order, and what is wrong with it.

    Guarantees:
        Constant memory. A bad line is one finding and hides no other line. A batch
        holds at most ``batch_games`` games, all of one family.

    Args:
        source: JSON Lines, plain or in gzip or zstd, or Parquet; its first bytes tell.
        rulebook: finds the rulesets that games name.
        families: the game words that are known.
        keep_extra: whether fields that the format does not know go to ``extra``.
        encoding: of the text of JSON Lines, where it is not UTF-8. In UTF-16 and 32,
            ``offset`` counts bytes of the same text in UTF-8.
        batch_games: the most games of a batch.

    Raises:
        SourceError: the source cannot be opened.
        LookupError: there is no such encoding.
    """
    with opened(source.path) as stream:
        start = first_bytes(stream)
        if start.startswith(PARQUET):
            yield from _read_parquet(
                source, rulebook, families, keep_extra=keep_extra, batch_games=batch_games
            )
            return
        if _is_broken(source.path, start):
            yield torn(source.path)
            return
        fill = unpacked(stream)
        if encoding is not None and needs_decoding(encoding) and not has_line_ends(encoding):
            fill, encoding = decoding(fill, encoding), None
        reader = LineReader(
            source,
            rulebook,
            families=families,
            keep_extra=keep_extra,
            batch_games=batch_games,
            encoding=encoding,
            is_packed=start.startswith(PACKED) or is_named_packed(source.path),
        )
        yield from reader.read(blocks(fill))


def read_range(
    source: Source,
    rulebook: Rulebook,
    *,
    start: int = 0,
    stop: int | None = None,
    families: Collection[str] = FAMILIES,
    keep_extra: bool = False,
    encoding: str | None = None,
    batch_games: int = BATCH_GAMES,
    tell_lines: Callable[[int], None] | None = None,
) -> Iterator[GameBatch | Finding]:
    """The games of a part of a file: of a range of bytes of text, or of row groups.

    Guarantees:
        Ranges that lie side by side give every game and every finding exactly once, but
        for the one on unknown fields, whose counts add up. ``offset`` counts from the
        beginning of the file, ``line`` from the first line (or row) of the range.

    Args:
        source: plain JSON Lines or Parquet; anything that ``read`` takes, where the
            range is all.
        rulebook: finds the rulesets that games name.
        start, stop: ``start`` within the range and ``stop`` not; None: the end. Bytes, and
            a line is where it begins; of Parquet the numbers of row groups, from 0.
        families, keep_extra, encoding, batch_games: as for ``read``.
        tell_lines: is told at the end how many lines, or rows, a part had; not where the
            range is all, since no other part follows.

    Raises:
        SourceError: the source cannot be opened, or cannot be read in parts.
        LookupError: there is no such encoding.
    """
    if start == 0 and stop is None:
        yield from read(
            source,
            rulebook,
            families=families,
            keep_extra=keep_extra,
            encoding=encoding,
            batch_games=batch_games,
        )
    elif is_parquet(source.path):
        yield from _read_parquet(
            source,
            rulebook,
            families,
            keep_extra=keep_extra,
            batch_games=batch_games,
            start=start,
            stop=stop,
            tell_lines=tell_lines,
        )
    elif is_plain(source.path, encoding):
        with opened(source.path) as stream:
            if start > 0 and other_encoding(first_bytes(stream)) is not None:
                return  # said by the range that has the beginning
            fill, first = range_of(stream, start, stop)
            reader = LineReader(
                source,
                rulebook,
                families=families,
                keep_extra=keep_extra,
                batch_games=batch_games,
                encoding=encoding,
                is_packed=is_named_packed(source.path),
            )
            yield from reader.read(blocks(fill, first))
            if tell_lines is not None:
                tell_lines(reader.lines)
    else:
        raise SourceError(f"{source.path}: only plain text and Parquet can be read in parts")


def is_plain(path: str, encoding: str | None = None) -> bool:
    """Whether this is a file that can be read in ranges of bytes: text, and not packed.

    Args:
        path: of a source.
        encoding: of its text, where it is not UTF-8.

    Raises:
        SourceError: it cannot be opened.
        LookupError: there is no such encoding.
    """
    if size_of(path) is None or (encoding is not None and not has_line_ends(encoding)):
        return False
    start = _beginning(path)
    return not start.startswith(PACKED) and not _is_broken(path, start)


def is_parquet(path: str) -> bool:
    """Whether this is a file of row groups.

    Raises:
        SourceError: it cannot be opened.
    """
    return size_of(path) is not None and _beginning(path).startswith(PARQUET)


def _beginning(path: str) -> bytes:
    with opened(path) as stream:
        return first_bytes(stream)


def _is_broken(path: str, start: bytes) -> bool:
    """Whether a file that its name calls packed begins like nothing that can be read."""
    return is_named_packed(path) and not start.startswith(PACKED) and not may_begin_log(start)


def _read_parquet(
    source: Source,
    rulebook: Rulebook,
    families: Collection[str],
    *,
    keep_extra: bool,
    batch_games: int,
    start: int = 0,
    stop: int | None = None,
    tell_lines: Callable[[int], None] | None = None,
) -> Iterator[GameBatch | Finding]:
    from analytics.logs.parquet import read_parquet  # pyarrow takes 0.3 s to import

    return read_parquet(
        source,
        rulebook,
        families=families,
        keep_extra=keep_extra,
        batch_games=batch_games,
        start=start,
        stop=stop,
        tell_lines=tell_lines,
    )
