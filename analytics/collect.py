"""Collecting verdicts into tables: the keys and findings of a run, or of one shard.

Verdicts come in as they are made; their keys and findings go into tables (``stores``): those
of a run into a database that spills under a memory limit; those of a shard of a larger run
into a folder, which ``analytics.reconcile`` takes in.
"""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from analytics.findings import (
    F_ACTION,
    F_CODE,
    F_GAME,
    F_SEAT,
    Code,
    Finding,
    Severity,
    severity_of,
)
from analytics.logs.keying import player_keys, sort_keys
from analytics.rules import Rulebook
from analytics.stores import TABLES, Column, Database, Folder, Names, Store, blobs
from analytics.verify import FAMILIES, Family, Verdict, describe

MAX_FINDINGS: Final = 1000  # shown per code and ruleset; counts stay exact
NO_GAME: Final = -1  # findings of the reader have no game ...
NO_RULES: Final = -1  # ... and no ruleset
_SEED_FILE: Final = ".seed"
GAME_BITS: Final = 20  # a game is known by its batch, then its row: batch << 20 | row
_AT_ONCE: Final = 1000  # findings of the reader that are written together
# Rows that are written together: whole row groups take half the time. Findings may have bodies.
_ROWS_AT_ONCE: Final = {"games": 122_880, "seats": 122_880, "findings": 8_192}
SEVERITIES: Final = tuple(Severity)
_SEVERITY_OF: Final = np.zeros(max(Code) + 1, np.int8)  # by code
for _code in Code:
    _SEVERITY_OF[_code] = SEVERITIES.index(severity_of(_code))


class Collector:
    """Collects verdicts and findings.

    Use it as a context manager: what it collects into is closed at the end.

    Attributes:
        rulebook: what ``rules_ix`` refers to.
        most: how many findings of a code and ruleset are kept with their values.
        families: the doors behind the game words that are known.
        store: what it collects into.
        seed: of ``player_keys``; shards that are taken in must have the same.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        most: int = MAX_FINDINGS,
        families: Mapping[str, Family] = FAMILIES,
        into: Path | None = None,
        seed: int | None = None,
    ) -> None:
        """Begins with nothing.

        Args:
            rulebook, most, families: see above.
            into: an empty folder, for a reconciler to take in; None: a database.
            seed: of ``player_keys``; None: one of its own.
        """
        self.rulebook = rulebook
        self.most = most
        self.store: Store = Database() if into is None else Folder(into)
        self.seed = new_seed() if seed is None else seed
        self.families = families
        self._path = self._lines_before = 0
        self._kept: Counter[tuple[int, int]] = Counter()
        self._waiting: list[tuple[Finding, int, int, int]] = []
        self._held: dict[str, list[tuple[Column, ...]]] = {table: [] for table in TABLES}
        self._rows_held: Counter[str] = Counter()

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.flush()
                self.store.complete()
        finally:
            self.store.close()

    @property
    def database(self) -> Any:
        """The connection, with the ``stores.TABLES``.

        Raises:
            TypeError: it collects into a folder.
        """
        if not isinstance(self.store, Database):
            raise TypeError("what is in a folder is in no database")
        return self.store.connection

    def allow_threads(self, threads: int) -> None:
        """From now on the database may use so many threads."""
        self.database.execute(f"SET threads = {threads}")

    def begin_shard(self, path: int, lines_before: int) -> None:
        """What comes now is of one shard.

        How many findings are kept with their values is counted anew for every shard,
        whoever verifies it, so that it depends on the logs and not on who did the work.

        Args:
            path: ordinal of its file.
            lines_before: lines of the file before its first.
        """
        self._flush_findings()
        self._path, self._lines_before = path, lines_before
        self._kept.clear()

    def add(self, verdict: Verdict) -> None:
        """Takes in the verdict on a batch."""
        keys = verdict.keys
        first = len(self.store.names) << GAME_BITS
        games = first + np.arange(len(keys.game_key))
        heads, tails = sort_keys(keys.ids.buffer, keys.ids.at)
        self.hold(
            "games",
            games, keys.game_key, heads, tails, keys.content, np.full(len(games), self._path),
            keys.offset, keys.line + self._lines_before, keys.rules_ix,
        )  # fmt: skip
        players = player_keys(keys.players.buffer, keys.players.at, keys.unit, self.seed)
        self.hold(
            "seats",
            first + keys.seat_game, keys.seat, keys.start[keys.seat_game], players, keys.before,
            keys.after,
        )  # fmt: skip
        self.store.names.append(Names.of(verdict))
        if len(verdict.findings):
            self._add_rows(verdict, first)

    def add_finding(self, finding: Finding) -> None:
        """Takes in a finding of the reader on the shard at hand.

        They are written many at a time, since each writing costs as much as a thousand
        of them: see ``flush``.
        """
        if finding.line is not None:
            finding = replace(finding, line=finding.line + self._lines_before)
        self._waiting.append((finding, NO_GAME, self._path, NO_RULES))
        if len(self._waiting) >= _AT_ONCE:
            self._flush_findings()

    def flush(self) -> None:
        """Writes what waits to be written; to be called before it is read."""
        self._flush_findings()
        for table in self._held:
            self._write_held(table)

    def _flush_findings(self) -> None:
        waiting, self._waiting = self._waiting, []
        self.add_findings(waiting)

    def add_findings(self, findings: Sequence[tuple[Finding, int, int, int]]) -> None:
        """Takes in findings, each with game, path and ruleset."""
        if not findings:
            return
        table = [
            (
                game, path, finding.line or 0, _or(finding.action), _or(finding.seat),
                int(finding.code), SEVERITIES.index(finding.severity), rules_ix,
                encode(finding) if self._may_keep(int(finding.code), rules_ix) else None,
            )
            for finding, game, path, rules_ix in findings
        ]  # fmt: skip
        *numbers, bodies = zip(*table, strict=True)
        self.insert("findings", *(np.array(n, np.int64) for n in numbers), blobs(bodies))

    def hold(self, table: str, *columns: Column) -> None:
        """Keeps rows of a table until there are many to be written together."""
        self._held[table].append(columns)
        self._rows_held[table] += len(columns[0])
        if self._rows_held[table] >= _ROWS_AT_ONCE[table]:
            self._write_held(table)

    def _write_held(self, table: str) -> None:
        held, self._held[table] = self._held[table], []
        self._rows_held[table] = 0
        if held:
            self.insert(table, *map(np.concatenate, zip(*held, strict=True)))

    def insert(self, table: str, *columns: Column) -> None:
        """Writes rows of a table."""
        self.store.insert(table, columns)

    def _add_rows(self, verdict: Verdict, first: int) -> None:
        """Findings in columns; only those that may be shown get a body."""
        rows, keys = verdict.findings, verdict.keys
        game, codes = rows[:, F_GAME], rows[:, F_CODE]
        rules = keys.rules_ix[game]
        bodies: list[bytes | None] = [None] * len(rows)
        for row in self._first_of_each(codes, rules):
            bodies[row] = self._body(verdict, row)
        self.insert(
            "findings",
            first + game, np.full(len(rows), self._path), keys.line[game] + self._lines_before,
            rows[:, F_ACTION], rows[:, F_SEAT], codes, _SEVERITY_OF[codes], rules,
            blobs(bodies),
        )  # fmt: skip

    def _first_of_each(self, codes: Column, rules: Column) -> list[int]:
        """Rows that are among the first of their code and ruleset, in order."""
        kinds, kind_of = np.unique(np.column_stack([codes, rules]), axis=0, return_inverse=True)
        first: list[int] = []
        for kind, (code, rules_ix) in enumerate(kinds.tolist()):
            of_kind = np.flatnonzero(kind_of.ravel() == kind)
            room = max(0, self.most - self._kept[code, rules_ix])
            self._kept[code, rules_ix] += len(of_kind)
            first += of_kind[:room].tolist()
        return sorted(first)

    def _body(self, verdict: Verdict, row: int) -> bytes:
        return encode(describe(verdict, row, self.rulebook, self.families))

    def _may_keep(self, code: int, rules_ix: int) -> bool:
        """Whether this one is among the first; what a file has only once is always kept."""
        self._kept[code, rules_ix] += 1
        return self._kept[code, rules_ix] <= self.most or code == Code.FORMAT_UNKNOWN


def new_seed() -> int:
    """A seed that nobody knows before."""
    return secrets.randbits(64)


def seed_in(folder: Path) -> int:
    """The seed of all whose keys are published into a folder; the first to ask puts it there.

    One that cannot be read is replaced: what was published by it is found by nobody then.
    """
    path = folder / _SEED_FILE
    with suppress(FileNotFoundError):
        try:
            return int(path.read_text())
        except ValueError:
            path.unlink()
    mine = folder / f"{_SEED_FILE}-{secrets.token_hex(8)}"
    mine.write_text(str(new_seed()))
    try:
        os.link(mine, path)  # whole or not at all, and only by one
    except FileExistsError:
        pass
    finally:
        mine.unlink()
    return int(path.read_text())


def _or(value: int | None) -> int:
    return -1 if value is None else value


def encode(finding: Finding) -> bytes:
    """A finding as bytes, without file and line: the table knows these for sure."""
    return msgspec.msgpack.encode(
        (
            int(finding.code), finding.game, finding.action, finding.seat, finding.recorded,
            finding.recomputed, dict(finding.params), finding.severity.value, finding.ruleset,
        )
    )  # fmt: skip


def decode(body: bytes, file: str, line: int) -> Finding:
    """The finding of ``encode`` in a file, on a line; 0 where the whole file is meant."""
    code, *values, severity, ruleset = msgspec.msgpack.decode(body)
    game, action, seat, recorded, recomputed, params = values
    return Finding(
        Code(code), file, line or None, game, action, seat, recorded, recomputed, params,
        Severity(severity), ruleset,
    )  # fmt: skip
