"""Reading: exact types, one state, and nothing but the warehouse."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from analytics.findings import Code
from analytics.warehouse import Warehouse, WarehouseError, open_warehouse
from analytics.warehouse.database import made_database, place_database
from analytics.warehouse.families import EARLIER, TABLES, tables_of
from analytics.warehouse.manifest import SCHEMA, read_manifest, write_manifest
from analytics.warehouse.small import SMALL
from analytics.warehouse.tables import DAY, Column, Layer, Table
from tests.games import fixture_games
from tests.warehouse.conftest import WriteLog, files_in, load_into

VIEWS = [(t.name, t.columns) for t in TABLES] + [
    (EARLIER + t.name, t.columns) for t in tables_of(Layer.VERDICT, Layer.BOTH)
]


def test_the_tables_are_those_that_are_documented(opened: Warehouse) -> None:
    """Every table and view, and nothing else."""
    expected = [*(name for name, _ in VIEWS), *(table.name for table in SMALL)]
    assert opened.tables == tuple(sorted(expected))


@pytest.mark.parametrize(("name", "columns"), VIEWS, ids=[name for name, _ in VIEWS])
def test_columns_are_what_the_tables_say(
    opened: Warehouse, name: str, columns: tuple[object, ...]
) -> None:
    """Names, order and types; each with its comment; null only where null has a meaning."""
    query = """
        SELECT column_name, data_type, comment FROM duckdb_columns()
        WHERE table_name = $name ORDER BY column_index"""
    found = [tuple(row) for row in opened.sql(query, {"name": name}).to_numpy().tolist()]
    spelt = {"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}
    expected = [(c.name, spelt.get(c.type, c.type), c.comment) for c in (*columns, DAY)]  # type: ignore[attr-defined]
    assert found == expected
    frame = opened.sql(f"FROM {name}")
    never = [column.name for column in columns if not column.null]  # type: ignore[attr-defined]
    assert not frame[never].isna().any(axis=None)


def test_every_null_that_is_explained_occurs(
    opened: Warehouse, tmp_path: Path, write_log: WriteLog
) -> None:
    """A column says what null means only if there are games in which it is null."""
    games = fixture_games()
    bare = {k: games[0][k] for k in games[0].keys() - {"room", "start", "end", "times", "result"}}
    bare.pop("shown", None)
    bare["weather"] = "rain"
    broken = dict(games[5], id="broken", actions=games[5]["actions"][:3])
    unread = dict(games[5], id="unread", hands=["3S", "3C"])
    poor = next(copy.deepcopy(game) for game in games if game["rules"] == "huopin-wealth")
    poor["id"] = "poor"
    for seat in poor["seats"]:
        seat["balance"] = 0
    load_into(tmp_path / "w", write_log([bare, broken, unread, poor, '{"v": oops']))
    with open_warehouse(tmp_path / "w") as other:
        silent = [
            f"{table.name}.{column.name}"
            for table in TABLES
            for column in table.columns
            if column.null
            and not (_has_null(opened, table, column) or _has_null(other, table, column))
        ]
    assert not silent


def _has_null(warehouse: Warehouse, table: Table, column: Column) -> bool:
    frame = warehouse.sql(f"SELECT count(*) AS n FROM {table.name} WHERE {column.name} IS NULL")
    return bool(frame["n"][0])


def test_ids_are_exact_and_money_is_int64(tmp_path: Path, write_log: WriteLog) -> None:
    """Eighteen digits stay eighteen digits; the largest amounts keep their last one."""
    game = fixture_games()[0]
    game["id"] = "123456789012345678"
    game["seats"][0].update(player="000000000000000001", balance=999_999_999_999_999)
    game.pop("result")
    load_into(tmp_path / "w", write_log([game]))
    with open_warehouse(tmp_path / "w") as warehouse:
        row = warehouse.sql("FROM games JOIN seats USING (game_key) WHERE seat = 0").iloc[0]
        assert (row["id"], row["player"]) == ("123456789012345678", "000000000000000001")
        frame = warehouse.sql("SELECT sum(balance) AS total, recorded_delta FROM seats GROUP BY 2")
        total = 999_999_999_999_999 + game["seats"][1]["balance"]
        assert frame["total"].dtype == "int64"
        assert frame["total"][0] == total
        assert str(frame["recorded_delta"].dtype) == "Int64"
        with pytest.raises(WarehouseError, match="'x' has integers beyond 64 bits"):
            warehouse.sql("SELECT sum(balance) * 1_000_000 AS x FROM seats")


def test_times_carry_the_zone_of_the_warehouse(opened: Warehouse) -> None:
    """Instants with a zone, days without one; text of a time has its offset."""
    row = opened.sql("SELECT started, day, started::VARCHAR AS text FROM games LIMIT 1").iloc[0]
    assert row["started"].utcoffset() == timedelta(hours=8)
    assert str(row["started"].tz) == "Asia/Shanghai"
    assert row["started"].date() == row["day"].date()
    assert row["text"].endswith("+08")


REFUSED = {
    "COPY games TO '{folder}/x.csv'": "only statements that read",
    "WITH x AS (COPY (SELECT 1) TO '{folder}/x.csv') FROM x": "only statements that read",
    "FROM (WITH x AS (COPY (SELECT 1) TO '{folder}/x.csv') FROM x)": "only statements that read",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/x.csv'": "only statements that read",
    "WITH x AS (INSERT INTO files SELECT * FROM files RETURNING *) FROM x": "only statements",
    "WITH x AS (DELETE FROM files RETURNING *) FROM x": "only statements that read",
    "UPDATE files SET games = 0": "only statements that read",
    "DROP VIEW games": "only statements that read",
    "CREATE TEMP TABLE x AS FROM games": "only statements that read",
    "ATTACH '{outside}' AS x": "only statements that read",
    "INSTALL httpfs": "only statements that read",
    "LOAD httpfs": "only statements that read",
    "SET enable_external_access = true": "only statements that read",
    "RESET lock_configuration": "only statements that read",
    "PRAGMA database_list": "only statements that read",
    "EXPORT DATABASE '{folder}/x'": "only statements that read",
    "CALL pragma_version()": "only statements that read",
    "PREPARE x AS SELECT 1": "only statements that read",
    "SELECT 1; COPY games TO '{folder}/x.csv'": "only statements that read",
    "SELECT 1; SELECT 2": "one statement is expected, and there are 2",
    "": "one statement is expected, and there are 0",
    "-- nothing": "one statement is expected, and there are 0",
    "FROM read_text('{outside}')": "out of reach",
    "FROM read_csv('{outside}')": "out of reach",
    "FROM '{outside}'": "out of reach",
    "FROM read_blob('{folder}/../outside.csv')": "out of reach",
    "FROM glob('/etc/*')": "out of reach",
    "FROM read_parquet('http://localhost/x.parquet')": "out of reach",
    "SELCT 1": 'syntax error at or near "SELCT" .character 1.',
    "EXPLAIN SELCT 1": 'syntax error at or near "SELCT" .character 9.',
    "FROM gamez": 'gamez does not exist.*"games"',
    "SELECT nosuch FROM games": '"nosuch" not found',
    "SELECT room::INTEGER FROM games": "Could not convert",
    "FROM games WHERE id = $id": "Values were not provided",
}


@pytest.mark.parametrize("query", REFUSED)
def test_what_is_refused(opened: Warehouse, valid: Path, tmp_path: Path, query: str) -> None:
    """Nothing outside is read, nothing is written anywhere, no setting changes; it is said why."""
    outside = valid.parent / "outside.csv"
    outside.write_text("a\n1\n", encoding="utf-8")
    before = sorted(os.listdir(valid))
    with pytest.raises(WarehouseError, match=f"(?s){REFUSED[query]}"):
        opened.sql(query.format(folder=valid, outside=outside))
    assert sorted(os.listdir(valid)) == before
    assert outside.read_text(encoding="utf-8") == "a\n1\n"


def test_a_link_out_of_the_warehouse_is_no_way_out(tmp_path: Path, write_log: WriteLog) -> None:
    """Whoever can put a link into the folder can read the file already; a query cannot make one."""
    load_into(tmp_path / "w", write_log(fixture_games()[:1]))
    with (
        open_warehouse(tmp_path / "w") as warehouse,
        pytest.raises(WarehouseError, match="out of reach"),
    ):
        warehouse.sql(f"FROM read_text('{tmp_path}/w/../log.jsonl')")


@pytest.mark.parametrize(
    "query",
    [
        "FROM games LIMIT 1",
        "WITH a AS (FROM games) SELECT count(*) FROM a",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) FROM t",
        "SELECT 1 UNION SELECT 2",
        "VALUES (1)",
        "DESCRIBE games",
        "SHOW TABLES",
        "SUMMARIZE verdicts",
        "EXPLAIN FROM games",
        "explain analyze SELECT count(*) FROM games",
        "FROM (PIVOT daily_games ON ruleset IN ('jiule@1') USING sum(games))",
        "SELECT id FROM games QUALIFY row_number() OVER (PARTITION BY room) = 1",
        "SELECT count(*), count(*) FROM games;",
    ],
)
def test_what_can_be_asked(opened: Warehouse, query: str) -> None:
    """Whatever only reads."""
    assert len(opened.sql(query))


def test_parameters(opened: Warehouse) -> None:
    """By place and by name; text with quotes is text."""
    assert opened.sql("SELECT ? AS a", ["it's"])["a"][0] == "it's"
    by_name = opened.sql("SELECT count(*) AS n FROM games WHERE rules = $r", {"r": "jiule"})
    assert by_name["n"][0] == 220


def test_studies_may_make_temporary_tables(opened: Warehouse) -> None:
    """On the connection itself, whose settings are locked all the same."""
    opened.connection.execute("CREATE TEMP TABLE a_few AS FROM games LIMIT 3")
    assert len(opened.sql("FROM a_few")) == 3
    with pytest.raises(duckdb.Error, match="locked"):
        opened.connection.execute("SET memory_limit = '10GB'")
    with pytest.raises(duckdb.Error):
        opened.connection.execute("CREATE TABLE files2 AS FROM files")


def test_a_reader_sees_one_state(tmp_path: Path, write_log: WriteLog) -> None:
    """Whatever is loaded meanwhile; who opens it anew sees that too, in the same process."""
    folder, games = tmp_path / "w", fixture_games()
    load_into(folder, write_log(games[:2], "a.jsonl"))
    with open_warehouse(folder) as old:
        load_into(folder, write_log(games[2:5], "b.jsonl"))
        with open_warehouse(folder) as new:
            assert len(old.sql("FROM games")) == len(old.sql("FROM seats WHERE seat = 0")) == 2
            assert len(new.sql("FROM games")) == 5
            assert old.sql("SELECT sum(games) AS n FROM daily_games")["n"][0] == 2


def test_a_warehouse_can_be_moved(tmp_path: Path, write_log: WriteLog) -> None:
    """Also into a folder whose name has commas, quotes and hanzi."""
    load_into(tmp_path / "w", write_log(fixture_games()[:2]))
    moved = tmp_path / "it's, 双扣"
    (tmp_path / "w").rename(moved)
    with open_warehouse(moved) as warehouse:
        assert len(warehouse.sql("FROM games")) == 2
    load_into(moved, write_log(fixture_games()[2:3], "b.jsonl"))
    with open_warehouse(moved) as warehouse:
        assert len(warehouse.sql("FROM games")) == 3


def test_the_database_works_with_duckdb_alone(valid: Path) -> None:
    """In the folder of the warehouse its views can be read by any DuckDB."""
    code = (
        "import duckdb\n"
        "with duckdb.connect('paipu.duckdb', read_only=True) as d:\n"
        "    print(d.sql('SELECT count(*) FROM games JOIN seats USING (game_key)').fetchall())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=valid, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[(3960,)]"


def test_daily_tables_are_those_of_the_parts(opened: Warehouse) -> None:
    """What is kept beside the parts is what a query over them gives."""
    daily = opened.sql(
        "SELECT sum(games) AS g, sum(seats) AS s, sum(escapes) AS e FROM daily_games"
    )
    games = opened.sql(
        "SELECT count(*) AS g, sum(seats) AS s, count(*) FILTER (ending = 'escape') AS e FROM games"
    )
    assert daily.equals(games.astype("int64"))
    query = "SELECT item, sum(received + paid) AS amount FROM daily_postings WHERE side = 'system' "
    kept = opened.sql(query + "GROUP BY item ORDER BY item")
    query = "SELECT item, sum(amount) AS amount FROM postings WHERE account = -1 "
    assert kept.equals(opened.sql(query + "GROUP BY item ORDER BY item"))


def test_the_database_can_be_made_anew(tmp_path: Path, write_log: WriteLog) -> None:
    """From the manifest and the parts alone, equal to the last row."""
    folder = tmp_path / "w"
    load_into(folder, write_log(fixture_games()))
    names = [table.name for table in (*TABLES, *SMALL)]
    with open_warehouse(folder) as warehouse:
        before = {name: warehouse.sql(f"FROM {name} ORDER BY ALL") for name in names}
    (folder / "paipu.duckdb").unlink()
    with made_database(folder, read_manifest(folder)) as made:
        place_database(made, folder)
    with open_warehouse(folder) as warehouse:
        for name in names:
            assert warehouse.sql(f"FROM {name} ORDER BY ALL").equals(before[name]), name


def test_another_schema_is_not_read(tmp_path: Path, write_log: WriteLog) -> None:
    """It says what to do: a newer version is needed, or the logs. A damaged manifest is named."""
    import msgspec

    folder = tmp_path / "w"
    load_into(folder, write_log(fixture_games()[:1]))
    newer = msgspec.structs.replace(read_manifest(folder), schema=SCHEMA + 1)
    write_manifest(folder, newer)
    with pytest.raises(WarehouseError, match="newer version of paipu"):
        open_warehouse(folder)
    write_manifest(folder, msgspec.structs.replace(newer, schema=1))
    with pytest.raises(WarehouseError, match=r"schema 1.*`paipu load` makes a new one"):
        open_warehouse(folder)
    (folder / "manifest.json").write_text('{"schema": 2, "parts": [', encoding="utf-8")
    with pytest.raises(WarehouseError, match="damaged"):
        open_warehouse(folder)


def test_findings_have_the_codes_of_the_format(opened: Warehouse) -> None:
    """The valid samples have none; an answer without rows keeps its types."""
    frame = opened.sql("SELECT code, line, recorded FROM findings")
    assert frame.empty
    assert [str(kind) for kind in frame.dtypes] == ["str", "int64", "int64"]
    assert Code.of("settle.kou") is Code.SETTLE_KOU
    assert files_in(opened.folder)
