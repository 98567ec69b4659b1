"""One game told action by action, as records for people.

What was played comes from the replay; the running xiang goes through the kernels that
the settlement uses. A game whose replay breaks is told up to the break, with the
finding; what follows is given as logged. Source: rules clauses 5 and 7.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.cards import HAND_SIZE, NO_FACE, face_of, parse_faces
from analytics.findings import Code, Finding, in_order
from analytics.logs import Game, GameBatch, batch_of
from analytics.logs import game as game_of
from analytics.rules import Rulebook, Ruleset
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou import notation as N
from analytics.shuangkou.describing import describe
from analytics.shuangkou.facts import Facts, compare, replay, settle
from analytics.shuangkou.melds import Meld, is_bomb
from analytics.shuangkou.replaying import TRUSTEE_TIMEOUTS
from analytics.shuangkou.settlement import effective_xiang
from analytics.shuangkou.signature import write_signature

Int64s = npt.NDArray[np.int64]

_FREE_TEXT: Final = frozenset({Code.PLAY_SYNTAX, Code.DEAL_FACE})  # "recorded" may be anything


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits where, and what was dealt.

    Attributes:
        seat: from 0.
        player: as logged.
        balance: before the game, in the room's unit.
        team: 0 or 1 with four seats, else None.
        faces: dealt, sorted by rank; None where the hand cannot be cut into faces.
        hand: as logged.
    """

    seat: int
    player: str
    balance: int
    team: int | None
    faces: tuple[int, ...] | None
    hand: str


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a game before its first action.

    Attributes:
        id, room, start, end, shown: as logged; None where not logged.
        file, line: where the game stands.
        rules: the ruleset as logged.
        ruleset: the one that it is played by.
        first: the seat that leads.
        sittings: in seat order.
    """

    id: str
    file: str
    line: int
    rules: str
    ruleset: Ruleset
    room: str | None
    start: str | None
    end: str | None
    shown: str | None
    first: int
    sittings: tuple[Sitting, ...]


@dataclass(frozen=True, slots=True)
class OnTable:
    """What lies on the table, and who played it."""

    seat: int
    meld: Meld


class Note(NamedTuple):
    """Something that happened with an action.

    Attributes:
        what: ``round_end`` (seat: who leads), ``jiefeng`` (seat: who leads in place of
            the partner), ``out`` (seat, number: its place, or None), ``end`` (word:
            how), ``timeout`` (seat, number: since it last returned), ``trustee``
            (seat: for which the system plays from here on), ``return`` (seat).
    """

    what: str
    seat: int | None = None
    number: int | None = None
    word: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the log.

    Attributes:
        action: its index, from 0.
        text: as logged.
        seat: who acts; None where the action cannot be read.
        what: "play", "pass" or an event ("timeout", ...); None where it cannot be read.
        faces: the cards, as logged.
        named: the ranks that it declares for its wild jokers, as logged.
        by_system: whether it carries ``*``.
        time: milliseconds from the start; None where not logged.
        is_done: whether the replay carried it out: not so from the first error on.
        meld: what the cards were read as; None where nothing was played.
        over: what lay on the table before; None when leading, or after an error.
        left: cards left per seat afterwards; None from the first error on.
        xiang: effective xiang per seat so far, as scoring sees it; likewise.
        turn: whose turn it is afterwards; None when the game is over, or after an error.
        notes: what else happened.
        findings: what is wrong with it.
    """

    action: int
    text: str
    seat: int | None
    what: str | None
    faces: tuple[int, ...]
    named: str
    by_system: bool
    time: int | None
    is_done: bool = False
    meld: Meld | None = None
    over: OnTable | None = None
    left: tuple[int, ...] | None = None
    xiang: tuple[int, ...] | None = None
    turn: int | None = None
    notes: tuple[Note, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """A game from the deal to the last action of its log.

    Attributes:
        head: before the first action.
        steps: one for each action of the log.
        findings: all of the game, those on the whole game first.
    """

    head: Head
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]

    def until(self, action: int) -> Story:
        """The story up to an action, with the findings up to there.

        What is found out only when the game is over (no single action is meant, but it
        is not about the deal) is left out.
        """
        found = [finding for finding in self.findings if _is_known_by(finding, action)]
        return replace(self, steps=self.steps[: action + 1], findings=tuple(found))


def _is_known_by(finding: Finding, action: int) -> bool:
    if finding.action is None:
        return finding.code.text.startswith("deal.") or finding.code is Code.PLAY_LEAD
    return finding.action <= action


def tell(batch: GameBatch, i: int, rulebook: Rulebook) -> Story:
    """Game ``i`` of a batch, action by action.

    Args:
        batch: games of this family.
        i: row of the game.
        rulebook: what ``batch.rules_ix`` refers to.

    Raises:
        IndexError: the batch has no such game.

    >>> from analytics.rules import load_rulesets
    >>> rulebook = load_rulesets()
    >>> tell(batch_of([], rulebook), 0, rulebook)
    Traceback (most recent call last):
    ...
    IndexError: game 0 of 0
    """
    one = alone(batch, i, rulebook)
    facts = replay(one, rulebook, with_plays=True)
    findings = _findings(one, facts, rulebook)
    game = game_of(one, 0)
    ruleset = rulebook.rulesets[one.rules_ix[0]]
    row = rulebook.rows[one.rules_ix[0]]
    steps = tuple(_Teller(facts, row, len(game.seats)).tell(_read(game, findings)))
    return Story(_head(one, game, ruleset), steps, findings)


def alone(batch: GameBatch, i: int, rulebook: Rulebook) -> GameBatch:
    """Game ``i`` as a batch of its own, with the place where it stands.

    Raises:
        IndexError: the batch has no such game.
    """
    here = slice(i, i + 1)
    return replace(
        batch_of([game_of(batch, i)], rulebook),
        file=batch.file,
        path=batch.path[here],
        offset=batch.offset[here],
        line=batch.line[here],
        rules_ix=batch.rules_ix[here],
    )


def held_after(story: Story, action: int) -> tuple[tuple[int, ...] | None, ...]:
    """The faces that each seat holds after an action; None for a hand that has none.

    Args:
        story: of the game.
        action: index of the action; -1: before the first.
    """
    played: list[Counter[int]] = [Counter() for _ in story.head.sittings]
    for step in story.steps[: action + 1]:
        if step.is_done and step.seat is not None:
            played[step.seat].update(step.faces)
    return tuple(
        None if sitting.faces is None else tuple(sorted((Counter(sitting.faces) - gone).elements()))
        for sitting, gone in zip(story.head.sittings, played, strict=True)
    )


def mask(story: Story) -> Story:
    """The story without names of players and rooms: seats are called P0, P1, ...

    Guarantees:
        No text of it holds the name of a player, also where an id, a path, a card or
        action that cannot be read did. Cards, numbers and codes stay.
    """
    hidden = _Mask([sitting.player for sitting in story.head.sittings])
    head = story.head
    sittings = tuple(
        replace(each, player=f"P{each.seat}", hand=each.hand if each.faces else hidden(each.hand))
        for each in head.sittings
    )
    return Story(
        replace(
            head,
            id=hidden(head.id),
            file=hidden(head.file),
            room=None,
            shown=hidden.card(head.shown),
            sittings=sittings,
        ),
        tuple(hidden.step(step) for step in story.steps),
        tuple(hidden.finding(finding) for finding in story.findings),
    )


class _Mask:
    """Replaces the names of players in any text."""

    def __init__(self, players: list[str]) -> None:
        self._names = {name: f"P{seat}" for seat, name in enumerate(players) if name}
        longest_first = sorted(self._names, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def __call__(self, text: str) -> str:
        return self._pattern.sub(lambda match: self._names[match[0]], text)

    def card(self, text: str | None) -> str | None:
        """A card stays; what stands in place of one may be anything."""
        return self(text) if text is not None and face_of(text) == NO_FACE else text

    def step(self, step: Step) -> Step:
        """Only an action that cannot be read may hold a name."""
        text = self(step.text) if step.what is None else step.text
        return replace(
            step, text=text, findings=tuple(self.finding(each) for each in step.findings)
        )

    def finding(self, finding: Finding) -> Finding:
        """Its place, and what it quotes from the log."""
        recorded = finding.recorded
        if finding.code in _FREE_TEXT and isinstance(recorded, str):
            recorded = self(recorded)
        game = None if finding.game is None else self(finding.game)
        return replace(finding, file=self(finding.file), game=game, recorded=recorded)


def _findings(one: GameBatch, facts: Facts, rulebook: Rulebook) -> tuple[Finding, ...]:
    """All findings of the one game: by action, seat, code; whole game first."""
    differences = compare(one, facts, settle(facts, one, rulebook), rulebook)
    rows = in_order(np.concatenate([facts.findings, differences]))
    return tuple(describe(one, row, facts, rulebook) for row in rows)


def _head(one: GameBatch, game: Game, ruleset: Ruleset) -> Head:
    return Head(
        id=game.id,
        file=one.file,
        line=int(one.line[0]),
        rules=game.rules,
        ruleset=ruleset,
        room=game.room,
        start=game.start,
        end=game.end,
        shown=game.shown,
        first=game.first,
        sittings=tuple(_sitting(game, seat) for seat in range(len(game.seats))),
    )


def _sitting(game: Game, seat: int) -> Sitting:
    hand = game.hands[seat] if seat < len(game.hands) else ""
    return Sitting(
        seat=seat,
        player=game.seats[seat].player,
        balance=game.seats[seat].balance,
        team=seat % 2 if len(game.seats) == 4 else None,
        faces=_faces(hand),
        hand=hand,
    )


def _faces(hand: str) -> tuple[int, ...] | None:
    try:
        return tuple(sorted(parse_faces(hand)))
    except ValueError:
        return None


def _read(game: Game, findings: tuple[Finding, ...]) -> Iterator[Step]:
    """Every action of the log as it is written, with its findings."""
    wrong: dict[int | None, list[Finding]] = {}
    for finding in findings:
        wrong.setdefault(finding.action, []).append(finding)
    desk = memoryview(D.new_desk().data)
    for action, text in enumerate(game.actions):
        raw = text.encode("utf-8", "replace")
        what = N.scan_alone(raw, len(game.seats), desk)
        is_turn = what in (N.PASS, N.PLAY)
        yield Step(
            action=action,
            text=text,
            seat=None if what == N.NONSENSE else desk[D.SEAT],
            what=N.WHAT_NAMES[what],
            faces=_played_faces(text) if what == N.PLAY else (),
            named=_named(text) if what == N.PLAY else "",
            by_system=is_turn and text.endswith("*"),
            time=None if game.times is None else game.times[action],
            findings=tuple(wrong.get(action, ())),
        )


def _played_faces(text: str) -> tuple[int, ...]:
    """The faces of a play: all of them, where the desk keeps no more than a hand has."""
    return tuple(parse_faces(text[2:].rstrip("*").partition("=")[0]))


def _named(text: str) -> str:
    return text[2:].rstrip("*").partition("=")[2]


class _Teller:
    """Goes through the actions of one game and keeps what the next one needs."""

    def __init__(self, facts: Facts, row: Int64s, seats: int) -> None:
        self._done: Mapping[int, Int64s] = {int(play[D.P_ACTION]): play for play in facts.plays}
        self._bombs = facts.bombs
        self._row = row
        self._left = [HAND_SIZE] * seats
        self._xiang = (0,) * seats
        self._over: OnTable | None = None
        self._bombs_told = 0
        self._out = 0
        self._is_over = False
        self._timeouts = [0] * seats
        self._by_trustee: set[int] = set()

    def tell(self, steps: Iterator[Step]) -> Iterator[Step]:
        """The steps with what the replay says of them."""
        for step in steps:
            play = self._done.get(step.action)
            yield step if play is None or step.seat is None else self._told(step, step.seat, play)

    def _told(self, step: Step, seat: int, play: Int64s) -> Step:
        over = self._over
        meld = _meld(play) if step.what == "play" and not self._is_over else None
        if meld is not None:
            self._take(seat, meld)
        elif play[D.P_TABLE] == 0:
            self._over = None
        notes = tuple(self._notes(step, seat, play, over))
        return replace(
            step,
            is_done=True,
            meld=meld,
            over=over,
            left=tuple(self._left),
            xiang=self._xiang,
            turn=int(play[D.P_TURN]) if play[D.P_TURN] >= 0 else None,
            notes=notes,
        )

    def _take(self, seat: int, meld: Meld) -> None:
        self._over = OnTable(seat, meld)
        self._left[seat] -= meld.size
        if is_bomb(meld.kind):
            self._bombs_told += 1
            self._xiang = running_xiang(self._bombs[: self._bombs_told], self._row, len(self._left))

    def _notes(self, step: Step, seat: int, play: Int64s, over: OnTable | None) -> Iterator[Note]:
        if self._is_over:  # the log format: events after the end are ignored
            return
        turn = int(play[D.P_TURN])
        if step.what == "play" and self._left[seat] == 0:
            self._out += 1
            yield Note("out", seat, self._out if len(self._left) == 4 else None)
        if step.what == "pass" and self._over is None and over is not None:
            yield Note("round_end", turn)
            if turn != over.seat:
                yield Note("jiefeng", turn)
        if turn < 0:
            self._is_over = True
            yield Note("end", word="escape" if step.what == "escape" else "out")
            return
        yield from self._on_event(step.what, seat)

    def _on_event(self, what: str | None, seat: int) -> Iterator[Note]:
        """Clause 5.1: who counts timeouts, and from when the system plays."""
        if what in ("play", "pass"):
            return
        if what == "return":
            self._timeouts[seat] = 0
            self._by_trustee.discard(seat)
            yield Note("return", seat)
            return
        if what == "timeout":
            self._timeouts[seat] += 1
            yield Note("timeout", seat, self._timeouts[seat])
            if self._timeouts[seat] < TRUSTEE_TIMEOUTS:
                return
        if seat not in self._by_trustee:
            self._by_trustee.add(seat)
            yield Note("trustee", seat)


def _meld(play: Int64s) -> Meld:
    """The meld of a row of plays; its strength is not written down."""
    kind, size, top, xiang, groups = (int(play[D.P_KIND + field]) for field in range(5))
    return Meld(kind, size, top, xiang, groups, 0)


def running_xiang(bombs: Int64s, row: Int64s, seats: int) -> tuple[int, ...]:
    """Each seat's effective xiang, as scoring sees it, from the bombs so far (clause 7).

    Args:
        bombs: int64 ``(b, BOMB_WIDTH)``, those of one game in order.
        row: the ruleset.
        seats: how many.
    """
    return tuple(scored_xiang(facts, row) for facts in signatures(bombs, seats))


def signatures(bombs: Int64s, seats: int) -> Int64s:
    """The xiang signature of each seat: int64 ``(seats, SEAT_WIDTH)``, the rest of it 0."""
    desk = D.new_desk()
    desk[D.BOMB_COUNT] = len(bombs)
    desk[D.BOMBS : D.BOMBS + bombs.size] = bombs.ravel()
    for seat in range(seats):
        write_signature(seat, memoryview(desk.data))
    facts = desk[D.SEAT_FACTS : D.SEAT_FACTS + seats * D.SEAT_WIDTH]
    return facts.reshape(seats, D.SEAT_WIDTH)


def scored_xiang(facts: Int64s, row: Int64s) -> int:
    """A seat's effective xiang under ``xiang_cap`` (clauses 4 and 7).

    Args:
        facts: int64 ``(SEAT_WIDTH,)``, a seat's signature.
        row: the ruleset.
    """
    xiang: int = effective_xiang(memoryview(facts.data), memoryview(row.data))
    cap = int(row[R.XIANG_CAP])
    return min(xiang, cap) if cap > 0 else xiang
