"""Cutting logs into shards: pieces that can be verified by themselves.

A plain file is cut into byte ranges at line ends; a compressed file is one shard, as it
can only be read from its beginning.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final, NamedTuple

from analytics.logs import Source, is_plain

SHARD_BYTES: Final = 32 << 20  # about 30,000 games: seconds of work, and a few MB of keys


class Shard(NamedTuple):
    """A piece of a log.

    Attributes:
        source: the file.
        start: byte where it begins; a line begins there.
        stop: byte where it ends, also at a line's end; None: the whole source.
    """

    source: Source
    start: int
    stop: int | None


def cut(sources: Sequence[Source], size: int = SHARD_BYTES) -> Iterator[Shard]:
    """The shards of all sources, in order.

    Args:
        sources: what to cut.
        size: bytes of a shard, about.
    """
    for source in sources:
        if is_plain(source.path) and os.path.getsize(source.path) > size:
            yield from _cut_plain(source, size)
        else:
            yield Shard(source, 0, None)


def _cut_plain(source: Source, size: int) -> Iterator[Shard]:
    start = 0
    end = os.path.getsize(source.path)
    with open(source.path, "rb") as file:
        while start < end:
            stop = _line_end(file, start + size, end)
            yield Shard(source, start, stop)
            start = stop


def _line_end(file: BinaryIO, at: int, end: int) -> int:
    """Where the first line ends that ends at ``at`` or later."""
    if at >= end:
        return end
    file.seek(at - 1)
    file.readline()
    return file.tell()
