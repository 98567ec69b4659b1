"""``paipu settle``: a line a game, whatever the house recorded."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from cli.settle import PARTS
from tests.cli.running import CASES, Game, Invoke, Run, WriteLog

GOOD = str(CASES / "games.jsonl")


def settled(invoke: Invoke, *arguments: str) -> list[dict[str, Any]]:
    """The lines that settle prints."""
    text = invoke("settle", *arguments, "--format", "jsonl", "--lang", "en").stdout
    return [json.loads(line) for line in text.splitlines()]


def test_every_known_game_is_settled_as_known(invoke: Invoke) -> None:
    """All that the truth of tests/cases says of a game is so, game by game, in order."""
    truths = (CASES / "games.jsonl.truth").read_text(encoding="utf-8").splitlines()
    for line, text in zip(settled(invoke, GOOD), truths, strict=True):
        truth = json.loads(text)
        assert line["id"] == truth.pop("id")
        assert (line["status"], line["finding"]) == ("ok", None)
        assert {key: line["result"][key] for key in truth} == truth


def test_the_fields_are_those_of_the_design(invoke: Invoke) -> None:
    """Every line has the same fields in the same order."""
    for line in settled(invoke, GOOD):
        assert list(line) == ["id", "status", "result", "finding"]
        assert tuple(line["result"]) == PARTS


def test_what_an_ending_does_not_have_is_null(invoke: Invoke) -> None:
    """No places with two seats; no kou, doubling and contribution after an escape."""
    for line in settled(invoke, GOOD):
        result = line["result"]
        seats = len(result["cards_left"])
        has_fled = result["end"] == "escape"
        assert (result["places"] is None) == (seats == 2)
        assert (result["kou"] is None) == has_fled
        assert (result["doubling"] is None) == has_fled
        assert (result["contribution"] is None) == has_fled
        for part in ("xiang", "delta", "fee", "cards_left"):
            assert len(result[part]) == seats


def test_recorded_results_are_not_looked_at(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """A wrong result, or none, changes nothing."""
    expected = settled(invoke, write_log(games[:4]))
    games[1]["result"] = {"delta": [1, 2], "end": "escape"}
    del games[2]["result"]
    assert settled(invoke, write_log(games[:4])) == expected


def test_lines_come_in_input_order(invoke: Invoke, bad_log: str) -> None:
    """Also those that cannot be read, and those whose replay breaks."""
    lines = settled(invoke, bad_log)
    assert [line["id"] for line in lines] == [
        "h11-00000", "h11-00001", "h11-00002", "h11-00003", None,
        "h11-00004", "h11-00005", "h11-00006", "h11-00007",
    ]  # fmt: skip
    assert [line["status"] == "bad" for line in lines] == [i in (2, 4) for i in range(9)]
    broken, unread = lines[2], lines[4]
    assert broken["result"] is None
    assert (broken["finding"]["code"], broken["finding"]["action"]) == ("play.turn", 3)
    assert unread["result"] is None
    assert (unread["finding"]["code"], unread["finding"]["line"]) == ("format.json", 5)


def test_order_holds_across_batches_and_files(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """Bad lines before, between and after the games of several batches."""
    lines: list[Any] = []
    for number in range(2_300):
        lines += [{**games[0], "id": f"a{number}"}] + ["bad"] * (number % 500 == 3)
    write_log(["bad", *lines, "bad"], "a.jsonl")
    write_log(["bad", games[1]], "b.jsonl")
    found = settled(invoke, str(tmp_path))
    expected = [None, *(x["id"] if isinstance(x, dict) else None for x in lines), None]
    assert [line["id"] for line in found] == [*expected, None, games[1]["id"]]


def test_a_line_with_a_readable_id_keeps_it(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """A game under rules that nobody knows still has a name."""
    games[1]["rules"] = "nobody"
    line = settled(invoke, write_log(games[:2]))[1]
    assert (line["id"], line["status"], line["result"]) == ("h11-00001", "bad", None)
    assert line["finding"]["code"] == "format.rules"


def test_a_game_that_stops_early_is_bad(
    invoke: Invoke, games: list[Game], write_log: WriteLog
) -> None:
    """The finding that ended the replay has no action index here."""
    del games[1]["actions"][-1]
    (line,) = settled(invoke, write_log(games[1:2]))
    assert line["status"] == "bad"
    assert (line["finding"]["code"], line["finding"]["action"]) == ("play.unfinished", None)


@pytest.mark.parametrize("ending", ["out", "escape"])
def test_a_game_without_a_level_is_ok_without_amounts(
    invoke: Invoke, games: list[Game], write_log: WriteLog, ending: str
) -> None:
    """Base, delta and system are null, all else stands, and the finding says why."""
    game = next(
        g for g in games if g["rules"] == "huopin-wealth" and g["result"]["end"] == ending
    ) if ending == "out" else {**games[0], "rules": "huopin-wealth"}  # fmt: skip
    game["seats"][1]["balance"] = 1
    game.pop("base", None)
    (line,) = settled(invoke, write_log([game]))
    assert line["status"] == "ok"
    result = line["result"]
    assert [result[part] for part in ("base", "delta", "system")] == [None] * 3
    assert result["end"] == ending
    assert result["xiang"] is not None
    assert line["finding"]["code"] == "base.level"


def test_info_is_no_finding_of_a_line(invoke: Invoke, bad_log: str) -> None:
    """Unknown fields are told on stderr; --quiet leaves that out."""
    told = invoke("settle", bad_log, "--lang", "en")
    assert "weather" in told.stderr
    assert "weather" not in told.stdout
    assert invoke("settle", bad_log, "--quiet").stderr == ""


def test_exit_statuses(invoke: Invoke, bad_log: str, write_log: WriteLog) -> None:
    """0 all settled, 1 something bad, 2 nothing read."""
    assert invoke("settle", GOOD).exit_code == 0
    assert invoke("settle", bad_log).exit_code == 1
    assert invoke("settle", write_log(["bad"])).exit_code == 2
    empty = write_log([])
    assert invoke("settle", empty).exit_code == 2
    assert invoke("settle", empty, "--allow-empty").exit_code == 0


def test_a_torn_line_is_a_warning(invoke: Invoke, games: list[Game], write_log: WriteLog) -> None:
    """It is no game, it is told also with --quiet, and only --strict makes it a failure."""
    path = Path(write_log(games[:1]))
    path.write_text(path.read_text(encoding="utf-8") + '{"v":', encoding="utf-8")
    result = invoke("settle", str(path), "--quiet", "--lang", "en")
    assert result.exit_code == 0
    assert [json.loads(line)["status"] for line in result.stdout.splitlines()] == ["ok"]
    assert result.stderr.startswith(f"{path}:2: The last line of the file is incomplete")
    assert invoke("settle", str(path), "--strict").exit_code == 1


def test_a_game_counts_once(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """A copy is only counted; another game with its id is bad, with where the first stands."""
    other = {**games[1], "first": 1 - games[1]["first"]}
    write_log([games[0], games[1], games[0]], "a.jsonl")
    write_log([other, games[2], games[1]], "b.jsonl")
    found = settled(invoke, str(tmp_path))
    assert [(line["id"], line["status"]) for line in found] == [
        ("h11-00000", "ok"), ("h11-00001", "ok"), ("h11-00001", "bad"), ("h11-00002", "ok"),
    ]  # fmt: skip
    finding = found[2]["finding"]
    assert (finding["code"], finding["line"], found[2]["result"]) == ("format.duplicate", 1, None)
    first = str(tmp_path / "a.jsonl")
    assert finding["params"] == {"first_file": first, "first_line": 2}


def test_settle_counts_as_verify_does(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """Games, lines that cannot be read, copies: the same numbers in both summaries."""
    other = {**games[1], "first": 1 - games[1]["first"]}
    write_log([*games[:3], "bad", games[0], other, '{"v":1}'], "a.jsonl")
    (tmp_path / "b.jsonl.gz").write_bytes(b"\x1f")
    (tmp_path / "c.jsonl").write_text('{"v":1', "utf-8")
    summaries = [
        json.loads(invoke(command, str(tmp_path), "--format", "json").stdout)["summary"]
        for command in ("settle", "verify")
    ]
    names = ("games", "unreadable", "duplicates")
    counts = [tuple(summary[name] for name in names) for summary in summaries]
    assert counts == [(3, 3, 2)] * 2


def test_what_a_folder_holds_beside_logs_is_told(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """By every command that takes a folder, on stderr; --quiet leaves it out."""
    write_log(games[:1], "a.jsonl")
    for name in ("a.log", "b.txt", "c.md", "d.csv", ".hidden.log"):
        (tmp_path / name).write_text("x", "utf-8")
    folder, out = str(tmp_path), str(tmp_path / "out" / "o.jsonl")
    Path(out).parent.mkdir()
    for command in (["settle"], ["verify"], ["show"], ["convert", "-f", "-o", out]):
        told = invoke(*command, folder, "--lang", "en").stderr.splitlines()
        names = ", ".join(str(tmp_path / name) for name in ("a.log", "b.txt", "c.md"))
        assert told[0] == (f"Passed over, since their names are not those of logs: 4 ({names}, …).")
        Path(out).unlink(missing_ok=True)
    assert invoke("settle", folder, "--quiet").stderr == ""


def test_json_is_one_document_with_a_summary(invoke: Invoke, bad_log: str) -> None:
    """The same lines, and the counts at the end."""
    found = json.loads(invoke("settle", bad_log, "--format", "json", "--lang", "en").stdout)
    assert list(found) == ["schema", "games", "summary"]
    assert found["games"] == settled(invoke, bad_log)
    counts = found["summary"]
    assert (counts["games"], counts["ok"], counts["bad"]) == (8, 7, 1)
    assert (counts["unreadable"], counts["duplicates"]) == (1, 0)


def test_csv_has_the_same_fields_side_by_side(invoke: Invoke, bad_log: str) -> None:
    """Lists and the finding are JSON; null is nothing."""
    text = invoke("settle", bad_log, "--format", "csv", "--lang", "en").stdout
    for row, line in zip(csv.DictReader(io.StringIO(text)), settled(invoke, bad_log), strict=True):
        result = line["result"] or dict.fromkeys(PARTS)
        assert row["id"] == (line["id"] or "")
        for part in PARTS:
            value = row[part] or "null"
            assert (value if isinstance(result[part], str) else json.loads(value)) == result[part]
        assert json.loads(row["finding"] or "null") == line["finding"]


def test_the_table_is_aligned(invoke: Invoke) -> None:
    """Every row has a word a column."""
    lines = invoke("settle", GOOD, "--format", "table").stdout.splitlines()
    assert len(lines) == 37
    assert {len(line.split()) for line in lines[1:]} == {3 + len(PARTS)}


def test_standard_input(run: Run) -> None:
    """- reads a log from a pipe."""
    found = run("settle", "-", given=Path(GOOD).read_bytes())
    assert found.returncode == 0
    assert len(found.stdout.splitlines()) == 36
