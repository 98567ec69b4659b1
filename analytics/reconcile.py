"""What no batch can know alone: duplicates, balance continuity, the order of it all.

Works on what a ``Collector`` has collected, by itself or from the shards of a larger
run, and makes one report of it. Source: log format, ``format.duplicate`` and
``ledger.continuity``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from analytics.collect import NO_RULES, TABLES, Collector, decode
from analytics.findings import Code, Finding, Severity
from analytics.logs.batch import ABSENT

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
SELECT body, path, line FROM (
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
        by_path: number of games per file, by its ordinal.
    """

    games: int
    verified: int
    mismatched: int
    unreadable: int
    duplicates: int
    by_code: Mapping[str, int]
    by_severity: Mapping[str, int]
    by_ruleset: Mapping[int, int]
    by_path: Mapping[int, int]


class Reconciler:
    """Makes one report of what was collected."""

    def __init__(self, collector: Collector, paths: Sequence[str]) -> None:
        """Takes a collector, and the file that each path ordinal stands for."""
        self._collector = collector
        self._paths = paths

    def take(self, folder: Path, lines_before: int) -> None:
        """Takes in the tables that a shard published.

        Args:
            folder: where ``Collector.publish`` wrote them.
            lines_before: lines of the file before the shard's first: its lines count
                from 1. A finding on a whole file has line 0, and keeps it.
        """
        for table in TABLES:
            source = str(folder / f"{table}.parquet").replace("'", "''")
            self._collector.database.execute(
                f"INSERT INTO {table} SELECT * REPLACE "
                f"(CASE WHEN line > 0 THEN line + {lines_before:d} ELSE 0 END AS line) "
                f"FROM read_parquet('{source}')"
            )

    def finish(self) -> Summary:
        """Settles duplicates and continuity; afterwards ``findings`` can be read."""
        self._collector.database.execute(_RANKED)
        conflicts = self._collector.database.execute(_CONFLICTS).fetchall()
        self._collector.add_findings([self._conflict(*row) for row in conflicts])
        breaks = self._collector.database.cursor().execute(_CONTINUITY, {"absent": ABSENT})
        while rows := breaks.fetchmany(10_000):
            self._collector.add_findings([self._break(*row) for row in rows])
        return self._summary()

    def _conflict(
        self, path: int, offset: int, line: int, game: str, rules_ix: int,
        first_path: int, first_line: int,
    ) -> tuple[Finding, int, int, int]:  # fmt: skip
        params = {"first_file": first_path, "first_line": first_line}
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
        bodies = self._collector.database.cursor().execute(_SHOWN, {"most": self._collector.most})
        while rows := bodies.fetchmany(1_000):
            for body, path, line in rows:
                yield self._named(decode(body, self._paths[path], line))

    def _named(self, finding: Finding) -> Finding:
        """Conflicts carry the ordinal of the first file until they are shown."""
        if finding.code is not Code.FORMAT_DUPLICATE:
            return finding
        first_file = self._paths[finding.params["first_file"]]
        return replace(finding, params={**finding.params, "first_file": first_file})

    def _summary(self) -> Summary:
        by_code = self._counts("code")
        by_severity = self._counts("severity")
        by_rules = self._counts_games("rules_ix")
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
            by_severity={s.value: by_severity.get(s.value, 0) for s in Severity},
            by_ruleset=by_rules,
            by_path=self._counts_games("path"),
        )

    def _number(self, query: str) -> int:
        row = self._collector.database.execute(query).fetchone()
        return int(row[0]) if row else 0

    def _counts(self, column: str) -> dict[Any, int]:
        query = f"SELECT {column}, count(*) FROM findings GROUP BY ALL"
        return dict(self._collector.database.execute(query).fetchall())

    def _counts_games(self, column: str) -> dict[int, int]:
        query = (
            f"SELECT {column}, count(*) FROM games "
            'WHERE (path, "offset") NOT IN (SELECT (path, "offset") FROM later) '
            "GROUP BY ALL ORDER BY ALL"
        )
        return dict(self._collector.database.execute(query).fetchall())
