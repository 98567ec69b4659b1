"""Arrow arrays to numpy, without a Python object per value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from analytics.logs.batch import ABSENT

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_SEPARATOR: Final = ";"


@dataclass(frozen=True, slots=True)
class Texts:
    """``n`` strings.

    Attributes:
        chars: uint8, one string after the other.
        at: int64 ``(n + 1,)``: where each begins in ``chars``.
        is_null: bool ``(n,)``; a null is empty.
    """

    chars: npt.NDArray[np.uint8]
    at: Int64s
    is_null: Bools

    @classmethod
    def of(cls, array: Any) -> Texts:
        """The strings of an Arrow array of any string type."""
        filled = _without_nulls(array.cast(pa.large_string()), "")
        _, offsets, data = filled.buffers()
        at = _numbers(offsets, np.int64)[filled.offset : filled.offset + len(filled) + 1]
        chars = _numbers(data, np.uint8)[at[0] : at[-1]] if len(filled) else _NO_CHARS
        return cls(chars, at - at[0] if len(filled) else np.zeros(1, np.int64), nulls(array))

    def invalid(self) -> Bools:
        """bool ``(n,)``: which are no UTF-8; Arrow does not look."""
        n = len(self.is_null)
        begins = self.at[:-1][self.lengths() > 0]
        if _is_utf8(self.chars) and not np.any(self.chars[begins] & 0xC0 == 0x80):
            return np.zeros(n, np.bool_)
        spans = zip(self.at[:-1].tolist(), self.at[1:].tolist(), strict=True)
        return np.array([not _is_utf8(self.chars[a:b]) for a, b in spans], np.bool_)

    def lengths(self) -> Int64s:
        """int64 ``(n,)``: bytes of each."""
        return np.diff(self.at)


@dataclass(frozen=True, slots=True)
class Lists:
    """``n`` lists of ints.

    Attributes:
        values: int64, one list after the other; ABSENT for a null.
        at: int64 ``(n + 1,)``: where each begins in ``values``.
        is_null: bool ``(n,)``; a null list is empty.
    """

    values: Int64s
    at: Int64s
    is_null: Bools

    @classmethod
    def of(cls, array: Any) -> Lists:
        """The lists of an Arrow array of lists of ints."""
        return cls(ints(array.flatten()), list_starts(array), nulls(array))

    def lengths(self) -> Int64s:
        """int64 ``(n,)``: entries of each."""
        return np.diff(self.at)


def nulls(array: Any) -> Bools:
    """bool ``(n,)``: which are null."""
    if array.null_count == 0:
        return np.zeros(len(array), np.bool_)
    is_null: Bools = array.is_null().to_numpy(zero_copy_only=False)
    return is_null


def ints(array: Any) -> Int64s:
    """int64 ``(n,)``: the ints of an Arrow array; ABSENT for a null."""
    filled = _without_nulls(array.cast(pa.int64()), ABSENT)
    values: Int64s = filled.to_numpy(zero_copy_only=False)
    return values


def list_starts(array: Any) -> Int64s:
    """int64 ``(n + 1,)``: where each list begins in ``array.flatten()``."""
    lengths = _without_nulls(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False)
    at = np.zeros(len(array) + 1, np.int64)
    np.cumsum(lengths, out=at[1:])
    return at


def _without_nulls(array: Any, value: Any) -> Any:
    return pc.fill_null(array, value) if array.null_count else array


def any_in(marks: Bools, at: Int64s) -> Bools:
    """bool ``(n,)``: whether any of ``marks[at[i]:at[i + 1]]`` is set."""
    if not marks.any():
        return np.zeros(len(at) - 1, np.bool_)
    before = np.zeros(len(marks) + 1, np.int64)
    np.cumsum(marks, out=before[1:])
    found: Bools = np.diff(before[at]) > 0
    return found


def joined(array: Any) -> tuple[Texts, Bools]:
    """Strings of a list each as one text, and for which lists that cannot be said.

    Args:
        array: lists of strings, or strings that are joined already.

    Returns:
        The texts, and bool ``(n,)``: lists with a null in them, and such as
        ``columns.joins`` refuses.
    """
    if not is_list(array.type):
        return Texts.of(array), np.zeros(len(array), np.bool_)
    strings = array.flatten().cast(pa.string())
    at = list_starts(array)
    cannot = pc.match_substring(strings, _SEPARATOR).fill_null(fill_value=True)
    texts = Texts.of(pc.binary_join(array.cast(pa.list_(pa.string())), _SEPARATOR))
    is_one_empty = (np.diff(at) == 1) & (texts.lengths() == 0)
    return texts, any_in(cannot.to_numpy(zero_copy_only=False), at) | is_one_empty


def is_list(kind: Any) -> bool:
    """Whether an Arrow type is that of lists."""
    types = pa.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def is_text(kind: Any) -> bool:
    """Whether an Arrow type is that of strings, or of nothing but nulls."""
    types = pa.types
    if types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_null(kind)
    )


def is_int(kind: Any) -> bool:
    """Whether an Arrow type is that of ints that an int64 holds, or of nothing but nulls."""
    is_fitting = pa.types.is_integer(kind) and kind != pa.uint64()
    return bool(is_fitting or pa.types.is_null(kind))


def is_list_of(kind: Any, is_item: Callable[[Any], bool]) -> bool:
    """Whether an Arrow type is that of lists of such items, or of nothing but nulls."""
    return bool(pa.types.is_null(kind) or (is_list(kind) and is_item(kind.value_type)))


def _is_utf8(chars: npt.NDArray[np.uint8]) -> bool:
    try:
        str(chars.data, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _numbers(buffer: Any, dtype: Any) -> npt.NDArray[Any]:
    return np.frombuffer(buffer, dtype) if buffer is not None else np.zeros(0, dtype)


_NO_CHARS: Final = np.zeros(0, np.uint8)
