"""Halls (大厅): players who meet each other, and their tables, slot by slot.

A hall is a world of its own: nobody changes halls. So halls can be simulated side by side,
and what comes out does not depend on how many processes do it. Within a slot the tables
that are ready play one game each; then balances are booked, and the next slot begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from analytics.logs.batch import ABSENT, END_ESCAPE, GameBatch
from analytics.rules import Rulebook
from analytics.simulate import population as people_of
from analytics.simulate.chance import dice_of, shares
from analytics.simulate.days import SLOT_US
from analytics.simulate.injecting import (
    CONFIG_CHANGED,
    Injected,
    Rate,
    Slot,
    balances_of,
    draw_faults,
    inject,
)
from analytics.simulate.population import NO_TABLE, Manners, People, Population
from analytics.simulate.rooms import Room
from analytics.simulate.sitting import Played, Sitting, play

Int64s = npt.NDArray[np.int64]

_SECOND: Final = 1_000_000  # in microseconds
_BREAK_S: Final = (5, 40)  # between two games of a table
_ROUNDS: Final = (2, 10)  # games that a table stays together
_LIKES_OWN_LEVEL: Final = 25  # points of skill by which a match may be off, about


@dataclass(frozen=True, slots=True)
class House:
    """What all halls have in common.

    Attributes:
        rulebook: holds the ruleset.
        rules: its name, as logged.
        seats: 2 or 4.
        rooms: ascending by floor.
        prefix: of the ids of games and of players' names.
        seed: of the run.
        skill, policy: of players, see ``population.People``.
        manners: what goes wrong how often.
        faults: how often the house itself goes wrong, and how.
        start: when the run begins, microseconds since 1970 in UTC.
        zone: offset of the room's clock in minutes.
    """

    rulebook: Rulebook
    rules: str
    seats: int
    rooms: tuple[Room, ...]
    prefix: str
    seed: int
    skill: tuple[int, int]
    policy: str | None
    manners: Manners
    faults: tuple[Rate, ...]
    start: int
    zone: int


@dataclass
class Company:
    """Those who sit at one table.

    Attributes:
        room: its place among the rooms.
        number: of the table, counted from 1.
        places: of the players in the population.
        ready_at: when the next game can begin, microseconds since 1970 in UTC.
        rounds: games played.
        rounds_left: games that are still to be played.
        is_changed: whether it is paid by another configuration from now on.
    """

    room: int
    number: int
    places: list[int]
    ready_at: int
    rounds_left: int
    rounds: int = 0
    is_changed: bool = False


@dataclass
class Hall:
    """One hall; it changes from slot to slot.

    Attributes:
        number: of the hall, counted from 1.
        population: its players.
        companies: its tables in use.
        games: how many were played.
        tables: how many tables were ever opened.
    """

    number: int
    population: Population
    companies: list[Company] = field(default_factory=list)
    games: int = 0
    tables: int = 0


def open_hall(house: House, number: int, players: int) -> Hall:
    """A hall before its first game."""
    population = people_of.settle_in(_people(house, number), players, house.rooms, house.start)
    return Hall(number, population)


def play_slot(house: House, hall: Hall, slot: int, due: int, left: int) -> Slot | None:
    """Plays one slot: every table that is ready plays, and new ones open where games are due.

    Guarantees:
        Games begin within the slot, in order of the batch; each player plays one at most.

    Args:
        house: what all halls have in common.
        hall: it changes.
        slot: which one, from the start of the run.
        due: games that should begin by the end of it; below 0 where more have begun.
        left: games that are left of the run; no more are played.

    Returns:
        the games, or None where none was played.
    """
    begins = house.start + slot * SLOT_US
    ready = [each for each in hall.companies if each.ready_at < begins + SLOT_US]
    if len(ready) < due:
        ready += _gather(house, hall, slot, due - len(ready))
    ready.sort(key=lambda each: (max(each.ready_at, begins), each.number))
    return _play_ready(house, hall, ready[:left], slot) if ready[:left] else None


def _people(house: House, number: int) -> People:
    return People(house.prefix, house.seed, number, house.skill, house.policy)


def _break_up(hall: Hall, company: Company) -> None:
    """Everybody goes home."""
    hall.population.table[company.places] = NO_TABLE
    hall.companies.remove(company)


# Who meets whom


def _gather(house: House, hall: Hall, slot: int, tables: int) -> list[Company]:
    """New companies of players who are free, in each room those of similar skill.

    Where rooms alone do not fill so many tables, those who are left over sit down together
    in the lowest of their rooms.
    """
    comers = _comers(house, hall, slot)
    rooms = _rooms_of(house, hall.population.balance[comers])
    enough = _enough(rooms, house.seats, tables)
    comers, rooms = comers[:enough], rooms[:enough]
    noise = shares(house.seed, "match", hall.number, slot, comers) * _LIKES_OWN_LEVEL
    order = np.lexsort((hall.population.skill[comers] + noise, rooms))
    parties, rest = _parties(comers[order], rooms[order], house.seats)
    parties += [rest[at : at + house.seats] for at in range(0, len(rest), house.seats)]
    whole = [party for party in parties if len(party) == house.seats]
    return [_open(house, hall, party, slot) for party in whole[:tables]]


def _comers(house: House, hall: Hall, slot: int) -> Int64s:
    """Who is free, in the order of coming: active ones sooner (Efraimidis, Spirakis)."""
    population, ends = hall.population, house.start + (slot + 1) * SLOT_US
    free = np.flatnonzero((population.table == NO_TABLE) & (population.free_at < ends))
    drawn = shares(house.seed, "comes", hall.number, slot, free)
    keys = drawn ** (1 / population.activity[free])
    return free[np.argsort(-keys, kind="stable")]


def _rooms_of(house: House, balances: Int64s) -> Int64s:
    """The highest room that each balance allows."""
    floors = np.array([room.floor for room in house.rooms])
    return np.maximum(0, np.searchsorted(floors, balances, side="right") - 1)


def _enough(rooms: Int64s, seats: int, tables: int) -> int:
    """How many have to come until so many tables can be filled; all, if never."""
    waiting: dict[int, int] = {}
    for came, room in enumerate(rooms.tolist()):
        waiting[room] = waiting.get(room, 0) + 1
        if sum(count // seats for count in waiting.values()) >= tables:
            return came + 1
    return len(rooms)


def _parties(comers: Int64s, rooms: Int64s, seats: int) -> tuple[list[list[int]], list[int]]:
    """Neighbours of one room, as many as a table has seats, and who is left over."""
    parties: list[list[int]] = []
    rest: list[int] = []
    for room in np.unique(rooms):
        there = comers[rooms == room].tolist()
        whole = len(there) // seats * seats
        parties += [there[at : at + seats] for at in range(0, whole, seats)]
        rest += there[whole:]
    return parties, rest


def _open(house: House, hall: Hall, places: list[int], slot: int) -> Company:
    """A table in the lowest of the players' rooms, for some games."""
    begins = house.start + slot * SLOT_US
    late, stay = shares(house.seed, "table", hall.number, slot, places[0], np.arange(2)).tolist()
    least, most = _ROUNDS
    free_at = int(hall.population.free_at[places].max())
    company = Company(
        room=int(_rooms_of(house, hall.population.balance[places]).min()),
        number=_free_number(hall),
        places=places,
        ready_at=max(begins + int(late * SLOT_US) // _SECOND * _SECOND, free_at),
        rounds_left=least + int(stay * (most - least + 1)),
    )
    hall.population.table[places] = company.number
    hall.companies.append(company)
    return company


def _free_number(hall: Hall) -> int:
    """Tables are opened one after the other; a free one is used again."""
    used = {company.number for company in hall.companies}
    number = 1
    while number in used:
        number += 1
    return number


# What they play


def _play_ready(house: House, hall: Hall, ready: Sequence[Company], slot: int) -> Slot:
    """Each of these companies plays its next game."""
    places = np.array([company.places for company in ready])
    played = play(_sitting(house, hall, ready, places, slot), house.rulebook)
    injected = _injected(house, hall, ready, played.batch) if house.faults else ()
    after = played.after.copy()
    for wrong in injected:
        after[wrong.row] = balances_of(wrong)
    seated = np.take_along_axis(places, played.order, 1)
    people_of.book(hall.population, seated, hall.population.balance[seated], after)
    hall.games += len(ready)
    _send_on(house, hall, ready, played, slot)
    return Slot(played.batch, injected)


def _injected(
    house: House, hall: Hall, ready: Sequence[Company], batch: GameBatch
) -> tuple[Injected, ...]:
    """The games of this slot that go wrong."""
    numbers = [hall.games + at for at in range(len(ready))]
    drawn = draw_faults(house.faults, house.seed, hall.number, numbers)
    injected = []
    for row, (company, names) in enumerate(zip(ready, drawn, strict=True)):
        company.is_changed |= CONFIG_CHANGED in names
        tried = [CONFIG_CHANGED] if company.is_changed else names
        wrong = inject(batch, row, tried) if tried else None
        if wrong is not None:
            injected.append(wrong)
    return tuple(injected)


def _send_on(house: House, hall: Hall, ready: Sequence[Company], played: Played, slot: int) -> None:
    """When each company plays next, and which of them break up."""
    first = np.array([company.places[0] for company in ready])
    least, most = _BREAK_S
    breaks = least + shares(house.seed, "break", hall.number, slot, first) * (most - least)
    pauses = breaks.astype(np.int64) * _SECOND
    fled = played.batch.recorded.end == END_ESCAPE
    for at, company in enumerate(ready):
        company.ready_at = int(played.end[at] + pauses[at])
        company.rounds += 1
        company.rounds_left -= 1
        hall.population.free_at[company.places] = company.ready_at
        is_broke = _see_off(house, hall, company)
        if is_broke or fled[at] or company.rounds_left == 0:
            _break_up(hall, company)


def _see_off(house: House, hall: Hall, company: Company) -> bool:
    """Whether somebody can no longer sit in the room; who is broke gives up the place."""
    floors = [room.floor for room in house.rooms]
    is_broke = False
    for place in company.places:
        balance = int(hall.population.balance[place])
        is_broke |= balance < floors[company.room]
        if balance < floors[0]:
            now = company.ready_at
            people_of.relieve(hall.population, place, _people(house, hall.number), house.rooms, now)
    return is_broke


def _sitting(
    house: House, hall: Hall, ready: Sequence[Company], places: Int64s, slot: int
) -> Sitting:
    """The games of a slot, before the cards are dealt."""
    begins = house.start + slot * SLOT_US
    rooms = [house.rooms[company.room] for company in ready]
    start = np.array([max(company.ready_at, begins) for company in ready])
    numbers = hall.games + np.arange(len(ready))
    people = _people(house, hall.number)
    finder = house.rulebook.find
    return Sitting(
        seats=house.seats,
        dice=dice_of(house.seed, "game", hall.number, numbers),
        deals=[room.deal for room in rooms],
        rules=house.rules,
        rules_ix=np.array([finder(house.rules, int(each)) for each in start]),
        given=np.array([ABSENT if room.base is None else room.base for room in rooms]),
        start=start,
        zone=house.zone,
        ids=[f"{house.prefix}-{hall.number:02}-{number:07}" for number in numbers.tolist()],
        labels={
            "room": [room.name for room in rooms],
            "table": [f"{hall.number}-{company.number}" for company in ready],
            "round": [str(company.rounds + 1) for company in ready],
            "deal": [room.deal.name for room in rooms],
        },
        players=hall.population.name[places],
        balance=hall.population.balance[places],
        traits=people_of.traits_of(hall.population, places, people, house.manners, slot),
    )
