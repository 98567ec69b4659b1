"""Candidates: many tables evaluated on the same groups."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analytics.rules import Ruleset
from analytics.tuning.groups import Groups
from analytics.tuning.measuring import Accounts, accounts_of, measure
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.settling import settle_groups


class Evaluator:
    """Evaluates tables on groups, beside a baseline."""

    def __init__(self, groups: Groups, baseline: Ruleset) -> None:
        """Settles the baseline.

        Raises:
            CannotTune: groups cannot tell what it pays.
        """
        self._groups = groups
        self._baseline = self._settled(baseline)

    def evaluate(self, candidates: Sequence[Ruleset]) -> pd.DataFrame:
        """What each table comes to: a row a candidate, a column a metric of class (a).

        Sums are Python ints; means, shares and ``times_*`` are floats.

        Raises:
            CannotTune: groups cannot tell what one of them pays.
        """
        rows = [measure(self._groups, self._settled(c), self._baseline) for c in candidates]
        return pd.DataFrame(rows, columns=list(names_of(Class.A)), dtype=object)

    def _settled(self, ruleset: Ruleset) -> Accounts:
        return accounts_of(self._groups, settle_groups(self._groups, ruleset))
