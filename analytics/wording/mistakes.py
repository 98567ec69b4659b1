"""What is wrong with a ruleset file, in words."""

from __future__ import annotations

from analytics.rules import Mistake
from analytics.rules.mistakes import Sentence, Value
from analytics.wording.catalogue import Language
from analytics.wording.words import Words


def mistake_sentence(mistake: Mistake, language: Language) -> str:
    """What is wrong, in one sentence.

    >>> from analytics.rules import check_files
    >>> [nowhere] = check_files(["nowhere.toml"])
    >>> mistake_sentence(nowhere, "en") == nowhere.message
    True
    >>> mistake_sentence(nowhere, "zh").startswith("无法读取：")
    True
    """
    return _said(mistake.sentence, Words(language))


def mistake_line(mistake: Mistake, language: Language) -> str:
    """A mistake with its place, as compilers print theirs: what ``str`` gives, in a language."""
    severity = Words(language).word(f"severity.{mistake.severity.value}")
    path = f"{mistake.path}: " if mistake.path else ""
    text = mistake_sentence(mistake, language)
    return f"{mistake.place}: {severity}: {path}{text} [{mistake.code}]"


def _said(sentence: Sentence, words: Words) -> str:
    template = words.texts.mistakes.get(sentence.template, sentence.template)
    text = template.format(**{k: _value(v, words) for k, v in sentence.values.items()})
    if sentence.near:
        text = words.said("near", text=text, near=sentence.near)
    if sentence.parent:
        text = words.said("inherited", text=text, parent=sentence.parent)
    return text


def _value(value: Value, words: Words) -> str | int:
    """A value; a phrase of ours in the language, several texts as a list."""
    if isinstance(value, tuple):
        firsts, last = words.word("list").join(value[:-1]), value[-1]
        return words.word("or").join(filter(None, (firsts, last)))
    return words.texts.phrases.get(value, value) if isinstance(value, str) else value
