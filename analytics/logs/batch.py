"""``GameBatch``: recorded games as columns, the form everything else works on.

A batch holds ``n`` games of one family with ``k`` seats in all. Columns per game
have shape ``(n,)``; columns per seat are flat, shape ``(k,)``, and ``seats_at``
``(n + 1,)`` says where each game's seats begin. Text of hands and actions is one
buffer with offsets; its grammar belongs to the game family, which scans it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]

# An int64 that stands for "absent". No amount comes near it (rules clause 12).
ABSENT: Final = -(2**63)

END_OUT: Final = 1  # result.end "out"
END_ESCAPE: Final = 2  # result.end "escape"
END_NAMES: Final = (None, "out", "escape")
LABELS: Final = ("room", "table", "round", "deal", "arm", "client")


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Lists of short strings, one list a game, in one buffer.

    Attributes:
        buffer: the bytes of all games.
        at: int64 ``(n + 1,)``; game ``i`` is ``buffer[at[i]:at[i + 1]]``.
        joined: True: the strings of a game are joined by ``;`` ("" is no string);
            False: each game is a JSON array of strings.
    """

    buffer: bytes
    at: Int64s
    joined: bool

    def strings(self, game: int) -> list[str]:
        """The strings of one game, as logged."""
        raw = self.raw(game)
        if not self.joined:
            return list(json.loads(raw))
        return raw.decode().split(";") if raw else []

    def raw(self, game: int) -> bytes:
        """The bytes of one game, as they stand in the buffer."""
        return self.buffer[self.at[game] : self.at[game + 1]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the house recorded as results; every column may be absent per game.

    Attributes:
        end: int8 ``(n,)``: 0 absent, ``END_OUT``, ``END_ESCAPE``.
        winner: int64 ``(n,)``, a seat; ABSENT where not recorded.
        kou: int8 ``(n,)``: 0 ping, 1 dan, 2 shuang; -1 where not recorded.
        doubling: int64 ``(n,)``; ABSENT where not recorded.
        places, xiang, contribution, delta, fee, balance: int64 ``(k,)``, per seat;
            ABSENT for all seats of a game that does not record them. Delta, fee and
            balance are in the room's unit, contribution in multiples of the base.
    """

    end: Int8s
    winner: Int64s
    kou: Int8s
    doubling: Int64s
    places: Int64s
    xiang: Int64s
    contribution: Int64s
    delta: Int64s
    fee: Int64s
    balance: Int64s


@dataclass(frozen=True, slots=True)
class GameBatch:
    """``n`` recorded games of one family as columns.

    Attributes:
        family: the game word of the log, for instance "shuangkou".
        file: path of the source as given, or "-".
        game_key: int64 ``(n,)``: hash of the id; the key of every child table.
        content: int64 ``(n,)``: hash of everything that the log says of the game.
        path: int32 ``(n,)``: ordinal of the source file.
        offset: int64 ``(n,)``: byte where the line begins (Parquet: row number from 0).
        line: int64 ``(n,)``: line from 1 (Parquet: row from 1).
        rules_ix: int16 ``(n,)``: the ruleset's place in the ``Rulebook``.
        id: the ids, ``n`` strings.
        rules: the rulesets as logged, ``n`` strings.
        start, end: int64 ``(n,)``: microseconds since 1970 in UTC; ABSENT where not logged.
        start_zone, end_zone: int16 ``(n,)``: the logged offset in minutes.
        first: int64 ``(n,)``: the seat that leads (one of the logged seats).
        base: int64 ``(n,)``: recorded base; ABSENT where not logged.
        shown: the shown card as logged, ``n`` strings or None.
        seats_at: int64 ``(n + 1,)``: where each game's seats begin.
        player: the players, ``k`` strings.
        balance: int64 ``(k,)``: before the game, in the room's unit.
        hands, actions: text, to be scanned by the family.
        times: int64 ``(sum of actions,)``: milliseconds from start; ``times_at``
            int64 ``(n + 1,)`` says where each game's begin (empty where not logged).
        recorded: what the house recorded.
        labels: per name of ``LABELS`` that any game has: ``n`` strings or None.
        extra: per game the unknown fields as one JSON object of the shape of the game
            (see ``extras``), or None; the column is None unless it was asked for.
    """

    family: str
    file: str
    game_key: Int64s
    content: Int64s
    path: Int32s
    offset: Int64s
    line: Int64s
    rules_ix: Int16s
    id: Sequence[str]
    rules: Sequence[str]
    start: Int64s
    start_zone: Int16s
    end: Int64s
    end_zone: Int16s
    first: Int64s
    base: Int64s
    shown: Sequence[str | None]
    seats_at: Int64s
    player: Sequence[str]
    balance: Int64s
    hands: TextColumn
    actions: TextColumn
    times: Int64s
    times_at: Int64s
    recorded: Recorded
    labels: Mapping[str, Sequence[str | None]]
    extra: Sequence[bytes | None] | None = None

    def __len__(self) -> int:
        return len(self.id)
