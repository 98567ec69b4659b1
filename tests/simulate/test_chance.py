"""Chance: the generator is sound, and the same compiled and not."""

from __future__ import annotations

import numpy as np
import pytest

from analytics.simulate import chance


def _is_prime(n: int) -> bool:
    """Miller and Rabin, with bases that leave no doubt below 3.3 · 10^24."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41):
        power = pow(base, odd, n)
        if power in (1, n - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % n
            if power == n - 1:
                break
        else:
            return False
    return True


def test_the_period_is_long() -> None:
    """The modulus of multiply-with-carry is a safe prime, so that no short cycle exists."""
    modulus = (chance.MULTIPLIER << chance.BASE_BITS) - 1
    assert _is_prime(modulus)
    assert _is_prime((modulus - 1) // 2)


def test_no_step_passes_int64() -> None:
    """The largest state gives a next one below 2^63: nothing wraps, compiled or not."""
    low = (1 << chance.BASE_BITS) - 1
    assert chance.MULTIPLIER * low + chance.STATES // (low + 1) < 2**63
    dice = [chance.STATES]
    for _ in range(1_000):
        chance.draw(dice, 0)
        assert 0 < dice[0] <= chance.STATES


def test_numbers_are_spread_evenly() -> None:
    """Of 60,000 throws of six, each face comes about as often: chi-square below its 0.1 % bound."""
    dice = chance.dice_of(1, "test", np.arange(60)).tolist()
    counts = [0] * 6
    for at in range(60):
        for _ in range(1_000):
            counts[chance.below(dice, at, 6)] += 1
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 20.5


@pytest.mark.parametrize("ask", [chance.dice_of, chance.shares], ids=["dice", "shares"])
def test_what_is_hashed_does_not_depend_on_company(ask: object) -> None:
    """A number has the same chance alone as among others; another purpose or seed has others."""
    many = ask(7, "a", 3, np.arange(100))  # type: ignore[operator]
    assert ask(7, "a", 3, 41)[0] == many[41]  # type: ignore[operator]
    assert len(set(many.tolist())) == 100
    others = [ask(8, "a", 3, 41), ask(7, "b", 3, 41), ask(7, "a", 4, 41)]  # type: ignore[operator]
    assert len({many[41], *(each[0] for each in others)}) == 4


def test_shares_are_spread_evenly() -> None:
    """Shares lie from 0 to below 1, about as many in each tenth."""
    shares = chance.shares(1, "test", np.arange(100_000))
    assert 0 <= shares.min() < shares.max() < 1
    counts = np.bincount((shares * 10).astype(int), minlength=10)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 27.9
