"""One game from the deal to its end, as the server of a room would log it.

Source: rules clause 5; log format, section Actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from analytics.cards import NATURAL_RANKS, SMALL_JOKER, write_faces
from analytics.rules import Rulebook
from analytics.rules import row as R
from analytics.shuangkou.melds import Meld, beats
from analytics.shuangkou.reading import all_readings
from analytics.simulate.board import Board
from analytics.simulate.deals import Dealer, Faces, Hands
from analytics.simulate.hands import Group, chosen, counts_of
from analytics.simulate.players import Habits, Player, View
from analytics.simulate.system import has_answer, system_play

_TRUSTEE_TIMEOUTS: Final = 3  # clause 5.1: the third timeout puts a seat under the trustee
_TURN_MS: Final = 15_000  # after which the system plays for a seat
_SYSTEM_MS: Final = 50
_AUTO_PASS: Final = 0.85  # the other passes without an answer are the players' own
_FASTEST_MS: Final = 400
_USUAL_MS: Final = 2_500


@dataclass(frozen=True, slots=True)
class Mishaps:
    """How often, per turn, what should not happen does (clause 5.1).

    Attributes:
        timeout, handover, drop: the chance of each.
        back: the chance that who is under the trustee takes back.
        escape: the chance, per game and seat, that the player runs away.
    """

    timeout: float = 0.012
    handover: float = 0.003
    drop: float = 0.003
    back: float = 0.25
    escape: float = 0.03


class Seating(NamedTuple):
    """Who sits where, and the cards.

    Attributes:
        players: indices into those who came, in play order.
        hands: in play order.
        shown: the shown face.
        first: the seat that leads.
    """

    players: tuple[int, ...]
    hands: Hands
    shown: int
    first: int


class Course(NamedTuple):
    """What happened: actions as logged, and when, in milliseconds from the start."""

    actions: tuple[str, ...]
    times: tuple[int, ...]


def seated(dealer: Dealer, seats: int, rng: Random) -> Seating:
    """Deals and shows a card; with four, the holders of its two copies come to sit opposite.

    Source: rules clause 5.2.
    """
    hands = dealer.deal(rng, seats)
    shown = rng.choice([face for hand in hands for face in hand])
    # Cards are drawn in turn: the lowest place in a hand was drawn first.
    holders = sorted((hand.index(shown), at) for at, hand in enumerate(hands) if shown in hand)
    first = holders[0][1]
    order = list(range(seats))
    if seats == 4 and len(holders) == 2:
        partner, opposite = holders[1][1], (first + 2) % seats
        order[partner], order[opposite] = opposite, partner
    return Seating(tuple(order), tuple(hands[at] for at in order), shown, first)


@dataclass
class _Attention:
    """Whether a player minds its seat."""

    flees_at: int | None
    turns: int = 0
    timeouts: int = 0
    is_under_trustee: bool = False


@dataclass
class _Diary:
    """The log while it is written."""

    actions: list[str] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    now: int = 0

    def note(self, seat: int, what: str) -> None:
        self.actions.append(f"{seat} {what}")
        self.times.append(self.now)


class Table:
    """A game in play."""

    def __init__(
        self,
        seating: Seating,
        habits: Sequence[Habits],
        rulebook: Rulebook,
        rules_ix: int,
        mishaps: Mishaps,
        rng: Random,
    ) -> None:
        """Seats the players, who look at their cards.

        Args:
            seating: who sits where, with which cards.
            habits: of the players, in play order.
            rulebook: holds the ruleset.
            rules_ix: which one.
            mishaps: how often things go wrong.
            rng: all that is left to chance.
        """
        self._rulebook, self._rules_ix = rulebook, rules_ix
        self._row = rulebook.rows[rules_ix].tolist()
        self._mishaps, self._rng = mishaps, rng
        self._faces: list[Faces] = list(seating.hands)
        self._board = Board(len(habits), seating.first)
        self._players = [
            Player(habit, counts_of(hand), self._row, rng)
            for habit, hand in zip(habits, seating.hands, strict=True)
        ]
        self._attention = [_Attention(self._flight()) for _ in habits]
        self._diary = _Diary()

    def play(self) -> Course:
        """Plays the game to its end."""
        while not self._board.is_over:
            self._turn(self._board.turn)
        return Course(tuple(self._diary.actions), tuple(self._diary.times))

    def _flight(self) -> int | None:
        """The turn at which a player escapes, or None."""
        return self._rng.randrange(8) if self._rng.random() < self._mishaps.escape else None

    def _turn(self, seat: int) -> None:
        mind = self._attention[seat]
        if mind.is_under_trustee and self._rng.random() < self._mishaps.back:
            mind.is_under_trustee, mind.timeouts = False, 0
            self._event(seat, "!return", self._think())
        if not mind.is_under_trustee and mind.flees_at == mind.turns:
            self._escape(seat)
        if self._board.is_over:
            return
        is_systems = mind.is_under_trustee or self._is_absent(seat)
        mind.turns += 1
        self._act(seat, is_systems=is_systems)

    def _escape(self, seat: int) -> None:
        """逃跑 ends the game, or the system plays on."""
        self._event(seat, "!escape", self._think())
        self._attention[seat].is_under_trustee = True
        self._attention[seat].flees_at = None
        self._board.is_over = self._row[R.ESCAPE_SETTLES] != 0

    def _is_absent(self, seat: int) -> bool:
        """Whether the system has to play from now on, or for this turn."""
        mind, chance = self._attention[seat], self._rng.random()
        if chance < self._mishaps.timeout:
            mind.timeouts += 1
            mind.is_under_trustee = mind.timeouts >= _TRUSTEE_TIMEOUTS
            self._event(seat, "!timeout", _TURN_MS)
            return True
        chance -= self._mishaps.timeout
        if chance < self._mishaps.handover + self._mishaps.drop:
            is_drop = chance < self._mishaps.drop
            mind.is_under_trustee = True
            self._event(seat, "!drop" if is_drop else "!trustee", self._think())
        return mind.is_under_trustee

    def _act(self, seat: int, *, is_systems: bool) -> None:
        over = self._board.over
        hand = self._players[seat].hand
        can_answer = has_answer(hand, over, self._row)
        is_systems = is_systems or (not can_answer and self._rng.random() < _AUTO_PASS)
        self._diary.now += _SYSTEM_MS if is_systems else self._think()
        if not can_answer:
            self._pass(seat, "*" if is_systems else "")
        elif is_systems:
            self._play(seat, system_play(hand, over, self._row), "*")
        else:
            self._play(seat, self._players[seat].choose(self._view(seat)), "")

    def _view(self, seat: int) -> View:
        board = self._board
        is_partners = board.is_led and board.author != seat
        is_partners = is_partners and board.author == board.partner(seat)
        return View(board.over, is_partners, board.fewest_of_others(seat))

    def _pass(self, seat: int, star: str) -> None:
        self._diary.note(seat, f"-{star}")
        self._board.play_pass()

    def _play(self, seat: int, group: Group | None, star: str) -> None:
        if group is None:
            self._pass(seat, star)
            return
        faces = chosen(self._faces[seat], group.cards)
        ranks = ""
        if not star and self._players[seat].declares():
            group, ranks = self._declared(faces, group)
        self._diary.note(seat, f"{write_faces(faces)}{ranks}{star}")
        self._faces[seat] = _left(self._faces[seat], faces)
        self._players[seat].take(group.cards)
        self._board.play(group.meld)

    def _declared(self, faces: Faces, group: Group) -> tuple[Group, str]:
        """One of the readings that will do, with ``=`` and its ranks; as it is if there is none."""
        jokers = sum(group.cards[SMALL_JOKER:])
        naturals = sum(group.cards[:NATURAL_RANKS])
        if not naturals or not 1 <= jokers <= 2:  # readings of more take too long to list
            return group, ""
        readings = all_readings(write_faces(faces), self._rulebook, self._rules_ix)
        firsts = dict(reversed(readings))  # of the declarations of one meld the first
        fit = [each for each in reversed(firsts.items()) if self._beats(each[0])]
        meld, ranks = self._rng.choice(fit)
        return Group(group.cards, meld), f"={ranks}"

    def _beats(self, meld: Meld) -> bool:
        return beats(meld, self._board.over, self._row)

    def _event(self, seat: int, what: str, after: int) -> None:
        self._diary.now += after
        self._diary.note(seat, what)

    def _think(self) -> int:
        """Milliseconds: most plays are quick, a few are not, none takes the whole turn."""
        return min(_FASTEST_MS + int(self._rng.expovariate(1 / _USUAL_MS)), _TURN_MS - 1)


def _left(hand: Faces, played: Faces) -> Faces:
    left = list(hand)
    for face in played:
        left.remove(face)
    return tuple(left)
