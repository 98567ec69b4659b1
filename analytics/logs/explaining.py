"""The explaining path: one line at a time, checked field by field.

It alone is right about what a line says; the reading kernel only takes lines
off it that are beyond doubt.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from analytics.findings import Code, Finding
from analytics.logs.checking import Checked, check
from analytics.logs.effective import Effective
from analytics.logs.extras import UnknownNames, names_in, unknown_of_line, unknown_part
from analytics.logs.flaws import A_SHORTER_LINE, VALID_JSON, Flaw, shortened
from analytics.logs.parsing import parse

_BLANK: Final = b" \t\r\n"
_LONGEST_CHARACTER: Final = 4  # bytes


class Explained(NamedTuple):
    """The game of a line.

    Attributes:
        checked: the game.
        extra: what the format does not know of it, as JSON; None: nothing, or not asked for.
    """

    checked: Checked
    extra: bytes | None


class Explainer:
    """Reads single lines, or says what is wrong with them.

    Attributes:
        unknown: how many games have each field that the format does not know.
        torn_line: number of a last line that is only begun; None where there is none.
    """

    def __init__(self, effective: Effective, file: str, *, keep_extra: bool) -> None:
        self.unknown = UnknownNames()
        self.torn_line: int | None = None
        self._effective = effective
        self._file = file
        self._keep_extra = keep_extra

    def explain(self, line: bytes, number: int, *, is_ended: bool) -> Explained | Finding | None:
        """The game of this line, or why it is none.

        Args:
            line: without its newline; blank lines are passed over.
            number: of the line, from 1.
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
        unknown = unknown_part(fields)
        self.unknown.add(names_in(unknown))
        is_kept = unknown and self._keep_extra
        return Explained(checked, unknown_of_line(line) if is_kept else None)

    def too_long(self, beginning: bytes, number: int) -> Finding:
        """What is wrong with a line that is too long to be read."""
        recorded = shortened(beginning.decode("utf-8", "replace"))
        flaw = Flaw(Code.FORMAT_JSON, "$", A_SHORTER_LINE, recorded)
        return flaw.finding(self._file, number)


def _is_begun(flaw: Flaw, line: bytes) -> bool:
    """Whether a line without newline may be the beginning of a good one."""
    if flaw.code is Code.FORMAT_ENCODING:
        return bool(flaw.params["byte"] > len(line) - _LONGEST_CHARACTER)
    return flaw.code is Code.FORMAT_JSON and flaw.expected == VALID_JSON
