"""Players: what each won and lost, and how each played. Source: rules clauses 5.1, 6 and 9."""

from __future__ import annotations

from typing import Final

from analytics.studies.asking import SCOPE, Asked, listed
from analytics.studies.intervals import share, wilson
from analytics.studies.pairs import PAIRS
from analytics.studies.study import Step, Study
from analytics.warehouse.tables import Column

_KOU: Final = ("ping", "dan", "shuang")
_GIVEN: Final = tuple(f"{kou}_given" for kou in _KOU)
_TAKEN: Final = tuple(f"{kou}_taken" for kou in _KOU)


def players_steps(asked: Asked) -> list[Step]:
    """A row a player and unit."""
    by = listed(name for name in asked.groups if name != "player")
    kou = ", ".join(
        f"count(*) FILTER ({'' if given else 'NOT '}has_won AND kou = '{name}') "
        f"AS {name}_{'given' if given else 'taken'}"
        for given in (True, False)
        for name in _KOU
    )
    low, high = wilson("won", "decided")
    return [
        Step(*asked.scope("unit", "ending")),
        *_seats(),
        Step(
            "totals",
            f"""
            SELECT {by} player, count(*) AS games, count(has_won) AS decided,
                count(*) FILTER (has_won) AS won, count(delta) AS settled, sum(delta) AS net,
                sum(fee) AS fee, {kou}, sum(bombs) AS bombs,
                count(*) FILTER (escaped) AS escapes, sum(timeouts) AS timeouts,
                sum(trustee_turns) AS trustee_turns, sum(passes) AS passes,
                sum(declined) AS declined
            FROM sat GROUP BY ALL
            """,
        ),
        Step(
            "players",
            f"""
            SELECT *, {share("won", "decided")} AS win_share, {low} AS win_low, {high} AS win_high
            FROM totals
            """,
        ),
    ]


def _seats() -> list[Step]:
    """A row a seat, with all that is counted."""
    return [
        Step(
            "bombs_of",
            f"""
            SELECT game_key, bombs.seat, count(*) AS bombs
            FROM {SCOPE} JOIN shuangkou_bombs AS bombs USING (game_key) GROUP BY ALL
            """,
        ),
        Step(
            "sat",
            f"""
            SELECT {SCOPE}.*, player, kou, delta, fee, escaped, timeouts, passes, trustee_turns,
                coalesce(bombs, 0) AS bombs, declined, winner % 2 = seats.seat % 2 AS has_won
            FROM {SCOPE}
            JOIN seats USING (game_key)
            LEFT JOIN shuangkou_games USING (game_key)
            LEFT JOIN shuangkou_seats AS played
                ON played.game_key = seats.game_key AND played.seat = seats.seat
            LEFT JOIN shuangkou_settled AS settled
                ON settled.game_key = seats.game_key AND settled.seat = seats.seat
            LEFT JOIN bombs_of
                ON bombs_of.game_key = seats.game_key AND bombs_of.seat = seats.seat
            """,
        ),
    ]


_UNDECIDED: Final = "no game of his was decided"
PLAYERS: Final = Study(
    name="players",
    question="Who plays how, and what comes of it?",
    rows="a player, of each unit in which he plays.",
    always=(
        Column("unit", "VARCHAR", "The unit of amounts"),
        Column("player", "VARCHAR", "The player"),
    ),
    columns=(
        Column("games", "BIGINT", "Games", unit="games"),
        Column("decided", "BIGINT", "Games that somebody won", unit="games"),
        Column("won", "BIGINT", "Games that he, or his team, won", unit="games"),
        Column("win_share", "DOUBLE", "The one of the other", _UNDECIDED),
        Column("win_low", "DOUBLE", "Wilson interval, lower end", _UNDECIDED),
        Column("win_high", "DOUBLE", "Wilson interval, upper end", _UNDECIDED),
        Column("settled", "BIGINT", "Games with amounts", unit="games"),
        Column("net", "BIGINT", "What he got in all, fees taken off", "no game with amounts",
               "the room's unit"),
        Column("fee", "BIGINT", "Fees that he paid", "no game with amounts", "the room's unit"),
        *(Column(name, "BIGINT", f"Games won by `{name.split('_')[0]}`", unit="games")
          for name in _GIVEN),
        *(Column(name, "BIGINT", f"Games lost by `{name.split('_')[0]}`", unit="games")
          for name in _TAKEN),
        Column("bombs", "BIGINT", "Bombs that he played", unit="bombs"),
        Column("escapes", "BIGINT", "Games that ended as he fled", unit="games"),
        Column("timeouts", "BIGINT", "Turns that timed out", unit="turns"),
        Column("trustee_turns", "BIGINT", "Plays and passes of the system for him", unit="plies"),
        Column("passes", "BIGINT", "Passes, those of the system among them", unit="plies"),
        Column("declined", "BIGINT", "His own passes though he could beat", unit="plies"),
    ),
    steps=players_steps,
    order=("games DESC", "player", "unit"),
)  # fmt: skip

STUDIES: Final = (PLAYERS, PAIRS)
