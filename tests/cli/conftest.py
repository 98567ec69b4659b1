"""What the tests of the command line share: running it, and logs to run it on."""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import NAME, app
from tests.cli.running import CASES, COMMAND, Game, Invoke, Run, WriteLog, environment


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs paipu as a process of its own; standard input is empty unless given."""

    def run_process(
        *arguments: str, given: bytes = b"", **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*COMMAND, *arguments],
            input=given,
            env=environment(**env),
            capture_output=True,
            timeout=120,
            check=False,
        )

    return run_process


@pytest.fixture(scope="session")
def invoke() -> Invoke:
    """Runs paipu in this process; an exception that is not expected fails the test."""

    def invoke_app(*arguments: str, given: str | None = None) -> Result:
        env = {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
        result = CliRunner(env=env).invoke(app, arguments, input=given, prog_name=NAME)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return invoke_app


@pytest.fixture(scope="session")
def all_games() -> tuple[Game, ...]:
    """The recorded games of tests/cases, all of which are right."""
    lines = (CASES / "games.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@pytest.fixture
def games(all_games: tuple[Game, ...]) -> list[Game]:
    """Copies of these games, to be spoilt."""
    return copy.deepcopy(list(all_games))


@pytest.fixture
def write_log(tmp_path: Path) -> WriteLog:
    """Writes lines into a log and gives its path; what is no text becomes JSON."""

    def write(lines: Iterable[Any], name: str = "log.jsonl", *, encoding: str = "utf-8") -> str:
        path = tmp_path / name
        texts = (x if isinstance(x, str) else json.dumps(x, ensure_ascii=False) for x in lines)
        path.write_bytes("".join(f"{text}\n" for text in texts).encode(encoding))
        return str(path)

    return write


@pytest.fixture
def bad_log(games: Sequence[Game], write_log: WriteLog) -> str:
    """A log with three errors in two games and a line that is no JSON, in nine lines.

    Line 2 has a wrong xiang and a delta that is wrong and does not add up; the replay of
    line 3 breaks; line 5 cannot be read; line 7 has a field that nobody knows.
    """
    chosen = list(games[:8])
    chosen[1]["result"]["xiang"] = [5, 4]
    chosen[1]["result"]["delta"] = [500, -400]
    chosen[2]["actions"][3] = "0 -*"
    chosen[5]["weather"] = "rain"
    chosen[5]["seats"][0]["player"] = "张三"
    return write_log([*chosen[:4], '{"v": oops', *chosen[4:]])
