"""Contests: who wins how often against whom, with intervals.

``python -m analytics.simulate.contest docs/simulate.md`` plays them all and writes the
tables into that page, between two marks.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.logs.batch import ABSENT
from analytics.rules import Rulebook, load_rulesets
from analytics.simulate import pad as P
from analytics.simulate.chance import dice_of
from analytics.simulate.dealing import deal, deal_of
from analytics.simulate.sitting import Sitting, play

Int64s = npt.NDArray[np.int64]

GAMES: Final = 4_000  # of each contest in the table
_SEED: Final = 2026
_Z: Final = 1.959964  # the normal distribution's 97.5 % point: intervals of 95 %
_BEGIN: Final = "<!-- Made by `python -m analytics.simulate.contest docs/simulate.md`: -->\n"
_END: Final = "<!-- until here. -->\n"


class Side(NamedTuple):
    """One player of two, or one team of four: a policy and a skill."""

    policy: str
    skill: int


class Outcome(NamedTuple):
    """How often the first side won; ``low`` to ``high`` is Wilson's interval of 95 percent."""

    wins: int
    games: int
    low: float
    high: float


CONTESTS: Final = (
    (Side("greedy", 90), Side("trustee", 90)),
    (Side("careful", 90), Side("trustee", 90)),
    (Side("careful", 90), Side("greedy", 90)),
    (Side("greedy", 90), Side("greedy", 30)),
    (Side("careful", 90), Side("careful", 60)),
    (Side("careful", 90), Side("careful", 30)),
    (Side("careful", 60), Side("careful", 30)),
)
_ROOMS: Final = (("two players", "huopin-wealth"), ("four players, two against two", "baibian"))


def contest(
    first: Side, second: Side, rules: str, games: int, rulebook: Rulebook, seed: int = _SEED
) -> Outcome:
    """Lets two sides play each other; each sits on the first seat in every other game.

    With two players the one who is out first wins, with four the team of that seat.
    """
    row = rulebook.rows[rulebook.find(rules, None)]
    seats = int(row[0])
    numbers = np.arange(games)
    sides = (np.arange(seats)[None, :] + numbers[:, None]) % 2  # 0: the first side's seat
    traits = np.zeros((games, seats, P.TRAITS), np.int64)
    for at, side in enumerate((first, second)):
        traits[sides == at, P.T_POLICY] = P.POLICIES.index(side.policy)
        traits[sides == at, P.T_SKILL] = side.skill
    traits[:, :, P.T_FLEES] = -1
    batch = play(_sitting(rules, seats, traits, rulebook, seed), rulebook).batch
    won_by = sides[numbers, batch.recorded.winner]
    return outcome(int((won_by == 0).sum()), games)


def outcome(wins: int, games: int) -> Outcome:
    """Wins with Wilson's interval.

    >>> [round(bound, 3) for bound in outcome(60, 100)[2:]]
    [0.502, 0.691]
    """
    share, spread = wins / games, _Z**2 / games
    middle = share + spread / 2
    half = _Z * math.sqrt(share * (1 - share) / games + spread / (4 * games))
    return Outcome(wins, games, (middle - half) / (1 + spread), (middle + half) / (1 + spread))


def _sitting(rules: str, seats: int, by_seat: Int64s, rulebook: Rulebook, seed: int) -> Sitting:
    """Games without anybody's history; traits are given by seat, whoever has to move there."""
    n = len(by_seat)
    dice = dice_of(seed, "contest", np.arange(n))
    order = np.asarray(deal(dice.copy(), [deal_of("uniform")] * n, seats).order).reshape(n, seats)
    traits = np.zeros_like(by_seat)
    np.put_along_axis(traits, order[:, :, None], by_seat, 1)
    return Sitting(
        seats=seats,
        dice=dice,
        deals=[deal_of("uniform")] * n,
        rules=rules,
        rules_ix=np.full(n, rulebook.find(rules, None)),
        given=np.full(n, ABSENT, np.int64),
        start=np.zeros(n, np.int64),
        zone=0,
        ids=[f"contest-{number}" for number in range(n)],
        labels={},
        players=np.full((n, seats), "", object),
        balance=np.full((n, seats), 1_000_000, np.int64),
        traits=traits,
    )


def tables(games: int, rulebook: Rulebook) -> Iterator[str]:
    """The tables of the page, in Markdown."""
    for title, rules in _ROOMS:
        yield f"\n| {title} | against | games | won | 95 % interval |\n|---|---|---|---|---|\n"
        for first, second in CONTESTS:
            result = contest(first, second, rules, games, rulebook)
            share = result.wins / result.games
            yield (
                f"| {first.policy} {first.skill} | {second.policy} {second.skill} | {games:,} "
                f"| {result.wins:,} ({share:.1%}) | {result.low:.1%} to {result.high:.1%} |\n"
            )


def main() -> int:
    """Plays all contests and writes their tables into the page."""
    parser = argparse.ArgumentParser(prog="python -m analytics.simulate.contest")
    parser.add_argument("page", type=Path)
    parser.add_argument("--games", type=int, default=GAMES)
    asked = parser.parse_args()
    text = asked.page.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    compiled.expect(asked.games * len(CONTESTS) * len(_ROOMS))
    made = "".join(tables(asked.games, load_rulesets([])))
    asked.page.write_text(f"{before}{_BEGIN}{made}\n{_END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
