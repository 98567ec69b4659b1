"""Meetings: how often two sit down together, and would if seats changed places at random.

What is kept is room, hour and tier of skill. Steps read those of ``payments.seat_steps``.
"""

from __future__ import annotations

from typing import Final

from analytics.studies.payments import PART, PRIOR
from analytics.studies.study import Step

CIRCLE: Final = 5  # partners whom somebody meets most, beside the one in question
LEAST_MEETINGS: Final = 3
PAUSE: Final = 30  # minutes without a game that end a meeting
SMALL_POOL: Final = 20  # players; smaller pools count as part of the largest
TIERS: Final = 3  # of skill


def meeting_steps() -> list[Step]:
    """Meetings of pairs: ``expected``, and ``habits`` of both."""
    return [*_meetings(), *_pools(), *_tables(), *_expected(), *_circles()]


def _meetings() -> list[Step]:
    """Games that the same players play in a row are one meeting, in the hour of the first."""
    return [
        Step(
            "parties",
            """
            SELECT game_key, bit_xor(hash(no)) AS party, any_value(room) AS room,
                any_value(started) AS started
            FROM sat WHERE started IS NOT NULL GROUP BY game_key
            """,
        ),
        Step(
            "meetings",
            f"""
            SELECT game_key, room, date_trunc('hour', started) AS hour
            FROM parties
            QUALIFY coalesce(started - lag(started) OVER (
                PARTITION BY party, room ORDER BY started, game_key
            ) > INTERVAL {PAUSE} MINUTE, true)
            """,
        ),
        Step(
            "ordered",
            f"""
            SELECT no, (row_number() OVER (ORDER BY
                (count(*) FILTER (has_won) + {PRIOR} / 2) / (count(has_won) + {PRIOR}), no
            ) - 1) / count(*) OVER () AS place
            FROM sat GROUP BY no
            """,
        ),
        Step(
            "tiers",
            f"""
            SELECT no, cut, floor(place * {TIERS} + cut / 2)::TINYINT AS tier
            FROM ordered, (VALUES (0), (1)) AS cuts(cut)
            """,
        ),
        Step(
            "met",
            """
            SELECT meetings.room, hour, one, other
            FROM meetings JOIN flows USING (game_key)
            """,
        ),
    ]


def _pools() -> list[Step]:
    """Players who never meet, not even through others, cannot be compared with each other."""
    return [
        Step("links", "SELECT one, other FROM met UNION SELECT other, one FROM met"),
        Step(
            "spread(no, pool) USING KEY (no)",
            """
            SELECT one, one FROM links GROUP BY one
            UNION
            SELECT links.other, min(spread.pool)
            FROM spread JOIN links ON links.one = spread.no
            JOIN recurring.spread AS known ON known.no = links.other
            WHERE spread.pool < known.pool
            GROUP BY links.other
            """,
        ),
        Step(
            "sizes",
            "SELECT pool, count(*) AS players FROM spread GROUP BY pool",
        ),
        Step(
            "pools",
            f"""
            SELECT no, if(players < {SMALL_POOL}, (SELECT arg_max(pool, players) FROM sizes), pool)
                AS pool
            FROM spread JOIN sizes USING (pool)
            """,
        ),
    ]


def _tables() -> list[Step]:
    """How many meetings those of two tiers have, and how many places, in each hour of a room.

    Tiers are cut twice, in different places, and the larger expectation counts: two of like
    skill on both sides of a cut would else seem to meet too often.
    """
    return [
        Step(
            "met_in",
            """
            SELECT met.*, p.pool, t.cut, t.tier, u.tier AS tier_of_other
            FROM met
            JOIN pools AS p ON p.no = one
            JOIN tiers AS t ON t.no = one
            JOIN tiers AS u ON u.no = other AND u.cut = t.cut
            """,
        ),
        Step(
            "places",
            """
            SELECT no, room, hour, pool, cut, tier, count(*) AS own
            FROM meetings
            JOIN sat USING (game_key, room)
            JOIN tiers USING (no)
            JOIN pools USING (no)
            GROUP BY ALL
            """,
        ),
        Step(
            "rooms",
            """
            SELECT room, hour, pool, cut, tier, sum(own) AS places FROM places GROUP BY ALL
            """,
        ),
        Step(
            "tables",
            """
            SELECT room, hour, pool, cut, least(tier, tier_of_other) AS low,
                greatest(tier, tier_of_other) AS high, count(*) AS meetings
            FROM met_in GROUP BY ALL
            """,
        ),
        Step(
            "chances",
            """
            SELECT t.*, a.places AS low_places, b.places AS high_places
            FROM tables AS t
            JOIN rooms AS a ON a.room IS NOT DISTINCT FROM t.room AND a.hour = t.hour
                AND a.pool = t.pool AND a.cut = t.cut AND a.tier = t.low
            JOIN rooms AS b ON b.room IS NOT DISTINCT FROM t.room AND b.hour = t.hour
                AND b.pool = t.pool AND b.cut = t.cut AND b.tier = t.high
            """,
        ),
    ]


def _expected() -> list[Step]:
    """Pairs that met several times, and how often those who changed places would."""
    same = "b.room IS NOT DISTINCT FROM a.room AND b.hour = a.hour AND b.pool = a.pool"
    same += " AND b.cut = a.cut"
    return [
        Step(
            "counts",
            f"""
            SELECT one, other, count(*) AS meetings FROM met
            GROUP BY ALL HAVING count(*) >= {LEAST_MEETINGS}
            """,
        ),
        Step(
            "expected_by_cut",
            f"""
            SELECT counts.one, counts.other, counts.meetings, a.cut,
                sum(round({PART} * CASE WHEN low = high
                    THEN 2 * a.own * b.own * c.meetings
                        / (low_places * (low_places - (a.own + b.own) / 2))
                    ELSE a.own * b.own * c.meetings / (low_places * high_places) END)::BIGINT)
                    / {PART} AS chance
            FROM counts
            JOIN places AS a ON a.no = counts.one
            JOIN places AS b ON b.no = counts.other AND {same}
            JOIN chances AS c ON c.room IS NOT DISTINCT FROM a.room AND c.hour = a.hour
                AND c.pool = a.pool AND c.cut = a.cut AND c.low = least(a.tier, b.tier)
                AND c.high = greatest(a.tier, b.tier)
            GROUP BY ALL
            """,
        ),
        Step(
            "expected",
            """
            SELECT one, other, meetings, max(chance) AS chance FROM expected_by_cut
            GROUP BY ALL
            """,
        ),
    ]


def _circles() -> list[Step]:
    """How often players meet those whom they meet most: what habit and like skill do."""
    return [
        Step(
            "partners",
            """
            SELECT *, row_number() OVER (PARTITION BY no ORDER BY meetings DESC, partner) AS nth
            FROM (SELECT no, partner, count(*) AS meetings
                FROM (SELECT one AS no, other AS partner FROM met
                    UNION ALL SELECT other, one FROM met)
                GROUP BY ALL)
            """,
        ),
        Step(
            "circles",
            f"""
            SELECT no, coalesce(sum(meetings) FILTER (nth <= {CIRCLE}), 0) AS closest,
                coalesce(sum(meetings) FILTER (nth <= {CIRCLE} + 1), 0) AS and_next
            FROM partners GROUP BY no
            """,
        ),
        Step(
            "habits",
            f"""
            SELECT one, other, max(others) AS habit
            FROM (
                SELECT least(no, partner) AS one, greatest(no, partner) AS other,
                    if(nth <= {CIRCLE}, and_next - meetings, closest) / {CIRCLE} AS others
                FROM partners JOIN circles USING (no) WHERE meetings >= {LEAST_MEETINGS}
            )
            GROUP BY ALL
            """,
        ),
    ]
