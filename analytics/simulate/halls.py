"""Halls (大厅): players who meet each other, and their tables, slot by slot.

A hall is a world of its own: nobody changes halls. So halls can be simulated side by side,
and what comes out does not depend on how many processes do it. Within a slot the tables
that are ready play one game each; then balances are booked, and the next slot begins.
"""

from __future__ import annotations

from bisect import bisect_right
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
from analytics.simulate.rooms import MOST, Opened, Room
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
        opened: its rooms, ascending by the moment from which they are open; the first from
            the start on.
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
    opened: tuple[Opened, ...]
    prefix: str
    seed: int
    skill: tuple[int, int]
    policy: str | None
    manners: Manners
    faults: tuple[Rate, ...]
    start: int
    zone: int

    def rooms_at(self, moment: int) -> tuple[Room, ...]:
        """The rooms of a moment of the run, ascending by floor."""
        at = bisect_right(self.opened, moment, key=lambda each: each.since)
        return self.opened[at - 1].rooms


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
    """

    number: int
    population: Population
    companies: list[Company] = field(default_factory=list)
    games: int = 0


def open_hall(house: House, number: int, players: int) -> Hall:
    """A hall before its first game."""
    rooms = house.rooms_at(house.start)
    population = people_of.settle_in(_people(house, number), players, rooms, house.start)
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
    if len(house.opened) > 1:
        ready = [each for each in ready if _may_go_on(house, hall, each, begins)]
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
    open_rooms = house.rooms_at(house.start + slot * SLOT_US)
    _turn_away(house, hall, slot)
    comers = _comers(house, hall, slot)
    rooms = _rooms_of(open_rooms, hall.population.balance[comers])
    enough = _enough(rooms, house.seats, tables)
    comers, rooms = comers[:enough], rooms[:enough]
    noise = shares(house.seed, "match", hall.number, slot, comers) * _LIKES_OWN_LEVEL
    order = np.lexsort((hall.population.skill[comers] + noise, rooms))
    parties, rest = _parties(comers[order], rooms[order], house.seats)
    parties += [rest[at : at + house.seats] for at in range(0, len(rest), house.seats)]
    whole = [party for party in parties if len(party) == house.seats]
    return [_open(house, hall, party, slot) for party in whole[:tables]]


def _turn_away(house: House, hall: Hall, slot: int) -> None:
    """Who is free but can no longer sit in any room, by a new version, gives up the place."""
    now = house.start + slot * SLOT_US
    population = hall.population
    is_poor = population.balance < house.rooms_at(now)[0].floor
    for place in np.flatnonzero((population.table == NO_TABLE) & is_poor).tolist():
        _relieve(house, hall, place, now)


def _comers(house: House, hall: Hall, slot: int) -> Int64s:
    """Who is free, in the order of coming: active ones sooner (Efraimidis, Spirakis)."""
    population, ends = hall.population, house.start + (slot + 1) * SLOT_US
    free = np.flatnonzero((population.table == NO_TABLE) & (population.free_at < ends))
    drawn = shares(house.seed, "comes", hall.number, slot, free)
    keys = drawn ** (1 / population.activity[free])
    return free[np.argsort(-keys, kind="stable")]


def _rooms_of(rooms: Sequence[Room], balances: Int64s) -> Int64s:
    """The highest room that each balance allows."""
    floors = np.array([room.floor for room in rooms])
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
    ready_at = max(begins + int(late * SLOT_US) // _SECOND * _SECOND, free_at)
    rooms = house.rooms_at(ready_at)
    company = Company(
        room=int(_rooms_of(rooms, hall.population.balance[places]).min()),
        number=_free_number(hall),
        places=places,
        ready_at=ready_at,
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
        has_left = _see_off(house, hall, company, company.ready_at)
        if has_left or fled[at] or company.rounds_left == 0:
            _break_up(hall, company)


def _see_off(house: House, hall: Hall, company: Company, now: int) -> bool:
    """Whether somebody can no longer sit in the room; who can in none gives up the place."""
    rooms = house.rooms_at(now)
    balances = hall.population.balance[company.places]
    has_left = bool((balances < rooms[company.room].floor).any() or (balances > MOST).any())
    for place in company.places if has_left else ():
        _relieve(house, hall, place, now)
    return has_left


def _relieve(house: House, hall: Hall, place: int, now: int) -> None:
    """Who is below all rooms, or too rich for any, gives up the place."""
    rooms, people = house.rooms_at(now), _people(house, hall.number)
    balance = int(hall.population.balance[place])
    if balance < rooms[0].floor:
        people_of.relieve(hall.population, place, people, rooms, now)
    elif balance > MOST:
        people_of.replace_player(hall.population, place, people, rooms, now)


def _may_go_on(house: House, hall: Hall, company: Company, begins: int) -> bool:
    """Whether all may sit where they do when the next game starts, perhaps by another version.

    Otherwise they go home.
    """
    has_left = _see_off(house, hall, company, max(company.ready_at, begins))
    if has_left:
        _break_up(hall, company)
    return not has_left


def _sitting(
    house: House, hall: Hall, ready: Sequence[Company], places: Int64s, slot: int
) -> Sitting:
    """The games of a slot, before the cards are dealt."""
    begins = house.start + slot * SLOT_US
    start = np.array([max(company.ready_at, begins) for company in ready])
    rooms = [
        house.rooms_at(moment)[company.room]
        for company, moment in zip(ready, start.tolist(), strict=True)
    ]
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
