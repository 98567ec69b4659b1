"""The search finds what there is to find, and says why where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest

from analytics.rules import Ruleset
from analytics.tuning.goals import Goals, Range, Require, Vary, Want
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.search import Evaluate, search
from tests.rulebook.builder import WEALTH, rules

BASELINE = rules(WEALTH)


def constructed(rulesets: Sequence[Ruleset]) -> pd.DataFrame:
    """A world in which fees drive players away: 100 games less one a unit of fee, and so on.

    ``fees`` = fee · (100 − fee) is largest with a fee of 50; ``turnover`` = 100 − fee + the
    sum of the doublings; ``worst`` = −the last doubling.
    """
    rows = []
    for ruleset in rulesets:
        fee, doubling = ruleset.scoring.fee, [row.times for row in ruleset.scoring.doubling]
        rows.append(
            {
                "games": 100,
                "fees": fee * (100 - fee),
                "turnover": 100 - fee + sum(doubling),
                "worst": -doubling[-1],
            }
        )
    return pd.DataFrame(rows)


def goals(**given: object) -> Goals:
    """Goals with a fee from 0 to 100 and doublings from 1 to 20."""
    vary = Vary(fee=Range(least=0, most=100), doubling=Range(least=1, most=20))
    return Goals(**{"name": "g", "vary": vary, "tables": 3_000, **given})  # type: ignore[arg-type]


def test_the_known_optimum_is_found_where_all_tables_are_tried() -> None:
    """A fee of 50 and no other brings 2,500."""
    vary = Vary(fee=Range(least=0, most=100))
    found = search(
        goals(vary=vary, want=(Want(metric="fees", aim="most"),)), BASELINE, constructed, days=1
    )
    assert found.tried == 101
    assert [ruleset.scoring.fee for ruleset in found.rulesets] == [50]
    assert found.tables["fees"].tolist() == [2_500]
    assert found.tables["name"].tolist() == [found.rulesets[0].name] == ["g-1"]


def test_the_baseline_is_tried_where_it_can_be() -> None:
    """It has no fee: fees from 0 on have it among them, fees from 1 on have not."""
    want = (Want(metric="fees", aim="most"),)
    for least, is_there in ((0, True), (1, False)):
        vary = Vary(fee=Range(least=least, most=9))
        found = search(goals(vary=vary, want=want), BASELINE, constructed, days=1)
        assert found.is_baseline_tried is is_there


def test_all_tables_are_tried_where_those_that_never_fall_are_few() -> None:
    """Eight doublings of 1 or 2: 256 combinations, of which nine never fall."""
    vary = Vary(doubling=Range(least=1, most=2))
    want = (Want(metric="turnover", aim="most"),)
    found = search(goals(vary=vary, want=want, tables=9), BASELINE, constructed, days=1)
    assert (found.tried, found.feasible) == (9, 9)
    assert {row.times for row in found.rulesets[0].scoring.doubling} == {2}


def test_a_table_that_cannot_be_carried_is_not_found_and_spoils_nothing() -> None:
    """Above a fee of 40 nothing is known of games in order: so 40 is the best there is."""

    def in_order(rulesets: Sequence[Ruleset]) -> pd.DataFrame:
        fees = [ruleset.scoring.fee for ruleset in rulesets]
        held = [None if fee > 40 else 1_000 - fee for fee in fees]
        return pd.DataFrame(dict.fromkeys(names_of(Class.C), held), dtype=object)

    vary = Vary(fee=Range(least=0, most=50))
    fees = Want(metric="fees", aim="most")
    for own in (
        {"want": (fees,), "require": (Require(metric="held", least=0),)},
        {"want": (fees, Want(metric="held", aim="least"))},
    ):
        found = search(
            goals(vary=vary, **own), BASELINE, constructed, days=1, slower={Class.C: in_order}
        )
        assert (found.tried, found.feasible) == (51, 41)
        assert [ruleset.scoring.fee for ruleset in found.rulesets] == [40]


def test_the_known_optimum_is_found_among_ten_billion_tables() -> None:
    """The fee of 50 again, with the last doubling held at 8 by a requirement."""
    want = (Want(metric="fees", aim="most"), Want(metric="turnover", aim="most"))
    found = search(goals(want=want, require=(Require(metric="worst", least=-8),)), BASELINE,
                   constructed, days=1)  # fmt: skip
    assert found.tried <= 3_000
    best = found.rulesets[0].scoring
    assert best.fee in range(48, 53)
    assert best.doubling[-1].times <= 8
    assert found.front["fees"].max() == 2_500 or found.tables["fees"].max() >= 2_495
    # Whoever has the largest turnover has no fee and eight doublings of 8.
    assert found.tables["turnover"].max() >= 0.9 * (100 + 8 * 8)


def test_a_pareto_set_has_no_table_that_another_one_beats() -> None:
    """More fees are had for less turnover only."""
    want = (Want(metric="fees", aim="most"), Want(metric="turnover", aim="most"))
    front = search(goals(want=want), BASELINE, constructed, days=1).front
    ordered = front.sort_values("fees")
    assert ordered["fees"].is_unique
    assert ordered["turnover"].is_monotonic_decreasing
    assert front["written"].notna().sum() == 5


def test_what_the_baseline_comes_to_is_told() -> None:
    """Its fees a day and its turnover, by the names that the set has."""
    want = (Want(metric="fees", aim="most", per="day"), Want(metric="turnover", aim="least"))
    found = search(goals(want=want), BASELINE, constructed, days=7)
    [own] = constructed([BASELINE]).to_dict("records")
    assert found.now == {"fees a day": own["fees"] / 7, "turnover": own["turnover"]}
    assert set(found.now) == set(found.front.columns) - {"written"}


def test_no_change_is_left_that_is_not_needed() -> None:
    """The last doubling must fall to 8, and others with it; all else goes back to the baseline."""
    baseline = rules(WEALTH, doubling={5: 1, 6: 2, 7: 4, 8: 8, 9: 12, 10: 12, 11: 12, 12: 12})
    require = (Require(metric="worst", least=-8),)
    found = search(goals(require=require), baseline, constructed, days=1)
    doubling = [row.times for row in found.rulesets[0].scoring.doubling]
    assert doubling[:4] == [1, 2, 4, 8]
    assert doubling[4:] == [8, 8, 8, 8]
    assert found.tables["changed"].tolist() == [4]


def test_goals_that_nothing_meets_name_what_binds() -> None:
    """Fees of 3,000 cannot be: the best table misses them by 500, and no table comes nearer."""
    require = (Require(metric="fees", least=3_000), Require(metric="turnover", least=10))
    found = search(goals(require=require), BASELINE, constructed, days=1)
    assert found.rulesets == ()
    assert found.feasible == 0
    assert found.shortfalls["requirement"].tolist() == ["fees >= 3000"]
    assert found.shortfalls[["value", "miss", "closest"]].to_numpy().tolist() == [[2_500, 500, 500]]


def test_requirements_that_exclude_one_another_are_both_named() -> None:
    """Each can be met alone: closest is 0; together one of them is missed."""
    require = (Require(metric="fees", least=2_500), Require(metric="fees", most=0))
    vary = Vary(fee=Range(least=0, most=100))
    found = search(goals(require=require, vary=vary), BASELINE, constructed, days=1)
    assert found.shortfalls["closest"].tolist() == [0]
    assert found.shortfalls["miss"].tolist() == [2_500]


def test_goals_can_be_a_days_or_a_games() -> None:
    """2,100 fees in seven days are 300 a day and 21 a game: a fee of 30 is the first to do."""
    for per, least in (("day", 300), ("game", 21)):
        require = (Require(metric="fees", least=least, per=per),)  # type: ignore[arg-type]
        vary = Vary(fee=Range(least=0, most=49))
        want = (Want(metric="turnover", aim="most"),)
        found = search(goals(require=require, vary=vary, want=want), BASELINE, constructed, days=7)
        assert [ruleset.scoring.fee for ruleset in found.rulesets] == [30]


def test_near_a_value_and_fewest_changes() -> None:
    """Fees near 1,600 are those of 20 and of 80: equal ones are counted once."""
    vary = Vary(fee=Range(least=0, most=100))
    want = (Want(metric="fees", aim="near", value=1_600),)
    found = search(goals(vary=vary, want=want), BASELINE, constructed, days=1)
    assert [ruleset.scoring.fee for ruleset in found.rulesets] == [20]
    nothing = search(goals(), BASELINE, constructed, days=1)
    assert nothing.tables["changed"].tolist() == [3]  # 32, 64 and 128 are above 20


def test_the_same_seed_gives_the_same_tables_and_another_one_others() -> None:
    """All chance comes from the seed."""
    want = (
        Want(metric="turnover", aim="near", value=77),
        Want(metric="worst", aim="near", value=-11),
    )
    runs = [search(goals(want=want, seed=seed, tables=400), BASELINE, constructed, days=1)
            for seed in (3, 3, 4)]  # fmt: skip
    assert [r.hash for r in runs[0].rulesets] == [r.hash for r in runs[1].rulesets]
    assert runs[0].tables.equals(runs[1].tables)
    assert not runs[0].front.equals(runs[2].front) or runs[0].tried != runs[2].tried


def test_games_in_order_are_asked_only_of_tables_that_meet_all_else() -> None:
    """Fees of 2,100 need 30 to 70; of these, bankruptcies (the fee) are at most 40."""
    asked: list[int] = []

    def in_order(rulesets: Sequence[Ruleset]) -> pd.DataFrame:
        fees = [ruleset.scoring.fee for ruleset in rulesets]
        asked.extend(fees)
        return pd.DataFrame(dict.fromkeys(names_of(Class.C), fees))

    require = (Require(metric="fees", least=2_100), Require(metric="bankruptcies", most=40))
    vary = Vary(fee=Range(least=0, most=100))
    found = search(
        goals(require=require, vary=vary, want=(Want(metric="fees", aim="most"),)),
        BASELINE, constructed, days=1, slower={Class.C: in_order},
    )  # fmt: skip
    assert sorted(asked) == [0, *range(30, 71)]  # the baseline, and those
    assert found.feasible == 11
    assert found.tables[["fees", "bankruptcies"]].to_numpy().tolist() == [[2_400, 40]]
    none = search(
        goals(require=(*require, Require(metric="turnover", least=10**6)), vary=vary),
        BASELINE, constructed, days=1, slower={Class.C: in_order},
    )  # fmt: skip
    assert none.shortfalls["requirement"].tolist() == ["turnover >= 1e+06", "bankruptcies <= 40"]
    assert none.shortfalls["miss"].isna().tolist() == [False, True]


def test_players_are_asked_after_groups_and_before_games_in_order() -> None:
    """Fees from 30 to 70 bring 2,100; of these up to 45 leave winners; of these 40 ruin few."""
    asked: dict[Class, list[int]] = {Class.B: [], Class.C: []}

    def told_by(kind: Class) -> Evaluate:
        def evaluate(rulesets: Sequence[Ruleset]) -> pd.DataFrame:
            fees = [ruleset.scoring.fee for ruleset in rulesets]
            asked[kind] += fees
            return pd.DataFrame(dict.fromkeys(names_of(kind), fees))

        return evaluate

    require = (
        Require(metric="fees", least=2_100),
        Require(metric="bankruptcies", most=40),
        Require(metric="winners", most=45),
    )
    found = search(
        goals(require=require, vary=Vary(fee=Range(least=0, most=100)),
              want=(Want(metric="losers", aim="most"),)),
        BASELINE, constructed, days=1, slower={kind: told_by(kind) for kind in (Class.C, Class.B)},
    )  # fmt: skip
    assert sorted(asked[Class.B]) == [0, *range(30, 71)]
    assert sorted(asked[Class.C]) == [0, *range(30, 46)]
    assert found.feasible == 11
    assert found.tables[["losers", "bankruptcies"]].to_numpy().tolist() == [[40, 40]]


def test_progress_is_told() -> None:
    """How many tables were tried, up to all of them."""
    told: list[tuple[int, int]] = []
    vary = Vary(fee=Range(least=0, most=100))
    search(goals(vary=vary), BASELINE, constructed, days=1, tell=lambda *n: told.append(n))
    assert told == [(100, 3_000), (101, 3_000)]


def test_a_table_with_an_error_is_not_shipped() -> None:
    """A value that cannot be told is never met: there is no such table."""

    def untold(rulesets: Sequence[Ruleset]) -> pd.DataFrame:
        return constructed(rulesets).assign(fees=float("nan"))

    found = search(
        goals(require=(Require(metric="fees", least=0),), tables=100), BASELINE, untold, days=1
    )
    assert found.feasible == 0
    with pytest.raises(KeyError):
        search(goals(want=(Want(metric="sigma", aim="least"),)), BASELINE, constructed, days=1)
