"""How fast games are settled in order, with balances carried forward: class (c)."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from analytics.logs import find_sources
from analytics.rules import load_rulesets
from analytics.studies import open_warehouse
from analytics.tuning.economy import resettle_in_order
from analytics.tuning.ordered import Ordered, order_games
from analytics.warehouse.loading import load

VALID = Path(__file__).parents[2] / "sample_logs" / "valid"


def sample_games(*rulesets: str) -> list[Ordered]:
    """The games of the valid samples by each of some rulesets, in order.

    All are loaded before anything is settled: work that is announced would compile loading, too.
    """
    with tempfile.TemporaryDirectory() as folder:
        load(find_sources([str(VALID)]), Path(folder), load_rulesets())
        with open_warehouse(folder) as warehouse:
            chosen = (warehouse.asked(where=f"ruleset = '{name}'") for name in rulesets)
            return [order_games(warehouse, asked) for asked in chosen]


def repeated(ordered: Ordered, games: int) -> Ordered:
    """About so many games: the same again and again, each time with players of their own."""
    times = -(-games // len(ordered))
    people, copies = len(ordered.players), np.arange(times)
    seats = np.diff(ordered.seats_at)
    many = np.tile(seats, times)
    at = np.concatenate([[0], np.cumsum(many)])
    return replace(
        ordered,
        games=np.tile(ordered.games, (times, 1)),
        given=np.tile(ordered.given, times),
        rules_ix=np.tile(ordered.rules_ix, times),
        seats_at=at,
        kind=np.tile(ordered.kind, times),
        sat=(ordered.sat + people * copies[:, None]).ravel().astype(np.int32),
        flow=np.tile(ordered.flow, times),
        recorded=np.tile(ordered.recorded, times),
        day_at=np.linspace(0, len(many), 8).astype(np.int64),
        days=np.arange("2026-11-02", "2026-11-09", dtype="datetime64[D]"),
        players=tuple(f"{name}-{copy}" for copy in copies for name in ordered.players),
        opening=np.tile(ordered.opening, times),
    )


def games_a_second(ordered: Ordered, runs: int = 3) -> float:
    """Games settled in a second of processor time, on one core; the median of some runs."""
    resettle_in_order(ordered)  # kernels are compiled
    spent = []
    for _ in range(runs):
        begun = time.process_time()
        resettle_in_order(ordered)
        spent.append(time.process_time() - begun)
    return len(ordered) / sorted(spent)[runs // 2]


def lines(games: int) -> Iterator[tuple[str, str, str]]:
    """Name, figure and note of each line: two players, and four."""
    names = ("huopin-wealth@1", "baibian@1")
    for name, ordered in zip(names, sample_games(*names), strict=True):
        rate = games_a_second(repeated(ordered, games))
        yield f"class (c), settled in order, {name}", f"{rate:,.0f} /s", "(1,000,000)"


def main() -> None:
    """Prints the rates."""
    asked = argparse.ArgumentParser(prog="python -m tests.benchmarks.economy")
    asked.add_argument("--games", type=int, default=1_000_000)
    for name, figure, note in lines(asked.parse_args().games):
        print(f"{name:<52} {figure:>14}  {note}", flush=True)


if __name__ == "__main__":
    main()
