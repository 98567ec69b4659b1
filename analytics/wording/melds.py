"""A meld in words: the engine's short English text in the words of a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_CARDS: Final = re.compile(r"(\d+) cards? of (\w+)")
_WORD: Final = re.compile(r"[A-Za-z_]+")


def meld_in_words(text: str, words: Mapping[str, str]) -> str:
    """The meld with kind, jokers and xiang in the words of a language.

    Args:
        text: such as "pair 7" or "bomb 5 cards of K, 5 xiang"; what is not known of
            it stays as it is.
        words: the words of a catalogue.

    >>> from analytics.wording.catalogue import catalogue
    >>> meld_in_words("bomb 5 cards of K, 5 xiang", catalogue("zh").words)
    '炸弹 5 张 K，5 相'
    >>> meld_in_words("pair_run T", catalogue("en").words)
    'pair run 10'
    """
    cards = _CARDS.sub(lambda m: words["meld.cards"].format(count=m[1], rank=m[2]), text)
    named = _WORD.sub(lambda m: _in_words(m[0], words), cards)
    return named.replace(", ", words["meld.comma"])


def _in_words(name: str, words: Mapping[str, str]) -> str:
    keys = (f"kind.{name}", f"rank.{name}", f"meld.word.{name}")
    return next((words[key] for key in keys if key in words), name)
