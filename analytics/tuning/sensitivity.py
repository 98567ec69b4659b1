"""Sensitivity: what one unit more in one entry does to every metric.

A sum of amounts is a polynomial in the entries of a table in which no entry stands squared:
X·a·b + X·C (rules clause 8.3). So the difference that one unit makes *is* the derivative by
that entry, exactly, and what two units in two entries make beyond what each makes alone is
the mixed second derivative. There are kinks in what looks at signs of amounts (``moved``,
``turnover``, ``sinks``, ``faucets``), where an item, a result or what the system gets
changes its sign; and in an escape, where a doubling comes down to 1 and its part no longer
counts (clause 9). Signs give convex sums, so that there is none where the next unit makes the
same difference; a part that begins to count makes another one than the next unit. At a kink
the derivative is the one upwards. Everything else is a difference of one unit.

The share of a penalty is rounded down game by game (clause 9), so that what an escape pays
is no polynomial, and equal differences prove nothing. No table leaves its limits (clause
12): an entry at its upper one goes downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from analytics.rules import Ruleset, Scoring
from analytics.tuning.candidates import Evaluator
from analytics.tuning.metrics import METRICS, Class
from analytics.tuning.table_entries import (
    LIMITS,
    Entry,
    list_entries,
    step_of,
    value_of,
    with_value,
)

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Final = ("metric", "unit", "entry", "value", "effect", "relative", "how")
PAIR_COLUMNS: Final = ("metric", "unit", "entry", "other", "effect")

FIRST: Final = 10  # entries of a metric that are shown where not all are

DERIVATIVE: Final = "derivative"
DIFFERENCE: Final = "difference"

_COUNTS: Final = ("games", "unsettled")  # no entry has a say in them
# Metrics in which what each of two gets of a penalty counts.
_SHARED: Final = ("system", "sinks", "faucets", "net_issue", "moved", "moved.escape", "turnover")
_DAN: Final = 1  # the place of dan among kou
# Settings that a shared penalty is made of, by ``escape_parts`` (clause 9).
_PENALTY: Final[Mapping[str, tuple[str, ...]]] = {
    "points": ("base", "escape_times", "kou", "doubling", "contribution"),
    "wealth": ("base", "escape_times", "doubling", "contribution"),
}


def sensitivity(
    evaluator: Evaluator, ruleset: Ruleset, *, metrics: Sequence[str] | None = None
) -> pd.DataFrame:
    """What one unit more in each entry does to each metric: a row a metric and entry.

    ``value`` is the entry as it is, ``effect`` is per unit of it, ``relative`` the effect
    of one per cent of the entry as a share of the metric, and ``how`` says whether the
    effect is the exact ``derivative`` or a ``difference`` of one unit (of an entry at its
    upper limit, the last one).

    Guarantees: rows of a metric stand together, in the order of the metrics, the largest
    effect of one per cent first.

    Args:
        evaluator: of the games.
        ruleset: the table.
        metrics: of class (a); None: all but counts of games.
    """
    chosen = _chosen(metrics)
    entries = list_entries(ruleset)
    steps = [_steps(ruleset, entry) for entry in entries]
    tables = [ruleset]
    tables += [
        _moved(ruleset, entry, own[nth])
        for nth in (0, 1)
        for entry, own in zip(entries, steps, strict=True)
    ]
    found = evaluator.evaluate(tables)[list(chosen)].to_dict("records")
    here, once, twice = found[0], found[1 : len(entries) + 1], found[len(entries) + 1 :]
    rows = [
        _row(name, ruleset, entry, [each[name] for each in (here, first, second)])
        for name in chosen
        for entry, first, second in zip(entries, once, twice, strict=True)
    ]
    return _sorted(rows)


def _chosen(metrics: Sequence[str] | None) -> tuple[str, ...]:
    if metrics is not None:
        return tuple(metrics)
    return tuple(
        name for name, own in METRICS.items() if own.kind is Class.A and name not in _COUNTS
    )


def _steps(ruleset: Ruleset, entry: Entry) -> tuple[int, int]:
    """Two ways that an entry can go, in steps: upwards as far as its limit allows."""
    room = (LIMITS[entry.key][1] - value_of(ruleset, entry)) // step_of(ruleset, entry)
    if room >= 2:
        return 1, 2
    return (1, -1) if room == 1 else (-1, -2)


def _moved(ruleset: Ruleset, entry: Entry, steps: int) -> Ruleset:
    """The table with some steps more in an entry; how rows stand to each other is not checked."""
    added = steps * step_of(ruleset, entry)
    return with_value(ruleset, entry, value_of(ruleset, entry) + added)


def _is_rounded(name: str, scoring: Scoring, entry: Entry) -> bool:
    """Whether an entry works on a metric through shares that are rounded down."""
    own = _PENALTY.get(scoring.escape_parts or "", ())
    if name not in _SHARED or not own:
        return False
    if entry.key == "share":
        return True
    is_shared = 0 < (scoring.share or 0) < 100
    return is_shared and entry.key in own and (entry.key != "kou" or entry.place == _DAN)


def _row(name: str, ruleset: Ruleset, entry: Entry, values: Sequence[Any]) -> dict[str, Any]:
    """A row of the frame.

    Args:
        name: of the metric.
        ruleset: the table.
        entry: of it.
        values: the metric as it is, and after each of ``_steps``.
    """
    here, once, twice = values
    value, (first, second) = value_of(ruleset, entry), _steps(ruleset, entry)
    is_straight = METRICS[name].is_sum and (twice - here) * first == (once - here) * second
    is_exact = is_straight and not _is_rounded(name, ruleset.scoring, entry)
    effect = _per(first * step_of(ruleset, entry), once - here)
    return {
        "metric": name,
        "unit": METRICS[name].unit,
        "entry": entry.path,
        "value": value,
        "effect": effect,
        "relative": float(effect * value / 100 / here) if here else None,
        "how": DERIVATIVE if is_exact else DIFFERENCE,
    }


def _per(steps: int, difference: Any) -> Any:
    """A difference by one unit; whole where it is."""
    is_whole = isinstance(difference, int) and difference % steps == 0
    return difference // steps if is_whole else difference / steps


def _sorted(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """By metric, and then by what one per cent of the entry does."""
    import pandas as pd

    order = {name: place for place, name in enumerate(METRICS)}
    rows.sort(key=lambda row: (order[row["metric"]], *_weight(row)))
    frame = pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)
    return frame.astype({"relative": float})


def foremost(frame: pd.DataFrame, top: int) -> pd.DataFrame:
    """The first so many rows of each metric: those with the largest effects.

    Args:
        frame: of ``sensitivity`` or ``interactions``.
        top: how many; 0: all.
    """
    return frame.groupby("metric", sort=False).head(top) if top else frame


def with_effect(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows whose effect is not zero."""
    return frame[frame["effect"] != 0]


def _weight(row: dict[str, Any]) -> tuple[Any, Any]:
    """Of entries that are 0, one per cent does nothing: then one unit decides."""
    return -abs(row["effect"] * row["value"]), -abs(row["effect"])


def interactions(
    evaluator: Evaluator, ruleset: Ruleset, *, metrics: Sequence[str] = ("moved", "system")
) -> pd.DataFrame:
    """What a unit more in two entries does beyond what each does alone: a row a pair.

    Only pairs that have such an effect are there, the largest first: those whose entries
    are multiplied with one another, such as a base and a multiplier.

    Args:
        evaluator: of the games.
        ruleset: the table.
        metrics: sums of class (a).
    """
    import pandas as pd

    pairs = list(combinations(list_entries(ruleset), 2))
    steps = {entry: _steps(ruleset, entry)[0] for entry in list_entries(ruleset)}
    alone = {entry: _moved(ruleset, entry, own) for entry, own in steps.items()}
    units = {entry: own * step_of(ruleset, entry) for entry, own in steps.items()}
    both = [_moved(alone[entry], other, steps[other]) for entry, other in pairs]
    found = evaluator.evaluate([ruleset, *alone.values(), *both])[list(metrics)].to_dict("records")
    here, single = found[0], dict(zip(alone, found[1:], strict=False))
    rows = [
        (name, METRICS[name].unit, entry.path, other.path, _per(area, effect))
        for (entry, other), joint in zip(pairs, found[1 + len(alone) :], strict=True)
        for name in metrics
        if (effect := joint[name] - single[entry][name] - single[other][name] + here[name])
        for area in [units[entry] * units[other]]
    ]
    order = {name: place for place, name in enumerate(metrics)}
    rows.sort(key=lambda row: (order[row[0]], -abs(row[4])))
    return pd.DataFrame(rows, columns=list(PAIR_COLUMNS), dtype=object)
