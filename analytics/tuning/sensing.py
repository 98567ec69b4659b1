"""Sensing: the sensitivity of a table on the games of a warehouse, from one door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analytics.rules import Ruleset
from analytics.studies import Studied
from analytics.tuning.candidates import Evaluator
from analytics.tuning.groups import group_games, thresholds_of
from analytics.tuning.metrics import METRICS
from analytics.tuning.sensitivity import interactions, sensitivity
from analytics.tuning.units import check_unit

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Sensed:
    """What one unit more in each entry does.

    Attributes:
        ruleset: the table.
        paid_by: the ruleset by which the games were paid.
        games, groups: on how many.
        sensitivity: a row a metric and entry; see ``sensitivity.COLUMNS``.
        interactions: a row a metric and pair; see ``sensitivity.PAIR_COLUMNS``.
    """

    ruleset: Ruleset
    paid_by: Ruleset
    games: int
    groups: int
    sensitivity: pd.DataFrame
    interactions: pd.DataFrame


def sense(
    warehouse: Studied,
    table: Ruleset | None = None,
    *,
    rules: str | None = None,
    metrics: Sequence[str] | None = None,
    **chosen: Any,
) -> Sensed:
    """The sensitivity of a table on games of a warehouse.

    Args:
        warehouse: open.
        table: the table; None: the one by which the games were settled.
        rules: the ruleset of the games; see ``groups.group_games``.
        metrics: of class (a); None: all.
        chosen: which games, as a study takes it.

    Raises:
        WarehouseError: games cannot be chosen so.
        CannotTune: groups cannot tell what the table pays.
    """
    tables = [] if table is None else [table]
    groups = group_games(
        warehouse,
        rules=rules,
        thresholds=thresholds_of(*tables),
        with_given=table is not None and table.scoring.base == "given",
        **chosen,
    )
    own = table or groups.ruleset
    check_unit(groups.ruleset, own)
    evaluator = Evaluator(groups, groups.ruleset)
    sums = [name for name in metrics or () if METRICS[name].is_sum]
    pairs = {} if metrics is None else {"metrics": sums}
    return Sensed(
        ruleset=own,
        paid_by=groups.ruleset,
        games=groups.games,
        groups=len(groups),
        sensitivity=sensitivity(evaluator, own, metrics=metrics),
        interactions=interactions(evaluator, own, **pairs),
    )
