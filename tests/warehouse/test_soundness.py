"""Parts that are missing or damaged: noticed, named, and mended by loading again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from analytics.studies import open_warehouse as open_studied
from analytics.warehouse import WarehouseError, open_warehouse, turns
from analytics.warehouse.common import POSTINGS
from analytics.warehouse.manifest import read_manifest
from analytics.warehouse.parts import read_rows
from analytics.warehouse.removing import unload
from analytics.warehouse.resettling import resettle
from analytics.warehouse.soundness import check
from tests.games import fixture_games
from tests.warehouse.conftest import BOOK, WriteLog, load_into


@pytest.fixture
def logs(write_log: WriteLog) -> tuple[str, str]:
    """Two logs with games of one day, which share parts when they are loaded together."""
    games = fixture_games()[:8]
    for nth, game in enumerate(games):
        game["start"] = f"2026-11-20T20:0{nth}:00+08:00"
        game.pop("end", None)
    return write_log(games[:4], "a.jsonl"), write_log(games[4:], "b.jsonl")


def overwrite(path: Path) -> None:
    """Seven bytes of a file become others; its length stays."""
    raw = bytearray(path.read_bytes())
    middle = len(raw) // 3
    raw[middle : middle + 7] = bytes(byte ^ 0xFF for byte in raw[middle : middle + 7])
    path.write_bytes(raw)


def test_all_is_sound(tmp_path: Path, logs: tuple[str, str]) -> None:
    """Right after loading nothing is said, and after taking out and settling again neither."""
    folder = tmp_path / "w"
    load_into(folder, *logs)
    assert check(folder) == []
    unload(folder, logs[0])
    resettle(folder, BOOK)
    assert check(folder) == []


def test_damaged_bytes_are_found(tmp_path: Path, logs: tuple[str, str]) -> None:
    """The part and both logs are named; what reads the part does not use the bytes."""
    folder = tmp_path / "w"
    load_into(folder, *logs)
    (path,) = folder.glob("postings/*/*.parquet")
    overwrite(path)
    (found,) = check(folder)
    assert (found.is_missing, found.logs) == (False, logs)
    with pytest.raises(WarehouseError, match="paipu check"):
        read_rows([path], POSTINGS)


@pytest.mark.parametrize("fault", ["missing", "empty"])
def test_a_part_that_cannot_be_read(tmp_path: Path, logs: tuple[str, str], fault: str) -> None:
    """Readers and writers name it and its log; unload and load make it whole again."""
    folder = tmp_path / "w"
    for log in logs:
        load_into(folder, log)
    first = read_manifest(folder).parts[0]
    path = next(p for p in map(folder.joinpath, first.paths()) if "seats" in p.parts)
    path.unlink() if fault == "missing" else path.write_bytes(b"")
    (found,) = check(folder)
    assert (found.is_missing, found.logs) == (fault == "missing", logs[:1])
    with pytest.raises(WarehouseError, match=r"part-\w+.parquet: this part is .*a\.jsonl"):
        open_warehouse(folder)
    state = read_manifest(folder)
    with pytest.raises(WarehouseError, match=r"paipu unload .*a\.jsonl"):
        unload(folder, logs[1])
    assert read_manifest(folder) == state
    assert unload(folder, logs[0]).games == 4
    assert load_into(folder, *logs).files[0].added == 4
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 8


def test_a_shared_part_goes_as_a_whole(tmp_path: Path, logs: tuple[str, str]) -> None:
    """Its other log is not known any more, so that loading it brings its games back."""
    folder = tmp_path / "w"
    load_into(folder, *logs)
    next(folder.glob("games/*/*.parquet")).unlink()
    assert unload(folder, logs[0]).games == 8
    again = load_into(folder, *logs)
    assert [(file.was_known, file.added) for file in again.files] == [(False, 4), (False, 4)]
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 8


def test_several_logs_go_at_once(tmp_path: Path, logs: tuple[str, str]) -> None:
    """Two damaged parts of two logs are no deadlock, not even with a database of junk."""
    folder = tmp_path / "w"
    for log in logs:
        load_into(folder, log)
    for path in folder.glob("games/*/*.parquet"):
        path.write_bytes(b"junk")
    (folder / "paipu.duckdb").write_bytes(b"junk")
    with pytest.raises(WarehouseError, match="unload"):
        unload(folder, logs[0])
    assert unload(folder, *logs).games == 8
    assert load_into(folder, *logs).rows["games"] == 8


def test_a_junk_database(tmp_path: Path, logs: tuple[str, str]) -> None:
    """A sentence for readers; the next writer makes it anew."""
    folder = tmp_path / "w"
    load_into(folder, logs[0])
    (folder / "paipu.duckdb").write_bytes(b"junk")
    with pytest.raises(WarehouseError, match=r"paipu\.duckdb is damaged"):
        open_warehouse(folder)
    assert load_into(folder, logs[0]).files[0].was_known
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 4


def test_what_duckdb_cannot_do_is_a_sentence(tmp_path: Path, logs: tuple[str, str]) -> None:
    """While a study runs, and while a warehouse is opened."""
    load_into(tmp_path / "w", logs[0])
    with (
        open_studied(tmp_path / "w") as warehouse,
        pytest.raises(WarehouseError, match="Could not convert"),
    ):
        warehouse.study("findings.games", where="id = 1")
    with pytest.raises(WarehouseError):
        open_warehouse(tmp_path / "w", memory="no memory")


def test_two_first_loads(
    tmp_path: Path, logs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that waited for the lock while the other one made the warehouse keeps its games."""
    folder, locked = tmp_path / "w", turns._locked

    def after_another(where: Path) -> object:
        monkeypatch.setattr(turns, "_locked", locked)
        thread = threading.Thread(target=load_into, args=(folder, logs[0]))
        thread.start()
        thread.join()
        return locked(where)

    monkeypatch.setattr(turns, "_locked", after_another)
    load_into(folder, logs[1])
    with open_warehouse(folder) as warehouse:
        assert len(warehouse.sql("FROM games")) == 8
