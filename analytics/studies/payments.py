"""Payments: what one player of a pair got from the other, and what skill makes of it."""

from __future__ import annotations

from typing import Final

from analytics.studies.asking import SCOPE
from analytics.studies.study import Step

PART: Final = 1_000_000  # sums are of whole millionths, so that the order of rows is nothing
PRIOR: Final = 20  # games of middling result that steady the skill of who has played few
_SIZES: Final = 8  # sizes of results are told apart by an eighth of the base


def payment_steps() -> list[Step]:
    """Payments of pairs: ``rated``, with the ``slope`` of skill."""
    return [*_scores(), *_skills()]


def seat_steps() -> list[Step]:
    """Who sat where; what went from one player to another in each game.

    Who plays for several units is somebody else for each: amounts of two units are not added.
    """
    return [
        Step(
            "who",
            f"""
            SELECT player, unit, row_number() OVER (ORDER BY player, unit) AS no
            FROM (SELECT DISTINCT player, unit FROM {SCOPE} JOIN seats USING (game_key))
            """,
        ),
        Step(
            "sat",
            f"""
            SELECT game_key, no, room, started, delta, base,
                winner % 2 = seats.seat % 2 AS has_won
            FROM {SCOPE}
            JOIN seats USING (game_key)
            JOIN who USING (player, unit)
            LEFT JOIN shuangkou_games USING (game_key)
            LEFT JOIN shuangkou_settled AS settled
                ON settled.game_key = seats.game_key AND settled.seat = seats.seat
            """,
        ),
        Step(
            "gains",
            "SELECT game_key, sum(greatest(delta, 0)) AS gained FROM sat GROUP BY ALL",
        ),
        Step(
            "flows",
            """
            SELECT game_key, one.no AS one, other.no AS other, one.room, one.base,
                CASE WHEN one.delta < 0 AND other.delta > 0
                    THEN (-one.delta::HUGEINT * other.delta // gained)::BIGINT
                    WHEN one.delta > 0 AND other.delta < 0
                    THEN (other.delta::HUGEINT * one.delta // gained)::BIGINT
                    ELSE 0 END AS flow
            FROM sat AS one
            JOIN sat AS other USING (game_key)
            JOIN gains USING (game_key)
            WHERE one.no < other.no
            """,
        ),
    ]


def _scores() -> list[Step]:
    """Results between two as scores: -1 to 1, by how large a result is in its room.

    Skill is what either gets of all others; how much of it shows in their games together is
    one slope for all pairs.
    """
    size = f"(abs(flow)::HUGEINT * {_SIZES} // base)::BIGINT"
    return [
        Step(
            "results",
            f"""
            SELECT room, {size} AS size, count(*) AS times
            FROM flows WHERE flow <> 0 AND base > 0 GROUP BY ALL
            """,
        ),
        Step(
            "ranks",
            f"""
            SELECT room, size, ({PART} * (2 * sum(times) OVER (PARTITION BY room ORDER BY size)
                - times) // (2 * sum(times) OVER (PARTITION BY room)))::BIGINT AS rank
            FROM results
            """,
        ),
        Step(
            "paid",
            f"""
            SELECT one, other, count(*) AS games, sum(sign(flow) * rank) / {PART} AS score,
                sum(flow) AS flow, sum(rank * rank) AS squares
            FROM flows JOIN ranks ON ranks.room IS NOT DISTINCT FROM flows.room
                AND ranks.size = {size}
            WHERE flow <> 0 AND base > 0
            GROUP BY ALL
            """,
        ),
    ]


def _skills() -> list[Step]:
    """What skill explains of that: results against others, with one slope for all pairs."""
    return [
        Step(
            "skills",
            f"""
            SELECT no, sum(round({PART} * score)::BIGINT) / {PART} AS score,
                sum(games) AS games
            FROM (SELECT other AS no, score, games FROM paid
                UNION ALL SELECT one, -score, games FROM paid)
            GROUP BY no
            """,
        ),
        Step(
            "rated",
            f"""
            SELECT paid.*,
                (b.score - paid.score) / (b.games - paid.games + {PRIOR})
                - (a.score + paid.score) / (a.games - paid.games + {PRIOR}) AS better
            FROM paid JOIN skills AS a ON a.no = one JOIN skills AS b ON b.no = other
            """,
        ),
        Step(
            "slope",
            f"""
            SELECT coalesce(sum(round({PART} * better * score)::BIGINT)
                    / nullif(sum(round({PART} * better * better * games)::BIGINT), 0), 0) AS slope,
                sum(squares) / sum(games) / {PART}::DOUBLE ** 2 AS variance
            FROM rated
            """,
        ),
    ]
