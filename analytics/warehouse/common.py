"""The tables that every game family has."""

from __future__ import annotations

from typing import Final

from analytics.warehouse.tables import GAME, SEAT, SETTLEMENT, Column, Layer, Table

_NOT_LOGGED: Final = "not logged"
_NOT_RECORDED: Final = "the house did not record it"

GAMES: Final = Table(
    "games",
    "A recorded game, each id once",
    Layer.FACTS,
    (
        GAME,
        Column("id", "VARCHAR", "The id as logged"),
        Column("family", "VARCHAR", "The game word of the log"),
        Column("rules", "VARCHAR", "The ruleset as logged, with or without version"),
        Column("room", "VARCHAR", "The room", _NOT_LOGGED),
        Column("table_id", "VARCHAR", "The table (`table` in the log)", _NOT_LOGGED),
        Column("round", "VARCHAR", "Number of the game at its table, as logged", _NOT_LOGGED),
        Column("deal", "VARCHAR", "The dealing mode", _NOT_LOGGED),
        Column("arm", "VARCHAR", "The arm of an experiment", _NOT_LOGGED),
        Column("client", "VARCHAR", "The client", _NOT_LOGGED),
        Column("started", "TIMESTAMPTZ", "When it started", _NOT_LOGGED),
        Column("started_zone", "SMALLINT", "The logged offset of that", _NOT_LOGGED, "minutes"),
        Column("ended", "TIMESTAMPTZ", "When it ended", _NOT_LOGGED),
        Column("ended_zone", "SMALLINT", "The logged offset of that", _NOT_LOGGED, "minutes"),
        Column("seats", "TINYINT", "Number of seats"),
        Column("given_base", "BIGINT", "The base as recorded", _NOT_LOGGED, "the room's unit"),
        Column("ending", "VARCHAR", "How it ended: `out` or `escape`", "the replay broke"),
        Column("broken_by", "VARCHAR", "Code of the finding that ended the replay", "none did"),
        Column("actions", "INTEGER", "Actions judged", unit="actions"),
        Column("plies", "INTEGER", "Plays and passes judged", unit="plies"),
        Column("last_action", "BIGINT", "Time of the last action", _NOT_LOGGED, "ms from start"),
        Column("file_key", "VARCHAR", "The log that it is in: key of `files`"),
        Column("line", "BIGINT", "Its line there (Parquet: its row), from 1"),
        Column("position", "BIGINT", "Byte where that begins (Parquet: row from 0)"),
        Column("content", "BIGINT", "Hash of all that the log says of the game"),
    ),
)  # fmt: skip

SEATS: Final = Table(
    "seats",
    "A seat of a game",
    Layer.FACTS,
    (
        GAME,
        SEAT,
        Column("player", "VARCHAR", "The player, as logged"),
        Column("balance", "BIGINT", "Balance before the game", unit="the room's unit"),
        Column("recorded_delta", "BIGINT", "What the house paid", _NOT_RECORDED, "the room's unit"),
        Column("recorded_fee", "BIGINT", "The fee it took", _NOT_RECORDED, "the room's unit"),
        Column("recorded_balance", "BIGINT", "Balance after", _NOT_RECORDED, "the room's unit"),
        Column("escaped", "BOOLEAN", "Whether this seat fled and so ended the game"),
        Column("timeouts", "SMALLINT", "Turns that timed out", unit="turns"),
        Column("trustee_turns", "SMALLINT", "Plays and passes by the system", unit="plies"),
        Column("passes", "SMALLINT", "Passes, those of the system among them", unit="plies"),
    ),
)

VERDICTS: Final = Table(
    "verdicts",
    "What verification says of a game",
    Layer.VERDICT,
    (
        GAME,
        SETTLEMENT,
        Column("ruleset", "VARCHAR", "The ruleset by which it was settled, name@version"),
        Column("settled", "BOOLEAN", "Whether there are amounts: it was replayed and has a base"),
        Column(
            "errors",
            "INTEGER",
            "Findings of severity error on it; `format.duplicate` is on another game",
            unit="findings",
        ),
        Column(
            "system", "BIGINT", "What the system account gets", "not settled", "the room's unit"
        ),
    ),
)

POSTINGS: Final = Table(
    "postings",
    "An amount that an account of a game gets for an item; those of a game add up to zero",
    Layer.VERDICT,
    (
        GAME,
        SETTLEMENT,
        Column("account", "TINYINT", "The seat, or -1 for the system"),
        Column(
            "item",
            "VARCHAR",
            "What for: `base`, `doubling`, `contribution`, `escape`, `fee`, `cap` or `mint`",
        ),
        Column("amount", "BIGINT", "How much; what is paid is negative", unit="the room's unit"),
    ),
)

FINDINGS: Final = Table(
    "findings",
    "One thing that is wrong",
    Layer.BOTH,
    (
        Column("game_key", "BIGINT", "The game; of `format.duplicate` the game that counts",
               "a line or file that could not be read"),
        Column("settlement_key", "BIGINT", "By which ruleset and engine: key of `settlements`",
               "it depends on no scoring"),
        Column("code", "VARCHAR", "What kind of thing, as in docs/findings.md"),
        Column("severity", "VARCHAR", "`error`, `warning` or `info`"),
        Column("action", "INTEGER", "Index of the action, from 0", "no single action"),
        Column("seat", "TINYINT", "Seat from 0", "no single seat"),
        Column("recorded", "BIGINT", "What the house recorded, as a number",
               "nothing, or no number", "of the component"),
        Column("recomputed", "BIGINT", "What it should be, as a number",
               "nothing, or no number", "of the component"),
        Column("file_key", "VARCHAR", "The log: key of `files`"),
        Column("line", "BIGINT", "Line from 1 (Parquet: row)", "the whole file"),
    ),
)  # fmt: skip

COMMON: Final = (GAMES, SEATS, VERDICTS, POSTINGS, FINDINGS)
