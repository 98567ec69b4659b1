"""Scoring an audit: was every injected fault found, and nothing else?

``python -m analytics.simulate.scoring LOG TRUTH`` verifies a log of ``paipu simulate
--fault`` and compares what is found with the truth beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from analytics.collect import Collector
from analytics.findings import Finding
from analytics.jobs import verify_logs
from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.simulate.injecting import Truth

_MOST: int = 1_000_000  # findings of a code: all that a scored log has


class Key(NamedTuple):
    """What makes two findings the same."""

    line: int
    code: str
    seat: int | None
    action: int | None


class Score(NamedTuple):
    """How an audit did.

    Attributes:
        found: by fault, how many findings were expected and found.
        missed: expected and not found, with their faults.
        extra: found and not expected.
    """

    found: Counter[str]
    missed: tuple[tuple[str, Key], ...]
    extra: tuple[Key, ...]


def score(truths: Iterable[Truth], findings: Iterable[Finding]) -> Score:
    """Compares what was found with what should have been."""
    expected = {
        Key(truth.line, each["code"], each["seat"], each["action"]): truth.fault
        for truth in truths
        for each in truth.expect
    }
    found = [Key(f.line or 0, f.code.text, f.seat, f.action) for f in findings]
    return Score(
        found=Counter(expected[key] for key in found if key in expected),
        missed=tuple((fault, key) for key, fault in expected.items() if key not in set(found)),
        extra=tuple(key for key in found if key not in expected),
    )


def score_files(log: Path, truth: Path) -> Score:
    """Verifies a log with the presets and scores what is found."""
    lines = truth.read_bytes().splitlines()
    truths = [msgspec.json.decode(line, type=Truth) for line in lines]
    with Collector(load_rulesets([]), _MOST) as collector:
        reconciler = verify_logs(find_sources([str(log)]), collector)
        reconciler.finish()
        return score(truths, reconciler.findings())


def main() -> int:
    """Prints the score; 0 where every fault was found and nothing else."""
    parser = argparse.ArgumentParser(prog="python -m analytics.simulate.scoring")
    parser.add_argument("log", type=Path)
    parser.add_argument("truth", type=Path)
    asked = parser.parse_args()
    result = score_files(asked.log, asked.truth)
    for fault, count in sorted(result.found.items()):
        print(f"{fault}: {count} findings found")
    for fault, key in result.missed:
        print(f"missed: {fault}: {key}")
    for key in result.extra:
        print(f"not injected: {key}")
    return int(bool(result.missed or result.extra))


if __name__ == "__main__":
    sys.exit(main())
