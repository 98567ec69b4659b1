"""The console script: start-up, exit statuses, and what goes wrong."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cli.failing import in_sentences, sentence_of
from cli.main import COMMANDS, app
from tests.cli.running import COMMAND, INTERRUPTIBLE, ROOT, Invoke, Run, environment

HEAVY = {"analytics", "duckdb", "numba", "numpy", "pyarrow", "rich", "msgspec"}


def modules_after(*arguments: str) -> set[str]:
    """The top-level modules that a run has imported."""
    found = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cli", *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = (line.rpartition("|")[2].strip() for line in found.stderr.splitlines())
    return {line.partition(".")[0] for line in lines}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["verify", "-h"], ["rules"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    """Help and version wait for no library."""
    if arguments == ["rules"]:
        arguments = ["rules", "check", "--help"]
    assert not modules_after(*arguments) & HEAVY


def test_version_is_that_of_the_distribution(invoke: Invoke) -> None:
    """``--version`` prints name and version on one line."""
    result = invoke("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("paipu ")
    assert len(result.stdout.splitlines()) == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_short_and_long_help(invoke: Invoke, name: str) -> None:
    """-h and --help say the same, and the help ends with examples."""
    short, long = invoke(name, "-h"), invoke(name, "--help")
    assert short.exit_code == long.exit_code == 0
    assert short.stdout == long.stdout
    assert "Examples:" in short.stdout


@pytest.mark.parametrize(
    ("typed", "meant"), [(["verfy"], "verify"), (["rules", "chek"], "check"), (["ruels"], "rules")]
)
def test_a_mistyped_command_gets_a_suggestion(invoke: Invoke, typed: list[str], meant: str) -> None:
    """The nearest command is named."""
    result = invoke(*typed)
    assert result.exit_code == 2
    assert f"Did you mean {meant!r}?" in result.stderr
    assert result.stdout == ""


def test_a_word_that_is_near_nothing_gets_no_suggestion(invoke: Invoke) -> None:
    """No wild guesses."""
    result = invoke("xyzzy")
    assert result.exit_code == 2
    assert "Did you mean" not in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["verify", "nowhere.jsonl"],
        ["verify", "--format", "xml", "a"],
        ["verify", "--max-findings", "-1", "a"],
        ["verify", "--rules-dir", "nowhere", "-"],
        ["settle", "nowhere/*.jsonl"],
        ["meld", "3S", "--rules", "nobody"],
        ["rules", "show", "nobody"],
        ["rules", "diff", "jiule"],
        ["nothing"],
    ],
    ids=" ".join,
)
def test_bad_usage_is_two_with_a_sentence(invoke: Invoke, arguments: list[str]) -> None:
    """Whoever asks for what cannot be done gets a sentence, no data and no traceback."""
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        *(
            (command, "--encoding", value)
            for command in ("verify", "settle", "show", "convert", "load")
            for value in ("nope", "hex", "idna", "undefined", "", "牌")
        ),
        *(
            (command, option, value)
            for command in ("verify", "load")
            for option, value in (
                ("--shard-mb", "nan"),
                ("--shard-mb", "inf"),
                ("--jobs", "99999999999999999999"),
                ("--cluster", ""),
                ("--cluster", "nowhere"),
            )
        ),
    ],
)
def test_a_value_that_cannot_be_is_bad_usage(
    invoke: Invoke, command: str, option: str, value: str
) -> None:
    """The usage and the option are named, before any log is looked at; it is no defect."""
    needed = {"convert": ["-o", "b.jsonl"], "load": ["-w", "wh"]}.get(command, [])
    result = invoke(command, "nowhere.jsonl", option, value, *needed)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Usage: paipu {command}")
    assert f"Invalid value for '{option}'" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "tests/cases/games.jsonl", "--game", "nobody"],
        ["show", "tests/cases/games.jsonl", "--line", "999"],
        ["show", "tests/cases/games.jsonl"],
        ["meld", "3S", "--over", "3S4H"],
        ["meld", "3S", "--rules", "jiuel"],
        ["rules", "show", "nowhere.toml"],
        ["verify", "tests/cases/games.jsonl", "--rules-dir", "tests/rules/mistakes/levels.toml"],
        ["convert", "tests/cases/games.jsonl", "-o", "README.jsonl/x.jsonl"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_said_in_the_language(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Wherever --lang stands, the reason is in it; the exit status is the same."""
    monkeypatch.chdir(ROOT)
    english = invoke(*arguments, "--lang", "en")
    at = 2 if arguments[0] == "rules" else 1
    chinese = invoke(*arguments[:at], "--lang", "zh", *arguments[at:])
    assert english.exit_code == chinese.exit_code == 2
    assert english.stderr.isascii()
    assert re.search("[一-鿿]", chinese.stderr)


def test_an_unexpected_failure_has_a_traceback_only_with_debug(run: Run, tmp_path: Path) -> None:
    """A defect is a sentence and exit status 2; --debug shows where it is."""
    arguments = ["verify", str(ROOT / "tests/cases/games.jsonl")]
    defect = "import analytics.verify\nanalytics.verify.verify_batch = None\n"
    (tmp_path / "sitecustomize.py").write_text(defect, encoding="utf-8")
    broken = {"PYTHONPATH": str(tmp_path)}
    plain, debug = run(*arguments, **broken), run(*arguments, "--debug", **broken)
    assert plain.returncode == debug.returncode == 2
    assert b"Traceback" not in plain.stderr
    assert b"--debug" in plain.stderr
    assert b"Traceback" in debug.stderr


def test_a_directory_that_cannot_be_read_is_named() -> None:
    """The sentence of a failure of the system has the file and the reason."""
    problem = PermissionError(13, "Permission denied", "logs/a.jsonl")
    assert sentence_of(problem) == "logs/a.jsonl: Permission denied"


def test_an_interrupted_query_is_an_interrupt() -> None:
    """DuckDB makes an error of its own of Control-C."""
    import click

    with pytest.raises(KeyboardInterrupt), in_sentences(click.Context(app)):
        raise RuntimeError("Query interrupted")


def test_an_interrupt_is_130_without_a_traceback() -> None:
    """Control-C ends a run that waits for more input."""
    process = subprocess.Popen(
        [*INTERRUPTIBLE, "meld", "-"],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"cards": "3S"}\n')
    process.stdin.flush()
    assert process.stdout.readline().startswith(b'{"meld"')  # it is running
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in stderr


@pytest.mark.parametrize("command", ["verify", "settle"])
def test_an_interrupt_of_work_is_130(command: str) -> None:
    """Also in the middle of it, wherever that is; nothing is shown but a word."""
    process = subprocess.Popen(
        [*INTERRUPTIBLE, command, "-"],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    process.stdin.write((ROOT / "tests/cases/games.jsonl").read_bytes())
    process.stdin.flush()
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (stdout, stderr.split()) == (b"", [b"Interrupted."])


def test_whoever_is_terminated_leaves_nothing_behind() -> None:
    """SIGTERM, which schedulers send, ends as Control-C does: what was temporary goes."""
    with TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [*COMMAND, "verify", "-"],
            env=environment(TMPDIR=folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 30
        while not os.listdir(folder) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert os.listdir(folder)  # its database may spill there
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=30)
        assert (process.returncode, stdout, stderr) == (143, b"", b"")
        assert os.listdir(folder) == []


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "junit"])
def test_a_closed_pipe_is_quiet(form: str) -> None:
    """Nobody is told off for ``| head``."""
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(
        [*COMMAND, "verify", "tests/cases/games.jsonl", "--quiet", "--format", form],
        cwd=ROOT,
        env=environment(),
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert found.stderr == b""
    assert found.returncode == (0 if form == "jsonl" else 141)  # jsonl has nothing to say


@pytest.mark.parametrize(
    "arguments",
    [
        ["settle", "tests/cases/games.jsonl"],
        ["show", "tests/cases/games.jsonl", "--line", "1", "--format", "json"],
        ["rules", "diff", "huopin-points", "jiule", "--format", "json"],
        ["verify", "--help"],
        ["--help"],
    ],
)
def test_a_pipe_that_is_closed_early_is_no_error_in_the_logs(arguments: list[str]) -> None:
    """Whether or not all of the output fits into a buffer, the status is that of a closed pipe."""
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(
        [*COMMAND, *arguments], cwd=ROOT, env=environment(), stdout=writing,
        stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writing)
    assert found.returncode == 141
    assert b"Error" not in found.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_disk_is_a_failure() -> None:
    """Data that could not be written is no success."""
    with open("/dev/full", "wb") as full:
        found = subprocess.run(
            [*COMMAND, "rules", "list"],
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert found.returncode == 2
    assert b"No space left" in found.stderr
    assert b"Traceback" not in found.stderr


def test_closed_streams_do_no_harm() -> None:
    """A run without standard output still has its exit status."""
    command = " ".join([*COMMAND, "rules", "list", ">&-", "2>&-"])
    assert subprocess.run(["sh", "-c", command], env=environment(), check=False).returncode == 0


def test_an_unknown_mode_of_the_kernels_is_said_plainly() -> None:
    """A mistyped PAIPU_COMPILE is the user's affair, not a defect."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", "verify", "tests/cases/games.jsonl"],
        env={**os.environ, "PAIPU_COMPILE": "foo"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "Error: PAIPU_COMPILE is 'foo': auto, always or never is expected\n"
