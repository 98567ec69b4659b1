"""How tables are measured against goals, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analytics.tuning.goals import FEWEST_CHANGES, Goals, Range, Require, Vary, Want
from analytics.tuning.judging import Judge, judge_of, shortfalls

VARY = Vary(fee=Range(least=0, most=1))
BASELINE = pd.DataFrame({"fees": [200], "turnover": [0], "games": [10]})
TABLES = pd.DataFrame(
    {"fees": [50, 100, 300], "turnover": [8, None, -2], "games": [10, 20, 30]}, dtype=object
)


def judge(*require: Require, want: tuple[Want, ...] = (), days: int = 1) -> Judge:
    """The judge of some goals beside that baseline."""
    return judge_of(Goals(name="g", vary=VARY, require=require, want=want), BASELINE, days)


def test_a_bound_is_missed_by_what_lies_beyond_it() -> None:
    """Fees of at least 100 and at most 250: two bounds of one requirement."""
    own = judge(Require(metric="fees", least=100, most=250))
    assert [bound.text for bound in own.bounds] == ["fees >= 100", "fees <= 250"]
    assert own.misses(TABLES).tolist() == [[50, -200], [0, -150], [-200, 50]]


def test_misses_are_weighed_by_the_bound_or_the_baseline() -> None:
    """The larger of both: 200 here; 1 where both are nothing."""
    own = judge(Require(metric="fees", least=100), Require(metric="turnover", most=0))
    assert [bound.scale for bound in own.bounds] == [200, 1]
    shares = own.shares(own.misses(TABLES))
    assert shares[0].tolist() == [0.25, 8]
    assert np.isnan(shares[1, 1])


def test_what_is_not_known_is_missed_most_and_hides_no_difference() -> None:
    """Of two tables whose turnover is not known, the nearer one is best by a millionth part."""
    own = judge(Require(metric="turnover", most=0), Require(metric="fees", least=2_000_000))
    frame = pd.DataFrame(
        {"fees": [1_000_000, 1_000_002, 0], "turnover": [None, None, 10**9]}, dtype=object
    )
    missed = own.missed(own.misses(frame))
    assert missed.unknown.tolist() == [1, 1, 0]
    assert missed.known.tolist() == [0.5, 0.499999, 10**9 + 1]
    assert missed.best == 2
    assert np.argsort(missed.one_number).tolist() == [2, 1, 0]
    two = own.missed(own.misses(frame[:2]))
    assert two.best == 1
    values = [own.values(frame[:2], bound.requirement) for bound in own.bounds]
    found = shortfalls(own, own.misses(frame[:2]), values)
    assert found["value"].tolist()[0] == 1_000_002


def test_misses_of_tables_that_meet_everything_are_nothing() -> None:
    """What is met by far makes up for nothing that is missed."""
    own = judge(Require(metric="fees", least=40), Require(metric="games", least=15))
    missed = own.missed(own.misses(TABLES))
    assert missed.one_number.tolist()[1:] == [0, 0]
    assert missed.one_number[0] > 0


def test_a_want_that_is_not_known_costs_more_than_any_amount() -> None:
    """Also more than 10^15, which amounts may come to."""
    want = (Want(metric="turnover", aim="least"),)
    frame = pd.DataFrame({"turnover": [10**15, None]}, dtype=object)
    costs = judge(want=want).costs(frame)
    assert costs[0, 0] < costs[1, 0] < np.inf


def test_sums_can_be_a_days_or_a_games() -> None:
    """Divided by the days, or by each table's own games."""
    own = judge(Require(metric="fees", least=0, per="day"), days=5)
    assert own.values(TABLES, own.bounds[0].requirement).tolist() == [10, 20, 60]
    games = Want(metric="fees", aim="most", per="game")
    assert own.values(TABLES, games).tolist() == [5, 5, 10]


def test_costs_are_small_where_it_is_good() -> None:
    """Most is negated, near is a distance; nothing wanted means few changes."""
    wants = (Want(metric="fees", aim="most"), Want(metric="fees", aim="near", value=90))
    assert judge(want=wants).costs(TABLES).tolist() == [[-50, 40], [-100, 10], [-300, 210]]
    assert judge().wants == (FEWEST_CHANGES,)


def test_the_best_table_misses_least_in_all() -> None:
    """400 are wanted of each: 250 and 250 miss 300 in all, 100 and 390 miss 310."""
    own = judge(Require(metric="fees", least=400), Require(metric="games", least=400))
    frame = pd.DataFrame({"fees": [250, 100], "turnover": [0, 0], "games": [250, 390]})
    misses = own.misses(frame)
    values = [own.values(frame, bound.requirement) for bound in own.bounds]
    found = shortfalls(own, misses, values)
    assert found["value"].tolist() == [250, 250]
    assert found["closest"].tolist() == [150, 10]
    assert np.allclose(found["miss_share"], 150 / 400)
