"""Which files are meant: files, folders, globs and standard input to ``Source``s."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

STANDARD_INPUT: Final = "-"
_LOG_ENDINGS: Final = (
    *(
        f"{plain}{packed}"
        for plain in (".jsonl", ".ndjson", ".json")
        for packed in ("", ".gz", ".zst")
    ),
    ".parquet",
)
_TEMPORARY: Final = (".tmp", ".part", ".partial", ".swp", "~")


class SourceError(Exception):
    """A source that cannot be read; the text is a sentence for people."""


class Source(NamedTuple):
    """One file to be read.

    Attributes:
        path: as given or found; "-" is standard input.
        ordinal: place among all sources, from 0.
    """

    path: str
    ordinal: int = 0


def find_sources(arguments: Sequence[str]) -> list[Source]:
    """The sources that these arguments mean, each once, ordered by path as bytes.

    Args:
        arguments: files (of any name), folders (searched for logs, hidden and
            temporary files left out), globs, or "-".

    Raises:
        SourceError: an argument that means nothing.
    """
    found: dict[str, str] = {}
    for argument in arguments:
        for path in _paths(argument):
            known = found.setdefault(_identity(path), path)
            found[_identity(path)] = min(known, path, key=os.fsencode)
    ordered = sorted(found.values(), key=os.fsencode)
    return [Source(path, ordinal) for ordinal, path in enumerate(ordered)]


def is_log(name: str) -> bool:
    """Whether a file in a folder is taken for a log, by its name.

    >>> is_log("a.jsonl.gz"), is_log("a.parquet"), is_log(".a.jsonl"), is_log("a.jsonl.tmp")
    (True, True, False, False)
    """
    return not _is_passing(name) and name.lower().endswith(_LOG_ENDINGS)


def _is_passing(name: str) -> bool:
    """Whether a file is hidden or still being written, by its name."""
    return name.startswith((".", "~")) or name.endswith(_TEMPORARY)


def _paths(argument: str) -> Iterator[str]:
    if argument == STANDARD_INPUT or os.path.isfile(argument):
        return iter([_normal(argument)])
    if os.path.isdir(argument):
        return _logs_in(argument)
    if os.path.exists(argument):  # a pipe, a device
        return iter([argument])
    matches = glob.glob(argument, recursive=True)
    if not matches:
        what = "matches no file" if glob.has_magic(argument) else "there is no such file or folder"
        raise SourceError(f"{argument}: {what}")
    return (path for match in matches for path in _matched(match))


def _matched(path: str) -> Iterator[str]:
    if os.path.isdir(path):
        return _logs_in(path)
    return iter([] if _is_passing(os.path.basename(path)) else [_normal(path)])


def _logs_in(folder: str) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            path = os.path.join(parent, name)
            if is_log(name) and os.path.isfile(path):
                yield _normal(path)


def _normal(path: str) -> str:
    return path if path == STANDARD_INPUT else os.path.normpath(path)


def _identity(path: str) -> str:
    """The same for every spelling of one path, links resolved."""
    return path if path == STANDARD_INPUT else str(Path(path).resolve())
