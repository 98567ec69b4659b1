"""The conductor: a batch and the rulebook in, a verdict out.

``verify_batch`` is the one function that verification consists of; it is pure. What
no batch can know alone is left to ``analytics.reconcile``, which works on ``Keys``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from analytics import ledger, shuangkou
from analytics.findings import Finding, in_order
from analytics.ledger import Postings
from analytics.logs.batch import ABSENT, GameBatch
from analytics.logs.checking import FAMILIES as WORDS
from analytics.logs.strings import Strings
from analytics.rules import Rulebook

Int64s = npt.NDArray[np.int64]


class Facts(Protocol):
    """What a family's replay finds; ``findings`` is int64 ``(f, FINDING_WIDTH)``."""

    @property
    def findings(self) -> Int64s: ...


class Settled(Protocol):
    """What a family's games are worth: items per seat, and those of the system."""

    @property
    def items(self) -> Int64s: ...

    @property
    def system(self) -> Int64s: ...


class Family(Protocol):
    """The doors of a game family; a module that has these functions is one."""

    def replay(self, batch: GameBatch, rulebook: Rulebook) -> Any:
        """What was played: ``Facts``."""

    def settle(self, facts: Any, batch: GameBatch, rulebook: Rulebook) -> Any:
        """What it is worth: ``Settled``."""

    def compare(self, batch: GameBatch, facts: Any, settled: Any, rulebook: Rulebook) -> Int64s:
        """What the house recorded otherwise: int64 ``(f, FINDING_WIDTH)``."""

    def describe(self, batch: GameBatch, row: Int64s, facts: Any, rulebook: Rulebook) -> Finding:
        """One finding in columns as a ``Finding`` that names its ruleset."""


# The doors of ``checking.FAMILIES``, in its order.
_DOORS: Final[tuple[Family, ...]] = (shuangkou,)
FAMILIES: Final[Mapping[str, Family]] = dict(zip(WORDS, _DOORS, strict=True))


@dataclass(frozen=True, slots=True)
class Keys:
    """What reconciling needs of a batch.

    Attributes:
        game_key, content, offset, line, start: int64 ``(n,)``, as in ``GameBatch``.
        path: int32 ``(n,)``.
        rules_ix: int16 ``(n,)``.
        ids: ``n`` strings.
        seat_game: int64 ``(k,)``: the row of each seat's game.
        seat: int8 ``(k,)``.
        players: ``k`` strings.
        unit: int16 ``(k,)``: stands for the unit of the ruleset, by the first ruleset of
            the rulebook that has it.
        before: int64 ``(k,)``: balance before the game.
        after: int64 ``(k,)``: recorded balance, else before + recorded delta, else ABSENT.
    """

    game_key: Int64s
    content: Int64s
    path: npt.NDArray[np.int32]
    offset: Int64s
    line: Int64s
    start: Int64s
    rules_ix: npt.NDArray[np.int16]
    ids: Strings
    seat_game: Int64s
    seat: npt.NDArray[np.int8]
    players: Strings
    unit: npt.NDArray[np.int16]
    before: Int64s
    after: Int64s


@dataclass(frozen=True)
class Verdict:
    """What verification says of a batch.

    Attributes:
        batch: what was verified.
        facts: what was played, by the family.
        settled: what it is worth, by the family.
        findings: int64 ``(f, FINDING_WIDTH)``, ordered by game, action, seat, code.
        keys: for reconciling.
    """

    batch: GameBatch
    facts: Any
    settled: Any
    findings: Int64s
    keys: Keys

    @cached_property
    def postings(self) -> Postings:
        """The settlements as a ledger."""
        return ledger.post(self.settled.items, self.settled.system, self.batch.seats_at)


def verify_batch(
    batch: GameBatch, rulebook: Rulebook, families: Mapping[str, Family] = FAMILIES
) -> Verdict:
    """Replays, settles and compares every game of a batch.

    Raises:
        KeyError: nobody knows the batch's family; readers let no such game through.
    """
    return judge_batch(batch, families[batch.family].replay(batch, rulebook), rulebook, families)


def judge_batch(
    batch: GameBatch, facts: Any, rulebook: Rulebook, families: Mapping[str, Any] = FAMILIES
) -> Verdict:
    """Settles and compares games that were replayed before.

    Args:
        batch: the games; of hands and actions nothing is read.
        facts: what their replay found, by rulesets with the same ``[play]``.
        rulebook: what ``batch.rules_ix`` refers to.
        families: the doors of each family.
    """
    family = families[batch.family]
    settled = family.settle(facts, batch, rulebook)
    differences = family.compare(batch, facts, settled, rulebook)
    findings = in_order(np.concatenate([facts.findings, differences]))
    return Verdict(batch, facts, settled, findings, _keys(batch, rulebook))


def describe(
    verdict: Verdict, row: int, rulebook: Rulebook, families: Mapping[str, Family] = FAMILIES
) -> Finding:
    """The finding in a row of ``verdict.findings``, with its values and its ruleset."""
    family = families[verdict.batch.family]
    return family.describe(verdict.batch, verdict.findings[row], verdict.facts, rulebook)


def _keys(batch: GameBatch, rulebook: Rulebook) -> Keys:
    counts = np.diff(batch.seats_at)
    seat_game = np.repeat(np.arange(len(batch)), counts)
    names = [ruleset.scoring.unit for ruleset in rulebook.rulesets]
    units = np.array([names.index(name) for name in names], np.int16)
    recorded, delta = batch.recorded.balance, batch.recorded.delta
    moved = np.where(delta == ABSENT, ABSENT, batch.balance + np.where(delta == ABSENT, 0, delta))
    return Keys(
        game_key=batch.game_key,
        content=batch.content,
        path=batch.path,
        offset=batch.offset,
        line=batch.line,
        start=batch.start,
        rules_ix=batch.rules_ix,
        ids=_column(batch.id),
        seat_game=seat_game,
        seat=(np.arange(len(seat_game)) - batch.seats_at[seat_game]).astype(np.int8),
        players=_column(batch.player),
        unit=units[batch.rules_ix[seat_game]],
        before=batch.balance,
        after=np.where(recorded == ABSENT, moved, recorded),
    )


def _column(texts: Sequence[str]) -> Strings:
    """Texts as a column; readers give them as one already."""
    return texts if isinstance(texts, Strings) else Strings.of(texts)
