"""Text that is not UTF-8: telling so, guessing what it is, and reading it all the same."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Final

from analytics.findings import Code
from analytics.logs.flaws import Flaw
from analytics.logs.streams import BLOCK, Filler, Pieces

BOM: Final = b"\xef\xbb\xbf"
# How a text begins that is not UTF-8; a log begins with "{" or white space.
_OTHERS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"{\x00", "utf-16-le"),
    (b"\x00{", "utf-16-be"),
)
# Tried in this order; GBK is common with Chinese rooms.
_LIKELY: Final = ("utf-8", "gbk", "gb18030")
_UNLIKELY: Final = "latin-1"
_UNREADABLE: Final = "paipu.unreadable"


def other_encoding(start: bytes) -> str | None:
    """The encoding of a whole text that begins like this, where it cannot be UTF-8.

    >>> other_encoding("{}".encode("utf-16")), other_encoding(b'{"v"')
    ('utf-16', None)
    """
    return next((name for magic, name in _OTHERS if start.startswith(magic)), None)


def may_begin_log(start: bytes) -> bool:
    """Whether the text of a log may begin like this: with a brace or white space.

    >>> may_begin_log(BOM + b"{"), may_begin_log(b"hell"), may_begin_log(b"")
    (True, False, False)
    """
    first = start.removeprefix(BOM)[:1]
    return first in (b"{", b" ", b"\t", b"\r", b"\n") or other_encoding(start) is not None


def likely_encoding(raw: bytes) -> str:
    """The encoding that bytes likely have which are not UTF-8.

    >>> likely_encoding("财富场".encode("gbk")), likely_encoding(b"caf\\xe9")
    ('gbk', 'latin-1')
    """
    for name in _LIKELY:
        try:
            raw.decode(name)
        except UnicodeDecodeError:
            continue
        return name
    return _UNLIKELY


def needs_decoding(encoding: str | None) -> bool:
    """Whether text in this encoding is not UTF-8 as it stands.

    Raises:
        LookupError: there is no such encoding.
    """
    if encoding is None:
        return False
    return codecs.lookup(encoding).name not in ("utf-8", "utf-8-sig", "ascii")


def has_line_ends(encoding: str) -> bool:
    """Whether lines of text in this encoding end where the byte 10 stands.

    >>> has_line_ends("gbk"), has_line_ends("utf-16")
    (True, False)
    """
    return "1\n".encode(encoding) == b"1\n"


def as_utf8(line: bytes, encoding: str) -> bytes:
    """The line as UTF-8; what cannot be decoded becomes what is no UTF-8 either."""
    return line.decode(encoding, _UNREADABLE).encode("utf-8", "surrogatepass")


def decoding(fill: Filler, encoding: str) -> Filler:
    """Gives a text as UTF-8, where its lines can only be told from its beginning on.

    Args:
        fill: reads the text; what is given raises Flaw where nothing can be read at all.
        encoding: of the text.
    """
    return Pieces(_decoded(fill, encoding)).readinto


def _decoded(fill: Filler, encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(_UNREADABLE)
    memory = memoryview(bytearray(BLOCK))
    while size := fill(memory):
        piece = bytes(memory[:size])
        try:
            text = decoder.decode(piece)
        except UnicodeError:  # it does not begin as text in this encoding has to
            raise Flaw(Code.FORMAT_ENCODING, "$", None, asked=encoding) from None
        yield text.encode("utf-8", "surrogatepass")
    yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")


def _as_surrogates(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeDecodeError):
        raise problem
    return "\udcff" * (problem.end - problem.start), problem.end


codecs.register_error(_UNREADABLE, _as_surrogates)
