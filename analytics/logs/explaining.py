"""The explaining path: one line at a time, checked field by field.

It alone is right about what a line says; the reading kernel only takes lines
off it that are beyond doubt.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from analytics.findings import Code, Finding
from analytics.logs.checking import check, unknown_fields
from analytics.logs.columns import Columns
from analytics.logs.effective import Effective
from analytics.logs.flaws import Flaw
from analytics.logs.parsing import parse

_BLANK = b" \t\r\n"


class Explainer:
    """Reads single lines into columns, or says what is wrong with them.

    Attributes:
        unknown: how many games have each field that the format does not know.
    """

    def __init__(
        self, effective: Effective, columns: Columns, file: str, keep_extra: bool
    ) -> None:
        self.unknown: Counter[str] = Counter()
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
        except Flaw as flaw:
            return flaw.finding(self._file, number) if is_ended else self._torn(number)
        try:
            checked = check(fields, self._effective)
        except Flaw as flaw:
            return flaw.finding(self._file, number)
        self._columns.append(checked, number, offset, self._extra(fields, line))
        return None

    def _torn(self, number: int) -> Finding:
        return Finding(Code.FORMAT_TORN, self._file, number)

    def _extra(self, fields: dict[str, Any], line: bytes) -> bytes | None:
        """The unknown fields as they stand in the line; counts them."""
        unknown = list(unknown_fields(fields))
        self.unknown.update({name for name, _, _ in unknown})
        if not unknown or not self._keep_extra:
            return None
        return msgspec.json.encode({name: value for _, name, value in unknown})
