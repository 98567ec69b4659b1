"""Breaks: for each finding code one way to make a log that causes it.

A break takes a good game as JSON has it, so that it can spoil types too, and gives the
broken one, or None where this game cannot be broken so. Source: log format, section
Findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from analytics.cards import FACES, NATURAL_RANKS, SMALL_JOKER, face_of, rank_of, write_faces
from analytics.findings import Code
from analytics.logs import Game
from analytics.simulate.altering import (
    Faces,
    faces_of,
    held_before,
    plays,
    recorded,
    result_of,
    seat_of,
    with_action,
    with_balances,
)

Fields = dict[str, Any]


class Break(NamedTuple):
    """How a code is caused.

    Attributes:
        code: of the finding.
        meaning: one phrase: what was done to the game.
        rules: of the game.
        apply: the broken game, or None.
        others: codes that come along.
    """

    code: Code
    meaning: str
    rules: str
    apply: Callable[[Game], Game | Fields | None]
    others: tuple[Code, ...] = ()


def _fields(game: Game) -> Fields:
    fields: Fields = msgspec.to_builtins(game)
    return fields


# The line.


def _amount_as_text(game: Game) -> Fields:
    fields = _fields(game)
    fields["seats"][0]["balance"] = str(fields["seats"][0]["balance"])
    return fields


def _next_version(game: Game) -> Fields:
    return {**_fields(game), "v": 2}


def _without_offset(game: Game) -> Game:
    return replace(game, start=str(game.start)[:19])


def _misspelt_rules(game: Game) -> Game:
    return replace(game, rules=game.rules.replace("-", "_"))


def _with_additions(game: Game) -> Fields:
    fields = {**_fields(game), "vip": 3}
    fields["seats"][0]["nick"] = "东方不败"
    fields["result"]["jackpot"] = 0
    return fields


# The deal.


def _with_hand(game: Game, hand: str) -> Game:
    """The game with another hand for its first seat."""
    return replace(game, hands=(hand, *game.hands[1:]))


def _ten_in_digits(game: Game) -> Game | None:
    return _with_hand(game, game.hands[0].replace("T", "10")) if "T" in game.hands[0] else None


def _card_missing(game: Game) -> Game:
    return _with_hand(game, game.hands[0][:-2])


def _third_copy(game: Game) -> Game | None:
    """The last card of a hand is a face whose two copies were dealt already."""
    dealt = "".join(game.hands)
    faces = [dealt[at : at + 2] for at in range(0, len(dealt), 2)]
    twice = next((face for face in faces if faces.count(face) == 2), None)
    if twice is None or game.hands[0].endswith(twice):
        return None
    return _with_hand(game, game.hands[0][:-2] + twice)


def _holders(game: Game, face: int) -> list[int]:
    return [at for at in range(len(game.seats)) if face in held_before(game, 0, at)]


def _shown_undealt(game: Game) -> Game | None:
    undealt = (face for face in range(FACES) if not _holders(game, face))
    return next((replace(game, shown=write_faces([face])) for face in undealt), None)


def _holders_beside(game: Game) -> Game | None:
    for face in range(FACES):
        if _holders(game, face) in ([0, 1], [1, 2], [2, 3], [0, 3]):
            return replace(game, shown=write_faces([face]))
    return None


# The play.


def _other_leads(game: Game) -> Game | None:
    other = 1 - game.first
    holders = _holders(game, face_of(str(game.shown)))
    return None if other in holders else replace(game, first=other)


def _lower_case(game: Game) -> Game:
    at, _, _ = next(plays(game))
    return with_action(game, at, game.actions[at].lower(), instead=1)


def _goes_on(game: Game) -> Game | None:
    if result_of(game).end != "out":
        return None
    return with_action(game, len(game.actions), f"{1 - result_of(game).winner} -")


def _pass_left_out(game: Game) -> Game | None:
    for at, action in enumerate(game.actions[:-1]):
        after = game.actions[at + 1]
        if action[2] == "-" and after[2] != "!" and seat_of(after) != seat_of(action):
            return with_action(game, at, instead=1)
    return None


def _leader_passes(game: Game) -> Game:
    return with_action(game, 0, f"{game.first} -")


def _card_of_nobody(game: Game) -> Game | None:
    """A played card becomes one that the seat was not dealt."""
    for at, seat, faces in plays(game):
        strange = next(face for face in range(FACES) if face not in held_before(game, 0, seat))
        text = f"{seat} {write_faces([strange, *faces[1:]])}"
        return with_action(game, at, text, instead=1)
    return None


def _two_ranks(game: Game) -> Game | None:
    """The leader plays two cards of different ranks."""
    held = sorted(face for face in held_before(game, 0, game.first) if rank_of(face) < SMALL_JOKER)
    text = f"{game.first} {write_faces([held[0], held[-1]])}"
    return with_action(game, 0, text, instead=1)


def _declared_in_vain(game: Game) -> Game | None:
    """A play of one wild joker declares two ranks."""
    for at, _, faces in plays(game):
        jokers = [face for face in faces if rank_of(face) >= SMALL_JOKER]
        if len(jokers) == 1 < len(faces):
            return with_action(game, at, f"{game.actions[at]}=33", instead=1)
    return None


def _single_leads(game: Game) -> Iterator[tuple[int, int, Faces, int]]:
    """Where a player leads or follows with a single that is no joker, and who acts next.

    Gives the index of the next action, its seat, what that seat holds, and the rank.
    """
    for at, _, faces in plays(game):
        after = game.actions[at + 1] if at + 1 < len(game.actions) else "- !"
        if len(faces) == 1 and rank_of(faces[0]) < NATURAL_RANKS and after[2] != "!":
            seat = seat_of(after)
            yield at + 1, seat, held_before(game, at + 1, seat), rank_of(faces[0])


def _lower_single(game: Game) -> Game | None:
    for at, seat, held, rank in _single_leads(game):
        for face in held:
            if rank_of(face) <= rank:
                return with_action(game, at, f"{seat} {write_faces([face])}", instead=1)
    return None


def _last_left_out(game: Game) -> Game:
    return with_action(game, len(game.actions) - 1, instead=1)


# What the system played.


def _system_gives_up(game: Game) -> Game | None:
    """A player's pass, though it holds a higher single, is marked as the system's."""
    for at, seat, held, rank in _single_leads(game):
        if game.actions[at] == f"{seat} -" and any(rank_of(face) > rank for face in held):
            return with_action(game, at, f"{seat} -*", instead=1)
    return None


def _system_leads_high(game: Game) -> Game | None:
    """The first lead, of several cards, is marked as the system's."""
    first = game.actions[0]
    if len(faces_of(first)) < 2 or first[-1] == "*" or "=" in first:
        return None
    return with_action(game, 0, f"{first}*", instead=1)


def _late_answer(game: Game) -> Game:
    """A turn times out, and yet the player plays."""
    at, seat, _ = next(plays(game))
    return with_action(game, at, f"{seat} !timeout")


# The settlement.


def _other(part: str, change: Callable[[Any], Any]) -> Callable[[Game], Game | None]:
    """Another value for one part of the result; None where the game has no such part."""

    def alter(game: Game) -> Game | None:
        value = getattr(result_of(game), part)
        return None if value is None else recorded(game, **{part: change(value)})

    return alter


def _other_end(end: str) -> str:
    return "escape" if end == "out" else "out"


def _next_kou(kou: str) -> str:
    return {"ping": "dan", "dan": "shuang", "shuang": "ping"}[kou]


def _turned(values: tuple[int, ...]) -> tuple[int, ...]:
    return (*values[1:], values[0])


def _first_more(by: int) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """The first seat's value is higher by so much."""
    return lambda values: (values[0] + by, *values[1:])


def _moved(values: tuple[int, ...]) -> tuple[int, ...]:
    """Five units go from the second seat to the first, the sum stays."""
    return (values[0] + 5, values[1] - 5, *values[2:])


def _other_base(game: Game) -> Game:
    return replace(game, base=(game.base or 0) + 1)


# Levels and ledger.


def _too_poor(game: Game) -> Game:
    """A player has less than the first level of the ruleset requires."""
    return with_balances(game, (50, *(seat.balance for seat in game.seats[1:])))


BREAKS: Final = (
    Break(Code.FORMAT_FIELD, "a balance is text", "huopin-wealth", _amount_as_text),
    Break(Code.FORMAT_VERSION, "`v` is 2", "huopin-points", _next_version),
    Break(Code.FORMAT_TIME, "`start` has no offset", "jiule", _without_offset),
    Break(Code.FORMAT_RULES, "the ruleset is misspelt", "huopin-points", _misspelt_rules),
    Break(Code.FORMAT_UNKNOWN, "three fields that the format does not know", "baibian",
          _with_additions),
    Break(Code.DEAL_FACE, "a ten is written 10", "huopin-points", _ten_in_digits),
    Break(Code.DEAL_SIZE, "a hand of 26 cards", "tongcheng", _card_missing),
    Break(Code.DEAL_COPIES, "a face was dealt three times", "baibian", _third_copy),
    Break(Code.DEAL_SHOWN, "nobody was dealt the shown card", "jiule", _shown_undealt),
    Break(Code.DEAL_PARTNER, "the shown card's holders sit side by side", "baibian-zerosum",
          _holders_beside),
    Break(Code.PLAY_LEAD, "the leader does not hold the shown card", "huopin-wealth",
          _other_leads),
    Break(Code.PLAY_SYNTAX, "a play in lower case", "huopin-points", _lower_case),
    Break(Code.PLAY_AFTER_END, "a pass after the end", "jiule", _goes_on),
    Break(Code.PLAY_TURN, "a pass is left out", "tongcheng", _pass_left_out),
    Break(Code.PLAY_PASS, "the leader passes", "huopin-wealth", _leader_passes),
    Break(Code.PLAY_HELD, "a card that the seat was not dealt", "huopin-points",
          _card_of_nobody),
    Break(Code.PLAY_MELD, "two cards of different ranks", "baibian", _two_ranks),
    Break(Code.PLAY_DECLARED, "one wild joker declares two ranks", "huopin-wealth",
          _declared_in_vain),
    Break(Code.PLAY_BEAT, "a single that is no higher", "jiule", _lower_single),
    Break(Code.PLAY_UNFINISHED, "the last action is missing", "tongcheng", _last_left_out),
    Break(Code.AUTO_PASS, "the system passes with a higher single in hand", "baibian",
          _system_gives_up),
    Break(Code.AUTO_PLAY, "the system leads more than its lowest single", "huopin-points",
          _system_leads_high),
    Break(Code.AUTO_TIMEOUT, "a player plays after the timeout", "jiule", _late_answer),
    Break(Code.SETTLE_END, "the end is recorded as an escape", "huopin-points",
          _other("end", _other_end)),
    Break(Code.SETTLE_WINNER, "seats are counted from 1", "jiule",
          _other("winner", lambda winner: winner + 1)),
    Break(Code.SETTLE_PLACES, "places are turned by one seat", "baibian",
          _other("places", _turned)),
    Break(Code.SETTLE_KOU, "another kou", "huopin-wealth", _other("kou", _next_kou)),
    Break(Code.SETTLE_XIANG, "a xiang one too high", "tongcheng",
          _other("xiang", _first_more(1))),
    Break(Code.SETTLE_DOUBLING, "a multiplier twice as high", "huopin-points",
          _other("doubling", lambda doubling: 2 * doubling)),
    Break(Code.SETTLE_CONTRIBUTION, "a contribution that others did not pay", "baibian",
          _other("contribution", _first_more(6))),
    Break(Code.SETTLE_BASE, "a base one too high", "huopin-wealth", _other_base),
    Break(Code.SETTLE_DELTA, "five units too much for one seat, from another", "huopin-points",
          _other("delta", _moved)),
    Break(Code.SETTLE_FEE, "a fee that the ruleset does not know", "tongcheng",
          _other("fee", lambda fees: tuple(fee + 20 for fee in fees))),
    Break(Code.SETTLE_BALANCE, "a balance that does not follow from the delta", "jiule",
          _other("balance", _first_more(-300))),
    Break(Code.BASE_LEVEL, "a player below the first level", "huopin-wealth", _too_poor),
    Break(Code.LEDGER_SUM, "ten units more for one seat, from nobody", "tongcheng",
          _other("delta", _first_more(10)), (Code.SETTLE_DELTA,)),
)  # fmt: skip
