"""Findings: counts against the truth that stands beside the faulty samples."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.studies import Studied, open_warehouse
from analytics.warehouse.loading import load
from tests.studies.conftest import SAMPLES
from tests.studies.recount import wilson


def truths() -> list[dict]:  # type: ignore[type-arg]
    """What is true of every game of the faulty samples."""
    paths = sorted((SAMPLES / "faulty").glob("*.truth"))
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def test_codes_are_those_of_the_truth(faulty: Studied) -> None:
    """Findings, games with them, shares and intervals of every code."""
    known = truths()
    found = Counter(finding["code"] for truth in known for finding in truth["expect"])
    with_one = Counter(c for t in known for c in {finding["code"] for finding in t["expect"]})
    frame = faulty.study("findings")
    assert dict(zip(frame["code"], frame["findings"], strict=True)) == found
    for row in frame.itertuples():
        assert (row.games_with, row.games) == (with_one[row.code], len(known))
        assert (row.share_low, row.share_high) == pytest.approx(wilson(row.games_with, len(known)))


def test_a_group_without_a_finding_says_so(faulty: Studied) -> None:
    """Groups are crossed with the codes that there are: zero, with room above it."""
    frame = faulty.study("findings", by=["ruleset"])
    assert len(frame) == frame["ruleset"].nunique() * frame["code"].nunique()
    none = frame[frame["findings"] == 0]
    assert len(none)
    assert (none["share"] == 0).all()
    assert (none["share_high"] > 0).all()


def test_games_that_are_not_right_are_counted_once(faulty: Studied) -> None:
    """Games with an error, broken ones, and ones without amounts."""
    known = truths()
    wrong = [{finding["code"] for finding in t["expect"]} for t in known if t["expect"]]
    row = faulty.study("findings.games", by=[]).iloc[0]
    broken = sum(any(code.startswith(("play.", "deal.")) for code in codes) for codes in wrong)
    assert (row["games"], row["mismatched"], row["broken"]) == (len(known), len(wrong), broken)
    assert row["unsettled"] == broken
    assert (row["share_low"], row["share_high"]) == pytest.approx(wilson(len(wrong), len(known)))


def test_lines_that_belong_to_no_game_stand_apart(tmp_path: Path) -> None:
    """They are there where all games are asked for, and have no opportunities."""
    log = tmp_path / "log.jsonl"
    good = (SAMPLES / "valid" / "jiule.jsonl.zst").name
    log.write_text('{"v": oops\n{"v": 2}\n', encoding="utf-8")
    sources = find_sources([str(log), str(SAMPLES / "valid" / good)])
    load(sources, tmp_path / "wh", load_rulesets())
    with open_warehouse(tmp_path / "wh") as opened:
        frame = opened.study("findings", by=["room"])
        assert list(frame["code"]) == ["format.json", "format.version"]
        assert list(frame["findings"]) == [1, 1]
        assert frame[["room", "games", "games_with", "share"]].isna().all(axis=None)
        assert not len(opened.study("findings", where="true"))
