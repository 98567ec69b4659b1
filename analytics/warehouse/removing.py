"""Taking out: the games of logs, or all games before a day."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow.compute as pc

from analytics.warehouse.common import FINDINGS, GAMES
from analytics.warehouse.errors import WarehouseError
from analytics.warehouse.families import BY_NAME
from analytics.warehouse.manifest import (
    Entry,
    File,
    Manifest,
    Part,
    Written,
    bytes_of,
    path_of,
    rows_of,
)
from analytics.warehouse.parts import place_layer, read_rows, write_rows
from analytics.warehouse.soundness import is_sound
from analytics.warehouse.turns import Turn, now, turn

_SHORTEST_KEY: Final = 8  # digits of a hash that name a log, at least


@dataclass(frozen=True, slots=True)
class Removed:
    """What was taken out.

    Attributes:
        what: the logs, or the day.
        games: how many.
        rows: of all tables, earlier verdicts among them.
        bytes: how much smaller the warehouse has become.
    """

    what: str
    games: int
    rows: int
    bytes: int


def unload(folder: Path, *named: str) -> Removed:
    """Takes the games of logs out, as if they had never been loaded.

    Games that another log has too went by the one that was loaded first; if that is taken
    out, loading the other one again brings them back. A part that is missing or damaged
    goes as a whole; its other logs can be loaded again, too.

    Args:
        folder: of the warehouse.
        named: for each log its path as it was loaded, or the first digits of its hash.

    Raises:
        WarehouseError: no log, or several logs, are called so.
    """
    with turn(folder, mends=False) as mine:
        before = mine.manifest
        files = [_file_of(before, name) for name in named]
        rest = without_files(mine, {file.key for file in files})
        after = msgspec.structs.replace(rest, files=tuple(map(incomplete, rest.files)))
        removed = _difference(before, after, ", ".join(file.path for file in files))
        mine.commit(after, _entry("unload", removed))
    return removed


def prune(folder: Path, before: date) -> Removed:
    """Takes out all games of days before a day; games without a day stay.

    Games of these days are left out of whatever is loaded later, until days are pruned
    before an earlier day.

    Raises:
        WarehouseError: there is no warehouse.
    """
    with turn(folder) as mine:
        old = mine.manifest
        parts = tuple(p for p in old.parts if p.day is None or p.day >= before.isoformat())
        after = msgspec.structs.replace(old, parts=parts, pruned=before.isoformat())
        removed = _difference(old, after, f"before {before.isoformat()}")
        if after != old:
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
    if len(named) < _SHORTEST_KEY and any(f.key.startswith(named.lower()) for f in manifest.files):
        raise WarehouseError(f"{named}: {_SHORTEST_KEY} digits of a hash are needed, at least.")
    near = get_close_matches(named, [file.path for file in manifest.files], 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise WarehouseError(f"{named}: no log of this name was loaded.{hint}")


def _is_named(file: File, named: str) -> bool:
    is_key = len(named) >= _SHORTEST_KEY and file.key.startswith(named.lower())
    return is_key or os.path.normpath(file.path) == os.path.normpath(named)


def incomplete(file: File) -> File:
    """A log whose copies were left out may now have games that are nowhere."""
    return msgspec.structs.replace(file, complete=file.complete and not file.duplicates)


def without_files(mine: Turn, keys: Set[str]) -> Manifest:
    """The manifest without some logs; their rows are out of the parts that it names.

    Parts that these share with others and that are missing or damaged go as a whole, and
    the others are not complete any more.
    """
    before = mine.manifest
    shared = [part for part in before.parts if not keys.isdisjoint(part.files)]
    shared = [part for part in shared if not keys >= set(part.files)]
    lost = [part for part in shared if not is_sound(mine.folder, part)]
    parts = tuple(_without_files(mine, keys, lost))
    short = {key for part in lost for key in part.files}
    files = tuple(
        msgspec.structs.replace(file, complete=file.complete and file.key not in short)
        for file in before.files
        if file.key not in keys
    )
    return msgspec.structs.replace(before, parts=parts, files=files)


def _without_files(mine: Turn, keys: Set[str], lost: Sequence[Part]) -> Iterator[Part]:
    """The parts without the rows of logs; parts that have none of them stay as they are."""
    for nth, part in enumerate(mine.manifest.parts):
        if keys.isdisjoint(part.files):
            yield part
        elif not keys >= set(part.files) and part not in lost:
            yield _rewritten(mine, part, keys, f"without-{nth}")


def _rewritten(mine: Turn, part: Part, keys: Set[str], name: str) -> Part:
    """A part without the rows of some of its logs."""
    stays = _games_that_stay(mine.folder, part, keys)
    layers = [
        _filtered(mine, part, written, stays, keys, f"{name}-{nth}")
        for nth, written in enumerate((part.facts, *part.verdicts))
    ]
    files = tuple(own for own in part.files if own not in keys)
    verdicts = tuple(layers[1:]) if len(stays) else ()
    return Part(part.day, len(stays), files, layers[0], verdicts)


def _games_that_stay(folder: Path, part: Part, keys: Set[str]) -> Any:
    if GAMES.name not in part.facts.rows:
        return GAMES.schema.empty_table()["game_key"]
    path = folder / path_of(GAMES.name, part.folder, part.facts.name)
    games = read_rows([path], GAMES)
    return games.filter(~pc.field("file_key").isin(list(keys)))["game_key"]


def _filtered(
    mine: Turn, part: Part, written: Written, stays: Any, keys: Set[str], name: str
) -> Written:
    """One layer of a part with some games alone; findings go by their log."""
    of_games = pc.field("game_key").isin(stays)
    of_logs = ~pc.field("file_key").isin(list(keys))
    layer = mine.staging / name
    layer.mkdir(parents=True, exist_ok=True)
    counts = {}
    for table in (BY_NAME[own] for own in written.rows):
        path = mine.folder / path_of(table.name, part.folder, written.name)
        rows = read_rows([path], table).filter(of_logs if table is FINDINGS else of_games)
        if len(rows):
            write_rows(layer / f"{table.name}.parquet", table, rows)
            counts[table.name] = len(rows)
    return place_layer(mine.folder, layer, part.folder, counts)


def _difference(before: Manifest, after: Manifest, what: str) -> Removed:
    return Removed(
        what=what,
        games=_sum(before, _games) - _sum(after, _games),
        rows=_sum(before, rows_of) - _sum(after, rows_of),
        bytes=_sum(before, bytes_of) - _sum(after, bytes_of),
    )


def _sum(manifest: Manifest, count: Callable[[Part], int]) -> int:
    return sum(map(count, manifest.parts))


def _games(part: Part) -> int:
    return part.games


def _entry(command: str, removed: Removed) -> Entry:
    return Entry(now(), command, removed.what, removed.games, removed.rows)
