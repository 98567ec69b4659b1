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
        if not len(array):
            return cls(_NO_CHARS, np.zeros(1, np.int64), np.zeros(0, np.bool_))
        is_null = nulls(array)
        if not pa.types.is_string(array.type):
            array = array.cast(pa.large_string())
        _, offsets, data = array.buffers()
        width = np.int32 if pa.types.is_string(array.type) else np.int64
        at = _numbers(offsets, width)[array.offset : array.offset + len(array) + 1]
        if is_null.any() and np.diff(at)[is_null].any():  # anything may stand behind a null
            filled = cls.of(pc.fill_null(array, ""))
            return cls(filled.chars, filled.at, is_null)
        return cls(_numbers(data, np.uint8)[at[0] : at[-1]], _from_zero(at), is_null)

    def invalid(self) -> Bools:
        """bool ``(n,)``: which are no UTF-8; Arrow does not look."""
        n = len(self.is_null)
        if int(self.chars.max(initial=0)) < 128:
            return np.zeros(n, np.bool_)
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
    if not pa.types.is_int64(array.type):
        array = array.cast(pa.int64())
    values: Int64s = _without_nulls(array, ABSENT).to_numpy(zero_copy_only=False)
    return values


def list_starts(array: Any) -> Int64s:
    """int64 ``(n + 1,)``: where each list begins in ``array.flatten()``."""
    if len(array) and array.null_count == 0 and pa.types.is_list(array.type):
        return _from_zero(array.offsets.to_numpy())
    lengths = _without_nulls(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False)
    at = np.zeros(len(array) + 1, np.int64)
    np.cumsum(lengths, out=at[1:])
    return at


def fields_of(structs: Any, name: str) -> Any:
    """A field of an Arrow array of structs; null where the struct is null."""
    place = structs.type.get_field_index(name)
    # A path of one step, since a name may have dots.
    return pc.struct_field(structs, [place]) if structs.null_count else structs.field(place)


def _from_zero(at: Any) -> Int64s:
    """Places as int64 that begin with 0."""
    begins: Int64s = at.astype(np.int64)
    begins -= begins[0]
    return begins


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
    numbers: npt.NDArray[Any] = np.frombuffer(b"" if buffer is None else buffer, dtype)
    numbers.flags.writeable = False  # always, so that kernels are compiled for one kind of array
    return numbers


_NO_CHARS: Final = _numbers(None, np.uint8)
