"""Verifying logs: every batch of every source through ``verify_batch``, then reconcile."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from analytics import compiled
from analytics.findings import Finding
from analytics.logs import Source, read
from analytics.reconcile import Reconciler
from analytics.rules import Rulebook
from analytics.verify import Verdict, verify_batch

# Bytes that a game takes, roughly, by the name of the file: for estimates only.
_BYTES_PER_GAME: Final = {".gz": 250, ".zst": 250, ".parquet": 200}
_BYTES_PER_GAME_PLAIN: Final = 1_200


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Attributes:
        games: games verified so far.
        findings: findings so far, all severities.
        expected: games expected in all, an estimate; None where it cannot be known.
        file: the file that is being read.
    """

    games: int
    findings: int
    expected: int | None
    file: str


def verify_logs(
    sources: Sequence[Source],
    rulebook: Rulebook,
    reconciler: Reconciler,
    *,
    encoding: str | None = None,
    on_batch: Callable[[Verdict], None] | None = None,
    on_finding: Callable[[Finding], None] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> None:
    """Verifies the games of all sources into a reconciler.

    Args:
        sources: what to read, in order of their ordinals.
        rulebook: the rulesets that games may name.
        reconciler: takes in every verdict and finding; call its ``finish`` afterwards.
        encoding: of the logs, where it is not UTF-8.
        on_batch: is shown each verdict as it is made.
        on_finding: is shown each finding of the reader.
        on_progress: is told after each batch how far the run is.
    """
    expected = estimate_games(sources)
    compiled.expect(expected or 0)
    games = findings = 0
    for source in sources:
        for item in read(source, rulebook, encoding=encoding):
            if isinstance(item, Finding):
                findings += 1
                reconciler.add_finding(item, source.ordinal)
                if on_finding:
                    on_finding(item)
                continue
            verdict = verify_batch(item, rulebook)
            reconciler.add(verdict)
            games += len(item)
            findings += len(verdict.findings)
            if on_batch:
                on_batch(verdict)
            if on_progress:
                on_progress(Progress(games, findings, expected, source.path))


def estimate_games(sources: Sequence[Source]) -> int | None:
    """About how many games the sources hold, by their size; None if one is a stream."""
    total = 0
    for source in sources:
        if not os.path.isfile(source.path):
            return None
        suffix = os.path.splitext(source.path)[1].lower()
        size = _BYTES_PER_GAME.get(suffix, _BYTES_PER_GAME_PLAIN)
        total += os.path.getsize(source.path) // size + 1
    return total
