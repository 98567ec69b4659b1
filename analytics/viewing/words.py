"""``PageWords``: how a page writes cards, melds and reasons, in signs or in plain ASCII."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Final

from analytics.cards import NO_FACE, face_of, write_faces
from analytics.shuangkou.melds import Meld
from analytics.shuangkou.reading import meld_json
from analytics.shuangkou.terms import Used, Why
from analytics.wording import Words, meld_in_words, rank_in_words
from analytics.wording.values import cell

_SUITS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_JOKERS: Final = {"SJ": "小王", "BJ": "大王"}
_ASCII: Final = str.maketrans(
    {
        "·": "*", "–": "-", "→": "->", "⌊": "floor(", "⌋": ")",
        "✓": "ok", "✗": "!!", "…": "...",
    }
)  # fmt: skip


class PageWords:
    """The words of a page, and the signs that cards and terms are written with.

    Args:
        words: of the language, and of the house.
        is_ascii: whether suits, jokers and signs are written in ASCII.
    """

    def __init__(self, words: Words, *, is_ascii: bool = False) -> None:
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
        face = face_of(text)
        return cell(text) if face == NO_FACE else self.cards([face])

    def meld(self, fields: Mapping[str, Any] | None) -> str:
        """A meld, given as JSON has it, for instance ``straight 5–9``."""
        return self.plain(meld_in_words(fields, self.words))

    def read_as(self, meld: Meld) -> str:
        """A meld as it was read."""
        return self.meld(meld_json(meld))

    def why(self, why: Why) -> str:
        """A reason."""
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
