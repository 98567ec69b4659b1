"""Lines of JSON to batches: fast where it can be, explained where it must be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.findings import Code, Finding
from analytics.logs import layout, tables
from analytics.logs.batch import GameBatch
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.encodings import BOM, as_utf8, needs_decoding, other_encoding
from analytics.logs.explaining import Explained, Explainer
from analytics.logs.fast import FastPath
from analytics.logs.flaws import Flaw, torn
from analytics.logs.scanning import scan_lines
from analytics.logs.sources import Source
from analytics.logs.streams import Block, TornStream
from analytics.rules.rulebook import Rulebook


class LineReader:
    """Reads the lines of one source, in order.

    Uncompiled, every line is explained: the reading kernel only pays compiled.
    """

    def __init__(
        self,
        source: Source,
        rulebook: Rulebook,
        *,
        families: Collection[str],
        keep_extra: bool,
        batch_games: int,
        encoding: str | None = None,
        is_packed: bool = False,
    ) -> None:
        effective = Effective(rulebook, families)
        self._source = source
        self._is_packed = is_packed  # then nobody is writing it still
        self._encoding = encoding if needs_decoding(encoding) else None
        self._columns = Columns(batch_games, keep_extra=keep_extra)
        self._explainer = Explainer(effective, source.path, keep_extra=keep_extra)
        self._fast = FastPath(effective, keep_extra=keep_extra)
        self._may_scan = compiled.is_compiled(scan_lines) and tables.FAMILY in families
        self._line = 0  # number of the line before

    @property
    def lines(self) -> int:
        """How many lines were read."""
        return self._line

    def read(self, stream: Iterable[Block]) -> Iterator[GameBatch | Finding]:
        """Batches and findings; what concerns the whole file comes last."""
        is_torn = False
        try:
            for block in stream:
                if block.offset == 0 and (name := other_encoding(bytes(block.memory[:4]))):
                    yield Finding(Code.FORMAT_ENCODING, self._source.path, params={"likely": name})
                    return
                yield from self._read_block(block)
        except TornStream:
            is_torn = True
        except Flaw as flaw:  # the text as a whole cannot be decoded
            yield flaw.finding(self._source.path, None)
        if self._columns.n:
            yield self._batch()
        yield from self._torn(is_stream_torn=is_torn)
        yield from self._unknown()

    def _read_block(self, block: Block) -> Iterator[GameBatch | Finding]:
        if block.is_too_long:
            self._line += 1
            yield self._explainer.too_long(bytes(block.memory[:100]), self._line)
            return
        page = _Page.of(block, self._line + 1, self._encoding)
        self._columns.reserve(len(page.data))
        at = len(BOM) if block.offset == 0 and page.memory.startswith(BOM) else 0
        while at < len(page.data):
            if self._columns.is_full:
                yield self._batch()
            if self._may_scan and self._columns.takes(tables.FAMILY):
                at = self._scan(page, at)
                if self._columns.is_full or at == len(page.data):
                    continue
            yield from self._explain(page, at)
            at = page.memory.index(b"\n", at) + 1

    def _scan(self, page: _Page, at: int) -> int:
        """Reads lines up to one that is better explained; gives where that begins."""
        columns, before = self._columns, self._columns.n
        columns.family = tables.FAMILY
        at, self._line = self._fast.scan(
            page.data, at, self._line, page.offset, columns, is_utf8=page.is_utf8
        )
        if page.offsets is not None:
            rows = columns.games[before : columns.n]
            rows[:, layout.OFFSET] = page.offsets[rows[:, layout.LINE] - page.first_line]
        return at

    def _explain(self, page: _Page, at: int) -> Iterator[GameBatch | Finding]:
        """Explains the line that begins here."""
        end = page.memory.index(b"\n", at)
        self._line += 1
        is_ended = page.is_ended or end + 1 < len(page.data)
        found = self._explainer.explain(bytes(page.memory[at:end]), self._line, is_ended=is_ended)
        if isinstance(found, Finding):
            yield self._as_asked(found)
        elif found is not None:
            yield from self._batch_unless(found.checked.game.game)
            self._append(found, page.offset_of(at, self._line))

    def _as_asked(self, finding: Finding) -> Finding:
        """Of text that is not in the encoding that was set, that is said and no other guessed.

        A line has been turned into UTF-8 by then, so that there is nothing to guess by.
        """
        if self._encoding is None or finding.code is not Code.FORMAT_ENCODING:
            return finding
        params = {"path": finding.params["path"], "asked": self._encoding}
        return replace(finding, params=params)

    def _append(self, found: Explained, offset: int) -> None:
        self._columns.append(found.checked, self._line, offset, found.extra)
        self._fast.learn_unknown(self._explainer.unknown.met)

    def _batch_unless(self, family: str) -> Iterator[GameBatch]:
        """The games so far, unless they are of this family: a batch is of one."""
        if not self._columns.takes(family):
            yield self._batch()

    def _batch(self) -> GameBatch:
        return self._columns.batch(file=self._source.path, path=self._source.ordinal)

    def _torn(self, *, is_stream_torn: bool) -> Iterator[Finding]:
        """That the source ends too early: an error where it is packed, else a warning."""
        line = self._explainer.torn_line
        if is_stream_torn:
            yield torn(self._source.path, line or self._line + 1)
        elif line is not None and self._is_packed:
            yield torn(self._source.path, line)
        elif line is not None:
            yield Finding(Code.FORMAT_TORN, self._source.path, line)

    def _unknown(self) -> Iterator[Finding]:
        """One finding for all fields that the format does not know, if there are any."""
        unknown = self._explainer.unknown
        unknown.add_counts(self._fast.unknown_counts())
        if names := unknown.counts():
            yield Finding(Code.FORMAT_UNKNOWN, self._source.path, params={"names": names})


class _Page(NamedTuple):
    """A block as UTF-8, and where its lines begin in the stream.

    Attributes:
        memory: begins with the lines.
        data: uint8; the lines.
        is_utf8: whether all of it is UTF-8.
        is_ended: whether the last line has its newline in the stream.
        first_line: number of the first line.
        offset: of the first line.
        offsets: int64, of each line; None where they lie in the stream as they do here.
    """

    memory: bytearray
    data: npt.NDArray[np.uint8]
    is_utf8: bool
    is_ended: bool
    first_line: int
    offset: int
    offsets: npt.NDArray[np.int64] | None

    def offset_of(self, at: int, line: int) -> int:
        """Where a line begins in the stream, of which place and number are known."""
        if self.offsets is None:
            return self.offset + at
        return int(self.offsets[line - self.first_line])

    @classmethod
    def of(cls, block: Block, first_line: int, encoding: str | None) -> _Page:
        """The page of a block.

        Args:
            block: lines in any encoding.
            first_line: number of the first line.
            encoding: of the block; None: UTF-8.
        """
        memory, stop, offsets = block.memory, block.stop, None
        if encoding is not None:
            lines = bytes(memory[:stop]).split(b"\n")
            sizes = [block.offset, *(len(line) + 1 for line in lines[:-1])]
            offsets = np.cumsum(sizes, dtype=np.int64)
            memory = bytearray(b"\n".join([as_utf8(line, encoding) for line in lines]))
            stop = len(memory)
        data = np.frombuffer(memory, np.uint8, stop)
        return cls(memory, data, _is_utf8(data), block.is_ended, first_line, block.offset, offsets)


def _is_utf8(data: npt.NDArray[np.uint8]) -> bool:
    if int(data.max(initial=0)) < 128:
        return True
    try:
        str(data.data, "utf-8")
    except UnicodeDecodeError:
        return False
    return True
