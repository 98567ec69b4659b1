"""The checks between settings, where a sample file would be too narrow.

Every code has its sample in tests/rules/mistakes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analytics.rules import Row, check_files
from analytics.rules.lint import lint

Write = Callable[..., Path]

REACH = {
    "wild": ("big", "small"),
    "chain_min": 3,
    "linked": False,
    "linked_bonus": 1,
    "xiang_cap": None,
}


def told(doubling: dict[int, int], **settings: Any) -> list[tuple[str, str]]:
    """Code and xiang of what is wrong with a doubling table."""
    table = tuple(Row(*row) for row in doubling.items())
    found = lint({**REACH, **settings, "doubling": table})
    return [(problem.code, str(problem.path[-1])) for problem in found]


@pytest.mark.parametrize(
    ("table", "settings", "expected"),
    [
        ({}, {}, []),
        ({5: 2}, {}, []),  # the last row holds for everything above it
        ({12: 2}, {}, []),
        ({13: 2}, {}, [("rules.unreachable", "13")]),
        ({13: 2}, {"linked": True, "linked_bonus": 3}, []),
        ({13: 2}, {"linked": True, "linked_bonus": 2}, [("rules.unreachable", "13")]),
        ({31: 2}, {"linked": True, "linked_bonus": 90}, []),  # counts as 31 in every table
        ({1: 1, 4: 2}, {}, [("rules.unreachable", "1")]),
        ({3: 1, 5: 2}, {}, [("rules.gap", "5")]),  # the row for 3 holds for 4, so it is reached
        ({4: 1, 6: 2}, {}, [("rules.gap", "6")]),
        ({8: 1, 10: 2}, {"wild": (), "chain_min": 6}, []),  # nothing makes nine
        ({8: 1, 9: 2, 10: 3}, {"wild": (), "chain_min": 6}, [("rules.unreachable", "9")]),
        ({9: 2, 10: 3}, {"xiang_cap": 9}, [("rules.unreachable", "10")]),
        ({9: 2}, {"xiang_cap": 8}, [("rules.unreachable", "9")]),
        ({5: 1, 6: 1}, {}, []),  # equal is no fall
        ({5: 0}, {}, [("rules.fall", "5")]),  # below 1, which lower xiang get
    ],
)
def test_multiplier_tables(
    table: dict[int, int], settings: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    """Rows are judged by the xiang that 27 cards can reach under the other settings."""
    assert told(table, **settings) == expected


def test_contributions_for_each_bomb_ignore_linked_bombs() -> None:
    """Clause 8.3: in mode each a bomb counts by its own xiang, in mode max by the effective."""
    table = (Row(13, 2),)
    settings = {**REACH, "linked": True, "linked_bonus": 3, "contribution": table}
    assert lint({**settings, "contribution_mode": "max"}) == []
    [problem] = lint({**settings, "contribution_mode": "each"})
    assert problem.code == "rules.unreachable"


def test_a_cap_at_the_highest_xiang_is_no_mistake() -> None:
    """Only a cap above what can be reached says something that never happens."""
    assert lint({**REACH, "xiang_cap": 12}) == []
    [problem] = lint({**REACH, "xiang_cap": 13})
    assert (problem.code, problem.path) == ("rules.cap", ("xiang", "xiang_cap"))


def test_a_check_waits_for_all_that_it_needs() -> None:
    """Where a setting could not be read, nothing is guessed about it."""
    assert lint({}) == []
    assert lint({"doubling": (Row(31, 2),), "wild": ()}) == []


@pytest.mark.parametrize(
    "wrong",
    [
        '[play]\nwild = "big"',
        "[play]\nchain_min = true",
        '[play]\nseats = "4"',
        '[xiang]\nlinked = "yes"',
        '[xiang]\nxiang_cap = "high"',
        '[scoring]\nfee = "seven"',
        "[scoring]\ncontribution_mode = 3",
    ],
)
def test_a_wrong_type_hides_no_other_mistake(write: Write, wrong: str) -> None:
    """What holds whatever the unreadable setting may be is said beside it, all at once."""
    table = "doubling = { 5 = 4, 6 = 2, 31 = 9 }"
    text = f"{wrong}\n{table}" if "[scoring]" in wrong else f"{wrong}\n[scoring]\n{table}"
    found = {(m.code, m.path) for m in check_files([write(text, extends='"baibian"')])}
    assert {("rules.fall", "scoring.doubling.6"), ("rules.mint", "scoring.places.ping")} <= found
    assert ("rules.unreachable", "scoring.doubling.31") in found
    assert any(code in ("rules.type", "rules.value") for code, _ in found)


def test_nothing_is_said_that_an_unreadable_setting_may_refute(write: Write) -> None:
    """With both jokers wild 12 can be reached, so it is no mistake where that is not known."""
    text = "[play]\nwild = 1\n[scoring]\ndoubling = { 5 = 2, 6 = 4, 7 = 8, 8 = 16, 12 = 32 }"
    found = {m.code for m in check_files([write(text, extends='"huopin-points"')])}
    assert "rules.unreachable" not in found
