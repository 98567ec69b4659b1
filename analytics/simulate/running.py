"""A run: halls hour by hour, side by side, as one stream of batches.

``play_hour`` is pure: a hall in, its games and the hall as it is then out. Who calls it
makes no difference, so the stream is the same for any number of processes: by hour, then
hall, then start.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from analytics import compiled
from analytics.jobs.callers import pool_of
from analytics.logs.batch import GameBatch
from analytics.rules import Rulebook, Ruleset
from analytics.simulate.days import SLOT_MINUTES, Int64s, busiest, games_by_slot, split
from analytics.simulate.halls import Hall, House, open_hall, play_slot
from analytics.simulate.injecting import BY_NAME, Rate, Slot
from analytics.simulate.population import Manners
from analytics.simulate.refusing import CannotSimulate
from analytics.simulate.rooms import MIXED, Opened, rooms_of

HALL_PLAYERS: Final = 250  # about: a hall of its own for each so many
_SLOTS_AN_HOUR: Final = 60 // SLOT_MINUTES
_GAMES_A_DAY: Final = 30  # of a player, where the number of players is not given
_BUSIEST: Final = 0.7  # share of the players who can sit at tables at once
_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run is to be.

    Attributes:
        rules: name of the ruleset, with or without version.
        games: how many.
        players: how many there are at a time; None: as many as it takes.
        days: how long it is.
        seed: of all chance.
        start: when it begins, by the room's clock.
        deal: see ``rooms.rooms_of``.
        policy: one of ``pad.POLICIES``; None: players differ.
        skill: the least and the greatest skill, 0 to 100.
        manners: what goes wrong how often.
        faults: how often the house goes wrong, and how; see ``injecting``.
        prefix: what the ids of games and the names of players begin with; None: initials
            of the ruleset. Runs whose logs are to stand side by side need different ones.
    """

    rules: str
    games: int
    start: datetime
    players: int | None = None
    days: int = 1
    seed: int = 1
    deal: str = MIXED
    policy: str | None = None
    skill: tuple[int, int] = (20, 95)
    manners: Manners = field(default_factory=Manners)
    faults: tuple[Rate, ...] = ()
    prefix: str | None = None


class Hour(NamedTuple):
    """What is to be played.

    Attributes:
        house: what all halls have in common.
        hall: which one.
        first_slot: of the hour, from the start of the run.
        begun: games of the hall that should have begun by the end of each slot.
        total: games of the hall in the whole run.
        expected: games of all halls: whether compiling pays.
    """

    house: House
    hall: Hall
    first_slot: int
    begun: tuple[int, ...]
    total: int
    expected: int


def play_hour(hour: Hour) -> tuple[Hall, list[Slot]]:
    """Plays some slots of a hall; the hall as it is then, and its games."""
    compiled.expect(hour.expected)
    slots = []
    for at, begun in enumerate(hour.begun):
        games = hour.hall.games
        number = hour.first_slot + at
        slot = play_slot(hour.house, hour.hall, number, begun - games, hour.total - games)
        if slot is not None:
            slots.append(slot)
    return hour.hall, slots


def simulate(wanted: Wanted, rulebook: Rulebook, *, jobs: int = 1) -> Iterator[GameBatch]:
    """The games of a run as they are played, in order of hour, hall and start.

    Guarantees:
        Exactly ``wanted.games`` games. The same wish gives the same games, whatever
        ``jobs`` is, compiled or not. They verify without a finding, whatever faults are
        wanted; but balances follow on from game to game only without faults.

    Args:
        wanted: what the run is to be.
        rulebook: holds its ruleset.
        jobs: processes that work at once.

    Raises:
        CannotSimulate: there are too few players or days for so many games, or versions of
            the ruleset that one run cannot go through.
        NoRuleset: no such ruleset is in effect at the start.
    """
    for slot in simulate_slots(wanted, rulebook, jobs=jobs):
        yield slot.batch


def simulate_slots(wanted: Wanted, rulebook: Rulebook, *, jobs: int = 1) -> Iterator[Slot]:
    """The same with the faults that the house makes; see ``simulate``."""
    house = _house(wanted, rulebook)
    players = wanted.players or _enough_players(wanted, house.seats)
    halls = max(1, players // HALL_PLAYERS)
    begun = [games_by_slot(each, wanted.days, wanted.start) for each in split(wanted.games, halls)]
    _check_players(players, halls, max(map(busiest, begun)), house.seats, wanted)
    opened = [
        open_hall(house, number + 1, count) for number, count in enumerate(split(players, halls))
    ]
    compiled.expect(wanted.games)
    yield from _played(house, opened, begun, wanted.games, jobs)


def _played(
    house: House, halls: list[Hall], begun: Sequence[Int64s], games: int, jobs: int
) -> Iterator[Slot]:
    """All hours of all halls."""
    slots = len(begun[0])
    with _caller(min(jobs, len(halls))) as call:
        for first in range(0, slots, _SLOTS_AN_HOUR):
            hours = [
                Hour(house, hall, first, _slots(each, first), int(each[-1]), games)
                for hall, each in zip(halls, begun, strict=True)
            ]
            done = list(call(play_hour, hours))
            halls = [hall for hall, _ in done]
            for _, played in done:
                yield from played
    missing = games - sum(hall.games for hall in halls)
    if missing:
        raise CannotSimulate(
            f"{missing} of {games} games found no players; more players or days are needed."
        )


def _slots(begun: Int64s, first: int) -> tuple[int, ...]:
    return tuple(begun[first : first + _SLOTS_AN_HOUR].tolist())


@contextmanager
def _caller(jobs: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """What calls a function on many tasks, here or in processes of its own."""
    if jobs == 1:
        yield map
        return
    with pool_of(jobs) as pool:
        yield pool.map


def _house(wanted: Wanted, rulebook: Rulebook) -> House:
    zone = wanted.start.utcoffset()
    if zone is None:
        raise CannotSimulate("the start has no offset, such as +08:00")
    _check_calendar(wanted)
    start = _micros(wanted.start)
    ruleset = rulebook.rulesets[rulebook.find(wanted.rules, start)]
    return House(
        rulebook=rulebook,
        rules=wanted.rules,
        seats=ruleset.play.seats,
        opened=(
            Opened(start, rooms_of(ruleset, wanted.deal)),
            *(_reopened(each, ruleset, wanted) for each in _later(wanted, rulebook)),
        ),
        prefix=_initials(ruleset.name) if wanted.prefix is None else wanted.prefix,
        seed=wanted.seed,
        skill=wanted.skill,
        policy=wanted.policy,
        manners=wanted.manners,
        faults=_possible(wanted.faults, ruleset.name),
        start=start,
        zone=zone // timedelta(minutes=1),
    )


def _check_calendar(wanted: Wanted) -> None:
    """Whether the last day is one, and the next, into which a game may last.

    Raises:
        CannotSimulate: it is not.
    """
    try:
        wanted.start + timedelta(days=wanted.days + 1)
    except OverflowError as problem:
        raise CannotSimulate(
            f"{wanted.days} days from {wanted.start.isoformat()} on go past the year 9999."
        ) from problem


def _micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _later(wanted: Wanted, rulebook: Rulebook) -> list[Ruleset]:
    """The versions that come into effect during a run; none where it is of one version."""
    ends = wanted.start + timedelta(days=wanted.days)
    return [
        each
        for each in rulebook.rulesets
        if each.name == wanted.rules
        and each.effective_from is not None
        and wanted.start < each.effective_from < ends
    ]


def _reopened(later: Ruleset, first: Ruleset, wanted: Wanted) -> Opened:
    """The rooms from the moment on from which a version is in effect.

    Raises:
        CannotSimulate: it is for another number of players.
    """
    moment = later.effective_from
    assert moment is not None  # it comes into effect during the run
    if later.play.seats != first.play.seats:
        raise CannotSimulate(
            f"{later.at}, in effect from {moment.isoformat()}, is for {later.play.seats} players, "
            f"{first.at} for {first.play.seats}: one run cannot be of both; "
            f"name a version, or let the run end before."
        )
    return Opened(_micros(moment), rooms_of(later, wanted.deal))


def _possible(faults: tuple[Rate, ...], rules: str) -> tuple[Rate, ...]:
    """The faults, all of which can happen by this ruleset.

    Raises:
        CannotSimulate: one cannot, there is none of its name, or two are of one name.
    """
    for place, fault in enumerate(faults):
        if fault.name not in BY_NAME:
            raise CannotSimulate(f"there is no fault {fault.name!r}; --fault list shows them.")
        if rules not in BY_NAME[fault.name].rules:
            possible = ", ".join(BY_NAME[fault.name].rules)
            raise CannotSimulate(f"{fault.name} cannot happen by {rules}, but by {possible}.")
        if any(fault.name == other.name for other in faults[:place]):
            raise CannotSimulate(f"{fault.name} is given twice: a fault has one rate.")
    return faults


def _initials(name: str) -> str:
    """The initials of a name, or its first two letters.

    >>> _initials("huopin-wealth"), _initials("jiule")
    ('hw', 'ji')
    """
    parts = [part for part in name.split("-") if part]
    return "".join(part[0] for part in parts) if len(parts) > 1 else name[:2]


def _enough_players(wanted: Wanted, seats: int) -> int:
    """As many players as it takes for everybody to play some thirty games a day."""
    most = busiest(games_by_slot(wanted.games, wanted.days, wanted.start))
    least = math.ceil(most * seats / _BUSIEST / 0.8)
    return max(4 * seats, least, wanted.games * seats // (_GAMES_A_DAY * wanted.days))


def _check_players(players: int, halls: int, most: int, seats: int, wanted: Wanted) -> None:
    """Whether the busiest slot of the smallest hall finds enough players.

    Raises:
        CannotSimulate: it does not.
    """
    if most * seats > _BUSIEST * (players // halls):
        needed = _enough_players(wanted, seats)
        raise CannotSimulate(
            f"{players} players are too few for {wanted.games} games in {wanted.days} days: "
            f"{needed} are enough."
        )
