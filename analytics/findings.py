"""What can be wrong: the ``Finding`` record and the codes.

Bad input is data. Whatever is wrong with a line, a deal, an action or a
settlement becomes a ``Finding``; its sentence is made at the edge, in
``analytics.wording``. Source: log format, section Findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt


class Severity(StrEnum):
    """How bad a finding is; only errors make a verification fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(IntEnum):
    """Every finding code; the number is what kernels and columns carry.

    >>> Code.PLAY_BEAT.text, Code.of("play.beat") is Code.PLAY_BEAT
    ('play.beat', True)
    """

    FORMAT_JSON = 1
    FORMAT_FIELD = 2
    FORMAT_VERSION = 3
    FORMAT_TIME = 4
    FORMAT_ENCODING = 5
    FORMAT_DUPLICATE = 6
    FORMAT_RULES = 7
    FORMAT_TORN = 8
    FORMAT_UNKNOWN = 9
    DEAL_FACE = 20
    DEAL_SIZE = 21
    DEAL_COPIES = 22
    DEAL_SHOWN = 23
    DEAL_PARTNER = 24
    PLAY_LEAD = 30
    PLAY_SYNTAX = 31
    PLAY_AFTER_END = 32
    PLAY_TURN = 33
    PLAY_PASS = 34
    PLAY_HELD = 35
    PLAY_MELD = 36
    PLAY_DECLARED = 37
    PLAY_BEAT = 38
    PLAY_UNFINISHED = 39
    AUTO_PASS = 50
    AUTO_PLAY = 51
    AUTO_TIMEOUT = 52
    SETTLE_END = 60
    SETTLE_WINNER = 61
    SETTLE_PLACES = 62
    SETTLE_KOU = 63
    SETTLE_XIANG = 64
    SETTLE_DOUBLING = 65
    SETTLE_CONTRIBUTION = 66
    SETTLE_BASE = 67
    SETTLE_DELTA = 68
    SETTLE_FEE = 69
    SETTLE_BALANCE = 70
    BASE_LEVEL = 80
    LEDGER_CONTINUITY = 81
    LEDGER_SUM = 82

    @property
    def text(self) -> str:
        """The code as written in output: family, dot, rest."""
        family, rest = self.name.lower().split("_", 1)
        return f"{family}.{rest}"

    @classmethod
    def of(cls, text: str) -> Code:
        """The code of a text.

        Raises:
            KeyError: there is no such code.
        """
        return cls[text.replace(".", "_").upper()]


_SEVERITY: Final[Mapping[Code, Severity]] = {
    Code.FORMAT_TORN: Severity.WARNING,  # an error in a compressed file: given explicitly there
    Code.FORMAT_UNKNOWN: Severity.INFO,
    Code.AUTO_PASS: Severity.INFO,
    Code.AUTO_PLAY: Severity.INFO,
    Code.AUTO_TIMEOUT: Severity.INFO,
    Code.LEDGER_CONTINUITY: Severity.WARNING,
}


def severity_of(code: Code) -> Severity:
    """The severity that the log format gives to a code."""
    return _SEVERITY.get(code, Severity.ERROR)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where.

    Attributes:
        code: what kind of thing.
        file: path as given, or "-" for standard input.
        line: from 1 (in Parquet: the row, from 1); None where a whole file is meant.
        game: the game's id; None where it could not be read.
        action: index of the action, from 0; None where no single action is meant.
        seat: from 0; None where no single seat is meant.
        recorded: what the log says: int, text or None.
        recomputed: what paipu says instead: int, text or None.
        params: further values that the sentence needs, by name.
        given_severity: where it is not that of the code (a torn compressed file).
        ruleset: ``name@version`` of the ruleset by which it was judged, whose house words
            its sentence uses; None where no ruleset has a part in it.
    """

    code: Code
    file: str
    line: int | None = None
    game: str | None = None
    action: int | None = None
    seat: int | None = None
    recorded: int | str | None = None
    recomputed: int | str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    given_severity: Severity | None = None
    ruleset: str | None = None

    @property
    def severity(self) -> Severity:
        """How bad it is: what was given, else what the code stands for."""
        return self.given_severity or severity_of(self.code)


# Findings in columns: what kernels write and batches carry. A row is FINDING_WIDTH
# int64; its text is made later, and only for the rows that somebody will see.
F_GAME: Final = 0  # row of the game in its batch
F_CODE: Final = 1
F_ACTION: Final = 2  # or -1
F_SEAT: Final = 3  # or -1
F_RECORDED: Final = 4
F_RECOMPUTED: Final = 5
F_DETAIL: Final = 6  # what it is depends on the code, and is the game family's affair
FINDING_WIDTH: Final = 7

_PLACE_OF_CODE: Final = np.zeros(max(Code) + 1, np.int64)  # codes are ordered by their text
for _place, _code in enumerate(sorted(Code, key=lambda code: code.text)):
    _PLACE_OF_CODE[_code] = _place


def in_order(rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Findings in columns by game, action, seat, code; one on the whole game comes first.

    Args:
        rows: int64 ``(f, FINDING_WIDTH)``.

    >>> rows = np.array([[0, 68, -1, 1, 0, 0, 0], [0, 63, -1, -1, 0, 0, 0]])
    >>> in_order(rows)[:, F_CODE].tolist()
    [63, 68]
    """
    by_text = _PLACE_OF_CODE[rows[:, F_CODE]]
    keys = [by_text, *(rows[:, column] for column in (F_SEAT, F_ACTION, F_GAME))]
    return rows[np.lexsort(keys)]
