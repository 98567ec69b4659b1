"""双扣 (Shuangkou): facts out of the tables of this family, for settling again.

What is not asked for by a settlement, or by comparing it, is left at zero: bombs one by
one, and findings. Source: rules clauses 6 to 9, which say what a settlement reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.findings import FINDING_WIDTH, Code
from analytics.logs import Recorded
from analytics.logs.batch import END_ESCAPE, END_OUT
from analytics.rules import row as R
from analytics.shuangkou import Facts
from analytics.shuangkou import desk as D
from analytics.warehouse.restoring import column, places
from analytics.warehouse.shuangkou_filling import unpack_bombs

Int64s = npt.NDArray[np.int64]

_ENDS: Final = {"out": END_OUT, "escape": END_ESCAPE}
_CODES: Final = {code.text: int(code) for code in Code}
_KOUS: Final = {name: kou for kou, name in enumerate(R.KOU_NAMES)}
_NOT_READ: Final = {
    D.S_RANK_BOMBS: "rank_bombs",
    D.S_JOKERS: "jokers",
    D.S_SPADES: "spades",
    D.S_HEARTS: "hearts",
    D.S_CLUBS: "clubs",
    D.S_DIAMONDS: "diamonds",
    D.S_REPEATED: "repeated",
    D.S_DECLINED: "declined",
}
_READ: Final = {
    D.S_LEFT: "cards_left",
    D.S_PLACE: "place",
    D.S_PLAYED: "has_played",
    D.S_BEST: "best",
    D.S_LINKED: "linked",
    D.S_FOURS: "fours",
    D.S_FIVES: "fives",
    D.S_FOURS_APART: "fours_apart",
    D.S_FIVES_APART: "fives_apart",
}
_PACKED: Final = ("bombs_low", "bombs_high")
# Columns of ``shuangkou_seats`` that a settlement reads.
SETTLED_BY: Final = (*_READ.values(), *_PACKED)
_OF_COMMON_SEATS: Final = {
    D.S_TIMEOUTS: "timeouts",
    D.S_SYSTEM_TURNS: "trustee_turns",
    D.S_PASSES: "passes",
}


def restore(rows: Mapping[str, Any]) -> tuple[Facts, Recorded]:
    """Facts and what the house recorded.

    Args:
        rows: of ``games``, ``seats``, ``shuangkou_games`` and ``shuangkou_seats``, all in
            one order.
    """
    nothing = np.zeros(0, np.int64)
    facts = Facts(
        games=_games(rows["games"], rows["shuangkou_games"]),
        seats=_seats(rows["seats"], rows["shuangkou_seats"]),
        bombs=nothing.reshape(0, D.BOMB_WIDTH),
        plays=nothing.reshape(0, D.PLAY_WIDTH),
        findings=nothing.reshape(0, FINDING_WIDTH),
    )
    return facts, _recorded(rows)


def _games(common: Any, own: Any) -> Int64s:
    games = np.zeros((len(common), D.GAME_WIDTH), np.int64)
    games[:, D.G_ERROR] = places(common, "broken_by", _CODES, 0)
    games[:, D.G_END] = places(common, "ending", _ENDS, 0)
    games[:, D.G_WINNER] = column(own, "winner", -1)
    games[:, D.G_FLEER] = column(own, "fleer", -1)
    games[:, D.G_ACTIONS] = column(common, "actions")
    games[:, D.G_PLIES] = column(common, "plies")
    return games


def settled_by(own: Any) -> Int64s:
    """Facts of seats, int64 ``(k, SEAT_WIDTH)``, as far as a settlement reads them.

    Args:
        own: rows with the columns ``SETTLED_BY``.
    """
    seats = np.zeros((len(own), D.SEAT_WIDTH), np.int64)
    for place, name in _READ.items():
        seats[:, place] = column(own, name, 0)
    packed = [own[name].to_numpy() for name in _PACKED]
    seats[:, D.S_BOMBS :] = np.hstack([unpack_bombs(each) for each in packed])
    return seats


def _seats(common: Any, own: Any) -> Int64s:
    seats = settled_by(own)
    for place, name in _OF_COMMON_SEATS.items():
        seats[:, place] = column(common, name)
    for place, name in _NOT_READ.items():
        seats[:, place] = column(own, name, 0)
    return seats


def _recorded(rows: Mapping[str, Any]) -> Recorded:
    games, seats = rows["shuangkou_games"], rows["shuangkou_seats"]
    return Recorded(
        end=places(games, "recorded_end", _ENDS, 0).astype(np.int8),
        winner=column(games, "recorded_winner"),
        kou=places(games, "recorded_kou", _KOUS, R.NO_KOU).astype(np.int8),
        doubling=column(games, "recorded_doubling"),
        places=column(seats, "recorded_place"),
        xiang=column(seats, "recorded_xiang"),
        contribution=column(seats, "recorded_contribution"),
        delta=column(rows["seats"], "recorded_delta"),
        fee=column(rows["seats"], "recorded_fee"),
        balance=column(rows["seats"], "recorded_balance"),
    )
