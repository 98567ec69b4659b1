"""双扣 (Shuangkou): verdicts as columns of this family's tables.

Source: rules clauses 3, 4 and 6 to 8; positions are those of ``shuangkou.desk`` and
``shuangkou.settlement``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pyarrow as pa

from analytics import shuangkou
from analytics.cards import RANK_TEXT
from analytics.findings import Code
from analytics.logs.batch import END_NAMES, GameBatch
from analytics.rules import row as R
from analytics.shuangkou import Facts, Settled
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.shuangkou.melds import KIND_NAMES, NO_RANK
from analytics.warehouse import shuangkou as T
from analytics.warehouse.filling import (
    Array,
    Bools,
    Filled,
    Int64s,
    Outcomes,
    Settling,
    games_of_seats,
    maybe,
    table_of,
    texts,
    words,
)
from analytics.warehouse.tables import Layer

# The doors of the family; declined passes are counted, as studies want them.
FAMILY: Final = SimpleNamespace(
    replay=partial(shuangkou.replay, with_declined=True),
    settle=shuangkou.settle,
    compare=shuangkou.compare,
    describe=shuangkou.describe,
)

_UNREAD_DEALS: Final = (Code.DEAL_FACE, Code.DEAL_SIZE, Code.DEAL_COPIES)
_BOMB_BITS: Final = 4  # nine bombs are the most of a seat (``desk.MAX_BOMBS``)
_XIANG_A_WORD: Final = 16


def outcomes(batch: GameBatch, facts: Facts, settled: Settled) -> Outcomes:
    """What the common tables want to know."""
    games, sat = facts.games, facts.seats
    fleer = games[games_of_seats(batch), D.G_FLEER]
    seat = np.arange(len(sat)) - np.repeat(batch.seats_at[:-1], np.diff(batch.seats_at))
    is_replayed = games[:, D.G_END] != 0
    return Outcomes(
        end=games[:, D.G_END],
        error=games[:, D.G_ERROR],
        actions=games[:, D.G_ACTIONS],
        plies=games[:, D.G_PLIES],
        escaped=fleer == seat,
        timeouts=sat[:, D.S_TIMEOUTS],
        trustee_turns=sat[:, D.S_SYSTEM_TURNS],
        passes=sat[:, D.S_PASSES],
        is_settled=is_replayed & (settled.games[:, S.X_SYSTEM] != S.NOTHING),
        system=settled.games[:, S.X_SYSTEM],
    )


def facts_of(batch: GameBatch, facts: Facts) -> Iterator[Filled]:
    """Rows of the tables of facts."""
    yield Filled(T.SHUANGKOU_GAMES, Layer.FACTS, _games(batch, facts), np.arange(len(batch)))
    yield Filled(T.SHUANGKOU_SEATS, Layer.FACTS, _seats(batch, facts), games_of_seats(batch))
    bombs = facts.bombs
    yield Filled(T.SHUANGKOU_BOMBS, Layer.FACTS, _bombs(batch, bombs), bombs[:, D.B_GAME])


def verdict_of(
    batch: GameBatch, facts: Facts, settled: Settled, settling: Settling
) -> Iterator[Filled]:
    """Rows of the table of settlements: the seats of games that replayed to their end."""
    game = games_of_seats(batch)
    rows = np.flatnonzero(facts.games[:, D.G_END][game] != 0)
    seat = np.arange(len(game)) - batch.seats_at[game]
    game = game[rows]
    worth, got = by_column(settled.games[game]), by_column(settled.seats[rows])
    columns = {
        "game_key": batch.game_key[game],
        "seat": seat[rows],
        "settlement_key": settling.keys[batch.rules_ix[game]],
        "kou": words(worth[:, S.X_KOU], R.KOU_NAMES, worth[:, S.X_KOU] == R.NO_KOU),
        "base": maybe(worth[:, S.X_BASE], pa.int64()),
        "doubling": maybe(worth[:, S.X_DOUBLING], pa.int64()),
        "xiang": got[:, S.Y_XIANG],
        "contribution": maybe(got[:, S.Y_CONTRIBUTION], pa.int64()),
        "delta": maybe(got[:, S.Y_DELTA], pa.int64()),
        "fee": got[:, S.Y_FEE],
    }
    rows_of = table_of(T.SHUANGKOU_SETTLED, columns)
    yield Filled(T.SHUANGKOU_SETTLED, Layer.VERDICT, rows_of, game)


def _games(batch: GameBatch, facts: Facts) -> Any:
    recorded, games = batch.recorded, facts.games
    columns = {
        "game_key": batch.game_key,
        "leader": batch.first,
        "shown": texts(batch.shown),
        "winner": maybe(games[:, D.G_WINNER], pa.int8(), -1),
        "fleer": maybe(games[:, D.G_FLEER], pa.int8(), -1),
        "recorded_end": words(recorded.end, [name or "" for name in END_NAMES], recorded.end == 0),
        "recorded_winner": maybe(recorded.winner, pa.int64()),
        "recorded_kou": words(recorded.kou, R.KOU_NAMES, recorded.kou == R.NO_KOU),
        "recorded_doubling": maybe(recorded.doubling, pa.int64()),
    }
    return table_of(T.SHUANGKOU_GAMES, columns)


def _seats(batch: GameBatch, facts: Facts) -> Any:
    game, sat = games_of_seats(batch), by_column(facts.seats)
    seat = np.arange(len(game)) - batch.seats_at[game]
    is_unread = np.isin(facts.games[game, D.G_ERROR], _UNREAD_DEALS)
    columns = {
        "game_key": batch.game_key[game],
        "seat": seat,
        "team": seat % 2,
        **_dealt(sat, is_unread),
        "cards_left": sat[:, D.S_LEFT],
        "place": maybe(sat[:, D.S_PLACE], pa.int8(), 0),
        "has_played": sat[:, D.S_PLAYED] != 0,
        "declined": sat[:, D.S_DECLINED],
        "best": sat[:, D.S_BEST],
        "linked": sat[:, D.S_LINKED],
        "fours": sat[:, D.S_FOURS],
        "fives": sat[:, D.S_FIVES],
        "fours_apart": sat[:, D.S_FOURS_APART],
        "fives_apart": sat[:, D.S_FIVES_APART],
        "bombs_low": pack_bombs(sat, 0),
        "bombs_high": pack_bombs(sat, _XIANG_A_WORD),
        "recorded_place": maybe(batch.recorded.places, pa.int64()),
        "recorded_xiang": maybe(batch.recorded.xiang, pa.int64()),
        "recorded_contribution": maybe(batch.recorded.contribution, pa.int64()),
    }
    return table_of(T.SHUANGKOU_SEATS, columns)


def by_column(rows: Int64s) -> Int64s:
    """The same rows, laid out so that a column is one piece of memory: they are read so."""
    return np.asfortranarray(rows)


def _dealt(sat: Int64s, is_unread: Bools) -> dict[str, Any]:
    places = {
        "rank_bombs": D.S_RANK_BOMBS,
        "jokers": D.S_JOKERS,
        "spades": D.S_SPADES,
        "hearts": D.S_HEARTS,
        "clubs": D.S_CLUBS,
        "diamonds": D.S_DIAMONDS,
        "repeated": D.S_REPEATED,
    }
    return {name: maybe(sat[:, place], pa.int8(), is_unread) for name, place in places.items()}


def pack_bombs(sat: Int64s, first: int) -> Array:
    """uint64 ``(k,)``: number of bombs for each of 16 xiang from ``first``, four bits each."""
    packed = np.zeros(len(sat), np.uint64)
    for xiang in range(_XIANG_A_WORD):
        counts = sat[:, D.S_BOMBS + first + xiang]
        if counts.any():  # most xiang are those of no bomb
            packed |= counts.astype(np.uint64) << np.uint64(_BOMB_BITS * xiang)
    return packed


def unpack_bombs(packed: Array) -> Int64s:
    """int64 ``(k, 16)``: the numbers that ``pack_bombs`` packed."""
    shifts = np.arange(_XIANG_A_WORD, dtype=np.uint64) * _BOMB_BITS
    numbers = packed[:, None] >> shifts & np.uint64(2**_BOMB_BITS - 1)
    return numbers.astype(np.int64)


def _bombs(batch: GameBatch, bombs: Int64s) -> Any:
    bombs = by_column(bombs)
    top = bombs[:, D.B_TOP]
    columns = {
        "game_key": batch.game_key[bombs[:, D.B_GAME]],
        "seat": bombs[:, D.B_SEAT],
        "action": bombs[:, D.B_ACTION],
        "kind": words(bombs[:, D.B_KIND], [name or "" for name in KIND_NAMES]),
        "xiang": bombs[:, D.B_XIANG],
        "cards": bombs[:, D.B_CARDS],
        "groups": bombs[:, D.B_GROUPS],
        "top": words(top, RANK_TEXT, top == NO_RANK),
        "jokers": bombs[:, D.B_JOKERS],
        "beaten": bombs[:, D.B_BEATEN] != 0,
    }
    return table_of(T.SHUANGKOU_BOMBS, columns)
