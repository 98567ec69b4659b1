"""The words of the command line, looked up when they are printed.

All texts are in ``analytics.wording``; help need not wait for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from analytics.wording import Language

NO_TERMS: Final[Mapping[str, str]] = {}


def heading(name: str, language: Language, terms: Mapping[str, str] = NO_TERMS) -> str:
    """The heading of a column, in the house's words where all rows are of its games."""
    from analytics.wording import Words

    return Words(language, terms).word(f"column.{name}")


def said(name: str, language: Language, /, **values: Any) -> str:
    """A sentence of the command line with its values."""
    from analytics.wording import Words

    return Words(language).said(f"said.{name}", **values)
