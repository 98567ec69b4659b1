"""Reads a log as a stream: batches of good games, and a finding for all else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from analytics import compiled
from analytics.findings import Code, Finding, Severity
from analytics.logs.batch import GameBatch
from analytics.logs.checking import FAMILIES
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.explaining import Explainer
from analytics.logs.fast import FastPath
from analytics.logs.sources import Source
from analytics.logs.streams import BOM, Block, TornStream, blocks, first_bytes, opened, unpacked
from analytics.rules.rulebook import Rulebook

BATCH_GAMES: Final = 2048


def read(
    source: Source,
    rulebook: Rulebook,
    *,
    keep_extra: bool = False,
    encoding: str | None = None,
    batch_games: int = BATCH_GAMES,
) -> Iterator[GameBatch | Finding]:
    """The games of one source, in order, and what is wrong with it.

    Guarantees:
        Constant memory. A bad line is one finding and hides no other line. A batch
        holds at most ``batch_games`` games.

    Args:
        source: plain, gzip or zstd JSON Lines; what it is, its first bytes tell.
        rulebook: finds the rulesets that games name.
        keep_extra: whether fields that the format does not know go to ``extra``.
        encoding: of the text, where it is not UTF-8.
        batch_games: the most games of a batch.

    Raises:
        SourceError: the source cannot be opened.
        LookupError: there is no such encoding.
    """
    with opened(source.path) as stream:
        reader = _LineReader(source, rulebook, keep_extra, batch_games)
        yield from reader.read(blocks(unpacked(stream)))


class _LineReader:
    """Reads the lines of one source."""

    def __init__(
        self, source: Source, rulebook: Rulebook, keep_extra: bool, batch_games: int
    ) -> None:
        effective = Effective(rulebook)
        self._source = source
        self._columns = Columns(batch_games, keep_extra=keep_extra)
        self._explainer = Explainer(effective, self._columns, source.path, keep_extra)
        self._fast = FastPath(effective, keep_extra=keep_extra)
        self._line = 0

    def read(self, stream: Iterable[Block]) -> Iterator[GameBatch | Finding]:
        """Batches and findings in the order of the lines; the last batch may be small."""
        try:
            for block in stream:
                yield from self._read_block(block)
        except TornStream:
            yield self._torn()
        if self._columns.n:
            yield self._batch()
        yield from self._unknown_finding()

    def _read_block(self, block: Block) -> Iterator[GameBatch | Finding]:
        is_ended = block.data.endswith(b"\n")
        data = block.data if is_ended else block.data + b"\n"
        is_utf8 = _is_utf8(data)
        is_compiled = compiled.is_compiled()
        self._columns.reserve(len(data))
        at = 0
        while at < len(data):
            if self._columns.is_full:
                yield self._batch()
                self._columns.reserve(len(data))
            if is_compiled:
                at, self._line = self._fast.scan(
                    data, at, self._line, block.offset, self._columns, is_utf8=is_utf8
                )
                if self._columns.is_full or at == len(data):
                    continue
            stop = data.index(b"\n", at)
            self._line += 1
            finding = self._explainer.explain(
                data[at:stop],
                self._line,
                block.offset + at,
                is_ended=is_ended or stop + 1 < len(data),
            )
            if finding is not None:
                yield finding
            self._fast.learn_unknown(self._explainer.unknown)
            at = stop + 1

    def _batch(self) -> GameBatch:
        source = self._source
        return self._columns.batch(family=FAMILIES[0], file=source.path, path=source.ordinal)

    def _torn(self) -> Finding:
        return Finding(
            Code.FORMAT_TORN,
            self._source.path,
            self._line + 1,
            params={"compressed": True},
            given_severity=Severity.ERROR,
        )

    def _unknown_finding(self) -> Iterator[Finding]:
        """One finding for all fields that the format does not know, if there are any."""
        counts = self._explainer.unknown + self._fast.unknown_counts()
        if counts:
            names = dict(sorted(counts.items()))
            yield Finding(Code.FORMAT_UNKNOWN, self._source.path, params={"names": names})


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
