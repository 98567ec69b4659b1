"""Taking out: the games of one log, or all games before a day."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow.compute as pc

from analytics.warehouse.common import FINDINGS, GAMES
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.families import TABLES
from analytics.warehouse.manifest import Entry, File, Manifest, Part, Written, path_of, rows_of
from analytics.warehouse.parts import place_layer, read_rows, write_rows
from analytics.warehouse.turns import Turn, now, turn

_SHORTEST_KEY: Final = 8  # digits of a hash that name a log, at least
_BY_NAME: Final = {table.name: table for table in TABLES}


@dataclass(frozen=True, slots=True)
class Removed:
    """What was taken out.

    Attributes:
        what: the log, or the day.
        games: how many.
        rows: of all tables, earlier verdicts among them.
        bytes: how much smaller the warehouse has become.
    """

    what: str
    games: int
    rows: int
    bytes: int


def unload(folder: Path, named: str) -> Removed:
    """Takes the games of one log out, as if it had never been loaded.

    Games that another log has too went by the one that was loaded first; if that is taken
    out, loading the other one again brings them back.

    Args:
        folder: of the warehouse.
        named: path of the log as it was loaded, or the first digits of its hash.

    Raises:
        WarehouseError: no log, or several logs, are called so.
    """
    with turn(folder) as mine:
        before = mine.manifest
        file = _file_of(before, named)
        parts = tuple(_without_file(mine, file.key))
        files = tuple(_incomplete(each) for each in before.files if each.key != file.key)
        after = msgspec.structs.replace(before, parts=parts, files=files)
        removed = _difference(before, after, file.path)
        mine.commit(after, _entry("unload", removed))
    return removed


def prune(folder: Path, before: date) -> Removed:
    """Takes out all games of days before a day; games without a day stay.

    Their logs stay known, so that loading them again does not bring the games back; unload
    a log first if that is wanted.

    Raises:
        WarehouseError: there is no warehouse.
    """
    with turn(folder) as mine:
        old = mine.manifest
        parts = tuple(p for p in old.parts if p.day is None or p.day >= before.isoformat())
        after = msgspec.structs.replace(old, parts=parts)
        removed = _difference(old, after, f"before {before.isoformat()}")
        if removed.rows:
            mine.commit(after, _entry("prune", removed))
    return removed


def _file_of(manifest: Manifest, named: str) -> File:
    """The log that is meant.

    Raises:
        WarehouseError: there is none, or there are several.
    """
    found = [file for file in manifest.files if _is_named(file, named)]
    if len(found) == 1:
        return found[0]
    if found:
        keys = ", ".join(file.key for file in found)
        raise WarehouseError(f"{named}: several logs are called so; name one by its hash: {keys}")
    near = get_close_matches(named, [file.path for file in manifest.files], 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise WarehouseError(f"{named}: no log of this name was loaded.{hint}")


def _is_named(file: File, named: str) -> bool:
    is_key = len(named) >= _SHORTEST_KEY and file.key.startswith(named.lower())
    return is_key or os.path.normpath(file.path) == os.path.normpath(named)


def _incomplete(file: File) -> File:
    """A log whose copies were left out may now have games that are nowhere."""
    return msgspec.structs.replace(file, complete=file.complete and not file.duplicates)


def _without_file(mine: Turn, key: str) -> Iterator[Part]:
    """The parts without the rows of a log; parts that have none of it stay as they are."""
    for nth, part in enumerate(mine.manifest.parts):
        if key not in part.files:
            yield part
        elif len(part.files) > 1:
            yield _rewritten(mine, part, key, f"without-{nth}")


def _rewritten(mine: Turn, part: Part, key: str, name: str) -> Part:
    """A part without the rows of one of its logs."""
    stays = _games_that_stay(mine.folder, part, key)
    layers = [
        _filtered(mine, part, written, stays, key, f"{name}-{nth}")
        for nth, written in enumerate((part.facts, *part.verdicts))
    ]
    files = tuple(own for own in part.files if own != key)
    verdicts = tuple(layers[1:]) if len(stays) else ()
    return Part(part.day, len(stays), files, layers[0], verdicts)


def _games_that_stay(folder: Path, part: Part, key: str) -> Any:
    if GAMES.name not in part.facts.rows:
        return GAMES.schema.empty_table()["game_key"]
    path = folder / path_of(GAMES.name, part.folder, part.facts.name)
    games = read_rows([path], GAMES)
    return games.filter(pc.field("file_key") != key)["game_key"]


def _filtered(mine: Turn, part: Part, written: Written, stays: Any, key: str, name: str) -> Written:
    """One layer of a part with some games alone; findings go by their log."""
    layer = mine.staging / name
    layer.mkdir(parents=True, exist_ok=True)
    counts = {}
    for table in (_BY_NAME[own] for own in written.rows):
        path = mine.folder / path_of(table.name, part.folder, written.name)
        is_finding = table is FINDINGS
        keeps = pc.field("file_key") != key if is_finding else pc.field("game_key").isin(stays)
        rows = read_rows([path], table).filter(keeps)
        if len(rows):
            write_rows(layer / f"{table.name}.parquet", table, rows)
            counts[table.name] = len(rows)
    return place_layer(mine.folder, layer, part.folder, counts)


def _difference(before: Manifest, after: Manifest, what: str) -> Removed:
    return Removed(
        what=what,
        games=_sum(before, _games) - _sum(after, _games),
        rows=_sum(before, rows_of) - _sum(after, rows_of),
        bytes=_sum(before, _bytes) - _sum(after, _bytes),
    )


def _sum(manifest: Manifest, count: Callable[[Part], int]) -> int:
    return sum(map(count, manifest.parts))


def _games(part: Part) -> int:
    return part.games


def _bytes(part: Part) -> int:
    return part.facts.bytes + sum(written.bytes for written in part.verdicts)


def _entry(command: str, removed: Removed) -> Entry:
    return Entry(now(), command, removed.what, removed.games, removed.rows)
