"""One game, action by action: clauses 5 and 5.1, and the deal and the actions of the log format."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from . import trustee
from .melds import (
    FACES,
    RANKS,
    SUITS,
    Cards,
    PlayRules,
    Reading,
    Rules,
    best,
    count,
    cut,
    play_rules,
    read,
)

HAND = 27
EVENTS = ("timeout", "trustee", "return", "drop", "escape")

_SEAT = "(?P<seat>0|[1-9][0-9]*)"
_FACES = f"(?P<faces>(?:[{RANKS}][{SUITS}]|SJ|BJ)+)"
_PLAY = f"(?:(?P<pass>-)|{_FACES}(?:=(?P<declared>[{RANKS}]+))?)(?P<star>[*])?"
_ACTION = re.compile(f"{_SEAT} (?:{_PLAY}|!(?P<event>{'|'.join(EVENTS)}))")
_SEAT_ONLY = re.compile(f"{_SEAT} .*", re.DOTALL)

Error = tuple[str, int | None, int | None]


@dataclass(frozen=True)
class Action:
    """One readable action: an event, or a play, or (with neither) a pass."""

    seat: int
    event: str | None
    faces: list[str] | None
    declared: str | None
    starred: bool


@dataclass
class Replayed:
    """What the replay of one game says; from `end` on it is whole only where `error` is None."""

    error: Error | None = None
    infos: list[tuple[str, int, int]] = field(default_factory=list)
    end: str | None = None
    winner: int | None = None
    places: list[int] | None = None
    cards_left: list[int] = field(default_factory=list)
    bombs: list[list[Reading]] = field(default_factory=list)
    fleer: int | None = None
    fleer_had_played: bool = False


class GameError(Exception):
    """The finding that ends the replay: a code and the seat that it is about."""

    def __init__(self, code: str, seat: int | None = None) -> None:
        """Keep code and seat."""
        super().__init__(code)
        self.code = code
        self.seat = seat


def parse(text: str, seats: int) -> Action:
    """Read one action string; `play.syntax` where it is none (log format, Actions)."""
    match = _ACTION.fullmatch(text)
    if match is None or int(match["seat"]) >= seats:
        raise GameError("play.syntax", _readable_seat(text, seats))
    return Action(
        seat=int(match["seat"]),
        event=match["event"],
        faces=cut(match["faces"]) if match["faces"] else None,
        declared=match["declared"],
        starred=match["star"] is not None,
    )


def _readable_seat(text: str, seats: int) -> int | None:
    """Return the seat in front of an unreadable action, if that much can be read."""
    match = _SEAT_ONLY.fullmatch(text)
    if match is None or int(match["seat"]) >= seats:
        return None
    return int(match["seat"])


class Table:
    """Hands, turn and round of a game in progress (clause 5)."""

    def __init__(self, hands: list[list[str]], first: int) -> None:
        """Start with dealt hands and the seat that leads."""
        self.seats = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.turn = first
        self.over: Reading | None = None
        self.author = first
        self.passes = 0
        self.out: list[int] = []
        self.bombs: list[list[Reading]] = [[] for _ in hands]
        self.has_played = [False] * self.seats
        self.ended = False

    def cards(self, seat: int) -> Cards:
        """Return a seat's hand without suits."""
        return count(self.hands[seat])

    def play(self, faces: list[str], meld: Reading) -> None:
        """Let the seat to move play a legal meld."""
        seat = self.turn
        for face in faces:
            self.hands[seat].remove(face)
        if meld.is_bomb():
            self.bombs[seat].append(meld)
        self.has_played[seat] = True
        self.over, self.author, self.passes = meld, seat, 0
        if not self.hands[seat]:
            self.out.append(seat)
        self.ended = self._is_over()
        self.turn = self._next()

    def pass_turn(self) -> None:
        """Let the seat to move pass, which may end the round (clause 5, point 4)."""
        self.passes += 1
        self.turn = self._next()
        others = [seat for seat in self._in_game() if seat != self.author]
        if self.passes == len(others):
            self.over, self.passes = None, 0
            # 接风: with the author out, his partner leads.
            self.turn = self.author if self.hands[self.author] else (self.author + 2) % 4

    def _in_game(self) -> list[int]:
        """Return the seats that hold cards."""
        return [seat for seat in range(self.seats) if self.hands[seat]]

    def _next(self) -> int:
        """Return the next seat in play order that holds cards."""
        later = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
        return next(seat for seat in later if self.hands[seat])

    def _is_over(self) -> bool:
        """Tell whether one player, or both of a team, are out (clause 5, point 5)."""
        if self.seats == 2:
            return len(self.out) == 1
        return {0, 2} <= set(self.out) or {1, 3} <= set(self.out)

    def places(self) -> list[int]:
        """Return the place of each seat after a game of four (clause 5, point 6)."""
        after_last = [(self.out[-1] + step) % self.seats for step in range(1, self.seats)]
        order = self.out + [seat for seat in after_last if seat not in self.out]
        return [order.index(seat) + 1 for seat in range(self.seats)]


class Watch:
    """Which seats the system should be playing for (clause 5.1)."""

    def __init__(self, seats: int) -> None:
        """Start with everybody playing for himself."""
        self.timeouts = [0] * seats
        self.pending = [False] * seats
        self.trustee = [False] * seats

    def event(self, seat: int, event: str) -> None:
        """Take note of an event."""
        if event == "timeout":
            self.timeouts[seat] += 1
            self.pending[seat] = True
            if self.timeouts[seat] >= 3:
                self.trustee[seat] = True
        elif event == "return":
            self.timeouts[seat] = 0
            self.pending[seat] = False
            self.trustee[seat] = False
        else:  # A hand-over, a disconnect, or an escape that does not end the game.
            self.trustee[seat] = True

    def expects_star(self, seat: int) -> bool:
        """Tell whether the seat's next pass or play should be made by the system."""
        return self.pending[seat] or self.trustee[seat]

    def acted(self, seat: int) -> None:
        """Take note that the seat has passed or played: a timeout marks one turn only."""
        self.pending[seat] = False


class Game:
    """The replay of one game: the actions one after another, and what is found."""

    def __init__(self, hands: list[list[str]], first: int, rules: Rules) -> None:
        """Start with a deal that was found good."""
        self.rules = rules
        self.play: PlayRules = play_rules(rules)
        self.table = Table(hands, first)
        self.watch = Watch(len(hands))
        self.fleer: int | None = None
        self.infos: list[tuple[str, int, int]] = []

    def ended(self) -> bool:
        """Tell whether the game is over."""
        return self.table.ended or self.fleer is not None

    def act(self, index: int, text: str) -> None:
        """Take one action of the log, in the order of checks of its Findings section."""
        action = parse(text, self.table.seats)
        if action.event is not None:
            self._event(action.seat, action.event)
            return
        if self.ended():
            raise GameError("play.after_end", action.seat)
        if action.seat != self.table.turn:
            raise GameError("play.turn", action.seat)
        if action.faces is None:
            self._pass(index, action)
        else:
            self._play(index, action, action.faces)
        if self.watch.expects_star(action.seat) and not action.starred:
            self.infos.append(("auto.timeout", index, action.seat))
        self.watch.acted(action.seat)

    def _event(self, seat: int, event: str) -> None:
        """Take an event; after the end only an escape is judged (log format, Actions)."""
        if self.ended():
            if event == "escape":
                raise GameError("play.after_end", seat)
        elif event == "escape" and self.rules["play"]["on_escape"] == "settle":
            self.fleer = seat
        else:
            self.watch.event(seat, event)

    def _pass(self, index: int, action: Action) -> None:
        """Take a pass (clause 5, point 3), and judge one by the system (clause 5.1, auto-pass)."""
        over = self.table.over
        if over is None:
            raise GameError("play.pass", action.seat)
        hand = self.table.cards(action.seat)
        if action.starred and trustee.can_beat(hand, over, self.play):
            self.infos.append(("auto.pass", index, action.seat))
        self.table.pass_turn()

    def _play(self, index: int, action: Action, faces: list[str]) -> None:
        """Take a play (clause 5, point 3), and judge one by the system (clause 5.1, trustee)."""
        if Counter(faces) - Counter(self.table.hands[action.seat]):
            raise GameError("play.held", action.seat)
        meld = read(faces, self.rules, self.table.over, action.declared)
        if isinstance(meld, str):
            raise GameError(meld, action.seat)
        judged = action.starred and self.rules["play"]["trustee_policy"] == "smallest"
        if judged and not self._is_smallest(action.seat, faces):
            self.infos.append(("auto.play", index, action.seat))
        self.table.play(faces, meld)

    def _is_smallest(self, seat: int, faces: list[str]) -> bool:
        """Judge a legal play by the system, read as if nothing were declared (clause 5.1)."""
        over = self.table.over
        undeclared = best(count(faces), over, self.play)
        assert undeclared is not None
        return trustee.is_smallest(undeclared, self.table.cards(seat), over, self.play)

    def result(self) -> Replayed:
        """Return the outcome of a game that has ended."""
        table = self.table
        replayed = Replayed(
            infos=self.infos,
            cards_left=[len(hand) for hand in table.hands],
            bombs=table.bombs,
        )
        if self.fleer is not None:
            replayed.end = "escape"
            replayed.winner = 1 - self.fleer
            replayed.fleer = self.fleer
            replayed.fleer_had_played = table.has_played[self.fleer]
        else:
            replayed.end = "out"
            replayed.winner = table.out[0]
            replayed.places = table.places() if table.seats == 4 else None
        return replayed


def dealt(game: dict[str, Any], rules: Rules) -> list[list[str]]:
    """Return the dealt hands; the first `deal.*` or `play.lead` that applies is raised."""
    hands = [_cut_hand(seat, text) for seat, text in enumerate(game["hands"])]
    shown = game.get("shown")
    if shown is not None and shown not in FACES:
        raise GameError("deal.face")
    seats = rules["play"]["seats"]
    if len(game["seats"]) != seats or len(hands) != seats:
        raise GameError("deal.size")
    for seat, hand in enumerate(hands):
        if len(hand) != HAND:
            raise GameError("deal.size", seat)
    if max(Counter(face for hand in hands for face in hand).values()) > 2:
        raise GameError("deal.copies")
    if shown is not None:
        _check_shown(shown, hands, game["first"], rules)
    return hands


def _cut_hand(seat: int, text: str) -> list[str]:
    """Cut one hand into faces; blanks may stand between faces (log format, `hands`)."""
    faces = []
    for part in text.split(" "):
        cut_part = cut(part)
        if cut_part is None:
            raise GameError("deal.face", seat)
        faces += cut_part
    return faces


def _check_shown(shown: str, hands: list[list[str]], first: int, rules: Rules) -> None:
    """Check the holders of the shown card (clause 5, point 2)."""
    holders = [seat for seat, hand in enumerate(hands) if shown in hand]
    if not holders:
        raise GameError("deal.shown")
    if rules["play"]["lead_policy"] == "any":
        return
    if len(hands) == 4 and len(holders) == 2 and holders[1] - holders[0] != 2:
        raise GameError("deal.partner")
    if first not in holders:
        raise GameError("play.lead", first)


def replay(game: dict[str, Any], rules: Rules) -> Replayed:
    """Replay one game of the log; `error` is the finding that ended it early, if any."""
    try:
        hands = dealt(game, rules)
    except GameError as error:
        return Replayed(error=(error.code, None, error.seat))
    state = Game(hands, game["first"], rules)
    for index, text in enumerate(game["actions"]):
        try:
            state.act(index, text)
        except GameError as error:
            return Replayed(error=(error.code, index, error.seat), infos=state.infos)
    if not state.ended():
        return Replayed(error=("play.unfinished", None, None), infos=state.infos)
    return state.result()
