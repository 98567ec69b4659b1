"""Faults of a house: good games whose recorded settlement, or log, is altered by a script.

The script does its own small sums, with tables of its own, and never calls the
settlement that it is to test. What a good game records is right, so whatever the script
made different is what a verification has to report, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from analytics.cards import BIG_JOKER, SMALL_JOKER, rank_of, write_faces
from analytics.logs import Game
from analytics.simulate.altering import (
    faces_of,
    held_before,
    plays,
    recorded,
    result_of,
    seat_of,
    with_action,
)

HUOPIN: Final = ("huopin-points", "huopin-wealth")
TWO: Final = (*HUOPIN, "jiule")
FOUR: Final = ("baibian", "baibian-zerosum", "tongcheng")


class Expected(NamedTuple):
    """A finding that a fault has to cause."""

    code: str
    seat: int | None = None
    action: int | None = None


class Altered(NamedTuple):
    """A game with a fault, and all findings that it has to cause."""

    game: Game
    expected: tuple[Expected, ...]


class Fault(NamedTuple):
    """One way in which a house goes wrong.

    Attributes:
        name: of the sample file.
        meaning: one sentence.
        rules: where it can be; games are taken from each in turn.
        codes: of the findings that it can cause.
        alter: the game with the fault; None: this game cannot have it.
    """

    name: str
    meaning: str
    rules: tuple[str, ...]
    codes: tuple[str, ...]
    alter: Callable[[Game], Altered | None]


# What the houses pay, in the words of the rules' clause 8.

_KOUS: Final = ("ping", "dan", "shuang")
_SINGLE: Final = ("end", "winner", "kou", "doubling")
_PER_SEAT: Final = ("places", "xiang", "contribution", "fee", "delta", "balance")
_LEVELS: Final = {
    "huopin-points": (
        (0, 5), (50, 5), (100, 10), (200, 20), (500, 40), (1_000, 60), (2_000, 80),
        (4_000, 100), (8_000, 150), (16_000, 200), (32_000, 260), (64_000, 300),
        (128_000, 400), (262_000, 500), (500_000, 600), (1_000_000, 700), (2_000_000, 800),
    ),
    "huopin-wealth": (
        (100, 5), (1_000, 10), (10_000, 100), (100_000, 500), (500_000, 1_000),
        (1_000_000, 1_500), (2_500_000, 2_000), (5_000_000, 2_500), (10_000_000, 3_000),
        (25_000_000, 3_500), (50_000_000, 4_000),
    ),
}  # fmt: skip
_PLACES: Final = {"shuang": (4, 4, -4, -4), "dan": (2, -2, 2, -2), "ping": (1, 0, 0, 1)}


def _house_of(game: Game) -> str:
    """The name of a ruleset, of which a log may give the version as well: ``name@version``."""
    return str(game.rules).partition("@")[0]


def _doubling(game: Game, xiang: int) -> int:
    """b: doubles from 5 on, with huopin-wealth from 6 on."""
    return int(2 ** max(0, xiang - (5 if _house_of(game) == "huopin-wealth" else 4)))


def _contribution(xiang: int) -> int:
    """c of two players: 2 for six, then doubling."""
    return int(2 ** (xiang - 5)) if xiang >= 6 else 0


def _two_paid(game: Game, *, base: int = 0, **parts: object) -> Altered:
    """A game of two as a house pays it by these parts, correctly added up."""
    altered = recorded(replace(game, base=base or game.base), **parts)
    result, winner = result_of(altered), result_of(altered).winner
    times = (_KOUS.index(result.kou) + 1) * result.doubling + result.contribution[winner]
    won = int(altered.base or 0) * times
    return _booked(game, altered, (won, -won) if winner == 0 else (-won, won))


def _four_paid(game: Game, table: Sequence[int], doubling: int) -> Altered:
    """A game of four as a house pays it by a row of places and a multiplier."""
    result = result_of(game)
    stakes = [table[place - 1] * doubling for place in result.places]
    delta = [
        int(game.base or 0) * (stake + paid)
        for stake, paid in zip(stakes, result.contribution, strict=True)
    ]
    return _booked(game, recorded(game, doubling=doubling), tuple(delta))


def _booked(good: Game, altered: Game, delta: tuple[int, ...]) -> Altered:
    """The altered game with these deltas, which its balances follow."""
    balance = tuple(seat.balance + won for seat, won in zip(good.seats, delta, strict=True))
    return _compared(good, recorded(altered, delta=delta, balance=balance))


def _compared(good: Game, altered: Game) -> Altered:
    """What was made different, as findings."""
    return Altered(altered, tuple(_differences(good, altered)))


def _differences(good: Game, altered: Game) -> Iterator[Expected]:
    right, wrong = result_of(good), result_of(altered)
    for part in _SINGLE:
        if getattr(right, part) != getattr(wrong, part):
            yield Expected(f"settle.{part}")
    for part in _PER_SEAT:
        for seat, value in enumerate(getattr(wrong, part) or ()):
            if value != getattr(right, part)[seat]:
                yield Expected(f"settle.{part}", seat)
    if good.base != altered.base:
        yield Expected("settle.base")
    if sum(right.delta) != sum(wrong.delta):
        yield Expected("ledger.sum")


def _bombs(game: Game, seat: int) -> list[tuple[int, int]] | None:
    """Rank and xiang of the bombs of a seat; None where it may have played a chain."""
    bombs = []
    for action in game.actions:
        ranks = [rank_of(face) for face in faces_of(action) if seat_of(action) == seat]
        naturals = {rank for rank in ranks if rank < SMALL_JOKER}
        if len(naturals) > 1 and len(ranks) >= 12:
            return None
        if len(naturals) == 1 and len(ranks) >= 4:
            bombs.append((min(naturals), len(ranks)))
        if not naturals and len(ranks) >= 3:
            bombs.append((BIG_JOKER, len(ranks) + 3))
    return bombs


def _is_out(game: Game) -> bool:
    return bool(result_of(game).end == "out")


# Faults of the settlement.


def _wrong_kou(game: Game) -> Altered | None:
    if not _is_out(game):
        return None
    kou = _KOUS[(_KOUS.index(result_of(game).kou) + 1) % 3]
    return _two_paid(game, kou=kou)


def _higher_level(game: Game) -> Altered | None:
    levels = _LEVELS[_house_of(game)]
    richest = max(seat.balance for seat in game.seats)
    base = max(stake for required, stake in levels if required <= richest)
    if not _is_out(game) or base == game.base:
        return None
    return _two_paid(game, base=base)


def _summed(game: Game) -> Altered | None:
    bombs = [_bombs(game, seat) for seat in (0, 1)]
    if not _is_out(game) or None in bombs:
        return None
    mine, yours = (sum(_contribution(xiang) for _, xiang in each or ()) for each in bombs)
    net = (mine - yours, yours - mine)
    return None if net == result_of(game).contribution else _two_paid(game, contribution=net)


def _fee_of_ten(game: Game) -> Altered | None:
    result = result_of(game)
    charged = recorded(game, fee=tuple(fee + 10 for fee in result.fee))
    return _booked(game, charged, tuple(won - 10 for won in result.delta))


def _halved(game: Game) -> Altered | None:
    result = result_of(game)
    if not _is_out(game) or not any(result.contribution):
        return None
    return _two_paid(game, contribution=tuple(paid // 2 for paid in result.contribution))


def _old_table(game: Game) -> Altered | None:
    result = result_of(game)
    if not _is_out(game) or result.doubling == 1:
        return None
    if len(game.seats) == 4:
        return _four_paid(game, _places(game), result.doubling // 2)
    return _two_paid(game, doubling=result.doubling // 2)


def _swapped(game: Game) -> Altered | None:
    result = result_of(game)
    return _booked(game, game, result.delta[::-1]) if any(result.delta) else None


def _xiang_off(game: Game) -> Altered | None:
    xiang = result_of(game).xiang
    if not any(xiang):
        return None
    seat = xiang.index(max(xiang))
    fewer = tuple(each - (at == seat) for at, each in enumerate(xiang))
    return _compared(game, recorded(game, xiang=fewer))


def _best_alone(game: Game) -> Altered | None:
    """The winner is paid by its best single bomb."""
    if not _is_out(game):
        return None
    winner = result_of(game).winner
    bombs = _bombs(game, winner)
    return _paid_by(game, winner, max((xiang for _, xiang in bombs or ()), default=0))


def _paid_by(game: Game, winner: int, xiang: int) -> Altered:
    """The winner is paid by a xiang of his; what the loser contributed stays."""
    result = result_of(game)
    fewer = _contribution(result.xiang[winner]) - _contribution(xiang)
    won = result.contribution[winner] - fewer
    seats = (0, 1)
    return _two_paid(
        game,
        xiang=tuple(xiang if at == winner else result.xiang[at] for at in seats),
        doubling=_doubling(game, xiang),
        contribution=tuple(won if at == winner else -won for at in seats),
    )


def _has_linked(game: Game) -> bool:
    """Whether the winner's xiang comes from two of its best bombs with adjacent ranks."""
    winner = result_of(game).winner
    bombs = _bombs(game, winner)
    if not bombs or not _is_out(game):
        return False
    best = max(xiang for _, xiang in bombs)
    ranks = {rank for rank, xiang in bombs if xiang == best}
    is_linked = any(rank + 1 in ranks for rank in ranks)
    return bool(is_linked and result_of(game).xiang[winner] == best + 1)


def _linked_forgotten(game: Game) -> Altered | None:
    bombs = _bombs(game, result_of(game).winner) or ()
    # With two bombs no other count can stand in for the link.
    return _best_alone(game) if len(bombs) == 2 and _has_linked(game) else None


def _unlinked_forgotten(game: Game) -> Altered | None:
    result = result_of(game)
    bombs = _bombs(game, result.winner)
    if not bombs or _has_linked(game) or result.xiang[result.winner] <= max(x for _, x in bombs):
        return None
    return _best_alone(game)


def _cap_forgotten(game: Game) -> Altered | None:
    result = result_of(game)
    bombs = _bombs(game, result.winner)
    if not bombs or not _is_out(game) or max(xiang for _, xiang in bombs) <= 9:
        return None
    return _best_alone(game)


def _cancelling(game: Game) -> Altered | None:
    """单扣 is taken for 平扣, and the multiplier is twice what it should be."""
    result = result_of(game)
    if result.kou != "dan":
        return None
    return _two_paid(game, kou="ping", doubling=2 * result.doubling)


def _not_updated(game: Game) -> Altered | None:
    if not any(result_of(game).delta):
        return None
    return _compared(game, recorded(game, balance=tuple(seat.balance for seat in game.seats)))


def _mint_forgotten(game: Game) -> Altered | None:
    result = result_of(game)
    if result.kou != "ping":
        return None
    return _four_paid(game, (1, -1, -1, 1), result.doubling)


def _first_out(game: Game) -> Altered | None:
    """The multiplier is that of the seat first out, not the best of its team."""
    result = result_of(game)
    doubling = _doubling(game, result.xiang[result.winner])
    if doubling == result.doubling or result.xiang[result.winner] > 8:
        return None
    return _four_paid(game, _places(game), doubling)


def _places(game: Game) -> tuple[int, ...]:
    kou = result_of(game).kou
    if kou == "ping" and _house_of(game) == "baibian-zerosum":
        return (1, -1, -1, 1)
    return _PLACES[kou]


def _places_swapped(game: Game) -> Altered | None:
    """The two who still held cards are placed the other way round."""
    result = result_of(game)
    if result.kou != "shuang":
        return None
    swapped = {3: 4, 4: 3}
    places = tuple(swapped.get(place, place) for place in result.places)
    return _compared(game, recorded(game, places=places))


def _gross(game: Game) -> Altered | None:
    """What the others contributed is not taken off."""
    result = result_of(game)
    gross = tuple(_contribution(xiang) for xiang in result.xiang)
    if not _is_out(game) or gross == result.contribution:
        return None
    return _compared(game, recorded(game, contribution=gross))


def _whole_penalty(game: Game) -> Altered | None:
    """The other gets all of an escape's penalty, the system nothing."""
    if _is_out(game):
        return None
    fleer = 1 - result_of(game).winner
    paid = -result_of(game).delta[fleer]
    return _booked(game, game, (-paid, paid) if fleer == 0 else (paid, -paid))


def _one_booked(game: Game) -> Altered | None:
    """Only the winner's side of the settlement is booked."""
    result = result_of(game)
    delta = tuple(max(0, won) for won in result.delta)
    return _booked(game, game, delta) if any(won < 0 for won in result.delta) else None


# Faults of the log.


def _pass_lost(game: Game) -> Altered | None:
    """A pass that the system made is missing, so that the next seat is out of turn."""
    for at, action in enumerate(game.actions[:-1]):
        after = game.actions[at + 1]
        if action.endswith("-*") and after[2] != "!" and seat_of(after) != seat_of(action):
            lost = with_action(game, at, instead=1)
            return Altered(lost, (Expected("play.turn", seat_of(after), at),))
    return None


def _card_exchanged(game: Game) -> Altered | None:
    """A played card is written as another face that the seat does not hold."""
    for at, seat, faces in plays(game):
        rank, held = rank_of(faces[0]), held_before(game, at, seat)
        other = [face for face in range(4 * rank, 4 * rank + 4) if face not in held]
        if rank < SMALL_JOKER and other:
            text = f"{seat} {write_faces([other[0], *faces[1:]])}"
            exchanged = with_action(game, at, text, instead=1)
            return Altered(exchanged, (Expected("play.held", seat, at),))
    return None


def _cut_short(game: Game) -> Altered | None:
    """The last actions are missing, the result is there."""
    cut = len(game.actions) * 2 // 3
    return Altered(
        replace(game, actions=game.actions[:cut], times=(game.times or ())[:cut]),
        (Expected("play.unfinished"),),
    )


_PAID: Final = ("settle.delta", "settle.balance")
_WON: Final = ("settle.doubling", *_PAID)

FAULTS: Final = (
    Fault("wrong-kou", "kou is one grade off, and paid so", TWO,
          ("settle.kou", *_PAID), _wrong_kou),
    Fault("first-out-doubling", "the seat first out doubles instead of the best of its team",
          FOUR, (*_WON, "ledger.sum"), _first_out),
    Fault("contribution-summed", "every bomb contributes instead of the best one", TWO,
          ("settle.contribution", *_PAID), _summed),
    Fault("fee-of-ten", "a fee of ten is charged that the ruleset does not know", (*TWO, *FOUR),
          ("settle.fee", *_PAID, "ledger.sum"), _fee_of_ten),
    Fault("halved-contribution", "contributions are halved", TWO,
          ("settle.contribution", *_PAID), _halved),
    Fault("old-table", "doubling follows an older table that pays half", (*TWO, *FOUR),
          (*_WON, "ledger.sum"), _old_table),
    Fault("swapped-seats", "each seat is paid what the other is due", TWO, _PAID, _swapped),
    Fault("xiang-off", "the highest xiang is recorded one too low, and paid right",
          (*TWO, *FOUR), ("settle.xiang",), _xiang_off),
    Fault("linked-bonus-forgotten", "two linked bombs count as one", HUOPIN,
          ("settle.xiang", "settle.contribution", *_WON), _linked_forgotten),
    Fault("unlinked-forgotten", "bombs that are not linked count as one", HUOPIN,
          ("settle.xiang", "settle.contribution", *_WON), _unlinked_forgotten),
    Fault("cap-forgotten", "a xiang above the cap is paid in full", ("jiule",),
          ("settle.xiang", "settle.contribution", *_WON), _cap_forgotten),
    Fault("higher-level-base", "the base is that of the richer player", HUOPIN,
          ("settle.base", *_PAID), _higher_level),
    Fault("cancelling-errors", "kou is half and doubling twice what it should be: paid right",
          TWO, ("settle.kou", "settle.doubling"), _cancelling),
    Fault("balance-not-updated", "balances after the game are those before it", (*TWO, *FOUR),
          ("settle.balance",), _not_updated),
    Fault("mint-forgotten", "ping is paid so that it adds up to zero, against the printed row",
          ("baibian", "tongcheng"), (*_PAID, "ledger.sum"), _mint_forgotten),
    Fault("places-swapped", "the last two places are the wrong way round", FOUR,
          ("settle.places",), _places_swapped),
    Fault("contribution-gross", "contributions are recorded without those of the other", TWO,
          ("settle.contribution",), _gross),
    Fault("whole-penalty", "after an escape the other gets the system's share as well",
          ("huopin-wealth",), (*_PAID, "ledger.sum"), _whole_penalty),
    Fault("one-side-booked", "what the losers lose is not booked", (*TWO, *FOUR),
          (*_PAID, "ledger.sum"), _one_booked),
    Fault("pass-lost", "a pass that the system made is missing in the log", (*TWO, *FOUR),
          ("play.turn",), _pass_lost),
    Fault("card-exchanged", "a card is logged as another one of its rank", (*TWO, *FOUR),
          ("play.held",), _card_exchanged),
    Fault("cut-short", "the last third of the actions is missing", (*TWO, *FOUR),
          ("play.unfinished",), _cut_short),
)  # fmt: skip
