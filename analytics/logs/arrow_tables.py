"""A batch as a table of Arrow columns, as the Parquet form has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analytics.logs.arrow_schema import EXTRA, SCHEMA
from analytics.logs.batch import ABSENT, END_NAMES, LABELS, GameBatch, Recorded, TextColumn
from analytics.logs.checking import KOUS
from analytics.logs.moments import moment_texts
from analytics.logs.strings import MaybeStrings, Strings

Int64s = npt.NDArray[np.int64]
_TEXTS = pa.list_(pa.string())


def table_of(batch: GameBatch, *, as_lists: bool = False) -> Any:
    """The games of a batch as an Arrow table.

    Args:
        batch: of any size.
        as_lists: whether ``hands`` and ``actions`` are lists of strings; joined
            texts otherwise, which a batch has to have.
    """
    n = len(batch)
    columns = {
        "v": pa.array(np.ones(n, np.int64)),
        "game": pa.array([batch.family] * n, pa.string()),
        "id": _strings(batch.id),
        "rules": _strings(batch.rules),
        "start": _moments(batch.start, batch.start_zone),
        "end": _moments(batch.end, batch.end_zone),
        "seats": _seats(batch),
        "shown": _strings(batch.shown),
        "first": pa.array(batch.first),
        "base": _ints(batch.base),
        "hands": _texts(batch.hands, n, as_lists=as_lists),
        "actions": _texts(batch.actions, n, as_lists=as_lists),
        "times": _times(batch),
        "result": _result(batch.recorded, batch.seats_at),
        **{name: _label(batch, name) for name in LABELS},
        EXTRA: _extra(batch),
    }
    schema = schema_of(as_lists=as_lists)
    return pa.table([columns[name] for name in schema.names], schema=schema)


def schema_of(*, as_lists: bool) -> Any:
    """The columns as ``table_of`` gives them."""
    if not as_lists:
        return SCHEMA
    schema = SCHEMA
    for name in ("hands", "actions"):
        schema = schema.set(schema.get_field_index(name), pa.field(name, _TEXTS))
    return schema


def with_lists(table: Any) -> Any:
    """The same games with ``hands`` and ``actions`` as lists."""
    for name in ("hands", "actions"):
        at = table.schema.get_field_index(name)
        texts = table.column(name)
        empty = pa.scalar([], _TEXTS)
        lists = pc.if_else(pc.equal(texts, ""), empty, pc.split_pattern(texts, ";"))
        table = table.set_column(at, pa.field(name, _TEXTS), lists)
    return table


def _strings(column: Any) -> Any:
    """Strings as they lie in memory, where they do."""
    if isinstance(column, MaybeStrings):
        absent = pa.array(column.absent)
        return pc.if_else(absent, pa.scalar(None, pa.string()), _strings(column.strings))
    if not isinstance(column, Strings):
        return pa.array(list(column), pa.string())
    buffers = [None, pa.py_buffer(column.at), pa.py_buffer(column.buffer)]
    return pa.Array.from_buffers(pa.large_string(), len(column), buffers).cast(pa.string())


def _ints(values: Int64s) -> Any:
    return pa.array(values, mask=values == ABSENT)


def _moments(micros: Int64s, zones: npt.NDArray[np.int16]) -> Any:
    is_absent = micros == ABSENT
    texts = moment_texts(np.where(is_absent, 0, micros), zones)
    return pa.array(np.array(texts, object), pa.string(), mask=is_absent)


def _label(batch: GameBatch, name: str) -> Any:
    column = batch.labels.get(name)
    return pa.nulls(len(batch), pa.string()) if column is None else _strings(column)


def _extra(batch: GameBatch) -> Any:
    return pa.array(batch.extra or [None] * len(batch), pa.binary()).cast(pa.string())


def _texts(column: TextColumn, n: int, *, as_lists: bool) -> Any:
    if as_lists:
        return pa.array([column.strings(i) for i in range(n)], _TEXTS)
    return _strings(Strings(column.buffer, column.at))


def _lists(values: Any, at: Int64s, is_null: npt.NDArray[np.bool_], kind: Any) -> Any:
    return pa.ListArray.from_arrays(
        pa.array(at.astype(np.int32)), values, type=kind, mask=pa.array(is_null)
    )


def _seats(batch: GameBatch) -> Any:
    kind = SCHEMA.field("seats").type
    seats = pa.StructArray.from_arrays(
        [_strings(batch.player), pa.array(batch.balance)], fields=list(kind.value_type)
    )
    return _lists(seats, batch.seats_at, np.zeros(len(batch), np.bool_), kind)


def _times(batch: GameBatch) -> Any:
    is_null = np.diff(batch.times_at) == 0
    return _lists(pa.array(batch.times), batch.times_at, is_null, SCHEMA.field("times").type)


def _result(recorded: Recorded, seats_at: Int64s) -> Any:
    kind = SCHEMA.field("result").type
    parts = [_part(recorded, field.name, seats_at) for field in kind]
    is_null = np.logical_and.reduce(
        [part.is_null().to_numpy(zero_copy_only=False) for part in parts]
    )
    return pa.StructArray.from_arrays(parts, fields=list(kind), mask=pa.array(is_null))


def _part(recorded: Recorded, name: str, seats_at: Int64s) -> Any:
    values = getattr(recorded, name)
    if name == "end":
        return pa.array([END_NAMES[end] for end in values.tolist()], pa.string())
    if name == "kou":
        return pa.array([KOUS[kou] if kou >= 0 else None for kou in values.tolist()], pa.string())
    if name in ("winner", "doubling"):
        return _ints(values)
    is_null = values[seats_at[:-1]] == ABSENT
    return _lists(pa.array(values), seats_at, is_null, pa.list_(pa.int64()))
