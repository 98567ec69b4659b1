"""Candidates: many tables evaluated on the same games, thousands a second.

What tables of one shape share is worked out once (``collapsing``); a table more costs what
its entries cost. Every figure is what ``measuring.measure`` says of groups that are settled
one by one, sums to the coin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from analytics.rules import Ruleset, row_of
from analytics.tuning.amounts import stack_entries
from analytics.tuning.collapsing import UNSETTLED, Collapsed, collapse
from analytics.tuning.figures import figures_of
from analytics.tuning.groups import Groups
from analytics.tuning.measuring import accounts_of
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.settling import check, check_rules, settle_groups
from analytics.tuning.shapes import Look, look_of, shape_of

Int64s = npt.NDArray[np.int64]

_MOST_AT_ONCE: Final = 64
_ROOM: Final = 160_000  # numbers of a column that stay in the processor's cache


class Evaluator:
    """Evaluates tables on groups, beside a baseline."""

    def __init__(self, groups: Groups, baseline: Ruleset) -> None:
        """Settles the baseline.

        Raises:
            CannotTune: groups cannot tell what it pays.
        """
        self._groups = groups
        self._signs = _signs(groups, baseline)
        self._collapsed: dict[Look, Collapsed] = {}

    def evaluate(self, candidates: Sequence[Ruleset]) -> pd.DataFrame:
        """What each table comes to: a row a candidate, a column a metric of class (a).

        Guarantees: a row does not depend on what else is evaluated. Sums are Python ints;
        means, deviations and shares are floats, nan where there is nothing to tell.

        Raises:
            CannotTune: groups cannot tell what one of them pays.
        """
        found: dict[str, list[Any]] = {name: [None] * len(candidates) for name in names_of(Class.A)}
        for places in _by_look(candidates).values():
            collapsed = self.collapsed_for([candidates[place] for place in places])
            for batch in _batches(places, collapsed.width):
                entries = stack_entries([candidates[place] for place in batch], collapsed)
                for name, values in figures_of(entries, collapsed).items():
                    for place, value in zip(batch, values.tolist(), strict=True):
                        found[name][place] = value
        return pd.DataFrame(found, dtype=object)

    def collapsed_for(self, candidates: Sequence[Ruleset]) -> Collapsed:
        """What is left of the groups under tables of one look; it is kept for the next ones.

        Raises:
            CannotTune: groups cannot tell what one of them pays.
        """
        look = look_of(candidates[0])
        check(self._groups, candidates[0])
        for candidate in candidates[1:]:
            check_rules(self._groups, candidate)  # their bases are of one look
        known = self._collapsed.get(look)
        shape = shape_of(look, candidates, known.shape if known else None)
        if known is None or known.shape != shape:
            known = collapse(self._groups, shape, row_of(candidates[0]), self._signs)
            self._collapsed[look] = known
        return known


def _signs(groups: Groups, baseline: Ruleset) -> Int64s:
    """int64 ``(g, seats)``: signs of what the baseline pays, or ``UNSETTLED``."""
    own = accounts_of(groups, settle_groups(groups, baseline))
    return np.where(own.is_settled[:, None], np.sign(own.result), UNSETTLED)


def _by_look(candidates: Sequence[Ruleset]) -> dict[Look, list[int]]:
    places: dict[Look, list[int]] = {}
    for place, candidate in enumerate(candidates):
        places.setdefault(look_of(candidate), []).append(place)
    return places


def _batches(places: Sequence[int], width: int) -> Iterator[Sequence[int]]:
    """Tables at once: the more kinds of seats there are, the fewer."""
    step = min(_MOST_AT_ONCE, _ROOM // max(width, 1) + 1)
    for start in range(0, len(places), step):
        yield places[start : start + step]
