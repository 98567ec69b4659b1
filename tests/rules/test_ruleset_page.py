"""docs/ruleset.md is in step with the model, and its examples load."""

from __future__ import annotations

import re
from pathlib import Path

from analytics.rules import CODES, TERMS, check_files, load_rulesets
from analytics.rules.model import REQUIRED, specs
from analytics.rules.reference import reference, values_text

PAGE = Path(__file__).parents[2] / "docs" / "ruleset.md"
MARKED = re.compile(r"<!-- reference: begin.*?-->\n(.*)<!-- reference: end -->", re.DOTALL)


def examples() -> list[str]:
    """The TOML files that the page shows."""
    return re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_reference_is_the_generated_one() -> None:
    """`python -m analytics.rules.reference docs/ruleset.md` brings the page in step."""
    found = MARKED.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[1] == reference()


def test_the_examples_load_without_a_mistake(tmp_path: Path) -> None:
    """All of them together, as one folder."""
    for number, text in enumerate(examples()):
        (tmp_path / f"{number}.toml").write_text(text, encoding="utf-8")
    assert check_files([tmp_path]) == []
    assert len(load_rulesets([tmp_path]).rulesets) == 6 + len(examples())


def test_the_whole_file_is_whole() -> None:
    """Its first example writes out every setting for two seats."""
    expected = {key for key, spec in specs().items() if ("seats", 4) not in spec.setting.when}
    assert expected == set(re.findall(r"^(\w+) = ", examples()[0], re.MULTILINE)) & set(specs())


def test_the_reference_names_everything() -> None:
    """Every setting, term and code has its place."""
    text = reference()
    assert all(f"| `{key}` |" in text for key in specs())
    assert all(f"`{term}`" in text for term in TERMS)
    assert all(f"| `{code}` |" in text for code in CODES)


def test_required_settings_say_so() -> None:
    """A row tells whether a setting may be left out."""
    rows = {row.split("`")[1]: row for row in reference().splitlines() if row.startswith("| `")}
    for key, spec in specs().items():
        assert ("| required |" in rows[key]) == (spec.setting.default is REQUIRED)


def test_bounds_are_written_out() -> None:
    """Numbers have their bounds, choices their values."""
    assert values_text(specs()["fee"]) == "0 to 1,000,000,000,000"
    assert values_text(specs()["escape_parts"]) == '`"points"`, `"wealth"`, `"none"`'
    assert values_text(specs()["kou_cards"]) == "`{ dan, shuang }`, 1 to 27"
