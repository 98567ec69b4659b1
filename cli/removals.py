"""What ``paipu unload`` and ``paipu prune`` write: how much was taken out."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from cli.output import Listing, write_object, write_records

if TYPE_CHECKING:
    from analytics.warehouse.removing import Removed
    from analytics.wording import Language

LISTING: Final = Listing("removed", ("what", "games", "rows", "bytes"))


def write(removed: Removed, form: str, language: Language) -> None:
    """Writes one record in the format that was asked for."""
    record = asdict(removed)
    if form == "json":
        write_object({"removed": record})
    else:
        write_records([record], LISTING, form, language)
