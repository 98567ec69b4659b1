"""Statements that only read: what users may send.

DuckDB lets a common table expression write (``WITH x AS (COPY ...)``), and calls such a
statement a SELECT; so the parsed statement is looked through, node by node.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import duckdb

from analytics.warehouse.errors import WarehouseError

_READING: Final = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
_EXPLAIN: Final = re.compile(r"\s*explain\s+(analyze\s+)?", re.IGNORECASE)


def check_reads_only(database: duckdb.DuckDBPyConnection, text: str) -> None:
    """Refuses whatever is not one statement that only reads.

    Args:
        database: parses the text; nothing is run.
        text: SQL; ``EXPLAIN`` may stand before it.

    Raises:
        WarehouseError: says what is wrong with it.
    """
    rows = database.execute("SELECT json_serialize_sql(?)", [_EXPLAIN.sub("", text, 1)])
    parsed = json.loads(rows.fetchall()[0][0])
    if parsed["error"]:
        raise WarehouseError(_sentence(parsed, text))
    if len(parsed["statements"]) != 1:
        count = len(parsed["statements"])
        raise WarehouseError(f"one statement is expected, and there are {count}.")
    if not set(_nodes(parsed)) <= _READING:
        raise WarehouseError(f"only statements that read can be run here. {_ADVICE}")


_ADVICE: Final = "Begin with SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN."


def _sentence(parsed: dict[str, Any], text: str) -> str:
    if parsed["error_type"] == "not implemented":
        return f"only statements that read can be run here. {_ADVICE}"
    place = int(parsed.get("position", 0)) + len(text) - len(_EXPLAIN.sub("", text, 1))
    return f"the query cannot be read: {parsed['error_message']} (character {place + 1})."


def _nodes(parsed: Any) -> Iterator[str]:
    """The types of all nodes of queries, however deep."""
    waiting = [parsed]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            kind = value.get("type")
            if isinstance(kind, str) and kind.endswith("_NODE"):
                yield kind
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
