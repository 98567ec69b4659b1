"""Games for tests: the fixtures, as dicts of the log format."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"


@cache
def _lines(name: str) -> tuple[dict[str, Any], ...]:
    text = (CASES / name).read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def fixture_games() -> list[dict[str, Any]]:
    """The 36 games of ``cases/games.jsonl``; a copy that may be altered."""
    return copy.deepcopy(list(_lines("games.jsonl")))


def fixture_truth() -> list[dict[str, Any]]:
    """What is true of these games, in the same order."""
    return copy.deepcopy(list(_lines("games.jsonl.truth")))


def fixture_melds() -> list[dict[str, Any]]:
    """The 240 readings of ``cases/melds.jsonl``."""
    return copy.deepcopy(list(_lines("melds.jsonl")))


def fixture_game(rules: str, *, end: str = "out") -> dict[str, Any]:
    """The first fixture game of a ruleset with an ending."""
    for game in fixture_games():
        if game["rules"] == rules and game["result"]["end"] == end:
            return game
    raise LookupError(f"no game of {rules} with end {end}")
