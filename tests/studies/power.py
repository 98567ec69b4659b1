"""Power and false alarms of the studies of honesty: ``make honesty``.

How often an alarm is raised where nothing is wrong, and how often what is wrong is found, by
seeds. The test suite runs the same functions with fewer seeds and games.
"""

from __future__ import annotations

import argparse
from typing import Any

import pandas as pd

from analytics.studies.asking import Asked
from analytics.studies.deals import LEVEL, judged
from analytics.studies.pairs import PAIRS, suspected
from analytics.studies.study import query_of
from analytics.warehouse.reading import as_frame, with_int64
from tests.studies.hands import counts_of, favoured, frame_of
from tests.studies.worlds import Ring, tables_of, world

ZONE = "Asia/Shanghai"
ASKED = Asked(zone=ZONE, home=ZONE, always=("unit",))
EXCESS = 0.2  # natural bombs of the favoured seat
RING = Ring(meetings=45)


def clean_deals(seeds: int, games: int, seats: int = 2) -> int:
    """In how many seeds honest deals raise any alarm."""
    return sum(
        _has_alarm(judged(frame_of(counts_of(games, seats, seed)), ASKED)) for seed in range(seeds)
    )


def favoured_seat(seeds: int, games: int, seats: int = 2) -> int:
    """In how many seeds a seat with 20 % more natural bombs is named."""
    found = 0
    for seed in range(seeds):
        counts = favoured(games, seats, seed, seat=1, excess=EXCESS)
        found += "seat 1 favoured" in set(judged(frame_of(counts), ASKED)["verdict"])
    return found


def clean_pairs(seeds: int, games: int) -> int:
    """In how many seeds honest players are suspected."""
    return sum(len(suspects(games, seed)) > 0 for seed in range(seeds))


def ring(seeds: int, games: int) -> int:
    """In how many seeds the two who conspire are suspected, and nobody else is."""
    found = 0
    for seed in range(seeds):
        frame = suspects(games, seed, RING)
        found += list(zip(frame["player"], frame["other"], strict=True)) == [("p0", "p1")]
    return found


def suspects(games: int, seed: int, conspiring: Ring | None = None) -> pd.DataFrame:
    """What ``players.pairs`` finds in a world."""
    with tables_of(world(games, seed, conspiring)) as database:
        table: Any = database.sql(query_of(PAIRS, ASKED)).to_arrow_table()
        return suspected(as_frame(with_int64(table)), ASKED)


def _has_alarm(frame: pd.DataFrame) -> bool:
    return bool((frame["p_corrected"] < LEVEL).any())


def _say(what: str, count: int, seeds: int) -> None:
    print(f"{what}: {count} of {seeds} seeds", flush=True)


def main() -> None:
    """Runs all of it and prints what came of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clean", type=int, default=200, help="seeds without anything wrong")
    options.add_argument("--wrong", type=int, default=50, help="seeds with something wrong")
    options.add_argument("--games", type=int, default=100_000)
    options.add_argument("--few", type=int, default=3_000, help="games with a favoured seat")
    asked = options.parse_args()
    for seats in (2, 4):
        alarms = clean_deals(asked.clean, asked.games, seats)
        _say(f"honest deals, {seats} seats, {asked.games} games, alarms", alarms, asked.clean)
        found = favoured_seat(asked.wrong, asked.few, seats)
        _say(f"a seat with 20 % more bombs, {seats} seats, {asked.few} games, found", found,
             asked.wrong)  # fmt: skip
    alarms = clean_pairs(asked.clean, asked.games)
    _say(f"honest players, {asked.games} games, alarms", alarms, asked.clean)
    found = ring(asked.wrong, asked.games)
    _say(f"two who conspire, {RING.meetings} meetings, {asked.games} games, found", found,
         asked.wrong)  # fmt: skip


if __name__ == "__main__":
    main()
