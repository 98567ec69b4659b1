"""The presets are exactly those of rules clauses 8 and 11, written here from the page."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from analytics.findings import Severity
from analytics.rules import Ruleset, check_presets
from analytics.rules.model import plain

# Clause 11, the columns of the table.
HUOPIN_PLAY = {
    "seats": 2,
    "wild": ["big", "small"],
    "mixed_joker_pair": "big",
    "chain_min": 3,
    "chain_irregular": True,
    "chain_two": "no",
    "bomb_order": "fewest-cards",
    "irregular_equal": True,
    "four_jokers": "highest",
    "lead_policy": "shown",
    "trustee_policy": "smallest",
    "on_escape": "settle",
}
JIULE_PLAY = {
    "seats": 2,
    "wild": ["big", "small"],
    "mixed_joker_pair": "big",
    "chain_min": 3,
    "chain_irregular": True,
    "chain_two": "cyclic",
    "bomb_order": "most-groups",
    "four_jokers": "lowest",
    "lead_policy": "shown",
    "trustee_policy": "smallest",
    "on_escape": "settle",
}
FOUR_PLAY = {
    "seats": 4,
    "wild": ["big"],
    "mixed_joker_pair": "small",
    "chain_min": 3,
    "chain_irregular": False,
    "chain_two": "no",
    "bomb_order": "fewest-cards",
    "irregular_equal": True,
    "four_jokers": "highest",
    "lead_policy": "shown",
    "trustee_policy": "smallest",
    "on_escape": "trustee",
}
HUOPIN_XIANG = {
    "linked": True,
    "linked_bonus": 1,
    "unlinked": True,
    "unlinked_count": "independent",
}
NO_XIANG = {"linked": False, "unlinked": False}

# Clause 8.1.
POINTS = [
    [0, 5], [50, 5], [100, 10], [200, 20], [500, 40], [1000, 60], [2000, 80], [4000, 100],
    [8000, 150], [16000, 200], [32000, 260], [64000, 300], [128000, 400], [262000, 500],
    [500000, 600], [1000000, 700], [2000000, 800],
]  # fmt: skip
WEALTH = [
    [100, 5], [1000, 10], [10000, 100], [100000, 500], [500000, 1000], [1000000, 1500],
    [2500000, 2000], [5000000, 2500], [10000000, 3000], [25000000, 3500], [50000000, 4000],
]  # fmt: skip

# Clause 8.
TWO_KOU = {
    "kou_cards": {"dan": 7, "shuang": 12},
    "kou": {"ping": 1, "dan": 2, "shuang": 3},
    "contribution_mode": "max",
    "fee": 0,
    "cap_at_balance": False,
}
HUOPIN_CONTRIBUTION = {"6": 2, "7": 4, "8": 8, "9": 16, "10": 32, "11": 64, "12": 128}
FOUR_DOUBLING = {"5": 2, "6": 4, "7": 8, "8": 16}
FOUR_REST = {
    "doubling": FOUR_DOUBLING,
    "contribution_mode": "each",
    "doubling_scope": "team",
    "fee": 0,
    "cap_at_balance": False,
}
PRINTED = {"shuang": [4, 4, -4, -4], "dan": [2, -2, 2, -2], "ping": [1, 0, 0, 1]}

EXPECTED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "huopin-points": (
        HUOPIN_PLAY,
        HUOPIN_XIANG,
        {
            **TWO_KOU,
            "unit": "points",
            "base": {"levels": POINTS},
            "doubling": {
                "5": 2, "6": 4, "7": 8, "8": 16, "9": 32, "10": 64, "11": 128, "12": 256,
            },
            "contribution": HUOPIN_CONTRIBUTION,
            "escape_times": 12,
            "escape_parts": "points",
            "share": 0,
        },
    ),
    "huopin-wealth": (
        HUOPIN_PLAY,
        HUOPIN_XIANG,
        {
            **TWO_KOU,
            "unit": "wealth",
            "base": {"levels": WEALTH},
            "doubling": {"5": 1, "6": 2, "7": 4, "8": 8, "9": 16, "10": 32, "11": 64, "12": 128},
            "contribution": HUOPIN_CONTRIBUTION,
            "escape_times": 12,
            "escape_parts": "wealth",
            "share": 70,
        },
    ),
    "jiule": (
        JIULE_PLAY,
        {**NO_XIANG, "xiang_cap": 9},
        {
            **TWO_KOU,
            "unit": "coins",
            "base": "given",
            "doubling": {"5": 2, "6": 4, "7": 8, "8": 16, "9": 32},
            "contribution": {"6": 2, "7": 4, "8": 8, "9": 16},
            "escape_times": 128,
            "escape_parts": "none",
            "share": 0,
        },
    ),
    "baibian": (
        FOUR_PLAY,
        NO_XIANG,
        {
            **FOUR_REST,
            "unit": "points",
            "base": {"fixed": 1},
            "places": PRINTED,
            "contribution": {"6": 6, "7": 12, "8": 18},
        },
    ),
    "baibian-zerosum": (
        FOUR_PLAY,
        NO_XIANG,
        {
            **FOUR_REST,
            "unit": "points",
            "base": {"fixed": 1},
            "places": {**PRINTED, "ping": [1, -1, -1, 1]},
            "contribution": {"6": 6, "7": 12, "8": 18},
        },
    ),
    "tongcheng": (
        FOUR_PLAY,
        NO_XIANG,
        {
            **FOUR_REST,
            "unit": "silver",
            "base": {"fixed": 100},
            "places": PRINTED,
            "contribution": {},
        },
    ),
}  # fmt: skip


def test_the_presets_are_those_of_clause_11(presets: dict[str, Ruleset]) -> None:
    """There are six, each as version 1, in effect from the beginning of time."""
    assert presets.keys() == EXPECTED.keys()
    assert {(r.version, r.effective_from) for r in presets.values()} == {("1", None)}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_preset_has_the_values_of_clauses_8_and_11(
    presets: dict[str, Ruleset], name: str
) -> None:
    """Every setting is the one of the page; what does not apply is absent."""
    preset, (play, xiang, scoring) = presets[name], EXPECTED[name]
    assert plain(preset.play) == play
    assert plain(preset.xiang) == xiang
    assert plain(preset.scoring) == scoring


def test_only_the_printed_places_are_warned_about() -> None:
    """Clause 8.2: the printed row mints two points; nothing else is wrong with a preset."""
    found = [(m.file, m.path, m.code, m.severity) for m in check_presets()]
    path, code = "scoring.places.ping", "rules.mint"
    assert found == [
        ("preset:baibian", path, code, Severity.WARNING),
        ("preset:tongcheng", path, code, Severity.WARNING),
    ]


def test_every_preset_has_a_title_in_both_languages(presets: dict[str, Ruleset]) -> None:
    """Output can name a preset in English and in Chinese."""
    assert all(preset.title.keys() == {"en", "zh"} for preset in presets.values())


def test_only_baibian_says_otherwise(presets: dict[str, Ruleset]) -> None:
    """Clause 1: 百变 calls the grade of a bomb 星; its child inherits the word."""
    words = {name: dict(preset.terms) for name, preset in presets.items() if preset.terms}
    assert words == {"baibian": {"xiang": "星"}, "baibian-zerosum": {"xiang": "星"}}


def test_the_presets_are_package_data() -> None:
    """They are found beside the code, wherever the package is installed."""
    folder = files("analytics.rules") / "presets"
    assert {entry.name for entry in folder.iterdir()} == {f"{name}.toml" for name in EXPECTED}
