"""``extends``: what a child has from its parent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analytics.rules import Level, Levels, Row, Ruleset, check_files, load_rulesets
from analytics.rules.mistakes import Mistake

Write = Callable[..., Path]
Load = Callable[..., Ruleset]


def codes(mistakes: list[Mistake]) -> list[tuple[str, str]]:
    """Code and path of every mistake."""
    return [(mistake.code, mistake.path) for mistake in mistakes]


def test_a_child_gives_only_what_differs(load: Load, presets: dict[str, Ruleset]) -> None:
    """A child that gives nothing has its parent's settings, titles and terms."""
    child, parent = load("", extends='"baibian"'), presets["baibian"]
    assert (child.play, child.xiang, child.scoring) == (parent.play, parent.xiang, parent.scoring)
    assert (child.title, child.terms, child.hash) == (parent.title, parent.terms, parent.hash)
    assert (child.name, child.version, child.effective_from) == ("house", "1", None)


def test_sections_are_merged_key_by_key(load: Load, presets: dict[str, Ruleset]) -> None:
    """One key replaces one key in [play], [scoring], [title] and [terms]."""
    child = load(
        '[play]\nchain_min = 2\n[scoring]\nfee = 3\n[terms]\ndan = "次扣"\n[title]\nzh = "本店"',
        extends='"baibian@1"',
    )
    parent = presets["baibian"]
    assert (child.play.chain_min, child.play.wild) == (2, ("big",))
    assert (child.scoring.fee, child.scoring.doubling) == (3, parent.scoring.doubling)
    assert child.terms == {"xiang": "星", "dan": "次扣"}
    assert child.title == {"en": parent.title["en"], "zh": "本店"}


def test_a_table_is_replaced_as_a_whole(load: Load) -> None:
    """Rows of doubling, contribution and base are not mixed with the parent's."""
    child = load(
        "[scoring]\ndoubling = { 6 = 2 }\nbase = { levels = [[0, 1]] }", extends='"huopin-points"'
    )
    assert child.scoring.doubling == (Row(6, 2),)
    assert child.scoring.base == Levels((Level(0, 1),))


def test_a_child_takes_a_cap_away(load: Load) -> None:
    """xiang_cap = "none" removes what the parent has."""
    assert load("", extends='"jiule"').xiang.xiang_cap == 9
    assert load('[xiang]\nxiang_cap = "none"', extends='"jiule"').xiang.xiang_cap is None


def test_another_number_of_seats_drops_what_was_for_the_other(write: Write) -> None:
    """The parent's settings for two seats vanish silently; those for four are asked for."""
    path = write(
        '[play]\nseats = 4\non_escape = "trustee"\n[scoring]\ncontribution = {}',
        extends='"jiule"',
    )
    assert codes(check_files([path])) == [
        ("rules.missing", "scoring.places"),
        ("rules.missing", "scoring.doubling_scope"),
    ]


def test_a_grandchild_does_not_get_back_what_was_dropped(write: Write) -> None:
    """What does not apply to the parent is not inherited from the grandparent."""
    write('[play]\non_escape = "trustee"', name="calm", extends='"jiule"')
    path = write('[play]\non_escape = "settle"', name="fierce", extends='"calm"')
    assert codes(check_files([path])) == [
        ("rules.missing", "scoring.escape_times"),
        ("rules.missing", "scoring.escape_parts"),
        ("rules.missing", "scoring.share"),
    ]


def test_a_warning_holds_for_the_child_as_well(write: Write) -> None:
    """Who inherits a minting row mints, too; the warning says from where it comes."""
    [mistake] = check_files([write("", extends='"baibian"')])
    assert (mistake.line, mistake.code) == (3, "rules.mint")  # where the parent is named
    assert mistake.message.endswith("(inherited from baibian@1)")
    grandchild = write("[scoring]\nfee = 1", name="grandchild", extends='"house"')
    [mistake] = check_files([grandchild])
    assert mistake.message.endswith("(inherited from baibian@1)")
    own = "[scoring.places]\nshuang = [4, 4, -4, -4]\ndan = [2, -2, 2, -2]\nping = [1, 0, 0, 1]"
    [mistake] = check_files([write(own, name="own", extends='"baibian"')])
    assert "inherited" not in mistake.message


def test_an_error_of_the_parent_is_told_at_the_parent(write: Write) -> None:
    """Checking a child alone reports an unusable parent, at the parent's file."""
    parent = write("[scoring]\nfee = -1", name="parent", extends='"jiule"')
    child = write("", name="child", extends='"parent"')
    [mistake] = check_files([child])
    assert (mistake.file, mistake.path) == (str(parent), "scoring.fee")


def test_what_the_parent_cannot_say_is_not_missing(write: Write) -> None:
    """A value that is wrong in the parent is asked for once, there."""
    write("", name="parent", version="2", extends='"nowhere"')
    child = write("", name="child", extends='"parent"')
    assert codes(check_files([child])) == [("rules.extends", "extends")]


def test_a_new_version_may_extend_the_old_one(write: Write, tmp_path: Path) -> None:
    """The name alone means the only other version."""
    start = "2026-06-01T00:00:00+08:00"
    write(
        "[scoring]\nfee = 2",
        name="jiule",
        version="2",
        extends='"jiule"',
        effective_from=start,
    )
    book = load_rulesets([tmp_path])
    assert book.rulesets[book.find("jiule@2", None)].scoring.fee == 2


def test_settings_that_do_not_apply_are_absent(load: Load) -> None:
    """A warning does not stop loading, and the setting is not kept."""
    child = load("[scoring]\ndoubling_scope = 'first'", extends='"jiule"')
    assert child.scoring.doubling_scope is None


def test_dotted_keys_and_inline_sections_are_the_same(load: Load) -> None:
    """Every way in which TOML writes a table gives the same ruleset."""
    one = load("scoring.doubling.5 = 2\nplay = { chain_min = 2 }", extends='"jiule"')
    other = load("[scoring]\n[scoring.doubling]\n5 = 2\n[play]\nchain_min = 2", extends='"jiule"')
    assert (one.hash, one.play) == (other.hash, other.play)


def test_the_order_of_wild_jokers_does_not_matter(load: Load, presets: dict[str, Ruleset]) -> None:
    """The list is kept in one order, so that the hash is the same."""
    child = load('[play]\nwild = ["small", "big"]', extends='"jiule"')
    assert child.hash == presets["jiule"].hash


def test_the_settings_that_have_a_default_may_be_omitted(load: Load) -> None:
    """A complete file without them loads, with the documented values."""
    ruleset = load(
        """
        [play]
        seats = 2
        wild = []
        mixed_joker_pair = "none"
        chain_min = 2
        chain_irregular = true
        chain_two = "no"
        bomb_order = "most-groups"
        four_jokers = "lowest"
        on_escape = "trustee"
        [scoring]
        unit = "chips"
        base = { fixed = 10 }
        kou_cards = { dan = 5, shuang = 10 }
        kou = { ping = 1, dan = 2, shuang = 4 }
        doubling = {}
        contribution_mode = "max"
        """
    )
    assert (ruleset.play.lead_policy, ruleset.play.trustee_policy) == ("shown", "smallest")
    assert (ruleset.xiang.linked, ruleset.xiang.linked_bonus) == (False, None)
    assert (ruleset.xiang.unlinked, ruleset.xiang.unlinked_count) == (False, None)
    assert (ruleset.scoring.contribution, ruleset.scoring.fee) == ((), 0)
    assert ruleset.scoring.share is None
