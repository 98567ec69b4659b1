"""The rulesets that games of a warehouse were settled by, as they were then."""

from __future__ import annotations

from collections.abc import Sequence

from analytics.rules import Ruleset, load_text
from analytics.tuning.errors import CannotTune, NeedsReplay
from analytics.warehouse.reading import Warehouse

_QUERY = """
SELECT settlement_key, ruleset, rulesets.toml
FROM settlements JOIN rulesets USING (ruleset, ruleset_hash)
WHERE settlement_key IN (SELECT DISTINCT settlement_key FROM verdicts)
"""


def recorded_rulesets(warehouse: Warehouse) -> dict[int, Ruleset]:
    """The ruleset of each settlement that stands in a warehouse, by ``settlement_key``.

    Raises:
        RulesetError: one of them is no ruleset by this version of paipu.
    """
    rows = warehouse.connection.execute(_QUERY).fetchall()
    return {key: load_text(toml, at) for key, at, toml in rows}


def replaced(
    rulesets: Sequence[Ruleset], candidate: Ruleset, of: str | None = None
) -> tuple[Ruleset, ...]:
    """Rulesets, one of which gives way to a candidate.

    Args:
        rulesets: by which games were settled.
        candidate: by which they would be.
        of: name, or name@version, of what gives way; None: the only one of these rulesets.

    Raises:
        CannotTune: it is not there, or it is not clear which one is meant.
        NeedsReplay: the candidate has another ``[play]``.
    """
    found = [each for each in rulesets if of in (None, each.name, each.at)]
    if not found or (of is None and len({each.name for each in found}) > 1):
        there = ", ".join(dict.fromkeys(each.at for each in rulesets)) or "none"
        raise CannotTune(f"say which ruleset the candidate stands for; there are: {there}.")
    for each in found:
        if each.play != candidate.play:
            raise NeedsReplay(
                f"{candidate.at} has another [play] than {each.at}: only a replay can tell."
            )
    return tuple(candidate if each in found else each for each in rulesets)
