"""Houses (游戏厅): rooms with tables, and the players who come with their balances.

Games of one player follow one another, with the balance that the last one left; who
has too little for the room leaves, and somebody new comes. Source: rules clause 8.1;
log format, ``ledger.continuity``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Final

from analytics.cards import write_faces
from analytics.logs import Game, Seat
from analytics.rules import Rulebook
from analytics.simulate.deals import Dealer
from analytics.simulate.games import Mishaps, Table, seated
from analytics.simulate.planning import Jokers, Taste
from analytics.simulate.players import Habits
from analytics.simulate.results import with_result

SHANGHAI: Final = timezone(timedelta(hours=8))
_BREAK_S: Final = (8, 40)  # between two games of a table
_ROUNDS: Final = (3, 9)  # games that a table stays together


@dataclass(frozen=True, slots=True)
class Room:
    """One room of a house.

    Attributes:
        name: as the log calls it.
        dealer: how it shuffles and deals.
        floor: the least balance with which a player may sit down.
        ceiling: what newcomers bring at most.
        tables: how many tables it has.
        base: the base that the log gives; None: the ruleset has it.
    """

    name: str
    dealer: Dealer
    floor: int
    ceiling: int
    tables: int = 2
    base: int | None = None


@dataclass(frozen=True, slots=True)
class House:
    """Rooms that play by one ruleset.

    Attributes:
        rules: the ruleset, as logged.
        prefix: of the ids of its games and players.
        opens: when the first table begins.
        rooms: at least one.
        mishaps: how often things go wrong.
    """

    rules: str
    prefix: str
    opens: datetime
    rooms: tuple[Room, ...]
    mishaps: Mishaps = field(default_factory=Mishaps)


def games_of(house: House, rulebook: Rulebook, rng: Random) -> Iterator[Game]:
    """Game after game in order of their start, without end."""
    staff = _Staff(house, rulebook, rng)
    while True:
        yield staff.next_game()


@dataclass
class _Guest:
    """A player in a room; ``free_at`` is when its last game ended."""

    name: str
    balance: int
    habits: Habits
    free_at: datetime
    is_seated: bool = False


@dataclass
class _Company:
    """Those who sit at a table; ``now`` is when their next game starts."""

    room: Room
    table: str
    now: datetime
    guests: list[_Guest] = field(default_factory=list)
    rounds: int = 0
    rounds_left: int = 0


class _Staff:
    """Runs the rooms of a house, one game after the other."""

    def __init__(self, house: House, rulebook: Rulebook, rng: Random) -> None:
        self._house, self._rulebook, self._rng = house, rulebook, rng
        self._rules_ix = rulebook.find(house.rules, int(house.opens.timestamp()) * 1_000_000)
        self._seats = rulebook.rulesets[self._rules_ix].play.seats
        self._guests: dict[str, list[_Guest]] = {room.name: [] for room in house.rooms}
        self._known = self._games = 0
        self._companies = [
            _Company(room, f"{number}-{place}", house.opens + timedelta(seconds=7 * number + place))
            for number, room in enumerate(house.rooms, 1)
            for place in range(1, room.tables + 1)
        ]

    def next_game(self) -> Game:
        """The next game, at the table that is ready first."""
        company = min(self._companies, key=lambda each: (each.now, each.table))
        if company.rounds_left == 0:
            self._gather(company)
        game = with_result(self._played(company), self._rulebook)
        self._pay(company, game)
        return game

    def _gather(self, company: _Company) -> None:
        """Fills the table: half of it with those who wait, if there are any, then newcomers."""
        guests = self._guests[company.room.name]
        waiting = [g for g in guests if not g.is_seated and g.free_at <= company.now]
        self._rng.shuffle(waiting)
        company.guests = waiting[: self._seats // 2]
        while len(company.guests) < self._seats:
            company.guests.append(self._newcomer(company))
        for guest in company.guests:
            guest.is_seated = True
        company.rounds_left = self._rng.randint(*_ROUNDS)

    def _newcomer(self, company: _Company) -> _Guest:
        """Brings a balance between floor and ceiling; small ones are as likely as large."""
        self._known += 1
        room = company.room
        brings = int((room.ceiling - room.floor + 1) ** self._rng.random()) - 1
        name = f"{self._house.prefix}{1000 + self._known}"
        guest = _Guest(name, room.floor + brings, _habits(self._rng), company.now)
        self._guests[room.name].append(guest)
        return guest

    def _played(self, company: _Company) -> Game:
        """Plays the company's next game; the seats may change places for it."""
        room, rng = company.room, self._rng
        seating = seated(room.dealer, self._seats, rng)
        company.guests = [company.guests[at] for at in seating.players]
        habits = [guest.habits for guest in company.guests]
        table = Table(seating, habits, self._rulebook, self._rules_ix, self._house.mishaps, rng)
        course = table.play()
        self._games += 1
        company.rounds += 1
        end = company.now + timedelta(seconds=course.times[-1] // 1000 + 1)
        return Game(
            v=1,
            game="shuangkou",
            id=f"{self._house.prefix}-{self._games:05}",
            rules=self._house.rules,
            room=room.name,
            start=company.now.isoformat(),
            end=end.isoformat(),
            seats=tuple(Seat(guest.name, guest.balance) for guest in company.guests),
            shown=write_faces([seating.shown]),
            first=seating.first,
            base=room.base,
            hands=tuple(write_faces(hand) for hand in seating.hands),
            actions=course.actions,
            times=course.times,
            table=company.table,
            round=str(company.rounds),
            deal=room.dealer.name,
        )

    def _pay(self, company: _Company, game: Game) -> None:
        """Books the result; who has too little now leaves, and the table breaks up."""
        end = datetime.fromisoformat(str(game.end))
        company.now = end + timedelta(seconds=self._rng.randint(*_BREAK_S))
        company.rounds_left -= 1
        for guest, balance in zip(company.guests, _balances(game), strict=True):
            guest.balance, guest.free_at = balance, end
            if balance < company.room.floor:
                self._guests[company.room.name].remove(guest)
                company.rounds_left = 0
        if company.rounds_left == 0:
            for guest in company.guests:
                guest.is_seated = False


def _balances(game: Game) -> tuple[int, ...]:
    assert game.result is not None
    assert game.result.balance is not None
    return game.result.balance


def _habits(rng: Random) -> Habits:
    jokers: tuple[Jokers, ...] = ("bomb", "bomb", "run", "jokers", "alone")
    return Habits(
        taste=Taste(jokers=rng.choice(jokers), chains=rng.random() < 0.6),
        boldness=rng.uniform(0.1, 0.7),
        patience=rng.uniform(0.0, 0.25),
        declares=rng.choice((0.0, 0.2, 0.6)),
    )
