"""What a worked-out settlement is made of: lines, the game they are about, expressions.

An expression evaluates to the value of its line: · is times, - minus, ⌊a / b⌋ the
quotient rounded down. Source: rules clause 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.compiled import Ints
from analytics.logs import Game
from analytics.rules import Ruleset, Table
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou.facts import Facts, Settled
from analytics.shuangkou.settlement import NOTHING, X_BASE, Y_XIANG, capped

Int64s = npt.NDArray[np.int64]
Value = int | str | None


class Used(NamedTuple):
    """A row of a ruleset's table that a term uses.

    Attributes:
        table: name of the setting.
        key: of the row; "<5" is what stands below the row of 5; "" where the setting
            is a single value.
        value: what the row says.
    """

    table: str
    key: str
    value: str


class Why(NamedTuple):
    """A reason, put into words at the edge: a key of the catalogue, and its values."""

    key: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Line:
    """One term of a settlement.

    Attributes:
        item: what it is: a component of the log's ``result``, or a step on the way.
        clause: of the rules.
        value: recomputed; None where it does not exist (no level, hence no base).
        seat: whose; None: the game's.
        expression: evaluates to the value; "" where there is nothing to work out.
        used: the rows of tables that went into it.
        why: where the numbers come from.
        recorded: what the house recorded; None: nothing, or not compared.
    """

    item: str
    clause: str
    value: Value
    seat: int | None = None
    expression: str = ""
    used: tuple[Used, ...] = ()
    why: tuple[Why, ...] = ()
    recorded: Value = None

    @property
    def agrees(self) -> bool | None:
        """Whether recorded and recomputed are the same; None where one of them is missing.

        >>> Line("fee", "8.3", 5, recorded=7).agrees, Line("fee", "8.3", 5).agrees
        (False, None)
        """
        if self.value is None or self.recorded is None:
            return None
        return self.value == self.recorded


@dataclass(frozen=True, slots=True)
class Case:
    """One game that was settled, as a batch of one, and how to look things up in it."""

    game: Game
    ruleset: Ruleset
    row: Int64s
    facts: Facts
    settled: Settled

    @property
    def rules(self) -> Ints:
        """The ruleset's row as uncompiled kernels read it."""
        return memoryview(self.row.data)

    @property
    def seats(self) -> range:
        return range(len(self.game.seats))

    @property
    def end(self) -> int:
        """``END_OUT`` or ``END_ESCAPE``."""
        return int(self.facts.games[0, D.G_END])

    @property
    def winner(self) -> int:
        return int(self.facts.games[0, D.G_WINNER])

    @property
    def base(self) -> int | None:
        """The base X; None where there is no level (clause 8.1)."""
        return self.of_game(X_BASE)

    def of_game(self, column: int) -> int | None:
        """What the game is worth: a column ``X_*``."""
        return _or_none(self.settled.games[0, column])

    def of_seat(self, seat: int, column: int) -> int | None:
        """What it is worth for a seat: a column ``Y_*``."""
        return _or_none(self.settled.seats[seat, column])

    def xiang(self, seat: int) -> int:
        """Effective, and capped."""
        return int(self.settled.seats[seat, Y_XIANG])

    def fact(self, seat: int, column: int) -> int:
        """What was played: a column ``S_*``."""
        return int(self.facts.seats[seat, column])

    def items(self, seat: int | None, *items: int) -> int:
        """The sum of some items of a seat, or of the system (None)."""
        account = self.settled.system[0] if seat is None else self.settled.items[seat]
        return sum(int(account[item]) for item in items)

    def places(self, kou: int) -> list[int]:
        """The multiples of the base for places 1 to 4 (clause 8.2)."""
        return [int(times) for times in self.row[R.PLACES + 4 * kou : R.PLACES + 4 * kou + 4]]

    def recorded(self, name: str, seat: int | None = None) -> Value:
        """A part of the log's result, or what it says of one seat."""
        value = getattr(self.game.result, name, None)
        return value if value is None or seat is None else value[seat]

    def recorded_sum(self) -> int | None:
        """The sum of the recorded deltas."""
        deltas = None if self.game.result is None else self.game.result.delta
        return None if deltas is None else sum(deltas)


def _or_none(value: np.int64) -> int | None:
    return None if value == NOTHING else int(value)


# Tables (clause 8)


def doubling(case: Case, xiang: int) -> tuple[int, Used]:
    """The multiplier b of a xiang, and the row where it stands."""
    return _entry(case.ruleset.scoring.doubling, "doubling", 1, xiang)


def contributed(case: Case, seat: int) -> tuple[list[int], tuple[Used, ...]]:
    """What a seat's bombs earn, one amount a bomb (mode each) or one in all (max).

    Bombs that earn nothing are left out.
    """
    found = [
        _entry(case.ruleset.scoring.contribution, "contribution", 0, capped(xiang, case.rules))
        for xiang in _counted(case, seat)
    ]
    paying = [(times, row) for times, row in found if times]
    return [times for times, _ in paying], tuple(dict.fromkeys(row for _, row in paying))


def _counted(case: Case, seat: int) -> list[int]:
    """The xiang by which contributions are looked up."""
    if case.ruleset.scoring.contribution_mode == "max":
        return [case.xiang(seat)]
    bombs = {xiang: case.fact(seat, D.S_BOMBS + xiang) for xiang in range(R.MAX_XIANG)}
    return [xiang for xiang, count in bombs.items() for _ in range(count)]


def _entry(table: Table, name: str, below: int, xiang: int) -> tuple[int, Used]:
    """The multiplier of a xiang, and its row: the last one that is reached."""
    reached = [row for row in table if row.xiang <= xiang]
    if reached:
        return reached[-1].times, Used(name, str(reached[-1].xiang), number(reached[-1].times))
    return below, Used(name, f"<{table[0].xiang}" if table else "", number(below))


# Numbers and expressions


def number(value: int) -> str:
    """With thousands separators and a proper minus.

    >>> number(-1234)
    '-1,234'
    """
    return f"{value:,}"


def factor(value: int) -> str:
    """A number as a part of a larger expression.

    >>> factor(-2), factor(2)
    ('(-2)', '2')
    """
    return number(value) if value >= 0 else f"({number(value)})"


def product(*values: int) -> str:
    """A product.

    >>> product(100, 2, -4)
    '100·2·(-4)'
    """
    return "·".join(map(factor, values))


def added(parts: Iterable[str]) -> str:
    """A sum; in brackets unless it is a single part.

    >>> added(["6", "2·8"]), added(["6"]), added([])
    ('(6 + 2·8)', '6', '0')
    """
    listed = list(parts)
    return f"({' + '.join(listed)})" if len(listed) > 1 else "".join(listed) or "0"


def added_numbers(values: Iterable[int]) -> str:
    """A sum of numbers.

    >>> added_numbers([6, -12])
    '(6 + (-12))'
    """
    return added(map(factor, values))


def less(expression: str, amount: int) -> str:
    """The expression minus an amount, where there is one.

    >>> less("5·2", 10), less("5·2", 0)
    ('5·2 - 10', '5·2')
    """
    return f"{expression} - {number(amount)}" if amount else expression
