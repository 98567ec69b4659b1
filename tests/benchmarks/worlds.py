"""Large warehouses for benchmarks: the valid samples, recombined.

A game takes its ending, places and cards left from one sample and the bombs of each seat
from another one, so that there are far more kinds of games than samples: rather more than
among as many games that were really played. Players sit down at random, and what they hold
is spread over all levels.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import duckdb

from analytics.logs import find_sources
from analytics.rules import Ruleset, load_rulesets
from analytics.studies import Studied
from analytics.warehouse.common import GAMES, SEATS, VERDICTS
from analytics.warehouse.loading import load
from analytics.warehouse.manifest import MANIFEST
from analytics.warehouse.reading import open_warehouse
from analytics.warehouse.shuangkou import SHUANGKOU_GAMES, SHUANGKOU_SEATS
from analytics.warehouse.small import RULESETS, SETTLEMENTS
from analytics.warehouse.tables import DAY

VALID: Final = Path(__file__).parents[2] / "sample_logs" / "valid"
GAMES_A_PLAYER: Final = 100  # seats of a week, about as in a simulated one
_COPIED: Final = ("settlements", "rulesets", "games", "verdicts", "seats", "shuangkou_games",
                  "shuangkou_seats")  # fmt: skip
_BOMBS: Final = ("best", "linked", "fours", "fives", "fours_apart", "fives_apart", "bombs_low",
                 "bombs_high")  # fmt: skip


class World(Studied):
    """A warehouse that was made up, open; it is closed like one."""

    def __init__(self, folder: Path, threads: int) -> None:
        """Opens what ``make`` has written."""
        self.folder, self.zone = folder, "Asia/Shanghai"
        self._own = TemporaryDirectory(prefix="paipu-")
        self.connection = duckdb.connect(
            config={"threads": threads, "memory_limit": "1GB", "temp_directory": self._own.name}
        )
        self.connection.execute(f"SET TimeZone = '{self.zone}'")
        for path in sorted(folder.glob("*.parquet")):
            source = f"SELECT * FROM read_parquet('{path}')"
            self.connection.execute(f"CREATE VIEW {path.stem} AS {source}")


def preset(name: str) -> Ruleset:
    """A preset by its name."""
    return next(ruleset for ruleset in load_rulesets().rulesets if ruleset.name == name)


def make(folder: Path, house: str, games: int) -> Path:
    """Writes the tables of a warehouse with so many games of a house.

    Args:
        folder: where; it is made.
        house: a preset.
        games: how many.
    """
    folder.mkdir(parents=True)
    with TemporaryDirectory() as samples, duckdb.connect() as database:
        load(find_sources([str(VALID)]), Path(samples), load_rulesets())
        with open_warehouse(samples) as warehouse:
            for name in _COPIED:
                database.register("given", warehouse.arrow(f"SELECT * FROM {name}"))
                database.execute(f"CREATE TABLE sample_{name} AS FROM given")
        seats, samples_there = preset(house).play.seats, _samples(database, house)
        for statement in _statements(house, games, seats, samples_there):
            database.execute(statement)
        for table in (GAMES, VERDICTS, SEATS, SHUANGKOU_GAMES, SHUANGKOU_SEATS):
            shown = ", ".join(
                f"({'made.' + c.name if _is_made(database, table.name, c.name) else 'NULL'})"
                f"::{c.type} AS {c.name}"
                for c in (*table.columns, DAY)
            )
            _copy(database, f"SELECT {shown} FROM made_{table.name} AS made", folder, table.name)
        for small in (SETTLEMENTS, RULESETS):
            _copy(database, f"FROM sample_{small.name}", folder, small.name)
    (folder / MANIFEST).write_text(json.dumps({"house": house, "games": games}))
    return folder


def _samples(database: Any, house: str) -> int:
    """How many samples of the house were played to an end."""
    query = """SELECT count(*) FROM sample_verdicts JOIN sample_games USING (game_key)
        WHERE ruleset = ? AND ending IS NOT NULL"""
    return int(database.execute(query, [f"{house}@1"]).fetchall()[0][0])


def _is_made(database: Any, table: str, column: str) -> bool:
    query = "SELECT count(*) FROM duckdb_columns() WHERE table_name = ? AND column_name = ?"
    return bool(database.execute(query, [f"made_{table}", column]).fetchall()[0][0])


def _copy(database: Any, query: str, folder: Path, name: str) -> None:
    database.execute(f"COPY ({query}) TO '{folder / name}.parquet' (COMPRESSION zstd)")


def _statements(house: str, games: int, seats: int, samples: int) -> list[str]:
    """What makes ``made_games`` and the others, of samples."""
    players = max(10, games * seats // GAMES_A_PLAYER)
    bombs = ", ".join(_BOMBS)
    return [
        f"""
        CREATE TABLE templates AS
        SELECT row_number() OVER (ORDER BY game_key) - 1 AS template, game_key, ending, winner,
            fleer, given_base, settlement_key, ruleset
        FROM sample_games JOIN sample_verdicts USING (game_key)
        JOIN sample_shuangkou_games USING (game_key)
        WHERE ruleset = '{house}@1' AND ending IS NOT NULL
        """,
        f"""
        CREATE TABLE hands AS
        SELECT row_number() OVER (ORDER BY game_key, seat) - 1 AS hand, {bombs}
        FROM sample_shuangkou_seats SEMI JOIN templates USING (game_key)
        """,
        f"""
        CREATE TABLE made_games AS
        SELECT n AS game_key, ending, winner, fleer, given_base, settlement_key, ruleset,
            'shuangkou' AS family, {seats} AS seats, templates.game_key AS of, true AS settled,
            DATE '2026-11-02' + (n * 7 // {games})::INTEGER AS day,
            (TIMESTAMP '2026-11-02' + to_seconds(n)) AS started
        FROM (SELECT n, (hash(n, 1) % {samples})::BIGINT AS template
              FROM range({games}) AS numbers (n))
        JOIN templates USING (template)
        """,
        "CREATE VIEW made_verdicts AS FROM made_games",
        "CREATE VIEW made_shuangkou_games AS FROM made_games",
        f"""
        CREATE TABLE made_shuangkou_seats AS
        SELECT made.* EXCLUDE hand, hands.* EXCLUDE hand
        FROM (SELECT made_games.game_key, seat, cards_left, place, has_played,
                  (hash(made_games.game_key, 2 + seat) % {samples * seats})::BIGINT AS hand
              FROM made_games JOIN sample_shuangkou_seats AS sat ON sat.game_key = of) AS made
        JOIN hands USING (hand)
        """,
        f"""
        CREATE TABLE made_seats AS
        SELECT game_key, seat::TINYINT AS seat, 'p' || who AS player,
            (exp(5 + (hash(who) % 1000) / 70.0) * (0.5 + hash(game_key, who) % 100 / 100.0))::BIGINT
                AS balance
        FROM (SELECT game_key, unnest(range({seats})) AS seat,
                  (hash(game_key, 9) + unnest(range({seats})) * (1 + hash(game_key, 8) % 97))
                      % {players} AS who
              FROM made_games)
        """,
    ]
