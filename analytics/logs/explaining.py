"""The explaining path: one line at a time, checked field by field.

It alone is right about what a line says; the reading kernel only takes lines
off it that are beyond doubt.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec

from analytics.findings import Code, Finding
from analytics.logs.checking import check, unknown_fields
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.flaws import A_SHORTER_LINE, VALID_JSON, Flaw, shortened
from analytics.logs.parsing import parse, raw_fields

_BLANK: Final = b" \t\r\n"
_LONGEST_CHARACTER: Final = 4  # bytes
# Names of unknown fields that are counted one by one; a log that makes up new ones in
# every line must not fill the memory.
MOST_NAMES: Final = 1000
OTHERS: Final = "…"


class Explainer:
    """Reads single lines into columns, or says what is wrong with them.

    Attributes:
        unknown: how many games have each field that the format does not know; beyond
            MOST_NAMES names, all others together as OTHERS.
        torn_line: number of a last line that is only begun; None where there is none.
    """

    def __init__(
        self, effective: Effective, columns: Columns, file: str, *, keep_extra: bool
    ) -> None:
        self.unknown: Counter[str] = Counter()
        self.torn_line: int | None = None
        self._effective = effective
        self._columns = columns
        self._file = file
        self._keep_extra = keep_extra

    def explain(self, line: bytes, number: int, offset: int, *, is_ended: bool) -> Finding | None:
        """Adds the game of this line to the columns, or says why not.

        Args:
            line: without its newline; blank lines are passed over.
            number: of the line, from 1.
            offset: byte where the line begins.
            is_ended: whether a newline follows; without, the writer may be at work still.
        """
        if not line.strip(_BLANK):
            return None
        try:
            fields = parse(line)
            checked = check(fields, self._effective)
        except Flaw as flaw:
            if not is_ended and _is_begun(flaw, line):
                self.torn_line = number
                return None
            return flaw.finding(self._file, number)
        self._columns.append(checked, number, offset, self._extra(fields, line))
        return None

    def too_long(self, beginning: bytes, number: int) -> Finding:
        """What is wrong with a line that is too long to be read."""
        recorded = shortened(beginning.decode("utf-8", "replace"))
        flaw = Flaw(Code.FORMAT_JSON, "$", A_SHORTER_LINE, recorded)
        return flaw.finding(self._file, number)

    def _extra(self, fields: dict[str, Any], line: bytes) -> bytes | None:
        """The unknown fields as they stand in the line, as one object; counts them."""
        unknown = list(unknown_fields(fields))
        is_full = len(self.unknown) >= MOST_NAMES
        names = {name for name, _, _ in unknown}
        self.unknown.update({OTHERS if is_full and n not in self.unknown else n for n in names})
        if not unknown or not self._keep_extra:
            return None
        raw = raw_fields(line)
        return msgspec.json.encode({own: raw[own] for _, own, _ in unknown})


def _is_begun(flaw: Flaw, line: bytes) -> bool:
    """Whether a line without newline may be the beginning of a good one."""
    if flaw.code is Code.FORMAT_ENCODING:
        return bool(flaw.params["byte"] > len(line) - _LONGEST_CHARACTER)
    return flaw.code is Code.FORMAT_JSON and flaw.expected == VALID_JSON
