"""``paipu verify``: formats, counts and exit statuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cli.records import FIELDS
from tests.cli.running import CASES, Game, Invoke, Run, WriteLog

GOOD = str(CASES / "games.jsonl")
FORMATS = ("table", "json", "jsonl", "csv", "junit")
# Line and code of what is wrong with ``bad_log``, in order.
EXPECTED = [
    (None, "format.unknown"),
    (2, "ledger.sum"),
    (2, "settle.delta"),
    (2, "settle.xiang"),
    (3, "play.turn"),
    (5, "format.json"),
]


def document(invoke: Invoke, *arguments: str) -> dict[str, Any]:
    """What verify says as one JSON document."""
    result: dict[str, Any] = json.loads(
        invoke("verify", *arguments, "--format", "json", "--lang", "en").stdout
    )
    return result


def places(findings: list[dict[str, Any]]) -> list[tuple[int | None, str]]:
    """Line and code of findings."""
    return [(finding["line"], finding["code"]) for finding in findings]


@pytest.mark.parametrize("form", FORMATS)
def test_good_logs_are_zero(invoke: Invoke, form: str) -> None:
    """Games whose results are right make exit status 0 in every format."""
    assert invoke("verify", GOOD, "--format", form).exit_code == 0


@pytest.mark.parametrize("form", FORMATS)
def test_errors_are_one(invoke: Invoke, bad_log: str, form: str) -> None:
    """Findings of severity error make exit status 1 in every format."""
    assert invoke("verify", bad_log, "--format", form).exit_code == 1


def test_the_json_document(invoke: Invoke, bad_log: str) -> None:
    """Schema, summary and findings are as the design promises."""
    found = document(invoke, bad_log)
    assert list(found) == ["schema", "summary", "findings"]
    assert found["schema"] == 1
    summary = found["summary"]
    assert list(summary) == [
        "games", "verified", "mismatched", "unreadable", "duplicates",
        "by_code", "rulesets", "seconds",
    ]  # fmt: skip
    assert [summary[key] for key in list(summary)[:5]] == [8, 6, 2, 1, 0]
    assert summary["by_code"] == {code: 1 for _, code in sorted(EXPECTED, key=lambda x: x[1])}
    assert summary["seconds"] > 0
    assert places(found["findings"]) == EXPECTED


def test_rulesets_are_those_that_games_used(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """Name, version and hash of the rulesets of the games, and of no other."""
    path = write_log([game for game in games if game["rules"] == "jiule"])
    (used,) = document(invoke, path)["summary"]["rulesets"]
    assert (used["name"], used["version"], len(used["hash"])) == ("jiule", "1", 16)


def test_a_finding_has_all_fields(invoke: Invoke, bad_log: str) -> None:
    """The fields, their order and their values."""
    finding = document(invoke, bad_log)["findings"][2]
    assert tuple(finding) == FIELDS
    assert finding == {
        "file": bad_log,
        "line": 2,
        "game": "h11-00001",
        "action": None,
        "seat": 0,
        "code": "settle.delta",
        "severity": "error",
        "recorded": 500,
        "recomputed": 400,
        "params": {},
        "message": "Seat 0: delta recorded 500, by the rules 400 (difference 100).",
    } | {"message": finding["message"]}
    assert "500" in finding["message"]
    assert "400" in finding["message"]


def test_every_format_has_the_same_findings(invoke: Invoke, bad_log: str) -> None:
    """jsonl and csv say what json says."""
    findings = document(invoke, bad_log)["findings"]
    lines = invoke("verify", bad_log, "--format", "jsonl", "--lang", "en").stdout.splitlines()
    assert [json.loads(line) for line in lines] == findings
    rows = csv.DictReader(
        io.StringIO(invoke("verify", bad_log, "--format", "csv", "--lang", "en").stdout)
    )
    assert tuple(rows.fieldnames or ()) == FIELDS
    for row, finding in zip(rows, findings, strict=True):
        assert json.loads(row.pop("params")) == finding.pop("params")
        assert row == {key: "" if v is None else str(v) for key, v in finding.items()}


def test_the_summary_of_a_stream_is_on_stderr(invoke: Invoke, bad_log: str) -> None:
    """Data and summary do not mix, and --quiet leaves the summary out."""
    told = invoke("verify", bad_log, "--format", "jsonl", "--lang", "en").stderr
    assert told.startswith("games 8, verified 6, mismatched 2, unreadable 1, duplicates 0, ")
    assert invoke("verify", bad_log, "--format", "jsonl", "--quiet").stderr == ""


def test_the_table_groups_findings_by_file(
    invoke: Invoke, bad_log: str, games: list[Game], write_log: WriteLog
) -> None:
    """Each file once, its findings below, then the summary; plain text without boxes."""
    games[8]["result"]["winner"] = 1 - games[8]["result"]["winner"]
    other = write_log(games[8:9], "other.jsonl")
    text = invoke("verify", bad_log, other, "--lang", "en").stdout
    lines = text.splitlines()
    assert [line for line in lines if line.endswith(".jsonl")] == [bad_log, other]
    assert lines.index(bad_log) < lines.index(other) < lines.index("by code")
    assert any(line.split()[:4] == ["3", "h11-00002", "3", "0"] for line in lines)
    assert text.isascii()
    assert "\x1b" not in text


def test_the_table_speaks_chinese(invoke: Invoke, bad_log: str) -> None:
    """Headings, sentences and severities are translated; codes are not."""
    text = invoke("verify", bad_log, "--lang", "zh").stdout
    assert "没有轮到" in text
    assert "核对一致" in text
    assert "错误" in text
    assert "play.turn" in text


@pytest.mark.parametrize(("lowest", "count"), [("info", 6), ("warning", 5), ("error", 5)])
def test_severity_is_the_lowest_that_is_shown(
    invoke: Invoke, bad_log: str, lowest: str, count: int
) -> None:
    """What is below is left out; the counts stay."""
    found = document(invoke, bad_log, "--severity", lowest)
    assert len(found["findings"]) == count
    assert found["summary"]["by_code"]["format.unknown"] == 1


def many_errors(games: list[Game]) -> list[Game]:
    """Thirty games under three rulesets, each with a wrong kind of end."""
    chosen = [game for game in games if len(game["seats"]) == 2][:6]
    lines = []
    for number in range(30):
        game = chosen[number % len(chosen)]
        result = {**game["result"], "end": "out" if game["result"]["end"] != "out" else "escape"}
        lines.append({**game, "id": f"g{number}", "start": None, "result": {"end": result["end"]}})
    return lines


def test_max_findings_is_per_code_and_ruleset(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """So many are shown of each; counts stay exact, and what is hidden is said."""
    path = write_log(many_errors(games))
    found = document(invoke, path, "--max-findings", "2")
    used = len(found["summary"]["rulesets"])
    assert used == 3
    assert found["summary"]["by_code"] == {"settle.end": 30}
    assert len(found["findings"]) == 2 * used
    told = invoke("verify", path, "--max-findings", "2", "--lang", "en").stdout
    assert f"Not shown for --max-findings: {30 - 2 * used}." in told
    csv_run = invoke("verify", path, "--max-findings", "0", "--format", "csv", "--lang", "en")
    assert csv_run.exit_code == 1
    assert csv_run.stdout.splitlines() == [",".join(FIELDS)]
    assert "Not shown for --max-findings: 30." in csv_run.stderr


def test_junit_has_a_suite_per_file_and_a_case_per_game(
    invoke: Invoke, bad_log: str, games: list[Game], write_log: WriteLog
) -> None:
    """Failing games are failures with messages; all others are one case that passes."""
    good_log = write_log(games[20:22], "zoo.jsonl")
    text = invoke("verify", bad_log, good_log, "--format", "junit").stdout
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    suites = {suite.attrib["name"]: suite for suite in root}
    assert list(suites) == [bad_log, good_log]
    bad, good = suites[bad_log], suites[good_log]
    assert (good.attrib["tests"], good.attrib["failures"]) == ("1", "0")
    assert (bad.attrib["tests"], bad.attrib["failures"]) == ("5", "3")
    assert [case.attrib["name"] for case in bad] == [
        "the file",
        "h11-00001 (line 2)",
        "h11-00002 (line 3)",
        "line 5",
        "other games: 6",
    ]
    failure = bad[1].find("failure")
    assert failure is not None
    assert failure.attrib["type"] == "ledger.sum settle.delta settle.xiang"
    assert len((failure.text or "").splitlines()) == 3
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))


def test_junit_does_not_hide_what_is_not_shown(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """A CI system sees a failure also where no finding may be shown."""
    path = write_log(many_errors(games))
    text = invoke("verify", path, "--format", "junit", "--max-findings", "0").stdout
    hidden = ElementTree.fromstring(text).find("testsuite[@name='findings not shown']//failure")
    assert hidden is not None
    assert hidden.attrib["message"].startswith("30 ")


def test_junit_fails_on_warnings_only_with_strict(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """A torn last line is output of the case, or a failure."""
    path = Path(write_log(games[:1]))
    path.write_text(path.read_text(encoding="utf-8") + '{"v":', encoding="utf-8")
    for options, failures in ([], 0), (["--strict"], 1):
        result = invoke("verify", str(path), "--format", "junit", *options)
        assert result.exit_code == failures
        assert len(ElementTree.fromstring(result.stdout).findall(".//failure")) == failures


def test_strict_makes_warnings_one(invoke: Invoke, games: list[Game], write_log: WriteLog) -> None:
    """A broken chain of balances is a warning."""
    first = games[1]
    second = {**first, "id": "later", "start": "2026-11-17T03:00:00+08:00"}
    path = write_log([first, second])
    assert invoke("verify", path).exit_code == 0
    assert invoke("verify", path, "--strict").exit_code == 1


@pytest.mark.parametrize("lines", [[], ['{"v": oops'], ["", ""]], ids=["none", "bad", "blank"])
def test_nothing_readable_is_two(invoke: Invoke, write_log: WriteLog, lines: list[str]) -> None:
    """Without a game there is no success; with --allow-empty, unless lines are broken."""
    path = write_log(lines)
    result = invoke("verify", path)
    assert result.exit_code == 2
    assert "no game could be read" in result.stderr
    assert invoke("verify", path, "--allow-empty").exit_code == (2 if "oops" in str(lines) else 0)


def test_an_empty_folder_is_two(invoke: Invoke, tmp_path: Path) -> None:
    """A folder without logs is no success either."""
    assert invoke("verify", str(tmp_path)).exit_code == 2
    assert invoke("verify", str(tmp_path), "--allow-empty").exit_code == 0


def test_folders_globs_and_files_count_once(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """A file that is meant three times is read once; copies of games are counted."""
    write_log(games[:4], "a.jsonl")
    write_log(games[3:6], "b.jsonl")
    folder = str(tmp_path)
    summary = document(invoke, folder, f"{folder}/*.jsonl", f"{folder}/a.jsonl")["summary"]
    assert (summary["games"], summary["duplicates"]) == (6, 1)


def test_standard_input(run: Run) -> None:
    """- reads a log from a pipe, and findings say so."""
    found = run("verify", "-", "--format", "json", given=Path(GOOD).read_bytes() + b"x\n")
    assert found.returncode == 1
    told = json.loads(found.stdout)
    assert told["summary"]["games"] == 36
    assert [finding["file"] for finding in told["findings"]] == ["-"]


def test_the_bytes_are_those_of_the_last_run(run: Run, bad_log: str) -> None:
    """Only the time that it took differs between runs."""
    for form in ("jsonl", "csv", "junit"):
        first, second = (run("verify", bad_log, GOOD, "--format", form) for _ in range(2))
        assert first.stdout == second.stdout


def test_own_rulesets_are_used(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """--rules-dir brings names that the presets do not know."""
    houses = tmp_path / "houses"
    houses.mkdir()
    text = 'name = "house"\nversion = "7"\nextends = "jiule"\n'
    (houses / "house.toml").write_text(text, encoding="utf-8")
    jiule = [{**game, "rules": "house"} for game in games if game["rules"] == "jiule"]
    path = write_log(jiule)
    assert invoke("verify", path).exit_code == 2
    found = document(invoke, path, "--rules-dir", str(houses))
    assert found["findings"] == []
    assert found["summary"]["rulesets"][0]["version"] == "7"


def test_a_bad_ruleset_is_two_and_names_every_mistake(invoke: Invoke, tmp_path: Path) -> None:
    """Nothing is verified with rulesets that cannot be used."""
    (tmp_path / "a.toml").write_text('name = "a"\nversion = 1\nsets = 2\n', encoding="utf-8")
    result = invoke("verify", GOOD, "--rules-dir", str(tmp_path))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "a.toml:2: error: version" in result.stderr
    assert "a.toml:3: error: sets" in result.stderr


def test_processes_and_resuming_change_nothing(run: Run, bad_log: str, tmp_path: Path) -> None:
    """The findings are the same with two processes, and from a folder of work done."""
    work = str(tmp_path / "work")
    plain = run("verify", bad_log, GOOD, "--format", "jsonl")
    for options in (["--jobs", "2"], ["--work", work], ["--jobs", "2", "--work", work]):
        found = run("verify", bad_log, GOOD, "--format", "jsonl", *options)
        assert (found.stdout, found.returncode) == (plain.stdout, plain.returncode)
