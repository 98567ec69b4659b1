"""What verification found: by code, and how many games are right."""

from __future__ import annotations

from typing import Final

from analytics.studies.asking import SCOPE, Asked, listed, same
from analytics.studies.intervals import share, wilson
from analytics.studies.study import Step, Study
from analytics.warehouse.small import MISMATCHED
from analytics.warehouse.tables import Column

_NO_GAME: Final = "no game"
_UNREAD: Final = "lines and files that belong to no game"
_KEYS: Final = ("code", "severity")


def code_steps(asked: Asked) -> list[Step]:
    """Findings by code: groups of games crossed with the codes that there are."""
    by = [name for name in asked.groups if name not in _KEYS]
    low, high = wilson("games_with", "games")
    return [
        Step(*asked.scope()),
        Step(
            "whole",
            f"SELECT {listed(by)} count(*) AS games FROM {SCOPE} GROUP BY ALL",
        ),
        Step(
            "found",
            f"""
            SELECT {listed(by)} code, severity, count(*) AS findings,
                count(DISTINCT game_key) AS games_with
            FROM {SCOPE} JOIN (SELECT game_key, code, severity FROM findings) USING (game_key)
            GROUP BY ALL
            """,
        ),
        Step("codes", "SELECT DISTINCT code, severity FROM found"),
        Step(
            "crossed",
            f"""
            SELECT {listed(by, "whole")} codes.code, codes.severity, games,
                coalesce(findings, 0) AS findings, coalesce(games_with, 0) AS games_with
            FROM whole CROSS JOIN codes LEFT JOIN found
            ON codes.code = found.code AND codes.severity = found.severity
            AND {same(by, "whole", "found")}
            UNION ALL
            SELECT {"".join("NULL, " for _ in by)} code, severity, NULL, count(*), NULL
            FROM findings WHERE game_key IS NULL AND {"false" if asked.is_narrowed else "true"}
            GROUP BY ALL
            """,
        ),
        Step(
            "rates",
            f"""
            SELECT {listed(by)} code, severity, findings, games_with, games,
                {share("games_with", "games")} AS share, {low} AS share_low, {high} AS share_high
            FROM crossed
            """,
        ),
    ]


CODES: Final = Study(
    name="findings",
    question="What is wrong, how often, and where?",
    rows="a code of findings in a group of games; lines and files that belong to no game"
    " stand apart, and are left out where --where, --since or --until choose games.",
    always=(
        Column("code", "VARCHAR", "What kind of thing, as in docs/findings.md"),
        Column("severity", "VARCHAR", "`error`, `warning` or `info`"),
    ),
    columns=(
        Column("findings", "BIGINT", "Findings", unit="findings"),
        Column("games_with", "BIGINT", "Games that have one", _UNREAD, "games"),
        Column("games", "BIGINT", "Games of the group", _UNREAD, "games"),
        Column("share", "DOUBLE", "Share of games that have one", f"{_NO_GAME}, or {_UNREAD}"),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", f"{_NO_GAME}, or {_UNREAD}"),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", f"{_NO_GAME}, or {_UNREAD}"),
    ),
    steps=code_steps,
)


def game_steps(asked: Asked) -> list[Step]:
    """How many games have an error, and how many could not be replayed or settled."""
    low, high = wilson("mismatched", "games")
    return [
        Step(*asked.scope("errors", "broken_by", "settled")),
        Step(
            "totals",
            f"""
            SELECT {listed(asked.groups)} count(*) AS games,
                count(*) FILTER (errors > 0) AS mismatched, count(broken_by) AS broken,
                count(*) FILTER (NOT settled) AS unsettled
            FROM {SCOPE} GROUP BY ALL
            """,
        ),
        Step(
            "rates",
            f"""
            SELECT *, {share("mismatched", "games")} AS share, {low} AS share_low,
                {high} AS share_high
            FROM totals
            """,
        ),
    ]


GAMES: Final = Study(
    name="findings.games",
    question="How many games are not as the rules have them?",
    rows="a group of games.",
    by=("day",),
    columns=(
        Column("games", "BIGINT", "Games of the group", unit="games"),
        Column("mismatched", "BIGINT", MISMATCHED, unit="games"),
        Column("share", "DOUBLE", "The one of the other", _NO_GAME),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", _NO_GAME),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", _NO_GAME),
        Column("broken", "BIGINT", "Games whose replay broke", unit="games"),
        Column("unsettled", "BIGINT", "Games without amounts", unit="games"),
    ),
    steps=game_steps,
)

STUDIES: Final = (CODES, GAMES)
