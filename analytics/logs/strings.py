"""``Strings``: many strings in one buffer, made one by one as they are asked for.

Most strings of a batch (ids, players) are never looked at while games are
verified, so none is made before somebody asks. The layout is Arrow's
(``large_string``), so that columns go to and from Arrow as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from analytics.logs.hashing import hashes_of

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Strings(Sequence[str]):
    """``n`` strings, none of them absent.

    Attributes:
        buffer: the UTF-8 of all of them, one after the other.
        at: int64 ``(n + 1,)``; string ``i`` is ``buffer[at[i]:at[i + 1]]``.

    >>> list(Strings.of(["u1", "张"])), Strings.of(["u1"]) == ["u1"]
    (['u1', '张'], True)
    >>> Strings.of(["u1"])[1]
    Traceback (most recent call last):
    ...
    IndexError: string 1 of 1
    """

    buffer: bytes
    at: Int64s

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        """The column of these texts."""
        pieces = [text.encode() for text in texts]
        at = np.zeros(len(pieces) + 1, np.int64)
        np.cumsum([len(piece) for piece in pieces], out=at[1:])
        return cls(b"".join(pieces), at)

    def __len__(self) -> int:
        return len(self.at) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Strings: ...
    def __getitem__(self, index: int | slice) -> str | Strings:
        if isinstance(index, slice):
            return Strings.of(list(self)[index])
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"string {index} of {len(self)}")
        return self.buffer[self.at[place] : self.at[place + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        spans = pairwise(self.at.tolist())
        if self.buffer.isascii():
            text = self.buffer.decode()
            return iter([text[start:stop] for start, stop in spans])
        return iter([self.buffer[start:stop].decode() for start, stop in spans])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and not isinstance(other, str):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as for lists

    def __array__(
        self,
        dtype: Any = None,
        copy: bool | None = None,  # noqa: FBT001  # numpy's protocol
    ) -> npt.NDArray[Any]:
        return np.array(list(self), dtype or object)

    def hashes(self) -> Int64s:
        """int64 ``(n,)``: XXH64 of each string's UTF-8; the key of an id."""
        return hashes_of(self.buffer, self.at)


@dataclass(frozen=True, slots=True, eq=False)
class MaybeStrings(Sequence[str | None]):
    """``n`` strings, some of them absent.

    Attributes:
        strings: the strings; an absent one is empty there.
        absent: bool ``(n,)``.
    """

    strings: Strings
    absent: Bools

    @classmethod
    def of(cls, texts: Iterable[str | None]) -> MaybeStrings:
        """The column of these texts."""
        listed = list(texts)
        absent = np.array([text is None for text in listed], np.bool_)
        return cls(Strings.of(text or "" for text in listed), absent)

    def __len__(self) -> int:
        return len(self.strings)

    @overload
    def __getitem__(self, index: int) -> str | None: ...
    @overload
    def __getitem__(self, index: slice) -> MaybeStrings: ...
    def __getitem__(self, index: int | slice) -> str | MaybeStrings | None:
        if isinstance(index, slice):
            return MaybeStrings(self.strings[index], self.absent[index])
        text = self.strings[index]
        return None if self.absent[index] else text

    def __iter__(self) -> Iterator[str | None]:
        pairs = zip(self.strings, self.absent.tolist(), strict=True)
        return iter([None if absent else text for text, absent in pairs])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and not isinstance(other, str):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __array__(
        self,
        dtype: Any = None,
        copy: bool | None = None,  # noqa: FBT001  # numpy's protocol
    ) -> npt.NDArray[Any]:
        return np.array(list(self), dtype or object)
