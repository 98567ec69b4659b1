"""Games in order of time, as any table can settle them: facts, and what came from outside.

What a settlement reads of a seat is one of some ten thousand different rows; a seat keeps
the number of its row. So ten million games fit into memory. Source: rules clauses 6 to 9,
which say what a settlement reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from analytics.logs.batch import END_ESCAPE, END_OUT
from analytics.rules import Ruleset
from analytics.shuangkou import desk as D
from analytics.studies.asking import SCOPE, Asked
from analytics.tuning.errors import CannotTune
from analytics.tuning.recorded import recorded_rulesets
from analytics.warehouse.reading import Warehouse
from analytics.warehouse.restoring import column, places
from analytics.warehouse.shuangkou_restoring import SETTLED_BY, settled_by

Int64s: TypeAlias = npt.NDArray[np.int64]
Int32s: TypeAlias = npt.NDArray[np.int32]
Int16s: TypeAlias = npt.NDArray[np.int16]

_ENDS: Final = {"out": END_OUT, "escape": END_ESCAPE}
_READ: Final = ", ".join(SETTLED_BY)


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """``n`` games with ``k`` seats in order of their starts; of one start by their keys.

    Attributes:
        games: int64 ``(n, GAME_WIDTH)``; columns ``desk.G_*`` that a settlement reads.
        given: int64 ``(n,)``, the recorded base, or ABSENT.
        rules_ix: int16 ``(n,)``, which of ``rulesets``.
        seats_at: int64 ``(n + 1,)``.
        kinds: int64 ``(q, SEAT_WIDTH)``: the different seats, as a settlement reads them.
        kind: int32 ``(k,)``: which of these each seat is.
        sat: int32 ``(k,)``: which of ``players`` sits there.
        flow: int64 ``(k,)``: what came to the player from outside since its last game; in
            its first one, what it brought.
        recorded: int64 ``(k,)``: its balance before the game, as logged.
        day_at: int64 ``(days + 1,)``: where the games of each day begin.
        days: datetime64[D] ``(days,)``.
        rulesets: by which the games were settled.
        unit: of all amounts.
        players: the name of each player.
        opening: int64 ``(players,)``: the first balance of each, part of ``flow``.
        left_out: games that have no start, or whose replay broke: no table can settle them
            in their order. What they changed counts as come from outside.
    """

    games: Int64s
    given: Int64s
    rules_ix: Int16s
    seats_at: Int64s
    kinds: Int64s
    kind: Int32s
    sat: Int32s
    flow: Int64s
    recorded: Int64s
    day_at: Int64s
    days: npt.NDArray[np.datetime64]
    rulesets: tuple[Ruleset, ...]
    unit: str
    players: tuple[str, ...]
    opening: Int64s
    left_out: int

    def __len__(self) -> int:
        return len(self.given)


def order_games(warehouse: Warehouse, asked: Asked) -> Ordered:
    """The games that were asked for, in order of time.

    Args:
        warehouse: an open one.
        asked: which games; ``by`` and ``always`` are not read.

    Raises:
        CannotTune: there are none, or their amounts are of several units.
    """
    steps = _steps(asked)
    games = warehouse.arrow(f"{steps} SELECT * FROM chosen ORDER BY started, game_key")
    seats = warehouse.arrow(f"{steps} {_SEATS} ORDER BY started, game_key, seat")
    kinds = warehouse.arrow(f"{steps} SELECT * FROM kinds ORDER BY kind")
    players = warehouse.arrow(f"{steps} SELECT player FROM people ORDER BY nth")
    [left_out] = warehouse.arrow(f"{steps} {_LEFT_OUT}")["left_out"].to_pylist()
    rulesets, rules_ix = _rulesets(column(games, "settlement_key"), warehouse)
    counts, sat = column(games, "seats"), column(seats, "nth").astype(np.int32)
    flow, is_first = column(seats, "flow"), column(seats, "is_first") != 0
    opening = np.zeros(len(players), np.int64)
    opening[sat[is_first]] = flow[is_first]
    days, day_at = np.unique(_days(games), return_index=True)
    return Ordered(
        games=_facts(games),
        given=column(games, "given_base"),
        rules_ix=rules_ix,
        seats_at=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        kinds=settled_by(kinds),
        kind=column(seats, "kind").astype(np.int32),
        sat=sat,
        flow=flow,
        recorded=column(seats, "balance"),
        day_at=np.append(day_at, len(games)).astype(np.int64),
        days=days,
        rulesets=rulesets,
        unit=unit_of(rulesets),
        players=tuple(players["player"].to_pylist()),
        opening=opening,
        left_out=left_out,
    )


def unit_of(rulesets: Sequence[Ruleset]) -> str:
    """The unit of all amounts.

    Raises:
        CannotTune: there is no ruleset, or they have several units.
    """
    units = sorted({ruleset.scoring.unit for ruleset in rulesets})
    if not units:
        raise CannotTune("there are no such games with a start and an end.")
    if len(units) > 1:
        raise CannotTune(
            f"amounts are in several units ({', '.join(units)}); choose games of one of them, "
            f"for instance with --where \"unit = '{units[0]}'\"."
        )
    return units[0]


def _rulesets(keys: Int64s, warehouse: Warehouse) -> tuple[tuple[Ruleset, ...], Int16s]:
    """The rulesets of games, and which of them each game has."""
    by_key = recorded_rulesets(warehouse)
    different, inverse = np.unique(keys, return_inverse=True)
    own = [by_key[key] for key in different.tolist()]
    rulesets = tuple(
        dict.fromkeys(sorted(own, key=lambda each: (each.name, each.version, each.hash)))
    )
    places_of = np.array([rulesets.index(each) for each in own], np.int16)
    return rulesets, places_of[inverse]


def _steps(asked: Asked) -> str:
    """What games, seats, kinds and people are, as common table expressions.

    A flow is what a balance has changed by since the house booked the game before; where
    the house recorded no result, since what the verdict says.
    """
    name, scope = asked.scope("started", "ending", "family", "settlement_key", "unit", "day",
                              "seats", "given_base")  # fmt: skip
    return f"""
    WITH {name} AS ({scope}),
    chosen AS (
        SELECT {name}.*, winner, fleer
        FROM {name} JOIN shuangkou_games USING (game_key)
        WHERE started IS NOT NULL AND ending IS NOT NULL
    ),
    kinds AS (
        SELECT row_number() OVER (ORDER BY {_READ}) - 1 AS kind, *
        FROM (SELECT DISTINCT {_READ} FROM shuangkou_seats SEMI JOIN chosen USING (game_key))
    ),
    booked AS (
        SELECT game_key, started, seat, player, balance,
            coalesce(recorded_balance, balance + coalesce(recorded_delta, delta, 0)) AS after
        FROM (SELECT game_key, started FROM chosen) AS chosen JOIN seats USING (game_key)
        LEFT JOIN (SELECT game_key, seat, delta FROM shuangkou_settled) USING (game_key, seat)
    ),
    people AS (
        SELECT row_number() OVER (ORDER BY player) - 1 AS nth, *
        FROM (SELECT DISTINCT player FROM booked)
    )"""


_SEATS: Final = f"""
SELECT booked.game_key, started, seat, nth, kind, balance,
    balance - coalesce(lag(after) OVER player, 0) AS flow,
    lag(after) OVER player IS NULL AS is_first
FROM booked
JOIN people USING (player)
JOIN (SELECT game_key, seat, {_READ} FROM shuangkou_seats) USING (game_key, seat)
JOIN (SELECT kind, {", ".join(f"{name} AS k_{name}" for name in SETTLED_BY)} FROM kinds)
    ON {" AND ".join(f"{name} IS NOT DISTINCT FROM k_{name}" for name in SETTLED_BY)}
WINDOW player AS (PARTITION BY nth ORDER BY started, booked.game_key, seat)
"""

_LEFT_OUT: Final = f"""
SELECT (SELECT count(*) FROM {SCOPE}) - (SELECT count(*) FROM chosen) AS left_out
"""


def _facts(rows: Any) -> Int64s:
    games = np.zeros((len(rows), D.GAME_WIDTH), np.int64)
    games[:, D.G_END] = places(rows, "ending", _ENDS, 0)
    games[:, D.G_WINNER] = column(rows, "winner", -1)
    games[:, D.G_FLEER] = column(rows, "fleer", -1)
    return games


def _days(rows: Any) -> npt.NDArray[np.datetime64]:
    own = rows["day"].combine_chunks().to_numpy(zero_copy_only=False)
    days: npt.NDArray[np.datetime64] = own.astype("datetime64[D]")
    return days
