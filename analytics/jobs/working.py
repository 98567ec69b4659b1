"""Verifying one shard: the pure function that every caller calls, whoever calls it.

A shard's tables are published into a work folder by rename. So a shard is done or not done,
never half. Where the folder is kept, the name says what they were made from, and whoever
comes later finds what is done.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec
import numpy as np
import xxhash

from analytics import compiled
from analytics.collect import Collector
from analytics.findings import Finding
from analytics.jobs.shards import Shard, contents
from analytics.logs import read_range
from analytics.logs.files import is_url, opened, size_of
from analytics.rules import Rulebook
from analytics.verify import verify_batch

_OUTCOME: Final = "outcome.json"
_UNFINISHED: Final = ".unfinished-"
_ABANDONED: Final = 86_400  # seconds after which nobody is at work in there any more
_CHUNK: Final = 1 << 20
_NEWLINE: Final = ord("\n")


class Task(NamedTuple):
    """What is to be done to a shard.

    Attributes:
        shard: the piece of a log.
        rulebook: the rulesets that games may name.
        encoding: of the log, where it is not UTF-8.
        most: how many findings of a code and ruleset are kept with their values.
        expected: games of the whole run, about: whether compiling pays.
        work: the folder to publish into.
        is_kept: whether later runs look there for what is done; else nobody need know what
            a shard was made from, which takes reading it twice.
        seed: of the keys of players.
    """

    shard: Shard
    rulebook: Rulebook
    encoding: str | None
    most: int
    expected: int
    work: Path
    is_kept: bool
    seed: int


class Outcome(msgspec.Struct, frozen=True):
    """What was made of a shard.

    Attributes:
        name: of its folder in the work folder.
        start, stop: the shard's place in its file.
        size: bytes of the file that the shard depends on; None where nothing is kept.
        lines: how many, of Parquet rows; 0 where it is the whole log.
        games, findings: how many.
        files: the xxh3 of each file that was published.
    """

    name: str
    start: int
    stop: int | None
    size: int | None
    lines: int
    games: int
    findings: int
    files: dict[str, str]


def verify_shard(task: Task) -> Outcome:
    """Verifies a shard, unless that is done already, and publishes what came of it."""
    before = _stamp_of(task.shard)
    identity, size = _identify(task) if task.is_kept else (_place(task.shard), None)
    if (done := _outcome_in(task.work / identity)) is not None:
        return done
    compiled.expect(task.expected)
    count = _Count()
    with TemporaryDirectory(prefix=_UNFINISHED, dir=task.work) as unfinished:
        into = Path(unfinished) / "shard"
        into.mkdir()
        with Collector(task.rulebook, task.most, into=into, seed=task.seed) as collector:
            lines = collect_shard(task.shard, collector, encoding=task.encoding, tell=count.add)
        name = identity
        if _stamp_of(task.shard) != before:  # it was written to: nobody else may find this
            name = f"{identity}-{Path(unfinished).name}"
        files = {path.name: _hash_of(path) for path in into.iterdir()}
        outcome = Outcome(
            name, *task.shard[1:], size, lines, count.games, count.findings, files
        )  # fmt: skip
        (into / _OUTCOME).write_bytes(msgspec.json.encode(outcome))
        put_in_place(into, task.work / name)
    return outcome


def remove_unfinished(work: Path) -> None:
    """Removes what processes left behind in a work folder that were killed a day ago or more."""
    for folder in work.glob(f"{_UNFINISHED}*"):
        with suppress(OSError):  # another run may do the same
            written = max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))
            if written < time.time() - _ABANDONED:
                shutil.rmtree(folder)


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, xxhash.xxh3_128).hexdigest()


def _stamp_of(shard: Shard) -> tuple[int, int] | None:
    """Size and time of a shard's file, as far as there are any: other ones, other content."""
    path = shard.source.path
    if is_url(path):
        return size_of(path) or 0, 0
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _outcome_in(folder: Path) -> Outcome | None:
    """What was published there; None, and nothing is left of it, where it is not whole."""
    if not folder.is_dir():
        return None
    with suppress(OSError, msgspec.MsgspecError):
        outcome = msgspec.json.decode((folder / _OUTCOME).read_bytes(), type=Outcome)
        if all(_hash_of(folder / name) == known for name, known in outcome.files.items()):
            return outcome
    shutil.rmtree(folder, ignore_errors=True)
    return None


class _Count:
    """Counts what is told."""

    def __init__(self) -> None:
        self.games = 0
        self.findings = 0

    def add(self, games: int, findings: int, _file: str) -> None:
        self.games += games
        self.findings += findings


def collect_shard(
    shard: Shard,
    collector: Collector,
    *,
    encoding: str | None,
    tell: Callable[[int, int, str], None],
) -> int:
    """Verifies the games of a shard into a collector.

    Args:
        shard: the piece of a log.
        collector: takes in every verdict and finding.
        encoding: of the log, where it is not UTF-8.
        tell: is told games, findings and file of each batch.

    Returns:
        how many lines, or rows, the shard has; 0 where it is the whole log.
    """
    source, start, stop = shard
    rulebook, families = collector.rulebook, collector.families
    lines: list[int] = []
    for item in read_range(
        source, rulebook, start=start, stop=stop, families=families, encoding=encoding,
        tell_lines=lines.append,
    ):  # fmt: skip
        if isinstance(item, Finding):
            collector.add_finding(item)
            tell(0, 1, source.path)
        else:
            verdict = verify_batch(item, rulebook, families)
            collector.add(verdict)
            tell(len(item), len(verdict.findings), source.path)
    return sum(lines)


def _place(shard: Shard) -> str:
    """A name for a shard by its place in the run."""
    return f".{shard.source.ordinal}-{shard.start}"


def _identify(task: Task) -> tuple[str, int]:
    """A name for what the shard's tables depend on; bytes of the shard.

    The file's name is not part of it: tables hold no path until they are taken in. The
    name is hidden, so that a work folder among logs is not taken for logs.
    """
    digest = xxhash.xxh3_128()
    _, start, stop = task.shard
    settings = [(r.at, r.effective_from, r.hash) for r in task.rulebook.rulesets]
    facts = (start, stop, task.encoding, task.most, task.seed, settings)
    digest.update(msgspec.json.encode((version("paipu"), compiled.source_hash(), facts)))
    content, size, _ = look_through(task.shard, digest)
    return f".{content}", size


def look_through(shard: Shard, digest: xxhash.xxh3_128) -> tuple[str, int, int]:
    """The digest over a shard's bytes, how many there are, and its lines.

    Args:
        shard: the piece of a log.
        digest: the bytes are added to what it has seen before.
    """
    spans, rows = contents(shard)
    size = lines = 0
    with opened(shard.source.path) as file:
        for start, stop in spans:
            file.seek(start)
            left = stop - start
            while chunk := file.read(max(0, min(_CHUNK, left))):
                digest.update(chunk)
                left -= len(chunk)
                size += len(chunk)
                lines += int(np.count_nonzero(np.frombuffer(chunk, np.uint8) == _NEWLINE))
    return digest.hexdigest(), size, lines if rows is None else rows


def put_in_place(unfinished: Path, folder: Path) -> None:
    """Publishes; where another has published the same meanwhile, that one stands."""
    try:
        unfinished.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise
