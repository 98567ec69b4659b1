"""Verdicts as columns of the common tables.

What is made here are Arrow tables of one batch; beside each row stands the game that it
belongs to, so that rows can be sorted by day, or left out, with their games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from xxhash import xxh3_64_intdigest

from analytics.findings import (
    F_ACTION,
    F_CODE,
    F_GAME,
    F_RECOMPUTED,
    F_RECORDED,
    F_SEAT,
    Code,
    Finding,
    Severity,
    severity_of,
)
from analytics.ledger import ITEM_NAMES, Postings
from analytics.logs.batch import ABSENT, END_NAMES, LABELS, GameBatch
from analytics.logs.hashing import as_int64
from analytics.logs.strings import MaybeStrings, Strings
from analytics.rules import Rulebook
from analytics.warehouse.common import FINDINGS, GAMES, POSTINGS, SEATS, VERDICTS
from analytics.warehouse.tables import Layer, Table

Int64s = npt.NDArray[np.int64]
Array = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]

CODES: Final = tuple(Code)
SEVERITIES: Final = tuple(Severity)
_LABEL_COLUMNS: Final = {"table": "table_id"}  # where SQL has that word for itself
_PLACE_OF_CODE: Final = np.zeros(max(Code) + 1, np.int32)
_SEVERITY_OF: Final = np.zeros(max(Code) + 1, np.int32)
for _place, _code in enumerate(CODES):
    _PLACE_OF_CODE[_code] = _place
    _SEVERITY_OF[_code] = SEVERITIES.index(severity_of(_code))


class Filled(NamedTuple):
    """Rows of one table.

    Attributes:
        table: which one, and with which layer they are written.
        layer: ``FACTS`` or ``VERDICT``.
        rows: Arrow table with the columns of the table.
        game: int64, per row: the place of its game in the batch.
    """

    table: Table
    layer: Layer
    rows: Any
    game: Int64s


def kept(filled: Iterable[Filled], keeps: Bools) -> Iterator[Filled]:
    """The rows of some games alone.

    Args:
        filled: rows of a batch.
        keeps: bool ``(n,)``: which games stay; the others are no longer counted.
    """
    place = np.cumsum(keeps) - 1
    for each in filled:
        stays = keeps[each.game]
        rows = each.rows.filter(pa.array(stays))
        yield each._replace(rows=rows, game=place[each.game[stays]])


class Outcomes(NamedTuple):
    """What every family knows of its games: columns of the common tables.

    Attributes:
        end: int ``(n,)``: place in ``END_NAMES``.
        error: int ``(n,)``: code of the finding that ended the replay, or 0.
        actions, plies: int ``(n,)``.
        escaped: bool ``(k,)``.
        timeouts, trustee_turns, passes: int ``(k,)``.
        is_settled: bool ``(n,)``: whether there are amounts.
        system: int64 ``(n,)``: what the system gets; it means nothing if not settled.
    """

    end: Array
    error: Array
    actions: Array
    plies: Array
    escaped: Bools
    timeouts: Array
    trustee_turns: Array
    passes: Array
    is_settled: Bools
    system: Int64s


class Logs(NamedTuple):
    """In which logs games are.

    Attributes:
        keys: hashes of some logs.
        of_game: int ``(n,)``: place of each game's log among them.
        line: int64 ``(n,)``: line of each game, counted from the beginning of its log.
    """

    keys: Sequence[str]
    of_game: Array
    line: Int64s

    @classmethod
    def one(cls, key: str, line: Int64s) -> Logs:
        """All games in the same log."""
        return cls((key,), np.zeros(len(line), np.int32), line)


class Settling(NamedTuple):
    """By what games are settled.

    Attributes:
        names: name@version by place in the rulebook.
        keys: int64, ``settlement_key`` likewise.
    """

    names: tuple[str, ...]
    keys: Int64s

    @classmethod
    def by(cls, rulebook: Rulebook) -> Settling:
        """The rulesets of a rulebook, and this version of paipu."""
        rulesets = rulebook.rulesets
        keys = as_int64(
            [xxh3_64_intdigest(f"{r.at} {r.hash} {engine()}".encode()) for r in rulesets]
        )
        return cls(tuple(r.at for r in rulesets), keys)


def engine() -> str:
    """The version of paipu that settles."""
    return version("paipu")


def table_of(table: Table, columns: Mapping[str, Any]) -> Any:
    """An Arrow table of columns: arrays of Arrow or numpy, in the order of the table's."""
    arrays = [_array(columns[c.name], table.schema.field(c.name).type) for c in table.columns]
    fields = [
        pa.field(c.name, array.type, nullable=bool(c.null))
        for c, array in zip(table.columns, arrays, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _array(column: Any, kind: Any) -> Any:
    if isinstance(column, np.ndarray):
        return pa.array(column.astype(kind.to_pandas_dtype(), copy=False), kind)
    return column


def maybe(values: Array, kind: Any, absent: int | Bools = ABSENT) -> Any:
    """Numbers that may be null, as Arrow.

    Args:
        values: what is null may be anything.
        kind: the Arrow type.
        absent: the value that stands for null; or bool, where it is null.
    """
    mask = values == absent if isinstance(absent, int) else absent
    return pa.array(np.where(mask, 0, values).astype(kind.to_pandas_dtype()), kind, mask=mask)


def words(places: Array, names: Sequence[str], absent: Bools | None = None) -> Any:
    """Texts out of a few, as Arrow: the place of each among the names."""
    indices = pa.array(places.astype(np.int32, copy=False), mask=absent)
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(names), pa.large_string()))


def texts(column: Sequence[str | None]) -> Any:
    """A column of texts as Arrow, without making a string."""
    if isinstance(column, MaybeStrings):
        return _large_strings(column.strings, column.absent)
    if isinstance(column, Strings):
        return _large_strings(column, None)
    return pa.array(list(column), pa.large_string())


def _large_strings(strings: Strings, absent: Bools | None) -> Any:
    offsets, data = pa.py_buffer(strings.at), pa.py_buffer(strings.buffer)
    if absent is None or not absent.any():
        return pa.LargeStringArray.from_buffers(len(strings), offsets, data)
    valid = pa.py_buffer(np.packbits(~absent, bitorder="little"))
    return pa.LargeStringArray.from_buffers(len(strings), offsets, data, valid)


def _times(microseconds: Int64s) -> Any:
    return maybe(microseconds, pa.int64()).cast(pa.timestamp("us", tz="UTC"))


def constant(text: str, n: int) -> Any:
    """The same text ``n`` times."""
    return words(np.zeros(n, np.int32), [text])


def games(batch: GameBatch, out: Outcomes, logs: Logs) -> Any:
    """Rows of ``games``, one a game."""
    n = len(batch)
    labels = {
        _LABEL_COLUMNS.get(name, name): texts(batch.labels.get(name) or [None] * n)
        for name in LABELS
    }
    is_broken = out.error != 0
    columns = {
        "game_key": batch.game_key,
        "id": texts(batch.id),
        "family": constant(batch.family, n),
        "rules": texts(batch.rules),
        **labels,
        "started": _times(batch.start),
        "started_zone": maybe(batch.start_zone, pa.int16(), batch.start == ABSENT),
        "ended": _times(batch.end),
        "ended_zone": maybe(batch.end_zone, pa.int16(), batch.end == ABSENT),
        "seats": np.diff(batch.seats_at),
        "given_base": maybe(batch.base, pa.int64()),
        "ending": words(out.end, [name or "" for name in END_NAMES], out.end == 0),
        "broken_by": words(_PLACE_OF_CODE[out.error], _code_texts(), ~is_broken),
        "actions": out.actions,
        "plies": out.plies,
        "last_action": _last_times(batch),
        "file_key": words(logs.of_game, logs.keys),
        "line": logs.line,
        "position": batch.offset,
        "content": batch.content,
    }
    return table_of(GAMES, columns)


def _code_texts() -> list[str]:
    return [code.text for code in CODES]


def _last_times(batch: GameBatch) -> Any:
    begins, ends = batch.times_at[:-1], batch.times_at[1:]
    absent = begins == ends
    padded = np.concatenate([batch.times, np.zeros(1, np.int64)])
    return maybe(padded[np.where(absent, len(batch.times), ends - 1)], pa.int64(), absent)


def seats(batch: GameBatch, out: Outcomes) -> Any:
    """Rows of ``seats``, one a seat."""
    game = games_of_seats(batch)
    columns = {
        "game_key": batch.game_key[game],
        "seat": np.arange(len(game)) - batch.seats_at[game],
        "player": texts(batch.player),
        "balance": batch.balance,
        "recorded_delta": maybe(batch.recorded.delta, pa.int64()),
        "recorded_fee": maybe(batch.recorded.fee, pa.int64()),
        "recorded_balance": maybe(batch.recorded.balance, pa.int64()),
        "escaped": out.escaped,
        "timeouts": out.timeouts,
        "trustee_turns": out.trustee_turns,
        "passes": out.passes,
    }
    return table_of(SEATS, columns)


def games_of_seats(batch: GameBatch) -> Int64s:
    """int64 ``(k,)``: the place of each seat's game in the batch."""
    return np.repeat(np.arange(len(batch)), np.diff(batch.seats_at))


def errors_of(findings: Int64s, games: int) -> Int64s:
    """int64 ``(games,)``: how many findings of severity error each game has."""
    is_error = _SEVERITY_OF[findings[:, F_CODE]] == SEVERITIES.index(Severity.ERROR)
    return np.bincount(findings[is_error, F_GAME], minlength=games)


def verdicts(batch: GameBatch, out: Outcomes, errors: Int64s, settling: Settling) -> Any:
    """Rows of ``verdicts``, one a game."""
    columns = {
        "game_key": batch.game_key,
        "settlement_key": settling.keys[batch.rules_ix],
        "ruleset": words(batch.rules_ix, settling.names),
        "settled": out.is_settled,
        "errors": errors,
        "system": maybe(out.system, pa.int64(), ~out.is_settled),
    }
    return table_of(VERDICTS, columns)


def postings(batch: GameBatch, made: Postings, settling: Settling) -> Any:
    """Rows of ``postings``."""
    columns = {
        "game_key": batch.game_key[made.game],
        "settlement_key": settling.keys[batch.rules_ix[made.game]],
        "account": made.account,
        "item": words(made.item, ITEM_NAMES),
        "amount": made.amount,
    }
    return table_of(POSTINGS, columns)


def depends_on_scoring(codes: Array) -> Bools:
    """Whether findings are part of a verdict: what ``compare`` finds, and a missing level."""
    is_after: Bools = (codes >= Code.SETTLE_END) & (codes != Code.LEDGER_CONTINUITY)
    return is_after


def findings(batch: GameBatch, rows: Int64s, settling: Settling, logs: Logs) -> Any:
    """Rows of ``findings`` on games."""
    game, codes = rows[:, F_GAME], rows[:, F_CODE]
    is_verdict = depends_on_scoring(codes)
    columns = {
        "game_key": batch.game_key[game],
        "settlement_key": maybe(settling.keys[batch.rules_ix[game]], pa.int64(), ~is_verdict),
        "code": words(_PLACE_OF_CODE[codes], _code_texts()),
        "severity": words(_SEVERITY_OF[codes], SEVERITIES),
        "action": maybe(rows[:, F_ACTION], pa.int32(), -1),
        "seat": maybe(rows[:, F_SEAT], pa.int8(), -1),
        "recorded": _amounts(rows[:, F_RECORDED], is_verdict),
        "recomputed": _amounts(rows[:, F_RECOMPUTED], is_verdict),
        "file_key": words(logs.of_game[game], logs.keys),
        "line": logs.line[game],
    }
    return table_of(FINDINGS, columns)


def _amounts(values: Int64s, is_amount: Bools) -> Any:
    return maybe(values, pa.int64(), ~is_amount | (values == ABSENT))


class Told(NamedTuple):
    """A finding that no batch makes: of the reader, or of reconciling.

    Attributes:
        game_key: None where there is no game.
        finding: with its line counted from the beginning of the file.
        file_key: of the log.
    """

    game_key: int | None
    finding: Finding
    file_key: str


def told(rows: Sequence[Told]) -> Any:
    """Rows of ``findings`` that no batch makes."""
    found = [row.finding for row in rows]
    columns = {
        "game_key": pa.array([row.game_key for row in rows], pa.int64()),
        "settlement_key": pa.nulls(len(rows), pa.int64()),
        "code": words(_PLACE_OF_CODE[[f.code for f in found]], _code_texts()),
        "severity": words(
            np.array([SEVERITIES.index(f.severity) for f in found], np.int32), SEVERITIES
        ),
        "action": pa.array([f.action for f in found], pa.int32()),
        "seat": pa.array([f.seat for f in found], pa.int8()),
        "recorded": pa.array([_number(f.recorded) for f in found], pa.int64()),
        "recomputed": pa.array([_number(f.recomputed) for f in found], pa.int64()),
        "file_key": words(*_places([row.file_key for row in rows])),
        "line": pa.array([f.line for f in found], pa.int64()),
    }
    return table_of(FINDINGS, columns)


def _places(names: Sequence[str]) -> tuple[Array, list[str]]:
    """The place of each name among those that there are."""
    known = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([known[name] for name in names], np.int32), list(known)


def _number(value: int | str | None) -> int | None:
    return value if isinstance(value, int) else None
