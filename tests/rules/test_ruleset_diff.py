"""``diff``: what differs between two rulesets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from analytics.rules import Difference, Ruleset, diff

Load = Callable[..., Ruleset]


def test_equal_rulesets_do_not_differ(presets: dict[str, Ruleset]) -> None:
    """Names, versions and files are not compared."""
    jiule = presets["jiule"]
    assert diff(jiule, replace(jiule, name="x", version="2", source="y")) == []


def test_rows_are_named_by_their_path(load: Load, presets: dict[str, Ruleset]) -> None:
    """A changed, a new and a vanished row, in the order of xiang."""
    house = load("[scoring]\ndoubling = { 6 = 4, 7 = 9, 8 = 16, 9 = 32, 10 = 40 }\n"
                 "[xiang]\nxiang_cap = 'none'", extends='"jiule"')  # fmt: skip
    assert diff(presets["jiule"], house) == [
        Difference("xiang.xiang_cap", 9, None, False),
        Difference("scoring.doubling.5", 2, None, False),
        Difference("scoring.doubling.7", 8, 9, False),
        Difference("scoring.doubling.10", None, 40, False),
    ]


def test_only_play_needs_a_replay(load: Load, presets: dict[str, Ruleset]) -> None:
    """What is legal needs a replay; what is paid or said does not."""
    house = load(
        "[play]\nchain_min = 2\nwild = ['big']\n[xiang]\nunlinked = true\n[scoring]\nfee = 5\n"
        "[terms]\ndan = '次扣'",
        extends='"jiule"',
    )
    assert {d.path: d.needs_replay for d in diff(presets["jiule"], house)} == {
        "play.wild": True,
        "play.chain_min": True,
        "xiang.unlinked": False,
        "xiang.unlinked_count": False,
        "scoring.fee": False,
        "terms.dan": False,
    }


def test_levels_are_named_by_what_they_require(load: Load, presets: dict[str, Ruleset]) -> None:
    """So that an inserted level does not shift the others."""
    levels = "[[0, 5], [50, 5], [75, 7], [100, 11]]"
    house = load(f"scoring.base.levels = {levels}", extends='"huopin-points"')
    found = {d.path: (d.left, d.right) for d in diff(presets["huopin-points"], house)}
    assert found["scoring.base.levels.75"] == (None, 7)
    assert found["scoring.base.levels.100"] == (10, 11)
    assert found["scoring.base.levels.200"] == (20, None)
    assert "scoring.base.levels.50" not in found


def test_another_kind_of_base(load: Load, presets: dict[str, Ruleset]) -> None:
    """Given on one side, fixed on the other."""
    house = load("scoring.base.fixed = 10", extends='"jiule"')
    assert [d[:3] for d in diff(presets["jiule"], house)] == [
        ("scoring.base", "given", None),
        ("scoring.base.fixed", None, 10),
    ]


def test_a_difference_is_empty_exactly_where_hashes_are_equal(
    presets: dict[str, Ruleset],
) -> None:
    """Apart from titles and terms, which the hash leaves out."""
    for one in presets.values():
        for other in presets.values():
            settings = [d for d in diff(one, other) if not d.path.startswith(("title", "terms"))]
            assert (settings == []) == (one.hash == other.hash)
