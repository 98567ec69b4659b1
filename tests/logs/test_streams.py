"""Streams, whatever they are packed in, cut into blocks of whole lines."""

from __future__ import annotations

import gzip
import io
import zlib
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from analytics.logs import streams
from analytics.logs.files import SourceError, opened
from analytics.logs.streams import Pieces, TornStream, blocks, range_of, unpacked

LINES = b"".join(b"line %d\n" % i for i in range(5000))


def take(stream: bytes, into: bytearray) -> bytearray:
    """Everything that the blocks of a stream hold, as far as they come."""
    for block in blocks(unpacked(io.BufferedReader(io.BytesIO(stream)))):
        into += block.memory[: block.stop]
    return into


@given(st.binary(max_size=300).map(lambda raw: raw.replace(b"a", b"\n")), st.integers(2, 40))
def test_blocks_are_whole_lines(content: bytes, size: int) -> None:
    """Every byte comes once, in order, at its offset, and no line is cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "BLOCK", size)
        found = [
            (bytes(block.memory[: block.stop]), block.offset, block.is_ended)
            for block in blocks(io.BytesIO(content).readinto)
        ]
    assert b"".join(data for data, _, _ in found) in (content, content + b"\n")
    at = 0
    for data, offset, _ in found:
        assert offset == at
        assert data.endswith(b"\n")
        at += len(data)
    if found:
        assert found[-1][2] == content.endswith(b"\n")


def test_a_line_that_is_too_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its beginning is given out once, and its neighbours as they are."""
    monkeypatch.setattr(streams, "BLOCK", 16)
    monkeypatch.setattr(streams, "LONGEST_LINE", 40)
    content = b"one\n" + b"x" * 500 + b"\ntwo\n" + b"y" * 30 + b"\nthree\n"
    lines: list[bytes] = []
    offsets = []
    for block in blocks(io.BytesIO(content).readinto):
        offsets.append(block.offset)
        if block.is_too_long:
            lines.append(bytes(block.memory[:4]))
        else:
            lines += bytes(block.memory[: block.stop]).splitlines()
    assert lines == [b"one", b"xxxx", b"two", b"y" * 30, b"three"]
    assert content[offsets[1] : offsets[1] + 1] == b"x"
    assert content[offsets[2] :].startswith(b"two")


def test_a_last_line_that_is_too_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no newline ever comes."""
    monkeypatch.setattr(streams, "BLOCK", 16)
    monkeypatch.setattr(streams, "LONGEST_LINE", 40)
    found = [block.is_too_long for block in blocks(io.BytesIO(b"x" * 999).readinto)]
    assert found == [True]


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress(LINES),
        gzip.compress(LINES[:999]) + gzip.compress(LINES[999:]) + b"\0" * 40,
        zstandard.compress(LINES),
        zstandard.compress(LINES[:999]) + zstandard.compress(LINES[999:]),
        b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd".join([zstandard.compress(LINES), b""]),
        zstandard.ZstdCompressor(level=19).compress(LINES),
    ],
)
def test_packed_streams_are_read_whole(packed: bytes) -> None:
    """All members and frames, zeros behind them and skippable frames between them."""
    assert take(packed, bytearray()) == LINES


@pytest.mark.parametrize(
    "pack", [gzip.compress, zstandard.ZstdCompressor(write_checksum=True).compress]
)
@pytest.mark.parametrize("change", ["cut", "flip", "garbage"])
def test_a_damaged_stream_is_torn_behind_what_is_good(pack: object, change: str) -> None:
    """What was unpacked before the damage is given out first."""
    packed = bytearray(pack(LINES))  # type: ignore[operator]
    if change == "cut":
        packed = packed[:-9]
    elif change == "flip":
        packed[len(packed) // 2] ^= 0xFF
    else:
        packed += b"garbage"
    found = bytearray()
    with pytest.raises(TornStream):
        take(bytes(packed), found)
    assert change == "flip" or LINES.startswith(found[:-1])


def test_much_that_is_packed_small_comes_in_small_pieces() -> None:
    """A gzip stream that unpacks to a thousand times its size stays small in memory."""
    packed = zlib.compressobj(9, wbits=31)
    content = packed.compress(b"\n" * 50_000_000) + packed.flush()
    pieces = list(streams._gunzipped(io.BytesIO(content)))
    assert max(map(len, pieces)) <= streams.BLOCK
    assert sum(map(len, pieces)) == 50_000_000


def test_pieces_are_read_as_from_a_file() -> None:
    """Empty pieces are no end."""
    pieces = Pieces(iter([b"", b"abc", b"", b"de"]))
    memory = bytearray(2)
    found = []
    while size := pieces.readinto(memoryview(memory)):
        found.append(bytes(memory[:size]))
    assert b"".join(found) == b"abcde"


@given(st.lists(st.integers(0, 60), min_size=1, max_size=6), st.booleans())
def test_ranges_side_by_side_give_every_line_once(cuts: list[int], is_ended: bool) -> None:
    """Wherever a file is cut, and whether its last line has a newline."""
    content = b"a\n\nbcd\nefghijklmnop\n\n\nq\nrstuvw" + b"\n" * is_ended
    edges = [0, *sorted(cuts), len(content)]
    found = b""
    for start, stop in pairwise(edges):
        stream = io.BufferedReader(io.BytesIO(content))
        fill, first = range_of(stream, start, stop)
        for block in blocks(fill, first):
            assert block.offset == len(found)
            found += bytes(block.memory[: block.stop - (not block.is_ended)])
    assert found == content


def test_a_source_that_is_not_there_is_said_clearly(tmp_path: Path) -> None:
    """The path and the reason."""
    with (
        pytest.raises(SourceError, match=r"gone\.jsonl: No such file"),
        opened(str(tmp_path / "gone.jsonl")),
    ):
        pass
