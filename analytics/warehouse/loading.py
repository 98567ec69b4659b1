"""Loading logs: verified shard by shard, without copies, and counted all at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import compress, groupby, islice
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from analytics import compiled
from analytics.collect import Collector, seed_in
from analytics.jobs import Ways
from analytics.jobs.shards import Shard, offsets
from analytics.jobs.verifying import Tell, Teller, call, estimate_games, jobs_that_pay
from analytics.logs import Source
from analytics.reconcile import Reconciler, Summary
from analytics.rules import Rulebook
from analytics.warehouse.common import FINDINGS, GAMES
from analytics.warehouse.copies import Copies, Loose
from analytics.warehouse.days import NO_DAY_NUMBER, days_of
from analytics.warehouse.filling import Filled, Int64s, Told, told
from analytics.warehouse.knowing import may_read_more, reading_key, with_rulesets
from analytics.warehouse.manifest import Entry, File, Part, bytes_of, files_of, rows_of
from analytics.warehouse.parts import Bools, Gatherer, Joining, Staged, join, publish, to_join
from analytics.warehouse.removing import incomplete, without_files
from analytics.warehouse.staging import KEYS, Outcome, Task, stage_shard
from analytics.warehouse.surveying import Log, check_unchanged, survey
from analytics.warehouse.tables import Layer
from analytics.warehouse.turns import Turn, now, turn

_AT_ONCE: Final = 10_000  # findings that are turned into rows together


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """What became of one log.

    Attributes:
        path: as given.
        file_key: hash of its bytes.
        was_known: it was loaded before, and so was not read again.
        games: games read, each id once.
        added: games that came into the warehouse.
        copies: games left out, as the load or the warehouse has them already.
        conflicts: games left out, as another game has their id.
        collisions: games left out, as another id has their key.
        pruned: games left out, as their days were taken out by ``prune``.
    """

    path: str
    file_key: str
    was_known: bool
    games: int = 0
    added: int = 0
    copies: int = 0
    conflicts: int = 0
    collisions: int = 0
    pruned: int = 0


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load came to.

    Attributes:
        files: one a log, in order of their paths.
        summary: of the verification, with the findings on ids that the warehouse has for
            other games; None where every log was known. If it has no games, nothing was
            stored.
        rows: rows added, by table.
        bytes: of the files that were added.
    """

    files: tuple[LoadedFile, ...]
    summary: Summary | None
    rows: Mapping[str, int]
    bytes: int


def load(
    sources: Sequence[Source],
    folder: Path,
    rulebook: Rulebook,
    *,
    zone: str | None = None,
    ways: Ways | None = None,
    on_progress: Tell | None = None,
) -> Loaded:
    """Verifies logs and adds their games to a warehouse, which is made if there is none.

    All or nothing: a load that fails or dies, or finds no game that can be read, leaves
    the warehouse as it was; done again, it takes up what was verified. What is there already
    is counted and left out. A log that was loaded before, of which this run may read more, is
    taken out and loaded as if it were new.

    Args:
        sources: the logs.
        folder: of the warehouse.
        rulebook: the rulesets that games may name.
        zone: in which days begin, for a new warehouse; default Asia/Shanghai.
        ways: how; ``work`` has no meaning here.
        on_progress: is told now and then how far the load is.

    Raises:
        SourceError: a source cannot be opened.
        WarehouseError: the warehouse cannot be written, or a log changed meanwhile.
        BrokenProcessPool: a process died.
    """
    ways = ways or Ways()
    with turn(folder, zone=zone, makes=True) as mine:
        logs, known = survey(sources, mine, ways, reading_key(rulebook, ways.encoding))
        met = tuple(LoadedFile(log.path, log.key, was_known=True) for log in known)
        if not logs:
            return Loaded(met, None, {}, 0)
        expected = estimate_games([log.source for log in logs])
        jobs = ways.jobs or jobs_that_pay(sum(len(log.shards) for log in logs), expected)
        run = _Run(mine, logs, rulebook, replace(ways, jobs=jobs), Teller(on_progress, expected))
        loaded = run.finish()
    files = sorted((*met, *loaded.files), key=lambda file: file.path.encode())
    return replace(loaded, files=tuple(files))


class _Run:
    """One load, from its logs to the manifest."""

    def __init__(
        self,
        mine: Turn,
        logs: Sequence[Log],
        rulebook: Rulebook,
        ways: Ways,
        teller: Teller,
    ) -> None:
        self._mine, self._logs, self._rulebook, self._ways = mine, logs, rulebook, ways
        self._teller = teller
        self._before = without_files(mine, {log.key for log in logs})
        compiled.expect(teller.expected or 0)

    def finish(self) -> Loaded:
        """Verifies, leaves out copies, puts the parts in place, lets them count."""
        seed = seed_in(self._mine.staging)
        tasks = [self._task(log, *piece, seed) for log in self._logs for piece in log.shards]
        with Collector(self._rulebook, most=0) as collector:
            reconciler = Reconciler(collector, [log.path for log in self._logs])
            outcomes = self._verify(tasks, reconciler)
            summary = reconciler.finish()
            copies = Copies(reconciler, collector.database)
            copies.compare(
                self._games_there(), self._mine.manifest.zone, self._mine.manifest.pruned
            )
            summary = copies.counted(summary)
            if not summary.games:
                return Loaded(self._files((), summary, copies.counts()), summary, {}, 0)
            staged = list(self._without_copies(tasks, outcomes, copies))
            staged += self._loose(copies.loose())
            files = self._files(staged, summary, copies.counts())
            refused = copies.refused()
        check_unchanged(self._logs)
        parts = [publish(self._mine.folder, self._mine.staging, p) for p in self._joined(staged)]
        self._commit(parts, files, summary, refused)
        return Loaded(files, summary, _rows(parts), sum(map(bytes_of, parts)))

    def _task(self, log: Log, shard: Shard, lines: int, seed: int) -> Task:
        return Task(
            shard=shard,
            file_key=log.key,
            lines_before=lines,
            rulebook=self._rulebook,
            encoding=self._ways.encoding,
            zone=self._mine.manifest.zone,
            expected=self._teller.expected or 0,
            staging=self._mine.staging.resolve(),
            left_out=None,
            seed=seed,
        )

    def _verify(self, tasks: Sequence[Task], reconciler: Reconciler) -> list[Outcome]:
        """Stages all shards; their keys go to the reconciler in order."""
        outcomes = []
        with closing(call(stage_shard, tasks, self._ways)) as done:
            for task, outcome in zip(tasks, done, strict=True):
                source = task.shard.source
                keys = task.staging / outcome.name / KEYS
                reconciler.take(keys, source.ordinal, task.lines_before)
                path = self._logs[source.ordinal].path
                self._teller.add(outcome.games, outcome.findings, path)
                outcomes.append(outcome)
        return outcomes

    def _games_there(self) -> list[str]:
        """The files with the games of the warehouse, but those of the logs themselves."""
        files = files_of(self._before, GAMES.name, is_latest=True)
        return [str(self._mine.folder / file) for file in files]

    def _without_copies(
        self, tasks: Sequence[Task], outcomes: Sequence[Outcome], copies: Copies
    ) -> Iterator[Staged]:
        """The parts; shards that hold games to be left out are done again without them."""
        positions = [copies.positions(path) for path in range(len(self._logs))]
        left_out = [_within(t.shard, positions[t.shard.source.ordinal]) for t in tasks]
        pairs = list(zip(tasks, left_out, strict=True))
        again = (task._replace(left_out=own) for task, own in pairs if len(own))
        with closing(call(stage_shard, again, self._ways)) as done:
            for (_, own), outcome in zip(pairs, outcomes, strict=True):
                yield from (next(done) if len(own) else outcome).parts

    def _loose(self, loose: Iterable[Loose]) -> Iterator[Staged]:
        """Parts with the findings that no shard knows."""
        zone = self._mine.manifest.zone
        for nth, (path, group) in enumerate(groupby(loose, key=lambda each: each.path)):
            key = self._logs[path].key
            gatherer = Gatherer(self._mine.staging, f"loose-{nth}", key)
            for some in _chunks(group):
                days = days_of(np.array([each.start for each in some], np.int64), zone)
                stays = self._stay(days)
                rows = [Told(s.game_key, s.finding, key) for s in compress(some, stays)]
                filled = Filled(FINDINGS, Layer.FACTS, told(rows), np.arange(len(rows)))
                gatherer.add(days[stays], [filled])
            gatherer.flush()
            yield from gatherer.parts

    def _stay(self, days: Int64s) -> Bools:
        """bool ``(n,)``: which of these days were not pruned."""
        if (pruned := self._mine.manifest.pruned) is None:
            return np.ones(len(days), np.bool_)
        first = np.datetime64(pruned, "D").astype(np.int64)
        stays: Bools = (days == NO_DAY_NUMBER) | (days >= first)
        return stays

    def _joined(self, staged: Sequence[Staged]) -> Iterator[Staged]:
        """The parts that will be published, small ones of a day joined."""
        groups = list(to_join(staged))
        staging = self._mine.staging.resolve()
        joins = (Joining(staging, tuple(group)) for group in groups if len(group) > 1)
        with closing(call(join, joins, self._ways)) as joined:
            for group in groups:
                yield next(joined) if len(group) > 1 else group[0]

    def _files(
        self, staged: Sequence[Staged], summary: Summary, counts: Mapping[tuple[int, str], int]
    ) -> tuple[LoadedFile, ...]:
        added: Counter[str] = Counter()
        for part in staged:
            added[part.files[0]] += part.games
        return tuple(
            LoadedFile(
                path=log.path,
                file_key=log.key,
                was_known=False,
                games=summary.by_path.get(ordinal, 0),
                added=added[log.key],
                copies=counts.get((ordinal, "copy"), 0),
                conflicts=counts.get((ordinal, "conflict"), 0),
                collisions=counts.get((ordinal, "collision"), 0),
                pruned=counts.get((ordinal, "pruned"), 0),
            )
            for ordinal, log in enumerate(self._logs)
        )

    def _commit(
        self,
        parts: Sequence[Part],
        files: Sequence[LoadedFile],
        summary: Summary,
        refused: Mapping[int, frozenset[int]],
    ) -> None:
        before = with_rulesets(self._before, self._rulebook, summary.by_ruleset)
        new = [
            self._record(log, file, refused.get(log.source.ordinal, frozenset()))
            for log, file in zip(self._logs, files, strict=True)
        ]
        after = msgspec.structs.replace(
            before,
            parts=(*before.parts, *parts),
            files=(*self._others(files), *new),
        )
        what = ", ".join(file.path for file in files)
        games, rows = sum(file.added for file in files), sum(map(rows_of, parts))
        self._mine.commit(after, Entry(now(), "load", what, games, rows))

    def _record(self, log: Log, file: LoadedFile, refused: frozenset[int]) -> File:
        """What the warehouse will know of a log.

        Args:
            log: as it was looked through.
            file: what became of it.
            refused: codes of findings on its lines that could not be read.
        """
        encoding = self._ways.encoding
        may_be_more = may_read_more(refused, encoding)
        return File(
            key=log.key,
            path=log.path,
            bytes=log.size,
            loaded=now(),
            games=file.added,
            duplicates=file.copies + file.conflicts + file.collisions,
            refused_by=reading_key(self._rulebook, encoding) if may_be_more else "",
        )

    def _others(self, files: Iterable[LoadedFile]) -> tuple[File, ...]:
        """The other logs; they may have copies of games that were not read any more."""
        earlier, others = self._mine.manifest.file_of, self._before.files
        brought = {file.file_key: file.added for file in files}
        is_less = any(
            key in earlier and added < earlier[key].games for key, added in brought.items()
        )
        return tuple(map(incomplete, others)) if is_less else others


def _within(shard: Shard, positions: Int64s) -> Int64s:
    """The positions that lie in a shard."""
    start, stop = offsets(shard)
    first = np.searchsorted(positions, start)
    after = len(positions) if stop is None else np.searchsorted(positions, stop)
    return positions[first:after]


def _chunks(rows: Iterator[Loose]) -> Iterator[list[Loose]]:
    while some := list(islice(rows, _AT_ONCE)):
        yield some


def _rows(parts: Iterable[Part]) -> dict[str, int]:
    """Rows by table."""
    counts: Counter[str] = Counter()
    for part in parts:
        for written in (part.facts, *part.verdicts):
            counts.update(written.rows)
    return dict(sorted(counts.items()))
