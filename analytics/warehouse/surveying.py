"""Looking through logs before they are loaded: which are new, and how they are cut."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import xxhash

from analytics.jobs import Ways
from analytics.jobs.shards import Shard, contents, cut
from analytics.jobs.working import look_through
from analytics.logs import Source
from analytics.logs.files import opened
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.turns import Turn

_STREAM: Final = "stream"  # begins the name of a copy of what can be read but once


class Log(NamedTuple):
    """A log that was looked through.

    Attributes:
        source: where it is read, with its ordinal among the logs that are loaded.
        path: as given.
        key: hash of its bytes.
        size: how many there are.
        changed: when it was last changed, in nanoseconds.
        shards: each with the number of lines before it.
    """

    source: Source
    path: str
    key: str
    size: int
    changed: int
    shards: tuple[tuple[Shard, int], ...]


def survey(
    sources: Sequence[Source], mine: Turn, ways: Ways, reading: str
) -> tuple[list[Log], list[Log]]:
    """Which logs are to be loaded, and which were loaded before.

    Args:
        sources: the logs.
        mine: the turn.
        ways: how they are cut.
        reading: what the run reads by, as ``knowing.reading_key`` gives it.
    """
    mine.staging.mkdir(exist_ok=True)
    new: list[Log] = []
    known: list[Log] = []
    keys = {file.key for file in mine.manifest.files if file.is_known(reading)}
    for nth, source in enumerate(sources):
        path = _readable(source.path, mine.staging / f"{_STREAM}-{nth}")
        log = _look_at(Source(path, len(new)), source.path, ways)
        (known if log.key in keys else new).append(log)
        keys.add(log.key)
    return new, known


def _readable(path: str, copy: Path) -> str:
    """The path, or that of a copy, as a log is read more than once and a stream cannot be."""
    if os.path.isfile(path):
        return path
    with opened(path) as stream, open(copy, "wb") as file:
        shutil.copyfileobj(stream, file)
    return str(copy)


def _look_at(source: Source, path: str, ways: Ways) -> Log:
    changed = os.stat(source.path).st_mtime_ns
    digest = xxhash.xxh3_128()
    size = lines = 0
    shards = []
    for shard in cut([source], ways.shard_bytes, ways.encoding):
        shards.append((shard, lines))
        if (rows := contents(shard).rows) is None:
            _, more, ends = look_through(shard, digest)
            size, lines = size + more, lines + ends
        else:
            lines += rows
    if not size:  # row groups are not all that a file holds
        _, size, _ = look_through(Shard(source, 0, None), digest)
    return Log(source, path, digest.hexdigest(), size, changed, tuple(shards))


def check_unchanged(logs: Sequence[Log]) -> None:
    """A log that is still being written would be loaded under the hash of another state.

    Raises:
        WarehouseError: a log changed since it was looked through.
    """
    for log in logs:
        now = os.stat(log.source.path)
        if (now.st_size, now.st_mtime_ns) != (log.size, log.changed):
            raise WarehouseError(
                f"{log.path}: this log changed while it was loaded; load it again."
            )
