"""What the house records: a result in the shape of the log, from the engine's settlement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from analytics import shuangkou
from analytics.logs import Game, Result, batch_of
from analytics.logs.batch import END_OUT
from analytics.rules import Rulebook
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S


def with_result(game: Game, rulebook: Rulebook) -> Game:
    """The game with the result that the rules give.

    Args:
        game: played to its end; what it records is left out of account.
        rulebook: holds its ruleset.

    Raises:
        ValueError: the game does not replay to its end.
    """
    batch = batch_of([game], rulebook)
    facts = shuangkou.replay(batch, rulebook)
    if facts.games[0, D.G_ERROR]:
        finding = shuangkou.describe(batch, facts.findings[-1], facts, rulebook)
        raise ValueError(f"{game.id} does not replay: {finding}")
    settled = shuangkou.settle(facts, batch, rulebook)
    result = _result(facts, settled, game)
    return msgspec.structs.replace(game, base=int(settled.games[0, S.X_BASE]), result=result)


def _result(facts: shuangkou.Facts, settled: shuangkou.Settled, game: Game) -> Result:
    delta = _ints(settled.seats[:, S.Y_DELTA])
    ending: dict[str, Any] = {"end": "escape"}
    if facts.games[0, D.G_END] == END_OUT:
        ending = {
            "end": "out",
            "places": _ints(facts.seats[:, D.S_PLACE]) if len(delta) == 4 else None,
            "kou": R.KOU_NAMES[settled.games[0, S.X_KOU]],
            "doubling": int(settled.games[0, S.X_DOUBLING]),
            "contribution": _ints(settled.seats[:, S.Y_CONTRIBUTION]),
        }
    return Result(
        winner=int(facts.games[0, D.G_WINNER]),
        xiang=_ints(settled.seats[:, S.Y_XIANG]),
        delta=delta,
        fee=_ints(settled.seats[:, S.Y_FEE]),
        balance=tuple(
            seat.balance + amount for seat, amount in zip(game.seats, delta, strict=True)
        ),
        **ending,
    )


def _ints(column: Iterable[Any]) -> tuple[int, ...]:
    return tuple(int(value) for value in column)
