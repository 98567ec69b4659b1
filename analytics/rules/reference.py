"""The reference of all settings as Markdown, generated from the model.

docs/ruleset.md holds the output of ``reference`` between two markers;
``python -m analytics.rules.reference docs/ruleset.md`` brings the page in step.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

from analytics.rules.mistakes import CODES
from analytics.rules.model import (
    REQUIRED,
    SECTIONS,
    TERMS,
    Play,
    Scoring,
    Section,
    Spec,
    Xiang,
    specs,
)

_RECORDS: Final = {"play": Play, "xiang": Xiang, "scoring": Scoring}
_BETWEEN: Final = re.compile(
    r"(<!-- reference: begin.*?-->\n).*(<!-- reference: end -->)", re.DOTALL
)


def renewed(page: str) -> str:
    r"""A page with the reference of today between its markers.

    >>> "stale" in renewed("<!-- reference: begin -->\nstale<!-- reference: end -->")
    False
    """
    return _BETWEEN.sub(lambda found: found[1] + reference() + found[2], page)


def reference() -> str:
    """A table for each section, the terms and the codes of all mistakes.

    >>> print(reference().splitlines()[0])
    ### `[play]`
    >>> reference().index("escape_hatch")
    Traceback (most recent call last):
    ...
    ValueError: substring not found
    """
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for section in SECTIONS:
        yield from (f"### `[{section}]`", "", _sentence(section), "")
        yield from _settings_table(section)
        yield ""
    yield from ("### `[terms]`", "", "House words for output, text each. The terms are")
    yield from (", ".join(f"`{term}`" for term in TERMS) + ".", "")
    yield from ("### Mistakes", "", *_codes_table())


def _sentence(section: Section) -> str:
    return (_RECORDS[section].__doc__ or "").strip().replace("``", "`")


def _settings_table(section: Section) -> Iterator[str]:
    yield _row("setting", "values", "unit", "default", "applies with", "clause", "meaning")
    yield _row(*["---"] * 7)
    for spec in specs().values():
        if spec.section == section:
            yield _setting_row(spec)


def _setting_row(spec: Spec) -> str:
    setting = spec.setting
    when = ", ".join(f"`{key} = {_toml(value)}`" for key, value in setting.when)
    return _row(
        f"`{spec.key}`",
        values_text(spec),
        setting.unit,
        _default_text(setting.default),
        when or "always",
        setting.clause,
        setting.meaning,
    )


def values_text(spec: Spec) -> str:
    """What may stand there, as Markdown.

    >>> values_text(specs()["seats"]), values_text(specs()["share"])
    ('`2`, `4`', '0 to 100')
    """
    setting = spec.setting
    bounds = "" if setting.least is None else f"{setting.least:,} to {setting.most:,}"
    if setting.shape:
        is_whole = spec.type is int
        return setting.shape if is_whole or not bounds else f"{setting.shape} {bounds}"
    choices = (True, False) if spec.type is bool else get_args(spec.type)
    return bounds or ", ".join(f"`{_toml(choice)}`" for choice in choices)


def _default_text(default: Any) -> str:
    if default is REQUIRED:
        return "required"
    if default is None:
        return "none"
    return f"`{_toml(default)}`" if default != () else "`{}`"


def _codes_table() -> Iterable[str]:
    yield _row("code", "severity", "when")
    yield _row(*["---"] * 3)
    for code, (severity, meaning) in CODES.items():
        yield _row(f"`{code}`", severity.value, meaning)


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
