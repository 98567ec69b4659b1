"""Table entries: the single numbers of a scoring table, each by its path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from analytics.rules import Fixed, Kou, Level, Levels, Places, Row, Ruleset, Scoring
from analytics.rules.model import MAX_BASE, MAX_FEE, MAX_TIMES
from analytics.rules.row import KOU_NAMES

_PLACES: Final = 4
_THIRDS: Final = 3  # clause 8.3: of four seats the three others pay equal parts
# Clause 12: what a number of a setting may be at least, and at most.
LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "base": (1, MAX_BASE),
    "kou": (-MAX_TIMES, MAX_TIMES),
    "places": (-MAX_TIMES, MAX_TIMES),
    "doubling": (-MAX_TIMES, MAX_TIMES),
    "contribution": (-MAX_TIMES, MAX_TIMES),
    "fee": (0, MAX_FEE),
    "escape_times": (0, MAX_TIMES),
    "share": (0, 100),  # per cent
}


class Entry(NamedTuple):
    """A number in a scoring table.

    Attributes:
        path: for instance ``scoring.doubling.7``, as ``rules diff`` writes it; of a place
            ``scoring.places.shuang.1``.
        key: of its setting.
        place: among the numbers of that setting, from 0.
    """

    path: str
    key: str
    place: int


class _Kind(NamedTuple):
    """How the numbers of a setting are named, read and written."""

    names: Callable[[Any], Sequence[str]]
    read: Callable[[Any], Sequence[int]]
    written: Callable[[Any, Sequence[int]], Any]


def _table(_: Any) -> _Kind:
    return _Kind(
        lambda table: [str(row.xiang) for row in table],
        lambda table: [row.times for row in table],
        lambda table, n: tuple(Row(row.xiang, v) for row, v in zip(table, n, strict=True)),
    )


def _base(base: Any) -> _Kind | None:
    if isinstance(base, Fixed):
        return _Kind(lambda _: ["fixed"], lambda own: [own.amount], lambda _, n: Fixed(n[0]))
    if isinstance(base, Levels):
        return _Kind(
            lambda own: [f"levels.{row.required}" for row in own.rows],
            lambda own: [row.base for row in own.rows],
            lambda own, n: Levels(
                tuple(Level(row.required, v) for row, v in zip(own.rows, n, strict=True))
            ),
        )
    return None  # given by the log, game by game


def _kou(_: Any) -> _Kind:
    return _Kind(lambda _: KOU_NAMES, lambda own: [getattr(own, k) for k in KOU_NAMES],
                 lambda _, n: Kou(*n))  # fmt: skip


def _places(_: Any) -> _Kind:
    def written(_: Any, numbers: Sequence[int]) -> Places:
        rows: Any = [tuple(numbers[at : at + _PLACES]) for at in range(0, len(numbers), _PLACES)]
        return Places(**dict(zip(KOU_NAMES, rows, strict=True)))

    return _Kind(
        lambda _: [f"{kou}.{place + 1}" for kou in KOU_NAMES for place in range(_PLACES)],
        lambda own: [times for kou in KOU_NAMES for times in getattr(own, kou)],
        written,
    )


def _number(_: Any) -> _Kind:
    return _Kind(lambda _: [""], lambda own: [own], lambda _, n: n[0])


# In the order of the model.
_KINDS: Final[Mapping[str, Callable[[Any], _Kind | None]]] = {
    "base": _base,
    "kou": _kou,
    "places": _places,
    "doubling": _table,
    "contribution": _table,
    "fee": _number,
    "escape_times": _number,
    "share": _number,
}


def list_entries(ruleset: Ruleset) -> tuple[Entry, ...]:
    """Every number of a scoring table, in the order of the model.

    >>> from analytics.rules import load_rulesets
    >>> [entry.path for entry in list_entries(load_rulesets().rulesets[5])][-3:]
    ['scoring.doubling.7', 'scoring.doubling.8', 'scoring.fee']
    """
    return tuple(_entries(ruleset.scoring))


def _entries(scoring: Scoring) -> Iterator[Entry]:
    for key in _KINDS:
        kind, own = _kind(key, scoring)
        for place, name in enumerate(kind.names(own) if kind else ()):
            yield Entry(".".join(filter(None, ("scoring", key, name))), key, place)


def _kind(key: str, scoring: Scoring) -> tuple[_Kind | None, Any]:
    own = getattr(scoring, key)
    return (None if own is None else _KINDS[key](own)), own


def value_of(ruleset: Ruleset, entry: Entry) -> int:
    """The number that stands there.

    >>> from analytics.rules import load_rulesets
    >>> value_of(load_rulesets().rulesets[3], Entry("scoring.kou.dan", "kou", 1))
    2
    """
    kind, own = _kind(entry.key, ruleset.scoring)
    assert kind is not None
    return kind.read(own)[entry.place]


def with_value(ruleset: Ruleset, entry: Entry, value: int) -> Ruleset:
    """The ruleset with another number there; nothing else is changed or checked."""
    kind, own = _kind(entry.key, ruleset.scoring)
    assert kind is not None
    numbers = list(kind.read(own))
    numbers[entry.place] = value
    scoring = replace(ruleset.scoring, **{entry.key: kind.written(own, numbers)})
    return replace(ruleset, scoring=scoring)


def step_of(ruleset: Ruleset, entry: Entry) -> int:
    """The least by which the number can change (clause 8.3: a contribution of four in thirds)."""
    is_shared = entry.key == "contribution" and ruleset.play.seats == _PLACES
    return _THIRDS if is_shared else 1
