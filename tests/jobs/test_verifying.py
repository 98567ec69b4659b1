"""One report, whoever does the work and however it is cut up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analytics.collect import Collector
from analytics.findings import Finding
from analytics.jobs import Progress, Ways, verify_logs, working
from analytics.jobs.shards import cut
from analytics.jobs.verifying import estimate_games, jobs_that_pay
from analytics.logs import Source, find_sources
from analytics.logs.parquet import row_groups
from analytics.reconcile import Summary
from analytics.rules import load_rulesets
from tests.games import fixture_games

Report = tuple[Summary, list[Finding]]


def _report(folder: Path, ways: Ways | None = None, most: int = 1000) -> Report:
    sources = find_sources([str(folder)])
    with Collector(load_rulesets(), most) as collector:
        reconciler = verify_logs(sources, collector, ways=ways)
        return reconciler.finish(), list(reconciler.findings())


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two files with faults of many kinds: results, lines, duplicates, continuity."""
    folder = tmp_path / "logs"
    folder.mkdir()
    games = fixture_games()
    for game in games[5:12]:
        game["result"]["delta"][0] += 1
    games[20]["actions"] = games[20]["actions"][:-2]
    games[21]["seats"][0]["player"] = games[22]["seats"][0]["player"] = "u1"
    games[23]["surprise"] = 1
    lines = [json.dumps(game) for game in games]
    other = {**games[3], "first": 1 - games[3]["first"] % 2}
    lines[9:9] = ["{broken", lines[2]]
    (folder / "a.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    later = [json.dumps({**games[23], "id": "z"}), json.dumps(other), lines[0]]
    (folder / "b.jsonl").write_text("\n".join(later) + "\n{torn", encoding="utf-8")
    return folder


def test_the_report_has_something_of_everything(logs: Path) -> None:
    """Counts and codes of the faults that the fixture holds."""
    summary, findings = _report(logs)
    assert summary.games == 37
    assert summary.duplicates == 3
    assert summary.by_code["format.duplicate"] == 1
    assert summary.by_code["format.json"] == 1
    assert summary.by_code["format.torn"] == 1
    assert summary.by_code["play.unfinished"] == 1
    assert summary.by_code["settle.delta"] == 7
    assert summary.verified + summary.mismatched == summary.games
    places = [(f.file, f.line or 0, -1 if f.action is None else f.action) for f in findings]
    assert places == sorted(places)


@pytest.mark.parametrize("size", [1, 5_000, 20_000])
def test_cutting_changes_nothing(logs: Path, tmp_path: Path, size: int) -> None:
    """Shards of any size give the report of the whole, line numbers too."""
    ways = Ways(work=tmp_path / "work", shard_bytes=size)
    assert _report(logs, ways) == _report(logs)


def test_shards_begin_and_end_with_lines(logs: Path) -> None:
    """Side by side the shards are the file."""
    (source, _) = find_sources([str(logs)])
    data = Path(source.path).read_bytes()
    shards = list(cut([source], 5_000))
    pieces = [data[shard.start : shard.stop] for shard in shards]
    assert len(pieces) > 3
    assert b"".join(pieces) == data
    assert all(piece.endswith(b"\n") for piece in pieces)


def test_a_line_without_end_is_cut_in_constant_memory(tmp_path: Path) -> None:
    """A file of one line of 64 MB: looking for its end holds a block of it, not all."""
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.truncate(64_000_000)
        file.seek(0, os.SEEK_END)
        file.write(b"\n{}\n")
    tracemalloc.start()
    shards = list(cut([Source(str(path))], 1_000))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(shard.start, shard.stop) for shard in shards] == [
        (0, 64_000_001),
        (64_000_001, 64_000_004),
    ]
    assert most < 2_000_000


def test_two_processes_give_the_same_report(logs: Path) -> None:
    """Local processes change nothing but the time it takes."""
    assert _report(logs, Ways(jobs=2, shard_bytes=8_000)) == _report(logs)


def test_a_second_run_does_only_what_is_missing(logs: Path, tmp_path: Path) -> None:
    """What was published stays as it is; what is lost is made again."""
    work = tmp_path / "work"
    ways = Ways(work=work, shard_bytes=8_000)
    first = _report(logs, ways)
    done = {path.name: path.stat().st_mtime_ns for path in work.iterdir()}
    lost = sorted(done)[0]
    shutil.rmtree(work / lost)
    assert _report(logs, ways) == first
    again = {path.name: path.stat().st_mtime_ns for path in work.iterdir()}
    assert done.keys() == again.keys()
    assert {name for name in done if done[name] != again[name]} <= {lost}


def test_a_changed_file_is_verified_anew(logs: Path, tmp_path: Path) -> None:
    """A shard is known by its content, not by its name and time alone."""
    ways = Ways(work=tmp_path / "work")
    _report(logs, ways)
    path = logs / "a.jsonl"
    stamp = path.stat()
    path.write_text(path.read_text("utf-8").replace('"kou": "ping"', '"kou": "dang"', 1), "utf-8")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert _report(logs, ways) == _report(logs)


def test_findings_shown_are_limited_per_code_and_counted_exactly(logs: Path) -> None:
    """Of the seven wrong deltas, in six houses, one of each is shown; all are counted."""
    summary, findings = _report(logs, most=1)
    assert summary == _report(logs)[0]
    shown = [finding for finding in findings if finding.code.text == "settle.delta"]
    assert len(shown) == len({fixture_games()[place]["rules"] for place in range(5, 12)})


@pytest.mark.parametrize("ways", [Ways(jobs=2), Ways(jobs=1), Ways(jobs=1, work=Path("work"))])
def test_what_is_shown_does_not_depend_on_who_works(
    ways: Ways, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where copies of games use up what may be shown, and unknown fields are everywhere."""
    monkeypatch.chdir(tmp_path)
    games = [g for g in fixture_games() if g["rules"] == "huopin-points"]
    lines = []
    for copy in ("a", "a", "b", "c"):
        for game in games:
            result = {**game["result"], "winner": 1 - game["result"]["winner"]}
            lines.append(json.dumps({**game, "id": copy + game["id"], "result": result, "x": 1}))
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    cut_up = replace(ways, shard_bytes=6_000)
    expected = _report(log, Ways(jobs=1, shard_bytes=6_000), most=2)
    assert _report(log, cut_up, most=2) == expected
    assert expected[0].by_code["settle.winner"] == 18
    assert expected[0].by_code["format.unknown"] == 1
    assert expected[1][0].params == {"names": {"x": 24}}
    assert [f.game for f in expected[1] if f.code.text == "settle.winner"] == [
        "a" + games[0]["id"],
        "a" + games[1]["id"],
    ]


def test_lines_that_cannot_be_read_are_written_many_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each writing is slow: a file in another encoding would take hours. None is lost."""
    game = json.dumps(fixture_games()[3])
    lines = ["{broken"] * 1200 + [game] + ["{broken"] * 1300
    (tmp_path / "log.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    writings = []
    insert = Collector.insert

    def counted(self: Collector, table: str, *columns: Any) -> None:
        writings.append(table)
        insert(self, table, *columns)

    monkeypatch.setattr(Collector, "insert", counted)
    summary, findings = _report(tmp_path, Ways(jobs=1), most=5000)
    assert writings.count("findings") == 3
    assert summary.by_code == {"format.json": 2500}
    assert [f.line for f in findings] == [*range(1, 1201), *range(1202, 2502)]
    cut_up = _report(tmp_path, Ways(jobs=1, shard_bytes=6_000), most=5000)
    assert cut_up == (summary, findings)


@pytest.mark.parametrize(
    ("shards", "games", "jobs"),
    [
        (1, 0, 1),
        (1, 1_000_000, 1),
        (2, 1_000_000, 2),
        (6, 1_000_000, 3),
        (6, 100_000, 1),
        (9_000, 27_000, 1),
        (1, None, 1),
        (6, None, 1),
    ],
)
def test_more_processes_only_where_they_pay(
    shards: int, games: int | None, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There have to be more than a few games, and never more processes than shards."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    assert jobs_that_pay(shards, games) == jobs


def test_parquet_is_cut_into_shards_of_as_many_games(tmp_path: Path) -> None:
    """It takes less room than lines: by the same size there would be one shard."""
    games = [{**fixture_games()[3], "id": str(number)} for number in range(600)]
    lines = "".join(json.dumps(game) + "\n" for game in games)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    pq.write_table(
        pa.Table.from_pylist(games), tmp_path / "a.parquet", row_group_size=50, compression="none",
        use_dictionary=False,
    )  # fmt: skip
    size = len(lines) // 4
    of_lines, of_rows = (
        len(list(cut(find_sources([str(tmp_path / name)]), size)))
        for name in ("a.jsonl", "a.parquet")
    )
    assert of_lines in (4, 5)
    assert of_rows >= of_lines
    assert estimate_games(find_sources([str(tmp_path / "a.parquet")])) == 600


def test_progress_is_told(logs: Path) -> None:
    """The last word on progress counts every game that was read."""
    told: list[Progress] = []
    sources = find_sources([str(logs)])
    with Collector(load_rulesets()) as collector:
        verify_logs(sources, collector, on_progress=told.append)
    assert told[-1].games == 40
    assert told[-1].file == sources[-1].path


def test_a_file_name_that_is_no_text_is_shown_as_it_is(logs: Path) -> None:
    """Bytes in a name that are not UTF-8 do no harm."""
    odd = logs / os.fsdecode(b"b\xff.jsonl")
    (logs / "b.jsonl").rename(odd)
    _, findings = _report(logs)
    conflict = next(f for f in findings if f.code.text == "format.duplicate")
    assert conflict.file.endswith(odd.name)
    assert conflict.params["first_file"].endswith("a.jsonl")


def test_a_pipe_is_read_beside_files_whatever_the_jobs(logs: Path, tmp_path: Path) -> None:
    """What is not a file cannot be cut up, and need not be."""
    pipe = logs / "c.jsonl"
    os.mkfifo(pipe)
    line = json.dumps({**fixture_games()[30], "id": "piped"})
    writer = threading.Thread(target=pipe.write_text, args=(line,))
    sources = [*find_sources([str(logs / "a.jsonl")]), Source(str(pipe), 1)]
    writer.start()
    with Collector(load_rulesets()) as collector:
        ways = Ways(work=tmp_path / "work")
        summary = verify_logs(sources, collector, ways=ways).finish()
    writer.join()
    assert summary.by_path[1] == 1


@pytest.mark.parametrize("harm", ["cut", "gone", "zeros"])
@pytest.mark.parametrize("name", ["games.npys", "findings.npys", "names.json", "outcome.json"])
def test_what_is_damaged_in_a_work_folder_is_done_again(
    logs: Path, tmp_path: Path, name: str, harm: str
) -> None:
    """A power cut may leave files that are not whole: they are no reason to end, or to err."""
    ways = Ways(work=tmp_path / "work")
    whole = _report(logs, ways)
    for folder in (tmp_path / "work").iterdir():
        if folder.is_dir():
            content = (folder / name).read_bytes()
            (folder / name).unlink()
            if harm != "gone":
                damaged = content[: len(content) // 2] if harm == "cut" else bytes(len(content))
                (folder / name).write_bytes(damaged)
    assert _report(logs, ways) == whole
    assert _report(logs, ways) == whole


def test_a_seed_that_cannot_be_read_is_replaced(logs: Path, tmp_path: Path) -> None:
    """All is done again then, by another one."""
    ways, seed = Ways(work=tmp_path / "work"), tmp_path / "work" / ".seed"
    whole = _report(logs, ways)
    first = seed.read_text()
    seed.write_text("")
    assert _report(logs, ways) == whole
    assert int(seed.read_text()) != int(first)


def test_what_killed_runs_left_in_a_work_folder_is_removed(logs: Path, tmp_path: Path) -> None:
    """But not what another run may be at work in."""
    work = tmp_path / "work"
    old = time.time() - 25 * 3_600
    for name in ("old", "busy", "late"):
        shard = work / f".unfinished-{name}" / "shard"
        shard.mkdir(parents=True)
        (shard / "games.npys").touch()
        written = [shard / "games.npys", shard, shard.parent]
        for path in {"old": written, "busy": written[1:], "late": []}[name]:
            os.utime(path, (old, old))
    _report(logs, Ways(work=work))
    left = {path.name for path in work.iterdir() if path.name.startswith(".unfinished")}
    assert left == {".unfinished-busy", ".unfinished-late"}


def test_a_log_that_grows_meanwhile_is_not_kept_as_what_it_was(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later run on the log as it was finds what was in it, and no more."""
    ways, log = Ways(work=tmp_path / "work"), logs / "b.jsonl"
    plain = _report(logs)
    before, collect = log.read_bytes(), working.collect_shard

    def late(shard: Any, *given: Any, **named: Any) -> int:
        if shard.source.path == str(log):
            grown = json.dumps({**fixture_games()[30], "id": "late"}).encode()
            log.write_bytes(before.replace(b"{torn", grown + b"\n"))
        return collect(shard, *given, **named)

    monkeypatch.setattr(working, "collect_shard", late)
    assert _report(logs, ways)[0].games == plain[0].games + 1
    monkeypatch.undo()
    log.write_bytes(before)
    assert _report(logs, ways) == plain


def test_nothing_stays_in_the_temporary_folder(logs: Path) -> None:
    """What this process and others spill and publish goes when they are done."""
    command = [sys.executable, "-m", "cli", "verify", str(logs), "--jobs", "2", "--quiet"]
    with TemporaryDirectory() as folder:  # a short name: sockets allow no other
        environment = {**os.environ, "TMPDIR": folder}
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert done.returncode == 1, done.stderr
        assert os.listdir(folder) == []


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A Parquet file of many row groups: faults, copies, rows that are no games, extras."""
    games = fixture_games()
    games[3]["result"]["delta"][0] += 1
    games[8]["first"] = 9
    games[0]["vip"] = None
    games[20]["actions"] = games[20]["actions"][:-2]
    for place in (2, 9, 30):
        games[place]["vip"] = place
        games[place]["result"]["rake"] = 1
    folder = tmp_path / "table"
    folder.mkdir()
    pq.write_table(pa.Table.from_pylist([*games, games[5]]), folder / "a.parquet", row_group_size=4)
    return folder


@pytest.mark.parametrize(("size", "jobs"), [(1, 1), (9_000, 2)])
def test_cutting_row_groups_changes_nothing(
    table: Path, tmp_path: Path, size: int, jobs: int
) -> None:
    """Shards of row groups give the report of the whole, and row numbers of the file."""
    whole = _report(table)
    shards = list(cut(find_sources([str(table)]), size))
    assert len(shards) > 1
    assert _report(table, Ways(jobs=jobs, work=tmp_path / "work", shard_bytes=size)) == whole
    codes = [(f.code.text, f.line) for f in whole[1]]
    assert codes[0] == ("format.unknown", None)
    assert whole[1][0].params == {"names": {"result.rake": 3, "vip": 3}}
    assert {("settle.delta", 4), ("format.field", 9), ("play.unfinished", 21)} <= set(codes)
    assert (whole[0].games, whole[0].duplicates) == (35, 1)


def test_a_damaged_row_group_hides_no_other(table: Path, tmp_path: Path) -> None:
    """It is one finding, at its first row, however the file is cut."""
    path = table / "a.parquet"
    data = bytearray(path.read_bytes())
    group = row_groups(str(path))[2]
    data[group.start : group.stop] = b"\xff" * (group.stop - group.start)
    path.write_bytes(data)
    whole = _report(table)
    assert _report(table, Ways(work=tmp_path / "work", shard_bytes=1)) == whole
    torn = [(f.line, f.severity.value) for f in whole[1] if f.code.text == "format.torn"]
    assert torn == [(9, "error")]
    assert whole[0].games == 37 - 4 - 1
    assert whole[0].unreadable == 1


def test_a_file_of_wrong_columns_is_one_unreadable_file(tmp_path: Path) -> None:
    """Each column is said once, however the file is cut; the file counts once."""
    rows = pa.table({"v": range(9), "id": ["x" * 500] * 9})
    pq.write_table(rows, tmp_path / "a.parquet", row_group_size=1)
    for size in (1, 1 << 20):
        summary, findings = _report(tmp_path, Ways(shard_bytes=size))
        assert len(findings) == summary.by_code["format.field"] == 6
        assert summary.unreadable == 1


def test_what_cannot_be_cut_is_one_shard(tmp_path: Path) -> None:
    """Packed files, text whose line ends are not single bytes, broken Parquet."""
    text = "".join(json.dumps(game) + "\n" for game in fixture_games())
    for name, content in (
        ("a.jsonl", text.encode("utf-16")),
        ("b.parquet", b"PAR1" + bytes(5_000)),
        ("c.jsonl.gz", b"no such thing" * 500),
    ):
        (tmp_path / name).write_bytes(content)
    shards = list(cut(find_sources([str(tmp_path)]), 1_000, "utf-16"))
    assert [(shard.start, shard.stop) for shard in shards] == [(0, None)] * 3
    ways = Ways(shard_bytes=1_000, encoding="utf-16")
    summary, findings = _report(tmp_path, ways)
    assert summary.games == 36
    assert [f.code.text for f in findings] == ["format.torn"] * 2
