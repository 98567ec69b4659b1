"""How a game that is shown is put into words: cards, melds, terms, and plain ASCII."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from cli.tables import cell

if TYPE_CHECKING:
    from analytics.rules import Ruleset
    from analytics.shuangkou.melds import Meld
    from analytics.shuangkou.terms import Used, Why
    from analytics.wording import Language

_SUITS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_JOKERS: Final = {"SJ": "小王", "BJ": "大王"}
_ASCII: Final = str.maketrans(
    {
        "·": "*", "−": "-", "–": "-", "→": "->", "⌊": "floor(", "⌋": ")",
        "✓": "ok", "✗": "!!", "…": "...",
    }
)  # fmt: skip
_SYMBOLS: Final = "♠♥♣♦·−–→⌊⌋✓✗…小王大"
# Parts per rank of the kinds that are runs.
_PER_RANK: Final = {"straight": 1, "pair_run": 2, "triple_run": 3}


def can_show_symbols() -> bool:
    """Whether standard output can encode the suits and all other signs."""
    try:
        _SYMBOLS.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


class Words:
    """The words of one language, and of one ruleset's house where it has its own.

    Args:
        language: of everything.
        ruleset: whose ``[terms]`` count. A term in hanzi only does so in Chinese.
        is_ascii: whether suits, jokers and signs are written in ASCII.
    """

    def __init__(self, language: Language, ruleset: Ruleset, *, is_ascii: bool) -> None:
        self.language = language
        self._terms = {
            name: term for name, term in ruleset.terms.items() if language == "zh" or term.isascii()
        }
        self._is_ascii = is_ascii

    def word(self, key: str) -> str:
        """A word of the catalogue."""
        from analytics.wording import word

        return self.plain(word(key, self.language))

    def said(self, key: str, **values: object) -> str:
        """A text under ``show`` with its values; numbers get separators, texts are escaped."""
        shown = {name: self.value(value) for name, value in values.items()}
        return self.word(f"show.{key}").format(**shown)

    def term(self, name: str, otherwise: str) -> str:
        """The house's word, or that of the catalogue under ``otherwise``."""
        return cell(self._terms[name]) if name in self._terms else self.word(otherwise)

    def plain(self, text: str) -> str:
        """The text, with signs in ASCII where that was asked for."""
        return text.translate(_ASCII) if self._is_ascii else text

    def value(self, value: object) -> str:
        """Any single value."""
        if isinstance(value, int):
            return self.plain(f"{value:,}".replace("-", "−"))
        return self.plain(cell(value))

    def rank(self, text: str) -> str:
        """A rank as people write it."""
        if text in _JOKERS:
            return text if self._is_ascii else _JOKERS[text]
        return "10" if text == "T" else text

    def cards(self, faces: Iterable[int]) -> str:
        """Cards by rank, each rank once with its suits; a joker is itself."""
        from analytics.cards import write_faces

        texts = [write_faces([face]) for face in sorted(faces)]
        groups = groupby(texts, key=lambda text: text if text in _JOKERS else text[0])
        return " ".join(self._group(rank, list(group)) for rank, group in groups)

    def _group(self, rank: str, texts: list[str]) -> str:
        if rank in _JOKERS:
            return " ".join([self.rank(rank)] * len(texts))
        suits = (text[1] if self._is_ascii else _SUITS[text[1]] for text in texts)
        return self.rank(rank) + "".join(suits)

    def card(self, text: str) -> str:
        """One card as logged, or whatever stands in its place."""
        from analytics.cards import NO_FACE, face_of

        face = face_of(text)
        return cell(text) if face == NO_FACE else self.cards([face])

    def meld(self, fields: Mapping[str, Any]) -> str:
        """A meld, given as JSON has it, for instance ``straight 5–9``."""
        kind, top = fields["kind"], fields["top"]
        shape = "jokers" if top is None else _shape(kind)
        low = self.rank(_low(kind, fields)) if shape in ("run", "chain") else ""
        return self.said(
            f"meld.{shape}",
            kind=self.term(kind, f"kind.{kind}"),
            rank=self.rank(top or ""),
            low=low,
            high=self.rank(top or ""),
            size=fields["size"],
            xiang=fields["xiang"],
            xiang_word=self.term("xiang", "meld.word.xiang"),
        )

    def read_as(self, meld: Meld) -> str:
        """A meld as it was read."""
        from analytics.shuangkou.reading import meld_json

        return self.meld(meld_json(meld) or {})

    def why(self, why: Why) -> str:
        """A reason."""
        values = dict(why.values)
        if why.key == "best":
            values["meld"] = self.meld(values)
        for name in ("low", "high"):
            if name in values:
                values[name] = self.rank(str(values[name]))
        xiang_word = self.term("xiang", "meld.word.xiang")
        dan, shuang = (self.term(kou, f"kou.{kou}") for kou in ("dan", "shuang"))
        return self.said(
            f"why.{why.key}", **values, xiang_word=xiang_word, dan_word=dan, shuang_word=shuang
        )

    def used(self, used: Used) -> str:
        """A row of a table, named as the ruleset's file names it."""
        return self.plain(
            f"{used.table} {used.key}→{used.value}" if used.key else f"{used.table} {used.value}"
        )


def _shape(kind: str) -> str:
    if kind in _PER_RANK:
        return "run"
    return kind if kind in ("bomb", "chain") else "rank"


def _low(kind: str, fields: Mapping[str, Any]) -> str:
    """The first rank of a run; a cyclic chain may begin with a high one (clause 4)."""
    from analytics.cards import NATURAL_RANKS, RANK_TEXT

    ranks = fields["groups"] or fields["size"] // _PER_RANK[kind]
    return RANK_TEXT[(RANK_TEXT.index(fields["top"]) - ranks + 1) % NATURAL_RANKS]
