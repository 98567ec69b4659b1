"""The sentences of findings and the words of tables, in English and Chinese.

Everything here is pure: a finding and a language in, text out. The texts are in
``en.toml`` and ``zh.toml``; a test keeps both complete.

>>> from analytics.findings import Code, Finding
>>> sentence(Finding(Code.SETTLE_FEE, "a.jsonl", seat=1, recorded=1500, recomputed=500), "en")
'Seat 1: fee recorded 1,500, by the rules 500 (difference 1,000).'
>>> word("kind.straight", "zh")
'顺子'
"""

from __future__ import annotations

from analytics.wording.catalogue import LANGUAGES, Language
from analytics.wording.language import default_language
from analytics.wording.melds import meld_in_words, rank_in_words
from analytics.wording.mistakes import mistake_line, mistake_sentence
from analytics.wording.sentences import sentence
from analytics.wording.words import NO_TERMS, Terms, Words, agreed_terms, title, word

__all__ = [
    "LANGUAGES",
    "NO_TERMS",
    "Language",
    "Terms",
    "Words",
    "agreed_terms",
    "default_language",
    "meld_in_words",
    "mistake_line",
    "mistake_sentence",
    "rank_in_words",
    "sentence",
    "title",
    "word",
]
