"""The board: whose turn it is and what lies on the table. Source: rules clauses 5.1 to 5.6."""

from __future__ import annotations

from analytics.cards import HAND_SIZE
from analytics.shuangkou.melds import NO_KIND, NO_MELD, Meld


class Board:
    """A game as the table sees it.

    Attributes:
        left: cards held, per seat.
        turn: the seat that acts next.
        over: the meld on the table; ``NO_MELD`` when leading.
        author: who played it.
        is_over: whether the game has ended.
    """

    def __init__(self, seats: int, first: int) -> None:
        self.left = [HAND_SIZE] * seats
        self.turn = first
        self.over = NO_MELD
        self.author = first
        self.is_over = False
        self._passes = 0

    @property
    def is_led(self) -> bool:
        """Whether something lies on the table."""
        return self.over.kind != NO_KIND

    def play(self, meld: Meld) -> None:
        """The seat whose turn it is plays; where that ends the game, nobody is next."""
        seat = self.turn
        self.over, self.author, self._passes = meld, seat, 0
        self.left[seat] -= meld.size
        if self.left[seat] == 0 and self._is_team_out(seat):
            self.is_over = True
        self.turn = self._next(seat)

    def play_pass(self) -> None:
        """The seat whose turn it is passes; the last pass ends the round."""
        self._passes += 1
        others = sum(held > 0 for seat, held in enumerate(self.left) if seat != self.author)
        if self._passes < others:
            self.turn = self._next(self.turn)
            return
        self.over, self._passes = NO_MELD, 0
        # 接风: who is out leaves the lead to the partner.
        self.turn = self.author if self.left[self.author] else self.partner(self.author)

    def partner(self, seat: int) -> int:
        """The seat opposite; with two players the seat itself (clause 5.2)."""
        return (seat + 2) % len(self.left)

    def fewest_of_others(self, seat: int) -> int:
        """The fewest cards that an opponent still holds."""
        team = (seat, self.partner(seat))
        return min(held for at, held in enumerate(self.left) if at not in team and held)

    def _is_team_out(self, seat: int) -> bool:
        return self.left[self.partner(seat)] == 0

    def _next(self, seat: int) -> int:
        """The next seat that still holds cards."""
        for step in range(1, len(self.left) + 1):
            after = (seat + step) % len(self.left)
            if self.left[after]:
                return after
        return seat
