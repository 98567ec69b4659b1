"""``paipu simulate``: options, outputs, and what cannot be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Invoke

FEW = ("simulate", "--games", "6", "--players", "20", "-q")


def test_lines_go_to_standard_output(invoke: Invoke) -> None:
    """Without --output there are lines of JSON, a game each, of the ruleset asked for."""
    games = [json.loads(line) for line in invoke(*FEW, "--rules", "jiule").stdout.splitlines()]
    assert [game["rules"] for game in games] == ["jiule"] * 6
    assert {game["deal"] for game in games} <= {"uniform", "blocks-4-9", "blocks-8-27"}


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet"])
def test_the_ending_says_how_it_is_written(invoke: Invoke, tmp_path: Path, ending: str) -> None:
    """Every form can be verified, and is."""
    path = tmp_path / f"games{ending}"
    assert invoke(*FEW, "-o", str(path)).exit_code == 0
    assert invoke("verify", str(path), "-q").exit_code == 0


def test_nothing_is_overwritten_by_accident(invoke: Invoke, tmp_path: Path) -> None:
    """A file that is there stays, unless --force is given."""
    path = tmp_path / "games.jsonl"
    path.write_text("precious")
    assert "--force overwrites it" in invoke(*FEW, "-o", str(path)).stderr
    assert path.read_text() == "precious"
    assert invoke(*FEW, "-o", str(path), "--force").exit_code == 0
    assert path.read_text() != "precious"


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--rules", "huopin-welth", "huopin-wealth"),
        ("--start", "2026-11-02T00:00:00", "has no offset"),
        ("--start", "soon", "is no time"),
        ("--skill", "101", "from 0 to 100"),
        ("--skill", "90-10", "from 0 to 100"),
        ("--deal", "blocks-4-4", "a deal is uniform, or blocks-B-P"),
        ("--policy", "brave", "is not one of"),
        ("--prefix", "a b", "letters, digits, - or _"),
        ("--players", "1000001", "is not in the range"),
        ("--start", "9999-12-31T00:00:00+08:00", "go past the year 9999"),
        ("--games", "0", "is not in the range"),
        ("--games", "100000", "players are too few for 100000 games"),
        ("--output", "games.txt", "the ending is none of"),
    ],
)
def test_what_cannot_be_is_said(invoke: Invoke, option: str, value: str, sentence: str) -> None:
    """Bad values end with status 2 and a sentence."""
    result = invoke(*FEW, option, value)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_the_summary_says_what_was_written(invoke: Invoke, tmp_path: Path) -> None:
    """How many games, and where to, on stderr; nothing on stdout."""
    path = tmp_path / "games.jsonl"
    result = invoke("simulate", "--games", "3", "-o", str(path), "--lang", "en")
    assert result.stdout == ""
    assert f"games 3 to {path}" in result.stderr


def test_runs_with_prefixes_of_their_own_stand_side_by_side(invoke: Invoke, tmp_path: Path) -> None:
    """Ids and names of two runs differ, so that both are verified as one log."""
    for prefix in ("east", "west"):
        run = invoke(*FEW, "--prefix", prefix, "-o", str(tmp_path / f"{prefix}.jsonl"))
        assert run.exit_code == 0
    west = [json.loads(line) for line in (tmp_path / "west.jsonl").read_text().splitlines()]
    names = {game["id"] for game in west} | {s["player"] for game in west for s in game["seats"]}
    assert all(name.startswith("west") for name in names)
    verified = invoke("verify", str(tmp_path), "--format", "json", "-q")
    assert json.loads(verified.stdout)["summary"]["verified"] == 12
