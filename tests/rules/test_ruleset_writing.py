"""``to_toml``: what is written loads as the same ruleset."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analytics.findings import Severity
from analytics.rules import (
    TERMS,
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
    Xiang,
    check_ruleset,
    load_rulesets,
    load_text,
    to_child_toml,
    to_toml,
)

WORDS = st.text("abcXYZ019._-火", min_size=1, max_size=12)
TEXTS = st.text(min_size=1, max_size=12).filter(lambda text: text.strip() and text.isprintable())
TIMES = st.integers(-(10**4), 10**4)
MOMENTS = st.datetimes(
    datetime(1970, 1, 2),
    datetime(2900, 1, 1),
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3))]),
)


def tables(times: st.SearchStrategy[int]) -> st.SearchStrategy[tuple[Row, ...]]:
    """Multiplier tables."""
    rows = st.dictionaries(st.integers(1, 31), times, max_size=12)
    return rows.map(lambda table: tuple(Row(*row) for row in sorted(table.items())))


def levels() -> st.SearchStrategy[Levels]:
    """Ascending levels."""
    required = st.lists(st.integers(-(10**15), 10**15), min_size=1, max_size=32, unique=True).map(
        sorted
    )
    return required.flatmap(
        lambda found: st.tuples(*(st.integers(1, 10**9) for _ in found)).map(
            lambda bases: Levels(tuple(map(Level, found, bases)))
        )
    )


@st.composite
def plays(draw: Any) -> Play:
    """Settings of [play] that can stand together."""
    seats = draw(st.sampled_from([2, 4]))
    order = draw(st.sampled_from(["fewest-cards", "most-groups"]))
    return Play(
        seats=seats,
        wild=draw(st.sampled_from([(), ("big",), ("small",), ("big", "small")])),
        mixed_joker_pair=draw(st.sampled_from(["big", "small", "none"])),
        chain_min=draw(st.integers(2, 6)),
        chain_irregular=draw(st.booleans()),
        chain_two=draw(st.sampled_from(["no", "cyclic"])),
        bomb_order=order,
        irregular_equal=draw(st.booleans()) if order == "fewest-cards" else None,
        four_jokers=draw(st.sampled_from(["highest", "lowest"])),
        lead_policy=draw(st.sampled_from(["shown", "any"])),
        trustee_policy=draw(st.sampled_from(["smallest", "any"])),
        on_escape="trustee" if seats == 4 else draw(st.sampled_from(["settle", "trustee"])),
    )


@st.composite
def xiangs(draw: Any) -> Xiang:
    """Settings of [xiang] that can stand together."""
    linked, unlinked = draw(st.booleans()), draw(st.booleans())
    return Xiang(
        linked=linked,
        linked_bonus=draw(st.integers(1, 10**4)) if linked else None,
        unlinked=unlinked,
        unlinked_count=draw(st.sampled_from(["independent", "all"])) if unlinked else None,
        xiang_cap=draw(st.none() | st.integers(1, 10**4)),
    )


@st.composite
def scorings(draw: Any, play: Play) -> Scoring:
    """Settings of [scoring] that can stand beside these of [play]."""
    is_two, settles = play.seats == 2, play.on_escape == "settle"
    cards = draw(st.lists(st.integers(1, 27), min_size=2, max_size=2, unique=True).map(sorted))
    four = st.tuples(TIMES, TIMES, TIMES, TIMES)
    bases = st.just("given") | st.integers(1, 10**9).map(Fixed) | levels()
    thirds = st.integers(-3333, 3333).map(lambda third: 3 * third)
    return Scoring(
        unit=draw(TEXTS),
        base=draw(bases),
        kou_cards=KouCards(*cards) if is_two else None,
        kou=Kou(draw(TIMES), draw(TIMES), draw(TIMES)) if is_two else None,
        places=None if is_two else Places(draw(four), draw(four), draw(four)),
        doubling=draw(tables(TIMES)),
        contribution=draw(tables(TIMES if is_two else thirds)),
        contribution_mode=draw(st.sampled_from(["max", "each"])),
        doubling_scope=None if is_two else draw(st.sampled_from(["team", "first"])),
        fee=draw(st.integers(0, 10**12)),
        cap_at_balance=draw(st.booleans()),
        escape_times=draw(st.integers(0, 10**4)) if settles else None,
        escape_parts=draw(st.sampled_from(["points", "wealth", "none"])) if settles else None,
        share=draw(st.integers(0, 100)) if settles else None,
    )


@st.composite
def rulesets(draw: Any) -> Ruleset:
    """Any ruleset without an error."""
    play = draw(plays())
    return Ruleset(
        name=draw(WORDS),
        version=draw(WORDS),
        effective_from=draw(st.none() | MOMENTS),
        title=draw(st.dictionaries(st.sampled_from(["en", "zh"]), TEXTS)),
        terms=draw(st.dictionaries(st.sampled_from(TERMS), TEXTS, max_size=3)),
        play=play,
        xiang=draw(xiangs()),
        scoring=draw(scorings(play)),
    )


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rulesets())
def test_what_is_written_loads_as_the_same_ruleset(tmp_path: Path, ruleset: Ruleset) -> None:
    """Parsing undoes writing, down to the hash and the row."""
    path = tmp_path / "ruleset.toml"
    path.write_text(to_toml(ruleset), encoding="utf-8")
    book = load_rulesets([path], presets=False)
    assert book.rulesets == (ruleset,)
    assert book.rulesets[0].hash == ruleset.hash
    assert book.rulesets[0].source == str(path)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_presets_survive_a_windows_editor(
    tmp_path: Path, presets: dict[str, Ruleset], line_end: str, mark: str
) -> None:
    """A byte order mark and other ends of lines change nothing."""
    for name, preset in presets.items():
        text = mark + to_toml(preset).replace("\n", line_end)
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8", newline="")
    assert load_rulesets([tmp_path], presets=False).rulesets == tuple(presets.values())


def test_text_is_escaped(tmp_path: Path, presets: dict[str, Ruleset]) -> None:
    """Quotes, backslashes and control characters come back as they were."""
    from dataclasses import replace

    title = {"en": 'a "b" \\ \t \x7f \x01', "zh": "双扣\n# 牌"}
    path = tmp_path / "a.toml"
    path.write_text(to_toml(replace(presets["jiule"], title=title)), encoding="utf-8")
    assert load_rulesets([path], presets=False).rulesets[0].title == title


def test_a_ruleset_made_by_a_program_is_checked(presets: dict[str, Ruleset]) -> None:
    """The same lint as for files, without a file."""
    from dataclasses import replace

    wrong = replace(presets["jiule"], scoring=replace(presets["jiule"].scoring, share=101))
    assert check_ruleset(presets["jiule"]) == []
    assert [(m.path, m.severity) for m in check_ruleset(wrong)] == [
        ("scoring.share", Severity.ERROR)
    ]


@pytest.mark.parametrize("parent", load_rulesets().rulesets, ids=lambda ruleset: ruleset.name)
@pytest.mark.parametrize("cap", [None, 7])
def test_a_child_says_what_differs_and_loads_as_the_same(parent: Ruleset, cap: int | None) -> None:
    """Fee, doublings and cap changed, or taken away: nothing else stands in the file."""
    scoring = replace(parent.scoring, fee=7, doubling=(Row(5, 3), Row(8, 9)))
    xiang = replace(parent.xiang, xiang_cap=cap)
    own = replace(parent, name="own", title={}, scoring=scoring, xiang=xiang)
    text = to_child_toml(own, parent)
    assert load_text(text, "own.toml").hash == own.hash
    caps = [] if cap == parent.xiang.xiang_cap else ["xiang_cap"]
    keys = [line.partition(" = ")[0] for line in text.splitlines() if " = " in line]
    assert keys == ["name", "version", "extends", *caps, "doubling", "fee"]
