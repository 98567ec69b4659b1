"""Writing a ruleset as the TOML file that loads as the same ruleset."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from analytics.rules.model import SECTIONS, Ruleset, plain

_WIDTH: Final = 88  # a list that would be longer is written one entry a line


def to_toml(ruleset: Ruleset) -> str:
    """The whole ruleset as TOML, defaults written out, without ``extends``.

    Guarantees: ``load_rulesets`` reads an equal ruleset from it.

    >>> from analytics.rules import load_rulesets
    >>> jiule = load_rulesets().rulesets[4]
    >>> print(to_toml(jiule).split("[play]")[0])
    name = "jiule"
    version = "1"
    title = { en = "Jiule Qianbian Shuangkou", zh = "九乐千变双扣" }
    <BLANKLINE>
    <BLANKLINE>
    >>> to_toml("jiule")
    Traceback (most recent call last):
    ...
    AttributeError: 'str' object has no attribute 'name'
    """
    return "\n".join(_lines(ruleset)) + "\n"


def _lines(ruleset: Ruleset) -> Iterator[str]:
    yield f"name = {_value(ruleset.name)}"
    yield f"version = {_value(ruleset.version)}"
    if ruleset.effective_from is not None:
        yield f"effective_from = {ruleset.effective_from.isoformat()}"
    if ruleset.title:
        yield f"title = {_value(ruleset.title)}"
    for section in SECTIONS:
        yield from _section(section, plain(getattr(ruleset, section)))
    if ruleset.terms:
        yield from _section("terms", ruleset.terms)


def _section(name: str, settings: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"[{name}]"
    yield from (f"{key} = {_value(value)}" for key, value in settings.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return _table(value)
    if isinstance(value, list):
        return _list([_value(entry) for entry in value])
    # JSON escapes as TOML does, except that TOML allows no bare DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _table(table: Mapping[str, Any]) -> str:
    pairs = ", ".join(f"{key} = {_value(value)}" for key, value in table.items())
    return f"{{ {pairs} }}" if pairs else "{}"


def _list(entries: list[str]) -> str:
    line = f"[{', '.join(entries)}]"
    if len(line) <= _WIDTH:
        return line
    return "[\n" + "".join(f"  {entry},\n" for entry in entries) + "]"
