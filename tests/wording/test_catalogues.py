"""Both languages are complete and say only what findings carry."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Final

import pytest

from analytics.findings import Code, Severity
from analytics.rules import TERMS
from analytics.wording import LANGUAGES, Language, title, word
from analytics.wording.catalogue import USUAL, catalogue
from analytics.wording.sentences import OWN_FIELDS, STANDS
from analytics.wording.words import term_of

# Per code the params that its findings carry, by name.
PARAMS: Final[Mapping[Code, set[str]]] = {
    Code.FORMAT_JSON: {"path", "expected"},
    Code.FORMAT_FIELD: {"path", "expected"},
    Code.FORMAT_VERSION: {"path", "expected"},
    Code.FORMAT_TIME: {"path", "expected"},
    Code.FORMAT_ENCODING: {"likely", "asked"},
    Code.FORMAT_TORN: {"compressed"},
    Code.FORMAT_DUPLICATE: {"first_file", "first_line"},
    Code.FORMAT_RULES: {"reason"},
    Code.FORMAT_UNKNOWN: {"names"},
    Code.DEAL_FACE: {"where"},
    Code.DEAL_SIZE: {"what"},
    Code.DEAL_COPIES: {"face"},
    Code.DEAL_PARTNER: {"face", "holders"},
    Code.PLAY_LEAD: {"face"},
    Code.PLAY_HELD: {"face"},
    Code.PLAY_MELD: {"rules"},
    Code.PLAY_BEAT: {"table"},
    Code.AUTO_PLAY: {"smallest"},
    Code.PLAY_UNFINISHED: {"cards_left"},
    Code.AUTO_TIMEOUT: {"reason"},
    Code.BASE_LEVEL: {"lowest"},
    Code.LEDGER_CONTINUITY: {"previous", "player"},
}
# Codes whose findings have no recomputed value, and so no difference.
NOTHING_RECOMPUTED: Final = frozenset(
    code
    for code in Code
    if code.text.startswith(("format.", "play.")) and code not in (Code.PLAY_LEAD, Code.PLAY_TURN)
) | {
    Code.DEAL_FACE,
    Code.DEAL_SHOWN,
    Code.DEAL_PARTNER,
    Code.AUTO_PASS,
    Code.AUTO_TIMEOUT,
    Code.BASE_LEVEL,
}
# Codes whose findings are about one seat.
ABOUT_A_SEAT: Final = {
    Code.DEAL_FACE,
    Code.DEAL_SIZE,
    Code.PLAY_TURN,
    Code.PLAY_PASS,
    Code.PLAY_HELD,
    Code.PLAY_MELD,
    Code.PLAY_DECLARED,
    Code.PLAY_BEAT,
    Code.AUTO_PASS,
    Code.AUTO_PLAY,
    Code.AUTO_TIMEOUT,
    Code.SETTLE_PLACES,
    Code.SETTLE_XIANG,
    Code.SETTLE_CONTRIBUTION,
    Code.SETTLE_DELTA,
    Code.SETTLE_FEE,
    Code.SETTLE_BALANCE,
    Code.BASE_LEVEL,
    Code.LEDGER_CONTINUITY,
}


def carried(code: Code) -> set[str]:
    """The fields that a template of this code may use."""
    fields = {"file", "line", "game", "action", "recorded", STANDS} | PARAMS.get(code, set())
    if code in ABOUT_A_SEAT:
        fields.add("seat")
    if code not in NOTHING_RECOMPUTED:
        fields |= {"recomputed", "difference"}
    return fields


def templates() -> list[tuple[Language, Code, str, str]]:
    """Every template of every language."""
    return [
        (language, code, variant, template)
        for language in LANGUAGES
        for code, variants in catalogue(language).sentences.items()
        for variant, template in variants.items()
    ]


def names_of(template: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def fields_of(template: str) -> set[str]:
    """The names in braces that stand for values of the finding."""
    return {name for name in names_of(template) if term_of(name) is None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_title_and_a_usual_sentence(language: Language) -> None:
    """No code of ``Code`` is without words, and no words are without a code."""
    texts = catalogue(language)
    assert set(texts.titles) == set(Code) == set(texts.sentences)
    assert all(texts.titles.values())
    assert all(USUAL in variants for variants in texts.sentences.values())


def test_both_languages_have_the_same_variants_and_words() -> None:
    """What one language says the other says too."""
    en, zh = catalogue("en"), catalogue("zh")
    assert {code: set(v) for code, v in en.sentences.items()} == {
        code: set(v) for code, v in zh.sentences.items()
    }
    assert set(en.words) == set(zh.words)
    assert all(en.words.values())
    assert all(zh.words.values())


@pytest.mark.parametrize(("language", "code", "variant", "template"), templates())
def test_a_template_uses_only_what_its_findings_carry(
    language: Language, code: Code, variant: str, template: str
) -> None:
    """A field that no finding of the code carries would always be shown as "?"."""
    assert fields_of(template) <= carried(code)


@pytest.mark.parametrize("language", LANGUAGES)
def test_terms_in_texts_are_terms(language: Language) -> None:
    """A field that ends in _word is one of those that a ruleset may name."""
    texts = catalogue(language)
    sentences = (text for variants in texts.sentences.values() for text in variants.values())
    for text in (*sentences, *texts.titles.values(), *texts.words.values()):
        assert {term for name in names_of(text) if (term := term_of(name))} <= set(TERMS), text


def test_both_languages_name_the_same_values() -> None:
    """A translation neither drops nor adds a value."""
    en, zh = catalogue("en").sentences, catalogue("zh").sentences
    for code, variants in en.items():
        for variant, template in variants.items():
            assert fields_of(template) == fields_of(zh[code][variant]), (code.text, variant)


@pytest.mark.parametrize(("language", "code", "variant", "template"), templates())
def test_a_template_is_one_sentence(
    language: Language, code: Code, variant: str, template: str
) -> None:
    """It ends with a full stop and has no other one, and no format specification."""
    stop = "." if language == "en" else "。"
    assert template.endswith(stop)
    assert stop + " " not in template
    assert template.count("。") == (language == "zh")
    assert not any(spec for _, _, spec, _ in Formatter().parse(template))


@pytest.mark.parametrize("code", [c for c in Code if c.text.startswith("settle.")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_settlement_sentence_names_both_values(code: Code, language: Language) -> None:
    """What was recorded and what is right both stand in the sentence."""
    template = catalogue(language).sentences[code][USUAL]
    assert {"recorded", "recomputed"} <= fields_of(template)


def test_every_own_field_is_a_field_of_the_record() -> None:
    """The fields read from the finding itself exist there."""
    from analytics.findings import Finding

    assert set(OWN_FIELDS) <= set(Finding.__slots__)


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_have_words_for_what_the_engine_names(language: Language) -> None:
    """Kinds, kou, ends and severities can all be named."""
    from analytics.rules.row import KOU_NAMES
    from analytics.shuangkou.melds import KIND_NAMES

    for family, names in {
        "kind": [name for name in KIND_NAMES if name],
        "kou": list(KOU_NAMES),
        "end": ["out", "escape"],
        "severity": [severity.value for severity in Severity],
    }.items():
        assert all(word(f"{family}.{name}", language) for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_column_of_output_has_a_heading(language: Language) -> None:
    """The fields of findings, of the summary and of settlements have headings."""
    columns = (
        "file line game action seat code severity recorded recomputed message "
        "games verified mismatched unreadable duplicates by_code rulesets seconds "
        "name version hash id status end winner places kou cards_left xiang base "
        "doubling contribution delta fee system finding"
    )
    assert all(word(f"column.{name}", language) for name in columns.split())


def test_titles_are_translated() -> None:
    """The Chinese titles are Chinese."""
    assert title(Code.PLAY_TURN, "zh") == "没有轮到"
    assert all(any("一" <= c <= "鿿" for c in title(code, "zh")) for code in Code)


def test_a_phrase_is_translated_once_and_not_empty() -> None:
    """Every known phrase has a translation; English needs none."""
    assert not catalogue("en").phrases
    assert all(catalogue("zh").phrases.values())


def test_an_unknown_language_is_a_mistake_of_the_caller() -> None:
    """Only the two languages exist."""
    with pytest.raises(ValueError, match="none of en, zh"):
        catalogue("fr")


def test_an_unknown_word_is_a_mistake_of_the_caller() -> None:
    """A key that is in no catalogue fails loudly."""
    with pytest.raises(KeyError):
        word("kind.full_house", "en")


def test_both_languages_fill_in_the_same_values() -> None:
    """What the command line says, and why it could not do something, in either language."""
    en, zh = catalogue("en").words, catalogue("zh").words
    for key in en:
        if key.startswith(("said.", "failure.", "meld.")):
            assert fields_of(en[key]) == fields_of(zh[key]), key


def test_every_failure_is_raised_somewhere() -> None:
    """No reason is left over, and every one that is given has its words."""
    sources = "".join(p.read_text("utf-8") for p in (ANALYTICS.parent / "cli").rglob("*.py"))
    named = set(re.findall(r'(?:refused|why_not)\(\s*"(\w+)"', sources))
    named |= {"no_ruleset", "no_ruleset_near"}  # one of these by what is known
    keys = {k.removeprefix("failure.") for k in catalogue("en").words if k.startswith("failure.")}
    assert named == keys


ANALYTICS: Final = Path(__file__).parents[2] / "analytics"


def mistake_templates() -> set[str]:
    """Every English sentence that is said of a file in TOML: the third argument of problem()."""
    found: set[str] = set()
    for file in (*ANALYTICS.glob("rules/*.py"), *ANALYTICS.glob("tuning/*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for call in calls:
            if isinstance(call.func, ast.Name) and call.func.id == "problem":
                found |= _texts(call.args[2], tree)
    return found


def _texts(node: ast.expr, tree: ast.Module) -> set[str]:
    """The texts that an argument may be: itself, or what its name is given in the module."""
    if isinstance(node, ast.Constant):
        return {str(node.value)}
    if isinstance(node, ast.IfExp):
        return _texts(node.body, tree) | _texts(node.orelse, tree)
    assert isinstance(node, ast.Name), ast.dump(node)
    return {text for value in _given(node.id, tree) for text in _texts(value, tree)}


def _given(name: str, tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        for target in targets:
            if isinstance(target, ast.Name) and target.id == name:
                yield node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for each, value in zip(target.elts, node.value.elts, strict=True):
                    if isinstance(each, ast.Name) and each.id == name:
                        yield value


def test_every_sentence_about_a_ruleset_is_translated() -> None:
    """Each one that the rules can say is in the Chinese catalogue, and no other."""
    assert set(catalogue("zh").mistakes) == mistake_templates()
    assert not catalogue("en").mistakes


def test_a_translated_sentence_names_the_same_values() -> None:
    """Nothing is dropped or added."""
    for english, chinese in catalogue("zh").mistakes.items():
        assert names_of(english) == names_of(chinese), english
        assert english == "{reason}" or any("一" <= c <= "鿿" for c in chinese)


def test_what_a_value_may_be_is_translated() -> None:
    """The types of TOML, which stand in sentences about rulesets, are phrases."""
    from analytics.rules.values import KINDS

    assert set(KINDS.values()) <= set(catalogue("zh").phrases)
