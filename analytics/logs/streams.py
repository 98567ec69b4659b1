"""Bytes of a log, whatever it is packed in, as blocks of whole lines.

What a file is packed in is told by its first bytes, not by its name. A stream
is read in constant memory; a line may be 16 MiB long.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final, NamedTuple

from analytics.logs.sources import STANDARD_INPUT, SourceError

BLOCK: Final = 256 * 1024  # bytes; fits the second-level cache with all it becomes
LONGEST_LINE: Final = 16 * 1024 * 1024
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
PARQUET: Final = b"PAR1"
BOM: Final = b"\xef\xbb\xbf"
# How a text begins that is not UTF-8; a log begins with "{" or white space.
_OTHER_TEXT: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"{\x00", "utf-16-le"),
    (b"\x00{", "utf-16-be"),
)


class TornStream(Exception):  # noqa: N818  # a fact about a file
    """A packed stream that is cut off or damaged; everything before it was given out."""


class Block(NamedTuple):
    """Whole lines of a stream.

    Attributes:
        data: every line with its newline; only the last of the stream may lack it.
        offset: of the first byte in the unpacked stream.
        is_too_long: this is the beginning of one line that is longer than LONGEST_LINE.
    """

    data: bytes
    offset: int
    is_too_long: bool = False


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file, or standard input.

    Raises:
        SourceError: it cannot be opened.
    """
    if path == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115  # closed below
    except OSError as problem:
        raise SourceError(f"{path}: {problem.strerror or problem}") from problem
    with stream:
        yield stream


def first_bytes(stream: Any) -> bytes:
    """The first four bytes, which stay to be read."""
    start: bytes = stream.peek(4)[:4]
    return start


def other_encoding(start: bytes) -> str | None:
    """The encoding that a stream which begins like this has, where it is not UTF-8."""
    return next((name for magic, name in _OTHER_TEXT if start.startswith(magic)), None)


def unpacked(stream: BinaryIO) -> Iterator[bytes]:
    """The stream in pieces of any length.

    Raises:
        TornStream: gzip or zstd data that is cut off or damaged.
    """
    start = first_bytes(stream)
    if start.startswith(GZIP):
        return _gunzipped(stream)
    if start.startswith(ZSTD):
        return _unzstd(stream)
    return iter(lambda: stream.read(BLOCK), b"")


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

    packer = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    frame = None
    try:
        while packed := stream.read(BLOCK // 4):
            while packed:
                frame = frame or packer.decompressobj()
                yield frame.decompress(packed)
                packed = frame.unused_data if frame.eof else b""
                frame = None if frame.eof else frame
    except zstandard.ZstdError as problem:
        raise TornStream(str(problem)) from None
    if frame is not None:
        raise TornStream("the file ends too early")


def blocks(pieces: Iterable[bytes], offset: int = 0) -> Iterator[Block]:
    """The pieces cut anew, at line ends.

    Args:
        pieces: of a stream.
        offset: of the first byte.

    Raises:
        TornStream: as the pieces do, after everything before it was given out.
    """
    rest = b""
    dropped = 0  # bytes of a line that is too long: only its beginning is kept
    try:
        for piece in _gathered(pieces):
            if len(rest) > LONGEST_LINE:
                end = piece.find(b"\n") + 1
                dropped += end or len(piece)
                if not end:
                    continue
                yield Block(rest, offset, is_too_long=True)
                offset += len(rest) + dropped
                rest, dropped, piece = b"", 0, piece[end:]
            cut = piece.rfind(b"\n") + 1
            if cut:
                yield Block(b"".join((rest, memoryview(piece)[:cut])), offset)
                offset += len(rest) + cut
                rest = b""
            rest += piece[cut:]
    except TornStream:
        yield from _last(rest, offset)
        raise
    yield from _last(rest, offset)


def _last(rest: bytes, offset: int) -> Iterator[Block]:
    if rest:
        yield Block(rest, offset, len(rest) > LONGEST_LINE)


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of at least BLOCK, but for the last one."""
    held: list[bytes] = []
    torn = None
    try:
        for piece in pieces:
            held.append(piece)
            if sum(map(len, held)) >= BLOCK:
                yield b"".join(held)
                held = []
    except TornStream as problem:
        torn = problem
    if held:
        yield b"".join(held)
    if torn is not None:
        raise torn
