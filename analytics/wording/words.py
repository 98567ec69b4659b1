"""``Words``: the words of one language, and of a house where it has its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from analytics.findings import Code
from analytics.wording.catalogue import Catalogue, Language, catalogue
from analytics.wording.values import clean

Terms = Mapping[str, str]

NO_TERMS: Final[Terms] = {}
# Tables of the catalogue in which a term has the key that it has in [terms]; where several
# have it, the first one has the usual word.
_TABLES: Final = ("term", "kou", "kind", "end", "item")
_MARK: Final = "_word"  # ends the name of a field that stands for a term


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language, and of a house where it has its own.

    A house word in hanzi counts in Chinese only: an English text could not be read with it.

    Attributes:
        language: of everything.
        terms: what the house calls otherwise, a ruleset's ``terms``.

    >>> Words("zh", {"xiang": "星"}).said("meld.bomb", kind="炸弹", rank="7", xiang=5)
    '5星炸弹 7'
    >>> Words("en", {"xiang": "星"}).word("column.xiang")
    'xiang'
    """

    language: Language
    terms: Terms = field(default_factory=dict)

    @property
    def texts(self) -> Catalogue:
        """All texts of the language."""
        return catalogue(self.language)

    def word(self, key: str) -> str:
        """The word of a dotted key.

        Raises:
            KeyError: there is no such word.
        """
        table, _, name = key.rpartition(".")
        own = self._own(name) if table in _TABLES else None
        return own or self._with_terms(self.texts.words[key])

    def said(self, key: str, /, **values: object) -> str:
        """The text of a dotted key with its values, and with the house's terms."""
        return self.texts.words[key].format_map(_Filled(self, values))

    def term(self, name: str) -> str:
        """What a term is called; ``name`` is a key of a ruleset's ``terms``."""
        keys = (f"{table}.{name}" for table in _TABLES)
        return self.word(next(key for key in keys if key in self.texts.words))

    def title(self, code: Code) -> str:
        """A few words that name what a finding of this code is about."""
        text = self._with_terms(self.texts.titles[code])
        return text[:1].upper() + text[1:]

    def _own(self, name: str) -> str | None:
        own = self.terms.get(name)
        return clean(own) if own and (self.language == "zh" or own.isascii()) else None

    def _with_terms(self, text: str) -> str:
        """A text whose fields are terms; any other text as it is."""
        return text.format_map(_Filled(self, {})) if f"{_MARK}}}" in text else text


class _Filled(dict[str, object]):
    """The values of a text; terms are looked up when they are asked for."""

    def __init__(self, words: Words, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self._words = words

    def __missing__(self, name: str) -> str:
        term = term_of(name)
        if term is None:
            raise KeyError(name)
        return self._words.term(term)


def term_of(field_name: str) -> str | None:
    """The term that a field of a text stands for; None: it is no term.

    >>> term_of("xiang_word"), term_of("xiang")
    ('xiang', None)
    """
    return field_name.removesuffix(_MARK) if field_name.endswith(_MARK) else None


def agreed_terms(houses: Iterable[Terms]) -> Terms:
    """The words that all these houses share: what a common heading may use.

    >>> agreed_terms([{"xiang": "星", "fee": "茶钱"}, {"xiang": "星", "fee": "台费"}])
    {'xiang': '星'}
    """
    found = list(houses)
    first = found[0] if found else NO_TERMS
    return {k: v for k, v in first.items() if all(terms.get(k) == v for terms in found)}


def word(key: str, language: Language) -> str:
    """The word of a dotted key: kinds, kou, ends, severities, column headings and more.

    Raises:
        KeyError: there is no such word.

    >>> word("kou.dan", "zh"), word("column.cards_left", "en")
    ('单扣', 'cards left')
    >>> word("kou.none", "en")
    Traceback (most recent call last):
    ...
    KeyError: 'kou.none'
    """
    return Words(language).word(key)


def title(code: Code, language: Language) -> str:
    """A few words that name what a finding of this code is about.

    >>> title(Code.PLAY_TURN, "en"), title(Code.SETTLE_KOU, "zh")
    ('Out of turn', '单双扣')
    """
    return Words(language).title(code)
