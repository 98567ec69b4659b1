"""``paipu convert``: games from any form into any other."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.cli.running import CASES, Game, Invoke, Run, WriteLog

GOOD = str(CASES / "games.jsonl")
ENDINGS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet")


def lines_of(path: Path) -> list[Any]:
    """The games of a file of JSON Lines."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("ending", ENDINGS[:3])
def test_nothing_that_was_recorded_is_lost(
    invoke: Invoke, all_games: tuple[Game, ...], tmp_path: Path, ending: str
) -> None:
    """The same fields with the same values, in the same order of games."""
    out = tmp_path / f"out.{ending}"
    result = invoke("convert", GOOD, "-o", str(out), "--lang", "en")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr.startswith(f"games 36 to {out}, lines left out 0, ")
    assert lines_of(out) == list(all_games)


def test_there_and_back_through_every_form(invoke: Invoke, tmp_path: Path) -> None:
    """What convert has written comes out byte by byte after any chain."""
    chain = [GOOD, *(str(tmp_path / f"{i}.{ending}") for i, ending in enumerate(ENDINGS * 2))]
    for source, target in pairwise(chain):
        assert invoke("convert", source, "-o", target, "-q").exit_code == 0
    first, last = tmp_path / "0.jsonl", tmp_path / "4.jsonl"
    assert first.read_bytes() == last.read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_verified_is_the_same(
    invoke: Invoke, bad_log: str, tmp_path: Path, ending: str
) -> None:
    """Wrong results are copied as they are, and found again."""
    out = str(tmp_path / f"out.{ending}")
    assert invoke("convert", bad_log, "-o", out, "--skip-bad").exit_code == 0
    told = [invoke("verify", path, "--format", "jsonl").stdout for path in (bad_log, out)]
    before, after = (
        [
            (f["game"], f["seat"], f["code"], f["recorded"])
            for f in map(json.loads, text.splitlines())
        ]
        for text in told
    )
    assert [f for f in before if not f[2].startswith("format.")] == after


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize("is_kept", [True, False])
def test_unknown_fields_are_kept_on_demand(
    invoke: Invoke,
    games: list[Game],
    write_log: WriteLog,
    tmp_path: Path,
    ending: str,
    is_kept: bool,
) -> None:
    """--keep-extra loses nothing; without it, what is lost is said."""
    games[0]["weather"] = {"rain": [1, 2], "天": "晴"}
    source, out, back = write_log(games[:2]), tmp_path / f"o.{ending}", tmp_path / "b.jsonl"
    options = ["--keep-extra"] if is_kept else []
    result = invoke("convert", source, "-o", str(out), *options)
    assert result.exit_code == 0
    assert ("weather" in result.stderr) == (not is_kept)
    invoke("convert", str(out), "-o", str(back), *options)
    assert ("weather" in lines_of(back)[0]) == is_kept
    if is_kept:
        assert lines_of(back)[0]["weather"] == games[0]["weather"]


def test_unknown_fields_stay_where_they_stood(
    invoke: Invoke, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """In seats and in the result; through Parquet and back, with the same findings."""
    games[0]["seats"][1]["nick"] = "天"
    games[1]["result"]["jackpot"] = {"won": 7}
    games[1]["seats[0].nick"] = "looks like another"
    source, table = write_log(games[:3]), str(tmp_path / "o.parquet")
    back = tmp_path / "b.jsonl"
    for one, other in ((source, table), (table, str(back))):
        assert invoke("convert", one, "-o", other, "--keep-extra").exit_code == 0
    assert lines_of(back) == games[:3]
    told = [
        {**json.loads(line), "file": ""}
        for path in (source, table, str(back))
        for line in invoke("verify", path, "--format", "jsonl").stdout.splitlines()
    ]
    assert told[0]["code"] == "format.unknown"
    assert told == told[:1] * 3


def test_a_bad_line_stops_all_unless_it_may_be_skipped(
    invoke: Invoke, bad_log: str, tmp_path: Path
) -> None:
    """Half an archive looks like a whole one: so there is none."""
    out = tmp_path / "out.jsonl"
    result = invoke("convert", bad_log, "-o", str(out), "--lang", "en")
    assert result.exit_code == 1
    assert f"{bad_log}:5: format.json: " in result.stderr
    assert "--skip-bad" in result.stderr
    assert list(tmp_path.glob("*out*")) == []
    skipping = invoke("convert", bad_log, "-o", str(out), "--skip-bad", "--lang", "en")
    assert skipping.exit_code == 0
    assert "format.json" in skipping.stderr
    assert len(lines_of(out)) == 8


def test_nothing_is_overwritten_by_accident(invoke: Invoke, tmp_path: Path) -> None:
    """--force overwrites, but never what is being read."""
    out = tmp_path / "out.jsonl"
    out.write_text("mine", encoding="utf-8")
    result = invoke("convert", GOOD, "-o", str(out))
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert out.read_text(encoding="utf-8") == "mine"
    assert invoke("convert", GOOD, "-o", str(out), "--force").exit_code == 0
    assert len(lines_of(out)) == 36
    itself = invoke("convert", str(tmp_path), "-o", str(out), "--force")
    assert itself.exit_code == 2
    assert len(lines_of(out)) == 36


@pytest.mark.parametrize(
    "arguments",
    [
        [GOOD],
        [GOOD, "-o", "out.txt"],
        [GOOD, "-o", "nowhere/out.jsonl"],
        ["nowhere.jsonl", "-o", "out.jsonl"],
    ],
    ids=str,
)
def test_bad_usage_is_two(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """No output, an ending that nobody knows, a folder that is not there."""
    monkeypatch.chdir(tmp_path)
    result = invoke("convert", *arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_readable_is_two(invoke: Invoke, write_log: WriteLog, tmp_path: Path) -> None:
    """An empty log makes no empty archive."""
    out = tmp_path / "out.parquet"
    assert invoke("convert", write_log([]), "-o", str(out)).exit_code == 2
    assert not out.exists()


def test_standard_output(run: Run, bad_log: str) -> None:
    """With -o - lines go into a pipe; those that cannot be read make it a failure."""
    found = run("convert", GOOD, "-o", "-", "-q")
    assert (found.returncode, found.stderr) == (0, b"")
    assert len(found.stdout.splitlines()) == 36
    assert run("convert", bad_log, "-o", "-").returncode == 1


def test_several_logs_become_one(
    run: Run, games: list[Game], write_log: WriteLog, tmp_path: Path
) -> None:
    """In order of their paths; standard input is one of them; another encoding too."""
    games[3]["seats"][0]["player"] = "张三"
    source = write_log(games[3:5], "b.jsonl", encoding="gbk")
    out = tmp_path / "out.jsonl"
    given = "\n".join(map(json.dumps, games[:3])).encode()
    options = ("--encoding", "gbk", "-o", str(out))
    assert run("convert", source, "-", *options, given=given).returncode == 0
    assert lines_of(out) == games[:5]
