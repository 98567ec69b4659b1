"""Rows of Arrow columns into the columns of a batch, many at a time.

Like the reading kernel, this takes a row only where it is beyond doubt: every
other one is ``odd``, and explained field by field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analytics import compiled
from analytics.logs import layout, tables
from analytics.logs.arrow_schema import SCHEMA
from analytics.logs.arrow_values import (
    Bools,
    Int64s,
    Lists,
    Texts,
    any_in,
    fields_of,
    ints,
    joined,
    list_starts,
    nulls,
)
from analytics.logs.batch import ABSENT
from analytics.logs.checking import ENDS, KOUS
from analytics.logs.columns import PARTS, TEXT_FIELDS, Columns
from analytics.logs.counting import count_strings
from analytics.logs.effective import Effective
from analytics.logs.flaws import MAX_AMOUNT, MAX_BALANCE, MAX_BASE, MAX_TIME, Flaw
from analytics.logs.moments import RIGHT, read_moments

# The needed columns of text and of numbers; lists are judged where they are taken.
_NEEDED_TEXTS: Final = (layout.ID, layout.RULES, layout.HANDS, layout.ACTIONS)
_TEXT_NAMES: Final = (*TEXT_FIELDS, "hands", "actions")


class Arrays:
    """The columns of a record batch by name; one that is not there is all null."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self._places = {name: place for place, name in enumerate(rows.schema.names)}
        self.n = len(rows)

    def __getitem__(self, name: str) -> Any:
        usual = SCHEMA.field(name).type
        if name not in self._places:
            return pa.nulls(self.n, usual)
        column = self._rows.column(self._places[name])
        return column.cast(usual) if pa.types.is_null(column.type) else column

    def part(self, name: str) -> Any:
        """A part of ``result``."""
        result = self["result"]
        usual = SCHEMA.field("result").type.field(name).type
        if result.type.get_field_index(name) < 0:
            return pa.nulls(self.n, usual)
        part = fields_of(result, name)
        return part.cast(usual) if pa.types.is_null(part.type) else part

    def seats(self, name: str) -> Any:
        """A part of all seats, one after the other."""
        return fields_of(self["seats"].flatten(), name)


class Odd:
    """Which rows are to be explained.

    Attributes:
        rows: bool ``(n,)``.
    """

    def __init__(self, n: int) -> None:
        self.rows: Bools = np.zeros(n, np.bool_)

    def mark(self, rows: Bools) -> None:
        """Marks these as well."""
        self.rows |= rows


@dataclass(frozen=True, slots=True)
class Rows:
    """``n`` games on their way from Arrow to ``Columns``.

    Attributes:
        texts: by row of ``layout`` text, up to ACTIONS.
        player: of all seats.
        balance: int64, of all seats.
        seats_at: int64 ``(n + 1,)``: where each game's seats begin.
        times: milliseconds.
        parts: by field of ``layout`` seats, what the house recorded per seat.
        values: int64 ``(n, ...)``: the fields of ``layout`` games from RULES_IX on.
        odd: bool ``(n,)``: games that are better explained; what is said here of them
            may be wrong.
    """

    texts: Mapping[int, Texts]
    player: Texts
    balance: Int64s
    seats_at: Int64s
    times: Lists
    parts: Mapping[int, Lists]
    values: Int64s
    odd: Bools

    @classmethod
    def of(cls, arrays: Arrays, effective: Effective) -> Rows:
        """The games of a record batch whose columns have the right types."""
        odd = Odd(arrays.n)
        texts = _texts(arrays, odd)
        seats_at = list_starts(arrays["seats"])
        player, balance = _seats(arrays, seats_at, odd)
        times = _times(arrays, texts[layout.ACTIONS], odd)
        parts = {
            field: _amounts(arrays.part(name), np.diff(seats_at), odd) for field, name in PARTS
        }
        values = _values(arrays, np.diff(seats_at), effective, odd)
        return cls(texts, player, balance, seats_at, times, parts, values, odd.rows)

    def append_to(
        self, columns: Columns, first: int, after: int, lines: Int64s, before: int
    ) -> None:
        """Appends the games from ``first`` up to ``after``.

        Args:
            columns: with place for so many games of ``tables.FAMILY``.
            first, after: places in these rows.
            lines: int64 ``(n,)``: the number of each row, from 1.
            before: rows of the file that are not counted there.
        """
        n, m = columns.n, after - first
        columns.family = tables.FAMILY
        columns.reserve(self._most(first, after), int(self.seats_at[after] - self.seats_at[first]))
        games = columns.games[n : n + m]
        games[:, layout.PRESENT] = 0
        for row, texts in self.texts.items():
            games[:, layout.PRESENT] |= (~texts.is_null[first:after]).astype(np.int64) << row
            begins = columns.games[n : n + m + 1, row]
            _append(columns.text[row], begins, texts.chars, texts.at[first : after + 1])
        begins = columns.games[n : n + m + 1, layout.TIMES_AT]
        _append(columns.times, begins, self.times.values, self.times.at[first : after + 1])
        games[:, layout.LINE] = lines[first:after]
        games[:, layout.OFFSET] = lines[first:after] - 1 + before
        games[:, layout.RULES_IX :] = self.values[first:after]
        self._append_seats(columns, first, after)
        columns.n += m

    def _append_seats(self, columns: Columns, first: int, after: int) -> None:
        at = self.seats_at[first : after + 1]
        begins = columns.games[columns.n : columns.n + len(at), layout.SEATS_AT]
        begins[1:] = begins[0] + at[1:] - at[0]
        k, end = int(begins[0]), int(begins[-1])
        seats = columns.seats[k:end]
        seats[:, layout.BALANCE] = self.balance[at[0] : at[-1]]
        players = self.player.at[at[0] : at[-1] + 1]
        player_at = columns.seats[k : end + 1, layout.PLAYER_AT]
        _append(columns.text[layout.PLAYER], player_at, self.player.chars, players)
        for field, part in self.parts.items():
            is_there = np.repeat(~part.is_null[first:after], np.diff(at))
            seats[:, field] = ABSENT
            seats[is_there, field] = part.values[part.at[first] : part.at[after]]

    def _most(self, first: int, after: int) -> int:
        """The most places that any text row or the times take."""
        columns = [texts.at for texts in self.texts.values()] + [self.times.at]
        players = self.player.at[self.seats_at[[first, after]]]
        sizes = [int(at[after] - at[first]) for at in columns]
        return max(*sizes, int(players[1] - players[0]))


def _append(target: Any, begins: Any, values: Any, at: Int64s) -> None:
    """Copies the entries of some rows, and says where each row's begin.

    Args:
        target: what they are copied into.
        begins: of the rows and the one behind; the first is known.
        values, at: what is copied, and where each row's entries begin in it.
    """
    begins[1:] = begins[0] + at[1:] - at[0]
    target[begins[0] : begins[-1]] = values[at[0] : at[-1]]


def _texts(arrays: Arrays, odd: Odd) -> dict[int, Texts]:
    texts: dict[int, Texts] = {}
    for row, name in enumerate(_TEXT_NAMES):
        texts[row], cannot = joined(arrays[name])
        odd.mark(cannot | texts[row].invalid())
        if row in _NEEDED_TEXTS:
            odd.mark(texts[row].is_null)
    odd.mark(texts[layout.ID].lengths() == 0)
    return texts


def _seats(arrays: Arrays, seats_at: Int64s, odd: Odd) -> tuple[Texts, Int64s]:
    player, balance = Texts.of(arrays.seats("player")), ints(arrays.seats("balance"))
    beyond = (balance < -MAX_BALANCE) | (balance > MAX_BALANCE)  # a null as well
    odd.mark(any_in(player.is_null | player.invalid() | beyond, seats_at))
    return player, balance


def _times(arrays: Arrays, actions: Texts, odd: Odd) -> Lists:
    times = Lists.of(arrays["times"])
    falls = np.zeros(len(times.values), np.bool_)
    falls[1:] = np.diff(times.values) < 0
    falls[times.at[:-1][times.lengths() > 0]] = False  # the first of a game falls from nothing
    odd.mark(any_in((times.values < 0) | (times.values > MAX_TIME) | falls, times.at))
    if times.is_null.all():
        return times
    counts = np.zeros(len(actions.is_null), np.int64)
    compiled.run(count_strings, actions.chars, actions.at, counts)
    odd.mark(~times.is_null & (times.lengths() != counts))
    return times


def _amounts(array: Any, seats: Int64s, odd: Odd) -> Lists:
    """One amount a seat, where there is any."""
    lists = Lists.of(array)
    odd.mark(any_in((lists.values < -MAX_AMOUNT) | (lists.values > MAX_AMOUNT), lists.at))
    odd.mark(~lists.is_null & (lists.lengths() != seats))
    return lists


def _values(arrays: Arrays, seats: Int64s, effective: Effective, odd: Odd) -> Int64s:
    """The fields of ``layout`` games from RULES_IX on."""
    odd.mark(ints(arrays["v"]) != 1)
    families = (tables.FAMILY,) if tables.FAMILY in effective.families else ()
    odd.mark(_word(arrays["game"], families, odd) < 0)
    start, start_zone = _moments(arrays["start"], odd)
    end, end_zone = _moments(arrays["end"], odd)
    first = ints(arrays["first"])
    odd.mark((first < 0) | (first >= seats))
    base = ints(arrays["base"])
    odd.mark(~nulls(arrays["base"]) & ((base < 1) | (base > MAX_BASE)))
    rules_ix = _rules(arrays["rules"], start, base, effective, odd)
    recorded_end = _word(arrays.part("end"), ENDS, odd) + 1
    kou = _word(arrays.part("kou"), KOUS, odd)
    single = [_amount(arrays.part(name), odd) for name in ("winner", "doubling")]
    fields = (rules_ix, start, start_zone, end, end_zone, first, base)
    return np.stack((*fields, recorded_end, single[0], kou, single[1]), axis=1)


def _amount(array: Any, odd: Odd) -> Int64s:
    values = ints(array)
    odd.mark(~nulls(array) & ((values < -MAX_AMOUNT) | (values > MAX_AMOUNT)))
    return values


def _word(array: Any, words: tuple[str, ...], odd: Odd) -> Int64s:
    """int64 ``(n,)``: which of the words; -1 for none."""
    if not pa.types.is_string(array.type):
        array = array.cast(pa.string())
    found = pc.index_in(array, pa.array(words, pa.string()))
    places: Int64s = ints(pc.fill_null(found, -1))
    odd.mark((places < 0) & ~nulls(array))
    return places


def _moments(array: Any, odd: Odd) -> tuple[Int64s, Int64s]:
    """Microseconds since 1970 and the offset in minutes; ABSENT and 0 where not logged."""
    texts = Texts.of(array)
    n = len(texts.is_null)
    chars = np.append(texts.chars, np.uint8(ord('"')))
    micros, zones, states = (np.zeros(n, np.int64) for _ in range(3))
    compiled.run(read_moments, chars, texts.at, n, micros, zones, states)
    odd.mark((states != RIGHT) & ~texts.is_null)
    micros[texts.is_null] = ABSENT
    zones[texts.is_null] = 0
    return micros, zones


def _rules(array: Any, start: Int64s, base: Int64s, effective: Effective, odd: Odd) -> Int64s:
    """int64 ``(n,)``: the place of each game's ruleset in the rulebook."""
    coded = pc.fill_null(array.cast(pa.large_string()), "").dictionary_encode()
    names = coded.dictionary.to_pylist()
    epochs = effective.epochs(start) + 1
    pairs = epochs * len(names) + ints(coded.indices)
    rules_ix = np.full(int(epochs.max(initial=0) + 1) * len(names), -1, np.int64)
    is_given = np.zeros(len(rules_ix), np.bool_)
    is_met = np.zeros(len(rules_ix), np.bool_)
    is_met[pairs] = True
    for pair in np.flatnonzero(is_met).tolist():
        epoch, name = divmod(pair, len(names))
        rules_ix[pair], is_given[pair] = _found(names[name], epoch - 1, effective)
    odd.mark((rules_ix[pairs] < 0) | (is_given[pairs] & (base == ABSENT)))
    named: Int64s = rules_ix[pairs]
    return named


def _found(name: str, epoch: int, effective: Effective) -> tuple[int, bool]:
    """(place of the ruleset or -1, whether the log has to give the base)."""
    try:
        answer = effective.in_epoch(name, epoch)
    except Flaw:
        return -1, False
    return answer.rules_ix, answer.is_given
