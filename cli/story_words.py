"""How a game that is shown is put into words: cards, melds, terms, and plain ASCII."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from cli.tables import cell

if TYPE_CHECKING:
    from analytics.shuangkou.melds import Meld
    from analytics.shuangkou.terms import Used, Why
    from analytics.wording import Words

_SUITS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_JOKERS: Final = {"SJ": "小王", "BJ": "大王"}
_ASCII: Final = str.maketrans(
    {
        "·": "*", "–": "-", "→": "->", "⌊": "floor(", "⌋": ")",
        "✓": "ok", "✗": "!!", "…": "...",
    }
)  # fmt: skip
_SYMBOLS: Final = "♠♥♣♦·–→⌊⌋✓✗…小王大"


def can_show_symbols() -> bool:
    """Whether standard output can encode the suits and all other signs."""
    try:
        _SYMBOLS.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


class PageWords:
    """The words of a page, and the signs that cards and terms are written with.

    Args:
        words: of the language, and of the house.
        is_ascii: whether suits, jokers and signs are written in ASCII.
    """

    def __init__(self, words: Words, *, is_ascii: bool) -> None:
        self.words = words
        self._is_ascii = is_ascii

    def word(self, key: str) -> str:
        """A word of the catalogue."""
        return self.plain(self.words.word(key))

    def said(self, key: str, /, **values: object) -> str:
        """A text under ``show`` with its values; numbers get separators, texts are escaped."""
        shown = {name: self.value(value) for name, value in values.items()}
        return self.plain(self.words.said(f"show.{key}", **shown))

    def plain(self, text: str) -> str:
        """The text, with signs in ASCII where that was asked for."""
        return text.translate(_ASCII) if self._is_ascii else text

    def value(self, value: object) -> str:
        """Any single value."""
        if isinstance(value, int):
            return f"{value:,}"
        return self.plain(cell(value))

    def cards(self, faces: Iterable[int]) -> str:
        """Cards by rank, each rank once with its suits; a joker is itself."""
        from analytics.cards import write_faces

        texts = [write_faces([face]) for face in sorted(faces)]
        groups = groupby(texts, key=lambda text: text if text in _JOKERS else text[0])
        return " ".join(self._group(rank, list(group)) for rank, group in groups)

    def _group(self, rank: str, texts: list[str]) -> str:
        if rank in _JOKERS:
            return " ".join([rank if self._is_ascii else _JOKERS[rank]] * len(texts))
        suits = (text[1] if self._is_ascii else _SUITS[text[1]] for text in texts)
        return ("10" if rank == "T" else rank) + "".join(suits)

    def card(self, text: str) -> str:
        """One card as logged, or whatever stands in its place."""
        from analytics.cards import NO_FACE, face_of

        face = face_of(text)
        return cell(text) if face == NO_FACE else self.cards([face])

    def meld(self, fields: Mapping[str, Any] | None) -> str:
        """A meld, given as JSON has it, for instance ``straight 5–9``."""
        from analytics.wording import meld_in_words

        return self.plain(meld_in_words(fields, self.words))

    def read_as(self, meld: Meld) -> str:
        """A meld as it was read."""
        from analytics.shuangkou.reading import meld_json

        return self.meld(meld_json(meld))

    def why(self, why: Why) -> str:
        """A reason."""
        from analytics.wording import rank_in_words

        values = dict(why.values)
        if why.key == "best":
            values["meld"] = self.meld(values)
        for name in ("low", "high"):
            if name in values:
                values[name] = rank_in_words(str(values[name]), self.words)
        return self.said(f"why.{why.key}", **values)

    def used(self, used: Used) -> str:
        """A row of a table, named as the ruleset's file names it."""
        return self.plain(
            f"{used.table} {used.key}→{used.value}" if used.key else f"{used.table} {used.value}"
        )
