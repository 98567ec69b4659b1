"""How games end: kou, cards left, places, length. Source: rules clauses 5 and 6."""

from __future__ import annotations

from typing import Final

from analytics.cards import HAND_SIZE
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
        Step(*asked.scope("ending", "unit")),
        *tier_steps(asked),
        Step("outcomes", _outcomes(asked)),
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


OWN: Final = (
    Column("lead", "VARCHAR", "Who led the game: `winner` or `loser`, of four the team",
           "the replay broke"),
    Column("winner_bombs", "BIGINT", "Bombs that the winner played, of four his team",
           "the replay broke", "bombs"),
    Column("loser_bombs", "BIGINT", "Bombs that the loser played, of four his team",
           "the replay broke", "bombs"),
    Column("winner_best", "TINYINT", "Highest xiang of these bombs of the winner; 0: no bomb",
           "the replay broke", "xiang"),
    Column("loser_best", "TINYINT", "Highest xiang of these bombs of the loser; 0: no bomb",
           "the replay broke", "xiang"),
    Column("winner_tier", "VARCHAR", "Skill of the winner, of four his team: `low`, `middle` or"
           " `high`", "the replay broke, or no other games to tell by"),
    Column("loser_tier", "VARCHAR", "Skill of the loser, of four his team",
           "the replay broke, or no other games to tell by"),
)  # fmt: skip
_SIDES: Final = frozenset(column.name for column in OWN)
_TIERS: Final = frozenset(("winner_tier", "loser_tier"))

# A side is called low or high where its share of games won is this far from a half.
TIER_EDGE: Final = 0.05
TIER_GAMES: Final = 20  # other games that a player must have, to have a share


def _outcomes(asked: Asked) -> str:
    """A row a game with its kou, and what is asked of its two sides."""
    kou = "(SELECT game_key, kou FROM shuangkou_settled WHERE seat = 0) AS settled"
    if not _SIDES & set(asked.groups):
        return f"SELECT {SCOPE}.*, kou FROM {SCOPE} JOIN {kou} USING (game_key)"
    tiers = "JOIN tiers USING (game_key, seat)" if _TIERS & set(asked.groups) else ""
    shares = _tier_columns() if tiers else ""
    return f"""
    SELECT {SCOPE}.*, any_value(kou) AS kou,
        if(bool_or(is_winner AND seat % 2 = leader % 2), 'winner', 'loser') AS lead,
        coalesce(sum(bombs) FILTER (is_winner), 0) AS winner_bombs,
        coalesce(sum(bombs) FILTER (NOT is_winner), 0) AS loser_bombs,
        max(best) FILTER (is_winner) AS winner_best,
        max(best) FILTER (NOT is_winner) AS loser_best {shares}
    FROM {SCOPE} JOIN {kou} USING (game_key) JOIN (
        SELECT game_key, seat, best, {_BOMBS} AS bombs, seat % 2 = winner % 2 AS is_winner, leader
        FROM shuangkou_seats JOIN (SELECT game_key, winner, leader FROM shuangkou_games)
        USING (game_key)
    ) AS sides USING (game_key) {tiers}
    GROUP BY ALL
    """


# Four bits for each xiang, so the number of bombs is a sum of hexadecimal digits; as 16 is 1
# modulo 15, and a seat plays nine bombs at most (27 cards), that is the remainder.
_BOMBS: Final = "(bombs_low % 15 + bombs_high % 15)::BIGINT"


def _tier_columns() -> str:
    return "".join(
        f""", CASE WHEN count(won_share) FILTER ({side}) = 0 THEN NULL
                WHEN sum(won_games) FILTER ({side}) < {0.5 - TIER_EDGE}
                    * sum(other_games) FILTER ({side}) THEN 'low'
                WHEN sum(won_games) FILTER ({side}) > {0.5 + TIER_EDGE}
                    * sum(other_games) FILTER ({side}) THEN 'high'
                ELSE 'middle' END AS {name}"""
        for name, side in (("winner_tier", "is_winner"), ("loser_tier", "NOT is_winner"))
    )


def tier_steps(asked: Asked) -> list[Step]:
    """``tiers``: by seat, of how many other games its player won how many.

    The game itself is left out, or winners would look better than they are. Only games
    that are asked for count, and only those that were played to the end.
    """
    if not _TIERS & set(asked.groups):
        return []
    return [
        Step(
            "seats_played",
            f"""
            SELECT game_key, seat, player, seat % 2 = winner % 2 AS is_won
            FROM {SCOPE} JOIN (SELECT game_key, seat, player FROM seats) USING (game_key)
            JOIN (SELECT game_key, winner FROM shuangkou_games) USING (game_key)
            WHERE ending = 'out'
            """,
        ),
        Step(
            "records",
            """
            SELECT player, count(*) - 1 AS other_games, count(*) FILTER (is_won) AS won
            FROM seats_played GROUP BY ALL
            """,
        ),
        Step(
            "tiers",
            f"""
            SELECT game_key, seat, if(is_known, other_games, 0) AS other_games,
                if(is_known, won - is_won::INT, 0) AS won_games,
                if(is_known, true, NULL) AS won_share
            FROM (SELECT *, other_games >= {TIER_GAMES} AS is_known
                  FROM seats_played JOIN records USING (player))
            """,
        ),
    ]


_UNENDED: Final = "no game was played to the end"
KOU: Final = Study(
    name="kou",
    question="How badly are losers caught?",
    rows="a kou in a group of games that were played to the end.",
    own=OWN,
    always=(Column("kou", "VARCHAR", "`ping`, `dan` or `shuang`"),),
    columns=(
        Column("games", "BIGINT", "Games that ended with this kou", unit="games"),
        Column("opportunities", "BIGINT", "Games that were played to the end", unit="games"),
        Column("share", "DOUBLE", "The one of the other", _UNENDED),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", _UNENDED),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", _UNENDED),
    ),
    steps=kou_steps,
)


def left_steps(asked: Asked) -> list[Step]:
    """Cards left in the hands of those who had not gone out."""
    by = [name for name in asked.groups if name != "cards_left"]
    low, high = wilson("hands", "opportunities")
    return [
        Step(*asked.scope("ending")),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} count(*) AS opportunities, histogram(cards_left) AS hands
            FROM {SCOPE} JOIN (SELECT game_key, cards_left FROM shuangkou_seats) USING (game_key)
            WHERE ending = 'out' AND cards_left > 0 GROUP BY ALL
            """,
        ),
        Step(
            "counts",
            f"""
            SELECT {listed(by)} opportunities, n AS cards_left,
                coalesce(hands[n::TINYINT], 0) AS hands
            FROM totals CROSS JOIN range(1, {HAND_SIZE + 1}) AS possible (n)
            """,
        ),
        Step(
            "shares",
            f"""
            SELECT {listed(by)} cards_left, hands, opportunities,
                {share("hands", "opportunities")} AS share, {low} AS share_low,
                {high} AS share_high
            FROM counts
            """,
        ),
    ]


_NO_HAND: Final = "no such hand"
LEFT: Final = Study(
    name="kou.cards_left",
    question="How many cards do losers have left?",
    rows="a number of cards, 1 to 27, in a group of games that were played to the end.",
    by=("seats",),
    always=(Column("cards_left", "TINYINT", "Cards left in a hand", unit="cards"),),
    columns=(
        Column("hands", "BIGINT", "Hands with so many cards left", unit="hands"),
        Column("opportunities", "BIGINT", "Hands with cards left", unit="hands"),
        Column("share", "DOUBLE", "The one of the other", _NO_HAND),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", _NO_HAND),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", _NO_HAND),
    ),
    steps=left_steps,
)


def place_steps(asked: Asked) -> list[Step]:
    """Places of seats, by whether they led and by what they played."""
    by = [name for name in asked.groups if name != "place"]
    low, high = wilson("hands", "opportunities")
    return [
        Step(*asked.scope("ending")),
        Step(
            "placed",
            f"""
            SELECT {SCOPE}.*, seat, place, seat = leader AS led, {_BOMBS} AS bombs
            FROM {SCOPE} JOIN (SELECT game_key, leader FROM shuangkou_games) USING (game_key)
            JOIN shuangkou_seats USING (game_key)
            WHERE ending = 'out' AND place IS NOT NULL
            """,
        ),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} count(*) AS opportunities, histogram(place) AS hands
            FROM placed GROUP BY ALL
            """,
        ),
        Step(
            "counts",
            f"""
            SELECT {listed(by)} opportunities, n AS place, coalesce(hands[n::TINYINT], 0) AS hands
            FROM totals CROSS JOIN range(1, 5) AS possible (n)
            """,
        ),
        Step(
            "shares",
            f"""
            SELECT {listed(by)} place, hands, opportunities,
                {share("hands", "opportunities")} AS share, {low} AS share_low,
                {high} AS share_high
            FROM counts
            """,
        ),
    ]


PLACES: Final = Study(
    name="kou.places",
    question="With four players, who goes out first?",
    rows="a place, 1 to 4, in a group of games of four that were played to the end.",
    own=(
        Column("led", "BOOLEAN", "Whether the seat led the game"),
        Column("seat", "TINYINT", "Seat from 0, in play order"),
        Column("bombs", "BIGINT", "Bombs that it played", unit="bombs"),
    ),
    by=("led",),
    always=(Column("place", "TINYINT", "Place, the order of going out"),),
    columns=(
        Column("hands", "BIGINT", "Seats that came to this place", unit="seats"),
        Column("opportunities", "BIGINT", "Seats of the group", unit="seats"),
        Column("share", "DOUBLE", "The one of the other", _NO_HAND),
        Column("share_low", "DOUBLE", "Wilson interval, lower end", _NO_HAND),
        Column("share_high", "DOUBLE", "Wilson interval, upper end", _NO_HAND),
    ),
    steps=place_steps,
)

STUDIES: Final = (KOU, LEFT, PLACES, LENGTH)
