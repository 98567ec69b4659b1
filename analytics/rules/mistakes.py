"""What can be wrong with a ruleset file: codes, ``Problem``, ``Mistake``, ``RulesetError``.

A ``Problem`` is found at a path inside one file; at the edge it becomes a
``Mistake``, which knows its file and line. Source: rules clauses 8 to 12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from analytics.findings import Severity

_ERROR: Final = Severity.ERROR
_WARNING: Final = Severity.WARNING

Path: TypeAlias = tuple[str | int, ...]  # ints are positions in a list, from 0

# Every code: how bad it is, and what it means.
CODES: Final[Mapping[str, tuple[Severity, str]]] = {
    "rules.unreadable": (_ERROR, "the file or folder cannot be read"),
    "rules.encoding": (_ERROR, "the file is not UTF-8"),
    "rules.toml": (_ERROR, "the file is not TOML"),
    "rules.duplicate": (_ERROR, "something stands there twice"),
    "rules.unknown-key": (_ERROR, "there is no such section, setting, term or language"),
    "rules.type": (_ERROR, "the value is of another type than the setting"),
    "rules.value": (_ERROR, "the value is not among those that are allowed"),
    "rules.limit": (_ERROR, "a number is outside its bounds (clause 12)"),
    "rules.missing": (_ERROR, "something that has no default is not given"),
    "rules.name": (_ERROR, "a name or version holds other characters than allowed"),
    "rules.time": (_ERROR, "`effective_from` has no offset"),
    "rules.extends": (_ERROR, "the parent is not known, or it is not clear which one is meant"),
    "rules.cycle": (_ERROR, "rulesets extend one another in a circle"),
    "rules.same-version": (_ERROR, "two files give the same version of a ruleset"),
    "rules.same-time": (_ERROR, "two versions of a ruleset begin at the same time"),
    "rules.kou-cards": (_ERROR, "`dan` does not begin below `shuang`"),
    "rules.levels": (_ERROR, "the levels do not ascend"),
    "rules.indivisible": (_ERROR, "three seats cannot share a contribution evenly (clause 8.3)"),
    "rules.escape-seats": (_ERROR, "an escape cannot settle a game of four (clause 9)"),
    "rules.no-effect": (_WARNING, "the setting does not apply beside the others"),
    "rules.gap": (_WARNING, "a reachable xiang has no row between two rows of a table"),
    "rules.fall": (_WARNING, "a table pays less for more"),
    "rules.level-fall": (_WARNING, "a higher level has a lower base"),
    "rules.unreachable": (_WARNING, "no seat can reach the row with 27 cards"),
    "rules.cap": (_WARNING, "no seat can reach `xiang_cap` with 27 cards"),
    "rules.mint": (_WARNING, "the places do not add up to zero (clause 8.2)"),
}


class Problem(NamedTuple):
    """Something wrong at a path inside one file.

    Attributes:
        path: from the top of the file; () for the whole.
        code: a key of ``CODES``.
        message: one sentence.
        line: from 1, where it is known better than by the path.
    """

    path: Path
    code: str
    message: str
    line: int | None = None


class Mistake(NamedTuple):
    """Something wrong in a file, as it is shown to its author.

    Attributes:
        file: path as given; ``preset:NAME`` for a preset.
        line: from 1: that of the key, or of the nearest thing around it; None
            where the file or folder as a whole cannot be read.
        path: for instance ``scoring.doubling.7`` or ``scoring.base.levels[2]``.
        message: one sentence.
        severity: ERROR or WARNING.
        code: a key of ``CODES``.
    """

    file: str
    line: int | None
    path: str
    message: str
    severity: Severity
    code: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        path = f"{self.path}: " if self.path else ""
        return f"{place}: {self.severity.value}: {path}{self.message} [{self.code}]"


class RulesetError(Exception):
    """Rulesets that cannot be used.

    Attributes:
        mistakes: every error in every file.

    >>> mistake = Mistake("a.toml", 3, "play.seats", "no", Severity.ERROR, "rules.value")
    >>> print(RulesetError([mistake]))
    a.toml:3: error: play.seats: no [rules.value]
    """

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(self.mistakes)

    def __str__(self) -> str:
        return "\n".join(map(str, self.mistakes))


def severity_of(code: str) -> Severity:
    """How bad a mistake is.

    >>> severity_of("rules.mint")
    <Severity.WARNING: 'warning'>
    >>> severity_of("rules.whim")
    Traceback (most recent call last):
    ...
    KeyError: 'rules.whim'
    """
    return CODES[code][0]


def path_text(path: Path) -> str:
    """A path as it is shown.

    >>> path_text(("scoring", "base", "levels", 2))
    'scoring.base.levels[2]'
    """
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")


def suggestion(word: str, known: Iterable[str]) -> str:
    """`` (did you mean "x"?)`` for the nearest of the known words, or "".

    >>> suggestion("doublng", ["doubling", "fee"]), suggestion("zzz", ["fee"])
    (' (did you mean "doubling"?)', '')
    """
    import difflib  # only where something is wrong

    near = difflib.get_close_matches(word, known, 1)
    return f' (did you mean "{near[0]}"?)' if near else ""


def listed(words: Iterable[object]) -> str:
    """Words in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b or c'
    """
    *firsts, last = map(str, words)
    return f"{', '.join(firsts)} or {last}" if firsts else last
