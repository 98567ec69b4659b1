"""The queries that group games: signatures of seats, then games, then players.

Everything runs in temporary tables of DuckDB, which spill to disk, so that memory does not
grow with the number of games. Numbers of signatures and groups follow the order of their
values, so that the same warehouse gives the same groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from analytics.logs.batch import ABSENT
from analytics.studies.asking import SCOPE, Asked
from analytics.warehouse.database import quoted
from analytics.warehouse.shuangkou_restoring import SETTLED_BY

_BLANKED: Final = ("cards_left", "place", "has_played")  # not always asked for
_BOMBS: Final = tuple(name for name in SETTLED_BY if name not in _BLANKED)
_SEEN: Final = ", ".join(SETTLED_BY)
TABLES: Final = (
    "tuned_seats", "tuned_signatures", "tuned_games", "tuned_groups", "tuned_players",
)  # fmt: skip
# How a seating is written as one number, which is sorted far faster than four columns.
LEVELS: Final = 64  # more than there are thresholds in two tables, clause 12
POSITIONS: Final = 4


class Wanted(NamedTuple):
    """Which games are grouped, and by what.

    Attributes:
        asked: which games.
        ruleset: name@version of those that settled them.
        seats: 2 or 4.
        thresholds: balances at which a level begins, ascending.
        with_given: whether the recorded base tells games apart.
    """

    asked: Asked
    ruleset: str
    seats: int
    thresholds: tuple[int, ...]
    with_given: bool


def group_steps(wanted: Wanted) -> Iterator[str]:
    """The statements that make ``TABLES``, one after another."""
    yield f"CREATE OR REPLACE TEMP TABLE tuned_seats AS {_seats(wanted)}"
    yield f"""
        CREATE OR REPLACE TEMP TABLE tuned_signatures AS
        SELECT (row_number() OVER (ORDER BY {_SEEN}) - 1)::INTEGER AS signature, *
        FROM (SELECT DISTINCT {_SEEN} FROM tuned_seats)
        """
    yield f"CREATE OR REPLACE TEMP TABLE tuned_games AS {_games(wanted)}"
    keys = ", ".join(group_keys(wanted.seats))
    yield f"""
        CREATE OR REPLACE TEMP TABLE tuned_groups AS
        SELECT (row_number() OVER (ORDER BY {keys}) - 1)::INTEGER AS grp, *
        FROM (SELECT {keys}, count(*) AS games FROM tuned_games GROUP BY ALL)
        """


def group_keys(seats: int) -> tuple[str, ...]:
    """What tells one group from another."""
    return ("escaped", "met", "given", *(f"s{position}" for position in range(seats)))


PLAYERS: Final = """
    CREATE OR REPLACE TEMP TABLE tuned_players AS
    SELECT row_number() OVER (ORDER BY player) - 1 AS number, player
    FROM (SELECT DISTINCT player FROM tuned_seats)
    """


def seating_query(seats: int, groups: int) -> str:
    """A row a seat of a game: player, group, position and own level as one number.

    Args:
        seats: 2 or 4.
        groups: how many there are.
    """
    keys = ", ".join(group_keys(seats))
    return f"""
        SELECT ((number * {groups} + grp) * {POSITIONS} + position) * {LEVELS} + own AS seating
        FROM (SELECT game_key, player, position, own FROM tuned_seats)
        JOIN tuned_players USING (player)
        JOIN (SELECT game_key, {keys} FROM tuned_games) USING (game_key)
        JOIN (SELECT grp, {keys} FROM tuned_groups) USING ({keys})
        """


def _scope(wanted: Wanted) -> str:
    name, sql = wanted.asked.scope("ruleset", "ending", "given_base")
    return f"{name} AS ({sql})"


def _seats(wanted: Wanted) -> str:
    """A row a seat: where it sits when the winner sits first, and what is seen of it.

    Cards left count for the kou of two players who played to the end (clause 6), and whether
    somebody has played, of who flees (clause 9).
    """
    given = f"coalesce(given_base, {ABSENT})" if wanted.with_given else str(ABSENT)
    return f"""
        WITH {_scope(wanted)},
        played AS (
            SELECT game_key, ending, winner, fleer, {given} AS given
            FROM {SCOPE} JOIN (SELECT game_key, winner, fleer FROM shuangkou_games)
            USING (game_key)
            WHERE ruleset = {quoted(wanted.ruleset)} AND ending IS NOT NULL
        ),
        sat AS (SELECT game_key, seat, player, {_met("balance", wanted.thresholds)} AS own
                FROM seats SEMI JOIN played USING (game_key))
        SELECT game_key, ending = 'escape' AS escaped, given, player, own,
            {_position(wanted.seats)} AS position,
            {_CARDS_LEFT[wanted.seats]}::TINYINT AS cards_left,
            coalesce(place, 0)::TINYINT AS place,
            coalesce(seat = fleer AND has_played, false) AS has_played, {", ".join(_BOMBS)}
        FROM sat JOIN shuangkou_seats USING (game_key, seat) JOIN played USING (game_key)
        """


_CARDS_LEFT: Final = {2: "if(ending = 'out', cards_left, 0)", 4: "0"}


def _position(seats: int) -> str:
    """The seat, counted so that what is alike to every settlement is written alike.

    Two: the winner, the other. Four: the winner, the better of the others, the winner's
    partner, the worse of the others. A settlement asks only who partners whom and who is
    in which place (clauses 6 to 9); the one thing that asks for seat numbers, left-over
    units of ``cap_at_balance``, cannot be told from groups anyhow.
    """
    if seats == 2:
        return "(seat <> winner)::TINYINT"
    order = "row_number() OVER (PARTITION BY game_key, seat % 2 ORDER BY place)"
    return f"(2 * ({order} - 1) + (seat % 2 <> winner % 2)::INTEGER)::TINYINT"


def _met(balance: str, thresholds: Sequence[int]) -> str:
    """How many thresholds a balance meets (clause 8.1)."""
    met = (f"({balance} >= {threshold})::SMALLINT" for threshold in thresholds)
    return f"({' + '.join(met) or 0})::SMALLINT"


def _games(wanted: Wanted) -> str:
    """A row a game; the lowest balance at the table says which level counts (clause 8.1)."""
    signatures = ", ".join(
        f"max(signature) FILTER (position = {p}) AS s{p}" for p in range(wanted.seats)
    )
    return f"""
        SELECT game_key, escaped, given, min(own) AS met, {signatures}
        FROM tuned_seats JOIN tuned_signatures USING ({_SEEN})
        GROUP BY ALL
        """
