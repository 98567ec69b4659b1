"""Pairs: who meets, or pays, somebody else far more than chance explains.

Chance is what is left when room, hour and skill are kept: those who sit down in one room,
within one hour and with one tier of skill, change places at random. How often two would then
meet on average is computed, so that nothing need be drawn; only that nobody meets himself is
taken into account on average. docs/honesty.md says what is held against a pair, and what not.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from analytics.studies.asking import SCOPE, Asked
from analytics.studies.meetings import CIRCLE, LEAST_MEETINGS, meeting_steps
from analytics.studies.payments import payment_steps, seat_steps
from analytics.studies.scope import UNIT
from analytics.studies.significance import holm
from analytics.studies.study import Step, Study
from analytics.warehouse.tables import Column

LEVEL: Final = 0.01  # chance that a frame has a suspect though all play honestly
OFTEN: Final = 3.0  # times as often as chance: friends, habits and closer skill reach that
EDGE: Final = 0.15  # of a score within -1..1: skill that the others' games do not tell reaches that
HABIT: Final = 1.5  # times as often as the mean of those
LEAST_GAMES: Final = 8
_EXAMPLES: Final = 10


def pairs_steps(asked: Asked) -> list[Step]:
    """Meetings and payments of pairs that stand out, with what chance expects.

    Sums are of whole numbers, in millionths, so that they do not depend on the order of rows.
    """
    return [
        Step(*asked.scope("id", "room", "started", "unit")),
        *seat_steps(),
        *meeting_steps(),
        *payment_steps(),
        *_result(),
    ]


def _result() -> list[Step]:
    """Pairs that stand out at first sight, with games to look at."""
    return [
        Step(
            "seen",
            f"""
            SELECT coalesce(expected.one, rated.one) AS one,
                coalesce(expected.other, rated.other) AS other,
                coalesce(meetings, 0) AS meetings, coalesce(chance, 0) AS chance,
                coalesce(habit, 0) AS habit,
                coalesce(games, 0) AS paid_games, coalesce(flow, 0) AS flow,
                coalesce(score, 0) AS score, coalesce(slope * better * games, 0) AS score_expected,
                coalesce(sqrt(variance * games), 0) AS score_deviation
            FROM (FROM expected JOIN habits USING (one, other)) AS expected
            FULL JOIN (
                SELECT * FROM rated, slope WHERE games >= {LEAST_GAMES}
            ) AS rated ON rated.one = expected.one AND rated.other = expected.other
            WHERE coalesce(meetings > greatest({OFTEN} * chance, {HABIT} * habit), false)
                OR coalesce(abs(score - slope * better * games)
                    > {EDGE} * games + 3 * sqrt(variance * games), false)
        """,
        ),
        Step(
            "examples",
            f"""
            SELECT one, other, count(*) AS games,
                array_to_string(
                    list(id ORDER BY abs(flows.flow) DESC, id)[:{_EXAMPLES}], ' '
                ) AS examples
            FROM flows JOIN seen USING (one, other) JOIN {SCOPE} USING (game_key)
            GROUP BY ALL
            """,
        ),
        Step(
            "pairs",
            """
            SELECT seen.* EXCLUDE (one, other, chance), a.player AS player, b.player AS other,
                a.unit, examples.games, chance AS meetings_expected, examples,
                (SELECT count(*) FROM who) AS players,
                NULL AS p_meetings, NULL AS p_payments, NULL AS p_corrected, NULL AS verdict
            FROM seen
            JOIN examples USING (one, other)
            JOIN who AS a ON a.no = seen.one
            JOIN who AS b ON b.no = seen.other
            """,
        ),
    ]


def suspected(frame: Any, _: Asked) -> Any:
    """Adds p-values and verdicts; keeps pairs that the number of pairs does not explain."""
    players = int(frame["players"].max()) if len(frame) else 0
    chance, habit = _floats(frame["meetings_expected"]), _floats(frame["habit"])
    meetings = p_of_meetings(_floats(frame["meetings"]), chance, habit)
    payments = p_of_score(
        _floats(frame["score"]) - _floats(frame["score_expected"]),
        _floats(frame["score_deviation"]),
        EDGE * _floats(frame["paid_games"]),
    )
    both = holm(np.concatenate([meetings, payments]), tests=players * (players - 1))
    least = np.minimum(both[: len(frame)], both[len(frame) :])
    frame["p_meetings"], frame["p_payments"], frame["p_corrected"] = meetings, payments, least
    often, paid = both[: len(frame)] < LEVEL, both[len(frame) :] < LEVEL
    frame["verdict"] = np.select(
        [often & paid, often, paid], ["meet and pay", "meet", "pay"], "chance"
    )
    found = frame[frame["p_corrected"] < LEVEL].sort_values(
        ["p_corrected", "p_payments", "p_meetings", "player", "other", "unit"], kind="stable"
    )
    return found.reset_index(drop=True)


def p_of_meetings(meetings: Any, chance: Any, habit: Any) -> Any:
    """How often two would meet so often who may meet more than chance has it.

    What is not held against them: ``OFTEN`` times what chance expects, or ``HABIT`` times the
    mean of the partners whom either meets most, whichever is more.

    By Poisson's distribution, which is wider than that of seats that change places.

    Args:
        meetings: how often they met.
        chance: how often they would by chance, on average.
        habit: how often either meets his most frequent other partners, on average.
    """
    from scipy import special  # takes as long to import as most studies to run

    return np.clip(
        special.pdtrc(meetings - 1, np.maximum(OFTEN * chance, HABIT * habit)), SMALLEST_P, 1
    )


def p_of_score(score: Any, deviation: Any, edge: Any) -> Any:
    """How often a score strays so far beyond an edge, on either side.

    Scores are bounded by -1 and 1, so that a sum of eight or more is normal, or narrower.

    Args:
        score: of a pair less what skill explains.
        deviation: of that; 0 where the two have not played against each other.
        edge: what is not held against them.
    """
    from scipy import special

    beyond = np.maximum(np.abs(score) - edge, 0)
    standard = np.divide(beyond, deviation, out=np.zeros(len(beyond)), where=deviation > 0)
    return np.clip(2 * special.ndtr(-standard), SMALLEST_P, 1)


SMALLEST_P: Final = 1e-300  # below it a p-value is 0 to the machine


def _floats(column: Any) -> Any:
    return column.to_numpy(np.float64)


PAIRS: Final = Study(
    name="players.pairs",
    question="Which pairs meet, or pay each other, far more than chance explains?",
    rows="a pair of players who do, playing for one unit.",
    always=(UNIT,),
    columns=(
        Column("player", "VARCHAR", "One of the two"),
        Column("other", "VARCHAR", "The other one"),
        Column("games", "BIGINT", "Games that both played", unit="games"),
        Column("meetings", "BIGINT", "Meetings: games in a row of the same players are one; 0 "
               f"below {LEAST_MEETINGS}", unit="meetings"),
        Column("meetings_expected", "DOUBLE", "How many those of their room, hour and skill have "
               "who change places at random; 0 where it was not asked", unit="meetings"),
        Column("habit", "DOUBLE", f"How often either met the {CIRCLE} others whom he met most, on "
               "average; the greater one", unit="meetings"),
        Column("paid_games", "BIGINT", "Games in which one of them paid the other; 0 below "
               f"{LEAST_GAMES}", unit="games"),
        Column("flow", "BIGINT", "What `player` paid `other` on balance; what the losers of a "
               "game pay is shared out as its winners gain", unit="the room's unit"),
        Column("score", "DOUBLE", "The same in scores of -1 to 1 a game, by how large a result "
               "is in its room"),
        Column("score_expected", "DOUBLE", "What their results against others make of that"),
        Column("score_deviation", "DOUBLE", "Standard deviation of the score by chance"),
        Column("players", "BIGINT", "Players who were looked at; who plays for several units "
               "counts for each", unit="players"),
        Column("p_meetings", "DOUBLE", "How often two meet so often who may do so "
               f"{OFTEN:g} times as often as by chance, or {HABIT:g} times their habit"),
        Column("p_payments", "DOUBLE", "How often chance, and an edge of skill that others' games "
               "do not show, pays so much"),
        Column("p_corrected", "DOUBLE", "The lesser one, corrected for all pairs (Holm)"),
        Column("verdict", "VARCHAR", "What is suspicious: `meet`, `pay` or `meet and pay`"),
        Column("examples", "VARCHAR", f"Ids of {_EXAMPLES} games of both to look at with `paipu "
               "show`, those with the largest payments first"),
    ),
    steps=pairs_steps,
    is_whole=True,
    finish=suspected,
)  # fmt: skip

STUDIES: Final = (PAIRS,)
