"""Rulesets: typed model, TOML loading with every mistake named, and the rows that kernels read."""

from analytics.rules.differing import Difference, diff
from analytics.rules.loading import (
    Checked,
    check,
    check_files,
    check_presets,
    check_ruleset,
    load_file,
    load_rulesets,
    load_text,
)
from analytics.rules.mistakes import CODES, Mistake, RulesetError
from analytics.rules.model import (
    TERMS,
    Base,
    Fixed,
    Kou,
    KouCards,
    Level,
    Levels,
    Places,
    Play,
    Row,
    Ruleset,
    Scoring,
    Table,
    Xiang,
)
from analytics.rules.rulebook import NoRuleset, Rulebook, row_of
from analytics.rules.writing import to_child_toml, to_toml, to_toml_value

__all__ = [
    "CODES",
    "TERMS",
    "Base",
    "Checked",
    "Difference",
    "Fixed",
    "Kou",
    "KouCards",
    "Level",
    "Levels",
    "Mistake",
    "NoRuleset",
    "Places",
    "Play",
    "Row",
    "Rulebook",
    "Ruleset",
    "RulesetError",
    "Scoring",
    "Table",
    "Xiang",
    "check",
    "check_files",
    "check_presets",
    "check_ruleset",
    "diff",
    "load_file",
    "load_rulesets",
    "load_text",
    "row_of",
    "to_child_toml",
    "to_toml",
    "to_toml_value",
]
