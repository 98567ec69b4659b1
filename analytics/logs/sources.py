"""Which files are meant: files, folders, globs, URLs and standard input to ``Source``s."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from analytics.logs.files import STANDARD_INPUT, SourceError, file_system, is_url, name_of, said_of

LOG_ENDINGS: Final = (
    *(
        f"{plain}{packed}"
        for plain in (".jsonl", ".ndjson", ".json")
        for packed in ("", ".gz", ".zst")
    ),
    ".parquet",
)
_TEMPORARY: Final = (".tmp", ".part", ".partial", ".swp", "~")


class Source(NamedTuple):
    """One file to be read.

    Attributes:
        path: as given or found; "-" is standard input.
        ordinal: place among all sources, from 0.
    """

    path: str
    ordinal: int = 0


class Found(NamedTuple):
    """What arguments mean.

    Attributes:
        sources: each once, ordered by path as bytes.
        passed_over: files and linked folders that are no logs by their name, in the same
            order; not the hidden ones.
    """

    sources: tuple[Source, ...]
    passed_over: tuple[str, ...]


def find_sources(arguments: Sequence[str]) -> list[Source]:
    """The sources that these arguments mean, each once, ordered by path as bytes.

    Args:
        arguments: files (of any name), folders (searched for logs, hidden and
            temporary files left out), globs, URLs that fsspec reads of any of these,
            or "-".

    Raises:
        SourceError: an argument that means nothing, or a folder that cannot be searched.
    """
    return list(search(arguments).sources)


def search(arguments: Sequence[str]) -> Found:
    """What ``find_sources`` finds, and what it passes over in folders.

    Raises:
        SourceError: as ``find_sources``.
    """
    found: dict[str, str] = {}
    passed: set[str] = set()
    for argument in arguments:
        for path, is_meant in _paths_of(argument):
            if is_meant:
                known = found.setdefault(_identity(path), path)
                found[_identity(path)] = min(known, path, key=os.fsencode)
            else:
                passed.add(path)
    ordered = sorted(found.values(), key=os.fsencode)
    sources = [Source(path, ordinal) for ordinal, path in enumerate(ordered)]
    left = sorted(passed - set(ordered), key=os.fsencode)
    return Found(tuple(sources), tuple(left))


def is_log(name: str) -> bool:
    """Whether a file in a folder is taken for a log, by its name.

    >>> is_log("a.jsonl.gz"), is_log("a.parquet"), is_log(".a.jsonl"), is_log("a.jsonl.tmp")
    (True, True, False, False)
    """
    return not _is_passing(name) and name.lower().endswith(LOG_ENDINGS)


def _is_passing(name: str) -> bool:
    """Whether a file is hidden or still being written, by its name."""
    return name.startswith((".", "~")) or name.endswith(_TEMPORARY)


Candidate = tuple[str, bool]  # a path, and whether it is taken for a log


def _paths_of(argument: str) -> Iterator[Candidate]:
    if is_url(argument):
        return _at_url(argument)
    if argument == STANDARD_INPUT or os.path.isfile(argument):
        return iter([(_normal(argument), True)])
    if os.path.isdir(argument):
        return _in_folder(argument)
    if os.path.exists(argument):  # a pipe, a device
        return iter([(argument, True)])
    matches = glob.glob(argument, recursive=True)
    if not matches:
        what = "matches no file" if glob.has_magic(argument) else "there is no such file or folder"
        raise SourceError(f"{argument}: {what}")
    return (each for match in matches for each in _matched(match))


def _matched(path: str) -> Iterator[Candidate]:
    if os.path.isdir(path):
        return _in_folder(path)
    return iter([(_normal(path), not _is_passing(os.path.basename(path)))])


def _in_folder(folder: str) -> Iterator[Candidate]:
    for parent, folders, names in os.walk(folder, onerror=_refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        for name in (*linked, *names):
            path = os.path.join(parent, name)
            if not name.startswith("."):
                yield _normal(path), is_log(name) and os.path.isfile(path)


def _refused(problem: OSError) -> None:
    raise SourceError(f"{problem.filename}: {problem.strerror}") from problem


def _at_url(url: str) -> Iterator[Candidate]:
    system, path = file_system(url)
    with said_of(url):
        if system.isfile(path):
            yield url, True
        elif glob.has_magic(path):
            yield from _matched_urls(url, system, path)
        elif system.isdir(path):
            yield from _in_url_folder(url, system, path)
        else:
            raise SourceError(f"{url}: there is no such file or folder")


def _matched_urls(url: str, system: Any, path: str) -> Iterator[Candidate]:
    matches = system.glob(path)
    if not matches:
        raise SourceError(f"{url}: matches no file")
    for match in matches:
        here = system.unstrip_protocol(match)
        if system.isdir(match):
            yield from _in_url_folder(here, system, match)
        else:
            yield here, not _is_passing(name_of(here))


def _in_url_folder(url: str, system: Any, path: str) -> Iterator[Candidate]:
    root = path.rstrip("/")
    for found in system.find(path):
        below = found.removeprefix(root).lstrip("/")
        parts = below.split("/")
        if not any(part.startswith(".") for part in parts):
            yield f"{url.rstrip('/')}/{below}", is_log(parts[-1])


def _normal(path: str) -> str:
    return path if path == STANDARD_INPUT else os.path.normpath(path)


def _identity(path: str) -> str:
    """The same for every spelling of one path, links resolved."""
    if is_url(path):
        system, place = file_system(path)
        is_here = "file" in system.protocol
        return str(Path(place).resolve()) if is_here else str(system.unstrip_protocol(place))
    return path if path == STANDARD_INPUT else str(Path(path).resolve())
