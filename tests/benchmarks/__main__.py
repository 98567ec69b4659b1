"""``make bench``: how fast, beside what, in how much memory.

Rates are slopes: (time for the large log − time for the small one) per game between
them, so that start-up is not in them. Every figure is a median of some runs, and the
ratios are made of figures of one run of this program on the same games.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb

from analytics import compiled
from tests.benchmarks import economy, tuning
from tests.benchmarks.adversary import dear_games, usual_games, write_log
from tests.benchmarks.poker import hands_a_second

_UNCOMPILED_GAMES = 1_000
_DEAR_GAMES = 20_000
_GAMES_IN_ORDER = 1_000_000
_GAMES_TUNED = 1_000_000
_GAMES_SIMULATED = 100_000
_GAMES_IN_MEMORY = 2_000_000
_EVEN_GAMES = (200, 2_000)
ROOT = Path(__file__).parents[2]
PAIPU = [str(Path(sys.executable).parent / "paipu")]
COLUMNS = {
    "v": "INT", "game": "VARCHAR", "id": "VARCHAR", "rules": "VARCHAR", "room": "VARCHAR",
    "start": "VARCHAR", "end": "VARCHAR", "table": "VARCHAR", "round": "VARCHAR",
    "deal": "VARCHAR", "seats": "STRUCT(player VARCHAR, balance BIGINT)[]", "shown": "VARCHAR",
    "first": "INT", "base": "BIGINT", "hands": "VARCHAR[]", "actions": "VARCHAR[]",
    "times": "BIGINT[]",
    "result": 'STRUCT("end" VARCHAR, winner INT, places INT[], kou VARCHAR, xiang INT[], '
    "doubling INT, contribution INT[], delta BIGINT[], fee BIGINT[], balance BIGINT[])",
}  # fmt: skip


def main() -> None:
    """Makes the logs, measures, prints a table."""
    asked = _arguments()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        small, large = (
            make_log(Path(folder) / f"{games}.jsonl", games) for games in (asked.small, asked.large)
        )
        bench = Bench(small, large, asked.small, asked.large, asked.runs)
        for name, figure, note in bench.figures():
            print(f"{name:<52} {figure:>14}  {note}", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--small", type=int, default=100_000, help="games of the small log")
    parser.add_argument("--large", type=int, default=600_000, help="games of the large log")
    parser.add_argument("--runs", type=int, default=5, help="runs of which the median counts")
    parser.add_argument("--folder", default=None, help="where the logs are made")
    return parser.parse_args()


def sample_games() -> list[dict[str, Any]]:
    """The valid samples that are plain JSON Lines."""
    games = []
    for path in sorted((ROOT / "sample_logs" / "valid").glob("*.jsonl")):
        games += [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return games


def make_log(path: Path, games: int) -> Path:
    """A log of so many games: the samples over and over, each copy with its own names."""
    samples = sample_games()
    with path.open("w", encoding="utf-8") as out:
        for number in range(games):
            game = dict(samples[number % len(samples)])
            copy = f"{number // len(samples):x}"
            game["id"] = f"{game['id']}-{copy}"
            game["seats"] = [{**s, "player": f"{s['player']}-{copy}"} for s in game["seats"]]
            out.write(json.dumps(game, separators=(",", ":")) + "\n")
    return path


class Bench:
    """Measures on a small and a large log."""

    def __init__(self, small: Path, large: Path, few: int, many: int, runs: int) -> None:
        self._logs = (small, large)
        self._games = (few, many)
        self._runs = runs

    def figures(self) -> Iterator[tuple[str, str, str]]:
        """Name, figure and note of each line of the table."""
        bytes_a_game = self._logs[1].stat().st_size / self._games[1]
        yield "bytes a game", f"{bytes_a_game:,.0f}", "the valid samples, repeated"
        yield from self._start_up()
        bare = self._slope(read_bare)
        yield "bare read_json, one thread", _rate(bare), "DuckDB, explicit columns"
        one = self._slope(lambda log: verify(log, "--jobs", "1"))
        yield "verify, JSON Lines, one process", _rate(one), f"{one / bare:.2f} times bare (1.2)"
        two = self._slope(lambda log: verify(log, "--jobs", "2"))
        yield "verify, JSON Lines, two processes", _rate(two), f"{one / two:.2f} times one (1.7)"
        packed = tuple(_packed(log) for log in self._logs)
        fast = self._slope(lambda log: verify(log, "--jobs", "1"), packed)
        yield "verify, Parquet, one process", _rate(fast), f"{one / fast:.2f} times JSON (1.8)"
        odd = tuple(_with_unknown(log) for log in self._logs)
        unknown = self._slope(lambda log: verify(log, "--jobs", "1"), odd)
        yield "three unknown keys on every line", _rate(unknown), f"{unknown / one:.2f} times (1.1)"
        yield from self._break_even()
        yield from self._cards(packed[0])
        yield from self._dear()
        yield self._poker()
        yield from economy.lines(_GAMES_IN_ORDER)
        yield from tuning.lines([_GAMES_TUNED], ["huopin-wealth"], self._logs[0].parent)
        yield self._simulated()
        for games in (self._games[0], _GAMES_IN_MEMORY):
            log = make_log(self._logs[0].with_name("memory.jsonl"), games)
            peak = peak_memory(log)
            yield f"peak memory, two processes, {games:,} games", f"{peak:,.0f} MB", "(700)"

    def _simulated(self) -> tuple[str, str, str]:
        """How fast a week of games is made, starting included."""
        out = self._logs[0].with_name("simulated.jsonl")
        asked = ("--games", str(_GAMES_SIMULATED), "--players", "500", "--days", "7", "--jobs", "1")
        command = (
            "simulate",
            *asked,
            "--policy",
            "greedy",
            "--seed",
            "1",
            "--force",
            "-o",
            str(out),
        )
        run(*command)  # kernels are compiled
        spent = self._median(lambda: run(*command))
        return "simulate, greedy, a week, one process", _rate(spent / _GAMES_SIMULATED), "(5,000)"

    def _start_up(self) -> Iterator[tuple[str, str, str]]:
        line = self._logs[0].open(encoding="utf-8").readline()
        single = self._logs[0].with_name("one.jsonl")
        single.write_text(line, encoding="utf-8")
        timed: tuple[tuple[str, Callable[[], float], str], ...] = (
            ("paipu --help", lambda: run("--help"), "(0.3 s)"),
            ("verify one game", lambda: verify(single), "(1.0 s)"),
            ("verify sample_logs/valid", lambda: verify(ROOT / "sample_logs/valid"), "(5 s)"),
        )
        for name, measure, note in timed:
            yield name, f"{self._median(measure):.2f} s", note

    def _break_even(self) -> Iterator[tuple[str, str, str]]:
        """From how many games on compiled kernels pay: loaded from their cache, and made anew."""
        few, more = (_first_games(self._logs[0], games) for games in _EVEN_GAMES)
        plain, plain_more = (
            self._median(lambda log=log: verify_as("never", log)) for log in (few, more)
        )
        made, made_more = (
            self._median(lambda log=log: verify_as("always", log)) for log in (few, more)
        )
        with tempfile.TemporaryDirectory() as cache:
            cold = verify_as("always", few, PAIPU_CACHE_DIR=cache)
        won = (plain_more - plain - made_more + made) / (_EVEN_GAMES[1] - _EVEN_GAMES[0])
        for name, first, asked in (
            ("cached kernels pay from", made, compiled.BREAK_EVEN_GAMES),
            ("kernels pay to be compiled from", cold, compiled.BREAK_EVEN_GAMES_COLD),
        ):
            even = _EVEN_GAMES[0] + (first - plain) / won
            yield (
                name,
                f"{even:,.0f} games",
                f"taken: {asked:,}; {first:.1f} s for {_EVEN_GAMES[0]} games",
            )

    def _cards(self, log: Path) -> Iterator[tuple[str, str, str]]:
        fast = card_work(log, self._games[0], "always")
        slow = card_work(log, _UNCOMPILED_GAMES, "never")
        yield "card work alone, compiled", _rate(fast), f"{1e6 * fast:.2f} µs a game"
        yield "card work alone, uncompiled", _rate(slow), f"{slow / fast:.0f} times as long (100)"

    def _dear(self) -> Iterator[tuple[str, str, str]]:
        """What the dearest games cost beside usual ones by the same rules."""
        spent = []
        for name, games in (("usual", usual_games()), ("dear", dear_games())):
            path = self._logs[0].with_name(f"{name}.jsonl")
            log = write_log(path, list(games), _DEAR_GAMES)
            spent.append(card_work(log, _DEAR_GAMES, "always"))
        usual, dear = spent
        yield "card work, usual games of jiule", _rate(usual), f"{1e6 * usual:.2f} µs a game"
        note = f"{dear / usual:.2f} times (5)"
        yield "card work, all by the system, wild jokers", _rate(dear), note

    def _poker(self) -> tuple[str, str, str]:
        hands = hands_a_second()
        figure = "not installed" if hands is None else f"{hands:,.0f} /s"
        return "PokerKit, hands of its own format", figure, "for the record (paipu[bench])"

    def _slope(
        self, measure: Callable[[Path], float], logs: tuple[Path, ...] | None = None
    ) -> float:
        """Seconds a game between the small and the large log."""
        small, large = logs or self._logs
        measure(small)  # kernels are compiled, files are in memory
        spent = [self._median(lambda log=log: measure(log)) for log in (small, large)]
        return (spent[1] - spent[0]) / (self._games[1] - self._games[0])

    def _median(self, measure: Callable[[], float]) -> float:
        return statistics.median(measure() for _ in range(self._runs))


def _rate(seconds_a_game: float) -> str:
    return f"{1 / seconds_a_game:,.0f} /s"


def run(*arguments: str) -> float:
    """Seconds that a command takes, from outside."""
    begun = time.perf_counter()
    subprocess.run([*PAIPU, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def verify(log: Path, *options: str) -> float:
    """Seconds of ``paipu verify``."""
    return run("verify", str(log), "--quiet", "--format", "json", *options)


def verify_as(mode: str, log: Path, **environment: str) -> float:
    """Seconds of ``paipu verify`` in one process, with ``PAIPU_COMPILE`` set to a mode."""
    os.environ.update(PAIPU_COMPILE=mode, **environment)
    try:
        return verify(log, "--jobs", "1")
    finally:
        for name in ("PAIPU_COMPILE", *environment):
            del os.environ[name]


def _first_games(log: Path, games: int) -> Path:
    """A log of the first games of another."""
    first = log.with_name(f"first-{games}.jsonl")
    with log.open(encoding="utf-8") as lines, first.open("w", encoding="utf-8") as out:
        out.writelines(islice(lines, games))
    return first


def read_bare(log: Path) -> float:
    """Seconds that DuckDB takes to read a log, one thread, nothing done with it."""
    database = duckdb.connect(":memory:", config={"threads": 1})
    reader = "read_json($log, format = 'newline_delimited', columns = $columns)"
    query = f"SELECT count(COLUMNS(*)) FROM {reader}"
    begun = time.perf_counter()
    database.execute(query, {"log": str(log), "columns": COLUMNS}).fetchall()
    return time.perf_counter() - begun


def card_work(log: Path, games: int, mode: str) -> float:
    """Seconds a game of the card work alone, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.card_work", str(log), str(games)]
    environment = {**os.environ, "PAIPU_COMPILE": mode}
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=ROOT, env=environment
    )
    return float(done.stdout)


def _packed(log: Path) -> Path:
    packed = log.with_suffix(".parquet")
    run("convert", str(log), "-o", str(packed))
    return packed


def _with_unknown(log: Path) -> Path:
    odd = log.with_suffix(".odd.jsonl")
    keys = '{"client_version":"7.1.0","ping_ms":38,"flags":["a","b"],'
    with log.open(encoding="utf-8") as lines, odd.open("w", encoding="utf-8") as out:
        out.writelines(keys + line[1:] for line in lines)
    return odd


def peak_memory(log: Path) -> float:
    """Most MB that ``verify --jobs 2`` and its processes hold at one time."""
    import psutil

    command = [*PAIPU, "verify", str(log), "--quiet", "--format", "json", "--jobs", "2"]
    started = psutil.Popen(command, stdout=subprocess.DEVNULL)
    most = 0.0
    while started.poll() is None:
        most = max(most, _held(started))
        time.sleep(0.02)
    return most / 2**20


def _held(process: Any) -> float:
    """Bytes that a process and its children hold, shared pages counted in proportion."""
    import psutil

    held = 0.0
    try:
        for one in [process, *process.children(recursive=True)]:
            held += one.memory_full_info().pss
    except psutil.Error:
        pass
    return held


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.pop("PAIPU_COMPILE", None)
    main()
