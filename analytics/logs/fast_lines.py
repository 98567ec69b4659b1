"""Lines of JSON straight from columns, without a record for each game.

They are those of ``writing.line_of``, byte by byte, for batches whose texts need no
escapes; a test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
import numpy as np

from analytics.logs.batch import ABSENT, END_NAMES, LABELS, GameBatch, Recorded, TextColumn
from analytics.logs.checking import KOUS
from analytics.logs.moments import moment_texts

_encode: Final = msgspec.json.Encoder().encode
_SPECIAL: Final = re.compile(rb'["\\\x00-\x1f]')  # what JSON escapes; 0x7f it does not


def can_write(batch: GameBatch) -> bool:
    """Whether these games are written here: joined texts without escapes, no unknown fields."""
    texts = (batch.hands, batch.actions)
    return batch.extra is None and not any(
        not text.joined or _SPECIAL.search(text.buffer) for text in texts
    )


def fast_lines(batch: GameBatch) -> Iterator[bytes]:
    """The line of each game, with its newline; ``can_write`` has to hold."""
    parts = zip(
        _texts(batch.id), _texts(batch.rules), _labels(batch, LABELS[:1]),
        _moments("start", batch.start, batch.start_zone),
        _moments("end", batch.end, batch.end_zone),
        _seats(batch), _maybe("shown", batch.shown), batch.first.tolist(), _bases(batch),
        _lists(batch.hands), _lists(batch.actions), _times(batch),
        _results(batch), _labels(batch, LABELS[1:]), strict=True,
    )  # fmt: skip
    head = b'{"v":1,"game":%b,"id":' % _encode(batch.family)
    for key, rules, room, start, end, seats, shown, first, base, *rest in parts:
        hands, actions, times, result, labels = rest
        yield b"".join(
            (head, key, b',"rules":', rules, room, start, end, b',"seats":[', seats, b"]", shown,
             b',"first":%d' % first, base, b',"hands":', hands, b',"actions":', actions, times,
             result, labels, b"}\n")
        )  # fmt: skip


def _texts(texts: Sequence[str]) -> Iterator[bytes]:
    return map(_encode, texts)


def _maybe(name: str, texts: Sequence[str | None]) -> Iterator[bytes]:
    """A field that may be absent, with the comma before it."""
    key = b',"%b":' % name.encode()
    return (b"" if text is None else key + _encode(text) for text in texts)


def _labels(batch: GameBatch, names: Sequence[str]) -> Iterator[bytes]:
    """Those labels that the games have, one after the other."""
    columns = [_maybe(name, batch.labels[name]) for name in names if name in batch.labels]
    if not columns:
        return iter([b""] * len(batch))
    return map(b"".join, zip(*columns, strict=True))


def _moments(name: str, micros: Any, zones: Any) -> Iterator[bytes]:
    is_there = micros != ABSENT
    texts = moment_texts(np.where(is_there, micros, 0), zones)
    pairs = zip(texts, is_there.tolist(), strict=True)
    return _maybe(name, [text if there else None for text, there in pairs])


def _bases(batch: GameBatch) -> Iterator[bytes]:
    return (b"" if base == ABSENT else b',"base":%d' % base for base in batch.base.tolist())


def _seats(batch: GameBatch) -> Iterator[bytes]:
    seats = [
        b'{"player":%b,"balance":%d}' % (_encode(player), balance)
        for player, balance in zip(batch.player, batch.balance.tolist(), strict=True)
    ]
    return (b",".join(seats[first:after]) for first, after in _spans(batch.seats_at))


def _spans(at: Any) -> Iterator[tuple[int, int]]:
    return pairwise(at.tolist())


def _lists(column: TextColumn) -> Iterator[bytes]:
    for first, after in _spans(column.at):
        text = column.buffer[first:after]
        yield b'["%b"]' % text.replace(b";", b'","') if text else b"[]"


def _times(batch: GameBatch) -> Iterator[bytes]:
    times = batch.times.tolist()
    for first, after in _spans(batch.times_at):
        yield b',"times":%b' % _encode(times[first:after]) if after > first else b""


def _results(batch: GameBatch) -> Iterator[bytes]:
    """The result with those parts that are there, in the order of the record."""
    recorded = batch.recorded
    columns = [
        _maybe("end", [END_NAMES[end] for end in recorded.end.tolist()]),
        _numbers("winner", recorded.winner),
        _per_seat("places", recorded, batch),
        _maybe("kou", [KOUS[kou] if kou >= 0 else None for kou in recorded.kou.tolist()]),
        _per_seat("xiang", recorded, batch),
        _numbers("doubling", recorded.doubling),
        *(_per_seat(name, recorded, batch) for name in ("contribution", "delta", "fee", "balance")),
    ]
    for parts in zip(*columns, strict=True):
        joined = b"".join(parts)
        yield b',"result":{%b}' % joined[1:] if joined else b""


def _numbers(name: str, values: Any) -> Iterator[bytes]:
    key = name.encode()
    return (b"" if value == ABSENT else b',"%b":%d' % (key, value) for value in values.tolist())


def _per_seat(name: str, recorded: Recorded, batch: GameBatch) -> Iterator[bytes]:
    key, values = name.encode(), getattr(recorded, name).tolist()
    for first, after in _spans(batch.seats_at):
        is_there = values[first] != ABSENT
        yield b',"%b":%b' % (key, _encode(values[first:after])) if is_there else b""
