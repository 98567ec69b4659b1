"""The page about the tables, made from the tables themselves.

``python -m analytics.warehouse.reference docs/tables.md`` writes it anew; a test keeps
it in step.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from analytics.warehouse.families import EARLIER, OF_FAMILY, TABLES, tables_of
from analytics.warehouse.small import SMALL
from analytics.warehouse.tables import DAY, Column, Layer

_HEAD: Final = """\
<!-- Made by `python -m analytics.warehouse.reference docs/tables.md`. -->

# The tables of a warehouse

What `paipu load` writes and `paipu query` reads; [how a warehouse works](warehouse.md). Amounts
are 64-bit integers in the room's unit (`rulesets` names it); do not add up amounts of rulesets
with different units.
"""
_LAYERS: Final = {
    Layer.FACTS: "Facts: they depend on the log and on `[play]` alone.",
    Layer.VERDICT: f"Verdicts: the latest. What was settled before is in `{EARLIER}{{name}}`.",
    Layer.BOTH: f"The latest. Findings of verdicts that were replaced are in `{EARLIER}{{name}}`.",
}


def page() -> str:
    """The text of the page."""
    of_family = {table for own in OF_FAMILY.values() for table in own}
    common = [table for table in TABLES if table not in of_family]
    parts = [_HEAD, "## Common tables", *(_part(t.name) for t in common)]
    for family, own in OF_FAMILY.items():
        parts += [f"## Tables of {family}", *(_part(table.name) for table in own)]
    parts.append("## Small tables")
    parts += [_section(table.name, table.meaning, "", table.columns) for table in SMALL]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _part(name: str) -> str:
    table = next(t for t in tables_of(*Layer) if t.name == name)
    layer = _LAYERS[table.layer].format(name=name)
    return _section(name, table.meaning, layer, (*table.columns, DAY))


def _section(name: str, meaning: str, layer: str, columns: Iterable[Column]) -> str:
    head = f"### `{name}`\n\n{meaning}.{' ' + layer if layer else ''}\n"
    return "\n".join([head, *_rows(columns)])


def _rows(columns: Iterable[Column]) -> Iterator[str]:
    yield "| column | type | unit | meaning | null means |"
    yield "|---|---|---|---|---|"
    for c in columns:
        yield f"| `{c.name}` | {c.type} | {c.unit} | {c.meaning} | {c.null or '(never)'} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8", newline="\n")
