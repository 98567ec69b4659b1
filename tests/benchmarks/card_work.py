"""Card work alone: replay, settlement and comparison of games that are in memory already.

Run as a program with a log and a number of games, it prints seconds a game, in the mode
that ``PAIPU_COMPILE`` asks for.
"""

from __future__ import annotations

import sys
import time
from itertools import islice

from analytics import shuangkou
from analytics.logs import GameBatch, find_sources, read
from analytics.rules import Rulebook, load_rulesets

_RUNS = 5


def batches_of(log: str, games: int, rulebook: Rulebook) -> list[GameBatch]:
    """So many games of a log, at least, in batches."""
    found: list[GameBatch] = []
    for source in find_sources([log]):
        for item in read(source, rulebook):
            if isinstance(item, GameBatch):
                found.append(item)
            if sum(map(len, found)) >= games:
                return found
    return found


def seconds_a_game(batches: list[GameBatch], rulebook: Rulebook) -> float:
    """The shortest of some runs: what the work itself takes."""
    return min(_run(batches, rulebook) for _ in range(_RUNS)) / sum(map(len, batches))


def _run(batches: list[GameBatch], rulebook: Rulebook) -> float:
    begun = time.process_time()
    for batch in batches:
        facts = shuangkou.replay(batch, rulebook)
        settled = shuangkou.settle(facts, batch, rulebook)
        shuangkou.compare(batch, facts, settled, rulebook)
    return time.process_time() - begun


def main() -> None:
    """Measures what the arguments say."""
    rulebook = load_rulesets()
    log, games = sys.argv[1:]
    batches = batches_of(log, int(games), rulebook)
    _run(list(islice(batches, 1)), rulebook)  # kernels are compiled or loaded
    print(seconds_a_game(batches, rulebook))


if __name__ == "__main__":
    main()
