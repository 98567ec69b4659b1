"""A meld in words: the engine's short English text in the words of a language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_CARDS: Final = re.compile(r"(\d+) cards? of (\w+)")
_RUN: Final = re.compile(r"(\d+) cards up to (\w+)")
_GROUPS: Final = re.compile(r"(\d+) groups")
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
    >>> meld_in_words("straight 5 cards up to 9", catalogue("zh").words)
    '顺子 5 张，到 9'
    >>> meld_in_words("pair_run T", catalogue("en").words)
    'pair run 10'
    """
    cards = _CARDS.sub(lambda m: words["meld.cards"].format(count=m[1], rank=m[2]), text)
    cards = _RUN.sub(lambda m: words["meld.run"].format(count=m[1], rank=m[2]), cards)
    cards = _GROUPS.sub(lambda m: words["meld.groups"].format(count=m[1]), cards)
    named = _WORD.sub(lambda m: _in_words(m[0], words), cards)
    return named.replace(", ", words["meld.comma"])


def _in_words(name: str, words: Mapping[str, str]) -> str:
    keys = (f"kind.{name}", f"rank.{name}", f"meld.word.{name}")
    return next((words[key] for key in keys if key in words), name)
