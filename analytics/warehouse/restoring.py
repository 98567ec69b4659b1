"""Batches out of a warehouse: what is settled again is what was loaded.

A batch that is restored has neither hands nor actions; nothing that settles asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.logs import ABSENT, GameBatch, Recorded, TextColumn
from analytics.logs.strings import Strings
from analytics.warehouse.errors import WarehouseError

Int64s = npt.NDArray[np.int64]

_NOTHING: Final = np.zeros(0, np.int64)


def column(rows: Any, name: str, absent: int = ABSENT) -> Int64s:
    """A column of integers or truth values as int64; ``absent`` for null."""
    own = rows[name].combine_chunks()
    if str(own.type).startswith("timestamp"):
        own = own.cast("int64")
    values: Int64s = own.fill_null(False if str(own.type) == "bool" else 0).to_numpy(
        zero_copy_only=False
    )
    return np.where(own.is_null().to_numpy(zero_copy_only=False), absent, values.astype(np.int64))


def places(rows: Any, name: str, names: Mapping[str, int], absent: int) -> Int64s:
    """A column of words as the number that stands for each; ``absent`` for null."""
    encoded = rows[name].combine_chunks().dictionary_encode()
    numbers = np.array([names[word] for word in encoded.dictionary.to_pylist()] + [absent])
    indices = encoded.indices.fill_null(len(numbers) - 1).to_numpy(zero_copy_only=False)
    found: Int64s = numbers[indices].astype(np.int64)
    return found


def strings(rows: Any, name: str) -> Strings:
    """A column of texts, none of which is null."""
    return Strings.of(rows[name].to_pylist())


def batch_of(
    rows: Mapping[str, Any], family: str, recorded: Recorded, rules_ix: npt.NDArray[np.int16]
) -> GameBatch:
    """The batch that games were, without hands, actions, times and labels.

    Args:
        rows: of ``games`` and ``seats``, in one order.
        family: of all these games.
        recorded: what the house recorded.
        rules_ix: int16 ``(n,)``: by which ruleset each is to be settled.

    Raises:
        WarehouseError: rows of seats do not belong to the games.
    """
    games, seats = rows["games"], rows["seats"]
    n = len(games)
    key, counts = column(games, "game_key"), column(games, "seats")
    if not np.array_equal(np.repeat(key, counts), column(seats, "game_key")):
        raise WarehouseError("a part of the warehouse is damaged: its seats are not of its games.")
    empty = TextColumn(b"", np.zeros(n + 1, np.int64), joined=True)
    return GameBatch(
        family=family,
        file="",
        game_key=key,
        content=column(games, "content"),
        path=np.zeros(n, np.int32),
        offset=column(games, "position"),
        line=column(games, "line"),
        rules_ix=rules_ix,
        id=strings(games, "id"),
        rules=strings(games, "rules"),
        start=column(games, "started"),
        start_zone=column(games, "started_zone", 0).astype(np.int16),
        end=column(games, "ended"),
        end_zone=column(games, "ended_zone", 0).astype(np.int16),
        first=np.zeros(n, np.int64),
        base=column(games, "given_base"),
        shown=[None] * n,
        seats_at=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        player=strings(seats, "player"),
        balance=column(seats, "balance"),
        hands=empty,
        actions=empty,
        times=_NOTHING,
        times_at=np.zeros(n + 1, np.int64),
        recorded=recorded,
        labels={},
    )
