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

from analytics.wording.catalogue import LANGUAGES, Language, title, word
from analytics.wording.language import default_language
from analytics.wording.sentences import sentence

__all__ = ["LANGUAGES", "Language", "default_language", "sentence", "title", "word"]
