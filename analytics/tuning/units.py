"""Units: amounts in different ones are not compared."""

from __future__ import annotations

from analytics.rules import Ruleset
from analytics.tuning.errors import CannotTune


def check_unit(baseline: Ruleset, candidate: Ruleset) -> None:
    """Refuses to compare what is counted in different units.

    Raises:
        CannotTune: it is.
    """
    one, other = baseline.scoring.unit, candidate.scoring.unit
    if one != other:
        raise CannotTune(
            f"{baseline.at} is counted in {one!r} and {candidate.at} in {other!r}: their amounts "
            "cannot be compared."
        )
