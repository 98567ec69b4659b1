"""The baseline: the ruleset by which the games of a warehouse were settled."""

from __future__ import annotations

from typing import NamedTuple

from analytics.rules import Ruleset, load_text
from analytics.studies import Asked, Studied
from analytics.tuning.errors import CannotTune

_RULESETS = """
WITH {name} AS ({scope})
SELECT asked.ruleset, settlements.ruleset_hash, count(*) AS games,
    count(*) FILTER (ending IS NULL) AS broken, count(DISTINCT day) AS days
FROM {name} AS asked JOIN settlements USING (settlement_key)
WHERE family = 'shuangkou' GROUP BY ALL ORDER BY games DESC, asked.ruleset, ruleset_hash
"""


class Baseline(NamedTuple):
    """What games were settled by.

    Attributes:
        ruleset: as the warehouse keeps it.
        broken: how many of the games did not end.
        days: on how many days they began.
    """

    ruleset: Ruleset
    broken: int
    days: int


def baseline_of(warehouse: Studied, asked: Asked, rules: str | None) -> Baseline:
    """The ruleset of the games that are asked for.

    Args:
        warehouse: open.
        asked: which games.
        rules: its name, or name@version; None: there is only one.

    Raises:
        CannotTune: there is none, or there are several.
    """
    name, scope = asked.scope("ruleset", "settlement_key", "ending", "family", "day")
    query = _RULESETS.format(name=name, scope=scope)
    found = warehouse.connection.execute(query).fetchall()
    kept = [row for row in found if rules is None or rules in (row[0], row[0].partition("@")[0])]
    if not kept:
        raise CannotTune(_none(rules, [row[0] for row in found]))
    if len(kept) > 1:
        listed = ", ".join(f"{at} (games {games:,})" for at, _, games, *_ in kept)
        raise CannotTune(
            f"the games were settled by several rulesets: {listed}. Choose one by --rules "
            "name@version, or games by --where."
        )
    at, digest, _, broken, days = kept[0]
    return Baseline(_kept_ruleset(warehouse, at, digest), broken, days)


def _none(rules: str | None, there: list[str]) -> str:
    if not there:
        return "there are no games to tune: none is in the warehouse, or none was chosen."
    listed = ", ".join(dict.fromkeys(there))
    return f"no game was settled by {rules!r}; there are games of {listed}."


def _kept_ruleset(warehouse: Studied, at: str, digest: str) -> Ruleset:
    query = "SELECT toml FROM rulesets WHERE ruleset = ? AND ruleset_hash = ?"
    toml = warehouse.connection.execute(query, [at, digest]).fetchall()[0][0]
    return load_text(toml, at)
