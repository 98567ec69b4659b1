"""Reading one setting: from the value in a TOML file to that of the model.

Every function takes the raw value, its path, the ``Setting`` with its bounds and
a list to which it adds what is wrong; what it returns counts only if it added
nothing. Source: rules clauses 11 and 12.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from typing import Any, Final, TypeAlias, get_args

from analytics.rules import model
from analytics.rules.mistakes import Path, Problem, nearest, problem
from analytics.rules.model import Setting, Spec
from analytics.rules.row import MAX_ROWS, MAX_XIANG

Problems: TypeAlias = list[Problem]
Reader: TypeAlias = Callable[[Any, Path, Setting, Problems], Any]

# A bool is an int in Python, but not in a ruleset: types are compared exactly.
KINDS: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with a point",
    str: "text in quotes",
    list: "a list [ ]",
    dict: "a table { }",
    datetime: "a date with a time",
    date: "a date",
    time: "a time",
}
_MANY: Final = 8  # known words that are no longer all listed
_XIANG: Final = re.compile(r"[1-9][0-9]?")


def read_setting(spec: Spec, raw: Any, problems: Problems) -> Any:
    """The value of a setting, in the type that the model declares.

    >>> problems: Problems = []
    >>> read_setting(model.specs()["doubling"], {"6": 4, "5": 2}, problems), problems
    ((Row(xiang=5, times=2), Row(xiang=6, times=4)), [])
    >>> _ = read_setting(model.specs()["seats"], True, problems)
    >>> problems[0].message
    'a whole number is expected, not true or false (true)'
    """
    at = (spec.section, spec.key)
    if spec.setting.default is None and raw == "none":
        return None
    reader = _READERS.get(spec.type)
    if reader is None:
        return read_choice(raw, get_args(spec.type), at, problems)
    return reader(raw, at, spec.setting, problems)


def read_kind(raw: Any, kind: type, at: Path, problems: Problems) -> bool:
    """Whether a value is of exactly this type."""
    if type(raw) is kind:
        return True
    found = KINDS.get(type(raw), type(raw).__name__)
    values: dict[str, Any] = {"expected": KINDS[kind], "found": found, "value": shown(raw)}
    problems.append(
        problem(at, "rules.type", "{expected} is expected, not {found} ({value})", **values)
    )
    return False


def read_choice(raw: Any, choices: Iterable[Any], at: Path, problems: Problems) -> Any:
    """One of the given values."""
    choices = tuple(choices)
    if not read_kind(raw, type(choices[0]), at, problems):
        return None
    if raw not in choices:
        near = nearest(raw, choices) if isinstance(raw, str) else None
        values: dict[str, Any] = {"value": shown(raw), "allowed": tuple(map(shown, choices))}
        problems.append(problem(at, "rules.value", "{value} is not {allowed}", near=near, **values))
    return raw


def read_text(raw: Any, at: Path, _: Setting, problems: Problems) -> Any:
    """Text that is not blank."""
    if read_kind(raw, str, at, problems) and not raw.strip():
        problems.append(problem(at, "rules.value", "the text is empty"))
    return raw


def read_keys(
    raw: Any, known: Iterable[str], at: Path, problems: Problems, *, required: bool
) -> dict[str, Any]:
    """A table with these keys only; what it has of them."""
    known = tuple(known)
    if not read_kind(raw, dict, at, problems):
        return {}
    problems += [_unknown_key(key, known, at) for key in raw if key not in known]
    if required:
        problems += [
            problem((*at, key), "rules.missing", "{key} is missing", key=key)
            for key in known
            if key not in raw
        ]
    return {key: raw[key] for key in known if key in raw}


def _unknown_key(key: str, known: tuple[str, ...], at: Path) -> Problem:
    path, code, near = (*at, key), "rules.unknown-key", nearest(key, known)
    if len(known) >= _MANY:
        return problem(path, code, "{key} is not known here", near=near, key=shown(key))
    template = "{key} is not known here: {known} is expected"
    return problem(path, code, template, near=near, key=shown(key), known=known)


def _read_flag(raw: Any, at: Path, _: Setting, problems: Problems) -> Any:
    read_kind(raw, bool, at, problems)
    return raw


def _read_whole(raw: Any, at: Path, setting: Setting, problems: Problems) -> Any:
    if not read_kind(raw, int, at, problems):
        return 0
    least, most = setting.least, setting.most
    if (least is not None and raw < least) or (most is not None and raw > most):
        values: dict[str, Any] = {"value": shown(raw), "least": f"{least:,}", "most": f"{most:,}"}
        template = "{value} is not between {least} and {most}"
        problems.append(problem(at, "rules.limit", template, **values))
    return raw


def _read_wild(raw: Any, at: Path, _: Setting, problems: Problems) -> Any:
    if not read_kind(raw, list, at, problems):
        return ()
    jokers = get_args(model.Joker)
    for position, joker in enumerate(raw):
        read_choice(joker, jokers, (*at, position), problems)
        if joker in raw[:position]:
            template = "{value} stands there twice"
            problems.append(
                problem((*at, position), "rules.duplicate", template, value=shown(joker))
            )
    return tuple(joker for joker in jokers if joker in raw)


def _read_table(raw: Any, at: Path, setting: Setting, problems: Problems) -> model.Table:
    if not read_kind(raw, dict, at, problems):
        return ()
    rows = []
    for key, times in raw.items():
        if not _XIANG.fullmatch(key) or int(key) >= MAX_XIANG:
            template = "{value} is no xiang: a whole number from 1 to {most}"
            values: dict[str, Any] = {"value": shown(key), "most": str(MAX_XIANG - 1)}
            problems.append(problem((*at, key), "rules.value", template, **values))
            continue
        rows.append(model.Row(int(key), _read_whole(times, (*at, key), setting, problems)))
    return tuple(sorted(rows))


def _read_base(raw: Any, at: Path, setting: Setting, problems: Problems) -> Any:
    if raw == "given":
        return raw
    if isinstance(raw, str):
        return read_choice(raw, ("given",), at, problems)
    found = read_keys(raw, ("fixed", "levels"), at, problems, required=False)
    if isinstance(raw, dict) and len(found) != 1:
        problems.append(problem(at, "rules.value", "either fixed or levels is expected"))
    if "levels" in found:
        return _read_levels(found["levels"], (*at, "levels"), setting, problems)
    if "fixed" in found:
        return model.Fixed(_read_whole(found["fixed"], (*at, "fixed"), setting, problems))
    return None


def _read_levels(raw: Any, at: Path, setting: Setting, problems: Problems) -> Any:
    if not read_kind(raw, list, at, problems):
        return None
    if not 1 <= len(raw) <= MAX_ROWS:
        template = "{count} levels are not between 1 and {most}"
        problems.append(problem(at, "rules.limit", template, count=len(raw), most=MAX_ROWS))
    rows = (_read_level(row, (*at, i), setting, problems) for i, row in enumerate(raw))
    return model.Levels(tuple(row for row in rows if row))


def _read_level(raw: Any, at: Path, setting: Setting, problems: Problems) -> model.Level | None:
    if not read_kind(raw, list, at, problems) or not _has_length(raw, 2, at, problems):
        return None
    balance = Setting("12", "", least=-model.MAX_BALANCE, most=model.MAX_BALANCE)
    required = _read_whole(raw[0], (*at, 0), balance, problems)
    return model.Level(required, _read_whole(raw[1], (*at, 1), setting, problems))


def _has_length(raw: list[Any], length: int, at: Path, problems: Problems) -> bool:
    if len(raw) != length:
        template = "a list of {length} is expected, not of {found}"
        problems.append(problem(at, "rules.value", template, length=length, found=len(raw)))
    return len(raw) == length


def _read_kou(raw: Any, at: Path, setting: Setting, problems: Problems) -> Any:
    return _read_record(model.Kou, _read_whole, raw, at, setting, problems)


def _read_kou_cards(raw: Any, at: Path, setting: Setting, problems: Problems) -> Any:
    return _read_record(model.KouCards, _read_whole, raw, at, setting, problems)


def _read_places(raw: Any, at: Path, setting: Setting, problems: Problems) -> Any:
    return _read_record(model.Places, _read_four, raw, at, setting, problems)


def _read_record(
    record: Any, read: Reader, raw: Any, at: Path, setting: Setting, problems: Problems
) -> Any:
    found = read_keys(raw, record._fields, at, problems, required=True)
    parts = {key: read(part, (*at, key), setting, problems) for key, part in found.items()}
    return record(**parts) if len(parts) == len(record._fields) else None


def _read_four(raw: Any, at: Path, setting: Setting, problems: Problems) -> Any:
    if not read_kind(raw, list, at, problems) or not _has_length(raw, 4, at, problems):
        return None
    return tuple(_read_whole(part, (*at, i), setting, problems) for i, part in enumerate(raw))


_READERS: Final[Mapping[Any, Reader]] = {
    bool: _read_flag,
    int: _read_whole,
    str: read_text,
    tuple[model.Joker, ...]: _read_wild,
    model.Table: _read_table,
    model.Base: _read_base,
    model.Kou: _read_kou,
    model.KouCards: _read_kou_cards,
    model.Places: _read_places,
}


def shown(raw: Any) -> str:
    """A value as it would stand in the file, cut where it is long.

    >>> shown("big"), shown(10000), shown(True)
    ('"big"', '10000', 'true')
    """
    if isinstance(raw, int) and abs(raw) >= 10**40:
        return "a number of more than forty digits"
    text = json.dumps(raw, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:37]}..."
