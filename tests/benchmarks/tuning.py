"""How fast tables are tried on many games: classes (a) and (b), what-if, sensitivity."""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analytics import compiled
from analytics.rules import Row, Ruleset
from analytics.tuning.candidates import Evaluator
from analytics.tuning.groups import Groups, group_games
from analytics.tuning.players import PlayerEvaluator
from analytics.tuning.sensitivity import interactions, sensitivity
from analytics.tuning.whatif import what_if
from tests.benchmarks.worlds import World, make

TABLES = 2_000
TABLES_OF_PLAYERS = 40
Line = tuple[str, str, str]


def tables_like(ruleset: Ruleset, count: int) -> list[Ruleset]:
    """So many tables with rows for the same xiang."""
    return [
        replace(
            ruleset,
            scoring=replace(
                ruleset.scoring,
                doubling=tuple(Row(x, t + n % 7) for x, t in ruleset.scoring.doubling),
                fee=n % 11,
            ),
        )
        for n in range(count)
    ]


def processor_time(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time of all threads, and what came of it."""
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def rate(work: Callable[[], Any], count: int, runs: int = 3) -> float:
    """How many a second of processor time; the median of some runs, after one that warms up."""
    work()
    return count / sorted(processor_time(work)[0] for _ in range(runs))[runs // 2]


def figures(house: str, games: int, folder: Path) -> Iterator[Line]:
    """Name, figure and note of each line, of one house."""
    path = make(folder / f"{house}-{games}", house, games)
    compiled.expect(games)  # not before: the samples are few
    size = f"{games:,} games"
    with World(path, threads=2) as world:
        spent, groups = processor_time(lambda: group_games(world, with_players=True))
        note = f"{len(groups):,} groups, {len(groups.signatures):,} kinds of seats, {house}"
        yield f"grouped, {size}", f"{spent:.1f} s", note
        yield from _rates(groups, size)
        table = tables_like(groups.ruleset, 4)[3]
        what_if(world, table, resamples=10)  # kernels are compiled
        begun = time.perf_counter()
        spent, _ = processor_time(lambda: what_if(world, table))
        note = f"{time.perf_counter() - begun:.1f} s by the clock (10 s), 1,000 resamples"
        yield f"what-if, {size}", f"{spent:.1f} s", note
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield f"peak memory so far, {size}", f"{peak:,.0f} MB", ""


def _rates(groups: Groups, size: str) -> Iterator[Line]:
    ruleset = groups.ruleset
    evaluator = Evaluator(groups, ruleset)
    first, _ = processor_time(lambda: evaluator.evaluate([ruleset]))
    kinds = evaluator.collapsed_for([ruleset])
    note = f"{len(kinds.outs.seats):,} cells, {len(kinds.outs.stake):,} patterns"
    yield f"a table of another shape, {size}", f"{first:.2f} s", note
    tables = tables_like(ruleset, TABLES)
    found = rate(lambda: evaluator.evaluate(tables), TABLES)
    yield f"class (a), {size}", f"{found:,.0f} tables/s", "(5,000)"
    players = PlayerEvaluator(groups, evaluator)
    found = rate(lambda: players.evaluate(tables[:TABLES_OF_PLAYERS]), TABLES_OF_PLAYERS)
    yield f"class (b), {size}", f"{found:,.0f} tables/s", "(20)"
    spent, _ = processor_time(
        lambda: (sensitivity(evaluator, ruleset), interactions(evaluator, ruleset))
    )
    yield f"sensitivity, {size}", f"{spent:.1f} s", ""


def lines(sizes: Sequence[int], houses: Sequence[str], folder: Path) -> Iterator[Line]:
    """All lines."""
    for house in houses:
        for games in sizes:
            yield from figures(house, games, folder)


def main() -> None:
    """Prints a line a figure."""
    asked = argparse.ArgumentParser(prog="python -m tests.benchmarks.tuning")
    asked.add_argument("--games", type=int, nargs="*", default=[1_000_000])
    asked.add_argument("--house", nargs="*", default=["huopin-wealth"])
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, figure, note in lines(given.games, given.house, Path(folder)):
            print(f"{name:<60} {figure:>16}  {note}", flush=True)


if __name__ == "__main__":
    main()
