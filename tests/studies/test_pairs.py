"""The study of pairs: silent on honest players, and it finds two who conspire."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analytics.studies import Studied, pairs
from analytics.studies.pairs import p_of_meetings, p_of_score, pairs_steps
from analytics.warehouse.errors import WarehouseError
from tests.studies.power import ASKED, RING, clean_pairs, ring, suspects
from tests.studies.worlds import BEGIN, tables_of, world


def until(name: str, games: pd.DataFrame) -> pd.DataFrame:
    """The rows of a step."""
    steps = list(pairs_steps(ASKED))
    chain = ", ".join(f"{step.name} AS ({step.sql})" for step in steps)
    with tables_of(games) as database:
        return database.sql(f"WITH RECURSIVE {chain} SELECT * FROM {name}").df()


def games_of(rows: list[tuple[int, int, int, int]]) -> pd.DataFrame:
    """Games by one, other, minute, flow."""
    frame = pd.DataFrame(rows, columns=["one", "other", "minute", "flow"])
    frame["started"] = BEGIN + (frame.pop("minute") * 60_000_000).astype("timedelta64[us]")
    return frame


def test_honest_players_are_not_suspected() -> None:
    """Five worlds of 20,000 games: like skill, habits and halls are no crime."""
    assert clean_pairs(seeds=5, games=20_000) == 0


def test_two_who_conspire_are_found() -> None:
    """In each of five worlds they are named, and nobody else is."""
    assert ring(seeds=5, games=20_000) == 5


def test_a_suspect_comes_with_ten_games_of_both() -> None:
    """The ids are those of ten of their games, the largest payments."""
    games = world(20_000, 0, RING)
    found = suspects(20_000, 0, RING).iloc[0]
    theirs = games[(games["one"] == 0) & (games["other"] == 1)]
    shown = [int(each[1:]) - 1 for each in found["examples"].split(" ")]
    assert len(set(shown)) == 10
    assert set(shown) <= set(theirs.index)
    largest = theirs["flow"].abs().nlargest(10).min()
    assert games["flow"].abs()[shown].min() == largest
    assert found["flow"] == theirs["flow"].sum()
    assert found["games"] == len(theirs)


def test_games_in_a_row_are_one_meeting() -> None:
    """Three games in ten minutes meet once; after more than half an hour it is another time."""
    games = games_of([(1, 2, 0, 5), (1, 2, 5, 5), (1, 2, 10, 5), (1, 2, 41, 5), (1, 3, 12, 5)])
    assert len(until("meetings", games)) == 3
    assert len(until("met", games)) == 3


def test_amounts_of_two_units_are_not_added() -> None:
    """Two who play for wealth and for points are two pairs, each with its own flow."""
    games = games_of([(1, 2, minute, 5) for minute in range(0, 960, 60)])
    games["unit"] = ["wealth", "points"] * 8
    games.loc[games["unit"] == "points", "flow"] = 7
    paid = until("paid JOIN who ON who.no = one", games)
    assert sorted(zip(paid["unit"], paid["flow"], paid["games"], strict=True)) == [
        ("points", 56, 8), ("wealth", 40, 8),
    ]  # fmt: skip
    assert len(until("expected", games)) == 2


def test_pools_are_players_who_meet_through_others() -> None:
    """Halls that do not mix are pools; a pair that meets nobody else joins the largest."""
    chain = [(n, n + 1, 60 * n, 5) for n in range(30)]
    far = [(100 + n, 101 + n, 60 * n, 5) for n in range(25)]
    found = until("pools", games_of([*chain, *far, (200, 201, 0, 5)])).sort_values("no")
    assert len(found) == 31 + 26 + 2
    assert sorted(found["pool"].value_counts()) == [26, 33]


def test_expected_meetings_are_those_of_seats_that_change_places() -> None:
    """The formula gives the mean of 1,000 worlds in which seats of a tier and hour permuted."""
    rng = np.random.default_rng(3)
    all_pairs = [(one, other) for one in range(20) for other in range(one + 1, 20)]
    rows = []
    for hour in range(12):
        for at in rng.choice(len(all_pairs), 40, replace=False).tolist():
            one, other = all_pairs[at]
            rows.append((one, other, 60 * hour, 5 if rng.uniform() < one / 20 else -5))
    games = games_of(rows)
    expected = until("expected_by_cut", games).query("cut == 0")
    tiers = until("tiers", games).query("cut == 0").set_index("no")["tier"]
    names = until("who", games).set_index("player")["no"]
    seats = np.array([[names[f"p{one}"], names[f"p{other}"]] for one, other, *_ in rows])
    drawn = permuted_meetings(seats.reshape(12, -1), tiers, rng)
    found = [drawn[row.one, row.other] for row in expected.itertuples()]
    assert len(found) > 50
    assert expected["chance"].to_numpy() == pytest.approx(np.array(found), rel=0.2)
    assert expected["chance"].sum() == pytest.approx(sum(found), rel=0.03)


def permuted_meetings(hours: Any, tiers: Any, rng: Any) -> Any:
    """Mean meetings of all pairs; where somebody would meet himself the hour is scaled up."""
    size = int(hours.max()) + 1
    met = np.zeros((size, size))
    for _ in range(1_000):
        for seats in hours:
            mixed, tier = seats.copy(), tiers.loc[seats].to_numpy()
            for each in np.unique(tier):
                places = np.flatnonzero(tier == each)
                mixed[places] = rng.permutation(seats[places])
            tables = np.sort(mixed.reshape(-1, 2), axis=1)
            tables = tables[tables[:, 0] != tables[:, 1]]
            np.add.at(met, (tables[:, 0], tables[:, 1]), len(seats) / 2 / len(tables))
    return met / 1_000


def test_a_payment_is_counted_from_the_first_to_the_second() -> None:
    """What one loses, other gets; skill is that of games against others."""
    games = games_of([(1, 2, n, 100) for n in range(10)] + [(1, 3, n, -100) for n in range(10)])
    paid = until("rated", games).set_index(["one", "other"])
    assert paid.loc[(1, 2), "flow"] == 1_000
    assert paid.loc[(1, 2), "score"] == -paid.loc[(1, 3), "score"] > 0
    # against others, 1 won all ten and 2 has none: 2 is the weaker one of the two
    assert paid.loc[(1, 2), "better"] < 0


def test_chance_alone_meets_so_often() -> None:
    """Poisson's tail at three times what is expected; a circle of friends raises it."""
    few, habit = p_of_meetings(np.array([5.0, 5.0]), np.array([1.0, 1.0]), np.array([0.0, 4.0]))
    below = sum(np.exp(-3) * 3.0**n / np.prod(range(1, n + 1)) for n in range(5))
    assert few == pytest.approx(1 - below)
    assert habit > few


def test_an_edge_is_not_held_against_them() -> None:
    """Below it p is 1; nobody who never played has a p below 1."""
    ps = p_of_score(np.array([1.0, 9.0, 0.0]), np.array([1.0, 1.0, 0.0]), np.array([2.0, 2.0, 0.0]))
    assert ps[0] == ps[2] == 1
    assert ps[1] < 1e-10


def test_pairs_are_not_grouped(studied: Studied) -> None:
    """Grouping them would cut meetings apart: it is refused with a sentence."""
    with pytest.raises(WarehouseError, match="--where"):
        studied.study("players.pairs", by=["room"])


def test_an_empty_warehouse_has_no_suspects() -> None:
    """No games, no rows, the same columns."""
    frame = suspects(0, 0)
    assert len(frame) == 0
    columns = (*pairs.PAIRS.always, *pairs.PAIRS.columns)
    assert set(frame.columns) == {column.name for column in columns}
