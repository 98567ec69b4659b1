"""The samples game by game: replayed and settled without warehouse and groups."""

from __future__ import annotations

from functools import cache

from analytics import shuangkou
from analytics.logs import GameBatch, batch_of
from analytics.rules import Rulebook, Ruleset
from analytics.shuangkou.facts import Facts, Settled
from tests.studies.conftest import recorded
from tests.tuning.conftest import SAMPLES, preset


@cache
def games_of(house: str) -> list[dict[str, object]]:
    """The valid samples of a house, read without the warehouse."""
    games = [game for path in sorted(SAMPLES.iterdir()) for game in recorded(path)]
    return [game for game in games if game["rules"] == house]


@cache
def played(house: str) -> tuple[GameBatch, Facts]:
    """The games of a house, replayed; what was played depends on ``[play]`` only."""
    book = Rulebook.of([preset(house)])
    batch = batch_of(games_of(house), book)
    return batch, shuangkou.replay(batch, book)


def settled_one_by_one(house: str, table: Ruleset) -> Settled:
    """Every game of a house settled by a table, each for itself."""
    batch, facts = played(house)
    return shuangkou.settle(facts, batch, Rulebook.of([table]))
