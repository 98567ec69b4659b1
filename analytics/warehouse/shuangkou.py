"""双扣 (Shuangkou): the tables of this family.

Source: rules clauses 3, 4 and 6 to 8; the facts are those of ``shuangkou.desk``.
"""

from __future__ import annotations

from typing import Final

from analytics.warehouse.tables import GAME, SEAT, SETTLEMENT, Column, Layer, Table

_BROKEN: Final = "the replay broke"
_BAD_DEAL: Final = "the deal could not be read"
_NOT_RECORDED: Final = "the house did not record it"
_UNSETTLED: Final = "not settled, or an escape"

SHUANGKOU_GAMES: Final = Table(
    "shuangkou_games",
    "What was played in a game",
    Layer.FACTS,
    (
        GAME,
        Column("leader", "TINYINT", "The seat that leads"),
        Column("shown", "VARCHAR", "The shown card", "not logged"),
        Column("winner", "TINYINT", "The seat that won; of an escape the one that stayed", _BROKEN),
        Column("fleer", "TINYINT", "The seat that escaped", "nobody did"),
        Column("recorded_end", "VARCHAR", "Ending: `out` or `escape`", _NOT_RECORDED),
        Column("recorded_winner", "BIGINT", "Seat of the winner", _NOT_RECORDED),
        Column("recorded_kou", "VARCHAR", "`ping`, `dan` or `shuang`", _NOT_RECORDED),
        Column("recorded_doubling", "BIGINT", "The multiplier b", _NOT_RECORDED, "times"),
    ),
)

SHUANGKOU_SEATS: Final = Table(
    "shuangkou_seats",
    "What a seat was dealt and what it played; of a broken replay, as far as it went",
    Layer.FACTS,
    (
        GAME,
        SEAT,
        Column("team", "TINYINT", "0 or 1: the seat modulo 2"),
        Column("rank_bombs", "TINYINT", "Ranks dealt four times or more", _BAD_DEAL, "ranks"),
        Column("jokers", "TINYINT", "Jokers dealt", _BAD_DEAL, "cards"),
        Column("spades", "TINYINT", "Natural spades dealt", _BAD_DEAL, "cards"),
        Column("hearts", "TINYINT", "Natural hearts dealt", _BAD_DEAL, "cards"),
        Column("clubs", "TINYINT", "Natural clubs dealt", _BAD_DEAL, "cards"),
        Column("diamonds", "TINYINT", "Natural diamonds dealt", _BAD_DEAL, "cards"),
        Column("repeated", "TINYINT", "Faces dealt to it twice", _BAD_DEAL, "faces"),
        Column("cards_left", "TINYINT", "Cards left at the end", unit="cards"),
        Column("place", "TINYINT", "Place 1 to 4", "two players, or the game did not end"),
        Column("has_played", "BOOLEAN", "Whether it has played a card"),
        Column("declined", "SMALLINT", "Its own passes though it could beat", unit="plies"),
        Column("best", "TINYINT", "Highest xiang of its bombs; 0 without bombs", unit="xiang"),
        Column("linked", "TINYINT", "Highest X of two linked bombs X, X; else 0", unit="xiang"),
        Column("fours", "TINYINT", "Its bombs of one rank and xiang 4", unit="bombs"),
        Column("fives", "TINYINT", "Its bombs of one rank and xiang 5", unit="bombs"),
        Column("fours_apart", "TINYINT", "The most of these with no two adjacent", unit="bombs"),
        Column("fives_apart", "TINYINT", "The most of these with no two adjacent", unit="bombs"),
        Column("bombs_low", "UBIGINT",
               "Bombs per xiang: four bits each for xiang 0 to 15, lowest first"),
        Column("bombs_high", "UBIGINT", "The same for xiang 16 to 31"),
        Column("recorded_place", "BIGINT", "Place", _NOT_RECORDED),
        Column("recorded_xiang", "BIGINT", "Effective xiang", _NOT_RECORDED, "xiang"),
        Column("recorded_contribution", "BIGINT", "Net contribution", _NOT_RECORDED, "times base"),
    ),
)  # fmt: skip

SHUANGKOU_BOMBS: Final = Table(
    "shuangkou_bombs",
    "A bomb that was played; of a broken replay, as far as it went",
    Layer.FACTS,
    (
        GAME,
        SEAT,
        Column("action", "INTEGER", "Index of its action, from 0"),
        Column("kind", "VARCHAR", "`bomb`, `chain`, `three_jokers` or `four_jokers`"),
        Column("xiang", "TINYINT", "Its xiang", unit="xiang"),
        Column("cards", "TINYINT", "Its cards", unit="cards"),
        Column("groups", "TINYINT", "Ranks of a chain; 0 for other bombs", unit="ranks"),
        Column("top", "VARCHAR", "Its highest rank as written in the log", "a joker bomb"),
        Column("jokers", "TINYINT", "Jokers in it", unit="cards"),
        Column("beaten", "BOOLEAN", "Whether another play beat it"),
    ),
)

SHUANGKOU_SETTLED: Final = Table(
    "shuangkou_settled",
    "What a seat of a replayed game gets",
    Layer.VERDICT,
    (
        GAME,
        SEAT,
        SETTLEMENT,
        Column("kou", "VARCHAR", "`ping`, `dan` or `shuang`, of the game", "an escape"),
        Column("base", "BIGINT", "The base X of the game", "no level", "the room's unit"),
        Column("doubling", "BIGINT", "The multiplier b of the game", _UNSETTLED, "times"),
        Column("xiang", "TINYINT", "Effective xiang, capped", unit="xiang"),
        Column("contribution", "BIGINT", "Net contribution", _UNSETTLED, "times base"),
        Column("delta", "BIGINT", "What the seat gets in all", "no level", "the room's unit"),
        Column("fee", "BIGINT", "The fee that it pays", unit="the room's unit"),
    ),
)

SHUANGKOU: Final = (SHUANGKOU_GAMES, SHUANGKOU_SEATS, SHUANGKOU_BOMBS, SHUANGKOU_SETTLED)
