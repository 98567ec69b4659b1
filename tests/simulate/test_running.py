"""Runs: exactly so many games, continuous balances, the same for any number of processes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from analytics.logs import GameBatch, write_jsonl
from analytics.logs.records import game
from analytics.simulate import CannotSimulate, Wanted, simulate
from tests.simulate.verification import presets, verified

START = datetime.fromisoformat("2026-11-06T18:00:00+08:00")
SMALL = Wanted("huopin-wealth", 60, START, players=40, seed=3)


def batches(wanted: Wanted, jobs: int = 1) -> list[GameBatch]:
    """All games of a run."""
    return list(simulate(wanted, presets(), jobs=jobs))


def written(wanted: Wanted, path: Path, jobs: int = 1) -> bytes:
    """The log of a run."""
    write_jsonl(simulate(wanted, presets(), jobs=jobs), str(path))
    return path.read_bytes()


RULES = ["huopin-wealth", "huopin-points", "jiule", "baibian", "baibian-zerosum", "tongcheng"]


@pytest.mark.parametrize("rules", RULES)
def test_games_verify_without_a_finding(rules: str, tmp_path: Path) -> None:
    """Of every preset exactly as many games as were asked for, and nothing to find."""
    path = tmp_path / "games.jsonl"
    written(replace(SMALL, rules=rules, games=40), path)
    summary, findings = verified([path])
    assert findings == []
    assert summary.games == 40


def test_the_seed_makes_the_games(tmp_path: Path) -> None:
    """The same seed gives the same bytes, another one other games."""
    first = written(replace(SMALL, games=10), tmp_path / "a.jsonl")
    assert written(replace(SMALL, games=10), tmp_path / "b.jsonl") == first
    assert written(replace(SMALL, games=10, seed=4), tmp_path / "c.jsonl") != first


@pytest.mark.slow
def test_processes_make_the_same_bytes(tmp_path: Path) -> None:
    """Three halls by one process or by two: the same bytes."""
    wanted = replace(SMALL, games=60, players=750)
    alone = written(wanted, tmp_path / "a.jsonl")
    assert written(wanted, tmp_path / "b.jsonl", jobs=2) == alone


@pytest.mark.slow
def test_both_modes_make_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled and uncompiled kernels play the same games."""
    by_mode = {}
    for mode in ("never", "always"):
        monkeypatch.setenv("PAIPU_COMPILE", mode)
        for rules in ("jiule", "baibian"):
            wanted = replace(SMALL, rules=rules, games=30)
            by_mode[mode, rules] = written(wanted, tmp_path / f"{mode}.jsonl")
    assert by_mode["never", "jiule"] == by_mode["always", "jiule"]
    assert by_mode["never", "baibian"] == by_mode["always", "baibian"]


def test_players_play_one_game_at_a_time() -> None:
    """Nobody sits at two tables at once, and games begin in order."""
    last: dict[str, datetime] = {}
    begun = START
    for batch in batches(SMALL):
        for at in range(len(batch)):
            each = game(batch, at)
            start, end = (datetime.fromisoformat(str(t)) for t in (each.start, each.end))
            assert begun <= start < end
            begun = start
            for seat in each.seats:
                assert last.get(seat.player, start) <= start
                last[seat.player] = end
    assert begun < START + timedelta(days=1)


def test_too_few_players_are_refused() -> None:
    """Before anything is played it is said how many would do."""
    with pytest.raises(CannotSimulate, match="10 players are too few for 5000 games in 1 days"):
        batches(replace(SMALL, games=5_000, players=10))
