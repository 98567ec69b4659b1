"""Writing in turns: one command at a time changes a warehouse, as a whole or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from analytics.warehouse.database import is_in_step, made_database, place_database
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.manifest import (
    MANIFEST,
    STAGING,
    TABLE_FOLDERS,
    UNFINISHED,
    Entry,
    Manifest,
    check_path,
    read_manifest,
    write_manifest,
)

_LOCK: Final = ".lock"
_OF_A_BEGINNING: Final = frozenset({_LOCK, STAGING, UNFINISHED})  # before there is a manifest


@dataclass
class Turn:
    """The right to change a warehouse.

    Attributes:
        folder: of the warehouse.
        manifest: as it stands.
    """

    folder: Path
    manifest: Manifest

    @property
    def staging(self) -> Path:
        """A folder on the same disk for what is not yet part of the warehouse."""
        return self.folder / STAGING

    def commit(self, manifest: Manifest, entry: Entry | None = None) -> None:
        """Lets the manifest count, makes the database anew, clears what is no longer named.

        Args:
            manifest: the new one; its state is raised here.
            entry: for the journal.
        """
        journal = (*manifest.journal, entry) if entry else manifest.journal
        state = self.manifest.state + 1
        self.write(msgspec.structs.replace(manifest, state=state, journal=journal))
        self.clear()

    def write(self, manifest: Manifest) -> None:
        """Lets a manifest count once its database could be made, so that it can be read."""
        with made_database(self.folder, manifest) as made:
            write_manifest(self.folder, manifest)
            place_database(made, self.folder)
        self.manifest = manifest

    def clear(self) -> None:
        """Removes files that the manifest does not name."""
        named = {path for part in self.manifest.parts for path in part.paths()}
        for table in TABLE_FOLDERS:
            for path in (self.folder / table).glob("day=*/*"):
                if str(path.relative_to(self.folder)) not in named:
                    path.unlink()
            for day in (self.folder / table).glob("day=*"):
                if not any(day.iterdir()):
                    day.rmdir()


@contextmanager
def turn(
    folder: Path, *, zone: str | None = None, makes: bool = False, mends: bool = True
) -> Iterator[Turn]:
    """Waits for nobody: takes the turn, or says that another command has it.

    Whatever a killed command left behind is put in order first.

    Args:
        folder: of the warehouse.
        zone: in which days begin, where one is to be made; it cannot be changed.
        makes: whether a warehouse is made where there is none.
        mends: whether the database is made anew first where it is behind; parts that are
            missing or damaged must be taken out before it can be.

    Raises:
        WarehouseError: there is none, another command is writing to it, or parts of it are
            missing or damaged.
    """
    if makes:
        _make_folder(folder, zone)
    else:
        read_manifest(folder)  # nothing is made where there is no warehouse
    with _locked(folder):
        mine = Turn(folder, _manifest(folder, zone, makes=makes))
        if mends and not is_in_step(folder, mine.manifest):
            mine.write(mine.manifest)
        mine.clear()
        yield mine
        shutil.rmtree(mine.staging, ignore_errors=True)


def _manifest(folder: Path, zone: str | None, *, makes: bool) -> Manifest:
    """The manifest as it stands, or that of a new warehouse; to be asked under the lock.

    Raises:
        WarehouseError: days begin in another zone.
    """
    if makes and not (folder / MANIFEST).exists():
        return Manifest(zone=zone) if zone else Manifest()
    manifest = read_manifest(folder)
    if zone not in (None, manifest.zone):
        raise WarehouseError(
            f"{folder}: days begin in {manifest.zone} here, which cannot be changed."
        )
    return manifest


def _make_folder(folder: Path, zone: str | None) -> None:
    """Makes the folder of a warehouse, unless one is there or is being made.

    Raises:
        WarehouseError: it is no folder, or has something else in it; or there is no such zone;
            or its path cannot be that of a warehouse.
    """
    check_path(folder)
    if zone is not None:
        _check_zone(zone)
    if folder.exists() and not folder.is_dir():
        raise WarehouseError(f"{folder}: this is a file, and a warehouse is a folder.")
    names = set(os.listdir(folder)) if folder.is_dir() else set()
    if MANIFEST not in names and names - _OF_A_BEGINNING:
        raise WarehouseError(f"{folder}: this folder is not empty, and it is no warehouse.")
    folder.mkdir(parents=True, exist_ok=True)


def _check_zone(zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        raise WarehouseError(f"{zone!r} is no time zone; one is Asia/Shanghai.") from None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds the lock; the system lets go of it when the process ends, however it ends."""
    with open(folder / _LOCK, "wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WarehouseError(f"{folder}: another command is writing to it now.") from None
        yield


def now() -> str:
    """The moment, in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
