"""Runs the examples of a page, block by block, as a reader would type them."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from click.testing import CliRunner

from cli.main import NAME, app

_BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HERE: Final = re.compile(r"cat > (\S+) <<'END'$")
_STATUS: Final = re.compile(r"#.*\bstatus (\d+)")
# What sets a machine up: CI does it, and it needs a network or a shell of one's own.
SETTING_UP: Final = ("make ", ". .venv/", "git clone ", "cd paipu", "pip install ", "jupyter ")


class Block(NamedTuple):
    """A fenced block: its language, and its text."""

    language: str
    text: str


class Statement(NamedTuple):
    """A line of a shell, or several with what a quotation or a here-document spans.

    Attributes:
        text: as it stands.
        given: what a here-document holds; None: there is none.
        status: that it has to end with.
    """

    text: str
    given: str | None
    status: int


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page."""
    return [Block(*found) for found in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def statements(text: str) -> Iterator[Statement]:
    """The statements of a block for a shell; those that set a machine up are left out."""
    lines = iter(text.splitlines())
    for line in lines:
        while not _is_closed(line):
            line += "\n" + next(lines)
        given = None
        if _HERE.match(line):
            given = "".join(f"{each}\n" for each in iter(lambda: next(lines), "END"))
        if line.strip() and not line.startswith(("#", *SETTING_UP)):
            status = _STATUS.search(line)
            yield Statement(line, given, int(status[1]) if status else 0)


def _is_closed(line: str) -> bool:
    try:
        shlex.split(line, comments=True)
    except ValueError:
        return False
    return True


def run_statement(statement: Statement) -> str | None:
    """Runs a statement in the working directory; what went wrong, or None.

    ``paipu`` runs in this process, everything else in a shell.
    """
    if statement.given is not None:
        _write(statement)
        return None
    words = shlex.split(statement.text, comments=True)
    if words[0] != NAME:
        done = subprocess.run(["bash", "-c", statement.text], capture_output=True, check=False)
        return None if done.returncode == 0 else done.stderr.decode()
    target = words[words.index(">") + 1] if ">" in words else None
    asked = words[1 : words.index(">")] if target else words[1:]
    result = CliRunner(env={"LC_ALL": "C.UTF-8"}).invoke(app, asked, prog_name=NAME)
    if target:
        Path(target).write_bytes(result.stdout_bytes)
    if result.exit_code == statement.status:
        return None
    return f"{statement.text}: status {result.exit_code}\n{result.stderr}{result.exception!r}"


def _write(statement: Statement) -> None:
    found = _HERE.match(statement.text)
    assert found is not None
    assert statement.given is not None
    Path(found[1]).write_text(statement.given, encoding="utf-8")


def run_page(page: Path) -> list[str]:
    """Runs all examples of a page in the working directory; what went wrong."""
    names: dict[str, Any] = {"__name__": "example"}
    wrong = []
    for language, text in blocks(page):
        if language == "sh":
            wrong += [said for each in statements(text) if (said := run_statement(each))]
        elif language == "python":
            exec(compile(text, page.name, "exec"), names)
    return wrong
