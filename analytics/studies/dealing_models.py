"""Dealing models: what a way of dealing gives each seat, exact or simulated.

A shuffled deal is known exactly (``fair``). What rooms call dealing without shuffling is known
only where the simulator has it under that name: then it is dealt many times over, always
with the same seed, and the error of that is part of every test. What that gives is kept in
``dealing_models.json`` for the ways that are met most (``keeping_models``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_hexdigest

from analytics import compiled
from analytics.cards import COPIES, FACES, HAND_SIZE, NATURAL_RANKS, SMALL_JOKER_FACE
from analytics.odds import MIN_BOMB
from analytics.simulate.chance import dice_of
from analytics.simulate.dealing import Deal, deal, deal_of
from analytics.studies.fair import JOKER_BOMB, measures

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

UNIFORM: Final = "uniform"
KEPT: Final = ("blocks-4-9", "blocks-8-27")  # what rooms of the simulator deal unless asked
FILE: Final = Path(__file__).with_suffix(".json")
DEALT: Final = 60_000  # games that a model is dealt: their error is small, compiling pays
_AT_ONCE: Final = 10_000
_SEED: Final = 1
_SUITS: Final = ("spades", "hearts", "clubs", "diamonds")  # as faces are numbered


@dataclass(frozen=True, slots=True)
class Model:
    """What a measure is like by a way of dealing, per game.

    Attributes:
        means: ``(seats + 1,)``: of each seat, then of all together.
        variances: the same.
        games: by which they were found; None: exactly.
    """

    means: Floats
    variances: Floats
    games: int | None = None

    def variance_of(self, seat: int, times: int) -> float:
        """Of a sum over so many games less what is expected of it."""
        error = 0.0 if self.games is None else times / self.games
        return float(times * self.variances[seat] * (1 + error))


class Kept(msgspec.Struct, frozen=True):
    """A model of a way of dealing as the file has it.

    Attributes:
        deal: its name.
        seats: 2 or 4.
        first: a digest of the first deals; another one shows that cards are dealt otherwise now.
        games: how many were dealt.
        means, variances: as of ``Model``, by measure.
    """

    deal: str
    seats: int
    first: str
    games: int
    means: dict[str, list[float]]
    variances: dict[str, list[float]]

    def models(self) -> dict[str, Model]:
        """All measures."""
        return {
            name: Model(np.array(means), np.array(self.variances[name]), self.games)
            for name, means in self.means.items()
        }


@cache
def kept() -> tuple[Kept, ...]:
    """What the file has."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[Kept, ...])


@cache
def kept_models() -> dict[tuple[str, int], dict[str, Model]]:
    """The same as models, by name and seats."""
    return {(each.deal, each.seats): each.models() for each in kept()}


def model_of(name: str | None, seats: int, measure: str) -> Model | None:
    """The model of a way of dealing, as logged.

    Args:
        name: None: not logged, and taken for shuffled.
        seats: 2 or 4.
        measure: one of ``fair.measures``.

    Returns:
        None where no model has this name, so that nothing can be said.
    """
    if name is None or name == UNIFORM:
        return _exact(seats, measure)
    try:
        return _simulated(deal_of(name), seats)[measure]
    except ValueError:
        return None


def _exact(seats: int, name: str) -> Model:
    measure = measures()[name]
    means = [float(measure.mean)] * seats + [float(seats * measure.mean)]
    variances = [float(measure.variance)] * seats + [float(measure.variance_of_all(seats))]
    return Model(np.array(means), np.array(variances))


def _simulated(way: Deal, seats: int) -> dict[str, Model]:
    """All measures of a way of dealing that is not shuffling."""
    return kept_models().get((way.name, seats)) or dealt(way, seats)


@cache
def dealt(way: Deal, seats: int) -> dict[str, Model]:
    """All measures of a way of dealing, dealt ``DEALT`` times."""
    compiled.expect(DEALT)
    dice = _dice(way, DEALT)
    parts = [
        counted(dealt_hands(dice[at : at + _AT_ONCE], way, seats))
        for at in range(0, DEALT, _AT_ONCE)
    ]
    return {name: _moments(np.concatenate([part[name] for part in parts])) for name in parts[0]}


def _dice(way: Deal, games: int) -> Int64s:
    return dice_of(_SEED, f"dealing model {way.name}", np.arange(games))


def digest_of(way: Deal, seats: int, games: int = 20) -> str:
    """A digest of the hands of the first games that a model is dealt."""
    return xxh3_64_hexdigest(dealt_hands(_dice(way, games), way, seats).tobytes())


def _moments(counts: Int64s) -> Model:
    with_all = np.column_stack([counts, counts.sum(1)])
    return Model(with_all.mean(0), with_all.var(0, ddof=1), len(counts))


def dealt_hands(dice: Int64s, way: Deal, seats: int) -> Int64s:
    """int64 ``(games, seats, 27)``: the faces of each hand.

    Args:
        dice: one state a game, see ``chance.dice_of``; they move on.
        way: how cards are dealt.
        seats: 2 or 4.
    """
    faces = np.asarray(deal(dice, [way] * len(dice), seats).faces)
    return faces.reshape(len(dice), seats, HAND_SIZE)


def counted(hands: Int64s) -> dict[str, Int64s]:
    """All measures of hands, by name: int64 ``(games, seats)``.

    Args:
        hands: see ``dealt_hands``.
    """
    games, seats, _ = hands.shape
    places = np.arange(games * seats).reshape(games, seats, 1) * FACES + hands
    held = np.bincount(places.ravel(), minlength=games * seats * FACES)
    held = held.reshape(games, seats, FACES)
    naturals = held[..., :SMALL_JOKER_FACE].reshape(games, seats, NATURAL_RANKS, len(_SUITS))
    jokers = held[..., SMALL_JOKER_FACE:].sum(2)
    suits = naturals.sum(2)
    return {
        "bombs": (naturals.sum(3) >= MIN_BOMB).sum(2),
        "jokers": jokers,
        "joker_bombs": (jokers >= JOKER_BOMB).astype(np.int64),
        "repeated": (held == COPIES).sum(2),
        **{name: suits[..., nth] for nth, name in enumerate(_SUITS)},
    }
