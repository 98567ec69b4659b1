"""Replaying: games under another ``[play]``, which only their logs can tell.

The warehouse keeps what was played, not the plays. So logs are read once more; each game
is replayed by the rules under which it was played, and by the others. What the others do
not allow is illegal: nobody knows how such a game would have gone on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics import shuangkou
from analytics.findings import F_ACTION, F_CODE, F_GAME, Code
from analytics.logs import GameBatch, Source, read
from analytics.rules import Rulebook, Ruleset, load_text, row_of
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.shuangkou.facts import Facts, Settled
from analytics.studies import Asked, Studied
from analytics.tuning.errors import CannotTune
from analytics.tuning.groups import Seatings
from analytics.tuning.measuring import Accounts
from analytics.tuning.pairing import Pair

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

Int64s = npt.NDArray[np.int64]

ILLEGAL_COLUMNS: Final = ("code", "games", "share", "example", "action")


class Replayed(NamedTuple):
    """Games that were replayed under two rulesets.

    Attributes:
        pair: those that both allow, each by itself.
        illegal: those that the other one does not: a row a code, ``ILLEGAL_COLUMNS``, with
            the first such game and the action at which it breaks.
        games: how many were asked for.
        broken: of these, how many broke under their own rules.
        missing: of these, how many are in none of the logs.
    """

    pair: Pair
    illegal: pd.DataFrame
    games: int
    broken: int
    missing: int


class _Piece(NamedTuple):
    """What a batch of a log came to: games in their order, seats from the winner."""

    key: Int64s
    code: Int64s  # 0: both allow it; -1: it broke under its own rules
    id: list[str]
    action: Int64s
    one: Settled
    other: Settled
    player: list[str]
    balance: Int64s


def replay_pair(
    warehouse: Studied,
    asked: Asked,
    baseline: Ruleset,
    candidate: Ruleset,
    logs: Sequence[Source],
    thresholds: tuple[int, ...],
) -> Replayed:
    """Replays games of a warehouse from their logs, by their own rules and by others.

    Args:
        warehouse: says which games.
        asked: which of them.
        baseline: by which they were played.
        candidate: the other ruleset.
        logs: that hold them; what else they hold is passed over.
        thresholds: balances at which a level begins.

    Raises:
        CannotTune: none of the games is in the logs, or seats differ.
        SourceError: a log cannot be read.
    """
    if candidate.play.seats != baseline.play.seats:
        raise CannotTune(f"{candidate.at} is for {candidate.play.seats} seats.")
    keys = _keys(warehouse, asked, baseline)
    pieces = list(_pieces(rulesets_of(warehouse.connection), baseline, candidate, logs, keys))
    found = sum(len(piece.key) for piece in pieces)
    if not found:
        raise CannotTune("none of the games is in these logs.")
    codes = np.concatenate([piece.code for piece in pieces])
    return Replayed(
        pair=_pair(pieces, baseline.play.seats, thresholds),
        illegal=_illegal(pieces, found - int((codes < 0).sum())),
        games=len(keys),
        broken=int((codes < 0).sum()),
        missing=len(keys) - found,
    )


def _keys(warehouse: Studied, asked: Asked, baseline: Ruleset) -> Int64s:
    name, scope = asked.scope("ruleset")
    query = f"WITH {name} AS ({scope}) SELECT game_key FROM {name} WHERE ruleset = ?"
    rows = warehouse.connection.execute(query, [baseline.at]).fetchnumpy()
    return np.sort(np.asarray(rows["game_key"], np.int64))


def rulesets_of(connection: duckdb.DuckDBPyConnection) -> Rulebook:
    """The rulesets that the warehouse keeps; of each version the one that came last."""
    query = "SELECT ruleset, toml FROM rulesets ORDER BY rowid"  # rows stand as they came
    rows = connection.execute(query).fetchall()
    return Rulebook.of(load_text(toml, at) for at, toml in dict(rows).items())


def _pieces(
    kept: Rulebook,
    baseline: Ruleset,
    candidate: Ruleset,
    logs: Sequence[Source],
    keys: Int64s,
) -> Iterator[_Piece]:
    place = [ruleset.at for ruleset in kept.rulesets].index(baseline.at)
    rows = np.vstack([kept.rows, row_of(candidate)])
    rows[place] = row_of(baseline)
    both = Rulebook((*kept.rulesets, candidate), rows)
    waiting = keys
    for source in logs:
        for batch in read(source, kept):
            if isinstance(batch, GameBatch) and batch.family == "shuangkou":
                chosen = _chosen(batch, place, waiting)
                waiting = np.setdiff1d(waiting, batch.game_key[chosen])
                if len(chosen):
                    yield _piece(batch, chosen, both)


def _chosen(batch: GameBatch, place: int, waiting: Int64s) -> Int64s:
    """The games of a batch that are asked for and were not met yet."""
    is_own = np.isin(batch.game_key, waiting) & (batch.rules_ix == place)
    first = np.unique(batch.game_key, return_index=True)[1]
    return np.intersect1d(np.flatnonzero(is_own), first)


def _piece(batch: GameBatch, chosen: Int64s, both: Rulebook) -> _Piece:
    other = batch.rules_ix.copy()
    other[chosen] = len(both.rulesets) - 1
    batches = batch, replace(batch, rules_ix=other)
    facts = [shuangkou.replay(each, both) for each in batches]
    settled = [shuangkou.settle(f, b, both) for f, b in zip(facts, batches, strict=True)]
    first, second = (each.games[chosen, D.G_ERROR] for each in facts)
    seats = _seats(batch, chosen, facts[0].games[chosen, D.G_WINNER])
    return _Piece(
        key=batch.game_key[chosen],
        code=np.where(first != 0, -1, second),
        id=[batch.id[game] for game in chosen.tolist()],
        action=_actions(facts[1], chosen),
        one=_some(settled[0], chosen, seats),
        other=_some(settled[1], chosen, seats),
        player=[batch.player[seat] for seat in seats.tolist()],
        balance=batch.balance[seats],
    )


def _seats(batch: GameBatch, chosen: Int64s, winner: Int64s) -> Int64s:
    """The seats of games, each game's from the winner on: int64 ``(k,)``."""
    starts, seats = batch.seats_at[chosen], np.diff(batch.seats_at)[chosen]
    turned = np.arange(seats.max(initial=0))[None, :] + np.maximum(winner, 0)[:, None]
    return np.asarray((starts[:, None] + turned % seats[:, None]).ravel(), np.int64)


def _actions(facts: Facts, chosen: Int64s) -> Int64s:
    """At which action each game broke; -1 where it did not."""
    at = np.full(len(facts.games), -1, np.int64)
    rows = facts.findings[::-1]  # the first of a game is written last
    ending = rows[rows[:, F_CODE] == facts.games[rows[:, F_GAME], D.G_ERROR]]
    at[ending[:, F_GAME]] = ending[:, F_ACTION]
    return at[chosen]


def _some(settled: Settled, games: Int64s, seats: Int64s) -> Settled:
    return Settled(
        settled.games[games], settled.seats[seats], settled.items[seats], settled.system[games]
    )


def _pair(pieces: Sequence[_Piece], seats: int, thresholds: tuple[int, ...]) -> Pair:
    legal = np.concatenate([piece.code for piece in pieces]) == 0
    by_seat = np.repeat(legal, seats)
    names = [name for piece in pieces for name in piece.player]
    players, player = np.unique(np.array(names, object)[by_seat], return_inverse=True)
    balance = np.concatenate([piece.balance for piece in pieces])[by_seat]
    order = np.argsort(player, kind="stable")
    seatings = Seatings(
        players=tuple(players.tolist()),
        player=player[order],
        group=order // seats,
        position=order % seats,
        level=np.searchsorted(thresholds, balance, side="right")[order],
        count=np.ones(len(order), np.int64),
    )
    sides = ([getattr(piece, name) for piece in pieces] for name in ("one", "other"))
    one, other = (_accounts(side, legal, seats) for side in sides)
    return Pair(one, other, seatings, thresholds)


def _accounts(settled: Sequence[Settled], legal: Any, seats: int) -> Accounts:
    base = np.concatenate([each.games[:, S.X_BASE] for each in settled])[legal]
    items = np.concatenate([each.items for each in settled]).reshape(-1, seats, S.ITEMS)[legal]
    system = np.concatenate([each.system for each in settled])[legal]
    return Accounts(items, system, base, (base != S.NOTHING).astype(np.int64))


def _illegal(pieces: Sequence[_Piece], games: int) -> pd.DataFrame:
    import pandas as pd

    columns = {
        "code": np.concatenate([piece.code for piece in pieces]),
        "example": [name for piece in pieces for name in piece.id],
        "action": np.concatenate([piece.action for piece in pieces]),
    }
    frame = pd.DataFrame(columns)
    broken = frame[frame["code"] > 0].groupby("code", sort=True)
    found = broken.agg(games=("code", "size"), example=("example", "first"),
                       action=("action", "first")).reset_index()  # fmt: skip
    found["share"] = found["games"] / games if games else np.nan
    found["code"] = [Code(code).text for code in found["code"]]
    found["action"] = found["action"].where(found["action"] >= 0).astype("Int64")
    return found.sort_values(["games", "code"], ascending=[False, True])[list(ILLEGAL_COLUMNS)]
