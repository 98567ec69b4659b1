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
Value: TypeAlias = str | int | tuple[str, ...]

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


class Sentence(NamedTuple):
    """What is wrong, in a form that any language can say.

    Attributes:
        template: the English sentence, its values in braces; other languages know it by that.
        values: texts, ints, and tuples of texts of which one would do.
        near: the known word that was perhaps meant.
        parent: the ruleset that it was inherited from.

    >>> print(Sentence("{value} is not {allowed}", {"value": "5", "allowed": ("2", "4")}))
    5 is not 2 or 4
    >>> print(Sentence("no {what}", {"what": "x"}, near="y", parent="jiule@1"))
    no x (did you mean "y"?) (inherited from jiule@1)
    """

    template: str
    values: Mapping[str, Value] = {}
    near: str | None = None
    parent: str | None = None

    def __str__(self) -> str:
        values = {k: listed(v) if isinstance(v, tuple) else v for k, v in self.values.items()}
        near = f' (did you mean "{self.near}"?)' if self.near else ""
        parent = f" (inherited from {self.parent})" if self.parent else ""
        return self.template.format(**values) + near + parent


class Problem(NamedTuple):
    """Something wrong at a path inside one file.

    Attributes:
        path: from the top of the file; () for the whole.
        code: a key of ``CODES``.
        sentence: what is wrong.
        line: from 1, where it is known better than by the path.
    """

    path: Path
    code: str
    sentence: Sentence
    line: int | None = None

    @property
    def message(self) -> str:
        """The sentence in English."""
        return str(self.sentence)


def problem(
    path: Path,
    code: str,
    template: str,
    /,
    *,
    near: str | None = None,
    line: int | None = None,
    **values: Value,
) -> Problem:
    """A problem with its sentence.

    >>> problem(("fee",), "rules.type", "{what} is wrong", what="it").message
    'it is wrong'
    """
    return Problem(path, code, Sentence(template, values, near), line)


class Mistake(NamedTuple):
    """Something wrong in a file, as it is shown to its author.

    Attributes:
        file: path as given; ``preset:NAME`` for a preset.
        line: from 1: that of the key, or of the nearest thing around it; None
            where the file or folder as a whole cannot be read.
        path: for instance ``scoring.doubling.7`` or ``scoring.base.levels[2]``.
        sentence: what is wrong; ``analytics.wording`` has it in other languages.
        severity: ERROR or WARNING.
        code: a key of ``CODES``.
    """

    file: str
    line: int | None
    path: str
    sentence: Sentence
    severity: Severity
    code: str

    @property
    def message(self) -> str:
        """The sentence in English."""
        return str(self.sentence)

    @property
    def place(self) -> str:
        """File and line."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        path = f"{self.path}: " if self.path else ""
        return f"{self.place}: {self.severity.value}: {path}{self.message} [{self.code}]"


class RulesetError(Exception):
    """Rulesets that cannot be used.

    Attributes:
        mistakes: every error in every file.

    >>> no = Sentence("no")
    >>> mistake = Mistake("a.toml", 3, "play.seats", no, Severity.ERROR, "rules.value")
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


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was perhaps meant.

    >>> nearest("doublng", ["doubling", "fee"]), nearest("zzz", ["fee"])
    ('doubling', None)
    """
    import difflib  # only where something is wrong

    return next(iter(difflib.get_close_matches(word, known, 1)), None)


def listed(words: Iterable[object]) -> str:
    """Words in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b or c'
    """
    *firsts, last = map(str, words)
    return f"{', '.join(firsts)} or {last}" if firsts else last
