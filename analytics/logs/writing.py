"""Writes games as JSON Lines or Parquet; a file is there whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

import msgspec

from analytics.logs.batch import GameBatch
from analytics.logs.extras import with_unknown
from analytics.logs.fast_lines import can_write, fast_lines
from analytics.logs.files import STANDARD_INPUT
from analytics.logs.records import game

_encoder: Final = msgspec.json.Encoder()


def write_jsonl(batches: Iterable[GameBatch], path: str) -> int:
    """Writes games as lines of JSON, in order.

    Guarantees:
        Read again, they have the same columns and ``content``. The same games give
        the same bytes.

    Args:
        batches: of games; ``extra`` is written where it is there.
        path: of the file; packed as its suffix says, ``.gz`` or ``.zst``; "-" is
            standard output.

    Returns:
        How many games were written.
    """
    games = 0
    with _destination(path) as file, _packing(file, path) as out:
        for batch in batches:
            out.write(b"".join(_lines(batch)))
            games += len(batch)
    return games


def write_lines(lines: Iterable[bytes], path: str) -> None:
    """Writes lines as they are, each with its newline; packed as for ``write_jsonl``."""
    with _destination(path) as file, _packing(file, path) as out:
        for line in lines:
            out.write(line)


def write_parquet(batches: Iterable[GameBatch], path: str) -> int:
    """Writes games as Parquet, in order: zstd, row groups of 16,384 games.

    Guarantees:
        As for ``write_jsonl``.

    Args:
        batches: of games. Where a string of hands or actions cannot be joined by
            ``;``, the whole file has lists of strings.
        path: of the file.

    Returns:
        How many games were written.
    """
    from analytics.logs.parquet_writing import ParquetOut  # pyarrow takes 0.3 s to import

    with beside(path) as unfinished, ParquetOut(unfinished) as out:
        for batch in batches:
            out.write(batch)
        return out.games


def _lines(batch: GameBatch) -> Iterable[bytes]:
    """The lines of a batch, by the shorter way where it is open."""
    if can_write(batch):
        return fast_lines(batch)
    return [line_of(batch, i) for i in range(len(batch))]


def line_of(batch: GameBatch, i: int) -> bytes:
    """The line of game ``i``, with its newline."""
    line = _encoder.encode(game(batch, i))
    extra = batch.extra[i] if batch.extra is not None else None
    return (line if extra is None else with_unknown(line, extra)) + b"\n"


@contextmanager
def _destination(path: str) -> Iterator[BinaryIO]:
    if path == STANDARD_INPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with beside(path) as unfinished, open(unfinished, "wb") as file:
        yield file


@contextmanager
def beside(path: str) -> Iterator[str]:
    """A path to write to; what is there takes its place under ``path`` in the end."""
    folder, name = os.path.split(path)
    unfinished = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        yield unfinished
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.unlink(unfinished)


@contextmanager
def _packing(file: BinaryIO, path: str) -> Iterator[Any]:
    if path.endswith(".gz"):
        import gzip

        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as out:
            yield out
    elif path.endswith(".zst"):
        import zstandard

        with zstandard.ZstdCompressor(write_checksum=True).stream_writer(
            file, closefd=False
        ) as out:
            yield out
    else:
        yield file
