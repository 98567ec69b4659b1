"""What only the whole of the games shows: order in time, and copies."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analytics.collect import Collector, new_seed, seed_in
from analytics.findings import Finding
from analytics.logs import batch_of
from analytics.reconcile import Reconciler
from analytics.rules import load_rulesets
from analytics.stores import TABLES, Folder, Names, blobs, rows_in
from analytics.verify import verify_batch
from tests.games import fixture_game

RULES = load_rulesets()
LONG = "a-room-with-a-long-name-"


def _breaks(games: list[dict[str, Any]], batches: int = 1) -> list[Finding]:
    size = -(-len(games) // batches)
    with Collector(RULES) as collector:
        for start in range(0, len(games), size):
            batch = batch_of(games[start : start + size], RULES)
            collector.add(verify_batch(batch, RULES))
        reconciler = Reconciler(collector, ["-"])
        reconciler.finish()
        found = [f for f in reconciler.findings() if f.code.text == "ledger.continuity"]
    return found


def _game(name: str, start: str | None, before: int, **changes: Any) -> dict[str, Any]:
    """A game of tongcheng in which player x, seat 0, has a balance before and wins 400."""
    game = fixture_game("tongcheng")
    result = {"delta": [400, -400, 400, -400]}
    seats = [{"player": f"{name}-{seat}", "balance": 0} for seat in range(4)]
    seats[0] = {"player": "x", "balance": before}
    made = {**game, "id": name, "start": start, "seats": seats, "result": result, **changes}
    return {key: value for key, value in made.items() if value is not None}


@pytest.mark.parametrize("batches", [1, 3])
def test_a_balance_that_does_not_follow_names_player_and_game_before(batches: int) -> None:
    """Sorted by start, whatever the order of lines and batches."""
    games = [
        _game("c", "2026-11-28T22:00:00+08:00", 900),
        _game("a", "2026-11-28T20:00:00+08:00", 100),
        _game("b", "2026-11-28T21:00:00+08:00", 500),
    ]
    assert _breaks(games, batches) == []
    games[0]["seats"][0]["balance"] = 901
    (found,) = _breaks(games, batches)
    assert (found.game, found.seat, found.recorded, found.recomputed) == ("c", 0, 901, 900)
    assert found.params == {"previous": "b", "player": "x"}


def test_of_equal_starts_the_id_decides_to_its_last_character() -> None:
    """Also where ids agree for longer than what is sorted by at first."""
    start = "2026-11-28T20:00:00+08:00"
    games = [_game(LONG + c, start, before) for c, before in (("c", 900), ("a", 100), ("b", 500))]
    assert _breaks(games) == []
    renamed = [{**games[0], "id": LONG + "0"}, *games[1:]]
    assert [f.game for f in _breaks(renamed)] == [LONG + "a"]


def test_the_same_instant_in_two_zones_is_one_time() -> None:
    """Starts are compared as instants."""
    games = [
        _game("b", "2026-11-28T13:00:00Z", 500),
        _game("a", "2026-11-28T20:00:00+08:00", 100),
    ]
    assert _breaks(games) == []


def test_what_is_not_recorded_is_not_judged() -> None:
    """No start, no recorded result, another unit: nothing is said."""
    first, later = "2026-11-28T20:00:00+08:00", "2026-11-28T21:00:00+08:00"
    assert _breaks([_game("a", None, 100), _game("b", later, 9)]) == []
    assert _breaks([_game("a", first, 100, result={}), _game("b", later, 9)]) == []
    other = _game("b", later, 9)
    wealth = {**fixture_game("huopin-wealth"), "id": "w", "start": first}
    wealth["seats"][0]["player"] = "x"
    assert _breaks([wealth, other]) == []


def test_a_recorded_balance_goes_before_a_recorded_delta() -> None:
    """After = the recorded balance, else before + delta."""
    first, later = "2026-11-28T20:00:00+08:00", "2026-11-28T21:00:00+08:00"
    result = {"delta": [400, -400, 400, -400], "balance": [7, 0, 0, 0]}
    assert _breaks([_game("a", first, 100, result=result), _game("b", later, 7)]) == []


def _game_in_two_seats(name: str, start: str, balances: tuple[int, int]) -> dict[str, Any]:
    """A game in which player x has seats 0 and 2, and wins 400 in both."""
    game = _game(name, start, balances[0])
    game["seats"][2] = {"player": "x", "balance": balances[1]}
    return game


def test_a_game_is_not_the_one_before_itself() -> None:
    """Continuity is between games, also where a player has two seats of one."""
    assert _breaks([_game_in_two_seats("a", "2026-11-28T20:00:00+08:00", (100, 700))]) == []


def test_a_player_in_two_seats_is_judged_in_both() -> None:
    """Each seat is held against the game before."""
    games = [
        _game("a", "2026-11-28T20:00:00+08:00", 100),
        _game_in_two_seats("b", "2026-11-28T21:00:00+08:00", (500, 501)),
    ]
    (found,) = _breaks(games)
    assert (found.game, found.seat, found.recomputed) == ("b", 2, 500)
    assert found.params["previous"] == "a"


@pytest.mark.parametrize(("balances", "breaks"), [((100, 100), ["b"]), ((100, 101), [])])
def test_two_balances_after_a_game_are_none(balances: tuple[int, int], breaks: list[str]) -> None:
    """Where the seats of a player disagree, nothing is said of his next game."""
    games = [
        _game_in_two_seats("a", "2026-11-28T20:00:00+08:00", balances),
        _game("b", "2026-11-28T21:00:00+08:00", 9),
    ]
    assert [found.game for found in _breaks(games)] == breaks


@pytest.mark.parametrize("most", [0, 2, 9])
def test_breaks_beyond_what_is_shown_are_counted(most: int) -> None:
    """However many balances do not follow, the first are told and all are counted."""
    games = [_game(f"g{n}", f"2026-05-01T12:0{n}:00+08:00", 10 * n) for n in range(6)]
    with Collector(RULES, most) as collector:
        collector.add(verify_batch(batch_of(games, RULES), RULES))
        reconciler = Reconciler(collector, ["log"])
        summary = reconciler.finish()
        told = [f for f in reconciler.findings() if f.code.text == "ledger.continuity"]
    breaks = summary.by_code["ledger.continuity"]
    assert breaks >= 5
    assert len(told) == min(most, breaks)
    assert summary.by_severity["warning"] >= breaks


@pytest.mark.parametrize("seed", range(6))
def test_breaks_are_those_that_sorting_by_hand_finds(seed: int) -> None:
    """Many players, equal starts, balances that do not follow: as a plain loop finds them."""
    chance = random.Random(seed)
    balance = dict.fromkeys("pqr", 1000)
    games = []
    for number in range(40):
        name = chance.choice("pqr")
        start = f"2026-11-28T20:{number // 2:02}:00+08:00"
        if chance.random() < 0.2:
            balance[name] += 7
        game = _game(f"g{number:02}", start, balance[name])
        game["seats"][0]["player"] = name
        balance[name] += 400
        games.append(game)
    last: dict[str, int] = {}
    expected = []
    for game in games:
        player, before = game["seats"][0].values()
        if last.get(player, before) != before:
            expected.append(game["id"])
        last[player] = before + 400
    chance.shuffle(games)
    assert sorted(found.game or "" for found in _breaks(games, 3)) == expected
    assert expected


def test_the_seed_of_a_folder_is_put_there_once(tmp_path: Path) -> None:
    """Whoever asks again gets it, and nobody knows it before."""
    assert seed_in(tmp_path) == seed_in(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".seed"]
    assert len({new_seed() for _ in range(20)}) == 20


def test_names_of_a_batch_are_found_by_row_and_seat() -> None:
    """Ids and players that are told are those of the game, also with three bytes a letter."""
    games = [_game(f"局{number}", None, number) for number in range(3)]
    verdict = verify_batch(batch_of(games, RULES), RULES)
    names = Names.of(verdict)
    assert [names.id_of(row) for row in range(3)] == ["局0", "局1", "局2"]
    assert [names.player_of(row, 3) for row in range(3)] == ["局0-3", "局1-3", "局2-3"]
    assert names.player_of(2, 0) == "x"


def test_a_folder_gives_back_what_was_put_in(tmp_path: Path) -> None:
    """In pieces, in their order, and a body may be missing, or have no bytes."""
    folder = Folder(tmp_path)
    numbers = [np.array([3, -1]), *(np.array([at, -at]) for at in range(1, 8))]
    bodies = [b"body", None], [b"", b"\0one"]
    for pair in bodies:
        folder.insert("findings", [*numbers, blobs(pair)])
    folder.complete()
    folder.close()
    pieces = list(rows_in(tmp_path))
    assert [table for table, _ in pieces] == ["findings", "findings"]
    for (_, rows), pair in zip(pieces, bodies, strict=True):
        assert list(rows) == list(TABLES["findings"])
        assert [column.tolist() for column in rows.values()] == [
            *(column.tolist() for column in numbers),
            pair,
        ]


def test_a_folder_that_failed_is_closed_and_not_whole(tmp_path: Path) -> None:
    """What went wrong is what is told."""
    with pytest.raises(KeyError), Collector(RULES, into=tmp_path) as collector:
        raise KeyError
    assert isinstance(collector.store, Folder)
    assert all(file.closed for file in collector.store._files.values())
    assert not (tmp_path / "names.json").exists()


def test_what_collects_into_a_folder_has_no_database(tmp_path: Path) -> None:
    """Whoever takes it for the collector of a run is told so."""
    with Collector(RULES, into=tmp_path) as collector, pytest.raises(TypeError, match="folder"):
        collector.database.execute("FROM games")


def test_names_of_a_shard_are_found_behind_those_that_were_there(tmp_path: Path) -> None:
    """Batches are counted on, whoever named them."""
    with Collector(RULES, into=tmp_path) as there:
        for letter in "xyz":
            games = [_game(letter * times, None, 0) for times in (1, 3)]
            there.add(verify_batch(batch_of(games, RULES), RULES))
    with Collector(RULES) as here:
        games = [_game("a" * times, None, 0) for times in (1, 3)]
        here.add(verify_batch(batch_of(games, RULES), RULES))
        reconciler = Reconciler(here, ["-"])
        reconciler.take(tmp_path, 0, 0)
        reconciler.take(tmp_path, 0, 0)
        here.flush()
        games_of = "SELECT DISTINCT game FROM games ORDER BY game"
        ids = [reconciler.id_of(game) for (game,) in here.database.execute(games_of).fetchall()]
        twice = ["x", "xxx", "y", "yyy", "z", "zzz"] * 2
        assert ids == ["a", "aaa", *twice]


@pytest.mark.slow
def test_ten_million_games_are_taken_in_under_the_limit_of_memory(tmp_path: Path) -> None:
    """What cannot be spilled does not grow with the games: keys of 330 shards of 32,000 games."""
    chance, n = np.random.default_rng(1), 32_000
    keys = chance.integers(0, 2**62, n)
    with Collector(RULES, into=tmp_path) as shard:
        row = np.arange(n)
        shard.hold("games", row, keys, keys, keys, keys, row, row, row, row * 0)
        for seat in range(2):
            shard.hold("seats", row, row * 0 + seat, row, keys * (seat + 1), row, row)
        for _ in range(16):
            shard.store.names.append(Names(bytes(32_000), bytes(8_000), bytes(60_000), b"", b""))
    with Collector(RULES) as collector:
        reconciler = Reconciler(collector, ["-"])
        for _ in range(330):
            reconciler.take(tmp_path, 0, 0)
        collector.flush()
        counted = collector.database.execute("SELECT count(*), count(DISTINCT game) FROM games")
        assert counted.fetchall() == [(330 * n, 330 * n)]
