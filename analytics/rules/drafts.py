"""A ruleset file as read: everything that can be said without its parent.

``read_draft`` never raises for what stands in a file; it collects ``Problem``s.
Source: rules clause 11.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from analytics.rules.mistakes import Path, Problem, nearest, problem
from analytics.rules.model import SECTIONS, TERMS, Setting, specs
from analytics.rules.values import Problems, read_keys, read_kind, read_setting, read_text, shown

PRESET: Final = "preset:"  # begins the ``source`` of a preset
LANGUAGES: Final = ("en", "zh")
_WORD: Final = re.compile(r"[\w.-]+")
_WORDS: Final = Setting("1", "a house word or title")
_TOP: Final = ("name", "version", "effective_from", "extends", "title", *SECTIONS, "terms")


@dataclass(slots=True, eq=False)
class Draft:
    r"""A ruleset file as read.

    Attributes:
        source: path as given; ``preset:NAME`` for a preset.
        text: of the file, with ``\n`` for every end of line.
        name, version: "" where not readable.
        effective_from: with offset; None where not given (or not readable).
        extends: the parent as written; None where not given (or not readable).
        title, terms: what the file gives of them.
        own: the settings that the file gives, by key, as far as readable.
        unreadable: the keys of the settings that it gives but that cannot be used.
        is_toml: False: nothing but (perhaps) the name and version is known.
        problems: what is wrong so far.
    """

    source: str
    text: str = ""
    name: str = ""
    version: str = ""
    effective_from: datetime | None = None
    extends: str | None = None
    title: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)
    unreadable: set[str] = field(default_factory=set)
    is_toml: bool = False
    problems: Problems = field(default_factory=list)

    @property
    def at(self) -> str:
        """``name@version``."""
        return f"{self.name}@{self.version}"


def read_draft(source: str, content: bytes) -> Draft:
    """Reads the bytes of one file.

    >>> draft = read_draft("a.toml", b'name = "a"')
    >>> draft.name, [problem.message for problem in draft.problems]
    ('a', ['version is missing'])
    """
    from analytics.rules.toml_text import parse  # not before a file is read: a quick import

    draft = Draft(source)
    try:
        draft.text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as failure:
        line = content.count(b"\n", 0, failure.start) + 1
        draft.problems.append(problem((), "rules.encoding", "the file is not UTF-8", line=line))
        return draft
    data, draft.problems = parse(draft.text)
    if data is None:
        _guess_name(draft)
        return draft
    draft.is_toml = True
    _read_top(data, draft)
    _read_parent(data, draft)
    _read_sections(data, draft)
    return draft


def _guess_name(draft: Draft) -> None:
    """So that its children do not call their parent unknown as well."""
    for key in ("name", "version"):
        found = re.search(rf'^{key}\s*=\s*"([\w.-]+)"', draft.text, re.MULTILINE)
        setattr(draft, key, found[1] if found else "")


def _read_top(data: dict[str, Any], draft: Draft) -> None:
    _report_unknown_top(data, draft.problems)
    for key in ("name", "version"):
        if key in data:
            setattr(draft, key, _read_word(data[key], (key,), draft.problems))
        else:
            draft.problems.append(problem((key,), "rules.missing", "{key} is missing", key=key))
    if "effective_from" in data:
        draft.effective_from = _read_time(data["effective_from"], draft.problems)
    draft.title = _read_words(data.get("title", {}), LANGUAGES, ("title",), draft.problems)
    draft.terms = _read_words(data.get("terms", {}), TERMS, ("terms",), draft.problems)


def _read_parent(data: dict[str, Any], draft: Draft) -> None:
    raw = data.get("extends")
    if raw is None:
        return
    if read_kind(raw, str, ("extends",), draft.problems):
        draft.extends = raw
    else:
        draft.unreadable |= specs().keys()  # whatever the parent would have given


def _report_unknown_top(data: dict[str, Any], problems: Problems) -> None:
    for key in data:
        if key in _TOP:
            continue
        problems.append(_unknown_top(key))


def _unknown_top(key: str) -> Problem:
    at, code, spec = (key,), "rules.unknown-key", specs().get(key)
    if spec is None:
        return problem(at, code, "{key} is not known", key=shown(key), near=nearest(key, _TOP))
    template = "{key} is not known: it belongs in [{section}]"
    return problem(at, code, template, key=shown(key), section=spec.section)


def _read_word(raw: Any, at: Path, problems: Problems) -> str:
    if not read_kind(raw, str, at, problems):
        return ""
    if not _WORD.fullmatch(raw):
        template = "{value} holds something else than letters, digits, - _ and ."
        problems.append(problem(at, "rules.name", template, value=shown(raw)))
        return ""
    return str(raw)


def _read_time(raw: Any, problems: Problems) -> datetime | None:
    at = ("effective_from",)
    if not read_kind(raw, datetime, at, problems):
        return None
    if raw.tzinfo is None:
        template = "the time has no offset: write, for instance, 2026-01-01T00:00:00+08:00"
        problems.append(problem(at, "rules.time", template))
        return None
    return raw  # type: ignore[no-any-return]


def _read_words(raw: Any, known: tuple[str, ...], at: Path, problems: Problems) -> dict[str, str]:
    found = read_keys(raw, known, at, problems, required=False)
    for key, word in found.items():
        read_text(word, (*at, key), _WORDS, problems)
    return found


def _read_sections(data: dict[str, Any], draft: Draft) -> None:
    for section in SECTIONS:
        given = data.get(section, {})
        if not read_kind(given, dict, (section,), draft.problems):
            draft.unreadable |= {key for key, spec in specs().items() if spec.section == section}
            continue
        for key, raw in given.items():
            _read_one(section, key, raw, draft)


def _read_one(section: str, key: str, raw: Any, draft: Draft) -> None:
    spec = specs().get(key)
    if spec is None or spec.section != section:
        draft.problems.append(_unknown_setting(section, key))
        return
    problems: Problems = []
    value = read_setting(spec, raw, problems)
    draft.problems += problems
    if problems:
        draft.unreadable.add(key)
    else:
        draft.own[key] = value


def _unknown_setting(section: str, key: str) -> Problem:
    at, code, spec = (section, key), "rules.unknown-key", specs().get(key)
    values: dict[str, Any] = {"key": shown(key), "section": section}
    if spec is None:
        template, near = "{key} is no setting of [{section}]", nearest(key, specs())
        return problem(at, code, template, near=near, **values)
    template = "{key} is no setting of [{section}]: it belongs in [{other}]"
    return problem(at, code, template, other=spec.section, **values)
