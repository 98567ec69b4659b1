"""What the warehouse asks of a game family: its doors, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from analytics.findings import F_CODE, F_GAME
from analytics.logs import GameBatch
from analytics.verify import Verdict
from analytics.warehouse import filling, shuangkou_filling
from analytics.warehouse.common import FINDINGS, GAMES, POSTINGS, SEATS, VERDICTS
from analytics.warehouse.filling import Filled, Int64s, Outcomes, Settling
from analytics.warehouse.tables import Layer


class Doors(NamedTuple):
    """A family, as the warehouse sees it.

    Attributes:
        family: the doors that ``verify`` goes through.
        outcomes: batch, facts and settled to what the common tables want to know.
        facts_of: batch and facts to rows of its tables of facts.
        verdict_of: batch, facts, settled and settling to rows of its tables of verdicts.
    """

    family: Any
    outcomes: Callable[[GameBatch, Any, Any], Outcomes]
    facts_of: Callable[[GameBatch, Any], Iterator[Filled]]
    verdict_of: Callable[[GameBatch, Any, Any, Settling], Iterator[Filled]]


DOORS: Final[Mapping[str, Doors]] = {
    "shuangkou": Doors(
        shuangkou_filling.FAMILY,
        shuangkou_filling.outcomes,
        shuangkou_filling.facts_of,
        shuangkou_filling.verdict_of,
    )
}
FAMILIES: Final = {name: doors.family for name, doors in DOORS.items()}


def fill(verdict: Verdict, settling: Settling, file_key: str, line: Int64s) -> Iterator[Filled]:
    """All rows of a verdict.

    Args:
        verdict: on games of one log.
        settling: by what they were settled.
        file_key: of the log.
        line: int64 ``(n,)``: line of each game, counted from the beginning of the log.
    """
    batch, facts, settled = verdict.batch, verdict.facts, verdict.settled
    doors = DOORS[batch.family]
    out = doors.outcomes(batch, facts, settled)
    game = np.arange(len(batch))
    is_late = filling.depends_on_scoring(verdict.findings[:, F_CODE])
    early = verdict.findings[~is_late]
    yield Filled(GAMES, Layer.FACTS, filling.games(batch, out, file_key, line), game)
    yield Filled(SEATS, Layer.FACTS, filling.seats(batch, out), filling.games_of_seats(batch))
    yield Filled(
        FINDINGS,
        Layer.FACTS,
        filling.findings(batch, early, settling, file_key, line),
        early[:, F_GAME],
    )
    yield from doors.facts_of(batch, facts)
    yield from fill_verdict(verdict, out, settling, file_key, line)


def fill_verdict(
    verdict: Verdict, out: Outcomes, settling: Settling, file_key: str, line: Int64s
) -> Iterator[Filled]:
    """The rows of a verdict that depend on scoring."""
    batch, made = verdict.batch, verdict.postings
    late = verdict.findings[filling.depends_on_scoring(verdict.findings[:, F_CODE])]
    says = filling.verdicts(batch, out, verdict.findings, settling)
    yield Filled(VERDICTS, Layer.VERDICT, says, np.arange(len(batch)))
    posted = filling.postings(batch, made, settling)
    yield Filled(POSTINGS, Layer.VERDICT, posted, made.game)
    found = filling.findings(batch, late, settling, file_key, line)
    yield Filled(FINDINGS, Layer.VERDICT, found, late[:, F_GAME])
    yield from DOORS[batch.family].verdict_of(batch, verdict.facts, verdict.settled, settling)
