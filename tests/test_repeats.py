"""Which games come again, told while passing through logs once."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.logs import batch_of
from analytics.logs.strings import Strings
from analytics.repeats import FirstGames, Game, Later
from analytics.rules import load_rulesets
from tests.games import fixture_games

BATCH = batch_of(fixture_games()[:1] * 40, load_rulesets())


@settings(deadline=None)
@given(
    games=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), max_size=40),
    cuts=st.lists(st.integers(0, 40), max_size=6),
)
def test_it_is_as_if_all_were_remembered(games: list[tuple[int, int]], cuts: list[int]) -> None:
    """Whatever the batches: the first of an id counts, and is told to all later ones."""
    firsts, seen, line = FirstGames(), {}, 0
    for start, stop in pairwise([0, *sorted(cuts), 40]):
        part = games[start:stop]
        ids = Strings.of(f"a-long-beginning-{name}" for name, _ in part)
        contents = np.array([content for _, content in part], np.int64)
        lines = line + np.arange(len(part))
        batch = replace(
            BATCH, id=ids, game_key=ids.hashes(), content=contents, line=lines,
            path=np.zeros(len(part), np.int32),
        )  # fmt: skip
        expected = {}
        for row, (name, content) in enumerate(part):
            first = seen.setdefault(name, Game(content, 0, line + row))
            if first.line != line + row:
                expected[row] = Later(first, first.content != content)
        assert firsts.later(batch) == expected
        line += len(part)


def test_ids_with_one_hash_are_told_apart() -> None:
    """A hash alone does not make two games one."""
    ids = Strings.of(["a", "b", "a"])
    same = np.zeros(3, np.int64)
    batch = replace(
        BATCH, id=ids, game_key=same, content=same, line=np.arange(3), path=same.astype(np.int32)
    )
    assert FirstGames().later(batch) == {2: Later(Game(0, 0, 0), differs=False)}
