"""Loading: nothing is lost, nothing is there twice, nothing is there by half."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from analytics.findings import Code
from analytics.jobs import Ways
from analytics.warehouse import Warehouse, WarehouseError, copies, open_warehouse, turns
from analytics.warehouse.manifest import read_manifest
from analytics.warehouse.resettling import resettle
from tests.cli.running import COMMAND, environment
from tests.games import fixture_games
from tests.warehouse.conftest import BOOK, VALID, WriteLog, files_in, load_into


def recorded(path: Path) -> list[dict[str, Any]]:
    """The games of a log, read with the standard library alone."""
    raw = path.read_bytes()
    if path.suffix == ".gz":
        raw = gzip.decompress(raw)
    if path.suffix == ".zst":
        raw = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(raw)).read()
    return [json.loads(line) for line in raw.decode("utf-8").splitlines()]


@pytest.fixture(scope="module")
def games() -> list[dict[str, Any]]:
    """All games of the valid samples that are lines of JSON."""
    paths = sorted(path for path in VALID.iterdir() if path.suffix != ".parquet")
    return [game for path in paths for game in recorded(path)]


OF_LINES = "family = 'shuangkou' AND rules <> 'tongcheng'"  # tongcheng is the one in Parquet


def test_totals_of_money_are_those_of_a_plain_recount(
    opened: Warehouse, games: list[dict[str, Any]]
) -> None:
    """What seats were paid, by room, is the sum of what the log records; likewise fees."""
    paid: Counter[str] = Counter()
    fees: Counter[str] = Counter()
    for game in games:
        paid[game["room"]] += sum(map(abs, game["result"]["delta"]))
        fees[game["room"]] += sum(game["result"].get("fee") or [])
    frame = opened.sql(f"""
        SELECT room, sum(abs(delta)) AS paid FROM games JOIN shuangkou_settled USING (game_key)
        WHERE {OF_LINES} GROUP BY room""")
    assert dict(zip(frame["room"], frame["paid"], strict=True)) == dict(paid)
    frame = opened.sql(f"""
        SELECT room, coalesce(sum(amount) FILTER (item = 'fee' AND account = -1), 0) AS fees
        FROM games JOIN postings USING (game_key) WHERE {OF_LINES} GROUP BY room""")
    assert dict(zip(frame["room"], frame["fees"], strict=True)) == dict(fees)


def test_games_and_seats_are_those_of_the_log(
    opened: Warehouse, games: list[dict[str, Any]]
) -> None:
    """Ids, starts with their offsets, days, players, balances and actions, game by game."""
    shanghai = ZoneInfo("Asia/Shanghai")
    expected = {}
    for game in games:
        start = datetime.fromisoformat(game["start"])
        offset = start.utcoffset()
        assert offset is not None
        day = start.astimezone(shanghai).date().isoformat()
        players = [seat["player"] for seat in game["seats"]]
        balances = [seat["balance"] for seat in game["seats"]]
        minutes = int(offset.total_seconds()) // 60
        expected[game["id"]] = (start, minutes, day, players, balances, game["result"]["end"])
    frame = opened.sql(f"""
        SELECT id, any_value(started) AS started, any_value(started_zone) AS zone,
               any_value(games.day)::VARCHAR AS day, list(player ORDER BY seat) AS players,
               list(balance ORDER BY seat) AS balances, any_value(ending) AS ending
        FROM games JOIN seats USING (game_key) WHERE {OF_LINES} GROUP BY id""")
    found = {
        row.id: (row.started, row.zone, row.day, list(row.players), list(row.balances), row.ending)
        for row in frame.itertuples()
    }
    assert found == expected


def test_every_posting_adds_up(opened: Warehouse) -> None:
    """The postings of a game add up to zero, and those of a seat to its delta."""
    frame = opened.sql("SELECT game_key FROM postings GROUP BY ALL HAVING sum(amount) <> 0")
    assert frame.empty
    frame = opened.sql(
        """
        SELECT game_key, seat, delta, coalesce(sum(amount), 0) AS posted
        FROM shuangkou_settled LEFT JOIN postings
             ON postings.game_key = shuangkou_settled.game_key AND account = seat
        GROUP BY ALL""".replace("SELECT game_key", "SELECT shuangkou_settled.game_key")
    )
    assert len(frame) > 3_000
    assert (frame["delta"] == frame["posted"]).all()


def test_loading_twice_adds_nothing(tmp_path: Path) -> None:
    """A file that was loaded is known by its bytes; not even its name counts."""
    log, folder = VALID / "huopin-points.jsonl", tmp_path / "w"
    first = load_into(folder, log)
    before = files_in(folder)
    copy = tmp_path / "other-name.jsonl"
    copy.write_bytes(log.read_bytes())
    again = load_into(folder, log, copy)
    assert first.files[0].added == 220
    assert [file.was_known for file in again.files] == [True, True]
    assert not again.rows
    assert files_in(folder) == before


def test_the_same_games_in_another_file_are_copies(tmp_path: Path, write_log: WriteLog) -> None:
    """Other order, other spelling, another file: counted, and nothing is added."""
    games, folder = fixture_games()[:6], tmp_path / "w"
    load_into(folder, write_log(games, "a.jsonl"))
    before = files_in(folder)
    spelt = [json.dumps(game, indent=None, separators=(" , ", " : ")) for game in games[::-1]]
    loaded = load_into(folder, write_log(spelt, "b.jsonl"))
    assert (loaded.files[0].games, loaded.files[0].added, loaded.files[0].copies) == (6, 0, 6)
    assert not loaded.rows
    assert files_in(folder) == before


def test_a_log_that_has_grown_adds_what_is_new(tmp_path: Path, write_log: WriteLog) -> None:
    """The first games are copies, the last ones are added; copies within a load count too."""
    games, folder = fixture_games()[:6], tmp_path / "w"
    load_into(folder, write_log(games[:4]))
    loaded = load_into(folder, write_log([*games, games[5]]))
    assert (loaded.files[0].added, loaded.files[0].copies) == (2, 5)
    with open_warehouse(folder) as warehouse:
        assert set(warehouse.sql("FROM games")["id"]) == {game["id"] for game in games}
        seats = warehouse.sql(
            "SELECT count(*) AS n, count(DISTINCT (game_key, seat)) AS d FROM seats"
        )
    assert seats["n"][0] == seats["d"][0] == sum(len(game["seats"]) for game in games)


@pytest.mark.parametrize("is_one_load", [True, False])
def test_another_game_with_the_same_id_is_a_conflict(
    tmp_path: Path, write_log: WriteLog, is_one_load: bool
) -> None:
    """The first counts; the other one is a finding with its file and line."""
    first, second, third = fixture_games()[:3]
    third["id"] = first["id"]
    logs = [write_log([first], "a.jsonl"), write_log([second, third], "b.jsonl")]
    folder = tmp_path / "w"
    for load in [logs] if is_one_load else [[log] for log in logs]:
        loaded = load_into(folder, *load)
    assert (loaded.files[-1].added, loaded.files[-1].conflicts) == (1, 1)
    assert loaded.summary is not None
    assert loaded.summary.by_code["format.duplicate"] == 1
    assert loaded.summary.by_severity["error"] == 1
    with open_warehouse(folder) as warehouse:
        found = warehouse.sql("""
            SELECT id, code, path, findings.line FROM findings JOIN games USING (game_key)
            JOIN files ON files.file_key = findings.file_key""")
        assert found.to_numpy().tolist() == [[first["id"], "format.duplicate", logs[1], 2]]
        assert warehouse.sql("SELECT count(*) AS n FROM games")["n"][0] == 2
        assert warehouse.sql("SELECT sum(mismatched) AS n FROM daily_games")["n"][0] == 0
        said = warehouse.sql("""
            SELECT comment FROM duckdb_columns()
            WHERE table_name = 'daily_games' AND column_name = 'mismatched'""")
        assert "(`format.duplicate`) does not count" in said["comment"][0]


def test_many_conflicts_are_found_chunk_by_chunk(
    tmp_path: Path, write_log: WriteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty games of other content: in chunks of seven all are found, and counted by code."""
    monkeypatch.setattr(copies, "_AT_ONCE", 7)
    first = fixture_games()[0]
    here = [{**first, "id": f"g{n}"} for n in range(40)]
    there = [{**game, "room": "another"} for game in here]
    folder = tmp_path / "w"
    load_into(folder, write_log(here, "a.jsonl"))
    loaded = load_into(folder, write_log([*there, {**first, "id": "new"}], "b.jsonl"))
    assert (loaded.files[0].added, loaded.files[0].conflicts) == (1, 40)
    assert loaded.summary is not None
    assert loaded.summary.by_code["format.duplicate"] == 40
    assert list(loaded.summary.by_code) == sorted(loaded.summary.by_code, key=Code.of)
    with open_warehouse(folder) as warehouse:
        query = "SELECT count(*) AS n FROM findings WHERE code = 'format.duplicate'"
        assert warehouse.sql(query)["n"][0] == 40


def test_lines_that_cannot_be_read_are_findings_without_a_game(
    tmp_path: Path, write_log: WriteLog
) -> None:
    """With file and line, and a day that is null; the games around them are there."""
    games = fixture_games()[:2]
    games[1]["weather"] = "rain"
    log = write_log([games[0], '{"v": oops', games[1]])
    load_into(tmp_path / "w", log, ways=Ways(shard_bytes=100))
    with open_warehouse(tmp_path / "w") as warehouse:
        found = warehouse.sql("SELECT code, line, game_key, day FROM findings ORDER BY code")
        assert found["code"].tolist() == ["format.json", "format.unknown"]
        assert found["line"][0] == 2
        assert found[["game_key", "day"]].isna().all(axis=None)
        assert warehouse.sql("SELECT line FROM games ORDER BY ALL")["line"].tolist() == [1, 3]


def test_a_game_without_a_start_has_no_day(tmp_path: Path, write_log: WriteLog) -> None:
    """Null, and not a day that was guessed."""
    game = fixture_games()[0]
    game.pop("start")
    game.pop("end", None)
    load_into(tmp_path / "w", write_log([game]))
    with open_warehouse(tmp_path / "w") as warehouse:
        row = warehouse.sql("SELECT day, started, started_zone FROM games")
        assert row.isna().all(axis=None)
        assert len(row) == 1


def test_a_replay_that_broke_has_facts_and_no_settlement(
    tmp_path: Path, write_log: WriteLog
) -> None:
    """The game says by what it was broken; its seats have no settlement."""
    game = fixture_games()[0]
    game["actions"] = game["actions"][:4]
    load_into(tmp_path / "w", write_log([game]))
    with open_warehouse(tmp_path / "w") as warehouse:
        row = warehouse.sql("FROM games JOIN verdicts USING (game_key)").iloc[0]
        assert (row["broken_by"], row["actions"], row["errors"]) == ("play.unfinished", 4, 1)
        assert not row["settled"]
        assert len(warehouse.sql("FROM shuangkou_seats")) == len(game["seats"])
        assert warehouse.sql("FROM shuangkou_settled").empty
        assert warehouse.sql("FROM postings").empty


def test_the_files_do_not_depend_on_who_does_the_work(tmp_path: Path) -> None:
    """One process or two, the same bytes under the same names."""
    here, there = tmp_path / "one", tmp_path / "two"
    logs = [VALID / "huopin-points.jsonl", VALID / "jiule.jsonl.zst"]
    load_into(here, *logs, ways=Ways(jobs=1, shard_bytes=50_000))
    load_into(there, *logs, ways=Ways(jobs=2, shard_bytes=50_000))
    assert files_in(here) == files_in(there)
    assert len(files_in(here)) > 8


@pytest.mark.slow
def test_a_cluster_writes_the_same_files(tmp_path: Path) -> None:
    """Two Dask workers on loopback; loading as well as settling again."""
    distributed = pytest.importorskip("distributed")
    here, there, log = tmp_path / "here", tmp_path / "there", VALID / "huopin-points.jsonl"
    load_into(here, log, ways=Ways(jobs=1, shard_bytes=50_000))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        ways = Ways(cluster=cluster.scheduler_address, shard_bytes=50_000)
        load_into(there, log, ways=ways)
        assert resettle(there, BOOK, ways=ways).unchanged == 220
    assert files_in(here) == files_in(there)


def test_small_parts_of_a_day_are_joined(tmp_path: Path) -> None:
    """However many shards a log comes in, a day has one part if it is small."""
    load_into(tmp_path / "w", VALID / "huopin-points.jsonl", ways=Ways(shard_bytes=20_000))
    days = [part.day for part in read_manifest(tmp_path / "w").parts]
    assert len(days) == len(set(days)) > 0


def test_a_load_that_was_killed_is_taken_up_and_leaves_no_half(tmp_path: Path) -> None:
    """kill -9 in the middle: nothing is there; loaded again, all is, as if never killed."""
    folder, whole = tmp_path / "w", tmp_path / "whole"
    command = [*COMMAND, "load", str(VALID), "-w", str(folder), "--shard-mb", "0.05"]
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL)
    _wait_for_a_shard(folder)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    staged = len(list((folder / ".staging").glob("*/outcome.json")))
    assert staged
    with open_warehouse(folder) as warehouse:
        assert warehouse.sql("FROM games").empty
    loaded = load_into(folder, VALID, ways=Ways(shard_bytes=int(0.05 * 2**20)))
    load_into(whole, VALID, ways=Ways(shard_bytes=int(0.05 * 2**20)))
    assert sum(file.added for file in loaded.files) == 1_320
    assert files_in(folder) == files_in(whole)
    assert not (folder / ".staging").exists()


def _wait_for_a_shard(folder: Path) -> None:
    """Until two shards are done, and the next one is not."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if len(list((folder / ".staging").glob("*/outcome.json"))) >= 2:
            return
        time.sleep(0.02)
    pytest.fail("no shard was done within a minute")


@pytest.mark.parametrize("step", ["write_manifest", "place_database"])
def test_a_load_that_died_at_the_end_can_be_done_again(
    tmp_path: Path, write_log: WriteLog, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """With all parts in place, before or after the manifest was replaced."""
    folder = tmp_path / "w"
    load_into(folder, write_log(fixture_games()[:1], "a.jsonl"))
    log = write_log(fixture_games(), "b.jsonl")

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(turns, step, die)
        with pytest.raises(KeyboardInterrupt):
            load_into(folder, log)
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 1
    again = load_into(folder, log).files[0]
    assert again.was_known == (step == "place_database")
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 36
    named = {path for part in read_manifest(folder).parts for path in part.paths()}
    assert set(files_in(folder)) == named


def test_files_that_nobody_names_are_cleared_away(tmp_path: Path, write_log: WriteLog) -> None:
    """What a killed command had put in place, but not yet let count."""
    folder = tmp_path / "w"
    load_into(folder, write_log(fixture_games()[:1], "a.jsonl"))
    stray = folder / "games" / "day=2001-01-01" / "part-0.parquet"
    stray.parent.mkdir()
    stray.write_bytes(b"half of a file")
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 1
    load_into(folder, write_log(fixture_games()[1:2], "b.jsonl"))
    assert not stray.parent.exists()


def test_a_database_that_is_behind_is_made_anew(tmp_path: Path, write_log: WriteLog) -> None:
    """A command that died between the manifest and the database is finished by the next."""
    folder, log = tmp_path / "w", write_log(fixture_games()[:2])
    load_into(folder, log)
    (folder / "paipu.duckdb").unlink()
    with pytest.raises(WarehouseError, match="is missing"):
        open_warehouse(folder)
    assert load_into(folder, log).files[0].was_known
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 2


def test_one_command_writes_at_a_time(tmp_path: Path, write_log: WriteLog) -> None:
    """The second one is told so, and readers are not kept out."""
    folder, log = tmp_path / "w", write_log(fixture_games()[:1])
    load_into(folder, log)
    code = (
        "import sys; from pathlib import Path; from analytics.warehouse.turns import turn\n"
        "with turn(Path(sys.argv[1])): print('mine', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == b"mine\n"
        with pytest.raises(WarehouseError, match="another command is writing"):
            load_into(folder, log)
        with open_warehouse(folder) as warehouse:
            assert len(warehouse.sql("FROM games")) == 1
        other.communicate(b"")


def test_a_folder_with_something_else_in_it_is_no_warehouse(
    tmp_path: Path, write_log: WriteLog
) -> None:
    """Nothing is written among other people's files."""
    log = write_log(fixture_games()[:1])
    with pytest.raises(WarehouseError, match="not empty"):
        load_into(tmp_path, log)
    with pytest.raises(WarehouseError, match="this is a file"):
        load_into(Path(log), log)


@pytest.mark.parametrize("name", ["g?x", "g*x", "g?x/w"])
def test_a_path_that_stands_for_others_is_refused(
    tmp_path: Path, write_log: WriteLog, name: str
) -> None:
    """A sentence about the path, before anything is made, and where one is opened."""
    folder, log = tmp_path / name, write_log(fixture_games()[:1])
    with pytest.raises(WarehouseError, match=r"path of a warehouse cannot have [?*] in it"):
        load_into(folder, log)
    assert [path.name for path in tmp_path.iterdir()] == ["log.jsonl"]
    with pytest.raises(WarehouseError, match=r"path of a warehouse cannot have [?*] in it"):
        open_warehouse(folder)


def test_a_link_to_such_a_path_is_refused(tmp_path: Path, write_log: WriteLog) -> None:
    """What a link leads to counts as well as its own name."""
    (tmp_path / "g?x").mkdir()
    (tmp_path / "w").symlink_to(tmp_path / "g?x")
    with pytest.raises(WarehouseError, match=r"cannot have \? in it"):
        load_into(tmp_path / "w", write_log(fixture_games()[:1]))
    assert not list((tmp_path / "g?x").iterdir())


@pytest.mark.parametrize("name", ["a[ab]c", "it's, here"])
def test_other_marks_in_a_path_are_taken_as_they_are(
    tmp_path: Path, write_log: WriteLog, name: str
) -> None:
    """Brackets, a quote and a comma: loaded into twice, and read."""
    games = fixture_games()[:2]
    for nth, game in enumerate(games):
        load_into(tmp_path / name, write_log([game], f"{nth}.jsonl"))
    with open_warehouse(tmp_path / name) as warehouse:
        assert set(warehouse.sql("FROM games")["id"]) == {game["id"] for game in games}


def test_the_zone_of_days_is_set_once(tmp_path: Path, write_log: WriteLog) -> None:
    """Days begin in the zone that the warehouse was made with."""
    game = fixture_games()[0]
    game["start"] = "2026-11-28T00:30:00+08:00"
    game.pop("end", None)
    log, folder = write_log([game]), tmp_path / "w"
    load_into(folder, log, zone="Europe/Berlin")
    with open_warehouse(folder) as warehouse:
        row = warehouse.sql("SELECT day, started::VARCHAR AS started FROM games").iloc[0]
        assert str(row["day"].date()) == "2026-11-27"
        assert row["started"] == "2026-11-27 17:30:00+01"
    with pytest.raises(WarehouseError, match="cannot be changed"):
        load_into(folder, log, zone="Asia/Tokyo")
    with pytest.raises(WarehouseError, match="no time zone"):
        load_into(tmp_path / "v", log, zone="Mars/Crater")


def test_row_groups_of_parquet_are_loaded_as_the_whole(tmp_path: Path) -> None:
    """The same file under the same key, and the copy in a later row group is left out."""
    games = [game for game in fixture_games() if game["rules"] == "jiule"]
    log = tmp_path / "log.parquet"
    pq.write_table(pa.Table.from_pylist([*games, games[0]]), log, row_group_size=2)
    loaded = [
        load_into(tmp_path / name, log, ways=Ways(jobs=1, shard_bytes=size))
        for name, size in (("cut", 1), ("whole", 1 << 25))
    ]
    keys = [(f.file_key, f.games, f.added, f.copies) for each in loaded for f in each.files]
    assert keys[0] == keys[1]
    assert keys[0][1:] == (len(games), len(games), 1)
    assert load_into(tmp_path / "cut", log).files[0].was_known


@pytest.mark.parametrize("encoding", ["utf-16", "gb18030"])
def test_a_log_in_another_encoding_is_loaded_whole(tmp_path: Path, encoding: str) -> None:
    """However small the pieces are that logs are cut into: one without line ends is not cut."""
    log = tmp_path / "log.jsonl"
    lines = (VALID / "huopin-points.jsonl").read_text("utf-8").splitlines(keepends=True)[:20]
    log.write_text("".join(lines), encoding=encoding)
    load_into(tmp_path / "w", log, ways=Ways(encoding=encoding, shard_bytes=2_000))
    with open_warehouse(tmp_path / "w") as opened:
        assert opened.sql("SELECT count(*) AS n FROM games")["n"].tolist() == [20]
        assert opened.sql("SELECT count(*) AS n FROM findings")["n"].tolist() == [0]
