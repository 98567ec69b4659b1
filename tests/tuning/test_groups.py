"""Groups: what they come to is what every game comes to, to the coin."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from analytics.rules import Ruleset
from analytics.shuangkou import settlement as S
from analytics.studies import Studied
from analytics.tuning.errors import CannotTune, NeedsReplay, NotFromGroups
from analytics.tuning.groups import Groups, group_games, thresholds_of
from analytics.tuning.settling import settle_groups
from analytics.warehouse.errors import WarehouseError
from tests.rulebook.builder import rules
from tests.tuning.conftest import HOUSES, preset
from tests.tuning.random_tables import random_table
from tests.tuning.singly import games_of, settled_one_by_one

SEEDS = 8  # random tables a house


def in_play(studied: Studied, house: str, table: Ruleset) -> Groups:
    """The games of a house, grouped so that this table can be settled."""
    return group_games(
        studied, rules=house, thresholds=thresholds_of(table), with_given=True, with_players=True
    )


def amounts(items: np.ndarray, count: np.ndarray) -> Counter[tuple[int, int]]:
    """How often which amount of which item occurs."""
    found: Counter[tuple[int, int]] = Counter()
    for row, games in zip(items.tolist(), count.tolist(), strict=True):
        for item, amount in enumerate(row):
            found[item, amount] += games
    return found


@pytest.mark.parametrize("house", HOUSES)
def test_groups_come_to_what_every_game_comes_to(studied: Studied, house: str) -> None:
    """Under random tables every amount of every item occurs as often, of seats and system."""
    for seed in range(SEEDS):
        table = random_table(preset(house), Random(seed))
        single = settled_one_by_one(house, table)
        groups = in_play(studied, house, table)
        grouped = settle_groups(groups, table)
        ones = np.ones(len(single.games), np.int64)
        assert amounts(grouped.system, groups.count) == amounts(single.system, ones)
        by_seat = np.repeat(groups.count, groups.seats)
        each = np.ones(len(single.items), np.int64)
        assert amounts(grouped.items, by_seat) == amounts(single.items, each)
        for place in (S.X_BASE, S.X_KOU, S.X_DOUBLING):
            found = Counter[int]()
            for value, games in zip(grouped.games[:, place].tolist(), groups.count, strict=True):
                found[value] += games
            assert found == Counter(single.games[:, place].tolist())


@pytest.mark.parametrize("house", HOUSES)
def test_seatings_give_every_player_what_he_got(studied: Studied, house: str) -> None:
    """Under a random table each player has in all what his games come to one by one."""
    table = random_table(preset(house), Random(99))
    single = settled_one_by_one(house, table)
    net = Counter[str]()
    seats = [seat["player"] for game in games_of(house) for seat in game["seats"]]
    for player, items in zip(seats, single.items.sum(axis=1).tolist(), strict=True):
        net[player] += items
    groups = in_play(studied, house, table)
    sat = groups.seatings
    assert sat is not None
    result = settle_groups(groups, table).items.sum(axis=1).reshape(-1, groups.seats)
    found = Counter[str]()
    for player, amount in zip(sat.player, result[sat.group, sat.position] * sat.count, strict=True):
        found[sat.players[player]] += int(amount)
    assert found == net
    assert int(sat.count.sum()) == groups.games * groups.seats


def test_a_group_is_what_a_settlement_sees(wealth: Groups) -> None:
    """No two groups have the same facts, and the winner of each sits first."""
    keys = np.column_stack([wealth.sat, wealth.end, wealth.met, wealth.given])
    assert len(np.unique(keys, axis=0)) == len(wealth) < wealth.games
    assert len(np.unique(wealth.signatures, axis=0)) == len(wealth.signatures)
    played = wealth.played(slice(0, len(wealth)), np.zeros(173, np.int64))
    out = played.games[:, 1] == 1
    assert (played.seats.reshape(-1, 2, 52)[out, 0, 0] == 0).all()  # who won has no card left


def test_levels_are_told_apart_by_all_thresholds(studied: Studied) -> None:
    """A threshold more splits groups, and each keeps a balance on its own side of it."""
    plain = group_games(studied, rules="huopin-wealth")
    finer = group_games(studied, rules="huopin-wealth", thresholds=[777, 10**7])
    assert len(finer) > len(plain)
    assert finer.games == plain.games
    assert 777 in finer.thresholds
    below = finer.balances() < 777
    assert (finer.met[below] <= finer.thresholds.index(777)).all()
    assert (finer.met[~below] > finer.thresholds.index(777)).all()


def test_games_can_be_chosen(studied: Studied) -> None:
    """``where`` and days choose games as they do for studies."""
    whole = group_games(studied, rules="jiule")
    some = group_games(studied, rules="jiule", where="ending = 'escape'")
    frame = studied.study("economy.turnover", by=["ending"], where="ruleset = 'jiule@1'")
    games = dict(zip(frame["ending"], frame["games"], strict=True))
    assert some.games == games["escape"] < whole.games == sum(games.values())
    with pytest.raises(CannotTune, match="no games to tune"):
        group_games(studied, since="2999-01-01")
    with pytest.raises(WarehouseError, match="where"):
        group_games(studied, where="room = 'a') OR (true")


def test_one_ruleset_at_a_time(studied: Studied) -> None:
    """Games of several rulesets are refused, with their names; so is a name that has none."""
    with pytest.raises(CannotTune, match=r"several rulesets: .*huopin-wealth@1"):
        group_games(studied)
    with pytest.raises(CannotTune, match="no game was settled by 'hausregel'"):
        group_games(studied, rules="hausregel")
    assert group_games(studied, rules="baibian@1").ruleset.at == "baibian@1"


def test_what_groups_cannot_tell_is_refused(wealth: Groups) -> None:
    """Caps, other levels, recorded bases and another ``[play]`` are said, not guessed."""
    refused = {
        "caps at balances": rules("huopin-wealth", cap_at_balance=True),
        "level from 123 on": rules("huopin-wealth", base=[[123, 5]]),
        "takes the recorded base": rules("huopin-wealth", base="given"),
    }
    for reason, table in refused.items():
        with pytest.raises(NotFromGroups, match=reason):
            settle_groups(wealth, table)
    with pytest.raises(NeedsReplay, match="plays by other rules"):
        settle_groups(wealth, rules("huopin-wealth", chain_min=4))


def test_groups_are_the_same_every_time(studied: Studied, wealth: Groups) -> None:
    """Two runs number groups alike."""
    again = group_games(studied, rules="huopin-wealth", with_players=True)
    assert (again.sat == wealth.sat).all()
    assert (again.count == wealth.count).all()
    assert (again.signatures == wealth.signatures).all()
