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

from analytics.warehouse.database import is_in_step, write_database
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.manifest import (
    MANIFEST,
    STAGING,
    TABLE_FOLDERS,
    Entry,
    Manifest,
    read_manifest,
    write_manifest,
)

_LOCK: Final = ".lock"


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
        self.manifest = msgspec.structs.replace(manifest, state=state, journal=journal)
        write_manifest(self.folder, self.manifest)
        write_database(self.folder, self.manifest)
        self.clear()

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
def turn(folder: Path, *, zone: str | None = None, makes: bool = False) -> Iterator[Turn]:
    """Waits for nobody: takes the turn, or says that another command has it.

    Whatever a killed command left behind is put in order first.

    Args:
        folder: of the warehouse.
        zone: in which days begin, where one is to be made; it cannot be changed.
        makes: whether a warehouse is made where there is none.

    Raises:
        WarehouseError: there is none, or another command is writing to it.
    """
    is_new = makes and not (folder / MANIFEST).exists()
    manifest = _new(folder, zone) if is_new else read_manifest(folder)
    if zone is not None and zone != manifest.zone:
        raise WarehouseError(
            f"{folder}: days begin in {manifest.zone} here, which cannot be changed."
        )
    with _locked(folder):
        if not is_new:
            manifest = read_manifest(folder)  # somebody may have written meanwhile
        mine = Turn(folder, manifest)
        if not is_in_step(folder, manifest):
            write_manifest(folder, manifest)
            write_database(folder, manifest)
        mine.clear()
        yield mine
        shutil.rmtree(mine.staging, ignore_errors=True)


def _new(folder: Path, zone: str | None) -> Manifest:
    """A warehouse in an empty folder, or in one that is not there."""
    if folder.exists() and not folder.is_dir():
        raise WarehouseError(f"{folder}: this is a file, and a warehouse is a folder.")
    if folder.is_dir() and any(name not in (_LOCK, STAGING) for name in os.listdir(folder)):
        raise WarehouseError(f"{folder}: this folder is not empty, and it is no warehouse.")
    if zone is not None:
        _check_zone(zone)
    folder.mkdir(parents=True, exist_ok=True)
    return Manifest(zone=zone) if zone else Manifest()


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
