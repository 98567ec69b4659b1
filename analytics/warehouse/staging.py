"""Verifying one shard into parts: what every process does, whoever calls it.

A staged shard is a folder named by what it was made from, published by rename. So a load
that is run again after it was killed does only what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec
import numpy as np
import xxhash

from analytics import compiled
from analytics.collect import Collector
from analytics.findings import Code, Finding
from analytics.jobs.shards import Shard
from analytics.jobs.working import put_in_place
from analytics.logs import read_range
from analytics.rules import Rulebook
from analytics.verify import Verdict, verify_batch
from analytics.warehouse.common import FINDINGS
from analytics.warehouse.days import days_of
from analytics.warehouse.doors import FAMILIES, fill
from analytics.warehouse.filling import Filled, Int64s, Logs, Settling, Told, kept, told
from analytics.warehouse.manifest import SCHEMA
from analytics.warehouse.parts import NO_GAMES, Gatherer, Staged
from analytics.warehouse.tables import Layer

KEYS: Final = "keys"  # folder with the tables for reconciling
_OUTCOME: Final = "outcome.json"


class Task(NamedTuple):
    """What is to be done to a shard.

    Attributes:
        shard: the piece of a log.
        file_key: hash of the whole log.
        lines_before: lines of the log before the shard.
        rulebook: the rulesets that games may name.
        encoding: of the log, where it is not UTF-8.
        zone: in which days begin.
        expected: games of the whole run, about: whether compiling pays.
        staging: the folder to publish into.
        left_out: int64, ascending: positions of games that are there already; None:
            it is not known yet, so what finds that out is written too.
        seed: of the keys of players.
    """

    shard: Shard
    file_key: str
    lines_before: int
    rulebook: Rulebook
    encoding: str | None
    zone: str
    expected: int
    staging: Path
    left_out: Int64s | None
    seed: int


class Outcome(msgspec.Struct, frozen=True):
    """What was made of a shard.

    Attributes:
        name: of its folder in the staging folder.
        games, findings: how many.
        parts: what was written.
    """

    name: str
    games: int
    findings: int
    parts: tuple[Staged, ...]


def stage_shard(task: Task) -> Outcome:
    """Verifies a shard, unless that is done already, and publishes its parts."""
    name = _identify(task)
    folder = task.staging / name
    if folder.is_dir():
        return msgspec.json.decode((folder / _OUTCOME).read_bytes(), type=Outcome)
    compiled.expect(task.expected)
    with TemporaryDirectory(prefix=".unfinished-", dir=task.staging) as unfinished:
        into = Path(unfinished) / name
        into.mkdir()
        gatherer = Gatherer(Path(unfinished), name, task.file_key)
        games, findings = _gather_into(into, task, gatherer)
        outcome = Outcome(name, games, findings, tuple(gatherer.parts))
        (into / _OUTCOME).write_bytes(msgspec.json.encode(outcome))
        put_in_place(into, folder)
    return outcome


def _identify(task: Task) -> str:
    """A name for what the parts depend on."""
    rules = [(r.at, r.effective_from, r.hash) for r in task.rulebook.rulesets]
    left_out = None if task.left_out is None else task.left_out.tobytes()
    facts = (
        version("paipu"), compiled.source_hash(), SCHEMA, task.file_key, task.shard.start,
        task.shard.stop, task.lines_before, task.encoding, task.zone, rules, left_out, task.seed,
    )  # fmt: skip
    return xxhash.xxh3_128_hexdigest(msgspec.json.encode(facts))


def _gather_into(folder: Path, task: Task, gatherer: Gatherer) -> tuple[int, int]:
    """Verifies the games of a shard; what reconciling needs goes into a folder in there."""
    if task.left_out is not None:
        return _gather(task, None, gatherer)
    (folder / KEYS).mkdir()
    with Collector(task.rulebook, most=0, into=folder / KEYS, seed=task.seed) as collector:
        return _gather(task, collector, gatherer)


def _gather(task: Task, collector: Collector | None, gatherer: Gatherer) -> tuple[int, int]:
    """Verifies the games of a shard into both; returns how many games and findings."""
    (source, start, stop), rulebook = task.shard, task.rulebook
    settling = Settling.by(rulebook)
    unread: list[Told] = []
    games = findings = 0
    for item in read_range(source, rulebook, start=start, stop=stop, encoding=task.encoding):
        if isinstance(item, Finding):
            if item.code is not Code.FORMAT_UNKNOWN:  # one a file, so reconciling tells it
                unread.append(Told(None, _moved(item, task.lines_before), task.file_key))
            if collector is not None:
                collector.add_finding(item)
            findings += 1
        else:
            verdict = verify_batch(item, rulebook, FAMILIES)
            if collector is not None:
                collector.add(verdict)
            _add(verdict, task, gatherer, settling)
            games, findings = games + len(item), findings + len(verdict.findings)
    add_told(gatherer, unread)
    gatherer.flush()
    return games, findings


def _moved(finding: Finding, lines: int) -> Finding:
    if finding.line is None:
        return finding
    return replace(finding, line=finding.line + lines)


def _add(verdict: Verdict, task: Task, gatherer: Gatherer, settling: Settling) -> None:
    batch = verdict.batch
    logs = Logs.one(task.file_key, batch.line + task.lines_before)
    filled = fill(verdict, settling, logs)
    days = days_of(batch.start, task.zone)
    if task.left_out is not None:
        keeps = ~np.isin(batch.offset, task.left_out)
        days, filled = days[keeps], kept(filled, keeps)
    gatherer.add(days, filled)


def add_told(gatherer: Gatherer, rows: Sequence[Told]) -> None:
    """Adds findings that no batch makes; their day is null."""
    if rows:
        game = np.zeros(len(rows), np.int64)
        gatherer.add(NO_GAMES, [Filled(FINDINGS, Layer.FACTS, told(rows), game)])
