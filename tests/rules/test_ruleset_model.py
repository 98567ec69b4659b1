"""The typed model: what it declares of every setting, and the hash."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analytics.rules import Ruleset
from analytics.rules.model import REQUIRED, SECTIONS, Setting, applies, specs

# Rules clause 11, first column.
CLAUSE_11 = {
    "play": "seats wild mixed_joker_pair chain_min chain_irregular chain_two bomb_order"
    " irregular_equal four_jokers lead_policy trustee_policy on_escape",
    "xiang": "linked linked_bonus unlinked unlinked_count xiang_cap",
    "scoring": "unit base kou_cards kou places doubling contribution contribution_mode"
    " doubling_scope fee cap_at_balance escape_times escape_parts share",
}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_settings_are_those_of_clause_11(section: str) -> None:
    """Every setting of the page is there under its name, and no other."""
    keys = {key for key, spec in specs().items() if spec.section == section}
    assert keys == set(CLAUSE_11[section].split())


@pytest.mark.parametrize("key", specs())
def test_every_setting_is_documented(key: str) -> None:
    """It has a clause and a meaning; what governs it is a setting too."""
    setting = specs()[key].setting
    assert isinstance(setting, Setting)
    assert setting.clause
    assert setting.meaning
    assert all(governing in specs() for governing, _ in setting.when)


def test_only_obvious_defaults_exist() -> None:
    """Everything else has to be given, so that no payout rests on a silent value."""
    defaults = {
        key: spec.setting.default
        for key, spec in specs().items()
        if spec.setting.default is not REQUIRED
    }
    assert defaults == {
        "lead_policy": "shown",
        "trustee_policy": "smallest",
        "linked": False,
        "linked_bonus": 1,
        "unlinked": False,
        "unlinked_count": "independent",
        "xiang_cap": None,
        "contribution": (),
        "fee": 0,
        "cap_at_balance": False,
    }


def test_a_setting_applies_by_the_settings_that_govern_it() -> None:
    """It may apply, not apply, or depend on something that is not known."""
    share = specs()["share"]
    assert applies(share, {"seats": 2, "on_escape": "settle"}) is True
    assert applies(share, {"seats": 4}) is False
    assert applies(share, {"seats": 2}) is None
    assert applies(specs()["fee"], {}) is True


def test_the_hash_is_of_the_settings_only(presets: dict[str, Ruleset]) -> None:
    """Name, version, time, titles, terms and file do not change it; a setting does."""
    jiule = presets["jiule"]
    renamed = replace(jiule, name="x", version="9", title={}, terms={"kou": "抠"}, source="x")
    assert renamed.hash == jiule.hash
    assert len(jiule.hash) == 16
    assert int(jiule.hash, 16) >= 0
    changed = replace(jiule, scoring=replace(jiule.scoring, fee=1))
    assert changed.hash != jiule.hash


def test_the_hashes_of_the_presets_never_change(presets: dict[str, Ruleset]) -> None:
    """Warehouses key settlements by them: a change here is a change of a preset."""
    assert {name: preset.hash for name, preset in presets.items()} == {
        "baibian": "f1ccb1e3b8c0d715",
        "baibian-zerosum": "940b4a3874ca2547",
        "huopin-points": "7bc2bedc35706bb2",
        "huopin-wealth": "fdd9b4fab8c92e4e",
        "jiule": "78ed9362281289d3",
        "tongcheng": "5b72e0bcb31b8127",
    }


def test_a_ruleset_can_be_a_key(presets: dict[str, Ruleset]) -> None:
    """Equal rulesets are equal keys, wherever they were read from."""
    jiule = presets["jiule"]
    assert {jiule: 1}[replace(jiule, source="elsewhere")] == 1
    assert jiule.at == "jiule@1"
