"""Copies: which games of a load are there already, in the load or in the warehouse.

Works on the tables of a ``Reconciler`` that has finished, in its database, which spills
to disk under a memory limit. Source: log format, ``id`` and ``format.duplicate``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analytics.collect import NO_GAME, SEVERITIES
from analytics.findings import Code, Finding, Severity, severity_of
from analytics.logs.batch import ABSENT
from analytics.reconcile import Reconciler, Summary
from analytics.warehouse.days import DAY, days_of

Int64s = npt.NDArray[np.int64]

# Games that do not come into the warehouse, and why: the load has them before (``later``),
# the warehouse has them, another game has their key, or their day was pruned.
_LEFT_OUT: Final = """
CREATE TABLE left_out (
    game BIGINT, path INTEGER, line BIGINT, "offset" BIGINT, game_key BIGINT, why VARCHAR);
CREATE TABLE cleared (game BIGINT, why VARCHAR);
CREATE TABLE counting (game_key BIGINT, start BIGINT);
INSERT INTO left_out
SELECT game, path, later.line, "offset", game_key, if(differs, 'conflict', 'copy')
FROM later JOIN games USING (game, path);
"""
_IN_WAREHOUSE: Final = """
INSERT INTO left_out
SELECT game, path, line, "offset", game_key, if(g.content = w.content, 'copy', 'unclear')
FROM games g ANTI JOIN left_out USING (game)
JOIN (SELECT game_key, content FROM read_parquet($files, hive_partitioning = false)) w
     USING (game_key);
"""
_UNCLEAR: Final = """
SELECT game, w.id FROM left_out
JOIN (SELECT game_key, id FROM read_parquet($files, hive_partitioning = false)) w USING (game_key)
WHERE why = 'unclear' ORDER BY game
"""
_CLEAR: Final = (
    "UPDATE left_out SET why = cleared.why FROM cleared WHERE cleared.game = left_out.game"
)
_CONFLICTS_THERE: Final = "SELECT count(*) FROM cleared WHERE why = 'conflict'"
_AT_ONCE: Final = 10_000  # rows that are taken from the database together
# Of games that share a key but not the id, the first stays.
_COLLISIONS: Final = """
INSERT INTO left_out
SELECT game, path, line, "offset", game_key, 'collision'
FROM (SELECT *, row_number() OVER (PARTITION BY game_key ORDER BY path, "offset") AS nth
      FROM games ANTI JOIN left_out USING (game)
      SEMI JOIN (FROM games ANTI JOIN left_out USING (game) SELECT game_key
                 GROUP BY ALL HAVING count(*) > 1) USING (game_key))
WHERE nth > 1;
"""
_EARLY: Final = """
SELECT DISTINCT game, start FROM seats ANTI JOIN left_out USING (game)
WHERE start <> $absent AND start < $before
"""
_PRUNED: Final = """
INSERT INTO left_out
SELECT game, path, line, "offset", game_key, 'pruned' FROM games SEMI JOIN early USING (game);
"""
_COUNTS: Final = "SELECT path, why, count(*) FROM left_out GROUP BY ALL ORDER BY ALL"
_POSITIONS: Final = 'SELECT "offset" FROM left_out WHERE path = $path ORDER BY ALL'
# A finding on a conflict is of the day of the game that counts, and goes with it. That one
# is in the load or in the warehouse.
_CONFLICTS: Final = """
SELECT c.game_key, path, line, start
FROM left_out c LEFT JOIN counting USING (game_key)
WHERE why = 'conflict' ORDER BY path, line
"""
_COUNTING: Final = """
INSERT INTO counting
SELECT DISTINCT game_key, start
FROM games SEMI JOIN (FROM left_out WHERE why = 'conflict') USING (game_key)
ANTI JOIN (FROM left_out WHERE why <> 'pruned') USING (game) JOIN seats USING (game);
"""
_COUNTING_THERE: Final = """
INSERT INTO counting
SELECT game_key, epoch_us(started)
FROM read_parquet($files, hive_partitioning = false)
SEMI JOIN (FROM left_out WHERE why = 'conflict') USING (game_key)
ANTI JOIN counting USING (game_key);
"""
_REFUSED: Final = """
SELECT path, list(DISTINCT code) FROM findings WHERE game = $no_game AND severity = $error
GROUP BY ALL
"""
_UNKNOWN: Final = "SELECT path FROM findings WHERE code = $code ORDER BY path"


class Loose(NamedTuple):
    """A finding that no batch makes, on a game that counts or that was left out.

    Attributes:
        path: ordinal of the log.
        game_key: None where there is no game.
        start: of the game that counts, microseconds in UTC; ABSENT where it has no day.
        finding: with code, line, seat and amounts.
    """

    path: int
    game_key: int | None
    start: int
    finding: Finding


class Copies:
    """The games of a load that are left out."""

    def __init__(self, reconciler: Reconciler, database: duckdb.DuckDBPyConnection) -> None:
        """Takes a reconciler that has finished, and its database."""
        self._reconciler, self._database = reconciler, database
        database.execute(_LEFT_OUT)

    def compare(self, files: Sequence[str], zone: str, pruned: str | None) -> None:
        """Compares with the games of a warehouse.

        Args:
            files: of its table ``games``.
            zone: in which days begin.
            pruned: the first day of which games may come in; None: all may.
        """
        if files:
            self._database.execute(_IN_WAREHOUSE, {"files": list(files)})
            self._clear_up(files)
        self._database.execute(_COLLISIONS)
        if pruned is not None:
            self._leave_out_before(np.datetime64(pruned, "D"), zone)
        if self._database.execute(_CONFLICTS).fetchone():
            self._find_counting(files)

    def _find_counting(self, files: Sequence[str]) -> None:
        """When the games start that count where another has their id."""
        self._database.execute(_COUNTING)
        if files:
            self._database.execute(_COUNTING_THERE, {"files": list(files)})

    def _leave_out_before(self, day: np.datetime64, zone: str) -> None:
        """Games of days that were pruned; no zone is as much as two days off."""
        number = int(day.astype(np.int64))
        asked = {"absent": ABSENT, "before": (number + 2) * DAY}
        found = self._database.execute(_EARLY, asked).fetchnumpy()
        is_early = days_of(np.asarray(found["start"], np.int64), zone) < number
        early = pa.table({"game": np.asarray(found["game"], np.int64)[is_early]})
        self._database.register("early", early)
        self._database.execute(_PRUNED)
        self._database.unregister("early")

    def refused(self) -> dict[int, frozenset[int]]:
        """The codes of findings on lines that could not be read, by the ordinal of the log."""
        asked = {"no_game": NO_GAME, "error": SEVERITIES.index(Severity.ERROR)}
        rows = self._database.execute(_REFUSED, asked).fetchall()
        return {path: frozenset(codes) for path, codes in rows}

    def _clear_up(self, files: Sequence[str]) -> None:
        """Same key, other content: the same id is a conflict, another one a collision."""
        for rows in self._in_chunks(_UNCLEAR, {"files": list(files)}):
            whys = ["conflict" if self._reconciler.id_of(g) == i else "collision" for g, i in rows]
            chunk = pa.table({"game": [game for game, _ in rows], "why": whys})
            self._database.register("chunk", chunk)
            self._database.execute("INSERT INTO cleared FROM chunk")
            self._database.unregister("chunk")
        self._database.execute(_CLEAR)

    def _in_chunks(self, query: str, asked: dict[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query, some at a time."""
        found = self._database.cursor().execute(query, asked)
        while rows := found.fetchmany(_AT_ONCE):
            yield rows

    def counted(self, summary: Summary) -> Summary:
        """A summary with the findings on games whose ids the warehouse has for others."""
        ((count,),) = self._database.execute(_CONFLICTS_THERE).fetchall()
        if not count:
            return summary
        code = Code.FORMAT_DUPLICATE
        by_code, by_severity = Counter(summary.by_code), Counter(summary.by_severity)
        by_code[code.text] += count
        by_severity[severity_of(code).value] += count
        in_order = {each.text: by_code[each.text] for each in sorted(Code) if by_code[each.text]}
        return replace(summary, by_code=in_order, by_severity=by_severity)

    def counts(self) -> dict[tuple[int, str], int]:
        """How many games of each log were left out, by the ordinal of the log and why."""
        rows = self._database.execute(_COUNTS).fetchall()
        return {(path, why): count for path, why, count in rows}

    def positions(self, path: int) -> Int64s:
        """int64, ascending: where the games of a log begin that are left out."""
        found = self._database.execute(_POSITIONS, {"path": path}).fetchnumpy()
        return np.asarray(found["offset"], np.int64)

    def loose(self) -> Iterator[Loose]:
        """Findings on what no batch knows: conflicts, broken continuity, unknown fields."""
        for rows in self._in_chunks(_CONFLICTS, {}):
            for key, path, line, start in rows:
                day = ABSENT if start is None else start
                yield Loose(path, key, day, Finding(Code.FORMAT_DUPLICATE, "", line))
        asked: dict[str, Any] = {"code": int(Code.FORMAT_UNKNOWN)}
        for (path,) in self._database.execute(_UNKNOWN, asked).fetchall():
            yield Loose(path, None, ABSENT, Finding(Code.FORMAT_UNKNOWN, ""))
        yield from self._breaks()

    def _breaks(self) -> Iterator[Loose]:
        query = """
            SELECT path, game_key, start, line, seat, "before", last_after
            FROM breaks ANTI JOIN left_out USING (game)
            JOIN (SELECT game, game_key FROM games) USING (game)
            JOIN (SELECT DISTINCT game, start FROM seats) USING (game)
            ORDER BY path, line, seat"""
        for rows in self._in_chunks(query, {}):
            for path, key, start, line, seat, before, after in rows:
                finding = Finding(
                    Code.LEDGER_CONTINUITY, "", line, seat=seat, recorded=before, recomputed=after
                )
                yield Loose(path, key, start, finding)
