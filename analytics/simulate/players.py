"""Players (玩家): each splits its hand by a plan and plays by it.

A player leads the lowest group of its plan, follows with the cheapest one, breaks up
others where it must, and bombs when it is worth it. With four it leaves the round to
its partner. Source: rules clause 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from analytics.compiled import Ints
from analytics.shuangkou.melds import NO_KIND, SINGLE, Meld, is_bomb
from analytics.simulate.hands import (
    Counts,
    Group,
    bomb_sets,
    like_sets,
    read,
    readable,
    without,
)
from analytics.simulate.planning import Plan, Taste, kept_apart, planned

_QUEEN: Final = 9  # a partner's play from this rank on is left alone
_ALARM: Final = 6  # an opponent with so few cards has to be stopped


@dataclass(frozen=True, slots=True)
class Habits:
    """How a player plays.

    Attributes:
        taste: how it splits a hand.
        boldness: how readily it bombs, 0 to 1.
        patience: how often it passes although it could follow, 0 to 1.
        declares: how often it says what its wild jokers stand for, 0 to 1.
    """

    taste: Taste
    boldness: float
    patience: float
    declares: float


class View(NamedTuple):
    """What a player sees.

    Attributes:
        over: the meld on the table; ``NO_MELD`` when leading.
        is_partners: the partner played it.
        fewest: the fewest cards that an opponent holds.
    """

    over: Meld
    is_partners: bool
    fewest: int


class Player:
    """A seat that plays by itself; ``hand`` and the plan change as it plays."""

    def __init__(self, habits: Habits, hand: Counts, row: Ints, rng: Random) -> None:
        self.hand = hand
        self._habits = habits
        self._row = row
        self._rng = rng
        self._plan: Plan = planned(hand, row, habits.taste)

    def choose(self, view: View) -> Group | None:
        """What the player plays, or None for a pass; a leader always plays."""
        whole = read(self.hand, self._row, view.over)
        if whole:
            return whole
        return self._lead(view) if view.over.kind == NO_KIND else self._follow(view)

    def take(self, cards: Counts) -> None:
        """Takes played cards from the hand; the plan is made anew where it was broken."""
        self.hand = without(self.hand, cards)
        kept = [group for group in self._plan if group.cards != cards]
        kept += [group for group in self._plan if group.cards == cards][1:]
        if sum(sum(group.cards) for group in kept) == sum(self.hand):
            self._plan = tuple(kept)
        else:
            self._plan = planned(self.hand, self._row, self._habits.taste)

    def _lead(self, view: View) -> Group:
        """The plan's lowest group; no low single to an opponent who holds one card."""
        plain = [group for group in self._plan if not is_bomb(group.meld.kind)]
        if view.fewest == 1:
            wide = [group for group in plain if group.meld.kind != SINGLE]
            if not wide:
                return max(plain or self._plan, key=_strength)
            plain = wide
        return min(plain or self._plan, key=_strength)

    def _follow(self, view: View) -> Group | None:
        if view.is_partners and (is_bomb(view.over.kind) or view.over.top >= _QUEEN):
            return None
        cheap = min(self._planned_answers(view.over), key=_strength, default=None)
        if cheap and not is_bomb(cheap.meld.kind) and not self._waits(view):
            return cheap
        if view.is_partners:
            return None
        broken = min(self._broken_answers(view.over), key=_strength, default=None)
        if broken and not self._waits(view):
            return broken
        return self._bomb(view) if self._bombs_now(view) else None

    def _waits(self, view: View) -> bool:
        return view.fewest > _ALARM and self._rng.random() < self._habits.patience

    def _bombs_now(self, view: View) -> bool:
        """Bombs stop whoever is nearly out, and bring a short plan home."""
        wish = self._habits.boldness * (0.8 if is_bomb(view.over.kind) else 0.5)
        wish += 0.5 * (view.fewest <= _ALARM) + 0.4 * (len(self._plan) <= 4)
        return self._rng.random() < wish

    def _planned_answers(self, over: Meld) -> Iterator[Group]:
        return readable((group.cards for group in self._plan), self._row, over)

    def _broken_answers(self, over: Meld) -> Iterator[Group]:
        """Parts of other groups, without bombs and jokers; there are none to a bomb."""
        if is_bomb(over.kind):
            return iter(())
        return readable(like_sets(kept_apart(self.hand), over, self._row), self._row, over)

    def _bomb(self, view: View) -> Group | None:
        """The plan's cheapest bomb, else the cheapest that can be made."""
        mine = [g for g in self._planned_answers(view.over) if is_bomb(g.meld.kind)]
        if not mine:
            sets = readable(bomb_sets(self.hand, self._row), self._row, view.over)
            mine = [group for group in sets if is_bomb(group.meld.kind)]
        return min(mine, key=_strength, default=None)

    def declares(self) -> bool:
        """Whether it says this time what its wild jokers stand for."""
        return self._rng.random() < self._habits.declares


def _strength(group: Group) -> int:
    return group.meld.strength
