"""``Flaw``: the first thing that is wrong with one recorded game.

Inside the readers a flaw is raised where it is found; at their edge it becomes
a ``Finding``. What was expected is one of the phrases below, each of which has
its translation in ``analytics.wording``.
"""

from __future__ import annotations

import json
from typing import Any, Final

from analytics.findings import Code, Finding, Severity

# Rules clause 12, and what the columns can hold.
MAX_BALANCE: Final = 10**15
MAX_BASE: Final = 10**9
MAX_AMOUNT: Final = 10**18
MAX_TIME: Final = 10**15  # thirty thousand years in milliseconds
MAX_DEPTH: Final = 60  # of nested lists and objects

A_STRING: Final = "a string"
A_FILLED_STRING: Final = "a string that is not empty"
AN_INT: Final = "an int"
A_LIST: Final = "a list"
AN_OBJECT: Final = "an object"
A_JSON_OBJECT: Final = "a JSON object"
VALID_JSON: Final = "valid JSON"
A_KEY_ONCE: Final = "each key only once"
NO_SURROGATE: Final = "text without lone surrogates"
LESS_DEPTH: Final = f"at most {MAX_DEPTH} levels of nesting"
A_SHORTER_LINE: Final = "a line of at most 16 MiB"
VERSION: Final = "1"
A_FAMILY: Final = "a game that is known: shuangkou"
A_MOMENT: Final = "RFC 3339 with an offset"
A_BALANCE: Final = "an int from -10^15 to 10^15"
A_BASE: Final = "an int from 1 to 10^9"
AN_AMOUNT: Final = "an int from -10^18 to 10^18"
A_TIME: Final = "an int from 0 to 10^15"
NEVER_FALLING: Final = "no less than the time before"
ONE_OF_THE_SEATS: Final = "one of the seats"
PER_SEAT: Final = "one entry per seat"
PER_ACTION: Final = "one entry per action"
AN_END: Final = "out or escape"
A_KOU: Final = "ping, dan or shuang"
A_BASE_AS_GIVEN: Final = "the base, which this ruleset leaves to the log"
A_STRING_COLUMN: Final = "a column of strings"
AN_INT_COLUMN: Final = "a column of ints"
A_STRINGS_COLUMN: Final = "a column of strings or of lists of strings"
AN_INTS_COLUMN: Final = "a column of lists of ints"
A_SEATS_COLUMN: Final = "a column of lists of structs with player and balance"
A_RESULT_COLUMN: Final = "a column of structs"

EXPECTED: Final = tuple(
    value
    for name, value in list(globals().items())
    if name.isupper() and not name.startswith("MAX_") and isinstance(value, str)
)

_LONGEST: Final = 80  # characters of what stood there
_INT64: Final = 2**63


class Flaw(ValueError):  # a fact about a log, not a failure of this program
    """The first thing that is wrong with a game.

    Attributes:
        code: one of ``format.*``.
        path: JSON path of where it is.
        expected: what had to be there: one of ``EXPECTED``; None where that says nothing.
        recorded: what stood there, shortened; None where nothing stood there.
        game: the id, where it can be read.
        params: what else the sentence needs.
    """

    def __init__(
        self,
        code: Code,
        path: str,
        expected: str | None,
        recorded: int | str | None = None,
        **params: Any,
    ) -> None:
        super().__init__(f"{code.text} at {path}: expected {expected}, recorded {recorded!r}")
        self.code = code
        self.path = path
        self.expected = expected
        self.recorded = recorded
        self.params = params
        self.game: str | None = None

    def finding(self, file: str, line: int | None) -> Finding:
        """The flaw as a finding at this place."""
        params = {"path": self.path, **self.params}
        if self.expected is not None:
            params["expected"] = self.expected
        return Finding(self.code, file, line, self.game, recorded=self.recorded, params=params)


def torn(file: str, line: int | None = None) -> Finding:
    """That a packed file is cut off or damaged: an error, unlike a torn line of a plain one.

    Args:
        file: its path.
        line: the first that could not be read; None: nothing could.
    """
    params = {"compressed": True}
    return Finding(Code.FORMAT_TORN, file, line, params=params, given_severity=Severity.ERROR)


def wrong(path: str, expected: str, value: object) -> Flaw:
    """The flaw of a field that is there but is not what it has to be."""
    return Flaw(Code.FORMAT_FIELD, path, expected, shortened(value))


def missing(path: str, expected: str) -> Flaw:
    """The flaw of a field that is not there."""
    return Flaw(Code.FORMAT_FIELD, path, expected)


def shortened(value: object) -> int | str:
    """What stood there: an int as it is, a text without quotes, all else as JSON.

    >>> shortened(7), shortened(True), shortened("x" * 99)[-4:], shortened([1, None])
    (7, 'true', 'xxx…', '[1, null]')
    """
    if isinstance(value, int) and not isinstance(value, bool) and -_INT64 <= value < _INT64:
        return value
    text = value if isinstance(value, str) else _as_json(value)
    text = text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be printed
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _as_json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # an int of more than 4300 digits, deep nesting
        return "…"
