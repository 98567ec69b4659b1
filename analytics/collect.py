"""Collecting verdicts into tables: the keys and findings of a run, or of one shard.

Verdicts come in as they are made; their keys and findings go into DuckDB tables that
spill to disk under a memory limit. A shard of a larger run publishes its tables as
Parquet, which ``analytics.reconcile`` takes in. Names are looked at only where something
is wrong, so they wait in a file, a piece a batch.
"""

from __future__ import annotations

import os
import secrets
import shutil
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, Final

import duckdb
import msgspec
import numpy as np
import numpy.typing as npt

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
from analytics.rules import Rulebook
from analytics.verify import FAMILIES, Family, Verdict, describe

Column = npt.NDArray[Any]

MAX_FINDINGS: Final = 1000  # shown per code and ruleset; counts stay exact
MEMORY: Final = "160MB"
NO_GAME: Final = -1  # findings of the reader have no game ...
NO_RULES: Final = -1  # ... and no ruleset
_SEED_FILE: Final = ".seed"
GAME_BITS: Final = 20  # a game is known by its batch, then its row: batch << 20 | row
TABLES: Final = ("games", "seats", "findings")
_AT_ONCE: Final = 1000  # findings of the reader that are written together
# Rows of other tables that are written together: whole row groups take half the time.
_ROWS_AT_ONCE: Final = 122_880
_CHUNK: Final = 1 << 20  # bytes that are copied at a time
_NAMES, _SIZES = "names.bin", "names.json"
# Delta encodings of version 2 make numbers small; packing them besides costs more than it saves.
_PARQUET: Final = "FORMAT parquet, PARQUET_VERSION v2, COMPRESSION uncompressed"
SEVERITIES: Final = tuple(Severity)
_SEVERITY_OF: Final = np.zeros(max(Code) + 1, np.int8)  # by code
for _code in Code:
    _SEVERITY_OF[_code] = SEVERITIES.index(severity_of(_code))

_CREATE: Final = """
CREATE OR REPLACE TABLE games (
    game BIGINT, game_key BIGINT, id_head UBIGINT, id_tail UBIGINT, content BIGINT,
    path INTEGER, "offset" BIGINT, line BIGINT, rules_ix SMALLINT);
CREATE OR REPLACE TABLE seats (
    game BIGINT, seat TINYINT, start BIGINT, player_key BIGINT, "before" BIGINT,
    "after" BIGINT);
CREATE OR REPLACE TABLE findings (
    game BIGINT, path INTEGER, line BIGINT, action INTEGER, seat TINYINT, code SMALLINT,
    severity TINYINT, rules_ix SMALLINT, body BLOB);
"""


class Names(msgspec.Struct, frozen=True, array_like=True):
    """The names in a batch, for the few of them that are ever told.

    Attributes:
        ids, players: texts of the games, and of the seats.
        id_at, player_at, seats_at: int32: where each text begins, and each game's seats.
    """

    ids: bytes
    id_at: bytes
    players: bytes
    player_at: bytes
    seats_at: bytes

    @classmethod
    def of(cls, verdict: Verdict) -> Names:
        """The names of a batch."""
        ids, players, seats_at = verdict.keys.ids, verdict.keys.players, verdict.batch.seats_at
        return cls(ids.buffer, _int32(ids.at), players.buffer, _int32(players.at), _int32(seats_at))

    def id_of(self, row: int) -> str:
        """The id of a game of the batch."""
        return _text(self.ids, self.id_at, row)

    def player_of(self, row: int, seat: int) -> str:
        """Who sat there."""
        first = int(np.frombuffer(self.seats_at, np.int32)[row])
        return _text(self.players, self.player_at, first + seat)


def _int32(places: npt.NDArray[np.int64]) -> bytes:
    return places.astype(np.int32).tobytes()


def _text(texts: bytes, at: bytes, place: int) -> str:
    first, after = np.frombuffer(at, np.int32)[place : place + 2]
    return texts[first:after].decode()


class NamesOfBatches:
    """The names of batches, one behind the other in a temporary file.

    DuckDB would have to hold them in memory: they are too long to be spilled.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile(prefix="paipu-")  # noqa: SIM115 - until ``close``
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, batch: int) -> Names:
        start, end = self._ends[batch : batch + 2]
        self._file.seek(start)
        return msgspec.msgpack.decode(self._file.read(end - start), type=Names)

    def append(self, names: Names) -> None:
        """Adds those of the next batch."""
        self._file.seek(self._ends[-1])
        self._ends.append(self._ends[-1] + self._file.write(msgspec.msgpack.encode(names)))

    def publish(self, folder: Path) -> None:
        """Writes all of them into a folder."""
        sizes = [end - start for start, end in pairwise(self._ends)]
        (folder / _SIZES).write_bytes(msgspec.json.encode(sizes))
        self._file.seek(0)
        with (folder / _NAMES).open("wb") as out:
            shutil.copyfileobj(self._file, out, _CHUNK)

    def take(self, folder: Path) -> None:
        """Adds those that were published in a folder."""
        sizes = msgspec.json.decode((folder / _SIZES).read_bytes(), type=list[int])
        self._file.seek(self._ends[-1])
        with (folder / _NAMES).open("rb") as published:
            shutil.copyfileobj(published, self._file, _CHUNK)
        self._ends += list(accumulate(sizes, initial=self._ends[-1]))[1:]

    def close(self) -> None:
        """Removes the file."""
        self._file.close()


class Database:
    """A DuckDB database in memory that spills to a temporary directory.

    Attributes:
        connection: to it; one thread, under a memory limit.
    """

    def __init__(self) -> None:
        self._spilled = TemporaryDirectory(prefix="paipu-", ignore_cleanup_errors=True)
        settings: dict[str, Any] = {
            "memory_limit": MEMORY,
            "threads": 1,
            "temp_directory": self._spilled.name,
        }
        self.connection = duckdb.connect(":memory:", config=settings)

    def close(self) -> None:
        """Closes it, and removes what it spilled."""
        self.connection.close()
        self._spilled.cleanup()


_OF_THREAD: Final = threading.local()


def database_of_thread() -> Database:
    """The database of this thread, for shards one after another, until the process ends.

    Opening one and closing it takes as long as verifying some thousand games.
    """
    if not hasattr(_OF_THREAD, "database"):
        _OF_THREAD.database = Database()
        # Worker processes of a pool end without what ``atexit`` has.
        Finalize(None, _OF_THREAD.database.close, exitpriority=0)
    database: Database = _OF_THREAD.database
    return database


class Collector:
    """Collects verdicts and findings.

    Use it as a context manager: it may hold a database.

    Attributes:
        rulebook: what ``rules_ix`` refers to.
        most: how many findings of a code and ruleset are kept with their values.
        families: the doors behind the game words that are known.
        database: the connection, with the ``TABLES``.
        names: of every batch, in their order.
        seed: of ``player_keys``; shards that are taken in must have the same.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        most: int = MAX_FINDINGS,
        families: Mapping[str, Family] = FAMILIES,
        within: Database | None = None,
        seed: int | None = None,
    ) -> None:
        """Makes the tables, empty.

        Args:
            rulebook, most, families: see above.
            within: an open database, which stays open; None: one of its own.
            seed: of ``player_keys``; None: one of its own.
        """
        self.rulebook = rulebook
        self.most = most
        database = within or Database()
        self._own = None if within else database
        self.database = database.connection
        self.database.execute(_CREATE)
        self.names = NamesOfBatches()
        self.seed = new_seed() if seed is None else seed
        self.families = families
        self._path = self._lines_before = 0
        self._kept: Counter[tuple[int, int]] = Counter()
        self._waiting: list[tuple[Finding, int, int, int]] = []
        self._held: dict[str, list[tuple[Column, ...]]] = {"games": [], "seats": []}

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, *_: object) -> None:
        self.names.close()
        if self._own is not None:
            self._own.close()
        else:
            self.database.execute(_CREATE)  # empties them

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
        first = len(self.names) << GAME_BITS
        games = first + np.arange(len(keys.game_key))
        heads, tails = sort_keys(keys.ids.buffer, keys.ids.at)
        self._hold(
            "games",
            games, keys.game_key, heads, tails, keys.content, np.full(len(games), self._path),
            keys.offset, keys.line + self._lines_before, keys.rules_ix,
        )  # fmt: skip
        players = player_keys(keys.players.buffer, keys.players.at, keys.unit, self.seed)
        self._hold(
            "seats",
            first + keys.seat_game, keys.seat, keys.start[keys.seat_game], players, keys.before,
            keys.after,
        )  # fmt: skip
        self.names.append(Names.of(verdict))
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
        self._insert("findings", *(np.array(n, np.int64) for n in numbers), _blobs(bodies))

    def _hold(self, table: str, *columns: Column) -> None:
        """Keeps rows until there are many to be written together."""
        self._held[table].append(columns)
        if sum(len(first) for first, *_ in self._held[table]) >= _ROWS_AT_ONCE:
            self._write_held(table)

    def _write_held(self, table: str) -> None:
        held, self._held[table] = self._held[table], []
        if held:
            self._insert(table, *map(np.concatenate, zip(*held, strict=True)))

    def _insert(self, table: str, *columns: Column) -> None:
        frame = {f"c{place}": column for place, column in enumerate(columns)}
        self.database.register("frame", frame)
        self.database.execute(f"INSERT INTO {table} SELECT * FROM frame")
        self.database.unregister("frame")

    def _add_rows(self, verdict: Verdict, first: int) -> None:
        """Findings in columns; only those that may be shown get a body."""
        rows, keys = verdict.findings, verdict.keys
        game, codes = rows[:, F_GAME], rows[:, F_CODE]
        rules = keys.rules_ix[game]
        bodies: list[bytes | None] = [None] * len(rows)
        for row in self._first_of_each(codes, rules):
            bodies[row] = self._body(verdict, row)
        self._insert(
            "findings",
            first + game, np.full(len(rows), self._path), keys.line[game] + self._lines_before,
            rows[:, F_ACTION], rows[:, F_SEAT], codes, _SEVERITY_OF[codes], rules,
            _blobs(bodies),
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

    def publish(self, folder: Path) -> None:
        """Writes the tables as Parquet into a folder, and the names beside them."""
        self.flush()
        self.names.publish(folder)
        for table in TABLES:
            target = str(folder / f"{table}.parquet").replace("'", "''")
            self.database.execute(f"COPY {table} TO '{target}' ({_PARQUET})")


def sort_keys(buffer: bytes, at: npt.NDArray[np.int64]) -> tuple[Column, Column]:
    """The first 16 bytes of each id as two numbers that sort as the ids do.

    Returns:
        uint64 ``(n,)`` twice. Ids that agree in both may still differ further on.
    """
    width = 16
    padded = np.frombuffer(buffer + bytes(width), np.uint8)
    places = at[:-1, None] + np.arange(width)
    heads = np.where(places < at[1:, None], padded[places], 0).astype(np.uint8)
    numbers = heads.view(">u8").astype(np.uint64)
    return numbers[:, 0], numbers[:, 1]


def player_keys(
    buffer: bytes, at: npt.NDArray[np.int64], unit: npt.NDArray[np.int16], seed: int
) -> Column:
    """A number for each player's account, equal for equal texts and units: int64 ``(n,)``.

    It adds up a random odd number for every byte, by its place and its value, modulo 2^64:
    of two different texts, whatever they are, once in 2^55 seeds the numbers are the same. So
    whoever chooses names, but not the seed, cannot make two players one.

    Args:
        buffer, at: ``n`` texts, as in ``Strings``.
        unit: int16 ``(n,)``: what they own there is counted in.
        seed: of the random numbers.

    >>> units = np.array([0, 0, 0, 1], np.int16)
    >>> keys = player_keys(b"abbaabab", np.array([0, 2, 4, 6, 8]), units, 1).tolist()
    >>> keys[0] == keys[2], keys[0] == keys[1], keys[0] == keys[3]
    (True, False, False)
    """
    lengths = np.diff(at)
    longest = int(lengths.max(initial=0))
    weights = np.random.Philox(seed).random_raw(1 + longest) | np.uint64(1)  # first: of units
    place = np.arange(len(buffer)) - np.repeat(at[:-1], lengths)
    value = np.frombuffer(buffer, np.uint8).astype(np.uint64) + np.uint64(1)
    sums = np.zeros(len(buffer) + 1, np.uint64)
    np.cumsum(value * weights[1:][place], out=sums[1:])
    of_units = unit.astype(np.uint64) * weights[0]
    keys: Column = (sums[at[1:]] - sums[at[:-1]] + of_units).view(np.int64)
    return keys


def new_seed() -> int:
    """A seed that nobody knows before."""
    return secrets.randbits(64)


def seed_in(folder: Path) -> int:
    """The seed of all whose keys are published into a folder; the first to ask puts it there."""
    path = folder / _SEED_FILE
    if not path.exists():
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


def _blobs(bodies: Sequence[bytes | None]) -> Column:
    column = np.empty(len(bodies), object)
    column[:] = bodies
    return column


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
