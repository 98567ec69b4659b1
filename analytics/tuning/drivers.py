"""Drivers: which changes of a table make the difference between two tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from analytics.rules import Row, Ruleset, to_toml_value
from analytics.rules.model import Table, plain
from analytics.tuning.candidates import Evaluator
from analytics.tuning.metrics import METRICS
from analytics.tuning.table_entries import Entry, list_entries, value_of, with_value

if TYPE_CHECKING:
    import pandas as pd

MEASURES: Final = ("moved", "turnover", "fees", "system")  # what drivers are weighed by
DRIVER_COLUMNS: Final = (
    "path", "left", "right",
    *(f"{name}_{how}" for name in MEASURES for how in ("alone", "last", "effect")),
)  # fmt: skip

_LONGEST: Final = 60  # characters of a setting
# Settings that say nothing without one another (clause 7).
_TOGETHER: Final = (("linked", "linked_bonus"), ("unlinked", "unlinked_count"))


class Change(NamedTuple):
    """A part of a table that differs, which can be taken over by itself.

    Attributes:
        path: of an entry, or of a setting.
        left, right: the values on either side; of a setting as TOML writes it.
        section: "xiang" or "scoring".
        keys: the settings that are taken over; none: it is an entry.
        entry: that is taken over; None: settings are.
    """

    path: str
    left: Any
    right: Any
    section: str
    keys: tuple[str, ...]
    entry: Entry | None

    def taken(self, target: Ruleset, source: Ruleset) -> Ruleset:
        """The target with this part of the source."""
        if self.entry is not None:
            return with_value(target, self.entry, value_of(source, self.entry))
        own = getattr(source, self.section)
        changed = replace(getattr(target, self.section), **{k: getattr(own, k) for k in self.keys})
        return replace(target, **{self.section: changed})


def with_equal_rows(left: Ruleset, right: Ruleset) -> tuple[Ruleset, Ruleset]:
    """Both with rows for the same xiang, so that tables can be compared row by row.

    What they pay does not change: a row that is added says what held there anyhow.
    """
    for key, below in (("doubling", 1), ("contribution", 0)):
        one, other = getattr(left.scoring, key), getattr(right.scoring, key)
        xiangs = sorted({row.xiang for row in (*one, *other)})
        left = _with_table(left, key, _filled(one, xiangs, below))
        right = _with_table(right, key, _filled(other, xiangs, below))
    return left, right


def _with_table(ruleset: Ruleset, key: str, table: Table) -> Ruleset:
    setting: dict[str, Any] = {key: table}
    return replace(ruleset, scoring=replace(ruleset.scoring, **setting))


def _filled(table: Table, xiangs: list[int], below: int) -> Table:
    """The table with a row for each of these xiang, its own among them."""
    rows = []
    for xiang in xiangs:
        held = [row.times for row in table if row.xiang <= xiang]
        rows.append(Row(xiang, held[-1] if held else below))
    return tuple(rows)


def changes_of(left: Ruleset, right: Ruleset) -> tuple[Change, ...]:
    """All changes between two tables with equal rows, in the order of the model."""
    return (*_xiang_changes(left, right), *_scoring_changes(left, right))


def _xiang_changes(left: Ruleset, right: Ruleset) -> Iterator[Change]:
    for keys in (*_TOGETHER, ("xiang_cap",)):
        yield from _setting(left, right, "xiang", keys)


def _scoring_changes(left: Ruleset, right: Ruleset) -> Iterator[Change]:
    both = set(list_entries(left)) & set(list_entries(right))
    by_entry = {entry.key for entry in list_entries(left)}
    for field in fields(left.scoring):
        if field.name == "unit":
            continue
        if field.name in by_entry and _alike(left, right, field.name):
            for entry in (each for each in list_entries(left) if each.key == field.name):
                values = value_of(left, entry), value_of(right, entry)
                if entry in both and values[0] != values[1]:
                    yield Change(entry.path, *values, "scoring", (), entry)
        else:
            yield from _setting(left, right, "scoring", (field.name,))


def _alike(left: Ruleset, right: Ruleset, key: str) -> bool:
    """Whether a setting has the same entries on both sides."""
    one, other = ([e for e in list_entries(side) if e.key == key] for side in (left, right))
    return one == other


def _setting(
    left: Ruleset, right: Ruleset, section: str, keys: tuple[str, ...]
) -> Iterator[Change]:
    one, other = (plain(getattr(side, section)) for side in (left, right))
    differing = [key for key in keys if one.get(key) != other.get(key)]
    if differing:
        first = differing[0]
        sides = _text(one.get(first)), _text(other.get(first))
        yield Change(f"{section}.{first}", *sides, section, keys, None)


def _text(value: Any) -> str | None:
    """A setting as TOML writes it, on one line that is not too long; None: it is not there."""
    text = None if value is None else " ".join(to_toml_value(value).split())
    return text if text is None or len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def drivers_frame(evaluator: Evaluator, left: Ruleset, right: Ruleset) -> pd.DataFrame:
    """Each change by itself: a row a change, the largest effect on what is moved first.

    ``alone`` is what it does to the baseline when nothing else changes, ``last`` what it
    does when all else has changed already, ``effect`` the mean of both. Where no more than
    two changes are multiplied with one another the effects add up to the whole difference.

    Args:
        evaluator: of the games.
        left: the baseline.
        right: the candidate.
    """
    import pandas as pd

    left, right = with_equal_rows(left, right)
    changes = changes_of(left, right)
    alone = [change.taken(left, right) for change in changes]
    without = [change.taken(right, left) for change in changes]
    found = evaluator.evaluate([left, right, *alone, *without])[list(MEASURES)]
    values = found.to_dict("records")
    rows = [
        _row(change, values[0], values[1], values[2 + at], values[2 + len(changes) + at])
        for at, change in enumerate(changes)
    ]
    rows.sort(key=lambda row: -max(abs(row[f"{name}_effect"]) for name in MEASURES))
    return pd.DataFrame(rows, columns=list(DRIVER_COLUMNS), dtype=object)


def _row(
    change: Change,
    left: dict[str, int],
    right: dict[str, int],
    alone: dict[str, int],
    without: dict[str, int],
) -> dict[str, Any]:
    row: dict[str, Any] = {"path": change.path, "left": change.left, "right": change.right}
    for name in MEASURES:
        assert METRICS[name].is_sum
        first, last = alone[name] - left[name], right[name] - without[name]
        row |= {f"{name}_alone": first, f"{name}_last": last, f"{name}_effect": _mean(first, last)}
    return row


def _mean(first: int, last: int) -> float:
    """Of two whole amounts, whole where it is."""
    return (first + last) // 2 if (first + last) % 2 == 0 else (first + last) / 2


def no_drivers() -> pd.DataFrame:
    """The frame of no changes."""
    import pandas as pd

    return pd.DataFrame([], columns=list(DRIVER_COLUMNS), dtype=object)
