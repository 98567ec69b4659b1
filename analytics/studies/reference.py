"""The page about the studies, made from the studies themselves.

``python -m analytics.studies.reference docs/studies.md`` writes it anew; a test keeps it
in step.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from analytics.studies.registry import STUDIES
from analytics.studies.scope import OF_GAMES
from analytics.studies.study import Study
from analytics.warehouse.tables import Column

_HEAD: Final = """\
<!-- Made by `python -m analytics.studies.reference docs/studies.md`. -->

# Studies

What [`paipu study`](commands/study.md) and `open_warehouse(…).study(…)` answer, and with which
columns. A frame begins with the columns that it is grouped by. Every rate has its count and its
opportunities beside it, and an interval of 95 % as `NAME_low` and `NAME_high`.
[How studies are built](decisions/0011-studies.md).

Amounts are 64-bit integers in the room's unit, and are never added up across units.
"""
_GAMES: Final = "## Columns of games\n\nEvery study can be grouped by these.\n"


def page() -> str:
    """The text of the page."""
    index = "\n".join(f"- [`{s.name}`](#{_anchor(s.name)}): {s.question}" for s in STUDIES.values())
    games = "\n".join([_GAMES, *_rows(OF_GAMES)])
    parts = [_HEAD, index, games, *(_section(study) for study in STUDIES.values())]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _anchor(name: str) -> str:
    return name.replace(".", "")


def _section(study: Study) -> str:
    by = f" Grouped by {_names(study.by)} where nothing else is asked for." if study.by else ""
    head = f"## `{study.name}`\n\n{study.question} A row: {study.rows}{by}\n"
    parts = [head]
    for title, columns in (
        ("It can be grouped by these as well:", study.own),
        ("It is always grouped by:", study.always),
        ("Then it has:", study.columns),
    ):
        if columns:
            parts.append("\n".join([f"{title}\n", *_rows(columns)]) + "\n")
    return "\n".join(parts)


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _rows(columns: Iterable[Column]) -> Iterator[str]:
    yield "| column | type | unit | meaning | null means |"
    yield "|---|---|---|---|---|"
    for c in columns:
        yield f"| `{c.name}` | {c.type} | {c.unit} | {c.meaning} | {c.null or '(never)'} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8", newline="\n")
