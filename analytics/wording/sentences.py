"""One sentence for one finding, as a support person would say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from analytics.findings import Code, Finding
from analytics.wording.catalogue import USUAL, Catalogue, Language, catalogue
from analytics.wording.melds import meld_in_words
from analytics.wording.values import clean, difference, plain, shown

# Fields that come from the finding itself; every other field is one of its params.
OWN_FIELDS: Final = ("file", "line", "game", "action", "seat", "recorded", "recomputed")
# Numbers that are names: they take no thousands separators.
_NAMES: Final = frozenset({"line", "first_line", "action", "seat"})
# Params by whose value a code has sentences of their own.
_TELLING: Final = ("reason", "where", "what")
# Codes whose recorded and recomputed are words of the catalogue, and of which family.
_WORDS: Final[Mapping[Code, str]] = {Code.SETTLE_END: "end", Code.SETTLE_KOU: "kou"}
# Fields that are the text of a meld.
_MELDS: Final = frozenset({(Code.PLAY_BEAT, "table"), (Code.AUTO_PLAY, "recomputed")})


def sentence(finding: Finding, language: Language) -> str:
    """One sentence that says what is wrong, with the values.

    Guarantees:
        Pure, and never fails on what a finding carries: a value that is missing is
        "?"; text from a log has its control characters escaped and is cut.

    Raises:
        ValueError: there is no such language.

    >>> sentence(Finding(Code.PLAY_TURN, "a.jsonl", seat=2, recorded=2, recomputed=3), "en")
    'Seat 2 acted, but it was the turn of seat 3.'
    """
    texts = catalogue(language)
    return _template(finding, texts).format_map(_Fields(finding, texts))


class _Fields:
    """The fields of a template, made as they are asked for."""

    def __init__(self, finding: Finding, texts: Catalogue) -> None:
        self._finding = finding
        self._texts = texts

    def __getitem__(self, name: str) -> str:
        finding = self._finding
        if name == "difference":
            return difference(finding.recorded, finding.recomputed)
        value = getattr(finding, name) if name in OWN_FIELDS else finding.params.get(name)
        if isinstance(value, str):
            return _text(value, finding.code, name, self._texts)
        return plain(value) if name in _NAMES else shown(value)


def _template(finding: Finding, texts: Catalogue) -> str:
    """The code's sentence that fits this finding best."""
    sentences = texts.sentences[finding.code]
    return next(sentences[v] for v in _variants(finding) if v in sentences)


def _variants(finding: Finding) -> Iterator[str]:
    """The variants that fit, the closest first."""
    for name in _TELLING:
        if isinstance(value := finding.params.get(name), str):
            yield value
    if finding.params.get("compressed") is True:
        yield "compressed"
    if finding.recorded is None:
        yield "missing"
    yield USUAL


def _text(value: str, code: Code, name: str, texts: Catalogue) -> str:
    """A text field: translated where it is a word of ours, else as it is."""
    if (code, name) in _MELDS:
        return clean(meld_in_words(value, texts.words))
    if name == "expected":
        return texts.phrases.get(value) or texts.words["phrase"].format(phrase=clean(value))
    family = _WORDS.get(code)
    known = None if family is None else texts.words.get(f"{family}.{value}")
    return clean(value) if known is None else known
