"""``paipu load``, ``query``, ``unload``, ``prune`` and ``resettle`` as a user meets them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.running import Game, Invoke, Run, WriteLog


@pytest.fixture
def loaded(tmp_path: Path, games: list[Game], write_log: WriteLog, invoke: Invoke) -> str:
    """A warehouse with all games of tests/cases."""
    folder = str(tmp_path / "w")
    assert invoke("load", write_log(games), "-w", folder).exit_code == 0
    return folder


def test_load_says_what_became_of_every_file(
    tmp_path: Path, bad_log: str, games: list[Game], write_log: WriteLog, invoke: Invoke
) -> None:
    """The same counts as verify, the same exit status, and what came into the warehouse."""
    good = write_log(games[8:10], "good.jsonl")
    arguments = ("load", bad_log, good, "-w", str(tmp_path / "w"), "--format", "json")
    result = invoke(*arguments)
    document = json.loads(result.stdout)
    verified = json.loads(invoke("verify", bad_log, good, "--format", "json").stdout)
    assert result.exit_code == 1
    assert document["schema"] == 1
    for name in ("games", "verified", "mismatched", "unreadable", "by_code"):
        assert document["summary"][name] == verified["summary"][name], name
    assert [file["added"] for file in document["files"]] == [2, 8]
    assert document["summary"]["rows"]["games"] == 10
    again = json.loads(invoke(*arguments).stdout)
    assert [file["status"] for file in again["files"]] == ["known", "known"]
    assert again["summary"]["rows"] == {}


def test_load_of_standard_input(tmp_path: Path, games: list[Game], run: Run) -> None:
    """A stream is loaded like a file, and is known when it comes again."""
    given = "".join(f"{json.dumps(game)}\n" for game in games[:3]).encode()
    for status in ("loaded", "known"):
        done = run("load", "-", "-w", str(tmp_path / "w"), "--format", "jsonl", given=given)
        assert done.returncode == 0
        record = json.loads(done.stdout)
        assert (record["path"], record["status"]) == ("-", status)


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
def test_query_has_the_same_values_in_every_format(loaded: str, invoke: Invoke, form: str) -> None:
    """Sums are exact, text is text, null is null."""
    sql = "SELECT 'it''s' AS text, 2::HUGEINT ** 0 AS one, sum(amount) AS total, NULL AS none, "
    sql += "DATE '2026-11-28' AS day FROM postings"
    text = invoke("query", sql, "-w", loaded, "--format", form).stdout
    if form == "table":
        assert text.split()[5:] == ["it's", "1.0", "0", "-", "2026-11-28"]
        return
    if form == "csv":
        (row,) = csv.DictReader(io.StringIO(text))
        assert (row["text"], row["total"], row["none"]) == ("it's", "0", "")
        return
    row = json.loads(text)["rows"][0] if form == "json" else json.loads(text)
    assert (row["text"], row["total"], row["none"], row["day"]) == ("it's", 0, None, "2026-11-28")


def test_query_says_when_there_are_more_rows(loaded: str, run: Run) -> None:
    """Data on standard output, the remark on stderr; just as many rows say nothing."""
    done = run(
        "query", "FROM games ORDER BY id", "-w", loaded, "--max-rows", "2", "--format", "csv"
    )
    assert len(done.stdout.splitlines()) == 3
    assert b"more rows than --max-rows 2" in done.stderr
    done = run("query", "VALUES (1), (2)", "-w", loaded, "--max-rows", "2", "--format", "jsonl")
    assert (len(done.stdout.splitlines()), done.stderr) == (2, b"")


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("FROM gamez", "gamez does not exist"),
        ("DROP VIEW games", "only statements that read"),
        ("FROM read_text('/etc/passwd')", "out of reach"),
        ("SELECT id::INT FROM games", "Could not convert"),
    ],
)
def test_query_that_cannot_be_run(loaded: str, run: Run, sql: str, sentence: str) -> None:
    """A sentence and exit status 2, and nothing on standard output."""
    done = run("query", sql, "-w", loaded)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"Error: ")
    assert sentence in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_unload_and_prune_say_what_they_took_out(loaded: str, invoke: Invoke) -> None:
    """One record in every format; the journal keeps it."""
    result = invoke("prune", "--before", "1999-01-01", "-w", loaded, "--format", "csv")
    assert result.stdout.splitlines() == ["what,games,rows,bytes", "before 1999-01-01,0,0,0"]
    path = json.loads(invoke("query", "FROM files", "-w", loaded, "--format", "jsonl").stdout)
    result = invoke("unload", path["file_key"][:8], "-w", loaded, "--format", "json")
    assert json.loads(result.stdout)["removed"]["games"] == 36
    commands = invoke(
        "query", "SELECT command FROM journal", "-w", loaded, "--format", "csv"
    ).stdout
    assert commands.split() == ["command", "load", "prune", "unload"]


def test_resettle_says_what_has_changed(loaded: str, tmp_path: Path, run: Run) -> None:
    """Nothing by the same rulesets; with another fee, which games pay what more."""
    done = run("resettle", "-w", loaded, "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["changes"] == []
    (tmp_path / "rules").mkdir()
    copy = run("rules", "show", "jiule", "--format", "toml").stdout.decode()
    assert "fee = 0" in copy
    changed = copy.replace("fee = 0", "fee = 3").replace('version = "1"', 'version = "2"')
    changed = changed.replace("[play]", "effective_from = 2000-01-01T00:00:00+08:00\n\n[play]", 1)
    (tmp_path / "rules" / "jiule.toml").write_text(changed, encoding="utf-8")
    done = run("resettle", "-w", loaded, "--rules-dir", str(tmp_path / "rules"), "--format", "json")
    assert done.returncode == 0, done.stderr
    (change,) = json.loads(done.stdout)["changes"]
    assert (change["previous"], change["ruleset"]) == ("jiule@1", "jiule@2")
    assert change["moved"] == change["system"] == 6 * change["changed"] > 0


@pytest.mark.parametrize("command", [("query", "FROM games"), ("unload", "a"), ("resettle",)])
def test_there_is_no_warehouse(tmp_path: Path, run: Run, command: tuple[str, ...]) -> None:
    """It is said, with the command that makes one."""
    done = run(*command, "-w", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert b"there is no warehouse. `paipu load LOG" in done.stderr
    assert not (tmp_path / "nowhere").exists()
