"""Deals: what comes to the seats, against exact odds."""

from __future__ import annotations

import numpy as np
import pytest

from analytics import odds
from analytics.cards import FACES, HAND_SIZE
from analytics.simulate import chance
from analytics.simulate.dealing import Deal, Dealt, deal, deal_of

GAMES = 3_000
CHI_SQUARE_4 = 18.5  # with four degrees of freedom: passed by chance once in a thousand
CHI_SQUARE_12 = 32.9


def dealt(name: str, seats: int, games: int = GAMES, seed: int = 5) -> Dealt:
    """So many games dealt one way."""
    dice = chance.dice_of(seed, "test", np.arange(games))
    return deal(dice, [deal_of(name)] * games, seats)


def hands_of(name: str, seats: int, games: int = GAMES) -> np.ndarray:
    """``(games, seats, 27)`` faces."""
    return np.asarray(dealt(name, seats, games).faces).reshape(games, seats, HAND_SIZE)


def bombs_of(hands: np.ndarray) -> np.ndarray:
    """How many natural bombs each hand has."""
    ranks = np.where(hands < 52, hands // 4, 13)
    held = np.stack([(ranks == rank).sum(-1) for rank in range(13)], -1)
    return (held >= 4).sum(-1)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("name", ["uniform", "blocks-4-9", "blocks-27-27", "blocks-1-1"])
def test_cards_come_from_one_double_deck(name: str, seats: int) -> None:
    """27 cards a seat, no face more than twice; with four seats every card is dealt."""
    for hands in hands_of(name, seats, 40):
        counts = np.bincount(hands.ravel(), minlength=FACES)
        assert counts.max() <= 2
        assert seats == 2 or (counts == 2).all()


def test_natural_bombs_of_uniform_deals_follow_the_exact_odds() -> None:
    """One hand of each game, so that counts are independent: chi-square against fractions."""
    found = np.bincount(bombs_of(hands_of("uniform", 2))[:, 0], minlength=7).tolist()
    exact = odds.bombs()
    counts = [*found[:4], sum(found[4:])]
    shares = [*(exact[n] for n in range(4)), sum(exact[n] for n in range(4, 7))]
    assert odds.chi_square(counts, shares) < CHI_SQUARE_4


def test_each_rank_is_as_likely() -> None:
    """Cards of uniform deals lie on all ranks alike; one card of each game is looked at."""
    first = hands_of("uniform", 2)[:, 0, 0]
    counts = np.bincount(first[first < 52] // 4, minlength=13)
    expected = counts.sum() / 13
    assert ((counts - expected) ** 2 / expected).sum() < CHI_SQUARE_12


def test_blocks_make_more_bombs() -> None:
    """Cards that stay together make more bombs than shuffled ones, by far."""
    shuffled = bombs_of(hands_of("uniform", 2, 400)).mean()
    for name in ("blocks-4-9", "blocks-8-27", "blocks-3-3"):
        assert bombs_of(hands_of(name, 2, 400)).mean() > 1.3 * shuffled


@pytest.mark.parametrize("seats", [2, 4])
def test_who_is_shown_the_card_leads(seats: int) -> None:
    """The leader holds the shown card; with four, holders of both copies sit opposite (5.2)."""
    games = dealt("blocks-4-9", seats, 200)
    hands = np.asarray(games.faces).reshape(200, seats, HAND_SIZE)
    holders = (hands == np.asarray(games.shown)[:, None, None]).any(-1)
    first = np.asarray(games.first)
    assert holders[np.arange(200), first].all()
    if seats == 4:
        both = holders.sum(1) == 2
        assert both.any()
        assert holders[both, (first[both] + 2) % 4].all()
    order = np.sort(np.asarray(games.order).reshape(200, seats), 1)
    assert (order == np.arange(seats)).all()


def test_both_modes_deal_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled and uncompiled kernels deal the same cards."""
    by_mode = []
    for mode in ("never", "always"):
        monkeypatch.setenv("PAIPU_COMPILE", mode)
        by_mode.append([np.asarray(part).tolist() for part in dealt("blocks-4-9", 4, 20)])
    assert by_mode[0] == by_mode[1]


@pytest.mark.parametrize("name", ["", "blocks", "blocks-0-9", "blocks-28-9", "blocks-4-4", "x"])
def test_other_names_are_refused(name: str) -> None:
    """A deal that does not exist is said to be none."""
    with pytest.raises(ValueError, match="a deal is uniform, or blocks-B-P"):
        deal_of(name)


@pytest.mark.parametrize("deal", [Deal(0, 1), Deal(4, 9), Deal(27, 27)])
def test_names_mean_deals(deal: Deal) -> None:
    """What the log calls a deal can be asked for."""
    assert deal_of(deal.name) == deal
