"""TOML that has to fit a type: every mistake at once, each with its line and the nearest name.

msgspec stops at the first thing that does not fit. So what it knows of a type is walked
beside the data first; where nothing is wrong, msgspec makes the record. A record that has
a method ``mistakes(at)`` is asked what else is wrong with it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path as File
from typing import Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import inspect

from analytics.findings import Severity
from analytics.rules.mistakes import Mistake, Path, Problem, RulesetError, path_text, problem
from analytics.rules.toml_lines import scan
from analytics.rules.toml_text import parse
from analytics.rules.values import Problems, read_choice, read_keys, read_kind, shown

T = TypeVar("T")

_CODES: Final = ("rules.", "goals.")  # what is wrong is the same, in another kind of file


def load_typed(file: File, kind: type[T]) -> T:
    """The record that a TOML file holds.

    Args:
        file: to read.
        kind: a ``msgspec.Struct`` whose types say what may stand there.

    Raises:
        RulesetError: with every mistake.
    """
    try:
        content = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as failure:
        reason = failure.strerror or str(failure)
        template = "it cannot be read: {reason}"
        _refuse(file, "", [problem((), "rules.unreadable", template, reason=reason)])
    except UnicodeDecodeError:
        _refuse(file, "", [problem((), "rules.encoding", "the file is not UTF-8")])
    return read_typed(str(file), content, kind)


def read_typed(source: str, text: str, kind: type[T]) -> T:
    """The same from a text.

    Raises:
        RulesetError: with every mistake.

    >>> class Size(msgspec.Struct): width: int
    >>> read_typed("a.toml", "width = 3", Size).width
    3
    >>> read_typed("a.toml", "widht = 3", Size)
    Traceback (most recent call last):
    ...
    analytics.rules.mistakes.RulesetError: a.toml:1: error: widht: "widht" is not known here: \
width is expected (did you mean "width"?) [goals.unknown-key]
    a.toml:1: error: width: width is missing [goals.missing]
    """
    data, problems = parse(text)
    if data is not None:
        fit(data, inspect.type_info(kind), (), problems)
    if data is None or problems:
        _refuse(source, text, problems)
    return msgspec.convert(data, kind)


def _refuse(source: str | File, text: str, problems: Iterable[Problem]) -> NoReturn:
    lines = scan(text)
    mistakes = [
        Mistake(
            str(source),
            each.line or lines.nearest(each.path),
            path_text(each.path),
            each.sentence,
            Severity.ERROR,
            each.code.replace(*_CODES),
        )
        for each in problems
    ]
    raise RulesetError(sorted(mistakes, key=lambda mistake: mistake.line or 0))


def fit(raw: Any, kind: inspect.Type, at: Path, problems: Problems) -> None:
    """Adds whatever does not fit a type to the problems."""
    _FITS[type(kind)](raw, kind, at, problems)


def _fit_record(raw: Any, kind: Any, at: Path, problems: Problems) -> None:
    fields, before = {field.encode_name: field for field in kind.fields}, len(problems)
    found = read_keys(raw, fields, at, problems, required=False)
    if isinstance(raw, Mapping):
        missing = (name for name, f in fields.items() if f.required and name not in raw)
        problems += [
            problem((*at, name), "rules.missing", "{key} is missing", key=name) for name in missing
        ]
    for name, value in found.items():
        fit(value, fields[name].type, (*at, name), problems)
    if len(problems) == before and hasattr(kind.cls, "mistakes"):
        problems += msgspec.convert(raw, kind.cls).mistakes(at)


def _fit_list(raw: Any, kind: Any, at: Path, problems: Problems) -> None:
    if read_kind(raw, list, at, problems):
        for place, value in enumerate(raw):
            fit(value, kind.item_type, (*at, place), problems)


def _fit_choice(raw: Any, kind: Any, at: Path, problems: Problems) -> None:
    read_choice(raw, kind.values, at, problems)


def _fit_optional(raw: Any, kind: Any, at: Path, problems: Problems) -> None:
    """TOML has no null: what is there must fit the other type."""
    [own] = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
    fit(raw, own, at, problems)


def _fit_text(raw: Any, kind: Any, at: Path, problems: Problems) -> None:
    """Text; where a pattern is set, that of a name."""
    if read_kind(raw, str, at, problems) and kind.pattern and not re.search(kind.pattern, raw):
        template = "{value} holds something else than letters, digits, - _ and ."
        problems.append(problem(at, "rules.name", template, value=shown(raw)))


def _fit_number(raw: Any, kind: Any, at: Path, problems: Problems) -> None:
    """A whole number, or where the type allows it one with a point, within its bounds."""
    takes_point = isinstance(kind, inspect.FloatType)
    if takes_point and type(raw) is float:
        if not math.isfinite(raw):
            template = "{value} is no number that anything can be compared with"
            problems.append(problem(at, "rules.value", template, value=str(raw)))
            return
    elif not read_kind(raw, int, at, problems):
        return
    low, high = kind.ge, kind.le
    if (low is not None and raw < low) or (high is not None and raw > high):
        template = "{value} is not between {least} and {most}"
        least, most = f"{low:,}", f"{high:,}"
        found = problem(at, "rules.limit", template, value=shown(raw), least=least, most=most)
        problems.append(found)


_FITS: Final[Mapping[type, Callable[[Any, Any, Path, Problems], None]]] = {
    inspect.StructType: _fit_record,
    inspect.VarTupleType: _fit_list,
    inspect.LiteralType: _fit_choice,
    inspect.UnionType: _fit_optional,
    inspect.StrType: _fit_text,
    inspect.IntType: _fit_number,
    inspect.FloatType: _fit_number,
}
