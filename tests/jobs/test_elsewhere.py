"""The work goes elsewhere: processes that die, runs that are killed, a cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from analytics.collect import Collector
from analytics.findings import Finding
from analytics.jobs import Ways, verify_logs
from analytics.logs import find_sources
from analytics.reconcile import Summary
from analytics.rules import load_rulesets
from tests.games import fixture_games

pytestmark = pytest.mark.slow

PAIPU = [sys.executable, "-m", "cli"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of 3,600 games, some of them wrong."""
    path = tmp_path / "log.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for copy in range(100):
            for place, game in enumerate(fixture_games()):
                game["id"] = f"g-{copy}-{place}"
                for seat in game["seats"]:
                    seat["player"] += f"-{copy}"
                if place == copy % 36:
                    game["result"]["delta"][0] += 1
                out.write(json.dumps(game) + "\n")
    return path


def _report(log: Path, ways: Ways) -> tuple[Summary, list[Finding]]:
    with Collector(load_rulesets()) as collector:
        reconciler = verify_logs(find_sources([str(log)]), collector, ways=ways)
        return reconciler.finish(), list(reconciler.findings())


def _json(log: Path, *options: str) -> dict[str, Any]:
    command = [*PAIPU, "verify", str(log), "--format", "json", "--quiet", *options]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr.decode()
    document: dict[str, Any] = json.loads(done.stdout)
    del document["summary"]["seconds"]
    return document


def test_a_run_that_was_killed_is_taken_up_where_it_was(log: Path, tmp_path: Path) -> None:
    """Killed in the middle and started again: complete, identical, nothing twice."""
    work = tmp_path / "work"
    options = ["--jobs", "2", "--work", str(work), "--shard-mb", "0.1"]
    command = [*PAIPU, "verify", str(log), "--quiet", *options]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    while run.poll() is None and len(_done(work)) < 4:
        time.sleep(0.05)
    assert run.poll() is None, "it was over before it could be killed"
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    before = _done(work)
    assert before
    assert _json(log, *options) == _json(log)
    after = _done(work)
    assert {name: after[name] for name in before} == before


def _done(work: Path) -> dict[str, int]:
    """The shards that are published, with their times."""
    if not work.is_dir():
        return {}
    folders = [path for path in work.iterdir() if (path / "outcome.json").is_file()]
    return {path.name: path.stat().st_mtime_ns for path in folders}


def test_a_cluster_gives_the_same_report_also_when_a_worker_is_killed(
    log: Path, tmp_path: Path
) -> None:
    """Two Dask workers on loopback, one of them killed in the middle."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        ways = Ways(cluster=cluster.scheduler_address, work=tmp_path / "a", shard_bytes=200_000)
        expected = _report(log, Ways(jobs=1))
        assert _report(log, ways) == expected
        victim = next(iter(cluster.workers.values())).pid
        work = tmp_path / "b"
        killer = _kill_when_begun(victim, work)
        ways = Ways(cluster=cluster.scheduler_address, work=work, shard_bytes=200_000)
        assert _report(log, ways) == expected
        assert killer.wait(timeout=60) == 0, "the worker was not killed in the middle"


def _kill_when_begun(pid: int, work: Path) -> subprocess.Popen[bytes]:
    """Kills a process as soon as the first shard is published."""
    code = (
        "import os, pathlib, signal, time\n"
        f"work = pathlib.Path({str(work)!r})\n"
        "end = time.monotonic() + 50\n"
        "while time.monotonic() < end:\n"
        "    if work.is_dir() and any(work.glob('*/outcome.json')):\n"
        f"        os.kill({pid}, signal.SIGKILL)\n"
        "        raise SystemExit(0)\n"
        "    time.sleep(0.02)\n"
        "raise SystemExit(1)\n"
    )
    return subprocess.Popen([sys.executable, "-c", code])


def test_an_address_where_nobody_answers_is_a_clear_failure(log: Path) -> None:
    """No hanging: the connection is given up."""
    pytest.importorskip("distributed")
    with pytest.raises(OSError, match=r"127\.0\.0\.1"):
        _report(log, Ways(cluster="tcp://127.0.0.1:9"))
