"""Loading a log again: what another run can read comes in, and nothing is there twice."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path

import pytest

from analytics.jobs import Ways
from analytics.logs import find_sources
from analytics.rules import Rulebook
from analytics.warehouse import open_warehouse
from analytics.warehouse.loading import Loaded, load
from analytics.warehouse.manifest import read_manifest
from analytics.warehouse.removing import prune, unload
from tests.games import fixture_games
from tests.warehouse.conftest import BOOK, Game, WriteLog, files_in, load_into

OWN = Rulebook.of([*BOOK.rulesets, dataclasses.replace(BOOK.rulesets[0], name="ours", version="1")])


def load_by(rulebook: Rulebook, folder: Path, *logs: str) -> Loaded:
    """Loads logs with a rulebook."""
    return load(find_sources(list(logs)), folder, rulebook)


def rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    """What a query gives, row by row."""
    with open_warehouse(folder) as warehouse:
        return [tuple(row) for row in warehouse.sql(query).to_numpy().tolist()]


def ours(games: list[Game]) -> list[Game]:
    """Games of the first preset, under the name of a house that not every rulebook has."""
    name = BOOK.rulesets[0].name
    return [{**game, "rules": "ours"} for game in games if game["rules"] == name]


def test_nothing_can_be_read_and_nothing_is_stored(tmp_path: Path, write_log: WriteLog) -> None:
    """Without the ruleset nothing counts, not even in the journal; with it all games come."""
    folder, log = tmp_path / "w", write_log(ours(fixture_games()))
    n = len(Path(log).read_text().splitlines())
    refused = load_by(BOOK, folder, log)
    assert refused.summary is not None
    assert (refused.summary.games, refused.summary.unreadable, refused.bytes) == (0, n, 0)
    assert not read_manifest(folder).files
    assert not read_manifest(folder).journal
    assert not files_in(folder)
    assert load_by(OWN, folder, log).files[0].added == n
    assert rows(folder, "SELECT count(*) FROM findings") == [(0,)]


def test_lines_that_a_ruleset_makes_readable(tmp_path: Path, write_log: WriteLog) -> None:
    """Beside games that could be read: the log is known to the same rulebook, new to another."""
    own = ours(fixture_games())
    others = [game for game in fixture_games() if game["id"] not in {g["id"] for g in own}][:3]
    folder, log = tmp_path / "w", write_log([*others, *own])
    assert load_by(BOOK, folder, log).files[0].added == 3
    assert rows(folder, "SELECT DISTINCT code FROM findings") == [("format.rules",)]
    assert load_by(BOOK, folder, log).files[0].was_known
    again = load_by(OWN, folder, log).files[0]
    assert (again.was_known, again.added, again.copies) == (False, 3 + len(own), 0)
    assert rows(folder, "SELECT count(*) FROM games") == [(3 + len(own),)]
    assert rows(folder, "SELECT count(*) FROM findings") == [(0,)]
    assert rows(folder, "SELECT games, duplicates FROM files") == [(3 + len(own), 0)]
    assert load_by(BOOK, folder, log).files[0].was_known


def test_lines_that_an_encoding_makes_readable(tmp_path: Path) -> None:
    """GBK read as UTF-8 gives the lines in ASCII; with the right encoding all of it."""
    games = fixture_games()[:4]
    games[3]["room"] = "财富场"
    folder, log = tmp_path / "w", tmp_path / "log.jsonl"
    text = "".join(f"{json.dumps(game, ensure_ascii=False)}\n" for game in games)
    log.write_bytes(text.encode("gbk"))
    first = load_into(folder, log).files[0].added
    assert first < 4
    assert load_into(folder, log, ways=Ways(encoding="gbk")).files[0].added == 4
    assert rows(folder, "SELECT count(*) FROM games WHERE room = '财富场'") == [(1,)]
    assert rows(folder, "SELECT count(*) FROM findings WHERE game_key IS NULL") == [(0,)]


def test_findings_are_not_stored_twice(tmp_path: Path, write_log: WriteLog) -> None:
    """A log with bad lines whose copies went: it is there as if it had been loaded alone."""
    games = fixture_games()[:6]
    lines: list[Game | str] = [*games[:2], "{bad", *games[2:4]]
    short, long = write_log(lines, "a.jsonl"), write_log([*lines, "{bad", *games[4:]], "b.jsonl")
    folder, alone = tmp_path / "w", tmp_path / "alone"
    load_into(folder, short)
    load_into(folder, long)
    unload(folder, short)
    load_into(folder, long)
    load_into(alone, long)
    for query in ("FROM findings ORDER BY ALL", "SELECT id FROM games ORDER BY ALL"):
        assert str(rows(folder, query)) == str(rows(alone, query))
    assert rows(folder, "SELECT count(*) FROM findings WHERE code = 'format.json'") == [(2,)]
    assert rows(folder, "SELECT games, duplicates FROM files") == [(6, 0)]


def test_a_conflict_that_is_none_any_more(tmp_path: Path, write_log: WriteLog) -> None:
    """The game that counted is taken out: the other one comes in, and its finding goes."""
    games = fixture_games()[:4]
    others = [{**game, "room": "elsewhere"} for game in games]
    first, second = write_log(games, "a.jsonl"), write_log(others, "b.jsonl")
    folder = tmp_path / "w"
    load_into(folder, first)
    assert load_into(folder, second).files[0].conflicts == 4
    unload(folder, first)
    assert load_into(folder, second).files[0].added == 4
    query = "SELECT count(*) FROM findings WHERE code = 'format.duplicate'"
    assert rows(folder, query) == [(0,)]


@pytest.fixture
def dated() -> list[Game]:
    """Six games, one a day, the first on 2026-11-01."""
    games = fixture_games()[:6]
    for day, game in enumerate(games, 1):
        game["start"] = f"2026-11-0{day}T00:30:00+08:00"
        game.pop("end", None)
    return games


def test_pruned_games_do_not_come_back(
    tmp_path: Path, write_log: WriteLog, dated: list[Game]
) -> None:
    """Not by a log with copies, not by one that has grown; they are counted."""
    first, second = write_log(dated[:4], "a.jsonl"), write_log(dated[:5], "b.jsonl")
    folder = tmp_path / "w"
    load_into(folder, first)
    assert load_into(folder, second).files[0].copies == 4
    prune(folder, date(2026, 11, 3))
    unload(folder, first)
    again = load_into(folder, second).files[0]
    assert (again.games, again.added, again.copies, again.pruned) == (5, 3, 0, 2)
    grown = load_into(folder, write_log(dated, "c.jsonl")).files[0]
    assert (grown.added, grown.copies, grown.pruned) == (1, 3, 2)
    days = rows(folder, "SELECT day::VARCHAR FROM games ORDER BY ALL")
    assert days == [(f"2026-11-0{day}",) for day in (3, 4, 5, 6)]
    assert rows(folder, "SELECT games, duplicates FROM files") == [(3, 0), (1, 3)]


def test_pruning_before_an_earlier_day_lets_games_in_again(
    tmp_path: Path, write_log: WriteLog, dated: list[Game]
) -> None:
    """A day that was a slip of the pen is no trap."""
    folder = tmp_path / "w"
    load_into(folder, write_log(dated[5:], "a.jsonl"))
    prune(folder, date(2036, 1, 1))
    log = write_log(dated, "b.jsonl")
    assert load_into(folder, log).files[0].pruned == 6
    prune(folder, date(2026, 11, 2))
    unload(folder, log)
    assert load_into(folder, log).files[0].added == 5


def test_a_finding_on_a_conflict_goes_with_its_game(
    tmp_path: Path, write_log: WriteLog, dated: list[Game]
) -> None:
    """It is of the day of the game that counts, in the load or in the warehouse."""
    folder = tmp_path / "w"
    others = [{**game, "room": "elsewhere"} for game in dated]
    load_into(folder, write_log([*dated[:2], others[0]], "a.jsonl"))
    load_into(folder, write_log(others[1:2], "b.jsonl"))
    query = "SELECT day::VARCHAR FROM findings WHERE code = 'format.duplicate' ORDER BY ALL"
    assert rows(folder, query) == [("2026-11-01",), ("2026-11-02",)]
    prune(folder, date(2026, 11, 2))
    assert rows(folder, query) == [("2026-11-02",)]
    load_into(folder, write_log([dated[0], others[0], dated[2]], "c.jsonl"))
    assert rows(folder, query) == [("2026-11-02",)]
