"""How the simulated games look: what occurs in them, who wins, and what the oracle says."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from functools import cache

import msgspec
import numpy as np
import pytest

from analytics import odds, shuangkou
from analytics.logs import GameBatch
from analytics.logs.batch import END_ESCAPE
from analytics.logs.records import game
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou.melds import KIND_NAMES
from analytics.simulate import Wanted, simulate
from analytics.simulate.contest import Side, contest
from tests.oracle.presets import PRESETS
from tests.oracle.settle import judge
from tests.simulate.verification import presets

START = datetime.fromisoformat("2026-11-06T12:00:00+08:00")
GAMES = 150


@cache
def games_of(rules: str, deal: str = "mixed") -> tuple[GameBatch, ...]:
    """The batches of a run."""
    wanted = Wanted(rules, GAMES, START, players=40, seed=11, deal=deal)
    return tuple(simulate(wanted, presets()))


@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_the_oracle_agrees(rules: str) -> None:
    """Another reading of the rules page finds nothing in a third of the games either."""
    for batch in games_of(rules)[::3]:
        for at in range(len(batch)):
            fields = msgspec.to_builtins(game(batch, at))
            assert judge(fields, PRESETS[rules]).findings == []


def occurrences(rules: str) -> Counter[str]:
    """What is played in a run, and what happens."""
    counts: Counter[str] = Counter()
    for batch in games_of(rules):
        facts = shuangkou.replay(batch, presets(), with_plays=True)
        counts["escape"] += int((facts.games[:, D.G_END] == END_ESCAPE).sum())
        counts["linked"] += int((facts.seats[:, D.S_LINKED] > 0).sum())
        author = -1
        for play in facts.plays.tolist():
            what = play[D.P_WHAT]
            counts[str(N.WHAT_NAMES[what])] += 1
            if what == N.PLAY:
                author = play[D.P_SEAT]
                counts[str(KIND_NAMES[play[D.P_KIND]])] += 1
                counts["trustee's play"] += play[D.P_STARRED]
            if what == N.PASS:
                counts["auto-pass" if play[D.P_STARRED] else "own pass"] += 1
                counts["jiefeng"] += not play[D.P_TABLE] and play[D.P_TURN] != author
            counts["held bomb"] += what == N.PASS and not play[D.P_STARRED]
    return counts


@pytest.mark.parametrize("rules", ["huopin-wealth", "baibian"])
def test_games_look_human(rules: str) -> None:
    """Every kind of meld and whatever happens at tables comes up, and not by exception only.

    Chains of four-player games are rarer than one in so few games.
    """
    counts = occurrences(rules)
    wanted = ["straight", "pair_run", "triple", "bomb", "auto-pass", "own pass"]
    wanted += ["timeout", "drop", "trustee", "return", "trustee's play", "escape"]
    wanted += ["jiefeng"] if rules == "baibian" else ["chain", "linked", "triple_run"]
    assert [thing for thing in wanted if counts[thing] == 0] == []
    assert counts["bomb"] > GAMES
    assert counts["own pass"] > GAMES


def test_logged_hands_of_uniform_deals_follow_the_odds() -> None:
    """Natural bombs and jokers that the replay counts, one hand of each game: chi-square."""
    bombs, jokers = np.zeros(7, int), np.zeros(5, int)
    for batch in games_of("huopin-wealth", "uniform"):
        seats = shuangkou.replay(batch, presets()).seats[::2]
        bombs += np.bincount(seats[:, D.S_RANK_BOMBS], minlength=7)
        jokers += np.bincount(seats[:, D.S_JOKERS], minlength=5)
    of_bombs, of_jokers = odds.bombs(), odds.jokers()
    counts = [*bombs[:3].tolist(), int(bombs[3:].sum())]
    shares = [*(of_bombs[n] for n in range(3)), sum(of_bombs[n] for n in range(3, 7))]
    assert odds.chi_square(counts, shares) < 16.3  # three degrees of freedom, 0.1 %
    counts = [*jokers[:2].tolist(), int(jokers[2:].sum())]
    shares = [of_jokers[0], of_jokers[1], sum(of_jokers[n] for n in range(2, 5))]
    assert odds.chi_square(counts, shares) < 13.9  # two degrees of freedom, 0.1 %


@pytest.mark.parametrize("rules", ["huopin-wealth", "baibian"])
def test_the_stronger_side_wins_more_often(rules: str) -> None:
    """A careful player with skill beats one without: the interval lies above one half."""
    strong, weak = Side("careful", 95), Side("careful", 10)
    assert contest(strong, weak, rules, 300, presets()).low > 0.5
