"""Rules clause 11: the settings. The presets' values: tests/rules/test_ruleset_presets.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analytics.rules import Ruleset, check_ruleset, load_rulesets
from analytics.rules.model import specs
from tests.rulebook.builder import (
    BAIBIAN,
    JIULE,
    POINTS,
    TONGCHENG,
    WEALTH,
    ZEROSUM,
    altered,
    beats,
    book_of,
    duel,
    play,
    read,
    rules,
)

SETTINGS = {
    "play": [
        "seats", "wild", "mixed_joker_pair", "chain_min", "chain_irregular", "chain_two",
        "bomb_order", "irregular_equal", "four_jokers", "lead_policy", "trustee_policy",
        "on_escape",
    ],
    "xiang": ["linked", "linked_bonus", "unlinked", "unlinked_count", "xiang_cap"],
    "scoring": [
        "unit", "base", "kou_cards", "kou", "places", "doubling", "contribution",
        "contribution_mode", "doubling_scope", "fee", "cap_at_balance", "escape_times",
        "escape_parts", "share",
    ],
}  # fmt: skip


def test_11_these_are_all_settings() -> None:
    """Each in its section, under its name; there are no others."""
    found: dict[str, list[str]] = {section: [] for section in SETTINGS}
    for key, spec in specs().items():
        found[spec.section].append(key)
    assert {k: sorted(v) for k, v in found.items()} == {k: sorted(v) for k, v in SETTINGS.items()}


@pytest.mark.parametrize(
    ("preset", "settings"),
    [
        (POINTS, {"wild": ("small",)}),
        (POINTS, {"wild": ()}),
        (POINTS, {"mixed_joker_pair": "none"}),
        (POINTS, {"chain_min": 2}),
        (POINTS, {"chain_two": "cyclic"}),
        (POINTS, {"bomb_order": "most-groups"}),
        (POINTS, {"irregular_equal": False}),
        (POINTS, {"four_jokers": "lowest"}),
        (POINTS, {"lead_policy": "any"}),
        (POINTS, {"trustee_policy": "any"}),
        (POINTS, {"on_escape": "trustee"}),
        (POINTS, {"linked_bonus": 2}),
        (POINTS, {"unlinked_count": "all"}),
        (POINTS, {"xiang_cap": 9}),
        (POINTS, {"base": "given"}),
        (POINTS, {"base": 7}),
        (POINTS, {"contribution_mode": "each"}),
        (POINTS, {"escape_parts": "wealth", "share": 100, "escape_times": 0}),
        (BAIBIAN, {"doubling_scope": "first"}),
        (BAIBIAN, {"contribution_mode": "max"}),
        (BAIBIAN, {"fee": 1, "cap_at_balance": True}),
    ],
)
def test_11_a_setting_takes_its_values(preset: str, settings: dict[str, Any]) -> None:
    """Every value that the table lists is accepted, and makes other rules."""
    assert rules(preset, **settings).hash != book_of(preset).rulesets[0].hash


@pytest.mark.parametrize(
    "settings",
    [
        {"seats": 3},
        {"wild": ("red",)},
        {"mixed_joker_pair": "both"},
        {"chain_min": 1},
        {"chain_two": "yes"},
        {"bomb_order": "most-cards"},
        {"four_jokers": "middle"},
        {"lead_policy": "random"},
        {"on_escape": "ignore"},
        {"unlinked_count": "some"},
        {"contribution_mode": "sum"},
        {"escape_parts": "all"},
        {"share": 101},
        {"share": -1},
    ],
)
def test_11_a_setting_takes_no_other_value(settings: dict[str, Any]) -> None:
    """Whatever the table does not list is an error in the ruleset."""
    found = {m.code for m in check_ruleset(altered(POINTS, **settings))}
    assert found & {"rules.value", "rules.limit", "rules.missing"}


def test_11_irregular_equal_is_for_fewest_cards_only() -> None:
    """Under most-groups the setting is not there, and irregular chains are compared."""
    assert book_of(JIULE).rulesets[0].play.irregular_equal is None
    house = rules(POINTS, bomb_order="most-groups")
    assert house.play.irregular_equal is None
    assert beats("3333 44444 55555", "3333 44444 5555", house)
    assert not beats("3333 44444 55555", "3333 44444 5555", POINTS)


def test_11_an_operator_changes_a_line_of_toml(tmp_path: Path) -> None:
    """A ruleset that extends a preset gives only what differs."""
    text = 'name = "house"\nversion = "1"\nextends = "huopin-points"\n[play]\nchain_min = 2\n'
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    book = load_rulesets([tmp_path])
    house = book.rulesets[book.find("house", None)]
    assert read("3333 4444", house) == "chain 4, 2 ranks, 6相"
    assert house.scoring == book_of(POINTS).rulesets[0].scoring


WILD_SMALL = {POINTS: True, WEALTH: True, JIULE: True, BAIBIAN: False, ZEROSUM: False}
WILD_SMALL[TONGCHENG] = False


@pytest.mark.parametrize("house", WILD_SMALL)
def test_11_what_the_presets_have_in_common(house: str) -> None:
    """大王 is wild, chains have three ranks or more; the rest is theirs."""
    two = WILD_SMALL[house]
    assert read("7b", house) == "pair 7"
    assert (read("7s", house) == "pair 7") == two
    assert read("33334444", house) == "play.meld"
    assert (read("3333 44444 5555", house) != "play.meld") == two
    assert (read("KKKKAAAA2222", house) != "play.meld") == (house == JIULE)
    assert read("sb", house) == ("pair BJ" if two else "pair SJ")


def test_11_scoring_does_not_change_what_is_legal() -> None:
    """[play] says what is legal, [xiang] how bombs add up, [scoring] what is paid."""
    house = rules(POINTS, base=1, doubling={5: 9}, linked=False, fee=1)
    one, other = duel(POINTS, winner="99999"), duel(house, winner="99999")
    for column in ("games", "seats", "bombs"):
        same = getattr(one.verdict.facts, column) == getattr(other.verdict.facts, column)
        assert same.all()
    assert one.delta != other.delta


def _trustee(house: str | Ruleset) -> list[str]:
    return play(house, ["8 3", "9 T"], "0 8", "1 T*").at_actions


def test_11_policies_of_the_presets() -> None:
    """The shown card decides the lead, and the trustee plays the smallest."""
    assert _trustee(POINTS) == _trustee(JIULE) == ["auto.play@1"]
    for name in (POINTS, WEALTH, JIULE, BAIBIAN, ZEROSUM, TONGCHENG):
        settings = book_of(name).rulesets[0].play
        assert (settings.lead_policy, settings.trustee_policy) == ("shown", "smallest")
