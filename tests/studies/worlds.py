"""Worlds for the studies of honesty: hands and meetings drawn by numpy, not by the product.

A world of two players at each table has halls that do not mix, as the simulator has; within
a room those of similar skill sit down together, for two to ten games; the better one wins
more often. Nothing is played: who won how much is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from analytics.warehouse.common import GAMES, SEATS, VERDICTS
from analytics.warehouse.shuangkou import SHUANGKOU_GAMES, SHUANGKOU_SETTLED
from analytics.warehouse.tables import DAY, Table

ROUNDS = 6  # mean games of a meeting
HALL = 250  # players
HOURS = 7 * 24
BEGIN = np.datetime64("2026-11-02T00:00:00", "us")


@dataclass(frozen=True)
class Ring:
    """Two who conspire: players 0 and 1, of one hall.

    Attributes:
        meetings: how often they sit down together beyond chance.
        rounds: games of each of these meetings.
        loses: how often the first loses to the second in any game of theirs.
    """

    meetings: int
    rounds: int = 4
    loses: float = 0.9


def world(games: int, seed: int, ring: Ring | None = None) -> pd.DataFrame:
    """About so many games of a week, a row each: one, other, started, flow.

    Args:
        games: how many, about.
        seed: of all chance.
        ring: who conspires, if anybody.
    """
    rng = np.random.default_rng(seed)
    players = max(HALL, games // 105 // HALL * HALL)  # some thirty games a day and player
    skill = rng.uniform(0, 1, players)
    ready = rng.uniform(0.2, 3.2, players) ** 2
    one, other, minute = _meetings(rng, games // ROUNDS, skill, ready)
    if ring:
        one = np.append(one, np.zeros(ring.meetings, np.int64))
        other = np.append(other, np.ones(ring.meetings, np.int64))
        minute = np.append(minute, rng.integers(0, HOURS * 60, ring.meetings))
    rounds = rng.integers(2, 11, len(one))
    if ring:
        rounds[-ring.meetings :] = ring.rounds
    row = np.repeat(np.arange(len(one)), rounds)
    nth = np.arange(len(row)) - np.repeat(np.cumsum(rounds) - rounds, rounds)
    first, second = one[row], other[row]
    edge = 0.5 + 0.3 * (skill[second] - skill[first])
    if ring:
        edge[(first == 0) & (second == 1)] = ring.loses
    won = rng.uniform(size=len(row)) < edge  # by the second
    kou = rng.integers(1, 4, len(row))
    if ring:
        kou[(first == 0) & (second == 1)] = 3
    size = 100 * kou * 2 ** np.minimum(rng.geometric(0.5, len(row)), 8)
    started = BEGIN + ((minute[row] * 60 + nth * 240) * 1_000_000).astype("timedelta64[us]")
    flow = np.where(won, size, -size)
    return pd.DataFrame({"one": first, "other": second, "started": started, "flow": flow})


def _meetings(rng: Any, count: int, skill: Any, ready: Any) -> tuple[Any, Any, Any]:
    """Who sits down with whom, in which minute: neighbours in skill among those who came."""
    halls = len(skill) // HALL
    busy = np.tile(np.r_[[6, 4, 3, 2, 2, 2, 3, 5, 7, 9, 10, 11], [13, 13, 11, 10, 10, 11],
                         [13, 17, 20, 20, 16, 10]], 7)  # fmt: skip
    share = np.outer(busy / busy.sum(), np.ones(halls) / halls)
    ones, others, minutes = [], [], []
    for hour in range(HOURS):
        for hall in range(halls):
            tables = min(rng.poisson(count * share[hour, hall]), HALL // 2)
            keys = rng.uniform(size=HALL) ** (1 / ready[hall * HALL : (hall + 1) * HALL])
            came = hall * HALL + np.argsort(-keys)[: 2 * tables]
            came = came[np.argsort(skill[came] + rng.uniform(0, 0.25, len(came)))]
            ones.append(np.minimum(came[::2], came[1::2]))
            others.append(np.maximum(came[::2], came[1::2]))
            minutes.append(hour * 60 + rng.integers(0, 60, tables))
    return np.concatenate(ones), np.concatenate(others), np.concatenate(minutes)


def tables_of(games: pd.DataFrame) -> duckdb.DuckDBPyConnection:
    """A database that has the tables of a warehouse which studies of players read.

    Args:
        games: one, other, started, flow, and the unit where it is not wealth.
    """
    if "unit" not in games:
        games = games.assign(unit="wealth")
    database = duckdb.connect(config={"threads": 2, "memory_limit": "1GB"})
    database.execute("SET TimeZone = 'Asia/Shanghai'")
    database.register("given", games)
    database.execute(
        """
        CREATE TABLE numbered AS
            SELECT row_number() OVER () AS game_key, dense_rank() OVER (ORDER BY unit) AS nth, *
            FROM given;
        CREATE TABLE sides AS
            SELECT game_key, 0 AS seat, 'p' || one AS player, -flow AS delta FROM numbered
            UNION ALL SELECT game_key, 1, 'p' || other, flow FROM numbered;
        CREATE TABLE settlements AS SELECT DISTINCT nth AS settlement_key, unit FROM numbered;
        """
    )
    started = {"started": "started", "day": "started::DATE", "id": "'g' || game_key"}
    _create(database, GAMES, "numbered", {**started, "room": "'a'", "seats": "2"})
    _create(database, VERDICTS, "numbered", {"settlement_key": "nth"})
    _create(database, SEATS, "sides", {"seat": "seat", "player": "player"})
    _create(database, SHUANGKOU_GAMES, "numbered", {"winner": "(flow > 0)::TINYINT"})
    settled = {"seat": "seat", "delta": "delta", "base": "100"}
    _create(database, SHUANGKOU_SETTLED, "sides", settled)
    return database


def _create(database: Any, table: Table, source: str, known: dict[str, str]) -> None:
    """A table of the warehouse, null but for what is known."""
    known = {"game_key": "game_key", **known}
    shown = ", ".join(
        f"({known.get(column.name, 'NULL')})::{column.type} AS {column.name}"
        for column in (*table.columns, DAY)
    )
    database.execute(f"CREATE TABLE {table.name} AS SELECT {shown} FROM {source}")
