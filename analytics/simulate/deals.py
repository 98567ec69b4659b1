"""Deals (发牌): how the 108 cards come to the seats.

A dealer shuffles in its own way; ``name`` is what the log's ``deal`` field says. Whoever
draws does so from a ``random.Random``, whose sequence the language guarantees, so that a
seed means the same games under every version of the libraries. Source: rules clause 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from analytics.cards import COPIES, FACES, HAND_SIZE, SMALL_JOKER_FACE

Faces = tuple[int, ...]
Hands = tuple[Faces, ...]

DECK: Final[Faces] = tuple(face for face in range(FACES) for _ in range(COPIES))
_NATURALS: Final = tuple(face for face in DECK if face < SMALL_JOKER_FACE)
_JOKERS: Final = tuple(face for face in DECK if face >= SMALL_JOKER_FACE)
_OF_A_RANK: Final = 4 * COPIES  # clause 2: four suits, each face twice


class Dealer(Protocol):
    """Shuffles and deals; one of these per room."""

    @property
    def name(self) -> str:
        """What the log calls this way of dealing."""

    def deal(self, rng: Random, seats: int) -> Hands:
        """27 faces for each seat, in the order in which they were drawn."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """洗牌: every order of the cards is equally likely.

    >>> hands = Uniform().deal(Random(1), 4)
    >>> len(hands), sorted(face for hand in hands for face in hand) == list(DECK)
    (4, True)
    """

    @property
    def name(self) -> str:
        """Always ``uniform``."""
        return "uniform"

    def deal(self, rng: Random, seats: int) -> Hands:
        """27 faces for each seat, in the order in which they were drawn."""
        deck = list(DECK)
        rng.shuffle(deck)
        return _dealt(deck, seats, packet=1)


@dataclass(frozen=True, slots=True)
class Blocks:
    """不洗牌: collected cards stay in blocks of equal and neighbouring ranks.

    The cards lie in order of rank, as they do after a game of melds. They are cut into
    pieces that are thrown together, some cards stray, the deck is cut once and dealt in
    packets. Small pieces make bombs, larger ones make chains.

    Attributes:
        piece: cards of a piece, on average.
        stray: cards that are put back anywhere.
        packet: cards that a seat is dealt at a time.

    >>> dealer = Blocks(piece=5, stray=8, packet=9)
    >>> dealer.name, len(dealer.deal(Random(1), 2)[1])
    ('blocks-5-8-9', 27)
    """

    piece: int
    stray: int
    packet: int

    @property
    def name(self) -> str:
        """``blocks-PIECE-STRAY-PACKET``."""
        return f"blocks-{self.piece}-{self.stray}-{self.packet}"

    def deal(self, rng: Random, seats: int) -> Hands:
        """27 faces for each seat, in the order in which they were drawn."""
        deck = [face for piece in self._pieces(rng) for face in piece]
        for _ in range(self.stray):
            face = deck.pop(rng.randrange(len(deck)))
            deck.insert(rng.randrange(len(deck) + 1), face)
        return _dealt(_cut(deck, rng), seats, self.packet)

    def _pieces(self, rng: Random) -> list[list[int]]:
        """The collected cards in pieces of 1 to ``2 * piece - 1`` cards, thrown together."""
        deck = _collected(rng)
        pieces = []
        while deck:
            size = rng.randrange(1, 2 * self.piece)
            pieces.append(deck[:size])
            deck = deck[size:]
        rng.shuffle(pieces)
        return pieces


def _collected(rng: Random) -> list[int]:
    """The deck in order of rank from any rank on, the jokers anywhere in between."""
    first = _OF_A_RANK * rng.randrange(len(_NATURALS) // _OF_A_RANK)
    deck = [*_NATURALS[first:], *_NATURALS[:first]]
    place = _OF_A_RANK * rng.randrange(len(_NATURALS) // _OF_A_RANK)
    deck[place:place] = _JOKERS
    return deck


def _cut(deck: list[int], rng: Random) -> list[int]:
    place = rng.randrange(len(deck))
    return deck[place:] + deck[:place]


def _dealt(deck: list[int], seats: int, packet: int) -> Hands:
    """Packets in turn until every seat has its 27 cards; the others are out of play."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    at = 0
    while len(hands[-1]) < HAND_SIZE:
        for hand in hands:
            size = min(packet, HAND_SIZE - len(hand))
            hand.extend(deck[at : at + size])
            at += size
    return tuple(tuple(hand) for hand in hands)
