"""What a table of the warehouse is: its columns, each with type, unit and meaning of null.

Everything else about tables is made from these records: the Arrow schemas that are
written, the views and their comments, the page ``docs/tables.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, NamedTuple

import pyarrow as pa


class Layer(StrEnum):
    """What a table depends on, and so when it is written.

    ``FACTS``: on the log and ``[play]``; written once. ``VERDICT``: on the whole ruleset;
    written again by every resettling. ``BOTH``: rows of either kind (findings).
    """

    FACTS = "facts"
    VERDICT = "verdict"
    BOTH = "both"


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: as SQL has it; never a reserved word.
        type: of SQL, a key of ``ARROW``.
        meaning: one phrase.
        null: what null means; "": it is never null.
        unit: of amounts, counts and times; "": it has none.
    """

    name: str
    type: str
    meaning: str
    null: str = ""
    unit: str = ""

    @property
    def comment(self) -> str:
        """Meaning, unit and meaning of null as one line."""
        unit = f" Unit: {self.unit}." if self.unit else ""
        null = f" Null: {self.null}." if self.null else ""
        return f"{self.meaning}.{unit}{null}"


ARROW: Final = {
    "BIGINT": pa.int64(),
    "UBIGINT": pa.uint64(),
    "INTEGER": pa.int32(),
    "SMALLINT": pa.int16(),
    "TINYINT": pa.int8(),
    "BOOLEAN": pa.bool_(),
    "VARCHAR": pa.string(),
    "TIMESTAMPTZ": pa.timestamp("us", tz="UTC"),
}


@dataclass(frozen=True)
class Table:
    """A table that lies in parts.

    Attributes:
        name: of its folder and of its view.
        meaning: what a row is.
        layer: what it depends on.
        columns: in order; the view adds ``DAY``.
    """

    name: str
    meaning: str
    layer: Layer
    columns: tuple[Column, ...]

    @cached_property
    def schema(self) -> Any:
        """The Arrow schema of its files; ``day`` is no part of it, but of their path."""
        return pa.schema(
            [pa.field(c.name, ARROW[c.type], nullable=bool(c.null)) for c in self.columns]
        )


GAME: Final = Column("game_key", "BIGINT", "Key of the game: hash of its id, unique")
SEAT: Final = Column("seat", "TINYINT", "Seat from 0, in play order")
SETTLEMENT: Final = Column(
    "settlement_key", "BIGINT", "By which ruleset and engine: key of `settlements`"
)
DAY: Final = Column(
    "day",
    "DATE",
    "Day on which the game started, in the zone of the warehouse",
    "no start was logged",
)
