"""Single values as text that is safe to print and short enough to read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from numbers import Integral
from typing import Final, TypeGuard

UNKNOWN: Final = "?"  # stands where a finding does not carry the value
LONGEST: Final = 80  # characters of one text from a log
LONGEST_LIST: Final = 200  # characters of a list or a table of counts
MOST_ITEMS: Final = 50
LONGEST_CELL: Final = 10_000  # characters of one value on a page
NOTHING: Final = "-"  # stands for what is not there: a row keeps its number of words

# Control and format characters (which may reverse or hide text), lone surrogates,
# private and unassigned code points, line and paragraph separators.
_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shown(value: object) -> str:
    """A value as text: amounts with thousands separators, texts escaped and cut.

    Never fails; what cannot be shown is "?".

    >>> shown(1234567), shown(None), shown([5, 0]), shown({"vip": 1200})
    ('1,234,567', '?', '5, 0', 'vip (1,200)')
    """
    try:
        return _shown(value)
    except Exception:  # a value of a foreign type may fail in any way
        return UNKNOWN


def plain(value: object) -> str:
    """A value that is a name and no amount: as ``shown``, but ints without separators.

    >>> plain(12345)
    '12345'
    """
    return str(value) if _is_int(value) and abs(value) < 10**18 else shown(value)


def clean(text: str, longest: int = LONGEST) -> str:
    r"""The text with control characters escaped, cut after ``longest`` characters.

    >>> clean("3S\x1b[31m\n"), clean("x" * 99, 4)
    ('3S\\x1b[31m\\n', 'xxx…')
    """
    shortened = text[: longest + 1]
    pieces = [_escaped(character) for character in shortened]
    if sum(map(len, pieces)) <= longest:
        return "".join(pieces)
    while pieces and sum(map(len, pieces)) >= longest:
        pieces.pop()
    return "".join(pieces) + "…"


def cell(value: object) -> str:
    r"""A value on a page of its own: escaped, whole as far as anybody would read.

    >>> cell("3S\x1b"), cell(None), cell("")
    ('3S\\x1b', '-', '-')
    """
    return NOTHING if value in (None, "") else clean(str(value), LONGEST_CELL)


def difference(recorded: object, recomputed: object) -> str:
    """How much more was recorded than recomputed; "?" unless both are ints.

    >>> difference(400, 200), difference(-400, -200), difference(400, None)
    ('200', '-200', '?')
    """
    if _is_int(recorded) and _is_int(recomputed):
        return shown(recorded - recomputed)
    return UNKNOWN


def _shown(value: object) -> str:
    if value is None:
        return UNKNOWN
    if _is_int(value):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return _joined(f"{_shown(k)} ({_shown(v)})" for k, v in islice(value.items(), MOST_ITEMS))
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return _joined(_shown(item) for item in islice(value, MOST_ITEMS))
    return clean(str(value))


def _joined(items: Iterable[str]) -> str:
    return clean(", ".join(items), LONGEST_LIST)


def _is_int(value: object) -> TypeGuard[int]:
    """Whether it is an int, also one out of an array; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _escaped(character: str) -> str:
    if unicodedata.category(character) not in _UNSAFE:
        return character
    return character.encode("unicode_escape").decode("ascii")
