"""Figures: the metrics of class (a) of tables of one shape, many tables at a time.

The same arithmetic as in ``measuring``, but on cells and not on games, and for speed on columns
that have a row a table; tests hold both to the same figures.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analytics.tuning.amounts import (
    Entries,
    Penalties,
    Times,
    penalties_of,
    results_of,
    times_of,
)
from analytics.tuning.collapsing import Collapsed, Outs
from analytics.tuning.metrics import GROUPED_ITEMS, POINTS, TAILS
from analytics.tuning.products import Integers, matrix_product

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Figures = dict[str, Any]

_WORD: Final = 62  # bits that a value and its place may take together


def figures_of(entries: Entries, collapsed: Collapsed) -> Figures:
    """Every metric of class (a): a value a table."""
    times = times_of(entries, collapsed)
    penalties = penalties_of(entries, collapsed)
    sums = _sums_by_table(entries, times, penalties, collapsed)
    found = {
        **sums,
        **_ratios_by_table(sums),
        **_results_by_table(entries, times, penalties, collapsed),
    }
    return found


def _sums_by_table(
    entries: Entries, times: Times, penalties: Penalties, collapsed: Collapsed
) -> Figures:
    bases = matrix_product(entries.base, collapsed.outs.by_level)  # of all seats of a pattern
    escapes, deals = collapsed.escapes.games, collapsed.deals.games
    mint = _mint_by_table(entries, collapsed)
    kept = penalties.paid - penalties.part
    fees = entries.fee[:, 0] * (entries.seats * int(deals.sum()))
    moved = {
        "base": _gained(times.base, bases),
        "doubling": _gained(times.doubling, bases),
        "contribution": _gained(times.contribution, bases),
        "escape": sum(_gained(x, escapes) for x in (-penalties.paid, penalties.part, kept)),
        "fee": fees + penalties.fee[:, 0] * int(escapes.sum()),
        "mint": _gained(mint, deals),
    }
    lost = [(-times.all, bases), (penalties.paid, escapes), (-penalties.part, escapes)]
    system = [(mint + entries.fee * entries.seats, deals), (kept + penalties.fee, escapes)]
    sinks = sum(_gained(*each) for each in system)
    faucets = sum(_gained(-amounts, games) for amounts, games in system)
    every = np.ones(len(entries.base), np.int64)
    return {
        "games": every * collapsed.games,
        "unsettled": every * collapsed.unsettled,
        **{f"moved.{item}": moved[item] for item in GROUPED_ITEMS},
        "moved": sum(moved.values()),
        "turnover": sum(_gained(*each) for each in lost),
        "fees": moved["fee"],
        "sinks": sinks,
        "faucets": faucets,
        "system": sinks - faucets,
        "net_issue": faucets - sinks,
    }


def _gained(amounts: Integers, weights: Integers) -> Integers:
    """Σ of the positive amounts, each so many times: a value a table."""
    return np.asarray((np.maximum(amounts, 0) * weights).sum(axis=1))


def _ratios_by_table(sums: Figures) -> Figures:
    shares = {
        f"share.{item}": _ratio_by_table(sums[f"moved.{item}"], sums["moved"])
        for item in GROUPED_ITEMS
    }
    return {**shares, "fee_share": _ratio_by_table(sums["fees"], sums["turnover"])}


def _ratio_by_table(part: Integers, whole: Integers) -> Floats:
    """nan where there is nothing to divide by."""
    whole = whole.astype(np.float64)
    return np.asarray(part.astype(np.float64) / np.where(whole == 0, np.nan, whole))


def _mint_by_table(entries: Entries, collapsed: Collapsed) -> Integers:
    """What a place table that is not zero-sum takes off the system: ``(c, deals)``."""
    deals = collapsed.deals
    if entries.seats == 2:  # what one wins the other loses
        return np.zeros((len(entries.base), len(deals.games)), np.int64)
    surplus = entries.stake.reshape(-1, 3, 4).sum(axis=2)[:, deals.kou]
    times = surplus * entries.doubling[:, deals.doubling]
    return np.asarray(-entries.base[:, deals.level] * times)


def _results_by_table(
    entries: Entries, times: Times, penalties: Penalties, collapsed: Collapsed
) -> Figures:
    """Figures of the results of seats, each seat of a game by itself."""
    outs, escapes = collapsed.outs, collapsed.escapes
    result = results_of(entries, times, penalties, collapsed)
    seats = np.concatenate([outs.seats, escapes.games, escapes.games])
    signs = np.concatenate([outs.sign, escapes.signs.ravel()])
    points = _quantiles_by_table(result, seats, POINTS)
    names = ("worst", *(f"p{p}" for p in POINTS), "best")
    compared = collapsed.compared * entries.seats
    return {
        **dict(zip(names, points, strict=True)),
        **_moments_by_table(result, seats),
        **_in_bases_by_table(times, penalties, outs, escapes.games),
        "flips": _flipped_by_table(result, signs, seats) / (compared or np.nan),
    }


def _flipped_by_table(result: Integers, signs: Int64s, seats: Int64s) -> Floats:
    """How many seats get what has the opposite sign of the baseline's; whole, below 2^53."""
    lost, won = (np.where(signs == sign, seats, 0).astype(np.float64) for sign in (-1, 1))
    return np.asarray(
        (result > 0).astype(np.float64) @ lost + (result < 0).astype(np.float64) @ won
    )


def _moments_by_table(result: Integers, seats: Int64s) -> Figures:
    n = int(seats.sum())
    means = (result * seats).sum(axis=1) / (n or np.nan)
    around = (result - means[:, None]).astype(np.float64)
    squares = (around * around * seats).sum(axis=1)
    return {"mean": means, "sigma": np.sqrt(squares / (n - 1 if n > 1 else np.nan))}


def _in_bases_by_table(times: Times, penalties: Penalties, outs: Outs, games: Int64s) -> Figures:
    """Points of what seats get before the fee, in whole multiples of the base."""
    shared = penalties.part // penalties.base
    values = np.concatenate([times.all, shared, -penalties.times], axis=1)
    seats = np.concatenate([outs.by_level.sum(axis=0), games, games])
    names = ("times_worst", *(f"times_p{p}" for p in TAILS), "times_best")
    return dict(zip(names, _quantiles_by_table(values, seats, TAILS), strict=True))


def _quantiles_by_table(values: Any, count: Int64s, percents: tuple[int, ...]) -> Integers:
    """By point, least and greatest included, a value a table; see ``measuring.quantiles``."""
    total = int(count.sum())
    if not total:
        return np.full((len(percents) + 2, len(values)), np.nan)
    order = _order(values)
    rows = np.arange(len(values))[:, None]
    ranks = np.array([1, *(-(-total * p // 100) for p in percents), total])
    # One row after another, as if each went on where the last one ended: one search for all.
    reached = np.cumsum(count.take(order), axis=1) + rows * total
    places = np.searchsorted(reached.ravel(), ranks + rows * total) - rows * values.shape[1]
    return np.asarray(values[rows, order[rows, places]].T)


def _order(values: Any) -> Int64s:
    """The places of values in ascending order, row by row; that of equals does not matter.

    Integers are sorted together with their places, as one number, where there is room:
    that takes less than half the time.
    """
    bits = values.shape[1].bit_length()
    if values.dtype != np.int64 or max(values.max(), -values.min()) >> (_WORD - bits):
        return np.asarray(np.argsort(values, axis=1))
    packed = np.sort((values << bits) | np.arange(values.shape[1]), axis=1)
    return np.asarray(packed & (2**bits - 1))
