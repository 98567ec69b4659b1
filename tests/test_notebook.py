"""What a notebook asks: audits, warehouses, games by their id."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from analytics import audit, load_logs, open_warehouse, show_game
from analytics.logs import SourceError
from analytics.notebook import FINDING_TYPES
from tests.games import fixture_games


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Six right games; in the third the doubling is one too high, the fifth is torn."""
    games = fixture_games()[:6]
    games[2]["result"]["doubling"] += 1
    lines = [json.dumps(game) for game in games]
    lines[4] = lines[4][:200]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_an_audit_counts_and_has_typed_findings(log: Path) -> None:
    """Counts are those of the log; columns have their types, also where values are missing."""
    found = audit(log, language="en")
    summary = found.summary
    assert (summary.games, summary.mismatched, summary.unreadable) == (5, 1, 1)
    assert repr(found) == "games 5, verified 4, mismatched 1, unreadable 1, duplicates 0"
    assert found.by_code.to_dict() == {"format.json": 1, "settle.doubling": 1}
    frame = found.findings
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == FINDING_TYPES
    wrong = frame[frame["code"] == "settle.doubling"].iloc[0]
    assert (wrong["line"], wrong["difference"], wrong["severity"]) == (3, 1, "error")
    assert int(wrong["recorded"]) - int(wrong["recomputed"]) == 1
    assert wrong["message"].startswith("The doubling is recorded as ")
    torn = frame[frame["code"] == "format.json"].iloc[0]
    assert torn["line"] == 5
    assert pd.isna(torn["seat"])
    assert pd.isna(torn["recomputed"])


def test_an_audit_without_findings_has_the_same_columns(tmp_path: Path) -> None:
    """An empty frame is as typed as a full one."""
    path = tmp_path / "good.jsonl"
    path.write_text(json.dumps(fixture_games()[0]) + "\n", "utf-8")
    frame = audit(path).findings
    assert len(frame) == 0
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == FINDING_TYPES


def test_an_audit_takes_several_logs_and_a_language(log: Path, tmp_path: Path) -> None:
    """Paths, texts and lists of them mean the same; sentences are in the language."""
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(fixture_games()[7]) + "\n", "utf-8")
    found = audit([str(log), other], language="zh")
    assert found.summary.games == 6
    assert "记录" in " ".join(found.findings["message"])
    assert len(audit(log, most=0).findings) == 0


def test_a_log_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """As on the command line: nothing is verified silently."""
    with pytest.raises(SourceError, match=r"nowhere\.jsonl"):
        audit(tmp_path / "nowhere.jsonl")


def test_loaded_logs_can_be_asked(log: Path, tmp_path: Path) -> None:
    """The warehouse is made; games that could be read are in it."""
    loaded = load_logs(log, tmp_path / "wh")
    assert sum(file.added for file in loaded.files) == 5
    with open_warehouse(tmp_path / "wh") as warehouse:
        counted = warehouse.sql("SELECT count(*)::BIGINT AS games FROM games")
    assert counted["games"].tolist() == [5]


def test_a_game_is_found_by_its_id(log: Path) -> None:
    """The view is of the line with that id."""
    wanted = fixture_games()[2]["id"]
    shown = show_game(log, wanted, language="en")
    assert (shown.story.head.id, shown.story.head.line) == (wanted, 3)
    assert shown.formula is not None
    assert [line.item for line in shown.formula.differing] == ["doubling"]


def test_a_game_that_is_not_there_is_an_error(log: Path) -> None:
    """A near id is suggested."""
    wanted = fixture_games()[2]["id"]
    with pytest.raises(LookupError, match=f"is .*{wanted}.* meant"):
        show_game(log, f"{wanted}x")
