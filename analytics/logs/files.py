"""Where the bytes of a log lie: local files, standard input, and URLs through fsspec.

Everything that opens, measures or lists a log does it here, so that a log is read in the
same way wherever it lies.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Final

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT: Final = "-"
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_REMOTE_BLOCK: Final = 256 * 1024  # bytes asked for at a time; fsspec reads ahead itself


class SourceError(Exception):
    """A source that cannot be read; the text is a sentence for people."""


def is_url(path: str) -> bool:
    """Whether a path is for fsspec, and not for the file system of this machine.

    >>> is_url("s3://logs/a.jsonl"), is_url("logs/a.jsonl"), is_url("C:/a.jsonl")
    (True, False, False)
    """
    return _URL.match(path) is not None


def name_of(path: str) -> str:
    """The name of a file, without what a URL may say behind it.

    >>> name_of("https://room.example/a.jsonl.gz?part=2"), name_of("logs/b.parquet")
    ('a.jsonl.gz', 'b.parquet')
    """
    place = re.split("[?#]", path)[0] if is_url(path) else path
    return os.path.basename(place)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file, or standard input.

    Raises:
        SourceError: it cannot be opened; of a URL also later, when it cannot be read.
    """
    if path == STANDARD_INPUT:
        yield _peekable(sys.stdin.buffer)
        return
    with _opened_url(path) if is_url(path) else _opened_file(path) as stream:
        yield stream


def size_of(path: str) -> int | None:
    """Bytes of a file that can be read again, and in parts; None: it is a stream.

    Raises:
        SourceError: a URL that means nothing.
    """
    if is_url(path):
        return _size_of_url(path)
    return os.path.getsize(path) if os.path.isfile(path) else None


def file_system(url: str) -> tuple[Any, str]:
    """What fsspec reads a URL with, and the path that it has there.

    Raises:
        SourceError: fsspec, or what it needs for such URLs, is not installed; or nobody
            knows such URLs.
    """
    try:
        core: Any = import_module("fsspec.core")
    except ModuleNotFoundError:
        raise SourceError(f"{url}: to read URLs, install paipu[cluster]") from None
    with said_of(url):
        found: tuple[Any, str] = core.url_to_fs(url)
        return found


@contextmanager
def said_of(url: str) -> Iterator[None]:
    """Turns whatever the library behind a URL raises into a sentence on the URL.

    Raises:
        SourceError: with the sentence.
    """
    try:
        yield
    except (SourceError, GeneratorExit):
        raise
    except FileNotFoundError:
        raise SourceError(f"{url}: there is no such file or folder") from None
    except Exception as problem:
        raise SourceError(f"{url}: {str(problem) or type(problem).__name__}") from problem


def _opened_file(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as problem:
        raise SourceError(f"{path}: {problem.strerror or problem}") from problem


def _opened_url(url: str) -> BinaryIO:
    system, path = file_system(url)
    with said_of(url):
        return io.BufferedReader(_Remote(system.open(path, "rb"), url), _REMOTE_BLOCK)


def _size_of_url(url: str) -> int | None:
    system, path = file_system(url)
    with said_of(url):
        size: int | None = system.info(path).get("size")
        return size


def _peekable(stream: Any) -> BinaryIO:
    found: BinaryIO = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    return found


class _Remote(io.RawIOBase):
    """A file of fsspec, read as a file of this machine is."""

    def __init__(self, file: Any, url: str) -> None:
        self._file = file
        self._url = url

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        with said_of(self._url):
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, memory: WriteableBuffer) -> int:
        room = memoryview(memory)
        with said_of(self._url):
            piece = self._file.read(len(room))
        room[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
