"""Verifying logs: shard by shard, wherever, into one collector in one order."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from analytics import compiled
from analytics.collect import Collector, seed_in
from analytics.jobs.callers import Results, map_cluster, map_local
from analytics.jobs.shards import SHARD_BYTES, Shard, cut
from analytics.jobs.working import Task, collect_shard, remove_unfinished, verify_shard
from analytics.logs import Source
from analytics.logs.files import name_of, size_of
from analytics.reconcile import Reconciler

T = TypeVar("T")
R = TypeVar("R")

# Bytes that a game takes, roughly, by the name of the file: for estimates only.
_BYTES_PER_GAME: Final = {".gz": 250, ".zst": 250}
_BYTES_PER_GAME_PLAIN: Final = 1_200
_GAMES_A_SHARD: Final = SHARD_BYTES // _BYTES_PER_GAME_PLAIN


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Attributes:
        games: games verified so far.
        findings: findings so far, all severities.
        expected: games expected in all, an estimate; None where it cannot be known.
        file: the file that was read last.
    """

    games: int
    findings: int
    expected: int | None
    file: str


Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Ways:
    """How a run is to be done; the report does not depend on it.

    Attributes:
        jobs: local processes; 1: this one alone; None: one a core, where there is so
            much to do that it pays.
        cluster: address of a Dask scheduler, whose workers do it instead; they must see
            the logs and the work folder under the same paths.
        work: a folder that keeps what is done, so that a later run with the same folder
            does only what is missing; None: nothing is kept.
        encoding: of the logs, where it is not UTF-8.
        shard_bytes: size of the pieces that plain files are cut into; Parquet is denser, and
            cut into smaller ones.
    """

    jobs: int | None = None
    cluster: str | None = None
    work: Path | None = None
    encoding: str | None = None
    shard_bytes: int = SHARD_BYTES


def verify_logs(
    sources: Sequence[Source],
    collector: Collector,
    *,
    ways: Ways | None = None,
    on_progress: Tell | None = None,
) -> Reconciler:
    """Verifies the games of all sources.

    Args:
        sources: what to read, in order of their ordinals.
        collector: takes in every verdict and finding.
        ways: how; by default in this process, keeping nothing.
        on_progress: is told now and then how far the run is.

    Returns:
        What makes a report of it: call its ``finish``.

    Raises:
        SourceError: a source cannot be opened.
        BrokenProcessPool: a process died.
    """
    ways = ways or Ways()
    reconciler = Reconciler(collector, [source.path for source in sources])
    expected = estimate_games(sources)
    compiled.expect(expected or 0)
    teller = Teller(on_progress, expected)
    shards = list(cut(sources, ways.shard_bytes, ways.encoding))
    jobs = ways.jobs or jobs_that_pay(len(shards), expected)
    if jobs == 1 and ways.work is None and ways.cluster is None:
        _verify_here(shards, collector, ways, teller)
    else:
        with _work_folder(ways.work) as work:
            _verify_shards(shards, reconciler, collector, replace(ways, jobs=jobs), work, teller)
        collector.allow_threads(jobs)  # now that the other processes are done
    return reconciler


def jobs_that_pay(shards: int, games: int | None) -> int:
    """As many processes as there are cores and shards, where there is enough to do; else one.

    Args:
        shards: how many there are; a file that is small, or compressed, is one.
        games: expected in all; None where it cannot be known.
    """
    cores = len(os.sched_getaffinity(0))
    pays = (games or 0) >= 2 * cores * _GAMES_A_SHARD
    return min(cores, shards) if pays else 1


class Teller:
    """Adds up what was done, and tells."""

    def __init__(self, tell: Tell | None, expected: int | None) -> None:
        self.expected = expected
        self._tell = tell
        self._games = 0
        self._findings = 0

    def add(self, games: int, findings: int, file: str) -> None:
        """So many more games and findings of a file."""
        self._games += games
        self._findings += findings
        if self.expected is None:  # a stream: what has come so far is a sign of more
            compiled.expect(self._games)
        if self._tell:
            self._tell(Progress(self._games, self._findings, self.expected, file))


@contextmanager
def _work_folder(asked: Path | None) -> Iterator[Path]:
    """The folder asked for, which stays, or one that goes when the run is over."""
    if asked is not None:
        asked.mkdir(parents=True, exist_ok=True)
        remove_unfinished(asked)
        yield asked
        return
    with tempfile.TemporaryDirectory(prefix="paipu-") as own:
        yield Path(own)


def _verify_here(shards: Sequence[Shard], collector: Collector, ways: Ways, teller: Teller) -> None:
    """Verifies shards in this process, straight into the collector."""
    lines: Counter[int] = Counter()
    for shard in shards:
        path = shard.source.ordinal
        collector.begin_shard(path, lines[path])
        lines[path] += collect_shard(shard, collector, encoding=ways.encoding, tell=teller.add)


def _verify_shards(
    shards: Sequence[Shard],
    reconciler: Reconciler,
    collector: Collector,
    ways: Ways,
    work: Path,
    teller: Teller,
) -> None:
    """Verifies shards by whatever caller, and takes them in in their order."""
    streams = {shard.source for shard in shards if size_of(shard.source.path) is None}
    files = [shard for shard in shards if shard.source not in streams]
    expected = teller.expected or 0
    collector.seed = seed_in(work)
    tasks = (
        Task(
            shard,
            collector.rulebook,
            ways.encoding,
            most=collector.most,
            expected=expected,
            work=work,
            is_kept=ways.work is not None,
            seed=collector.seed,
        )
        for shard in files
    )
    lines: Counter[int] = Counter()
    with closing(call(verify_shard, tasks, ways)) as outcomes:
        for shard, outcome in zip(files, outcomes, strict=True):
            path = shard.source.ordinal
            reconciler.take(work / outcome.name, path, lines[path])
            lines[path] += outcome.lines
            teller.add(outcome.games, outcome.findings, shard.source.path)
    left = [shard for shard in shards if shard.source in streams]  # read but once, and here
    _verify_here(left, collector, ways, teller)


def call(function: Callable[[T], R], tasks: Iterable[T], ways: Ways) -> Results[R]:
    """Lets whoever is meant call a function on tasks; the results come in their order."""
    if ways.cluster is not None:
        return map_cluster(function, tasks, ways.cluster)
    return map_local(function, tasks, ways.jobs or 1)


def estimate_games(sources: Sequence[Source]) -> int | None:
    """About how many games the sources hold, by their size; None if one is a stream.

    Parquet says how many rows it has.
    """
    total = 0
    for source in sources:
        size = size_of(source.path)
        if size is None:
            return None
        suffix = os.path.splitext(name_of(source.path))[1].lower()
        if suffix == ".parquet":
            total += _rows_in(source)
        else:
            total += size // _BYTES_PER_GAME.get(suffix, _BYTES_PER_GAME_PLAIN) + 1
    return total


def _rows_in(source: Source) -> int:
    from analytics.logs.parquet import row_groups  # pyarrow: 0.3 s

    return sum(group.rows for group in row_groups(source.path))
