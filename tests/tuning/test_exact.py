"""Sums of money beyond 64 bits: against Python's own integers."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest

from analytics.shuangkou import settlement as S
from analytics.studies import Studied
from analytics.tuning.candidates import Evaluator
from analytics.tuning.comparing import compare_frames
from analytics.tuning.exact import exact_sum, exact_sums, weighted
from analytics.tuning.groups import Groups, Seatings, group_games
from analytics.tuning.inequality import gini, lorenz, top_share
from analytics.tuning.measuring import Accounts
from analytics.tuning.pairing import Pair, nets_of, shares_of
from analytics.tuning.players import PlayerEvaluator, player_metrics
from analytics.tuning.whatif import pair_of
from tests.rulebook.builder import rules
from tests.tuning.singly import games_of, settled_one_by_one

RICH = np.full(10_000, 10**15)  # 10^19 in all: more than int64 holds
MOST = dict.fromkeys(range(4, 13), 10_000)
LARGE = {"base": 1_000_000_000, "kou": [10_000, 10_000, 10_000], "doubling": MOST}


def test_sums_of_the_first_amounts_are_those_of_python() -> None:
    """Positive and negative amounts that pass 64 bits, as int64 and as Python ints."""
    amounts = [2**62, 2**62, -5, 2**62, -(2**63), 7]
    every = [0, *accumulate(amounts)]
    for given in (np.array(amounts), np.array(amounts, object)):
        assert exact_sums(given, range(7)) == every
        assert exact_sum(given) == every[-1]


def test_weighted_amounts_are_python_ints_only_where_needed() -> None:
    """2^40 times 2^20 fits; times 2^23 no sum is sure to."""
    amounts = np.array([2**40, -(2**40)])
    assert weighted(amounts, np.array([2**20, 1])).dtype == np.int64
    assert weighted(amounts, np.array([2**23, 1])).tolist() == [2**63, -(2**40)]


@pytest.mark.parametrize("kind", [np.int64, object])
def test_equal_players_have_equal_shares_however_rich(kind: type) -> None:
    """Ten thousand players with 10^15 each: a tenth has a tenth, and nobody more."""
    amounts = RICH.astype(kind)
    assert top_share(amounts, 10) == 0.1
    assert lorenz(amounts).tolist() == [percent / 100 for percent in range(101)]
    assert gini(amounts) == pytest.approx(0, abs=1e-12)


def duel(amount: int, games: int) -> tuple[Accounts, Seatings]:
    """A group of so many games in which player a gets an amount, and b pays it."""
    items = np.zeros((1, 2, S.ITEMS), np.int64)
    items[0, :, S.BASE] = amount, -amount
    own = Accounts(items, np.zeros((1, S.ITEMS), np.int64), np.array([1]), np.array([games]))
    both, none = np.array([0, 1]), np.zeros(2, np.int64)
    return own, Seatings(("a", "b"), both, none, both, none, np.full(2, games))


def test_nets_beyond_64_bits_are_exact() -> None:
    """10^14 in each of 10^6 games: 10^20 for one, and as much to pay for the other."""
    own, seatings = duel(10**14, 10**6)
    nets = nets_of(own, seatings)
    assert nets.amounts.tolist() == [10**20, -(10**20)]
    assert (nets.gains.tolist(), nets.losses.tolist()) == ([10**20], [10**20])
    shares = shares_of(Pair(own, own, seatings, ()))
    assert shares.totals == (2 * 10**6, 0, 0)
    assert shares.candidate.tolist() == [10**20, -(10**20)]
    assert player_metrics(nets.amounts)["top10_gains"] == 1


def ten_times(groups: Groups) -> Groups:
    """The same games, each of them ten times."""
    assert groups.seatings is not None
    seatings = replace(groups.seatings, count=groups.seatings.count * 10)
    return replace(groups, count=groups.count * 10, seatings=seatings)


def test_what_if_and_search_agree_on_large_amounts(studied: Studied) -> None:
    """A table that pays near the limits of clause 12, each game settled by itself."""
    house, table = "huopin-points", rules("huopin-points", **LARGE)
    nets: Counter[str] = Counter()
    names = [seat["player"] for game in games_of(house) for seat in game["seats"]]
    paid = settled_one_by_one(house, table).items.sum(axis=1).tolist()
    for name, amount in zip(names, paid, strict=True):
        nets[name] += 10 * amount
    gains = sorted(net for net in nets.values() if net > 0)
    assert sum(gains) > 2**64
    top = sum(gains[-math.ceil(len(gains) / 10) :]) / sum(gains)
    groups = ten_times(group_games(studied, rules=house, with_players=True))
    found = compare_frames(pair_of(groups, table), resamples=2, seed=1)
    own = found["of_players"].set_index("metric")["candidate"]
    searched = PlayerEvaluator(groups, Evaluator(groups, groups.ruleset)).evaluate([table])
    assert own["top10_gains"] == searched["top10_gains"][0] == top
    assert own["gini_gains"] == searched["gini_gains"][0]
    curves = found["lorenz"].set_index(["of", "percent"])["candidate"]
    assert curves["gains", 90] == sum(gains[: len(gains) * 90 // 100]) / sum(gains)
    assert found["tiers"]["candidate_net"].sum() == 10 * sum(paid)
