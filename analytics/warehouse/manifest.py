"""The manifest: which files make up the warehouse, and what is known of them.

``manifest.json`` is the only truth: what it does not name does not count. It is replaced
as a whole by one rename.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.families import tables_of
from analytics.warehouse.tables import Layer

SCHEMA: Final = 2  # raised by every change that older readers would not understand
_OLDEST: Final = 2  # that can be read: before, keys of games were other hashes
MANIFEST: Final = "manifest.json"
UNFINISHED: Final = ".manifest.json"  # a manifest that is being written
STAGING: Final = ".staging"
DATABASE: Final = "paipu.duckdb"
ZONE: Final = "Asia/Shanghai"  # where days begin unless the warehouse was made otherwise
NO_DAY: Final = "__HIVE_DEFAULT_PARTITION__"  # reads as null


class Written(msgspec.Struct, frozen=True):
    """The files of one layer of a part.

    Attributes:
        name: hash of their bytes; the files are called ``part-<name>.parquet``.
        rows: number of rows by table; a table without rows has no file.
        bytes: of all files.
    """

    name: str
    rows: dict[str, int]
    bytes: int


class Part(msgspec.Struct, frozen=True):
    """Games of one day.

    Attributes:
        day: as in ISO 8601; None: no start was logged.
        games: how many.
        files: keys of the logs they are in.
        facts: what was played.
        verdicts: what it is worth, the latest last; never empty where there are games.
    """

    day: str | None
    games: int
    files: tuple[str, ...]
    facts: Written
    verdicts: tuple[Written, ...]

    @property
    def folder(self) -> str:
        """Name of the folder of its day."""
        return f"day={self.day or NO_DAY}"

    def paths(self) -> Iterator[str]:
        """Its files, relative to the warehouse."""
        for written in (self.facts, *self.verdicts):
            yield from (path_of(table, self.folder, written.name) for table in written.rows)


class File(msgspec.Struct, frozen=True):
    """A log that was loaded.

    Attributes:
        key: hash of its bytes.
        path: as it was given.
        bytes: its size.
        loaded: when, in ISO 8601 with offset.
        games: how many it brought.
        duplicates: games left out as copies.
        complete: False where one of these copies may have left the warehouse since, so
            that loading the file again may bring it back.
        refused_by: "" where no line was refused that another run could read; else what
            the run read by, as ``knowing.reading_key`` gives it.
    """

    key: str
    path: str
    bytes: int
    loaded: str
    games: int
    duplicates: int
    complete: bool = True
    refused_by: str = ""

    def is_known(self, reading: str) -> bool:
        """Whether a run that reads by this would find nothing new in it."""
        return self.complete and self.refused_by in ("", reading)


class Rules(msgspec.Struct, frozen=True):
    """A version of a ruleset that games were settled by; see table ``rulesets``."""

    ruleset: str
    ruleset_hash: str
    play_hash: str
    seats: int
    unit: str
    effective_from: str | None
    toml: str

    @property
    def lead_policy(self) -> str:
        """Who leads the first round, as in ``[play]``."""
        return str(tomllib.loads(self.toml)["play"]["lead_policy"])


class Settlement(msgspec.Struct, frozen=True):
    """A ruleset and a version of paipu; see table ``settlements``."""

    settlement_key: int
    ruleset: str
    ruleset_hash: str
    engine: str
    unit: str


class Entry(msgspec.Struct, frozen=True):
    """A command that changed the warehouse; see table ``journal``."""

    done: str
    command: str
    what: str
    games: int
    rows: int


class Manifest(msgspec.Struct, frozen=True):
    """What a warehouse is made of.

    Attributes:
        schema: of the tables and of this file.
        zone: in which days begin.
        state: raised by every change.
        pruned: the first day that stayed when days were last taken out, as in ISO 8601;
            games of days before it stay out. None: never.
        parts, files, rulesets, settlements, journal: in order of their coming.
    """

    schema: int = SCHEMA
    zone: str = ZONE
    state: int = 0
    pruned: str | None = None
    parts: tuple[Part, ...] = ()
    files: tuple[File, ...] = ()
    rulesets: tuple[Rules, ...] = ()
    settlements: tuple[Settlement, ...] = ()
    journal: tuple[Entry, ...] = ()

    @property
    def file_of(self) -> Mapping[str, File]:
        """The logs by their keys."""
        return {file.key: file for file in self.files}


def path_of(table: str, folder: str, name: str) -> str:
    """Where a file lies, relative to the warehouse."""
    return f"{table}/{folder}/part-{name}.parquet"


def check_path(folder: Path) -> None:
    """Refuses a folder of which DuckDB could not read files by their names.

    Raises:
        WarehouseError: its path, as given or in full, has a character that stands for others.
    """
    path = f"{folder} {folder.resolve()}"
    found = [mark for mark in _WILD if mark in path]
    if found:
        raise WarehouseError(
            f"{folder}: the path of a warehouse cannot have {' or '.join(found)} in it, which "
            "stands for other characters where files are looked for; choose another folder."
        )


_WILD: Final = ("?", "*")  # DuckDB takes "[ab]" as it stands where there is such a file


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a warehouse.

    Raises:
        WarehouseError: there is no warehouse, or this version cannot read it.
    """
    check_path(folder)
    path = folder / MANIFEST
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise WarehouseError(
            f"{folder}: there is no warehouse. `paipu load LOG --warehouse {folder}` makes one."
        ) from None
    try:
        schema = msgspec.json.decode(raw, type=_Version).schema
        if schema > SCHEMA:
            raise WarehouseError(
                f"{folder}: this warehouse has schema {schema}, and this version of paipu knows "
                f"{SCHEMA}. A newer version of paipu can read it."
            )
        if schema < _OLDEST:
            raise WarehouseError(
                f"{folder}: this warehouse has schema {schema}, and this version of paipu needs "
                f"{_OLDEST} at least. `paipu load` makes a new one of the logs, in another folder."
            )
        return msgspec.json.decode(raw, type=Manifest)
    except msgspec.MsgspecError as problem:
        raise WarehouseError(f"{path}: the manifest is damaged ({problem}).") from problem


class _Version(msgspec.Struct):
    schema: int


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replaces the manifest by one rename; afterwards it is on the disk."""
    unfinished = folder / UNFINISHED
    with open(unfinished, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, folder / MANIFEST)
    flush_folder(folder)


def flush_folder(folder: Path) -> None:
    """Lets the names in a folder reach the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def files_of(manifest: Manifest, table: str, *, is_latest: bool) -> Iterator[str]:
    """The files of a table, relative to the warehouse.

    Args:
        manifest: of the warehouse.
        table: its name.
        is_latest: facts and the latest verdicts; else the verdicts that were replaced.
    """
    for part in manifest.parts:
        chosen = (part.facts, *part.verdicts[-1:]) if is_latest else part.verdicts[:-1]
        for written in chosen:
            if table in written.rows:
                yield path_of(table, part.folder, written.name)


def rows_of(part: Part) -> int:
    """Rows of all tables of a part, earlier verdicts among them."""
    return sum(sum(written.rows.values()) for written in (part.facts, *part.verdicts))


def bytes_of(part: Part) -> int:
    """Bytes of all files of a part."""
    return part.facts.bytes + sum(written.bytes for written in part.verdicts)


TABLE_FOLDERS: Final = tuple(table.name for table in tables_of(*Layer))
