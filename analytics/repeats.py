"""Which games come again, for who passes through logs once, in their order.

``analytics.reconcile`` says the same of a whole run whose parts come in any order.
Source: log format, field ``id``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.logs.batch import GameBatch
from analytics.logs.keying import sort_keys
from analytics.logs.strings import Strings

Int64s = npt.NDArray[np.int64]

_ID: Final = 4  # columns that know an id: its hash, its first 16 bytes, its length


class Game(NamedTuple):
    """A game that was met.

    Attributes:
        content: hash of what it says.
        path: ordinal of its file.
        line: where it stands there.
    """

    content: int
    path: int
    line: int


class Later(NamedTuple):
    """A game with an id that was met before.

    Attributes:
        first: the first game with that id, which is the one that counts.
        differs: whether this one says something else.
    """

    first: Game
    differs: bool


class FirstGames:
    """Tells which games are not the first with their id, batch by batch.

    For who passes through logs in their order; 56 bytes a game are kept. What is kept lies
    in sorted runs, each at least twice as long as the next, so that looking up is quick.
    """

    def __init__(self) -> None:
        self._runs: list[Int64s] = []
        self._repeated: dict[bytes, Game] = {}  # the first game of ids that may come twice

    def later(self, batch: GameBatch) -> dict[int, Later]:
        """The games of the next batch that are not the first with their id, by row."""
        rows = _identities(batch)
        found: dict[int, Later] = {}
        for place in self._maybe_known(rows[:, 0]):
            first, own = self._first_of(rows[place]), Game(*rows[place, _ID:].tolist())
            if first != own:
                found[place] = Later(first, first.content != own.content)
        if len(rows):
            self._keep(rows[np.argsort(rows[:, 0], kind="stable")])
        return found

    def _maybe_known(self, keys: Int64s) -> list[int]:
        """Rows whose key was met before, in the batch or in a run."""
        order = np.argsort(keys, kind="stable")
        is_same = keys[order[1:]] == keys[order[:-1]]
        maybe = np.zeros(len(keys), np.bool_)
        maybe[order[1:][is_same]] = maybe[order[:-1][is_same]] = True
        for run in self._runs:
            at = np.searchsorted(run[:, 0], keys)
            maybe |= run[np.minimum(at, len(run) - 1), 0] == keys
        return np.flatnonzero(maybe).tolist()

    def _first_of(self, row: Int64s) -> Game:
        """The first game with the id of a row; that row itself, if there was none before."""
        identity = row[:_ID].tobytes()
        if identity not in self._repeated:
            self._repeated[identity] = Game(*self._kept(row)[_ID:].tolist())
        return self._repeated[identity]

    def _kept(self, row: Int64s) -> Int64s:
        """What is kept with the id of a row; the row itself, if nothing is."""
        for run in self._runs:
            at = int(np.searchsorted(run[:, 0], row[0]))
            while at < len(run) and run[at, 0] == row[0]:
                if (run[at, :_ID] == row[:_ID]).all():
                    kept: Int64s = run[at]
                    return kept
                at += 1
        return row

    def _keep(self, run: Int64s) -> None:
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            both = np.concatenate([self._runs.pop(), run])
            run = both[np.argsort(both[:, 0], kind="stable")]
        self._runs.append(run)


def _identities(batch: GameBatch) -> Int64s:
    """int64 ``(n, 7)``: key, first 16 bytes and length of each id; content, path, line."""
    ids = batch.id if isinstance(batch.id, Strings) else Strings.of(batch.id)
    heads, tails = sort_keys(ids.buffer, ids.at)
    columns = (batch.game_key, heads.view(np.int64), tails.view(np.int64), np.diff(ids.at))
    return np.column_stack([*columns, batch.content, batch.path, batch.line])
