"""Another game family behind the same doors: a stub, with nothing of cards in it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analytics import ledger
from analytics.collect import Collector
from analytics.findings import F_CODE, F_GAME, F_SEAT, FINDING_WIDTH, Code, Finding
from analytics.jobs import verify_logs
from analytics.logs import FAMILIES as WORDS
from analytics.logs import GameBatch, Source, batch_of, read, tables
from analytics.logs.flaws import A_FAMILY
from analytics.reconcile import Reconciler
from analytics.rules import Rulebook, load_rulesets
from analytics.verify import FAMILIES, Family, describe, verify_batch
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
    families: dict[str, Family] = {"high-card": HighCard()}
    verdict = verify_batch(batch, rulebook, families)
    assert len(verdict.findings) == 1
    assert describe(verdict, 0, rulebook, families).game == batch.id[1]
    assert len(verdict.postings) == 2 * len(batch)
    assert not ledger.balance_of(verdict.postings, len(batch)).any()


def test_the_reconciler_takes_any_family() -> None:
    """Duplicates, counts and order need no knowledge of the game."""
    rulebook = load_rulesets()
    batch = dataclasses.replace(batch_of(fixture_games(), rulebook), family="high-card")
    families: dict[str, Family] = {"high-card": HighCard()}
    with Collector(rulebook, families=families) as collector:
        collector.add(verify_batch(batch, rulebook, families))
        reconciler = Reconciler(collector, ["-"])
        summary = reconciler.finish()
        assert [finding.game for finding in reconciler.findings()] == [batch.id[1]]
    assert (summary.games, summary.mismatched) == (len(batch), 1)


def test_one_list_says_which_families_there_are() -> None:
    """Readers, verification and sentences know the same words, and each has all doors."""
    assert tuple(FAMILIES) == WORDS
    assert tables.FAMILY in WORDS
    assert all(word in A_FAMILY for word in WORDS)
    doors = ("replay", "settle", "compare", "describe")
    assert all(callable(getattr(family, door)) for family in FAMILIES.values() for door in doors)


@pytest.mark.parametrize("mode", ["never", "always"])
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_log_of_two_families_is_read_and_verified(
    form: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the file to the report; every batch is of one family, in the order of the log."""
    monkeypatch.setenv("PAIPU_COMPILE", mode)
    rulebook = load_rulesets()
    families: dict[str, Family] = {**FAMILIES, "high-card": HighCard()}
    games = fixture_games()[:6]
    for place in (1, 2, 5):
        games[place]["game"] = "high-card"
    path = tmp_path / f"log.{form}"
    if form == "jsonl":
        path.write_text("".join(json.dumps(game) + "\n" for game in games), "utf-8")
    else:
        pq.write_table(pa.Table.from_pylist(games), path)
    items = list(read(Source(str(path)), rulebook, families=families))
    batches = [item for item in items if isinstance(item, GameBatch)]
    assert [(b.family, len(b)) for b in batches] == [
        ("shuangkou", 1), ("high-card", 2), ("shuangkou", 2), ("high-card", 1),
    ]  # fmt: skip
    with Collector(rulebook, families=families) as collector:
        reconciler = verify_logs([Source(str(path))], collector)
        summary = reconciler.finish()
        assert [(f.code, f.game) for f in reconciler.findings()] == [
            (Code.PLAY_TURN, games[2]["id"])
        ]
    assert (summary.games, summary.mismatched) == (6, 1)
    known = [item for item in read(Source(str(path)), rulebook) if isinstance(item, Finding)]
    assert [(f.code, f.line) for f in known] == [(Code.FORMAT_FIELD, line) for line in (2, 3, 6)]
