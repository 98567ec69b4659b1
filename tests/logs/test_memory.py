"""A log of any size is read in constant memory, and reading starts quickly."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games import CASES

ROOT = Path(__file__).parents[2]
SIZE = 200_000_000  # bytes
READ = """
import resource
from analytics.logs import GameBatch, Source, read
from analytics.rules import load_rulesets
games = findings = 0
for item in read(Source("-"), load_rulesets([])):
    if isinstance(item, GameBatch):
        games += len(item)
    else:
        findings += 1
print(games, findings, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def generated(size: int) -> Iterator[bytes]:
    """So many bytes of games, every hundredth line a bad one."""
    log = (CASES / "games.jsonl").read_bytes() * 3 + b'{"v": 1}\n'
    for _ in range(size // len(log)):
        yield log


def packed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same in gzip."""
    packer = zlib.compressobj(1, wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def read_from(pieces: Iterator[bytes]) -> tuple[int, int, int]:
    """Games, findings and the most memory, in KiB, of a process that reads this."""
    environment = {**os.environ, "PAIPU_COMPILE": "always"}
    with subprocess.Popen(
        [sys.executable, "-c", READ],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for piece in pieces:
            process.stdin.write(piece)
        process.stdin.close()
        games, findings, memory = process.stdout.read().split()
    return int(games), int(findings), int(memory)


@pytest.mark.slow
@pytest.mark.parametrize("pack", [iter, packed])
def test_memory_does_not_grow_with_the_log(pack: type) -> None:
    """Two hundred megabytes take no more than two, but for what the libraries hold."""
    _, _, little = read_from(pack(generated(2_000_000)))
    games, findings, much = read_from(pack(generated(SIZE)))
    assert games > 150_000
    assert findings > 1_000
    assert much < little + 20_000


def test_nothing_slow_is_imported_before_it_is_needed() -> None:
    """Neither numba nor Arrow nor DuckDB, to read a few lines."""
    code = (
        "import sys, analytics.logs;"
        "slow = {'numba', 'pyarrow', 'duckdb', 'pandas', 'zstandard'};"
        "print(sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
