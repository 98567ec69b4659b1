"""What no batch can know alone: duplicates, balance continuity, the order of it all.

Verdicts come in as they are made, their keys and findings go into DuckDB tables that
spill to disk under a memory limit, and ``finish`` makes one report of it. Source: log
format, ``format.duplicate`` and ``ledger.continuity``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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

_TABLES: Final = """
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

# A game is known by where it stands. The first of an id counts.
_RANKED: Final = """
CREATE TABLE later AS
SELECT path, "offset", line, id, rules_ix, content <> first_content AS differs,
       first_path, first_line
FROM (SELECT *, row_number() OVER ids AS nth, first_value(content) OVER ids AS first_content,
             first_value(path) OVER ids AS first_path, first_value(line) OVER ids AS first_line
      FROM games
      WINDOW ids AS (PARTITION BY game_key ORDER BY path, "offset"))
WHERE nth > 1;
DELETE FROM findings WHERE (path, "offset") IN (SELECT (path, "offset") FROM later);
DELETE FROM seats WHERE (path, "offset") IN (SELECT (path, "offset") FROM later);
"""

_CONFLICTS: Final = """
SELECT path, "offset", line, id, rules_ix, first_path, first_line FROM later WHERE differs
ORDER BY path, "offset"
"""

_CONTINUITY: Final = """
SELECT path, "offset", line, id, rules_ix, seat, player, "before", last_after, last_id
FROM (SELECT *, lag("after") OVER games_of AS last_after, lag(id) OVER games_of AS last_id
      FROM seats WHERE start <> $absent
      WINDOW games_of AS (PARTITION BY unit, player ORDER BY start, id, seat))
WHERE last_after <> $absent AND last_after <> "before"
ORDER BY path, "offset", seat
"""

_SHOWN: Final = """
SELECT body FROM (
    SELECT *, row_number() OVER (
        PARTITION BY code, rules_ix ORDER BY path, line, action, seat) AS nth
    FROM findings WHERE body IS NOT NULL)
WHERE nth <= $most
ORDER BY path, line, action, seat, name
"""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run came to.

    Attributes:
        games: recorded games, each id once: verified + mismatched.
        verified: those without a finding of severity error.
        mismatched: those with one.
        unreadable: lines, and broken files, that could not be read.
        duplicates: further copies of a game, of the same or of other content.
        by_code: number of findings per code, exact, in order of the code.
        by_severity: likewise per severity.
        by_ruleset: number of games per ruleset, in order of the rulebook.
    """

    games: int
    verified: int
    mismatched: int
    unreadable: int
    duplicates: int
    by_code: Mapping[str, int]
    by_severity: Mapping[str, int]
    by_ruleset: Mapping[int, int]


class Reconciler:
    """Collects verdicts and findings, and makes one report of them.

    Use it as a context manager: it holds a database in memory that spills to a
    temporary directory.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        paths: Sequence[str],
        most: int = MAX_FINDINGS,
        families: Mapping[str, Any] = FAMILIES,
    ) -> None:
        self._rulebook = rulebook
        self._families = families
        self._paths = paths
        self._most = most
        self._shown: Counter[tuple[int, int]] = Counter()
        self._database = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "threads": 1})
        self._database.execute(_TABLES)

    def __enter__(self) -> Reconciler:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

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
        self._add_findings([(finding, path, -1, NO_RULES)])

    def _insert(self, table: str, columns: Sequence[np.ndarray[Any, Any]]) -> None:
        frame = {f"c{place}": column for place, column in enumerate(columns)}
        self._database.register("frame", frame)
        self._database.execute(f"INSERT INTO {table} SELECT * FROM frame")
        self._database.unregister("frame")

    def _add_rows(self, verdict: Verdict) -> None:
        """Findings in columns; only those that may be shown get a body."""
        rows, keys = verdict.findings, verdict.keys
        game = rows[:, F_GAME]
        codes = [Code(code) for code in rows[:, F_CODE].tolist()]
        rules = keys.rules_ix[game]
        bodies = [
            self._body(verdict, row) if self._may_show(code, rule) else None
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
        return _encode(describe(verdict, row, self._rulebook, self._families))

    def _may_show(self, code: Code, rules_ix: int) -> bool:
        self._shown[code, rules_ix] += 1
        return self._shown[code, rules_ix] <= self._most

    def _add_findings(self, findings: Sequence[tuple[Finding, int, int, int]]) -> None:
        """Findings with path, offset and ruleset."""
        if not findings:
            return
        table = [
            (
                path, offset, finding.line or 0, _or(finding.action), _or(finding.seat),
                int(finding.code), finding.code.text, finding.severity.value, rules_ix,
                _encode(finding) if self._may_show(finding.code, rules_ix) else None,
            )
            for finding, path, offset, rules_ix in findings
        ]  # fmt: skip
        columns = list(zip(*table, strict=True))
        self._insert("findings", [_column(values) for values in columns])

    def finish(self) -> Summary:
        """Settles duplicates and continuity; afterwards ``findings`` can be read."""
        self._database.execute(_RANKED)
        conflicts = self._database.execute(_CONFLICTS).fetchall()
        self._add_findings([self._conflict(*row) for row in conflicts])
        breaks = self._database.execute(_CONTINUITY, {"absent": -(2**63)})
        while rows := breaks.fetchmany(10_000):
            self._add_findings([self._break(*row) for row in rows])
        return self._summary()

    def _conflict(
        self, path: int, offset: int, line: int, game: str, rules_ix: int,
        first_path: int, first_line: int,
    ) -> tuple[Finding, int, int, int]:  # fmt: skip
        params = {"first_file": self._paths[first_path], "first_line": first_line}
        finding = Finding(Code.FORMAT_DUPLICATE, self._paths[path], line, game, params=params)
        return finding, path, offset, rules_ix

    def _break(
        self, path: int, offset: int, line: int, game: str, rules_ix: int,
        seat: int, player: str, before: int, after: int, previous: str,
    ) -> tuple[Finding, int, int, int]:  # fmt: skip
        finding = Finding(
            Code.LEDGER_CONTINUITY, self._paths[path], line, game, seat=seat,
            recorded=before, recomputed=after, params={"previous": previous, "player": player},
        )  # fmt: skip
        return finding, path, offset, rules_ix

    def findings(self) -> Iterator[Finding]:
        """The findings in order of path, line, action, seat, code; at most ``most`` of a
        code and ruleset."""
        bodies = self._database.cursor().execute(_SHOWN, {"most": self._most})
        while rows := bodies.fetchmany(1_000):
            for (body,) in rows:
                yield _decode(body)

    def _summary(self) -> Summary:
        by_code = self._counts("code")
        by_rules = self._counts_games()
        games = sum(by_rules.values())
        mismatched = self._number(
            'SELECT count(DISTINCT (path, "offset")) FROM findings '
            f"WHERE severity = 'error' AND rules_ix >= 0 AND code <> {int(Code.FORMAT_DUPLICATE)}"
        )
        unreadable = self._number(
            f"SELECT count(*) FROM findings WHERE severity = 'error' AND rules_ix = {NO_RULES}"
        )
        return Summary(
            games=games,
            verified=games - mismatched,
            mismatched=mismatched,
            unreadable=unreadable,
            duplicates=self._number("SELECT count(*) FROM later"),
            by_code={Code(code).text: count for code, count in sorted(by_code.items())},
            by_severity={s.value: self._counts("severity").get(s.value, 0) for s in Severity},
            by_ruleset=by_rules,
        )

    def _number(self, query: str) -> int:
        row = self._database.execute(query).fetchone()
        return int(row[0]) if row else 0

    def _counts(self, column: str) -> dict[Any, int]:
        query = f"SELECT {column}, count(*) FROM findings GROUP BY ALL"
        return dict(self._database.execute(query).fetchall())

    def _counts_games(self) -> dict[int, int]:
        query = (
            "SELECT rules_ix, count(*) FROM games "
            'WHERE (path, "offset") NOT IN (SELECT (path, "offset") FROM later) '
            "GROUP BY ALL ORDER BY ALL"
        )
        return dict(self._database.execute(query).fetchall())


def _or(value: int | None) -> int:
    return -1 if value is None else value


def _column(values: Sequence[Any]) -> np.ndarray[Any, Any]:
    is_number = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64 if is_number else object)


def _encode(finding: Finding) -> bytes:
    return msgspec.msgpack.encode(
        (
            int(finding.code), finding.file, finding.line, finding.game, finding.action,
            finding.seat, finding.recorded, finding.recomputed, dict(finding.params),
            finding.severity.value,
        )
    )  # fmt: skip


def _decode(body: bytes) -> Finding:
    code, file, line, game, action, seat, recorded, recomputed, params, severity = (
        msgspec.msgpack.decode(body)
    )
    return Finding(
        Code(code), file, line, game, action, seat, recorded, recomputed, params,
        Severity(severity),
    )  # fmt: skip
