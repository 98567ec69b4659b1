"""``Catalogue``: all texts of one language, read once from its TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from analytics.findings import Code

Language = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")

USUAL: Final = "usual"  # the sentence of a code that fits where no other does


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All texts of one language.

    Attributes:
        titles: per code a few words that name what is wrong.
        sentences: per code its templates by variant; ``USUAL`` is always among them.
        words: words by dotted key, for instance "kind.single" or "column.game".
        phrases: what an English phrase of ``expected`` is in this language; a phrase
            that is not here is shown as it is.
        mistakes: what an English sentence about a ruleset file is in this language;
            nothing where that is English.

    Titles and texts may have fields that stand for terms; ``Words`` fills them in.
    """

    titles: Mapping[Code, str]
    sentences: Mapping[Code, Mapping[str, str]]
    words: Mapping[str, str]
    phrases: Mapping[str, str]
    mistakes: Mapping[str, str]


@cache
def catalogue(language: Language) -> Catalogue:
    """The texts of a language.

    Raises:
        ValueError: there is no such language.

    >>> catalogue("fr")
    Traceback (most recent call last):
    ...
    ValueError: language 'fr' is none of en, zh
    """
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r} is none of {', '.join(LANGUAGES)}")
    file = resources.files("analytics.wording") / f"{language}.toml"
    texts = tomllib.loads(file.read_text(encoding="utf-8"))
    findings = {Code.of(code): entry for code, entry in texts["finding"].items()}
    return Catalogue(
        titles={code: entry["title"] for code, entry in findings.items()},
        sentences={code: _without_title(entry) for code, entry in findings.items()},
        words=dict(_flat(texts["word"], "")),
        phrases=texts.get("phrase", {}),
        mistakes=texts.get("mistake", {}),
    )


def _without_title(entry: Mapping[str, str]) -> dict[str, str]:
    return {variant: text for variant, text in entry.items() if variant != "title"}


def _flat(table: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    """The strings of nested tables with their dotted keys."""
    for key, value in table.items():
        if isinstance(value, str):
            yield before + key, value
        else:
            yield from _flat(value, f"{before}{key}.")
