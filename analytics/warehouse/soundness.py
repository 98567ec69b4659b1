"""Whether parts are what was written: missing and damaged ones, and what to do about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import xxhash

from analytics.warehouse.manifest import Manifest, Part, Written, path_of, read_manifest

_CHUNK: Final = 1 << 20


class Unsound(NamedTuple):
    """A part of which a file is missing or not what was written.

    Attributes:
        path: of the part's file that is missing, or of its first one, in the warehouse.
        is_missing: whether there is no such file.
        logs: the paths of the logs that have games in the part.
    """

    path: str
    is_missing: bool
    logs: tuple[str, ...]


def digest(files: Iterable[tuple[str, Path]]) -> tuple[str, int]:
    """A hash of all bytes of some files, by table, and how many bytes there are."""
    made, size = xxhash.xxh3_128(), 0
    for table, path in files:
        made.update(table.encode())
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                made.update(chunk)
                size += len(chunk)
    return made.hexdigest(), size


def check(folder: Path) -> list[Unsound]:
    """The parts of a warehouse that are missing or damaged; every byte is read.

    Raises:
        WarehouseError: there is no warehouse.
    """
    return unsound_parts(folder, read_manifest(folder))


def unsound_parts(folder: Path, manifest: Manifest) -> list[Unsound]:
    """Those of a manifest, in its order."""
    return [
        Unsound(path, not (folder / path).exists(), _logs(manifest, part))
        for part in manifest.parts
        for path in _unsound_layers(folder, part)
    ]


def is_sound(folder: Path, part: Part) -> bool:
    """Whether all files of a part are what was written."""
    return next(_unsound_layers(folder, part), None) is None


def _unsound_layers(folder: Path, part: Part) -> Iterator[str]:
    """A file of each layer that is not what was written: the one that is missing, if any."""
    for written in (part.facts, *part.verdicts):
        files = [(t, path_of(t, part.folder, written.name)) for t in sorted(written.rows)]
        missing = next((path for _, path in files if not (folder / path).is_file()), None)
        if missing or not _is_as_written(folder, files, written):
            yield missing or files[0][1]


def _is_as_written(folder: Path, files: Sequence[tuple[str, str]], written: Written) -> bool:
    return digest((table, folder / path) for table, path in files)[0] == written.name


def _logs(manifest: Manifest, part: Part) -> tuple[str, ...]:
    files = manifest.file_of
    return tuple(files[key].path if key in files else key for key in part.files)


def about_parts(folder: Path, manifest: Manifest, problem: Exception) -> str:
    """Why parts could not be read, and how they can be had again."""
    unsound = unsound_parts(folder, manifest)
    if not unsound:
        return f"{folder}: the parts cannot be read: {problem}"
    return "\n".join([*map(sentence_of, unsound), advice(unsound)])


def sentence_of(part: Unsound) -> str:
    """That it is missing, or damaged."""
    says = "missing" if part.is_missing else "damaged"
    return f"{part.path}: this part is {says}; it has games of {', '.join(part.logs)}."


def advice(unsound: Iterable[Unsound]) -> str:
    """What to do about such parts."""
    logs = " ".join(dict.fromkeys(part.logs[0] for part in unsound))
    return f"`paipu unload {logs}` takes what is left of it out; then load these logs again."
