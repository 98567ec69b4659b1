"""Which tables there are: the common ones, and those of every game family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from analytics.warehouse import shuangkou
from analytics.warehouse.common import COMMON
from analytics.warehouse.tables import Layer, Table

OF_FAMILY: Final[Mapping[str, tuple[Table, ...]]] = {"shuangkou": shuangkou.SHUANGKOU}
TABLES: Final = (*COMMON, *(table for own in OF_FAMILY.values() for table in own))
BY_NAME: Final[Mapping[str, Table]] = {table.name: table for table in TABLES}
EARLIER: Final = "earlier_"  # begins the name of the view of verdicts that were replaced


def tables_of(*layers: Layer) -> tuple[Table, ...]:
    """The tables that are written with a layer."""
    return tuple(table for table in TABLES if table.layer in layers)
