"""What every game came to, one plain record a game.

Source: rules clauses 6 to 10. What an ending or a ruleset does not have is None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.findings import F_CODE, F_GAME, Code
from analytics.logs.batch import END_NAMES, GameBatch
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.shuangkou.facts import Facts, Settled

Int64s = npt.NDArray[np.int64]

# The parts of a result, in the order in which they are written.
PARTS: Final = (
    "end", "winner", "places", "kou", "cards_left", "xiang",
    "base", "doubling", "contribution", "delta", "fee", "system",
)  # fmt: skip


class GameResult(NamedTuple):
    """What one game came to.

    Attributes:
        game: its row in the batch.
        status: "bad" where the replay broke.
        result: its ``PARTS`` by name, lists in seat order; None where the replay broke.
        finding: row of the finding that ended the replay, or that left the game
            without a base (clause 8.1); None where there is none.
    """

    game: int
    status: Literal["ok", "bad"]
    result: dict[str, Any] | None
    finding: int | None


def results(
    batch: GameBatch, facts: Facts, settled: Settled, findings: Int64s
) -> Iterator[GameResult]:
    """The results of a batch, in its order.

    Args:
        batch: recorded games.
        facts: what their replay found.
        settled: what they are worth.
        findings: int64 ``(f, FINDING_WIDTH)``, those of replay and comparison.
    """
    telling = _telling(facts, findings)
    parts = _parts(batch, facts, settled)
    for game, (error, result) in enumerate(zip(facts.games[:, D.G_ERROR], parts, strict=True)):
        if error:
            yield GameResult(game, "bad", None, telling.get(game))
        else:
            yield GameResult(game, "ok", result, telling.get(game))


def _telling(facts: Facts, findings: Int64s) -> dict[int, int]:
    """Per game the row of the first finding that ended its replay, or took its base."""
    codes, games = findings[:, F_CODE], findings[:, F_GAME]
    is_telling = (codes == facts.games[games, D.G_ERROR]) | (codes == int(Code.BASE_LEVEL))
    rows = np.flatnonzero(is_telling)[::-1]  # backwards, so that the first one stays
    return dict(zip(games[rows].tolist(), rows.tolist(), strict=True))


def _parts(batch: GameBatch, facts: Facts, settled: Settled) -> Iterator[dict[str, Any]]:
    """The parts of every game; of one whose replay broke they mean nothing."""
    starts = batch.seats_at.tolist()
    played, sat = facts.games.tolist(), facts.seats[:, : D.S_PLACE + 1].tolist()
    worth, got = settled.games.tolist(), settled.seats.tolist()
    for start, stop, game, book in zip(starts, starts[1:], played, worth, strict=False):
        yield _result(game, sat[start:stop], book, got[start:stop])


def _result(
    game: list[int], sat: list[list[int]], book: list[int], got: list[list[int]]
) -> dict[str, Any]:
    """One game from its rows: facts and books, of the game and of its seats."""
    kou, end = book[S.X_KOU], game[D.G_END]
    return {
        "end": END_NAMES[end],
        "winner": game[D.G_WINNER],
        "places": _column(sat, D.S_PLACE) if sat[0][D.S_PLACE] else None,
        "kou": R.KOU_NAMES[kou] if kou != R.NO_KOU else None,
        "cards_left": _column(sat, D.S_LEFT),
        "xiang": _column(got, S.Y_XIANG),
        "base": _value(book[S.X_BASE]),
        "doubling": _value(book[S.X_DOUBLING]),
        "contribution": _values(got, S.Y_CONTRIBUTION),
        "delta": _values(got, S.Y_DELTA),
        "fee": _column(got, S.Y_FEE),
        "system": _value(book[S.X_SYSTEM]),
    }


def _column(rows: list[list[int]], place: int) -> list[int]:
    return [row[place] for row in rows]


def _value(value: int) -> int | None:
    return None if value == S.NOTHING else value


def _values(rows: list[list[int]], place: int) -> list[int] | None:
    """A column that is null for all seats or for none."""
    return None if rows[0][place] == S.NOTHING else _column(rows, place)
