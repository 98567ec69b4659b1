"""Writing a ruleset as the TOML file that loads as the same ruleset."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from analytics.rules.model import SECTIONS, Ruleset, plain, specs

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


def to_child_toml(ruleset: Ruleset, parent: Ruleset) -> str:
    """A ruleset as TOML that extends another one: what differs, and nothing else.

    Guarantees: beside the parent, ``load_rulesets`` reads an equal ruleset from it, but for
    a title or terms that only the parent has.

    Args:
        ruleset: another name or version than the parent's; a setting that the parent has
            applies to it as well.
        parent: must be there wherever the file is read.

    >>> from dataclasses import replace
    >>> from analytics.rules import load_rulesets
    >>> jiule = load_rulesets().rulesets[4]
    >>> own = replace(jiule, name="gold", scoring=replace(jiule.scoring, fee=10), title={})
    >>> print(to_child_toml(own, jiule), end="")
    name = "gold"
    version = "1"
    extends = "jiule@1"
    <BLANKLINE>
    [scoring]
    fee = 10
    >>> to_child_toml(jiule, "jiule")
    Traceback (most recent call last):
    ...
    AttributeError: 'str' object has no attribute 'at'
    """
    lines = [*_names(ruleset), f"extends = {to_toml_value(parent.at)}"]
    lines += _beginnings(ruleset)
    for section in SECTIONS:
        differing = _differing(plain(getattr(ruleset, section)), plain(getattr(parent, section)))
        lines += _section(section, differing) if differing else ()
    if ruleset.terms and ruleset.terms != parent.terms:
        lines += _section("terms", ruleset.terms)
    return "\n".join(lines) + "\n"


def _differing(own: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """What a child has to say: values that differ, and "none" for what is taken away."""
    gone = [key for key in other if key not in own and specs()[key].setting.default is None]
    changed = {key: value for key, value in own.items() if other.get(key) != value}
    return {**changed, **dict.fromkeys(gone, "none")}


def _lines(ruleset: Ruleset) -> Iterator[str]:
    yield from _names(ruleset)
    yield from _beginnings(ruleset)
    for section in SECTIONS:
        yield from _section(section, plain(getattr(ruleset, section)))
    if ruleset.terms:
        yield from _section("terms", ruleset.terms)


def _names(ruleset: Ruleset) -> Iterator[str]:
    yield f"name = {to_toml_value(ruleset.name)}"
    yield f"version = {to_toml_value(ruleset.version)}"


def _beginnings(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.effective_from is not None:
        yield f"effective_from = {ruleset.effective_from.isoformat()}"
    if ruleset.title:
        yield f"title = {to_toml_value(ruleset.title)}"


def _section(name: str, settings: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"[{name}]"
    yield from (f"{key} = {to_toml_value(value)}" for key, value in settings.items())


def to_toml_value(value: Any) -> str:
    """A value as TOML writes it.

    Args:
        value: as ``plain`` gives it: dicts, lists, ints, text, booleans.

    >>> to_toml_value(True), to_toml_value("max"), to_toml_value({"fixed": 7})
    ('true', '"max"', '{ fixed = 7 }')
    """
    if isinstance(value, Mapping):
        return _table(value)
    if isinstance(value, list):
        return _list([to_toml_value(entry) for entry in value])
    # JSON escapes as TOML does, except that TOML allows no bare DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _table(table: Mapping[str, Any]) -> str:
    pairs = ", ".join(f"{key} = {to_toml_value(value)}" for key, value in table.items())
    return f"{{ {pairs} }}" if pairs else "{}"


def _list(entries: list[str]) -> str:
    line = f"[{', '.join(entries)}]"
    if len(line) <= _WIDTH:
        return line
    return "[\n" + "".join(f"  {entry},\n" for entry in entries) + "]"
