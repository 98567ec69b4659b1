"""Two tables side by side on games in order: balances follow the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from analytics.rules import Ruleset
from analytics.shuangkou.settlement import NOTHING
from analytics.studies import Studied
from analytics.tuning.baseline import baseline_of
from analytics.tuning.economy import (
    Bools,
    Dynamic,
    economy_metrics,
    held_by,
    items_of,
    resettle_in_order,
    told_of,
    turnover_of,
)
from analytics.tuning.exact import exact_sum
from analytics.tuning.measuring import distribution
from analytics.tuning.metrics import METRICS, MONEY
from analytics.tuning.ordered import order_games
from analytics.tuning.recorded import replaced
from analytics.tuning.searching import in_unit
from analytics.tuning.standing import over_time
from analytics.tuning.wealth import lorenz_curves

if TYPE_CHECKING:
    import pandas as pd

Int64s = npt.NDArray[np.int64]

IN_ORDER_COLUMNS: Final = ("metric", "unit", "baseline", "candidate", "difference")


@dataclass(frozen=True, slots=True, eq=False)
class InOrder:
    """Two tables side by side, with balances carried forward.

    Told is of the games that the candidate stands for; but what players hold, and so
    ``broke``, ``held``, ``gini_balances`` and ``over_time``, comes from all games of the unit.

    Attributes:
        baseline, candidate: the rulesets.
        games: how many were settled that the candidate stands for.
        left_out: games of the unit that could not be settled in their order.
        metrics: a row a metric, ``IN_ORDER_COLUMNS``: what moves through items, what the
            system gets, and the metrics of class (c).
        paired: of a seat in a game that both settle, what it gets more: figure, unit, value,
            low, high; there are no intervals.
        lorenz: of what players hold in the end, ``wealth.LORENZ_COLUMNS``.
        over_time: of ``standing.over_time``, with ``baseline`` and ``candidate``.
    """

    baseline: Ruleset
    candidate: Ruleset
    games: int
    left_out: int
    metrics: pd.DataFrame
    paired: pd.DataFrame
    lorenz: pd.DataFrame
    over_time: pd.DataFrame


def compare_in_order(
    warehouse: Studied, candidate: Ruleset, *, rules: str | None = None, **chosen: Any
) -> InOrder:
    """What would have become of balances under another table.

    Guarantees: of a table against itself every difference is zero.

    Args:
        warehouse: open.
        candidate: the other table.
        rules: the ruleset that it stands for; None: games have only one. Games of others
            whose amounts are in the same unit are settled as they were, and not told of.
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
    is_told = told_of(ordered.rulesets, own)
    is_own = is_told[ordered.rules_ix]
    return InOrder(
        baseline=own,
        candidate=candidate,
        games=int(is_own.sum()),
        left_out=ordered.left_out,
        metrics=_side_by_side(*(_metrics(side, is_told) for side in (one, other))),
        paired=_paired(one, other, np.repeat(is_own, np.diff(ordered.seats_at))),
        lorenz=lorenz_curves({"balances": (held_by(one), held_by(other))}),
        over_time=over_time({"baseline": [one.days], "candidate": [other.days]}),
    )


def _side_by_side(left: dict[str, Any], right: dict[str, Any]) -> pd.DataFrame:
    import pandas as pd

    rows = [
        (name, METRICS[name].unit if name in METRICS else MONEY, left[name], right[name],
         None if None in (left[name], right[name]) else right[name] - left[name])
        for name in left
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(IN_ORDER_COLUMNS), dtype=object)


def _metrics(dynamic: Dynamic, is_told: Bools) -> dict[str, Any]:
    """Sums of items, and what is told of games in order only."""
    items = items_of(dynamic, is_told).set_index("item")
    moved = {f"moved.{item}": int(amount) for item, amount in items["moved"].items()}
    system = sum(int(amount) for amount in items["system"])
    fees, turnover = int(items["system"]["fee"]), turnover_of(dynamic, is_told)
    return {
        **moved,
        "turnover": turnover,
        "fees": fees,
        "fee_share": fees / turnover if turnover else None,
        "system": system,
        **economy_metrics(dynamic, is_told),
    }


def _paired(one: Dynamic, other: Dynamic, is_own: Bools) -> pd.DataFrame:
    """What a seat gets more in a game, of those own seats whose games both settle."""
    import pandas as pd

    is_settled = is_own & (one.delta != NOTHING) & (other.delta != NOTHING)
    left, right = one.delta[is_settled], other.delta[is_settled]
    found = _differences(left, right) if len(left) else {}
    units = {"seat_games": "seats", "gaining": "", "losing": "", "flips": ""}
    rows = [(name, units.get(name, MONEY), value) for name, value in found.items()]
    frame = pd.DataFrame(rows, columns=["figure", "unit", "value"], dtype=object)
    return frame.assign(low=np.nan, high=np.nan)


def _differences(left: Int64s, right: Int64s) -> dict[str, Any]:
    """What seats get more, by name; there is one at least."""
    more = right - left
    return {
        "seat_games": len(more),
        "total": exact_sum(more),
        **distribution(more, np.ones(len(more), np.int64)),
        "gaining": float((more > 0).mean()),
        "losing": float((more < 0).mean()),
        "flips": float((np.sign(left) * np.sign(right) < 0).mean()),
    }
