"""What no batch can know alone: duplicates, balance continuity, the order of it all.

Works on what a ``Collector`` has collected, by itself or from the shards of a larger
run, and makes one report of it. Source: log format, ``format.duplicate`` and
``ledger.continuity``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from analytics.collect import GAME_BITS, NO_GAME, NO_RULES, SEVERITIES, Collector, decode
from analytics.findings import Code, Finding, Severity, severity_of
from analytics.logs.batch import ABSENT
from analytics.logs.extras import UnknownNames
from analytics.stores import rows_in

# The first game of an id counts; a later one is known by the first.
_LATER: Final = """
CREATE TABLE later AS
SELECT game, path, line, rules_ix, content <> first_content AS differs, first
FROM (SELECT *, row_number() OVER ids AS nth, first_value(content) OVER ids AS first_content,
             first_value(game) OVER ids AS first
      FROM games SEMI JOIN (FROM games SELECT game_key GROUP BY ALL HAVING count(*) > 1)
                 USING (game_key)
      WINDOW ids AS (
          PARTITION BY game_key, id_head, id_tail ORDER BY path, "offset"))
WHERE nth > 1;
DELETE FROM findings WHERE game IN (FROM later SELECT game);
DELETE FROM seats WHERE game IN (FROM later SELECT game);
"""

_CONFLICTS: Final = """
SELECT later.game, later.path, later.line, later.rules_ix, -1 AS seat,
       games.path AS first_path, games.line AS first_line
FROM later JOIN games ON games.game = later.first
WHERE differs
"""

# Whose balances are to be looked at closely: one does not follow from the row before, or
# two games start together. Few are, and one pass over all seats finds them.
_LOOKED_AT: Final = """
CREATE TABLE looked_at AS
SELECT seats.*, id_head, id_tail, 0::BIGINT AS tie
FROM seats JOIN games USING (game)
SEMI JOIN (
    FROM (SELECT player_key, start, "before", lag(start) OVER last AS last_start,
                 lag("after") OVER last AS last_after
          FROM seats WHERE start <> $absent
          WINDOW last AS (PARTITION BY player_key ORDER BY start))
    SELECT player_key
    WHERE last_start = start OR (last_after <> $absent AND last_after <> "before"))
USING (player_key)
WHERE start <> $absent
"""

# Ids that agree in their first 16 bytes, where their order matters.
_TIES: Final = """
SELECT game FROM looked_at SEMI JOIN (
    FROM looked_at SELECT player_key, start, id_head, id_tail
    GROUP BY ALL HAVING count(DISTINCT game) > 1)
USING (player_key, start, id_head, id_tail)
GROUP BY ALL
"""

# Rows that are equal in the order are the seats of one game: a player may have several.
# Where these leave him with different balances, nothing is said of the next game.
_BREAKS: Final = """
CREATE TABLE breaks AS
SELECT game, path, line, rules_ix, seat, "before", last_after, last_game
FROM (SELECT *, min("after") OVER last AS last_after, max("after") OVER last AS other_after,
             any_value(game) OVER last AS last_game
      FROM looked_at
      WINDOW last AS (
          PARTITION BY player_key ORDER BY start, id_head, id_tail, tie
          GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING))
JOIN games USING (game)
WHERE last_after <> $absent AND last_after = other_after AND last_after <> "before"
"""

# A log may have millions; those beyond what is shown need no values, only their number.
_FOUND: Final = """
CREATE OR REPLACE TEMP TABLE found AS
SELECT *, row_number() OVER (PARTITION BY rules_ix ORDER BY path, line, seat) AS nth
FROM {source}
"""
_TOLD: Final = "SELECT * EXCLUDE (nth) FROM found WHERE nth <= $most ORDER BY path, line, seat"
_COUNTED: Final = """
INSERT INTO findings
SELECT game, path, line, -1, seat, $code, $severity, rules_ix, NULL FROM found WHERE nth > $most
"""

_SHOWN: Final = """
SELECT body, path, line FROM (
    SELECT *, row_number() OVER (
        PARTITION BY code, rules_ix ORDER BY path, line, action, seat, body) AS nth
    FROM findings WHERE body IS NOT NULL)
WHERE nth <= $most
ORDER BY path, line, action, seat, list_position($codes, code), body
"""

_CODES_BY_TEXT: Final = [int(code) for code in sorted(Code, key=lambda code: code.text)]
_BATCHES_AT_HAND: Final = 64  # batches whose names are kept while findings are written
_ROW: Final = (1 << GAME_BITS) - 1  # of a game, within its batch


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
        self._database = collector.database
        self._paths = paths
        self._names = lru_cache(_BATCHES_AT_HAND)(collector.store.names.__getitem__)

    def take(self, folder: Path, path: int, lines_before: int) -> None:
        """Takes in the tables of a shard.

        Args:
            folder: what a ``Collector`` of the shard collected into.
            path: ordinal of the shard's file.
            lines_before: lines of the file before the shard's first: its lines count
                from 1. A finding on a whole file has line 0, and keeps it.
        """
        first = len(self._collector.store.names) << GAME_BITS
        for table, rows in rows_in(folder):
            rows["game"] += np.where(rows["game"] == NO_GAME, 0, first)
            if "path" in rows:
                rows["path"] = np.full(len(rows["path"]), path)
                rows["line"] += np.where(rows["line"] == 0, 0, lines_before)
            self._collector.hold(table, *rows.values())
        self._collector.store.names.take(folder)

    def finish(self) -> Summary:
        """Settles duplicates and continuity; afterwards ``findings`` can be read."""
        self._collector.flush()
        self._database.execute(_LATER)
        self._merge_unknown()
        self._take_found(f"({_CONFLICTS})", Code.FORMAT_DUPLICATE, self._conflict)
        self._database.execute(_LOOKED_AT, {"absent": ABSENT})
        self._break_ties()
        self._database.execute(_BREAKS, {"absent": ABSENT})
        self._take_found("breaks", Code.LEDGER_CONTINUITY, self._break)
        return self._summary()

    def _take_found(
        self, source: str, code: Code, told: Callable[..., tuple[Finding, int, int, int]]
    ) -> None:
        """Takes what was found: with its values as far as it may be shown."""
        self._database.execute(_FOUND.format(source=source))
        most = {"most": self._collector.most}
        rows = self._database.execute(_TOLD, most).fetchall()
        self._collector.add_findings([told(*row) for row in rows])
        severity = SEVERITIES.index(severity_of(code))
        self._database.execute(_COUNTED, {**most, "code": int(code), "severity": severity})

    def _merge_unknown(self) -> None:
        """A file has one finding on unknown fields, however many shards it came in."""
        code = int(Code.FORMAT_UNKNOWN)
        query = f"SELECT path, body FROM findings WHERE code = {code} ORDER BY path"
        counts: dict[int, UnknownNames] = {}
        for path, body in self._database.execute(query).fetchall():
            names = decode(body, self._paths[path], 0).params["names"]
            counts.setdefault(path, UnknownNames()).add_counts(names)
        self._database.execute(f"DELETE FROM findings WHERE code = {code}")
        for path, names in counts.items():
            params = {"names": names.counts()}
            finding = Finding(Code.FORMAT_UNKNOWN, self._paths[path], params=params)
            self._collector.add_findings([(finding, NO_GAME, path, NO_RULES)])

    def _conflict(
        self,
        game: int,
        path: int,
        line: int,
        rules_ix: int,
        _seat: int,
        first_path: int,
        first_line: int,
    ) -> tuple[Finding, int, int, int]:
        params = {"first_file": first_path, "first_line": first_line}
        code = Code.FORMAT_DUPLICATE
        finding = Finding(code, self._paths[path], line, self.id_of(game), params=params)
        return finding, game, path, rules_ix

    def _break_ties(self) -> None:
        """Continuity goes by start, then id: also where ids begin with the same 16 bytes."""
        tied = [game for (game,) in self._database.execute(_TIES).fetchall()]
        for place, game in enumerate(sorted(tied, key=lambda game: self.id_of(game).encode())):
            self._database.execute("UPDATE looked_at SET tie = ? WHERE game = ?", [place, game])

    def _break(
        self, game: int, path: int, line: int, rules_ix: int, seat: int,
        before: int, after: int, previous: int,
    ) -> tuple[Finding, int, int, int]:  # fmt: skip
        player = self._names(game >> GAME_BITS).player_of(game & _ROW, seat)
        finding = Finding(
            Code.LEDGER_CONTINUITY, self._paths[path], line, self.id_of(game), seat=seat,
            recorded=before, recomputed=after,
            params={"previous": self.id_of(previous), "player": player},
        )  # fmt: skip
        return finding, game, path, rules_ix

    def id_of(self, game: int) -> str:
        """The id of a game."""
        return self._names(game >> GAME_BITS).id_of(game & _ROW)

    def findings(self) -> Iterator[Finding]:
        """The findings in order of path, line, action, seat, code; at most ``most`` of a
        code and ruleset."""
        asked = {"most": self._collector.most, "codes": _CODES_BY_TEXT}
        bodies = self._database.cursor().execute(_SHOWN, asked)
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
        by_code = self._counts("findings", "code")
        by_severity = self._counts("findings", "severity")
        by_rules = self._counts("games ANTI JOIN later USING (game)", "rules_ix")
        games = sum(by_rules.values())
        is_error = f"severity = {SEVERITIES.index(Severity.ERROR)}"
        mismatched = self._number(
            f"SELECT count(DISTINCT game) FROM findings WHERE {is_error} AND game <> {NO_GAME} "
            f"AND code <> {int(Code.FORMAT_DUPLICATE)}"
        )
        # One broken file is one, whatever is wrong with it.
        unreadable = (
            "SELECT count(DISTINCT (path, line)) FROM findings "
            f"WHERE {is_error} AND game = {NO_GAME}"
        )
        return Summary(
            games=games,
            verified=games - mismatched,
            mismatched=mismatched,
            unreadable=self._number(unreadable),
            duplicates=self._number("SELECT count(*) FROM later"),
            by_code={Code(code).text: count for code, count in by_code.items()},
            by_severity={
                severity.value: by_severity.get(place, 0)
                for place, severity in enumerate(SEVERITIES)
            },
            by_ruleset=by_rules,
            by_path=self._counts("games ANTI JOIN later USING (game)", "path"),
        )

    def _number(self, query: str) -> int:
        ((number,),) = self._database.execute(query).fetchall()
        return int(number)

    def _counts(self, table: str, column: str) -> Counter[int]:
        query = f"SELECT {column}, count(*) FROM {table} GROUP BY ALL ORDER BY ALL"
        return Counter(dict(self._database.execute(query).fetchall()))
