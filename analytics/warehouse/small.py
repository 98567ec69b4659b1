"""The small tables of ``paipu.duckdb``: what is no part, and can be made anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analytics.warehouse.tables import DAY, SETTLEMENT, Column


@dataclass(frozen=True)
class SmallTable:
    """A table that lies in the database itself.

    Attributes:
        name: of the table.
        meaning: what a row is.
        columns: in order.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]


_FILE: Final = Column("file_key", "VARCHAR", "The log: hash of its bytes")

FILES: Final = SmallTable(
    "files",
    "A log that was loaded",
    (
        _FILE,
        Column("path", "VARCHAR", "Its path, as it was given"),
        Column("bytes", "BIGINT", "Its size", unit="bytes"),
        Column("loaded", "TIMESTAMPTZ", "When it was loaded"),
        Column("games", "BIGINT", "Games that it brought", unit="games"),
        Column("duplicates", "BIGINT", "Games left out as copies of others", unit="games"),
    ),
)
RULESETS: Final = SmallTable(
    "rulesets",
    "A version of a ruleset that games were settled by",
    (
        Column("ruleset", "VARCHAR", "name@version"),
        Column("ruleset_hash", "VARCHAR", "Hash of all its settings"),
        Column("play_hash", "VARCHAR", "Hash of its `[play]`, which the facts depend on"),
        Column("seats", "TINYINT", "Number of seats"),
        Column("unit", "VARCHAR", "The unit of its amounts"),
        Column("effective_from", "TIMESTAMPTZ", "From when it is in effect", "always"),
        Column("lead_policy", "VARCHAR", "Who leads: `shown` or `any`, as in `[play]`"),
        Column("toml", "VARCHAR", "The ruleset as a file"),
    ),
)
SETTLEMENTS: Final = SmallTable(
    "settlements",
    "By what games were settled: a ruleset and a version of paipu",
    (
        SETTLEMENT._replace(meaning="Hash of the two"),
        Column("ruleset", "VARCHAR", "name@version"),
        Column("ruleset_hash", "VARCHAR", "Hash of all its settings: with `ruleset`, "
               "key of `rulesets`"),
        Column("engine", "VARCHAR", "Version of paipu"),
        Column("unit", "VARCHAR", "The unit of its amounts"),
    ),
)  # fmt: skip
JOURNAL: Final = SmallTable(
    "journal",
    "A command that changed the warehouse",
    (
        Column("entry", "BIGINT", "Number from 1, in order of time"),
        Column("done", "TIMESTAMPTZ", "When it was done"),
        Column("command", "VARCHAR", "`load`, `unload`, `prune` or `resettle`"),
        Column("what", "VARCHAR", "The file, the day, or the rulesets"),
        Column("games", "BIGINT", "Games added, taken out or settled again", unit="games"),
        Column("rows", "BIGINT", "Rows of all tables added or taken out", unit="rows"),
    ),
)
_OF_A_DAY: Final = (
    DAY,
    Column("room", "VARCHAR", "The room", "not logged"),
    Column("ruleset", "VARCHAR", "The ruleset by which games were settled, name@version"),
    Column("unit", "VARCHAR", "The unit of its amounts"),
)
MISMATCHED: Final = (
    "Games with a finding of severity error, as in `verify`: "
    "another game under their id (`format.duplicate`) does not count"
)
DAILY_GAMES: Final = SmallTable(
    "daily_games",
    "Games of a day, room and ruleset",
    (
        *_OF_A_DAY,
        Column("games", "BIGINT", "Games", unit="games"),
        Column("seats", "BIGINT", "Seats in them", unit="seats"),
        Column("escapes", "BIGINT", "Games that ended by an escape", unit="games"),
        Column("broken", "BIGINT", "Games whose replay broke", unit="games"),
        Column("mismatched", "BIGINT", MISMATCHED, unit="games"),
    ),
)
DAILY_POSTINGS: Final = SmallTable(
    "daily_postings",
    "What seats, or the system, got for an item on a day in a room by a ruleset",
    (
        *_OF_A_DAY,
        Column("side", "VARCHAR", "`seats` or `system`"),
        Column("item", "VARCHAR", "What for, as in `postings`"),
        Column("postings", "BIGINT", "Postings", unit="postings"),
        Column("received", "HUGEINT", "Sum of the positive amounts", unit="the room's unit"),
        Column("paid", "HUGEINT", "Sum of the negative amounts", unit="the room's unit"),
    ),
)

SMALL: Final = (FILES, RULESETS, SETTLEMENTS, JOURNAL, DAILY_GAMES, DAILY_POSTINGS)
