"""Another game family behind the same doors: a stub, with nothing of cards in it."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np

from analytics import ledger
from analytics.collect import Collector
from analytics.findings import F_CODE, F_GAME, F_SEAT, FINDING_WIDTH, Code, Finding
from analytics.logs import GameBatch, batch_of
from analytics.reconcile import Reconciler
from analytics.rules import Rulebook, load_rulesets
from analytics.verify import describe, verify_batch
from tests.games import fixture_games


class HighCard:
    """A family in which the first seat always wins one unit and a bad game is numbered 1."""

    def replay(self, batch: GameBatch, rulebook: Rulebook) -> Any:
        """One finding: on game 1."""
        row = np.full((1, FINDING_WIDTH), -1)
        row[0, [F_GAME, F_CODE, F_SEAT]] = 1, Code.PLAY_TURN, 1
        return SimpleNamespace(findings=row[: len(batch) - 1])

    def settle(self, facts: Any, batch: GameBatch, rulebook: Rulebook) -> Any:
        """The last seat pays the first."""
        items = np.zeros((len(batch.player), len(ledger.ITEM_NAMES)), np.int64)
        items[batch.seats_at[:-1], 0] = 1
        items[batch.seats_at[1:] - 1, 0] = -1
        return SimpleNamespace(items=items, system=np.zeros((len(batch), 7), np.int64))

    def compare(
        self, batch: GameBatch, facts: Any, settled: Any, rulebook: Rulebook
    ) -> np.ndarray[Any, Any]:
        """Nothing is recorded in this family."""
        return np.zeros((0, FINDING_WIDTH), np.int64)

    def describe(self, batch: GameBatch, row: Any, facts: Any, rulebook: Rulebook) -> Finding:
        """The finding, with no values."""
        return Finding(Code(int(row[F_CODE])), batch.file, game=batch.id[row[F_GAME]])


def test_a_family_needs_only_the_four_doors() -> None:
    """verify and ledger work on a family that they have never heard of."""
    rulebook = load_rulesets()
    batch = dataclasses.replace(batch_of(fixture_games(), rulebook), family="high-card")
    families = {"high-card": HighCard()}
    verdict = verify_batch(batch, rulebook, families)
    assert len(verdict.findings) == 1
    assert describe(verdict, 0, rulebook, families).game == batch.id[1]
    assert len(verdict.postings) == 2 * len(batch)
    assert not ledger.balance_of(verdict.postings, len(batch)).any()


def test_the_reconciler_takes_any_family() -> None:
    """Duplicates, counts and order need no knowledge of the game."""
    rulebook = load_rulesets()
    batch = dataclasses.replace(batch_of(fixture_games(), rulebook), family="high-card")
    families = {"high-card": HighCard()}
    with Collector(rulebook, families=families) as collector:
        collector.add(verify_batch(batch, rulebook, families))
        reconciler = Reconciler(collector, ["-"])
        summary = reconciler.finish()
        assert [finding.game for finding in reconciler.findings()] == [batch.id[1]]
    assert (summary.games, summary.mismatched) == (len(batch), 1)
