"""Collecting verdicts into tables: the keys and findings of a run, or of one shard.

Verdicts come in as they are made; their keys and findings go into DuckDB tables that
spill to disk under a memory limit. A shard of a larger run publishes its tables as
Parquet, which ``analytics.reconcile`` takes in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import duckdb
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
from analytics.rules import Rulebook
from analytics.verify import FAMILIES, Verdict, describe

MAX_FINDINGS: Final = 1000  # shown per code and ruleset; counts stay exact
MEMORY: Final = "160MB"
NO_RULES: Final = -1  # findings of the reader have no ruleset
TABLES: Final = ("games", "seats", "findings")

_CREATE: Final = """
CREATE TABLE games (
    game_key BIGINT, content BIGINT, path INTEGER, "offset" BIGINT, line BIGINT,
    start BIGINT, rules_ix SMALLINT, id VARCHAR);
CREATE TABLE seats (
    path INTEGER, "offset" BIGINT, seat TINYINT, start BIGINT, id VARCHAR, line BIGINT,
    rules_ix SMALLINT, player VARCHAR, unit VARCHAR, "before" BIGINT, "after" BIGINT);
CREATE TABLE findings (
    path INTEGER, "offset" BIGINT, line BIGINT, action INTEGER, seat TINYINT, code SMALLINT,
    name VARCHAR, severity VARCHAR, rules_ix SMALLINT, body BLOB);
"""


class Collector:
    """Collects verdicts and findings.

    Use it as a context manager: it holds a database in memory that spills to a
    temporary directory.

    Attributes:
        rulebook: what ``rules_ix`` refers to.
        most: how many findings of a code and ruleset are kept with their values.
        database: the connection, with tables ``games``, ``seats``, ``findings``.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        most: int = MAX_FINDINGS,
        families: Mapping[str, Any] = FAMILIES,
    ) -> None:
        self.rulebook = rulebook
        self.most = most
        self.database = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "threads": 1})
        self.database.execute(_CREATE)
        self._families = families
        self._kept: Counter[tuple[int, int]] = Counter()

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def add(self, verdict: Verdict) -> None:
        """Takes in the verdict on a batch."""
        keys = verdict.keys
        game = keys.seat_game
        self._insert(
            "games",
            (keys.game_key, keys.content, keys.path, keys.offset, keys.line, keys.start,
             keys.rules_ix, keys.id),
        )  # fmt: skip
        self._insert(
            "seats",
            (keys.path[game], keys.offset[game], keys.seat, keys.start[game], keys.id[game],
             keys.line[game], keys.rules_ix[game], keys.player, keys.unit, keys.before,
             keys.after),
        )  # fmt: skip
        if len(verdict.findings):
            self._add_rows(verdict)

    def add_finding(self, finding: Finding, path: int) -> None:
        """Takes in a finding of the reader on the file with ordinal ``path``."""
        self.add_findings([(finding, path, -1, NO_RULES)])

    def _insert(self, table: str, columns: Sequence[np.ndarray[Any, Any]]) -> None:
        frame = {f"c{place}": column for place, column in enumerate(columns)}
        self.database.register("frame", frame)
        self.database.execute(f"INSERT INTO {table} SELECT * FROM frame")
        self.database.unregister("frame")

    def _add_rows(self, verdict: Verdict) -> None:
        """Findings in columns; only those that may be shown get a body."""
        rows, keys = verdict.findings, verdict.keys
        game = rows[:, F_GAME]
        codes = [Code(code) for code in rows[:, F_CODE].tolist()]
        rules = keys.rules_ix[game]
        bodies = [
            self._body(verdict, row) if self._may_keep(code, rule) else None
            for row, (code, rule) in enumerate(zip(codes, rules.tolist(), strict=True))
        ]
        self._insert(
            "findings",
            (keys.path[game], keys.offset[game], keys.line[game], rows[:, F_ACTION],
             rows[:, F_SEAT], rows[:, F_CODE], np.array([code.text for code in codes], object),
             np.array([severity_of(code).value for code in codes], object), rules,
             np.array(bodies, object)),
        )  # fmt: skip

    def _body(self, verdict: Verdict, row: int) -> bytes:
        return encode(describe(verdict, row, self.rulebook, self._families))

    def _may_keep(self, code: Code, rules_ix: int) -> bool:
        self._kept[code, rules_ix] += 1
        return self._kept[code, rules_ix] <= self.most

    def add_findings(self, findings: Sequence[tuple[Finding, int, int, int]]) -> None:
        """Takes in findings, each with path, offset and ruleset."""
        if not findings:
            return
        table = [
            (
                path, offset, finding.line or 0, _or(finding.action), _or(finding.seat),
                int(finding.code), finding.code.text, finding.severity.value, rules_ix,
                encode(finding) if self._may_keep(finding.code, rules_ix) else None,
            )
            for finding, path, offset, rules_ix in findings
        ]  # fmt: skip
        columns = list(zip(*table, strict=True))
        self._insert("findings", [_column(values) for values in columns])

    def publish(self, folder: Path) -> None:
        """Writes the tables as Parquet into a folder, and empties them."""
        for table in TABLES:
            target = str(folder / f"{table}.parquet").replace("'", "''")
            self.database.execute(f"COPY {table} TO '{target}' (FORMAT parquet)")
            self.database.execute(f"DELETE FROM {table}")
        self._kept.clear()


def _or(value: int | None) -> int:
    return -1 if value is None else value


def _column(values: Sequence[Any]) -> np.ndarray[Any, Any]:
    is_number = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64 if is_number else object)


def encode(finding: Finding) -> bytes:
    """A finding as bytes, without file and line: the table knows these for sure."""
    return msgspec.msgpack.encode(
        (
            int(finding.code), finding.game, finding.action, finding.seat, finding.recorded,
            finding.recomputed, dict(finding.params), finding.severity.value,
        )
    )  # fmt: skip


def decode(body: bytes, file: str, line: int) -> Finding:
    """The finding of ``encode`` in a file, on a line; 0 where the whole file is meant."""
    code, *values, severity = msgspec.msgpack.decode(body)
    game, action, seat, recorded, recomputed, params = values
    return Finding(
        Code(code), file, line or None, game, action, seat, recorded, recomputed, params,
        Severity(severity),
    )  # fmt: skip
