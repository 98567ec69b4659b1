"""How games end: kou, cards left, places, length. Source: rules clauses 5 and 6."""

from __future__ import annotations

from typing import Final

from analytics.studies.asking import SCOPE, Asked, listed
from analytics.studies.intervals import normal, share, wilson
from analytics.studies.study import Step, Study
from analytics.warehouse.tables import Column

_NO_GAME: Final = "no game"


def length_steps(asked: Asked) -> list[Step]:
    """Plies and minutes of games that ended."""
    plies_low, plies_high = normal("plies_sum", "plies_squares", "games")
    low, high = normal("ms_sum", "ms_squares", "timed")
    minute = 60_000
    return [
        Step(*asked.scope("ending", "plies", "last_action")),
        Step(
            "totals",
            f"""
            SELECT {listed(asked.groups)}
                count(*) AS games, sum(plies) AS plies_sum,
                sum(plies::HUGEINT * plies) AS plies_squares,
                quantile_disc(plies, [0.05, 0.5, 0.95]) AS plies_points,
                count(last_action) AS timed, sum(last_action) AS ms_sum,
                sum(last_action::HUGEINT * last_action) AS ms_squares,
                quantile_disc(last_action, [0.5, 0.95]) AS ms_points
            FROM {SCOPE} WHERE ending IS NOT NULL GROUP BY ALL
            """,
        ),
        Step(
            "length",
            f"""
            SELECT {listed(asked.groups)} games,
                {share("plies_sum", "games")} AS plies, {plies_low} AS plies_low,
                {plies_high} AS plies_high, plies_points[1] AS plies_p5,
                plies_points[2] AS plies_p50, plies_points[3] AS plies_p95,
                timed, {share("ms_sum", "timed")} / {minute} AS minutes,
                ({low}) / {minute} AS minutes_low, ({high}) / {minute} AS minutes_high,
                ms_points[1] / {minute} AS minutes_p50, ms_points[2] / {minute} AS minutes_p95
            FROM totals
            """,
        ),
    ]


LENGTH: Final = Study(
    name="kou.length",
    question="How long are games?",
    rows="a group of games that ended.",
    columns=(
        Column("games", "BIGINT", "Games that ended", unit="games"),
        Column("plies", "DOUBLE", "Plays and passes, mean", _NO_GAME, "plies"),
        Column("plies_low", "DOUBLE", "Normal interval, lower end", "fewer than two", "plies"),
        Column("plies_high", "DOUBLE", "Normal interval, upper end", "fewer than two", "plies"),
        Column("plies_p5", "INTEGER", "5 % of games have at most so many", _NO_GAME, "plies"),
        Column("plies_p50", "INTEGER", "Median", _NO_GAME, "plies"),
        Column("plies_p95", "INTEGER", "95 % of games have at most so many", _NO_GAME, "plies"),
        Column("timed", "BIGINT", "Games with times of actions", unit="games"),
        Column("minutes", "DOUBLE", "Time of the last action, mean", "no times", "minutes"),
        Column("minutes_low", "DOUBLE", "Normal interval, lower end", "fewer than two", "minutes"),
        Column("minutes_high", "DOUBLE", "Normal interval, upper end", "fewer than two", "minutes"),
        Column("minutes_p50", "DOUBLE", "Median", "no times", "minutes"),
        Column("minutes_p95", "DOUBLE", "95 % of games take at most so long", "no times",
               "minutes"),
    ),
    steps=length_steps,
)  # fmt: skip


def kou_steps(asked: Asked) -> list[Step]:
    """Shares of ping, dan and shuang."""
    by = [name for name in asked.groups if name != "kou"]
    low, high = wilson("games", "opportunities")
    return [
        Step(*asked.scope("ending")),
        Step(
            "outcomes",
            f"""
            SELECT {SCOPE}.*, kou
            FROM {SCOPE} JOIN shuangkou_settled USING (game_key)
            WHERE seat = 0
            """,
        ),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} count(kou) AS opportunities,
                count(*) FILTER (kou = 'ping') AS ping, count(*) FILTER (kou = 'dan') AS dan,
                count(*) FILTER (kou = 'shuang') AS shuang
            FROM outcomes GROUP BY ALL
            """,
        ),
        Step(
            "counts",
            f"""
            SELECT {listed(by)} opportunities, unnest(['ping', 'dan', 'shuang']) AS kou,
                unnest([ping, dan, shuang]) AS games
            FROM totals
            """,
        ),
        Step(
            "shares",
            f"""
            SELECT {listed(by)} kou, games, opportunities,
                {share("games", "opportunities")} AS share, {low} AS share_low,
                {high} AS share_high
            FROM counts
            """,
        ),
    ]


_UNENDED: Final = "no game was played to the end"
KOU: Final = Study(
    name="kou",
    question="How badly are losers caught?",
    rows="a kou in a group of games that were played to the end.",
    always=(Column("kou", "VARCHAR", "`ping`, `dan` or `shuang`"),),
    columns=(
        Column("games", "BIGINT", "Games that ended with this kou", unit="games"),
        Column("opportunities", "BIGINT", "Games that were played to the end", unit="games"),
        Column("share", "DOUBLE", "The one of the other", _UNENDED),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", _UNENDED),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", _UNENDED),
    ),
    steps=kou_steps,
    order=("list_position(['ping', 'dan', 'shuang'], kou)",),
)

STUDIES: Final = (KOU, LENGTH)
