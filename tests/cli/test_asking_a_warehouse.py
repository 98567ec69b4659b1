"""Asking a warehouse on the command line: what is unclear is said, what is exact stays exact."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.running import Invoke
from tests.games import fixture_games
from tests.warehouse.conftest import load_into


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A warehouse with the games of the fixtures."""
    folder = tmp_path_factory.mktemp("asked")
    log = folder / "log.jsonl"
    log.write_text("".join(f"{json.dumps(game)}\n" for game in fixture_games()), "utf-8")
    load_into(folder / "w", log)
    return str(folder / "w")


@pytest.mark.parametrize(
    "question",
    [
        ("query", "SELECT id, room FROM games WHERE false"),
        ("study", "kou", "--by", "room", "--where", "false"),
    ],
)
def test_no_rows(asked: str, invoke: Invoke, question: tuple[str, ...]) -> None:
    """The headings stand there, and it is said."""
    done = invoke(*question, "-w", asked)
    assert done.exit_code == 0
    assert "There are no rows." in done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert {"id", "room"} <= set(done.stdout.split()) or "kou" in done.stdout.split()


@pytest.mark.parametrize("day", ["TIMESTAMP 'infinity'", "DATE '12000-01-01'"])
def test_days_that_no_calendar_has(asked: str, invoke: Invoke, day: str) -> None:
    """A sentence that says how to ask, and what it says works."""
    done = invoke("query", f"SELECT {day} AS day", "-w", asked)
    assert done.exit_code == 2
    assert "column 'day' has times outside the years 1 to 9999" in done.stderr
    done = invoke("query", f"SELECT CAST({day} AS VARCHAR) AS day", "-w", asked)
    assert done.exit_code == 0


def test_a_plan_is_drawn(asked: str, invoke: Invoke) -> None:
    """EXPLAIN gives lines, not the letters of an escape."""
    done = invoke("query", "EXPLAIN SELECT count(*) FROM games", "-w", asked)
    assert "\\n" not in done.stdout
    assert len(done.stdout.splitlines()) > 5


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--since", "2026-02-01", "--until", "2026-01-01"), "since 2026-02-01 is after until"),
        (("--where", "id = 1"), "Could not convert"),
        (("--memory", "1MB"), "memory"),
    ],
)
def test_a_study_that_cannot_be_asked(
    asked: str, invoke: Invoke, options: tuple[str, ...], sentence: str
) -> None:
    """A sentence of its own and exit status 2; a defect it is not."""
    done = invoke("study", "findings.games", "-w", asked, *options)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "defect" not in done.stderr


def test_seconds_of_a_day_start(asked: str, invoke: Invoke) -> None:
    """They count, so they are told."""
    for given in ("04:00", "04:00:30"):
        done = invoke("study", "kou", "-w", asked, "--day-start", given, "--format", "json")
        assert f'"day_start": "{given}"' in done.stdout


def test_too_few_digits(asked: str, invoke: Invoke) -> None:
    """The first digits of a hash that is there: how many are needed."""
    done = invoke("query", "SELECT file_key FROM files", "-w", asked, "--format", "csv")
    done = invoke("unload", done.stdout.split()[1][:4], "-w", asked)
    assert done.exit_code == 2
    assert "8 digits of a hash are needed" in done.stderr


def test_check(asked: str, invoke: Invoke, tmp_path: Path) -> None:
    """Sound: status 0. A part that is gone: status 1, its path, its log and what to do."""
    assert invoke("check", "-w", asked).exit_code == 0
    copy = tmp_path / "copy"
    shutil.copytree(asked, copy)
    path = next(copy.glob("seats/*/*.parquet"))
    path.unlink()
    done = invoke("check", "-w", str(copy), "--format", "csv")
    assert done.exit_code == 1
    assert str(path.relative_to(copy)) in done.stdout
    assert "log.jsonl" in done.stdout
    assert "paipu unload" in done.stderr
