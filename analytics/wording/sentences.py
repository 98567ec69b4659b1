"""One sentence for one finding, as a support person would say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from analytics.findings import Code, Finding
from analytics.wording.catalogue import USUAL, Language
from analytics.wording.melds import meld_in_words
from analytics.wording.values import UNKNOWN, clean, difference, plain, shown
from analytics.wording.words import NO_TERMS, Terms, Words, term_of

# Fields that come from the finding itself; every other field is one of its params.
OWN_FIELDS: Final = ("file", "line", "game", "action", "seat", "recorded", "recomputed")
STANDS: Final = "stands"  # what was recorded: text in quotes, a number as it is
# Numbers that are names: they take no thousands separators.
_NAMES: Final = frozenset({"line", "first_line", "action", "seat"})
# Params by whose value a code has sentences of their own.
_TELLING: Final = ("reason", "where", "what", "expected")
# Codes whose recorded and recomputed are words of the catalogue, and of which table.
_WORDS: Final[Mapping[Code, str]] = {Code.SETTLE_END: "end", Code.SETTLE_KOU: "kou"}
# Params that are melds.
_MELDS: Final = frozenset({"table", "smallest"})


def sentence(finding: Finding, language: Language, terms: Terms = NO_TERMS) -> str:
    """One sentence that says what is wrong, with the values.

    Args:
        finding: what is wrong.
        language: of the sentence.
        terms: what the house calls otherwise: the ``terms`` of the finding's ruleset.

    Guarantees:
        Pure, and never fails on what a finding carries: a value that is missing is
        "?"; text from a log has its control characters escaped and is cut.

    Raises:
        ValueError: there is no such language.

    >>> sentence(Finding(Code.PLAY_TURN, "a.jsonl", seat=2, recorded=2, recomputed=3), "en")
    'Seat 2 acted, but it was the turn of seat 3.'
    >>> kou = Finding(Code.SETTLE_KOU, "a.jsonl", recorded="dan", recomputed="shuang")
    >>> sentence(kou, "zh", {"dan": "次扣", "kou": "扣"})
    '扣记录为次扣，按规则应为双扣。'
    """
    words = Words(language, terms)
    return _template(finding, words).format_map(_Fields(finding, words))


class _Fields:
    """The fields of a template, made as they are asked for."""

    def __init__(self, finding: Finding, words: Words) -> None:
        self._finding = finding
        self._words = words

    def __getitem__(self, name: str) -> str:
        finding, words = self._finding, self._words
        term = term_of(name)
        if term is not None:
            return words.term(term)
        if name == "difference":
            return difference(finding.recorded, finding.recomputed)
        if name == STANDS:
            return _standing(finding.recorded, words)
        if name in _MELDS:
            return _meld(finding, name, words)
        value = getattr(finding, name) if name in OWN_FIELDS else finding.params.get(name)
        if isinstance(value, str):
            return _text(value, finding.code, name, words)
        return plain(value) if name in _NAMES else shown(value)


def _standing(value: object, words: Words) -> str:
    return words.said("quoted", text=clean(value)) if isinstance(value, str) else shown(value)


def _meld(finding: Finding, name: str, words: Words) -> str:
    """The meld that a param is; "?" where it is none."""
    try:
        return clean(meld_in_words(finding.params[name], words))
    except Exception:  # as with any value: what a finding carries may be anything
        return UNKNOWN


def _template(finding: Finding, words: Words) -> str:
    """The code's sentence that fits this finding best."""
    sentences = words.texts.sentences[finding.code]
    return next(sentences[v] for v in _variants(finding) if v in sentences)


def _variants(finding: Finding) -> Iterator[str]:
    """The variants that fit, the closest first."""
    for name in _TELLING:
        if isinstance(value := finding.params.get(name), str):
            yield value
    if isinstance(finding.params.get("asked"), str):
        yield "asked"
    if finding.params.get("compressed") is True:
        yield "compressed"
    if finding.recorded is None:
        yield "missing"
    if isinstance(finding.recorded, str):
        yield "text"
    yield USUAL


def _text(value: str, code: Code, name: str, words: Words) -> str:
    """A text field: translated where it is a word of ours, else as it is."""
    if name == "expected":
        phrases = words.texts.phrases
        return phrases.get(value) or words.said("phrase", phrase=clean(value))
    key = f"{_WORDS.get(code)}.{value}"
    return words.word(key) if key in words.texts.words else clean(value)
