"""Taking out: what is gone is gone in every table, and the rest is untouched."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from analytics.warehouse import WarehouseError, open_warehouse
from analytics.warehouse.families import TABLES
from analytics.warehouse.manifest import read_manifest
from analytics.warehouse.removing import prune, unload
from tests.games import fixture_games
from tests.warehouse.conftest import Game, WriteLog, files_in, load_into


def contents(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with open_warehouse(folder) as warehouse:
        return {
            table.name: [tuple(map(str, row)) for row in warehouse.sql(
                f"FROM {table.name} ORDER BY ALL").to_numpy().tolist()]
            for table in TABLES
        }  # fmt: skip


@pytest.fixture
def games() -> list[Game]:
    """Games of one day, some with a finding, so that every table has rows."""
    games = fixture_games()[:8]
    for nth, game in enumerate(games):
        game["start"] = f"2026-11-20T20:0{nth}:00+08:00"
        game.pop("end", None)
        game["result"]["delta"][0] += nth % 2
    return games


def test_unloading_is_as_if_never_loaded(
    tmp_path: Path, write_log: WriteLog, games: list[Game]
) -> None:
    """Two logs loaded together, whose games share parts: one goes, the other stays."""
    one, two = write_log(games[::2], "one.jsonl"), write_log(games[1::2], "two.jsonl")
    both, alone = tmp_path / "both", tmp_path / "alone"
    load_into(both, one, two)
    load_into(alone, two)
    shared = [part for part in read_manifest(both).parts if len(part.files) == 2]
    removed = unload(both, one)
    assert shared
    assert removed.games == 4
    assert removed.rows > 40
    assert removed.bytes > 0
    assert contents(both) == contents(alone)
    with open_warehouse(both) as warehouse:
        assert warehouse.sql("FROM files")["path"].tolist() == [two]
        last = warehouse.sql("FROM journal").iloc[-1]
        assert (last["command"], last["what"], last["games"]) == ("unload", one, 4)


def test_what_was_unloaded_can_be_loaded_again(
    tmp_path: Path, write_log: WriteLog, games: list[Game]
) -> None:
    """By its hash, too; afterwards everything is what it was."""
    folder, log = tmp_path / "w", write_log(games)
    key = load_into(folder, log).files[0].file_key
    before = contents(folder)
    unload(folder, key[:10])
    assert not any(contents(folder).values())
    assert not files_in(folder)
    load_into(folder, log)
    assert contents(folder) == before


def test_copies_come_back_from_the_other_log(
    tmp_path: Path, write_log: WriteLog, games: list[Game]
) -> None:
    """A log whose games were left out as copies is read again once these may be gone."""
    folder = tmp_path / "w"
    first, second = write_log(games[:4], "a.jsonl"), write_log(games[2:], "b.jsonl")
    load_into(folder, first)
    assert load_into(folder, second).files[0].copies == 2
    assert load_into(folder, second).files[0].was_known
    unload(folder, first)
    again = load_into(folder, second).files[0]
    assert (again.was_known, again.added, again.copies) == (False, 6, 0)
    with open_warehouse(folder) as warehouse:
        ids = warehouse.sql("SELECT id FROM games ORDER BY ALL")["id"].tolist()
        assert ids == sorted(game["id"] for game in games[2:])
        assert warehouse.sql("SELECT games FROM files")["games"].tolist() == [6]
    assert load_into(folder, second).files[0].was_known


@pytest.mark.parametrize("named", ["nowhere.jsonl", "abc", "0123456789"])
def test_a_log_that_is_not_there(
    tmp_path: Path, write_log: WriteLog, games: list[Game], named: str
) -> None:
    """It is said, and nothing happens."""
    load_into(tmp_path / "w", write_log(games[:1]))
    before = files_in(tmp_path / "w")
    with pytest.raises(WarehouseError, match="no log of this name"):
        unload(tmp_path / "w", named)
    assert files_in(tmp_path / "w") == before


def test_a_name_that_means_several_logs(
    tmp_path: Path, write_log: WriteLog, games: list[Game]
) -> None:
    """A path that was overwritten and loaded again: the hash says which one is meant."""
    folder = tmp_path / "w"
    log = write_log(games[:1])
    keys = {load_into(folder, log).files[0].file_key}
    keys |= {load_into(folder, write_log(games[1:2])).files[0].file_key}
    with pytest.raises(WarehouseError, match="several logs") as said:
        unload(folder, log)
    assert all(key in str(said.value) for key in keys)
    assert unload(folder, keys.pop()).games == 1


def test_pruning_takes_whole_days(tmp_path: Path, write_log: WriteLog, games: list[Game]) -> None:
    """The days before go, the day itself stays, and so does what has no day."""
    for day, game in enumerate(games[:4], 1):
        game["start"] = f"2026-11-0{day}T20:00:00+08:00"
        game.pop("end", None)
    games[4].pop("start")
    games[4].pop("end", None)
    folder, log = tmp_path / "w", write_log(games[:5])
    load_into(folder, log)
    removed = prune(folder, date(2026, 11, 3))
    assert removed.games == 2
    with open_warehouse(folder) as warehouse:
        days = warehouse.sql("SELECT day::VARCHAR AS day FROM games ORDER BY ALL")["day"]
        assert days.fillna("none").tolist() == ["2026-11-03", "2026-11-04", "none"]
        assert warehouse.sql("FROM journal")["command"].tolist() == ["load", "prune"]
    assert not list(folder.glob("*/day=2026-11-01"))
    assert load_into(folder, log).files[0].was_known
    state = read_manifest(folder).state
    assert prune(folder, date(2026, 11, 3)).games == 0
    assert read_manifest(folder).state == state


def test_there_is_no_warehouse(tmp_path: Path) -> None:
    """Every command says so, with the command that makes one."""
    for call in (lambda: unload(tmp_path, "a"), lambda: prune(tmp_path, date(2026, 1, 1))):
        with pytest.raises(WarehouseError, match="paipu load LOG"):
            call()
