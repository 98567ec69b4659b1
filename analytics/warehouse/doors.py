"""What the warehouse asks of a game family: its doors, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from analytics.findings import F_CODE, F_GAME
from analytics.logs import GameBatch, Recorded
from analytics.verify import Verdict
from analytics.warehouse import filling, shuangkou_filling, shuangkou_restoring
from analytics.warehouse.common import FINDINGS, GAMES, POSTINGS, SEATS, VERDICTS
from analytics.warehouse.filling import Filled, Int64s, Logs, Outcomes, Settling
from analytics.warehouse.tables import Layer


class Doors(NamedTuple):
    """A family, as the warehouse sees it.

    Attributes:
        family: the doors that ``verify`` goes through.
        outcomes: batch, facts and settled to what the common tables want to know.
        facts_of: batch and facts to rows of its tables of facts.
        verdict_of: batch, facts, settled and settling to rows of its tables of verdicts.
        restore: rows of ``games``, ``seats`` and its own tables of facts, by name, to
            facts and to what the house recorded.
    """

    family: Any
    outcomes: Callable[[GameBatch, Any, Any], Outcomes]
    facts_of: Callable[[GameBatch, Any], Iterator[Filled]]
    verdict_of: Callable[[GameBatch, Any, Any, Settling], Iterator[Filled]]
    restore: Callable[[Mapping[str, Any]], tuple[Any, Recorded]]


DOORS: Final[Mapping[str, Doors]] = {
    "shuangkou": Doors(
        shuangkou_filling.FAMILY,
        shuangkou_filling.outcomes,
        shuangkou_filling.facts_of,
        shuangkou_filling.verdict_of,
        shuangkou_restoring.restore,
    )
}
FAMILIES: Final = {name: doors.family for name, doors in DOORS.items()}


def fill(verdict: Verdict, settling: Settling, logs: Logs) -> Iterator[Filled]:
    """All rows of a verdict.

    Args:
        verdict: on a batch of games.
        settling: by what they were settled.
        logs: in which they are.
    """
    batch, facts = verdict.batch, verdict.facts
    doors = DOORS[batch.family]
    out = doors.outcomes(batch, facts, verdict.settled)
    game, of_seat = np.arange(len(batch)), filling.games_of_seats(batch)
    early = verdict.findings[~filling.depends_on_scoring(verdict.findings[:, F_CODE])]
    found = filling.findings(batch, early, settling, logs)
    yield Filled(GAMES, Layer.FACTS, filling.games(batch, out, logs), game)
    yield Filled(SEATS, Layer.FACTS, filling.seats(batch, out), of_seat)
    yield Filled(FINDINGS, Layer.FACTS, found, early[:, F_GAME])
    yield from doors.facts_of(batch, facts)
    errors = filling.errors_of(early, len(batch))
    yield from fill_verdict(verdict, out, errors, settling, logs)


def fill_verdict(
    verdict: Verdict, out: Outcomes, errors: Int64s, settling: Settling, logs: Logs
) -> Iterator[Filled]:
    """The rows of a verdict that depend on scoring.

    Args:
        verdict: on a batch of games.
        out: what its family says of them.
        errors: int64 ``(n,)``: errors of each game that do not depend on scoring.
        settling: by what they were settled.
        logs: in which they are.
    """
    batch, made = verdict.batch, verdict.postings
    late = verdict.findings[filling.depends_on_scoring(verdict.findings[:, F_CODE])]
    all_errors = errors + filling.errors_of(late, len(batch))
    says = filling.verdicts(batch, out, all_errors, settling)
    yield Filled(VERDICTS, Layer.VERDICT, says, np.arange(len(batch)))
    posted = filling.postings(batch, made, settling)
    yield Filled(POSTINGS, Layer.VERDICT, posted, made.game)
    found = filling.findings(batch, late, settling, logs)
    yield Filled(FINDINGS, Layer.VERDICT, found, late[:, F_GAME])
    yield from DOORS[batch.family].verdict_of(batch, verdict.facts, verdict.settled, settling)
