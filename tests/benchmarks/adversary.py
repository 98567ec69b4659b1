"""Logs that are as dear as can be: whole games by the system, three wild jokers in a hand.

Every play of the system has to be the smallest one, so the search through the hand runs
at every turn, and wild jokers make it long (clause 5.1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from analytics.logs.writing import line_of
from analytics.rules import load_rulesets
from analytics.simulate.running import Wanted, simulate

_RULES: Final = "jiule"  # all jokers are wild
_START: Final = datetime.fromisoformat("2026-11-02T00:00:00+08:00")
_JOKER: Final = re.compile("[SB]J")
_MADE: Final = 1500


def usual_games() -> Iterator[dict[str, Any]]:
    """Games of the same rules, played by people."""
    yield from _games(policy=None)


def dear_games() -> Iterator[dict[str, Any]]:
    """Games in which the system plays for everybody from the first turn on."""
    for game in _games(policy="trustee"):
        if any(len(_JOKER.findall(hand)) >= 3 for hand in game["hands"]):
            yield _all_by_the_system(game)


def _games(policy: str | None) -> Iterator[dict[str, Any]]:
    wanted = Wanted(_RULES, _MADE, _START, policy=policy, skill=(100, 100))
    for batch in simulate(wanted, load_rulesets()):
        for row in range(len(batch)):
            game = json.loads(line_of(batch, row))
            if game["result"]["end"] == "out":
                yield game


def _all_by_the_system(game: dict[str, Any]) -> dict[str, Any]:
    """The same game after both seats have handed over: every turn is the system's."""
    turns = [action for action in game["actions"] if "!" not in action]
    starred = [turn if turn.endswith("*") else f"{turn}*" for turn in turns]
    handed_over = [f"{seat} !trustee" for seat in range(len(game["hands"]))]
    actions = [*handed_over, *starred]
    return {**game, "actions": actions, "times": [100 * n for n in range(len(actions))]}


def write_log(path: Path, games: list[dict[str, Any]], many: int) -> Path:
    """So many games, the given ones over and over under names of their own."""
    with path.open("w", encoding="utf-8") as out:
        for number in range(many):
            game = {**games[number % len(games)], "id": f"g{number}"}
            game["seats"] = [{**s, "player": f"{number}-{s['player']}"} for s in game["seats"]]
            out.write(json.dumps(game, separators=(",", ":"), ensure_ascii=False) + "\n")
    return path
