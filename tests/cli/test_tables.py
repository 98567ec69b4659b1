"""Tables and progress: plain text in pipes, more on terminals."""

from __future__ import annotations

import os
import pty
import subprocess
from io import StringIO
from unittest.mock import patch

import pytest

from analytics.jobs import Progress
from cli import progress
from cli.tables import CHUNK, write_pairs, write_table
from tests.cli.running import CASES, COMMAND, environment

GOOD = str(CASES / "games.jsonl")


def on_terminal(*arguments: str) -> tuple[str, int]:
    """What a run shows on a terminal of 100 columns, and its exit status."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        env=environment(TERM="xterm-256color", COLUMNS="100"),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return shown.decode(), process.wait(timeout=60)


def test_columns_are_aligned_by_width_on_screen(capsys: pytest.CaptureFixture[str]) -> None:
    """A hanzi is two columns wide; ints stand to the right, null is a dash."""
    write_table([["双扣", 7], ["x", None], ["", 1000]], ["名称", "n"])
    assert capsys.readouterr().out == "名称     n\n双扣     7\nx        -\n-     1000\n"


def test_hostile_text_cannot_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters are shown, not obeyed."""
    write_table([["\x1b[31m\n\u202e"]], ["id"])
    write_pairs([("id", "\x07")])
    assert capsys.readouterr().out == "id\n\\x1b[31m\\n\\u202e\nid  \\x07\n"


def test_a_long_table_has_one_heading(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are written as they come, in chunks."""
    write_table(([number] for number in range(CHUNK + 1)), ["n"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].strip() == "n"
    assert [line.strip() for line in lines[1:]] == [str(number) for number in range(CHUNK + 1)]


def test_a_terminal_gets_a_table_and_progress_leaves_no_trace(bad_log: str) -> None:
    """The same words as in a pipe, with colours."""
    shown, status = on_terminal("verify", bad_log, "--lang", "en")
    assert status == 1
    assert "play.turn" in shown
    assert "\x1b[1m" in shown
    assert "Traceback" not in shown


def test_a_table_that_is_wider_than_the_terminal_is_plain() -> None:
    """Fifteen columns squeezed into a hundred would be unreadable."""
    shown, _ = on_terminal("settle", GOOD, "--format", "table", "--quiet")
    lines = shown.splitlines()
    assert len(lines) == 37
    assert "\x1b" not in shown


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "junit"])
def test_data_is_the_same_on_a_terminal(form: str, bad_log: str) -> None:
    """Only tables know about terminals."""
    arguments = ["verify", bad_log, "--format", form, "--quiet", "--lang", "en"]
    piped = subprocess.run(
        [*COMMAND, *arguments], env=environment(), capture_output=True, check=False
    )
    shown, _ = on_terminal(*arguments)
    text = shown.replace("\r\n", "\n")
    if form == "json":  # the time that it took differs
        assert text.split('"findings"')[1] == piped.stdout.decode().split('"findings"')[1]
    else:
        assert text == piped.stdout.decode()


def lines_told(moments: list[float], games: list[int], expected: int, findings: int) -> list[str]:
    """What is said on stderr where so many games are done at each moment after the first."""
    clock = iter(moments)
    with (
        patch("cli.progress.time.monotonic", lambda: next(clock)),
        patch("sys.stderr", StringIO()) as stderr,
        progress.progress("en", is_quiet=False) as tell,
    ):
        for done in games:
            tell(Progress(done, findings, expected, "a.jsonl"))
    return stderr.getvalue().splitlines()


def test_a_line_every_ten_seconds() -> None:
    """Where nobody watches, progress is a line now and then."""
    moments = [0.0, 4.0, 10.0, 15.0, 20.5]
    assert lines_told(moments, [400, 1_000, 1_500, 2_050], 4_000, findings=3) == [
        "paipu: games 1,000, 100/s, findings 3, 0:30 left",
        "paipu: games 2,050, 100/s, findings 3, 0:20 left",
    ]


def test_what_was_before_the_last_minute_is_no_part_of_the_pace() -> None:
    """Kernels are compiled for minutes; the games that follow are no slower for that."""
    moments = [0.0, 90.0, 120.0, 150.0, 160.0]
    assert lines_told(moments, [1_800, 24_000, 61_800, 64_000], 101_800, findings=0) == [
        "paipu: games 1,800, 20/s, findings 0",
        "paipu: games 24,000, 200/s, findings 0, 6:29 left",
        "paipu: games 61,800, 1,000/s, findings 0, 0:40 left",
        "paipu: games 64,000, 889/s, findings 0, 0:43 left",
    ]


def test_processes_that_finish_together_are_no_faster() -> None:
    """Two shards of 30,000 games every ten seconds, and findings between."""
    pace = progress._Pace(0.0)
    for wave in range(1, 12):
        pace.at(60_000 * wave - 30_000, 10.0 * wave)
        assert pace.at(60_000 * wave, 10.0 * wave + 0.02) == pytest.approx(6_000, rel=0.1)
    assert pace.at(660_000, 115.0) > 4_000


def test_quiet_is_quiet() -> None:
    """--quiet shows no progress."""
    with patch("sys.stderr", StringIO()) as stderr, progress.progress("en", is_quiet=True) as tell:
        tell(Progress(1, 0, None, "-"))
    assert stderr.getvalue() == ""


def test_no_guess_where_nothing_is_known() -> None:
    """Without an estimate, past it, or with hardly a start, no time is said to be left."""
    started = Progress(10, 0, 1_000, "a")  # the kernels may have been loaded meanwhile
    past = Progress(10, 0, 5, "a")
    for now in (Progress(10, 0, None, "-"), past, Progress(0, 0, 5, "a"), started):
        assert "left" not in progress.in_words(now, 5.0, "en")
    assert "剩余 0:02" in progress.in_words(Progress(10, 0, 20, "a"), 5.0, "zh")
