"""Where in a TOML file a key stands, which ``tomllib`` does not tell.

``scan`` walks over a text once and notes the line of every section, key, list
entry and inline key. It trusts that ``tomllib`` judges the syntax: where it does
not understand a text it stops, and what it has found so far holds.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from analytics.rules.mistakes import Path

_BLANKS: Final = re.compile(r"[ \t]*")
_GAP: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")  # between statements and in lists
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_QUOTED: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'")
_LONG: Final = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}", re.DOTALL)
_ATOM: Final = re.compile(r"[^,\]}#\r\n]+")  # numbers, dates (with a blank), booleans


class Repeat(NamedTuple):
    """A key that is given a second time.

    Attributes:
        path: of the key.
        line, first_line: from 1.
        start, end: of the second assignment in the text, with the comma before it.
    """

    path: Path
    line: int
    first_line: int
    start: int
    end: int


@dataclass(slots=True)
class Lines:
    """What a scan found.

    Attributes:
        of: the line, from 1, of every path.
        repeats: keys given twice, in order.
    """

    of: dict[Path, int] = field(default_factory=dict)
    repeats: list[Repeat] = field(default_factory=list)

    def nearest(self, path: Path) -> int:
        r"""The line of a path or of the nearest thing around it.

        >>> scan("[play]\nseats = 2\n").nearest(("play", "wild"))
        1
        """
        for length in range(len(path), 0, -1):
            if path[:length] in self.of:
                return self.of[path[:length]]
        # What a ruleset has from its parent stands nowhere in its own file.
        return self.of.get(("extends",), 1) if len(path) > 1 else 1


class _Lost(Exception):
    """The scan does not understand the text."""


def scan(text: str) -> Lines:
    r"""Walks over the text of a TOML file.

    Never raises: what stands behind something that is no TOML is not found.

    >>> scan('[scoring]\ndoubling = { 5 = 2,\n 6 = 4 }').of["scoring", "doubling", "6"]
    3
    >>> scan("= 3").of["seats"]
    Traceback (most recent call last):
    ...
    KeyError: 'seats'
    """
    walk = _Walk(text)
    with suppress(_Lost, RecursionError):
        walk.document()
    return walk.lines


class _Walk:
    """One walk: a position in the text, and what was found before it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.lines = Lines()
        self._assigned: dict[Path, int] = {}
        self._elements: dict[Path, int] = {}  # of [[arrays of tables]]
        self._line = 1
        self._counted_to = 0

    def document(self) -> None:
        section: Path = ()
        self._skip(_GAP)
        while self.position < len(self.text):
            if self._sees("["):
                section = self._header()
            else:
                self._assignment(section, self.position)
            self._skip(_GAP)

    def _header(self) -> Path:
        is_array = self.text.startswith("[[", self.position)
        line = self._line_now()
        self.position += 2 if is_array else 1
        path = self._key(())
        self._note(path, line)
        for _ in range(2 if is_array else 1):
            self._expect("]")
        if is_array:
            path = (*path, self._elements.setdefault(path, 0))
            self._elements[path[:-1]] += 1
        return path

    def _assignment(self, around: Path, start: int) -> None:
        line = self._line_now()
        path = self._key(around)
        self._note(path, line)
        self._expect("=")
        self._skip(_BLANKS)
        self._value(path)
        if path in self._assigned:
            first = self._assigned[path]
            self.lines.repeats.append(Repeat(path, line, first, start, self.position))
        self._assigned.setdefault(path, line)

    def _value(self, path: Path) -> None:
        if self._sees("{"):
            self._inline_table(path)
        elif self._sees("["):
            self._array(path)
        elif not any(self._take(string) for string in (_LONG, _QUOTED)):
            self._match(_ATOM)

    def _inline_table(self, path: Path) -> None:
        self._expect("{")
        self._skip(_GAP)
        start = self.position
        while not self._sees("}"):
            self._assignment(path, start)
            self._skip(_GAP)
            start = self.position  # a repeated key goes together with the comma before it
            if not self._sees("}"):
                self._expect(",")
            self._skip(_GAP)
        self._expect("}")

    def _array(self, path: Path) -> None:
        self._expect("[")
        self._skip(_GAP)
        position = 0
        while not self._sees("]"):
            self._note((*path, position), self._line_now())
            self._value((*path, position))
            position += 1
            self._skip(_GAP)
            if not self._sees("]"):
                self._expect(",")
            self._skip(_GAP)
        self._expect("]")

    def _key(self, around: Path) -> Path:
        """A key, dotted or not; ``around`` with it."""
        path = (*around, self._key_part())
        self._skip(_BLANKS)
        while self._sees("."):
            self._expect(".")
            self._skip(_BLANKS)
            path = (*path, self._key_part())
            self._skip(_BLANKS)
        return path

    def _key_part(self) -> str:
        if bare := self._take(_BARE_KEY):
            return bare
        quoted = self._match(_QUOTED)
        try:
            return str(tomllib.loads(f"key = {quoted}")["key"])
        except tomllib.TOMLDecodeError:
            raise _Lost from None

    def _note(self, path: Path, line: int) -> None:
        """Notes a path and, where dotted, what is around it."""
        for length in range(1, len(path) + 1):
            self.lines.of.setdefault(path[:length], line)

    def _line_now(self) -> int:
        self._line += self.text.count("\n", self._counted_to, self.position)
        self._counted_to = self.position
        return self._line

    def _sees(self, character: str) -> bool:
        return self.text.startswith(character, self.position)

    def _expect(self, character: str) -> None:
        if not self._sees(character):
            raise _Lost
        self.position += 1

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._take(pattern)

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = self._take(pattern)
        if not found:
            raise _Lost
        return found

    def _take(self, pattern: re.Pattern[str]) -> str:
        """What matches here, passed over; "" where nothing does."""
        found = pattern.match(self.text, self.position)
        if found is None:
            return ""
        self.position = found.end()
        return found.group()
