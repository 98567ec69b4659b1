"""Groups: games that no settlement can tell apart, with counts.

A settlement reads few columns of the facts, so many games share one row: what a table
pays is found by settling the rows, by the one settlement there is, and counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any, Final

import duckdb
import numpy as np
import numpy.typing as npt

from analytics.logs.batch import END_ESCAPE, END_OUT
from analytics.rules import Levels, Ruleset
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.studies import Asked, Studied
from analytics.studies.asking import MIDNIGHT
from analytics.tuning.baseline import Baseline, baseline_of
from analytics.tuning.errors import CannotTune
from analytics.tuning.grouping import (
    LEVELS,
    PLAYERS,
    POSITIONS,
    TABLES,
    Wanted,
    group_steps,
    seating_query,
)
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.reading import sentence_of
from analytics.warehouse.restoring import column
from analytics.warehouse.shuangkou_restoring import settled_by

Int64s = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]

_LOWEST_KNOWN: Final = 0  # stands for every balance where no table has levels


@dataclass(frozen=True, slots=True, eq=False)
class Seatings:
    """Who sat where in which group: a row a player, group, position and level.

    Attributes:
        players: their names, in order.
        player: int64 ``(r,)``, place in ``players``, ascending.
        group: int64 ``(r,)``.
        position: int64 ``(r,)``, as in ``Groups.sat``.
        level: int64 ``(r,)``: how many thresholds the player's own balance met.
        count: int64 ``(r,)``: games.
    """

    players: tuple[str, ...]
    player: Int64s
    group: Int64s
    position: Int64s
    level: Int64s
    count: Int64s


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Games of one ruleset, grouped by all that a settlement can see of them.

    Seats are counted from the winner: winner, other; or with four winner, the better of
    the others, the winner's partner, the worse of the others.

    Attributes:
        ruleset: by which the warehouse settled them.
        asked: which games they are.
        signatures: int64 ``(u, SEAT_WIDTH)``: the different facts of seats.
        sat: int64 ``(g, seats)``: which of these each seat has.
        end: int64 ``(g,)``: ``END_OUT`` or ``END_ESCAPE``.
        met: int64 ``(g,)``: how many thresholds the lowest balance at the table met.
        given: int64 ``(g,)``: the recorded base; ``ABSENT`` where it was not asked for.
        count: int64 ``(g,)``: games.
        thresholds: balances at which a level begins in a table in play, ascending.
        with_given: whether the recorded base was asked for.
        broken: games that did not end, which no table can settle.
        days: on how many days the games began.
        seatings: who sat where; None: not asked for.
    """

    ruleset: Ruleset
    asked: Asked
    signatures: Int64s
    sat: Int64s
    end: Int64s
    met: Int64s
    given: Int64s
    count: Int64s
    thresholds: tuple[int, ...]
    with_given: bool
    broken: int
    days: int
    seatings: Seatings | None

    def __len__(self) -> int:
        return len(self.count)

    @property
    def seats(self) -> int:
        """Seats of a game: 2 or 4."""
        return int(self.sat.shape[1])

    @property
    def games(self) -> int:
        """How many games there are in all groups."""
        return int(self.count.sum())

    def balances(self) -> Int64s:
        """int64 ``(g,)``: a balance that meets as many thresholds as the lowest at the table."""
        lowest = self.thresholds[0] - 1 if self.thresholds else _LOWEST_KNOWN
        return np.array([lowest, *self.thresholds], np.int64)[self.met]

    def played(self, rows: slice, table: Int64s) -> S.Played:
        """Some groups as games, one each, to be settled by a table.

        Args:
            rows: which groups.
            table: int64 ``(WIDTH,)``, row of a ruleset.
        """
        count = len(self.count[rows])
        games = np.zeros((count, D.GAME_WIDTH), np.int64)
        games[:, D.G_END] = self.end[rows]
        games[:, D.G_FLEER] = np.where(self.end[rows] == END_ESCAPE, 1, -1)
        rules = np.ascontiguousarray(table, np.int64).reshape(1, R.WIDTH)
        rules.setflags(write=False)  # as those of a rulebook: else a kernel is compiled anew
        return S.Played(
            games=games,
            seats=self.signatures[self.sat[rows].ravel()],
            seats_at=np.arange(count + 1, dtype=np.int64) * self.seats,
            balance=np.repeat(self.balances()[rows], self.seats),
            given=self.given[rows],
            rules=rules,
            rules_ix=np.zeros(count, np.int16),
        )


def group_games(
    warehouse: Studied,
    *,
    where: str | None = None,
    since: date | str | None = None,
    until: date | str | None = None,
    day_start: time = MIDNIGHT,
    zone: str | None = None,
    rules: str | None = None,
    thresholds: Sequence[int] = (),
    with_given: bool = False,
    with_players: bool = False,
) -> Groups:
    """The games of a warehouse in groups.

    Guarantees: settled by any table whose ``[play]`` is theirs, whose thresholds are among
    those given and which does not cap at balances, they come to what every game comes to.

    Args:
        warehouse: open.
        where: an expression of SQL over the columns of games.
        since: the first day.
        until: the last day.
        day_start: when a day begins.
        zone: the time zone of days; None: that of the warehouse.
        rules: name, or name@version, of the ruleset that settled the games; None: there
            is only one.
        thresholds: balances at which levels of other tables in play begin; those of the
            games' own are there anyhow.
        with_given: whether a table in play takes the recorded base.
        with_players: whether it is kept who sat where.

    Raises:
        WarehouseError: games cannot be chosen so.
        CannotTune: no game is there, or games of several rulesets are.
    """
    asked = warehouse.asked(where=where, since=since, until=until, day_start=day_start, zone=zone)
    baseline = baseline_of(warehouse, asked, rules)
    return group_asked(
        warehouse,
        asked,
        baseline,
        thresholds=thresholds,
        with_given=with_given,
        with_players=with_players,
    )


def group_asked(
    warehouse: Studied,
    asked: Asked,
    baseline: Baseline,
    *,
    thresholds: Sequence[int] = (),
    with_given: bool = False,
    with_players: bool = False,
) -> Groups:
    """The same, of games that were chosen and whose ruleset is known."""
    wanted = Wanted(
        asked=asked,
        ruleset=baseline.ruleset.at,
        seats=baseline.ruleset.play.seats,
        thresholds=tuple(sorted({*thresholds, *thresholds_of(baseline.ruleset)})),
        with_given=with_given or baseline.ruleset.scoring.base == "given",
    )
    try:
        for statement in group_steps(wanted):
            warehouse.connection.execute(statement)
        seatings = _seatings(warehouse, wanted) if with_players else None
        return _fetched(warehouse, wanted, baseline, seatings)
    except duckdb.Error as problem:
        raise WarehouseError(sentence_of(problem)) from problem
    finally:
        for name in TABLES:
            warehouse.connection.execute(f"DROP TABLE IF EXISTS {name}")


def thresholds_of(*tables: Ruleset) -> tuple[int, ...]:
    """The balances at which a level begins in any of these tables, ascending (clause 8.1).

    >>> from analytics.rules import load_rulesets
    >>> thresholds_of(load_rulesets().rulesets[3])[:3]
    (100, 1000, 10000)
    """
    bases = (table.scoring.base for table in tables)
    rows = (level for base in bases if isinstance(base, Levels) for level in base.rows)
    return tuple(sorted({level.required for level in rows}))


def _fetched(
    warehouse: Studied, wanted: Wanted, baseline: Baseline, seatings: Seatings | None
) -> Groups:
    signatures = _ordered(warehouse, "FROM tuned_signatures ORDER BY signature")
    rows = _ordered(warehouse, "FROM tuned_groups ORDER BY grp")
    return Groups(
        ruleset=baseline.ruleset,
        asked=wanted.asked,
        signatures=settled_by(signatures),
        sat=np.column_stack([column(rows, f"s{seat}") for seat in range(wanted.seats)]),
        end=np.where(column(rows, "escaped") != 0, END_ESCAPE, END_OUT),
        met=column(rows, "met"),
        given=column(rows, "given"),
        count=column(rows, "games"),
        thresholds=wanted.thresholds,
        with_given=wanted.with_given,
        broken=baseline.broken,
        days=baseline.days,
        seatings=seatings,
    )


def _seatings(warehouse: Studied, wanted: Wanted) -> Seatings:
    if len(wanted.thresholds) >= LEVELS:
        raise CannotTune(f"{len(wanted.thresholds)} different levels are more than can be told.")
    warehouse.connection.execute(PLAYERS)
    names = _ordered(warehouse, "SELECT player FROM tuned_players ORDER BY number")["player"]
    groups = int(_ordered(warehouse, "SELECT count(*) AS n FROM tuned_groups")["n"][0].as_py())
    rows = _ordered(warehouse, seating_query(wanted.seats, groups))
    seating, count = np.unique(column(rows, "seating"), return_counts=True)
    seating, level = np.divmod(seating, LEVELS)
    seating, position = np.divmod(seating, POSITIONS)
    player, group = np.divmod(seating, max(groups, 1))
    players = tuple(names.to_pylist())
    return Seatings(players, player, group, position, level, count.astype(np.int64))


def _ordered(warehouse: Studied, query: str) -> Any:
    return warehouse.connection.sql(query).to_arrow_table()
