"""From the text of a TOML file to its data, with what is wrong as ``Problem``s."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from analytics.rules.mistakes import Problem, problem
from analytics.rules.toml_lines import Repeat, scan

_PLACE: Final = re.compile(r" \((?:at line (\d+), column \d+|at end of document)\)$")
_TWICE: Final = ("Cannot overwrite", "Cannot declare", "Duplicate")


def parse(text: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    r"""The data of a TOML text, or None where it is no TOML, and what is wrong.

    A key that is given twice is a problem, but counts once, so that the rest of the
    file can be looked at.

    >>> parse("a = 1\na = 2")[0]
    {'a': 1}
    >>> data, [found] = parse("a = ")
    >>> data, found.code, found.message, found.line
    (None, 'rules.toml', 'Invalid value', 1)
    """
    try:
        return tomllib.loads(text), []
    except (ValueError, RecursionError) as error:
        repeats = scan(text).repeats
        if not repeats:
            return None, [_syntax_problem(error, text)]
    problems = [_repeat_problem(repeat) for repeat in repeats]
    try:
        return tomllib.loads(_blank(text, repeats)), problems
    except (ValueError, RecursionError) as error:
        return None, [*problems, _syntax_problem(error, text)]


def _repeat_problem(repeat: Repeat) -> Problem:
    template = "the key is given twice, first in line {first}"
    first = str(repeat.first_line)
    return problem(repeat.path, "rules.duplicate", template, line=repeat.line, first=first)


def _blank(text: str, repeats: list[Repeat]) -> str:
    """The text without the second assignments, every line where it was."""
    for repeat in repeats:
        gone = re.sub(r"[^\n]", " ", text[repeat.start : repeat.end])
        text = text[: repeat.start] + gone + text[repeat.end :]
    return text


def _syntax_problem(error: Exception, text: str) -> Problem:
    if isinstance(error, RecursionError):
        return problem((), "rules.toml", "the values are nested too deeply", line=1)
    message = str(error)
    code = "rules.duplicate" if message.startswith(_TWICE) else "rules.toml"
    place = _PLACE.search(message)
    line = int(place[1]) if place and place[1] else text.rstrip("\n").count("\n") + 1
    return problem((), code, "{reason}", line=line, reason=_PLACE.sub("", message))
