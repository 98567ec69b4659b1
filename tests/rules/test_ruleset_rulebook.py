"""``Rulebook``: rows for kernels, and which version is in effect."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from analytics.rules import NoRuleset, Rulebook, Ruleset, load_rulesets, row_of
from analytics.rules import row as R

Load = Callable[..., Ruleset]
CHINA = timezone(timedelta(hours=8))


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970 in UTC."""
    return round(moment.timestamp()) * 1_000_000


@pytest.fixture
def versions(presets: dict[str, Ruleset]) -> Rulebook:
    """A house with three versions, one preset, and one that begins late."""
    jiule = replace(presets["jiule"], name="house")
    may, june = datetime(2026, 5, 1, tzinfo=CHINA), datetime(2026, 6, 1, tzinfo=CHINA)
    return Rulebook.of(
        [
            replace(jiule, version="june", effective_from=june),
            jiule,
            replace(jiule, version="may", effective_from=may),
            presets["baibian"],
            replace(jiule, name="late", effective_from=june),
        ]
    )


def found(book: Rulebook, name: str, moment: datetime | None) -> str:
    """The version that is found, or the reason why none is."""
    try:
        start = None if moment is None else microseconds(moment)
        return book.rulesets[book.find(name, start)].at
    except NoRuleset as problem:
        return problem.reason


@pytest.mark.parametrize(
    ("name", "moment", "expected"),
    [
        ("house", datetime(1800, 1, 1, tzinfo=UTC), "house@1"),
        ("house", datetime(2026, 4, 30, 15, 59, 59, tzinfo=UTC), "house@1"),
        ("house", datetime(2026, 4, 30, 16, 0, 0, tzinfo=UTC), "house@may"),
        ("house", datetime(2026, 6, 1, 0, 0, 0, tzinfo=CHINA), "house@june"),
        ("house", datetime(2999, 1, 1, tzinfo=UTC), "house@june"),
        ("house", None, "several versions and no start"),
        ("house@may", None, "house@may"),
        ("house@june", datetime(1800, 1, 1, tzinfo=UTC), "house@june"),
        ("house@july", None, "unknown version"),
        ("casa", None, "unknown name"),
        ("casa@1", None, "unknown name"),
        ("", None, "unknown name"),
        ("baibian", None, "baibian@1"),
        ("baibian", datetime(1800, 1, 1, tzinfo=UTC), "baibian@1"),
        ("late", None, "late@1"),
        ("late", datetime(2026, 5, 1, tzinfo=UTC), "none in effect at start"),
        ("late", datetime(2026, 7, 1, tzinfo=UTC), "late@1"),
    ],
)
def test_find(versions: Rulebook, name: str, moment: datetime | None, expected: str) -> None:
    """The version in effect is the latest that began by the start; ``@`` names one."""
    assert found(versions, name, moment) == expected


def test_no_ruleset_is_a_key_error(versions: Rulebook) -> None:
    """Who does not care for the reason catches KeyError."""
    with pytest.raises(KeyError, match="unknown name"):
        versions.find("casa", None)


def test_rulesets_are_sorted_by_name_and_time(versions: Rulebook) -> None:
    """So that ``rules_ix`` does not depend on the order of files."""
    assert [r.at for r in versions.rulesets] == [
        "baibian@1",
        "house@1",
        "house@may",
        "house@june",
        "late@1",
    ]


def test_terms_are_those_of_the_ruleset(versions: Rulebook) -> None:
    """By name and version, as findings carry them; nobody's where no ruleset has a part."""
    assert versions.terms("baibian@1")["xiang"] == "星"
    assert versions.terms(None) == {}
    with pytest.raises(KeyError):
        versions.terms("house@9")


def test_a_rulebook_travels_to_other_processes(versions: Rulebook) -> None:
    """It can be pickled, and finds the same."""
    copy = pickle.loads(pickle.dumps(versions))
    assert copy.rulesets == versions.rulesets
    assert copy.find("house", None if copy.find("late", None) is None else 0) == 1
    assert np.array_equal(copy.rows, versions.rows)
    assert not copy.rows.flags.writeable  # else kernels would be compiled for it once more


def test_rows_are_read_only() -> None:
    """No kernel changes a rule."""
    book = load_rulesets()
    assert (book.rows.shape, book.rows.dtype) == ((6, R.WIDTH), np.dtype(np.int64))
    with pytest.raises(ValueError, match="read-only"):
        book.rows[0, 0] = 1


def test_an_empty_rulebook_knows_nothing() -> None:
    """No presets and no folders: every name is unknown."""
    book = load_rulesets(presets=False)
    assert book.rows.shape == (0, R.WIDTH)
    assert found(book, "jiule", None) == "unknown name"


def test_the_row_of_huopin_wealth(presets: dict[str, Ruleset]) -> None:
    """Every position that the layout names, from the page."""
    row = row_of(presets["huopin-wealth"]).tolist()
    assert row[:13] == [2, 1, 1, 14, 3, 1, 0, 0, 1, 1, 1, 1, 1]
    assert row[13:18] == [1, 1, 1, 1, 0]
    assert row[18:25] == [R.BASE_LEVELS, 0, 7, 12, 1, 2, 3]
    assert row[25:37] == [0] * 12
    assert row[37:45] == [0, 0, 0, 0, 12, R.PARTS_WEALTH, 70, 11]
    assert row[45:57] == [100, 1000, 10000, 100000, 500000, 1000000, 2500000, 5000000,
                          10000000, 25000000, 50000000, 0]  # fmt: skip
    assert row[77:89] == [5, 10, 100, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 0]
    doubling = row[109:141]
    assert doubling[:13] == [1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 64, 128]
    assert set(doubling[12:]) == {128}
    contribution = row[141:173]
    assert contribution[:13] == [0, 0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128]
    assert set(contribution[12:]) == {128}


def test_the_row_of_jiule(presets: dict[str, Ruleset]) -> None:
    """Cyclic twos, most groups, a cap, a given base, nothing but X times 128 on escape."""
    row = row_of(presets["jiule"])
    assert row[:13].tolist() == [2, 1, 1, 14, 3, 1, 1, 1, 0, 0, 1, 1, 1]
    assert row[13:18].tolist() == [0, 0, 0, 0, 9]
    assert row[R.BASE_KIND] == R.BASE_GIVEN
    assert row[41:45].tolist() == [128, R.PARTS_NONE, 0, 0]


def test_the_row_of_baibian(presets: dict[str, Ruleset]) -> None:
    """One wild joker, a fixed base, places by kou in the order ping, dan, shuang."""
    row = row_of(presets["baibian"])
    assert row[:13].tolist() == [4, 0, 1, 13, 3, 0, 0, 0, 1, 1, 1, 1, 0]
    assert row[18:25].tolist() == [R.BASE_FIXED, 1, 0, 0, 0, 0, 0]
    assert row[25:37].tolist() == [1, 0, 0, 1, 2, -2, 2, -2, 4, 4, -4, -4]
    assert row[37:45].tolist() == [1, 0, 0, 0, 0, R.PARTS_NONE, 0, 0]
    assert row[R.DOUBLING + 4 : R.DOUBLING + 10].tolist() == [1, 2, 4, 8, 16, 16]
    assert row[R.CONTRIBUTION + 5 : R.CONTRIBUTION + 10].tolist() == [0, 6, 12, 18, 18]


def test_the_other_values_of_a_row(load: Load, presets: dict[str, Ruleset]) -> None:
    """Those that no preset uses."""
    house = load(
        """
        [play]
        wild = ["small"]
        mixed_joker_pair = "none"
        lead_policy = "any"
        trustee_policy = "any"
        [xiang]
        unlinked = true
        unlinked_count = "all"
        [scoring]
        doubling_scope = "first"
        fee = 1000000000000
        cap_at_balance = true
        """,
        extends='"baibian"',
    )
    row = row_of(house)
    assert row[[R.WILD_SMALL, R.WILD_BIG, R.MIXED_JOKER_PAIR]].tolist() == [1, 0, 0]
    assert row[[R.LEAD_SHOWN, R.TRUSTEE_SMALLEST]].tolist() == [0, 0]
    assert row[[R.UNLINKED, R.UNLINKED_INDEPENDENT]].tolist() == [1, 0]
    assert row[[R.DOUBLING_FIRST, R.FEE, R.CAP_AT_BALANCE]].tolist() == [1, 10**12, 1]
    assert row_of(presets["huopin-points"])[R.ESCAPE_PARTS] == R.PARTS_POINTS
