"""Sensitivity: what one unit more in one entry does to every metric.

A sum of amounts is a polynomial in the entries of a table in which no entry stands squared:
X·a·b + X·C (rules clause 8.3). So the difference that one unit makes *is* the derivative by
that entry, exactly, and what two units in two entries make beyond what each makes alone is
the mixed second derivative. Only what looks at signs of amounts (``moved``, ``turnover``,
``sinks``, ``faucets``) can have a kink inside the unit, where a result changes its sign;
such sums are convex, so that there is none where the next unit makes the same difference.
At a kink the derivative is the one upwards. Everything else is a difference of one unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from analytics.rules import Ruleset
from analytics.tuning.candidates import Evaluator
from analytics.tuning.metrics import METRICS, Class
from analytics.tuning.table_entries import Entry, entries_of, step_of, value_of, with_value

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Final = ("metric", "unit", "entry", "value", "effect", "relative", "how")
PAIR_COLUMNS: Final = ("metric", "unit", "entry", "other", "effect")

DERIVATIVE: Final = "derivative"
DIFFERENCE: Final = "difference"

_COUNTS: Final = ("games", "unsettled")  # no entry has a say in them
# Shares of a penalty are rounded down, game by game (clause 9): no polynomial.
_ROUNDED: Final = ("share",)


def sensitivity(
    evaluator: Evaluator, ruleset: Ruleset, *, metrics: Sequence[str] | None = None
) -> pd.DataFrame:
    """What one unit more in each entry does to each metric: a row a metric and entry.

    ``value`` is the entry as it is, ``effect`` is per unit of it, ``relative`` the effect
    of one per cent of the entry as a share of the metric, and ``how`` says whether the
    effect is the exact ``derivative`` or a ``difference`` of one unit.

    Guarantees: rows of a metric stand together, in the order of the metrics, the largest
    effect of one per cent first.

    Args:
        evaluator: of the games.
        ruleset: the table.
        metrics: of class (a); None: all but counts of games.
    """
    chosen = _chosen(metrics)
    entries = entries_of(ruleset)
    tables = [ruleset]
    tables += [_moved(ruleset, entry, steps) for steps in (1, 2) for entry in entries]
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


def _moved(ruleset: Ruleset, entry: Entry, steps: int) -> Ruleset:
    """The table with some steps more in an entry; what that makes of it is not checked."""
    added = steps * step_of(ruleset, entry)
    return with_value(ruleset, entry, value_of(ruleset, entry) + added)


def _row(name: str, ruleset: Ruleset, entry: Entry, values: Sequence[Any]) -> dict[str, Any]:
    """A row of the frame.

    Args:
        name: of the metric.
        ruleset: the table.
        entry: of it.
        values: the metric as it is, with one step more, and with two.
    """
    here, once, twice = values
    value, step = value_of(ruleset, entry), step_of(ruleset, entry)
    is_exact = METRICS[name].is_sum and twice - once == once - here and entry.key not in _ROUNDED
    effect = _per(step, once - here)
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

    pairs = list(combinations(entries_of(ruleset), 2))
    alone = {entry: _moved(ruleset, entry, 1) for entry in entries_of(ruleset)}
    both = [_moved(alone[entry], other, 1) for entry, other in pairs]
    found = evaluator.evaluate([ruleset, *alone.values(), *both])[list(metrics)].to_dict("records")
    here, single = found[0], dict(zip(alone, found[1:], strict=False))
    rows = [
        (name, METRICS[name].unit, entry.path, other.path, _per(steps, effect))
        for (entry, other), joint in zip(pairs, found[1 + len(alone) :], strict=True)
        for name in metrics
        if (effect := joint[name] - single[entry][name] - single[other][name] + here[name])
        for steps in [step_of(ruleset, entry) * step_of(ruleset, other)]
    ]
    order = {name: place for place, name in enumerate(metrics)}
    rows.sort(key=lambda row: (order[row[0]], -abs(row[4])))
    return pd.DataFrame(rows, columns=list(PAIR_COLUMNS), dtype=object)
