"""Postings: a settlement as a ledger that adds up to zero.

A posting says that an account of a game gets an amount for an item. Accounts are the
seats and the system; what a table mints or burns appears on the system account.
Source: rules clauses 8.3, 9 and 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Int64s = npt.NDArray[np.int64]

SYSTEM: Final = -1  # the account of the house; the others are the seats
ITEM_NAMES: Final = ("base", "doubling", "contribution", "escape", "fee", "cap", "mint")


@dataclass(frozen=True, slots=True)
class Postings:
    """Who gets how much for what; no posting is zero.

    Attributes:
        game: int64 ``(p,)``, the game's row in its batch, ascending.
        account: int8 ``(p,)``, a seat or ``SYSTEM``.
        item: int8 ``(p,)``, the place of the item in ``ITEM_NAMES``.
        amount: int64 ``(p,)``, in the room's unit; what is paid is negative.
    """

    game: Int64s
    account: npt.NDArray[np.int8]
    item: npt.NDArray[np.int8]
    amount: Int64s

    def __len__(self) -> int:
        return len(self.game)


def post(items: Int64s, system: Int64s, seats_at: Int64s) -> Postings:
    """The postings of settled games.

    Args:
        items: int64 ``(k, 7)``: what each seat gets for each item.
        system: int64 ``(n, 7)``: what the system gets.
        seats_at: int64 ``(n + 1,)``: where each game's seats begin.

    >>> seats = np.array([[5, 0, 0, 0, -1, 0, 0], [-5, 0, 0, 0, -1, 0, 0]])
    >>> house = np.array([[0, 0, 0, 0, 2, 0, 0]])
    >>> postings = post(seats, house, np.array([0, 2]))
    >>> len(postings), balance_of(postings, 1).tolist()
    (5, [0])
    """
    counts = np.diff(seats_at)
    game_of_seat = np.repeat(np.arange(len(counts)), counts)
    seat = np.arange(len(items)) - seats_at[game_of_seat]
    at_seat, item_of_seat = np.nonzero(items)
    at_game, item_of_game = np.nonzero(system)
    game = np.concatenate([game_of_seat[at_seat], at_game])
    order = np.argsort(game, kind="stable")
    account = np.concatenate([seat[at_seat], np.full(len(at_game), SYSTEM)])
    amount = np.concatenate([items[at_seat, item_of_seat], system[at_game, item_of_game]])
    item = np.concatenate([item_of_seat, item_of_game])
    return Postings(
        game=game[order].astype(np.int64),
        account=account[order].astype(np.int8),
        item=item[order].astype(np.int8),
        amount=amount[order],
    )


def balance_of(postings: Postings, games: int) -> Int64s:
    """The sum of the postings of each game, int64 ``(games,)``: zero, always (clause 10).

    >>> balance_of(post(np.ones((1, 7), int), np.zeros((1, 7), int), np.array([0, 1])), 1)
    array([7])
    """
    total = np.zeros(games, np.int64)
    np.add.at(total, postings.game, postings.amount)
    return total
