"""Bytes of a log, whatever it is packed in, as blocks of whole lines.

What a file is packed in is told by its first bytes, not by its name; the name only
tells that a file is broken which should be packed and begins like nothing at all. A
stream is read in constant memory; a line may be 16 MiB long.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final, NamedTuple

from analytics.logs.files import name_of

BLOCK: Final = 256 * 1024  # bytes; fits the second-level cache with all it becomes
LONGEST_LINE: Final = 16 * 1024 * 1024
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
PARQUET: Final = b"PAR1"
PACKED: Final = (GZIP, ZSTD, PARQUET)
PACKED_ENDINGS: Final = (".gz", ".zst", ".parquet")
# Reads into memory; says how many bytes, 0 at the end.
Filler = Callable[[memoryview], int]


class TornStream(Exception):  # a fact about a file
    """A packed stream that is cut off or damaged; everything before it was given out."""


class Block(NamedTuple):
    """Whole lines of a stream, each with its newline.

    Attributes:
        memory: holds them; the next block will be there too.
        stop: they are ``memory[:stop]``.
        offset: of the first byte in the unpacked stream.
        is_ended: whether a newline stands in the stream behind the last line, or was
            only added here.
        is_too_long: this is the beginning of one line that is longer than LONGEST_LINE.
    """

    memory: bytearray
    stop: int
    offset: int
    is_ended: bool = True
    is_too_long: bool = False


_LARGEST_WINDOW: Final = 1 << 27  # what zstd itself unpacks unless it is told otherwise
# A block of 128 KiB may be packed into four bytes, and all that a piece holds comes out
# at once: from 1 KiB at most 32 MiB.
_PACKED_PIECE: Final = 1 << 10


def first_bytes(stream: Any) -> bytes:
    """The first four bytes, which stay to be read."""
    start: bytes = stream.peek(4)[:4]
    return start


def is_named_packed(path: str) -> bool:
    """Whether a file is packed by its name.

    >>> is_named_packed("a.jsonl.gz"), is_named_packed("a.jsonl")
    (True, False)
    """
    return name_of(path).lower().endswith(PACKED_ENDINGS)


def unpacked(stream: Any) -> Filler:
    """Gives the bytes of a stream, whatever it is packed in.

    The filler raises TornStream at the end of gzip or zstd data that is cut off or
    damaged.
    """
    start = first_bytes(stream)
    if start.startswith(GZIP):
        return Pieces(_gunzipped(stream)).readinto
    if start.startswith(ZSTD):
        return Pieces(_unzstd(stream)).readinto
    filler: Filler = stream.readinto
    return filler


class Pieces:
    """Pieces of bytes, read as from a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readinto(self, memory: memoryview) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        size = min(len(memory), len(self._rest))
        memory[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def range_of(stream: BinaryIO, start: int, stop: int | None) -> tuple[Filler, int]:
    """Gives the lines of a plain file that begin within a range of bytes.

    Args:
        stream: the file.
        start, stop: ``start`` within the range and ``stop`` not; None: the end.

    Returns:
        What reads them, and where the first of them begins.
    """
    after = stream.seek(0, os.SEEK_END) if stop is None else _line_start(stream, stop)
    first = _line_start(stream, start)
    stream.seek(first)
    left = max(0, after - first)

    def fill(memory: memoryview) -> int:
        nonlocal left
        size: int = stream.readinto(memory[:left])  # type: ignore[attr-defined]
        left -= size
        return size

    return fill, first


def _line_start(stream: BinaryIO, place: int) -> int:
    """Where the first line begins at a place or behind it; the end if there is none."""
    if place <= 0:
        return 0
    stream.seek(place - 1)
    while piece := stream.readline(BLOCK):
        if piece.endswith(b"\n"):
            break
    return stream.tell()


def _gunzipped(stream: BinaryIO) -> Iterator[bytes]:
    """All members, one after the other; zeros after the last one are padding."""
    member = None
    try:
        while packed := stream.read(BLOCK):
            while packed:
                if member is None:
                    packed = packed.lstrip(b"\0")
                    member = zlib.decompressobj(wbits=31) if packed else None
                    continue
                yield member.decompress(packed, BLOCK)
                packed = member.unconsumed_tail or member.unused_data
                member = None if member.eof else member
    except zlib.error as problem:
        raise TornStream(str(problem)) from None
    if member is not None:
        yield member.flush()
        if not member.eof:
            raise TornStream("the file ends too early")


def _unzstd(stream: BinaryIO) -> Iterator[bytes]:
    """All frames, one after the other."""
    import zstandard  # only where it is needed: start-up time

    packer = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    frame = None
    try:
        while packed := stream.read(_PACKED_PIECE):
            while packed:
                frame = frame or packer.decompressobj()
                yield frame.decompress(packed)
                packed = frame.unused_data if frame.eof else b""
                frame = None if frame.eof else frame
    except zstandard.ZstdError as problem:
        raise TornStream(str(problem)) from None
    if frame is not None:
        raise TornStream("the file ends too early")


def blocks(fill: Filler, offset: int = 0) -> Iterator[Block]:
    """The stream cut at line ends.

    Args:
        fill: reads the stream.
        offset: of its first byte.

    Raises:
        TornStream: as the filler does, after everything before it was given out.
    """
    cutter = _Cutter(fill, offset)
    yield from cutter.blocks()
    if cutter.torn is not None:
        raise cutter.torn


class _Cutter:
    """Cuts a stream at line ends, in memory that is used again and again.

    Attributes:
        torn: why the stream ended too early; None where it did not.
    """

    def __init__(self, fill: Filler, offset: int) -> None:
        self.torn: TornStream | None = None
        self._fill_memory = fill
        self._offset = offset  # of the first byte in memory
        self._memory = bytearray(BLOCK)
        self._held = 0  # bytes in memory
        self._is_at_end = False
        self._is_skipping = False  # inside a line that is too long

    def blocks(self) -> Iterator[Block]:
        while not self._is_at_end:
            self._fill()
            if self._is_skipping:
                self._skip()
            stop = self._memory.rfind(b"\n", 0, self._held) + 1
            if stop:
                yield Block(self._memory, stop, self._offset)
                self._drop(stop)
            elif self._held >= LONGEST_LINE:
                yield Block(self._memory, self._held, self._offset, is_too_long=True)
                self._drop(self._held)
                self._is_skipping = True
            elif self._held + 1 == len(self._memory):
                self._memory = self._memory + bytearray(len(self._memory))
        if self._held:
            self._memory[self._held] = 10  # there is always room for one newline
            yield Block(self._memory, self._held + 1, self._offset, is_ended=False)

    def _fill(self) -> None:
        """Reads until memory is full but for one byte, or to the end."""
        free = memoryview(self._memory)[self._held : -1]
        size = 0
        try:
            while size < len(free) and (got := self._fill_memory(free[size:])):
                size += got
        except TornStream as problem:
            self.torn = problem
        self._is_at_end = size < len(free)
        self._held += size

    def _skip(self) -> None:
        """Lets go of a line that is too long, up to its end if that has come."""
        start = self._memory.find(b"\n", 0, self._held) + 1
        self._is_skipping = not start
        self._drop(start or self._held)

    def _drop(self, size: int) -> None:
        """Lets go of the first bytes in memory."""
        self._memory[: self._held - size] = self._memory[size : self._held]
        self._held -= size
        self._offset += size
