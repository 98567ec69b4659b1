"""Injecting faults: which games of a run go wrong, and the truth about each.

A fault changes what the house books, so that the next game begins with the wrong balance,
as it would. What a fault has to cause stands in the truth, a line of JSON for each line of
the log and fault:
``{"line", "id", "fault", "expect": [{"code", "seat", "action"}]}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from analytics.logs import Game, GameBatch
from analytics.logs.records import game as record_of
from analytics.logs.writing import line_of
from analytics.simulate.altering import result_of
from analytics.simulate.chance import shares
from analytics.simulate.faults import FAULTS, FOUR, TWO, Altered, Expected, Fault

TORN_LINE: Final = "torn-line"
DUPLICATED: Final = "duplicated-game"
CONFIG_CHANGED: Final = "config-changed"

_OLD_TABLE: Final = next(fault for fault in FAULTS if fault.name == "old-table")


def _as_it_is(game: Game) -> Altered:
    """What is wrong is wrong with the line, not with the game."""
    return Altered(game, ())


BY_NAME: Final[Mapping[str, Fault]] = {
    fault.name: fault
    for fault in (
        *FAULTS,
        _OLD_TABLE._replace(
            name=CONFIG_CHANGED,
            meaning="from a game on, a table is paid by an older doubling until it breaks up",
        ),
        Fault(TORN_LINE, "a line is cut in the middle", (*TWO, *FOUR), ("format.json",),
              _as_it_is),
        Fault(DUPLICATED, "a game is logged again with another content", (*TWO, *FOUR),
              ("format.duplicate",), _as_it_is),
    )
}  # fmt: skip


class Rate(NamedTuple):
    """How often a fault is tried: ``share`` of the games, 0 to 1."""

    name: str
    share: float


class Injected(NamedTuple):
    """A game that went wrong: its row in the batch, the fault, and what became of it."""

    row: int
    fault: str
    altered: Altered


class Slot(NamedTuple):
    """The games of a slot, and those of them that went wrong, by row."""

    batch: GameBatch
    injected: tuple[Injected, ...]


class Truth(msgspec.Struct, frozen=True):
    """What has to be found on one line of a log, as a fault causes it.

    ``id`` is None where the line cannot be read.
    """

    line: int
    id: str | None
    fault: str
    expect: tuple[dict[str, Any], ...]


def draw_faults(
    rates: Sequence[Rate], seed: int, hall: int, numbers: Sequence[int]
) -> list[list[str]]:
    """For each game of a hall the faults that are tried on it, in the order of ``rates``."""
    drawn: list[list[str]] = [[] for _ in numbers]
    for place, rate in enumerate(rates):
        hits = shares(seed, "fault", hall, place, numbers) < rate.share
        for game in hits.nonzero()[0].tolist():
            drawn[game].append(rate.name)
    return drawn


def inject(batch: GameBatch, row: int, names: Iterable[str]) -> Injected | None:
    """The game in a row with the first of these faults that it can have, or None."""
    game = record_of(batch, row)
    for name in names:
        altered = BY_NAME[name].alter(game)
        if altered is not None:
            return Injected(row, name, altered)
    return None


def balances_of(injected: Injected) -> tuple[int, ...]:
    """The balances that the house booked."""
    balances: tuple[int, ...] = result_of(injected.altered.game).balance
    return balances


def lines_of(slots: Iterable[Slot]) -> Iterator[tuple[bytes, tuple[Truth, ...]]]:
    """Every line of a log with faults, and by fault what has to be found on it.

    A game that cannot be read is missing from the balances of its players, so that their
    next games do not follow on: that is found, too, and belongs to the torn line, also
    where the next game has a fault of its own.
    """
    known: dict[str, int] = {}
    line = 0
    for slot in slots:
        wrong = {each.row: each for each in slot.injected}
        for row in range(len(slot.batch)):
            injected = wrong.get(row)
            for text, truths in _lines_of(slot.batch, row, injected, known):
                line += 1
                yield text, tuple(replace(truth, line=line) for truth in truths)


def _lines_of(
    batch: GameBatch, row: int, injected: Injected | None, known: dict[str, int]
) -> Iterator[tuple[bytes, tuple[Truth, ...]]]:
    """The lines of one game: one, or two of a game that is logged twice."""
    if injected is not None and injected.fault == TORN_LINE:
        text = line_of(batch, row)
        torn = (Expected("format.json"),)
        yield text[: len(text) // 2] + b"\n", (_truth(None, TORN_LINE, torn),)
        return
    game = injected.altered.game if injected else None
    text = msgspec.json.encode(game) + b"\n" if game else line_of(batch, row)
    breaks = tuple(_breaks(batch, row, known))
    _learn(batch, row, injected, known)
    caused = [(injected.fault, injected.altered.expected)] if injected else []
    caused.append((TORN_LINE, breaks))  # no other fault takes a game from the balances
    yield text, tuple(_truth(batch.id[row], fault, each) for fault, each in caused if each)
    if injected is not None and injected.fault == DUPLICATED:
        again = replace(injected.altered.game, round=f"{injected.altered.game.round}+")
        double = (Expected("format.duplicate"),)
        yield msgspec.json.encode(again) + b"\n", (_truth(again.id, DUPLICATED, double),)


def _truth(game: str | None, fault: str, expected: Iterable[Expected]) -> Truth:
    found = tuple(each._asdict() for each in expected)
    return Truth(line=0, id=game, fault=fault, expect=found)


def _breaks(batch: GameBatch, row: int, known: Mapping[str, int]) -> Iterator[Expected]:
    """Seats whose balance is not the one that the last line with them left."""
    first, after = int(batch.seats_at[row]), int(batch.seats_at[row + 1])
    for seat in range(after - first):
        before = int(batch.balance[first + seat])
        if known.get(batch.player[first + seat], before) != before:
            yield Expected("ledger.continuity", seat)


def _learn(batch: GameBatch, row: int, injected: Injected | None, known: dict[str, int]) -> None:
    first, after = int(batch.seats_at[row]), int(batch.seats_at[row + 1])
    booked = balances_of(injected) if injected else batch.recorded.balance[first:after].tolist()
    known.update(zip(batch.player[first:after], booked, strict=True))
