"""A ruleset dict as the TOML that an operator would write."""

from __future__ import annotations

import json
from typing import Any


def as_toml(rules: dict[str, Any]) -> str:
    """The text of a ruleset file.

    >>> print(as_toml({"name": "a", "play": {"seats": 2}}))
    name = "a"
    [play]
    seats = 2
    <BLANKLINE>
    """
    lines = [f"{key} = {_value(x)}" for key, x in rules.items() if not isinstance(x, dict)]
    for section, settings in rules.items():
        if isinstance(settings, dict):
            lines.append(f"[{section}]")
            lines += [f"{key} = {_value(value)}" for key, value in settings.items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(x)}" for key, x in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(x) for x in value) + "]"
    return json.dumps(value)
