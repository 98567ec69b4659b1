"""Random games and hands for the properties, each from a seed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from analytics.logs import batch_of
from analytics.logs.batch import GameBatch
from analytics.rules import Rulebook, load_rulesets
from tests.oracle.as_toml import as_toml
from tests.oracle.random_cases import random_game, random_rules

GAMES = 160  # made once for all properties


def examples(most: int) -> settings:
    """So many examples, the same in every run."""
    return settings(max_examples=most, deadline=None, derandomize=True, database=None)


@dataclass(frozen=True)
class Case:
    """A random game of the log format under a random ruleset."""

    game: dict[str, Any]
    book: Rulebook

    @property
    def seats(self) -> int:
        return self.book.rulesets[0].play.seats

    def batch(self, game: dict[str, Any] | None = None) -> GameBatch:
        """A batch of this game alone, or of another one under its rules."""
        return batch_of([game or self.game], self.book)


@cache
def case(seed: int) -> Case:
    """The random game of a seed."""
    rng = Random(f"case {seed}")
    rules = random_rules(rng)
    game = random_game(rng, rules)
    return Case(game, rulebook([rules]))


def rulebook(rulesets: list[dict[str, Any]]) -> Rulebook:
    """The rulebook of some random rulesets, in their order if their names are."""
    with tempfile.TemporaryDirectory() as folder:
        for place, rules in enumerate(rulesets):
            Path(folder, f"{place:04}.toml").write_text(as_toml(rules), encoding="utf-8")
        return load_rulesets([folder], presets=False)


def _of_four() -> Iterator[Case]:
    return (c for c in map(case, count()) if c.seats == 4)


@cache
def case_of_four(seed: int) -> Case:
    """The seed-th random game of four players."""
    return next(c for place, c in enumerate(_of_four()) if place == seed)


cases = st.integers(0, GAMES - 1).map(case)
cases_of_four = st.integers(0, GAMES // 3 - 1).map(case_of_four)
