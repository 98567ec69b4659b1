"""Lines straight from columns are those that records give, byte by byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analytics.findings import Finding
from analytics.logs import GameBatch, TextColumn, find_sources, read
from analytics.logs.fast_lines import can_write, fast_lines
from analytics.logs.writing import line_of
from analytics.rules import load_rulesets

ROOT = Path(__file__).parents[2]


def batches(place: str) -> list[GameBatch]:
    """The games of a file or folder that can be read."""
    rulebook = load_rulesets([])
    sources = find_sources([str(ROOT / place)])
    items = [item for source in sources for item in read(source, rulebook)]
    return [item for item in items if not isinstance(item, Finding) and len(item)]


@pytest.mark.parametrize("place", ["sample_logs", "tests/cases/games.jsonl"])
def test_both_ways_write_the_same(place: str) -> None:
    """Good, faulty and odd games: escapes, absent parts, two seats and four."""
    written = 0
    for batch in batches(place):
        if can_write(batch):
            lines = list(fast_lines(batch))
            assert lines == [line_of(batch, at) for at in range(len(batch))]
            written += len(lines)
    assert written > 30


def test_what_needs_escapes_goes_the_other_way() -> None:
    """A quote in an action, or lists that cannot be joined, are left to records."""
    batch = batches("tests/cases/games.jsonl")[0]
    buffer = batch.actions.buffer[:-1] + b'"'
    assert not can_write(replace(batch, actions=replace(batch.actions, buffer=buffer)))
    listed = TextColumn(b"[]" * len(batch), batch.first * 0, joined=False)
    assert not can_write(replace(batch, hands=listed))
    assert not can_write(replace(batch, extra=[None] * len(batch)))
