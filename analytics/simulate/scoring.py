"""Scoring an audit: was every injected fault found, and nothing else?

``python -m analytics.simulate.scoring LOG TRUTH`` verifies a log of ``paipu simulate
--fault`` and compares what is found with the truth beside it; ``--rules-dir`` as there.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from analytics.collect import Collector
from analytics.findings import Finding
from analytics.jobs import verify_logs
from analytics.logs import find_sources
from analytics.logs.files import SourceError, opened
from analytics.logs.streams import TornStream, unpacked
from analytics.rules import Rulebook, RulesetError, load_rulesets
from analytics.simulate.injecting import Truth

_MOST: Final = 1_000_000  # findings of a code: all that a scored log has
_PIPE_CLOSED: Final = 141  # as a shell reports a program that SIGPIPE ended
_BLOCK: Final = 1 << 16  # bytes of a truth that are read at once


class Unscorable(Exception):
    """A log cannot be scored; the text is a sentence for people."""


class Key(NamedTuple):
    """What makes two findings the same."""

    line: int
    code: str
    seat: int | None
    action: int | None


class Score(NamedTuple):
    """How an audit did.

    Attributes:
        found: by fault, how many findings were expected and found.
        missed: expected and not found, with their faults.
        extra: found and not expected.
    """

    found: Counter[str]
    missed: tuple[tuple[str, Key], ...]
    extra: tuple[Key, ...]


def score(truths: Iterable[Truth], findings: Iterable[Finding]) -> Score:
    """Compares what was found with what should have been.

    What is reported more often than it was expected is extra.
    """
    left = Counter(Key(f.line or 0, f.code.text, f.seat, f.action) for f in findings)
    found: Counter[str] = Counter()
    missed = []
    for fault, key in _expected(truths):
        if left[key]:
            left[key] -= 1
            found[fault] += 1
        else:
            missed.append((fault, key))
    return Score(found, tuple(missed), tuple(left.elements()))


def _expected(truths: Iterable[Truth]) -> Iterator[tuple[str, Key]]:
    """All findings that have to be there, with their faults."""
    for truth in truths:
        for each in truth.expect:
            yield truth.fault, Key(truth.line, each["code"], each["seat"], each["action"])


def score_files(log: Path, truth: Path, rulebook: Rulebook | None = None) -> Score:
    """Verifies a log and scores what is found.

    Args:
        log: of ``paipu simulate --fault``.
        truth: what it wrote beside it.
        rulebook: that the log was made by; None: the presets.

    Raises:
        Unscorable: the log or the truth cannot be read; says why.
    """
    truths = _truths(truth)
    if not log.is_file():
        raise Unscorable(f"{log}: there is no such log.")
    with Collector(rulebook or load_rulesets(), _MOST) as collector:
        reconciler = verify_logs(find_sources([str(log)]), collector)
        reconciler.finish()
        return score(truths, reconciler.findings())


def _truths(path: Path) -> list[Truth]:
    try:
        lines = _unpacked(path).splitlines()
        return [msgspec.json.decode(line, type=Truth) for line in lines]
    except (SourceError, TornStream) as problem:
        raise Unscorable(f"{path}: {problem}") from problem
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise Unscorable(f"{path} is no truth of simulate --fault: {problem}.") from problem


def _unpacked(path: Path) -> bytes:
    """What a file holds, which may be packed like its log."""
    content, memory = bytearray(), bytearray(_BLOCK)
    with opened(str(path)) as stream:
        fill = unpacked(stream)
        while size := fill(memoryview(memory)):
            content += memory[:size]
    return bytes(content)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the score.

    Returns:
        0 every fault was found and nothing else, 1 not so, 2 there is no score, 141 nobody
        reads it to its end.
    """
    parser = argparse.ArgumentParser(prog="python -m analytics.simulate.scoring")
    parser.add_argument("log", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--rules-dir", type=Path, action="append", default=[])
    asked = parser.parse_args(arguments)
    try:
        result = score_files(asked.log, asked.truth, load_rulesets(asked.rules_dir))
    except (Unscorable, RulesetError) as problem:
        parser.error(str(problem))
    try:
        _print(result)
    except BrokenPipeError:
        # What is still buffered goes nowhere, so that the interpreter's last flush is quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    return int(bool(result.missed or result.extra))


def _print(result: Score) -> None:
    for fault, count in sorted(result.found.items()):
        print(f"{fault}: {count} findings found")
    for fault, key in result.missed:
        print(f"missed: {fault}: {key}")
    for key in result.extra:
        print(f"not injected: {key}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
