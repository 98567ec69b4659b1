"""The population: who the players are, and what becomes of them.

Players are columns. Each has a balance, a skill, a policy and a habit of coming; what it
lost lately makes it lose its temper: it runs out of time and escapes more often. Who can
no longer pay the lowest room leaves, or is granted a relief; format 1 has no line for a
grant, and a balance that changes between two games is a finding, rightly. So whoever is
relieved plays on under a new account.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.simulate import pad as P
from analytics.simulate.chance import shares
from analytics.simulate.rooms import Room, ceiling_of, least_of

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NO_TABLE: Final = -1
_MOST_TEMPER: Final = 3  # losses in a row that still make it worse
_RELIEVED: Final = 0.5  # share of those who are broke that is granted a relief
_MIXED: Final = (0.08, 0.62)  # shares of players: trustee below the first, greedy the second
_SMALL: Final = 1.5  # above 1: there are more small balances than large ones
_TURNS_TO_FLEE: Final = 8  # who means to escape does so from one of so many turns on
_JOINS: Final = 0.6  # share of players who join their wild jokers to the largest bomb
_DRAWS: Final = 6  # shares that say who a player is
_DECLARES: Final = (0, 20, 60)  # percent, by client


@dataclass(frozen=True, slots=True)
class Manners:
    """How often, in a million, what should not happen does (clause 5.1).

    Attributes:
        timeout: a turn's time runs out.
        leave: per turn: the player hands over or is disconnected.
        escape: per game and seat.
    """

    timeout: int = 8_000
    leave: int = 3_000
    escape: int = 8_000


@dataclass
class Population:
    """``p`` players as columns; a place is taken by somebody else when a player leaves.

    Attributes:
        name: ``p`` strings.
        account: int64: how many accounts the place has had.
        balance: int64, in the ruleset's unit.
        skill: int64, 0..100.
        policy: int64, see ``pad``.
        declares: int64, percent.
        joins: int64: 1 where wild jokers are joined to the largest bomb.
        activity: how readily they come, above 0.
        temper: int64: losses in a row.
        free_at: int64: when they can play again, microseconds since 1970 in UTC.
        table: int64: which table they sit at, or ``NO_TABLE``.
    """

    name: npt.NDArray[Any]
    account: Int64s
    balance: Int64s
    skill: Int64s
    policy: Int64s
    declares: Int64s
    joins: Int64s
    activity: Floats
    temper: Int64s
    free_at: Int64s
    table: Int64s


@dataclass(frozen=True, slots=True)
class People:
    """What a population is drawn from.

    Attributes:
        prefix: of their names.
        seed: of the run.
        hall: the number of the hall that they come to.
        skill: the least and the greatest skill.
        policy: one of ``pad.POLICIES``, or None: mixed.
    """

    prefix: str
    seed: int
    hall: int
    skill: tuple[int, int]
    policy: str | None


def settle_in(people: People, count: int, rooms: tuple[Room, ...], now: int) -> Population:
    """``count`` players who come for the first time."""
    empty = np.zeros(count, np.int64)
    population = Population(
        name=np.full(count, "", object),
        account=empty.copy(),
        balance=empty.copy(),
        skill=empty.copy(),
        policy=empty.copy(),
        declares=empty.copy(),
        joins=empty.copy(),
        activity=np.ones(count),
        temper=empty.copy(),
        free_at=empty.copy(),
        table=np.full(count, NO_TABLE, np.int64),
    )
    places = np.arange(count)[:, None]
    drawn = shares(people.seed, "player", people.hall, places, 1, np.arange(_DRAWS))
    for place in range(count):
        _seat(population, place, people, _brought(rooms, float(drawn[place, 0])), drawn[place])
    population.free_at[:] = now
    return population


def replace_player(
    population: Population, place: int, people: People, rooms: tuple[Room, ...], now: int
) -> None:
    """Somebody else comes for a player who left."""
    account = int(population.account[place]) + 1
    drawn = shares(people.seed, "player", people.hall, place, account, np.arange(_DRAWS))
    _seat(population, place, people, _brought(rooms, float(drawn[0])), drawn)
    population.free_at[place] = now
    population.table[place] = NO_TABLE


def _seat(population: Population, place: int, people: People, brought: int, drawn: Floats) -> None:
    """A new account with what it brings; ``drawn``: ``_DRAWS`` shares that say who it is."""
    account = int(population.account[place]) + 1
    population.account[place] = account
    population.name[place] = f"{people.prefix}{people.hall:02}{place:05}{_suffix(account)}"
    population.balance[place] = brought
    low, high = people.skill
    population.skill[place] = low + int((high - low + 1) * drawn[1])
    population.policy[place] = _policy(people.policy, float(drawn[2]))
    population.activity[place] = 0.2 + 3 * drawn[3] ** 3
    population.declares[place] = _DECLARES[int(len(_DECLARES) * drawn[4])]
    population.joins[place] = int(drawn[5] < _JOINS)
    population.temper[place] = 0


def _suffix(account: int) -> str:
    return "" if account == 1 else f"-{account}"


def _brought(rooms: tuple[Room, ...], share: float) -> int:
    """A balance, on a scale of powers; small ones are likelier than large ones."""
    least = least_of(rooms)
    return int(least * (ceiling_of(rooms) / least) ** share**_SMALL)


def _policy(asked: str | None, share: float) -> int:
    if asked is not None:
        return P.POLICIES.index(asked)
    if share < _MIXED[0]:
        return P.TRUSTEE
    return P.GREEDY if share < _MIXED[1] else P.CAREFUL


def traits_of(
    population: Population, places: Int64s, people: People, manners: Manners, slot: int
) -> Int64s:
    """int64 ``(n, seats, TRAITS)``: how those in these places play today.

    Args:
        population: of the hall.
        places: int64 ``(n, seats)``.
        people: gives the seed.
        manners: of people in general; the temper makes them worse.
        slot: what the chance depends on beside the place.
    """
    temper = population.temper[places]
    traits = np.zeros((*places.shape, P.TRAITS), np.int64)
    traits[..., P.T_POLICY] = population.policy[places]
    traits[..., P.T_SKILL] = population.skill[places]
    traits[..., P.T_TIMEOUT] = manners.timeout * (1 + temper) // 2
    traits[..., P.T_LEAVE] = manners.leave * (1 + temper) // 2
    traits[..., P.T_DECLARES] = population.declares[places]
    traits[..., P.T_JOINS] = population.joins[places]
    flees = shares(people.seed, "flees", people.hall, slot, places.ravel()).reshape(places.shape)
    chance = manners.escape * (1 + 2 * temper) / 1_000_000
    traits[..., P.T_FLEES] = np.where(flees < chance, _TURNS_TO_FLEE * flees / chance, -1)
    return traits


def book(population: Population, places: Int64s, before: Int64s, after: Int64s) -> None:
    """Books results: balances, and the tempers of those who lost again.

    Args:
        population: of the hall.
        places, before, after: int64 of one shape.
    """
    population.balance[places] = after
    grown = np.minimum(population.temper[places] + 1, _MOST_TEMPER)
    population.temper[places] = np.where(after < before, grown, 0)


def relieve(
    population: Population, place: int, people: People, rooms: tuple[Room, ...], now: int
) -> None:
    """Somebody is broke: leaves and makes place, or is granted a relief as a new account."""
    account = int(population.account[place])
    share = float(shares(people.seed, "relief", people.hall, place, account)[0])
    kept = {
        name: getattr(population, name)[place]
        for name in ("skill", "policy", "activity", "declares", "joins")
    }
    replace_player(population, place, people, rooms, now)
    if share < _RELIEVED:
        for name, value in kept.items():
            getattr(population, name)[place] = value
        population.balance[place] = least_of(rooms)
