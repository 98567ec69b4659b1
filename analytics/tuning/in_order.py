"""Two tables side by side on games in order: balances follow the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from analytics.rules import Ruleset
from analytics.studies import Studied
from analytics.tuning.baseline import baseline_of
from analytics.tuning.economy import Dynamic, economy_metrics, resettle_in_order
from analytics.tuning.metrics import METRICS, MONEY
from analytics.tuning.ordered import order_games
from analytics.tuning.recorded import replaced
from analytics.tuning.searching import in_unit
from analytics.tuning.standing import over_time

if TYPE_CHECKING:
    import pandas as pd

METRIC_COLUMNS: Final = ("metric", "unit", "baseline", "candidate", "difference")


@dataclass(frozen=True, slots=True, eq=False)
class InOrder:
    """Two tables side by side, with balances carried forward.

    Attributes:
        metrics: a row a metric, ``METRIC_COLUMNS``: what moves through items, what the
            system gets, and the metrics of class (c).
        over_time: of ``standing.over_time``, with ``baseline`` and ``candidate``.
        left_out: games that could not be settled in their order.
    """

    metrics: pd.DataFrame
    over_time: pd.DataFrame
    left_out: int


def compare_in_order(
    warehouse: Studied, candidate: Ruleset, *, rules: str | None = None, **chosen: Any
) -> InOrder:
    """What would have become of balances under another table.

    Guarantees: of a table against itself every difference is zero.

    Args:
        warehouse: open.
        candidate: the other table.
        rules: the ruleset that it stands for; None: games have only one. Games of others
            whose amounts are in the same unit are settled as they were.
        chosen: ``where``, ``since``, ``until``, ``day_start`` and ``zone``.

    Raises:
        CannotTune: the candidate cannot stand for that ruleset.
        WarehouseError: games cannot be chosen so.
    """
    asked = warehouse.asked(**chosen)
    own = baseline_of(warehouse, asked, rules).ruleset
    ordered = order_games(warehouse, in_unit(asked, own.scoring.unit))
    one = resettle_in_order(ordered)
    other = resettle_in_order(ordered, replaced(ordered.rulesets, candidate, own.at))
    return InOrder(
        metrics=_side_by_side(one, other),
        over_time=over_time({"baseline": [one.days], "candidate": [other.days]}),
        left_out=ordered.left_out,
    )


def _side_by_side(one: Dynamic, other: Dynamic) -> pd.DataFrame:
    import pandas as pd

    left, right = (_metrics(side) for side in (one, other))
    rows = [
        (name, METRICS[name].unit if name in METRICS else MONEY, left[name], right[name],
         None if None in (left[name], right[name]) else right[name] - left[name])
        for name in left
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(METRIC_COLUMNS), dtype=object)


def _metrics(dynamic: Dynamic) -> dict[str, Any]:
    """Sums of items, and what is told of games in order only."""
    items = dynamic.items.set_index("item")
    moved = {f"moved.{item}": int(amount) for item, amount in items["moved"].items()}
    system = sum(int(amount) for amount in items["system"])
    fees = int(items["system"]["fee"])
    return {**moved, "fees": fees, "system": system, **economy_metrics(dynamic)}
