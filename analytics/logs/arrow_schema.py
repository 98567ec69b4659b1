"""The columns of the Parquet form: as they are written, and what else is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import pyarrow as pa

from analytics.findings import Code
from analytics.logs import flaws
from analytics.logs.arrow_values import is_int, is_list, is_list_of, is_text
from analytics.logs.batch import LABELS
from analytics.logs.flaws import Flaw, missing, wrong

_AMOUNTS: Final = pa.list_(pa.int64())
_SEAT: Final = pa.struct([("player", pa.string()), ("balance", pa.int64())])
_RESULT: Final = pa.struct(
    [
        ("end", pa.string()),
        ("winner", pa.int64()),
        ("places", _AMOUNTS),
        ("kou", pa.string()),
        ("xiang", _AMOUNTS),
        ("doubling", pa.int64()),
        ("contribution", _AMOUNTS),
        ("delta", _AMOUNTS),
        ("fee", _AMOUNTS),
        ("balance", _AMOUNTS),
    ]
)

# In the order of the log format; ``hands`` and ``actions`` are joined by ";", and
# ``extra`` is a JSON object with the fields that the format does not know.
SCHEMA: Final = pa.schema(
    [
        ("v", pa.int64()),
        ("game", pa.string()),
        ("id", pa.string()),
        ("rules", pa.string()),
        ("room", pa.string()),
        ("start", pa.string()),
        ("end", pa.string()),
        ("seats", pa.list_(_SEAT)),
        ("shown", pa.string()),
        ("first", pa.int64()),
        ("base", pa.int64()),
        ("hands", pa.string()),
        ("actions", pa.string()),
        ("times", _AMOUNTS),
        ("result", _RESULT),
        *((name, pa.string()) for name in LABELS if name != "room"),
        ("extra", pa.string()),
    ]
)
EXTRA: Final = "extra"
_NEEDED: Final = ("v", "game", "id", "rules", "seats", "first", "hands", "actions")


def wrong_columns(schema: Any) -> Iterator[Flaw]:
    """The columns that are missing, twice, or cannot be what the log format says they are."""
    twice = [name for name, count in Counter(schema.names).items() if count > 1]
    yield from (Flaw(Code.FORMAT_JSON, f"$.{name}", flaws.A_KEY_ONCE, name) for name in twice)
    for field in SCHEMA:
        if field.name in twice:
            continue
        path = f"$.{field.name}"
        if field.name in schema.names:
            kind = schema.field(field.name).type
            is_right, expected = _expected(field.name)
            if field.name != EXTRA and not is_right(kind):
                yield wrong(path, expected, str(kind))
        elif field.name in _NEEDED:
            yield missing(path, _expected(field.name)[1])


def unknown_columns(schema: Any) -> Iterator[tuple[str, str]]:
    """What the format does not know: its name, and the column that it is in."""
    for field in schema:
        kind = field.type
        if field.name not in SCHEMA.names or (field.name == EXTRA and not is_text(kind)):
            yield field.name, field.name
        elif field.name == "seats" and is_list(kind):
            yield from ((f"seats[].{own}", "seats") for own in _others(kind.value_type, _SEAT))
        elif field.name == "result" and pa.types.is_struct(kind):
            yield from ((f"result.{own}", "result") for own in _others(kind, _RESULT))


def _others(kind: Any, known: Any) -> list[str]:
    return [own.name for own in kind if known.get_field_index(own.name) < 0]


def _expected(name: str) -> tuple[Callable[[Any], bool], str]:
    """Which types a column may have, and how to say so."""
    if name in ("hands", "actions"):
        return _is_text_or_texts, flaws.A_STRINGS_COLUMN
    if name == "seats":
        return lambda kind: is_list_of(kind, _is_seat), flaws.A_SEATS_COLUMN
    if name == "result":
        return _is_result, flaws.A_RESULT_COLUMN
    if name == "times":
        return lambda kind: is_list_of(kind, is_int), flaws.AN_INTS_COLUMN
    if pa.types.is_integer(SCHEMA.field(name).type):
        return is_int, flaws.AN_INT_COLUMN
    return is_text, flaws.A_STRING_COLUMN


def _is_text_or_texts(kind: Any) -> bool:
    return is_text(kind) or is_list_of(kind, is_text)


def _is_seat(kind: Any) -> bool:
    if not _is_object(kind) or not {"player", "balance"} <= set(kind.names):
        return False
    return is_text(kind.field("player").type) and is_int(kind.field("balance").type)


def _is_result(kind: Any) -> bool:
    """Whether every part that is known has its type."""
    if not _is_object(kind):
        return bool(pa.types.is_null(kind))
    known = [own for own in kind if _RESULT.get_field_index(own.name) >= 0]
    return all(_is_part(own.type, _RESULT.field(own.name).type) for own in known)


def _is_object(kind: Any) -> bool:
    """Whether an Arrow type is that of structs, each field of them once."""
    return bool(pa.types.is_struct(kind)) and len(set(kind.names)) == kind.num_fields


def _is_part(kind: Any, usual: Any) -> bool:
    if is_list(usual):
        return is_list_of(kind, is_int)
    return is_int(kind) if pa.types.is_integer(usual) else is_text(kind)
