"""Games for the tests of the rulebook: what matters is written, the rest is filled in.

Cards are written by rank, with ``s`` for 小王 and ``b`` for 大王; blanks are for the eye.
``"5678b"`` is a 5, a 6, a 7, an 8 and a big joker, in whatever suits are there. Text that
is no such word, as ``"5S6S"``, is left as it is.

``play`` is the builder: it deals hands of 27 cards, lets every seat get rid of the cards
that do not matter, one by one and unbeaten, and begins the test's own actions when the
hands are those that the test wrote, with the lead where the test wants it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from analytics import shuangkou
from analytics.cards import parse_faces, rank_of, rank_text
from analytics.findings import F_ACTION, F_CODE, F_SEAT, Code, Severity
from analytics.logs import batch_of
from analytics.logs.batch import END_NAMES
from analytics.rules import (
    Fixed,
    Kou,
    KouCards,
    Level,
    Levels,
    Places,
    Row,
    Rulebook,
    Ruleset,
    check_ruleset,
    load_rulesets,
)
from analytics.rules.model import REQUIRED, applies, specs
from analytics.rules.row import KOU_NAMES, NO_KOU
from analytics.shuangkou import desk as D
from analytics.shuangkou import settlement as S
from analytics.shuangkou.melds import KIND_NAMES
from analytics.shuangkou.reading import read_cards
from analytics.verify import Verdict, verify_batch

POINTS, WEALTH, JIULE = "huopin-points", "huopin-wealth", "jiule"
BAIBIAN, ZEROSUM, TONGCHENG = "baibian", "baibian-zerosum", "tongcheng"

HAND = 27
SUITS = "SHCD"
NATURALS = "3456789TJQKA2"
DECK = tuple(2 * ([rank + suit for rank in NATURALS for suit in SUITS] + ["SJ", "BJ"]))
JOKERS = {"s": "SJ", "b": "BJ"}


# Rules.


@cache
def _presets() -> dict[str, Ruleset]:
    return {ruleset.name: ruleset for ruleset in load_rulesets().rulesets}


def rules(preset: str, **settings: Any) -> Ruleset:
    """A preset with some settings changed; settings are written as TOML has them.

    What then does not apply is taken away, what then applies has its default.
    """
    ruleset = altered(preset, **settings)
    errors = [m for m in check_ruleset(ruleset) if m.severity is Severity.ERROR]
    assert not errors, errors
    return ruleset


def altered(preset: str, **settings: Any) -> Ruleset:
    """Like ``rules``, but the rules may be wrong."""
    ruleset = _presets()[preset]
    parts: dict[str, Any] = {"play": ruleset.play, "xiang": ruleset.xiang}
    parts["scoring"] = ruleset.scoring
    for key, value in settings.items():
        section = specs()[key].section
        parts[section] = replace(parts[section], **{key: _as_model(key, value)})
    every = {key: getattr(parts[spec.section], key) for key, spec in specs().items()}
    for key, spec in specs().items():
        part, default = parts[spec.section], spec.setting.default
        if not applies(spec, every):
            parts[spec.section] = replace(part, **{key: None})
        elif every[key] is None and default is not REQUIRED:
            parts[spec.section] = replace(part, **{key: default})
    return replace(ruleset, **parts)


def _as_model(key: str, value: Any) -> Any:
    if key in ("doubling", "contribution"):
        return tuple(Row(*row) for row in value.items())
    if key == "base" and isinstance(value, int):
        return Fixed(value)
    if key == "base" and isinstance(value, list):
        return Levels(tuple(Level(*row) for row in value))
    if key == "kou":
        return Kou(*value)
    if key == "kou_cards":
        return KouCards(*value)
    if key == "places":
        return Places(**{kou: tuple(row) for kou, row in value.items()})
    return value


@cache
def book_of(house: str | Ruleset) -> Rulebook:
    """A rulebook of these rules alone."""
    return Rulebook.of([_presets()[house] if isinstance(house, str) else house])


# Cards.


def _is_ranks(word: str) -> bool:
    return all(letter in NATURALS + "sb" for letter in word)


def faces(cards: str) -> str:
    """Cards by rank as faces, suits in turn.

    >>> faces("33 b"), faces("3S")
    ('3S3HBJ', '3S')
    """
    cards = cards.replace(" ", "")
    if not _is_ranks(cards):
        return cards
    seen: Counter[str] = Counter()
    found = ""
    for card in cards:
        found += JOKERS.get(card) or card + SUITS[seen[card] % 4]
        seen[card] += 1
    return found


def read(cards: str, house: str | Ruleset = POINTS, over: str = "") -> str:
    """What cards are read as, in words; or the code of why they are nothing.

    >>> read("5678b"), read("333344445555"), read("34")
    ('straight 9', 'chain 5, 3 ranks, 7相', 'play.meld')
    """
    reading = read_cards(faces(cards), faces(over), book_of(house), 0)
    meld = reading.meld
    if reading.error:
        return reading.error.text
    return in_words(meld.kind, meld.top, meld.xiang, meld.groups)


def in_words(kind: int, top: int, xiang: int, groups: int) -> str:
    """A meld in words: kind, top, for bombs the xiang, for chains the ranks."""
    words = f"{KIND_NAMES[kind]}" + (f" {rank_text(top)}" if top >= 0 else "")
    words += f", {groups} ranks" if groups else ""
    return words + (f", {xiang}相" if xiang else "")


def beats(cards: str, over: str, house: str | Ruleset = POINTS) -> bool:
    """Whether cards may be played over others."""
    answer = read(cards, house, over)
    assert answer != "play.meld", cards
    return answer != "play.beat"


def assert_ladder(house: str | Ruleset, *rungs: str) -> None:
    """Every rung beats every rung below it, and none above it or equal to it."""
    for low, lower in enumerate(rungs):
        for high, upper in enumerate(rungs):
            assert beats(upper, lower, house) == (high > low), (upper, lower)


def assert_equal(house: str | Ruleset, *melds: str) -> None:
    """None of these beats another one."""
    for a in melds:
        for b in melds:
            assert not beats(a, b, house), (a, b)


# Games.


@dataclass(frozen=True)
class Seen:
    """What a verdict says of one game, in the words of the log format.

    Attributes:
        verdict: the verdict on a batch of this game alone.
        book: the rules.
        opening: the number of actions before those of the test.
    """

    verdict: Verdict
    book: Rulebook
    opening: int

    @cached_property
    def found(self) -> list[str]:
        """The findings: code, then ``@action`` or ``#seat`` where there is one."""
        return [self._finding(row) for row in self.verdict.findings.tolist()]

    def _finding(self, row: list[int]) -> str:
        code, action, seat = Code(row[F_CODE]).text, row[F_ACTION], row[F_SEAT]
        if action >= 0:
            return f"{code}@{action - self.opening}"
        return f"{code}#{seat}" if seat >= 0 else code

    @property
    def at_actions(self) -> list[str]:
        """The findings on actions; a test that is over in mid-game wants no others."""
        return [text for text in self.found if "@" in text]

    @cached_property
    def _plays(self) -> list[list[int]]:
        facts = shuangkou.replay(self.verdict.batch, self.book, with_plays=True)
        rows: list[list[int]] = facts.plays.tolist()
        return rows[self.opening :]

    @property
    def melds(self) -> list[str]:
        """What was played, in words; passes and events are left out."""
        plays = [row for row in self._plays if row[D.P_KIND]]
        columns = (D.P_KIND, D.P_TOP, D.P_XIANG, D.P_GROUPS)
        return [in_words(*(row[column] for column in columns)) for row in plays]

    @property
    def turns(self) -> list[int]:
        """Whose turn it was after each action; -1 after the end."""
        return [row[D.P_TURN] for row in self._plays]

    @property
    def leads(self) -> bool:
        """Whether the seat to move leads."""
        return not self._plays[-1][D.P_TABLE]

    @property
    def end(self) -> str | None:
        return END_NAMES[self.verdict.facts.games[0, D.G_END]]

    @property
    def winner(self) -> int:
        return int(self.verdict.facts.games[0, D.G_WINNER])

    @property
    def fleer(self) -> int:
        return int(self.verdict.facts.games[0, D.G_FLEER])

    @property
    def places(self) -> list[int]:
        return self.of_seats(D.S_PLACE)

    @property
    def left(self) -> list[int]:
        return self.of_seats(D.S_LEFT)

    def of_seats(self, column: int) -> list[int]:
        """A column of facts, ``desk.S_*``."""
        values: list[int] = self.verdict.facts.seats[:, column].tolist()
        return values

    @property
    def kou(self) -> str | None:
        kou = int(self.verdict.settled.games[0, S.X_KOU])
        return None if kou == NO_KOU else KOU_NAMES[kou]

    @property
    def base(self) -> int | None:
        return self._of_game(S.X_BASE)

    @property
    def doubling(self) -> int | None:
        return self._of_game(S.X_DOUBLING)

    @property
    def system(self) -> int | None:
        return self._of_game(S.X_SYSTEM)

    def _of_game(self, column: int) -> int | None:
        value = int(self.verdict.settled.games[0, column])
        return None if value == S.NOTHING else value

    @property
    def xiang(self) -> list[int]:
        return self._settled(S.Y_XIANG)

    @property
    def contribution(self) -> list[int] | None:
        return self._settled_or_none(S.Y_CONTRIBUTION)

    @property
    def delta(self) -> list[int] | None:
        return self._settled_or_none(S.Y_DELTA)

    @property
    def fee(self) -> list[int]:
        return self._settled(S.Y_FEE)

    def _settled(self, column: int) -> list[int]:
        values: list[int] = self.verdict.settled.seats[:, column].tolist()
        return values

    def _settled_or_none(self, column: int) -> list[int] | None:
        values = self._settled(column)
        return None if S.NOTHING in values else values


class Table:
    """A table at which a game is played, action by action.

    Args:
        house: a preset, or rules.
        hands: the cards that matter, a hand a seat.
        leader: who has the lead when the other cards are gone.
        whole: the other cards stay in the hands, and ``leader`` leads the game.
        fields: of the log, for instance ``balances=[...]``, ``shown=``, ``result=``.
    """

    def __init__(
        self, house: str | Ruleset, hands: Sequence[str], *, leader: int = 0, whole: bool = False
    ) -> None:
        self.book = book_of(house)
        self.hands, idle = _deal(hands)
        self.dealt = ["".join(hand) for hand in self.hands]
        self.seats = len(hands)
        self.first = leader if whole else (leader + 1) % self.seats
        self.actions: list[str] = []
        if not whole:
            self._get_rid_of(idle)
        self.opening = len(self.actions)

    def _get_rid_of(self, idle: list[list[str]]) -> None:
        """Each seat in turn leads its idle cards, keeping a low one for the next to beat."""
        for step in range(self.seats):
            seat = (self.first + step) % self.seats
            cards = sorted(idle[seat], key=_rank)
            if step:
                self._single(seat, cards.pop())
                self._all_pass(seat)
            for card in [*cards[1:], *cards[: int(step == self.seats - 1)]]:
                self._single(seat, card)
                self._all_pass(seat)
            if step < self.seats - 1:
                self._single(seat, cards[0])

    def _single(self, seat: int, face: str) -> None:
        self.hands[seat].remove(face)
        self.actions.append(f"{seat} {face}")

    def _all_pass(self, author: int) -> None:
        others = [(author + step) % self.seats for step in range(1, self.seats)]
        self.actions += [f"{seat} -" for seat in others]

    def play(self, *actions: str) -> Table:
        """Takes actions; cards may be written by rank."""
        self.actions += [self._in_faces(action) for action in actions]
        return self

    def say(self, *actions: str) -> Table:
        """Takes actions just as they are written."""
        self.actions += actions
        return self

    def _in_faces(self, action: str) -> str:
        seat, _, play = action.partition(" ")
        end = min(at for at in (*map(play.find, "=*"), len(play)) if at >= 0)
        cards = play[:end].replace(" ", "")
        if not cards or not _is_ranks(cards):
            return action
        held = "".join(_take(self.hands[int(seat)], card) for card in cards)
        return f"{seat} {held}{play[end:]}"

    def log(self, *, balances: Sequence[int] | None = None, **fields: Any) -> dict[str, Any]:
        """The game as a line of a log; ``fields`` are added or put in place."""
        ruleset = self.book.rulesets[0]
        given = {"base": 100} if ruleset.scoring.base == "given" else {}
        money = balances or [1000] * self.seats
        return {
            "v": 1,
            "game": "shuangkou",
            "id": "g",
            "rules": ruleset.name,
            "seats": [{"player": f"u{seat}", "balance": has} for seat, has in enumerate(money)],
            "first": self.first,
            **given,
            "hands": self.dealt,
            "actions": self.actions,
            **fields,
        }

    def seen(self, **fields: Any) -> Seen:
        """The verdict on the game so far."""
        return verify(self.log(**fields), self.book, self.opening)


def verify(log: dict[str, Any], book: Rulebook, opening: int = 0) -> Seen:
    """The verdict on one game."""
    return Seen(verify_batch(batch_of([log], book), book), book, opening)


def play(
    house: str | Ruleset,
    hands: Sequence[str],
    *actions: str,
    leader: int = 0,
    whole: bool = False,
    **fields: Any,
) -> Seen:
    """The verdict on a game that reaches these hands and goes on with these actions."""
    return Table(house, hands, leader=leader, whole=whole).play(*actions).seen(**fields)


def _rank(face: str) -> int:
    return rank_of(parse_faces(face)[0])


def _deal(hands: Sequence[str]) -> tuple[list[list[str]], list[list[str]]]:
    """Hands of 27 cards that hold these, and the idle cards of each seat.

    Idle cards are dealt rank by rank, one of each and then over again, so that every seat
    has low ones and high ones and hardly ever four of a kind; jokers come last.
    """
    deck = list(DECK)
    wanted = []
    for hand in hands:
        wanted.append([_take(deck, card) for card in _cards(hand)])
    copies = Counter[int]()
    order = []
    for face in sorted(deck, key=lambda face: (_rank(face), face)):
        copies[_rank(face)] += 1
        order.append((_rank(face) > 12, copies[_rank(face)], _rank(face), face))
    idle: list[list[str]] = [[] for _ in hands]
    seat = 0
    for *_, face in sorted(order):
        needy = [s for s in range(len(hands)) if len(wanted[s]) + len(idle[s]) < HAND]
        if not needy:
            break
        seat = min(needy, key=lambda s: (s - seat - 1) % len(hands))
        idle[seat].append(face)
    return [a + b for a, b in zip(wanted, idle, strict=True)], idle


def _cards(hand: str) -> list[str]:
    """The cards of a hand: one letter for a rank, two for a face."""
    cards: list[str] = []
    for word in hand.split():
        step = 1 if _is_ranks(word) else 2
        cards += [word[at : at + step] for at in range(0, len(word), step)]
    return cards


def _take(pile: list[str], card: str) -> str:
    """Takes a card, given by rank or as a face, out of a pile of faces."""
    face = next(face for face in pile if face.startswith(JOKERS.get(card, card)))
    pile.remove(face)
    return face


def duel(
    house: str | Ruleset, *, winner: str = "", loser: str = "", left: int = 1, **fields: Any
) -> Seen:
    """A game of two in which each plays these bombs, and seat 1 is left with some cards.

    The loser leads his bombs, then a 3 that a 2 beats; then the winner leads his.
    """
    loses, wins = loser.split(), winner.split()
    hands = [winner + " 2", loser + " 3 " + ("45678" * 6)[:left]]
    taken = [action for bomb in loses for action in (f"1 {bomb}", "0 -")]
    given = [action for bomb in wins for action in ("1 -", f"0 {bomb}")]
    return play(house, hands, *taken, "1 3", "0 2", *given, leader=1, **fields)


def flight(
    house: str | Ruleset,
    *,
    fleer: str = "",
    other: str = "",
    has_played: bool = True,
    **fields: Any,
) -> Seen:
    """A game of two in which each plays these bombs, and then seat 0 flees."""
    hands = [fleer + " 3 4", other + " 2 5"]
    fled = [action for bomb in fleer.split() for action in (f"0 {bomb}", "1 -")]
    told = [action for bomb in other.split() for action in ("0 -", f"1 {bomb}")]
    if has_played:
        return play(house, hands, *fled, "0 3", "1 2", *told, "0 !escape", **fields)
    return play(house, hands, *told[1:], "0 !escape", leader=1, whole=True, **fields)


def bomb(xiang: int) -> str:
    """Nines, and jokers where there are not enough of them."""
    return "9" * min(xiang, 8) + "bbss"[: max(0, xiang - 8)]
