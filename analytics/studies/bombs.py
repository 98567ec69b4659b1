"""Bombs: how often which are played, and what hands are dealt. Source: rules clause 4."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from analytics import odds
from analytics.studies.asking import SCOPE, Asked, listed, same
from analytics.studies.intervals import events, share, wilson
from analytics.studies.scope import IS_UNIFORM
from analytics.studies.study import Step, Study
from analytics.warehouse.tables import Column

_NO_HAND: Final = "no hand"
_NO_GAME: Final = "no game"
_NOT_UNIFORM: Final = "no game, or games of another dealing mode among them"

OWN: Final = (
    Column("xiang", "TINYINT", "Xiang of the bomb", unit="xiang"),
    Column("kind", "VARCHAR", "`bomb`, `chain`, `three_jokers` or `four_jokers`"),
    Column("top", "VARCHAR", "Its highest rank as written in the log", "a joker bomb"),
    Column("jokers", "TINYINT", "Jokers in it", unit="cards"),
)
_SEATS: Final = range(4)  # the most that a game has: rules clause 11, [play] seats
# In one pass over bombs: hands of a game that played some, and the sum of their squares.
_OF_SEAT: Final = [f"count(*) FILTER (seat = {seat})" for seat in _SEATS]
_HANDS: Final = f"""
    {" + ".join(f"({n} > 0)::INT" for n in _OF_SEAT)} AS hands_with,
    {" + ".join(f"{n} * {n}" for n in _OF_SEAT)} AS hand_squares
"""
_OWN: Final = frozenset(column.name for column in OWN)


def played_steps(asked: Asked) -> list[Step]:
    """Bombs that were played: groups of games crossed with the bombs that there are."""
    own = [name for name in asked.groups if name in _OWN]
    return [
        Step(*asked.scope("ending", "seats")),
        Step("ended", f"SELECT * FROM {SCOPE} WHERE ending IS NOT NULL"),
        *_counted_steps(asked, own),
        Step(
            "possible",
            f"SELECT DISTINCT {listed(own)} true AS met FROM totals"
            if own
            else "SELECT true AS met",
        ),
        Step(
            "crossed",
            f"""
            SELECT {listed(asked.game_groups, "whole")} {listed(own, "possible")}
                games, hands, coalesce(bombs, 0) AS bombs,
                coalesce(hands_with, 0) AS hands_with,
                coalesce(hand_squares, 0) AS hand_squares,
                coalesce(game_squares, 0) AS game_squares, coalesce(beaten, 0) AS beaten
            FROM whole CROSS JOIN possible LEFT JOIN totals
            ON {same(asked.game_groups, "whole", "totals")} AND {same(own, "possible", "totals")}
            """,
        ),
        Step("frequency", _frequency(asked)),
    ]


def _counted_steps(asked: Asked, own: list[str]) -> list[Step]:
    """Bombs per hand, per game and per group; and how many games and hands a group has."""
    return [
        Step(
            "whole",
            f"""
            SELECT {listed(asked.game_groups)} count(*) AS games, coalesce(sum(seats), 0) AS hands
            FROM ended GROUP BY ALL
            """,
        ),
        Step(
            "by_game",
            f"""
            SELECT game_key, {listed(own)} count(*) AS bombs, {_HANDS},
                count(*) FILTER (beaten) AS beaten
            FROM shuangkou_bombs SEMI JOIN ended USING (game_key) GROUP BY ALL
            """,
        ),
        Step(
            "totals",
            f"""
            SELECT {listed(asked.game_groups)} {listed(own)} sum(bombs) AS bombs,
                sum(hands_with) AS hands_with, sum(hand_squares) AS hand_squares,
                sum(bombs * bombs) AS game_squares, sum(beaten) AS beaten
            FROM by_game JOIN ended USING (game_key) GROUP BY ALL
            """,
        ),
    ]


def _frequency(asked: Asked) -> str:
    low, high = wilson("hands_with", "hands")
    hand_low, hand_high = events("bombs", "hand_squares", "hands")
    game_low, game_high = events("bombs", "game_squares", "games")
    beaten_low, beaten_high = wilson("beaten", "bombs")
    return f"""
    SELECT {listed(asked.groups)} bombs, games, hands, hands_with,
        {share("hands_with", "hands")} AS share, {low} AS share_low, {high} AS share_high,
        {share("bombs", "hands")} AS per_hand, {hand_low} AS per_hand_low,
        {hand_high} AS per_hand_high,
        {share("bombs", "games")} AS per_game, {game_low} AS per_game_low,
        {game_high} AS per_game_high, beaten,
        {share("beaten", "bombs")} AS beaten_share, {beaten_low} AS beaten_share_low,
        {beaten_high} AS beaten_share_high
    FROM crossed
    """


PLAYED: Final = Study(
    name="bombs",
    question="How often are bombs played, and how many of them are beaten?",
    rows="bombs of a sort in a group of games that ended, by an escape too.",
    own=OWN,
    by=("xiang",),
    columns=(
        Column("bombs", "BIGINT", "Bombs that were played", unit="bombs"),
        Column("games", "BIGINT", "Games of the group", unit="games"),
        Column("hands", "BIGINT", "Hands of these games", unit="hands"),
        Column("hands_with", "BIGINT", "Hands that played such a bomb", unit="hands"),
        Column("share", "DOUBLE", "Share of hands that did", _NO_HAND),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", _NO_HAND),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", _NO_HAND),
        Column("per_hand", "DOUBLE", "Bombs per hand", _NO_HAND, "bombs"),
        Column("per_hand_low", "DOUBLE", "Score interval, lower end", _NO_HAND, "bombs"),
        Column("per_hand_high", "DOUBLE", "Score interval, upper end", _NO_HAND, "bombs"),
        Column("per_game", "DOUBLE", "Bombs per game", _NO_GAME, "bombs"),
        Column("per_game_low", "DOUBLE", "Score interval, lower end", _NO_GAME, "bombs"),
        Column("per_game_high", "DOUBLE", "Score interval, upper end", _NO_GAME, "bombs"),
        Column("beaten", "BIGINT", "Bombs that another play beat", unit="bombs"),
        Column("beaten_share", "DOUBLE", "Share of bombs that were beaten", "no bomb"),
        Column("beaten_share_low", "DOUBLE", "Wilson interval, lower end", "no bomb"),
        Column("beaten_share_high", "DOUBLE", "Wilson interval, upper end", "no bomb"),
    ),
    steps=played_steps,
)


def natural_steps(asked: Asked) -> list[Step]:
    """Bombs of one rank without jokers, beside what honest dealing deals."""
    by = [name for name in asked.groups if name != "xiang"]
    return [
        Step(*asked.scope("ending", "seats", "deal")),
        Step("ended", f"SELECT * FROM {SCOPE} WHERE ending IS NOT NULL"),
        Step("expected", _values(odds.bombs_of_size())),
        *_natural_counts(by),
        Step(
            "crossed",
            f"""
            SELECT {listed(by, "whole")} n AS xiang, hands, is_uniform, value AS each,
                coalesce(bombs, 0) AS bombs, coalesce(squares, 0) AS squares
            FROM whole CROSS JOIN expected LEFT JOIN totals
            ON totals.xiang = n AND {same(by, "whole", "totals")}
            """,
        ),
        Step("sizes", _natural_rates(by)),
    ]


def _natural_counts(by: list[str]) -> list[Step]:
    """Natural bombs per hand, per game and per group; and how many hands a group has."""
    return [
        Step(
            "by_game",
            f"""
            SELECT game_key, xiang, count(*) AS bombs, {_HANDS}
            FROM shuangkou_bombs SEMI JOIN ended USING (game_key)
            WHERE kind = 'bomb' AND jokers = 0 GROUP BY ALL
            """,
        ),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} xiang, sum(bombs) AS bombs, sum(hand_squares) AS squares
            FROM by_game JOIN ended USING (game_key) GROUP BY ALL
            """,
        ),
        Step(
            "whole",
            f"""
            SELECT {listed(by)} count(*) AS games, coalesce(sum(seats), 0) AS hands,
                coalesce(bool_and({IS_UNIFORM}), false) AS is_uniform
            FROM ended GROUP BY ALL
            """,
        ),
    ]


def _natural_rates(by: list[str]) -> str:
    low, high = events("bombs", "squares", "hands")
    return f"""
    SELECT {listed(by)} xiang, bombs, hands, {share("bombs", "hands")} AS per_hand,
        {low} AS per_hand_low, {high} AS per_hand_high,
        if(is_uniform, each, NULL) AS dealt_per_hand,
        if(is_uniform, {share("bombs", "hands")} / each, NULL) AS played_per_dealt,
        if(is_uniform, ({low}) / each, NULL) AS played_per_dealt_low,
        if(is_uniform, ({high}) / each, NULL) AS played_per_dealt_high
    FROM crossed
    """


def _values(of: odds.Odds) -> str:
    """Exact odds, as doubles, as rows ``n, value``."""
    rows = ", ".join(f"({n}, {float(Fraction(value))!r}::DOUBLE)" for n, value in of.items())
    return f"SELECT * FROM (VALUES {rows}) AS exact (n, value)"


NATURAL: Final = Study(
    name="bombs.natural",
    question="Of the natural bombs that honest dealing deals, how many are played?",
    rows="a size of natural bombs (one rank, no joker) in a group of games that ended.",
    by=("deal",),
    always=(Column("xiang", "TINYINT", "Cards of the bomb, 4 to 8", unit="xiang"),),
    columns=(
        Column("bombs", "BIGINT", "Natural bombs that were played", unit="bombs"),
        Column("hands", "BIGINT", "Hands of these games", unit="hands"),
        Column("per_hand", "DOUBLE", "Natural bombs played per hand", _NO_HAND, "bombs"),
        Column("per_hand_low", "DOUBLE", "Score interval, lower end", _NO_HAND, "bombs"),
        Column("per_hand_high", "DOUBLE", "Score interval, upper end", _NO_HAND, "bombs"),
        Column("dealt_per_hand", "DOUBLE", "What honest dealing deals to a hand, exactly",
               _NOT_UNIFORM, "bombs"),
        Column("played_per_dealt", "DOUBLE", "The one of the other; ranks are split and joined,"
               " so that it may pass 1", _NOT_UNIFORM),
        Column("played_per_dealt_low", "DOUBLE", "Score interval, lower end",
               _NOT_UNIFORM),
        Column("played_per_dealt_high", "DOUBLE", "Score interval, upper end",
               _NOT_UNIFORM),
    ),
    steps=natural_steps,
)  # fmt: skip


def dealt_steps(asked: Asked) -> list[Step]:
    """Hands by how many natural bombs they were dealt, and how many of these they played."""
    by = [name for name in asked.groups if name != "dealt"]
    return [
        Step(*asked.scope("deal")),
        Step("expected", _values(odds.bombs())),
        *_dealt_counts(by),
        Step(
            "crossed",
            f"""
            SELECT {listed(by, "whole")} n AS dealt, opportunities, whole.is_uniform, value,
                coalesce(hands, 0) AS hands, coalesce(played, 0) AS played,
                coalesce(played_squares, 0) AS played_squares
            FROM whole CROSS JOIN expected LEFT JOIN totals
            ON rank_bombs = n AND {same(by, "whole", "totals")}
            """,
        ),
        Step("dealt_hands", _dealt_rates(by)),
    ]


def _dealt_counts(by: list[str]) -> list[Step]:
    """Hands with what they were dealt and played, per number dealt and per group."""
    return [
        Step(
            "played_by_hand",
            f"""
            SELECT game_key, seat, sum(greatest(groups, 1)) AS played
            FROM shuangkou_bombs SEMI JOIN {SCOPE} USING (game_key)
            WHERE kind IN ('bomb', 'chain') AND jokers = 0 GROUP BY ALL
            """,
        ),
        Step(
            "by_hand",
            f"""
            SELECT {SCOPE}.*, shuangkou_seats.seat, rank_bombs, coalesce(played, 0) AS played
            FROM {SCOPE} JOIN shuangkou_seats USING (game_key)
            LEFT JOIN played_by_hand USING (game_key, seat)
            WHERE rank_bombs IS NOT NULL
            """,
        ),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} rank_bombs, count(*) AS hands, sum(played) AS played,
                sum(played * played) AS played_squares, bool_and({IS_UNIFORM}) AS is_uniform
            FROM by_hand GROUP BY ALL
            """,
        ),
        Step(
            "whole",
            f"""
            SELECT {listed(by)} coalesce(sum(hands), 0) AS opportunities,
                coalesce(bool_and(is_uniform), false) AS is_uniform
            FROM totals GROUP BY ALL
            """,
        ),
    ]


def _dealt_rates(by: list[str]) -> str:
    low, high = wilson("hands", "opportunities")
    each_low, each_high = events("played", "played_squares", "hands")
    return f"""
    SELECT {listed(by)} dealt, hands, opportunities,
        {share("hands", "opportunities")} AS share, {low} AS share_low,
        {high} AS share_high, if(is_uniform, value, NULL) AS expected_share,
        if(is_uniform, value * opportunities, NULL) AS expected_hands,
        played, {share("played", "(hands * dealt)")} AS played_per_dealt,
        if(dealt > 0, ({each_low}) / dealt, NULL) AS played_per_dealt_low,
        if(dealt > 0, ({each_high}) / dealt, NULL) AS played_per_dealt_high
    FROM crossed
    """


DEALT: Final = Study(
    name="bombs.dealt",
    question="How many natural bombs are dealt to a hand, beside what honest dealing gives?",
    rows="a number of natural bombs, 0 to 6, in a group of games whose deal could be read.",
    own=(Column("seat", "TINYINT", "Seat from 0, in play order"),),
    by=("deal",),
    always=(
        Column("dealt", "TINYINT", "Ranks dealt four times or more, jokers apart", unit="bombs"),
    ),
    columns=(
        Column("hands", "BIGINT", "Hands that were dealt so many", unit="hands"),
        Column("opportunities", "BIGINT", "Hands of the group", unit="hands"),
        Column("share", "DOUBLE", "The one of the other", _NO_HAND),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", _NO_HAND),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", _NO_HAND),
        Column("expected_share", "DOUBLE", "What uniform dealing gives, exactly", _NOT_UNIFORM),
        Column("expected_hands", "DOUBLE", "That many hands of the group", _NOT_UNIFORM, "hands"),
        Column("played", "BIGINT", "Ranks that these hands played as bombs, or in chains, without"
               " a joker", unit="ranks"),
        Column("played_per_dealt", "DOUBLE", "Per natural bomb that they were dealt",
               "none was dealt"),
        Column("played_per_dealt_low", "DOUBLE", "Score interval, lower end",
               "none was dealt"),
        Column("played_per_dealt_high", "DOUBLE", "Score interval, upper end",
               "none was dealt"),
    ),
    steps=dealt_steps,
)  # fmt: skip

STUDIES: Final = (PLAYED, NATURAL, DEALT)
