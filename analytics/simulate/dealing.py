"""Deals (发牌): how the 108 cards come to the seats, and who leads.

``deal_games`` is the entry kernel. A *uniform* deal has every order of the cards equally
likely. A *block* deal is what rooms call dealing without shuffling (不洗牌): the cards
lie in order of rank, as they do after a game of melds, are cut into blocks that are thrown
together, cut once more and dealt several at a time. Source: rules clauses 2 and 5.2.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics import compiled
from analytics.cards import COPIES, FACES, HAND_SIZE, NATURAL_RANKS
from analytics.compiled import Ints, called_kernel, kernel
from analytics.simulate.chance import below

Int64s = npt.NDArray[np.int64]

CARDS: Final = FACES * COPIES
_OF_A_RANK: Final = 4 * COPIES  # clause 2: four suits, each face twice
_NATURALS: Final = NATURAL_RANKS * _OF_A_RANK
STRAYS: Final = 12  # cards of a block deal that are put back anywhere
UNIFORM: Final = 0  # the block size that stands for a uniform deal
MOST_BLOCK: Final = 27
PACKETS: Final = (1, 3, 6, 9, 27)  # how many cards at a time fill a hand of 27 evenly


class Deal(NamedTuple):
    """A way of dealing.

    Attributes:
        block: cards of a block, on average: 4 makes bombs, 8 makes chains; ``UNIFORM``.
        packet: cards that a seat is dealt at a time.

    >>> Deal(4, 9).name, Deal(UNIFORM, 1).name
    ('blocks-4-9', 'uniform')
    """

    block: int
    packet: int

    @property
    def name(self) -> str:
        """What the log calls it: ``uniform`` or ``blocks-BLOCK-PACKET``."""
        return "uniform" if self.block == UNIFORM else f"blocks-{self.block}-{self.packet}"


def deal_of(name: str) -> Deal:
    """The way of dealing that a name means.

    Raises:
        ValueError: none has this name; says which there are.

    >>> deal_of("blocks-4-9")
    Deal(block=4, packet=9)
    >>> deal_of("blocks-4-5")
    Traceback (most recent call last):
    ...
    ValueError: 'blocks-4-5': a deal is uniform, or blocks-B-P with B 1 to 27, P 1, 3, 6, 9 or 27
    """
    if name == "uniform":
        return Deal(UNIFORM, 1)
    found = re.fullmatch(r"blocks-(\d{1,2})-(\d{1,2})", name)
    deal = Deal(*map(int, found.groups())) if found else Deal(0, 0)
    if not 1 <= deal.block <= MOST_BLOCK or deal.packet not in PACKETS:
        raise ValueError(
            f"{name!r}: a deal is uniform, or blocks-B-P with B 1 to {MOST_BLOCK}, "
            f"P 1, 3, 6, 9 or 27"
        )
    return deal


class Dealt(NamedTuple):
    """What was dealt to ``n`` tables.

    Attributes:
        faces: int64, flat, ``(n, seats, 27)``, in the order drawn.
        order: int64, flat, ``(n, seats)``: who of those who came sits on each seat.
        shown: int64 ``(n,)``: the shown face.
        first: int64 ``(n,)``: the seat that leads.
    """

    faces: Ints
    order: Ints
    shown: Ints
    first: Ints


def deal(dice: Int64s, deals: list[Deal], seats: int) -> Dealt:
    """Deals to as many tables as there are dice.

    Args:
        dice: see ``chance.dice_of``; they move on.
        deals: how, for each table.
        seats: 2 or 4.
    """
    n = len(dice)
    dealt = Dealt(
        np.zeros(n * seats * HAND_SIZE, np.int64),
        np.zeros(n * seats, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )
    ways = np.array(deals, np.int64).reshape(n, 2).ravel()
    deck = np.zeros(2 * CARDS, np.int64)
    compiled.run(deal_games, dice, ways, seats, deck, dealt)
    return dealt


@kernel
def deal_games(dice: Ints, ways: Ints, seats: int, deck: Ints, dealt: Dealt) -> None:
    """Deals one game for each of the dice (entry kernel).

    Args:
        dice: one state a game.
        ways: two a game: block and packet.
        seats: 2 or 4.
        deck: room for two packs of 108 cards, see ``_throw_blocks``.
        dealt: to be written.
    """
    for game in range(len(dice)):
        _collect(dice, game, deck, ways[2 * game] != UNIFORM)
        if ways[2 * game] == UNIFORM:
            _shuffle(dice, game, deck, seats * HAND_SIZE)
        else:
            _throw_blocks(dice, game, deck, ways[2 * game])
            _stray(dice, game, deck)
        _hand_out(game, deck, seats, ways[2 * game + 1], dealt.faces)
        _show(dice, game, seats, dealt)


@kernel
def _collect(dice: Ints, game: int, deck: Ints, by_chance: bool) -> None:
    """The deck in order of rank; by chance from any rank on, the jokers anywhere between."""
    turned = below(dice, game, NATURAL_RANKS) * _OF_A_RANK if by_chance else 0
    jokers_at = below(dice, game, NATURAL_RANKS) * _OF_A_RANK if by_chance else 0
    for at in range(_NATURALS):
        place = at if at < jokers_at else at + CARDS - _NATURALS
        deck[place] = (at + turned) % _NATURALS // COPIES
    for at in range(CARDS - _NATURALS):
        deck[jokers_at + at] = (_NATURALS + at) // COPIES


@kernel
def _shuffle(dice: Ints, game: int, deck: Ints, wanted: int) -> None:
    """The first ``wanted`` cards, drawn one by one from what is left (Fisher, Yates)."""
    for at in range(wanted):
        other = at + below(dice, game, CARDS - at)
        deck[at], deck[other] = deck[other], deck[at]


@called_kernel
def _throw_blocks(dice: Ints, game: int, deck: Ints, block: int) -> None:
    """Cuts the deck into blocks of 1 to ``2 * block - 1`` cards and throws them together.

    Each block is put into the new deck before, behind or between those that lie there. The
    new deck is built in the second half of ``deck`` with its bounds beyond; blocks keep
    together, since a card that begins one is marked by 1,000.
    """
    used, size = 0, 0
    while used < CARDS:
        size = min(1 + below(dice, game, 2 * block - 1), CARDS - used)
        at = _block_start(dice, game, deck, used)
        for place in range(used - 1, at - 1, -1):
            deck[CARDS + place + size] = deck[CARDS + place]
        for card in range(size):
            deck[CARDS + at + card] = deck[used + card] + (_MARK if card == 0 else 0)
        used += size
    cut = below(dice, game, CARDS)
    for at in range(CARDS):
        deck[at] = deck[CARDS + (at + cut) % CARDS] % _MARK


_MARK: Final = 1000  # above every face


@kernel
def _block_start(dice: Ints, game: int, deck: Ints, used: int) -> int:
    """A place where a block begins, or the end; each is equally likely."""
    starts = 1
    for at in range(used):
        starts += int(deck[CARDS + at] >= _MARK)
    wanted = below(dice, game, starts)
    for at in range(used):
        if deck[CARDS + at] >= _MARK:
            if wanted == 0:
                return at
            wanted -= 1
    return used


@kernel
def _stray(dice: Ints, game: int, deck: Ints) -> None:
    """Some cards change places with others."""
    for _ in range(STRAYS // 2):
        one, other = below(dice, game, CARDS), below(dice, game, CARDS)
        deck[one], deck[other] = deck[other], deck[one]


@kernel
def _hand_out(game: int, deck: Ints, seats: int, packet: int, faces: Ints) -> None:
    """Packets in turn until every seat has its 27 cards; the others are out of play."""
    start = game * seats * HAND_SIZE
    for at in range(seats * HAND_SIZE):
        round_at = at // (packet * seats)
        seat = at // packet % seats
        faces[start + seat * HAND_SIZE + round_at * packet + at % packet] = deck[at]


@called_kernel
def _show(dice: Ints, game: int, seats: int, dealt: Dealt) -> None:
    """Shows a dealt card; who drew it first leads (clause 5.2).

    With four, the holder of the other copy changes places so as to sit opposite.
    """
    start = game * seats * HAND_SIZE
    face = dealt.faces[start + below(dice, game, seats * HAND_SIZE)]
    first, other = -1, -1
    for place in range(HAND_SIZE):  # cards are drawn in turn
        for seat in range(seats):
            if dealt.faces[start + seat * HAND_SIZE + place] == face:
                if first < 0:
                    first = seat
                elif seat != first:
                    other = seat
    dealt.shown[game] = face
    dealt.first[game] = first
    for seat in range(seats):
        dealt.order[game * seats + seat] = seat
    if seats == 4 and other >= 0:
        _swap(game, other, (first + 2) % 4, dealt)


@kernel
def _swap(game: int, one: int, other: int, dealt: Dealt) -> None:
    """Two of four change places, with their cards."""
    start = game * 4
    dealt.order[start + one], dealt.order[start + other] = (
        dealt.order[start + other], dealt.order[start + one],
    )  # fmt: skip
    for place in range(HAND_SIZE):
        a, b = (start + one) * HAND_SIZE + place, (start + other) * HAND_SIZE + place
        dealt.faces[a], dealt.faces[b] = dealt.faces[b], dealt.faces[a]
