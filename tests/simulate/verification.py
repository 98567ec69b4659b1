"""Verifying files in tests, the whole way: read, replay, settle, compare, reconcile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from analytics.collect import Collector
from analytics.findings import Finding
from analytics.jobs import verify_logs
from analytics.logs import find_sources
from analytics.reconcile import Summary
from analytics.rules import Rulebook, load_rulesets


@cache
def presets() -> Rulebook:
    """The presets."""
    return load_rulesets([])


def verified(
    paths: Sequence[Path | str], rulebook: Rulebook | None = None
) -> tuple[Summary, list[Finding]]:
    """The summary and all findings of some files or folders; by the presets if not told."""
    sources = find_sources([str(path) for path in paths])
    with Collector(rulebook or presets()) as collector:
        reconciler = verify_logs(sources, collector)
        return reconciler.finish(), list(reconciler.findings())


def row_of(rules: str) -> list[int]:
    """A preset's row, as kernels read it."""
    row: list[int] = presets().rows[presets().find(rules, None)].tolist()
    return row
