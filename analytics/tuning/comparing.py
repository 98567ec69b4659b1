"""Comparing: two tables side by side, as frames."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analytics.ledger import ITEM_NAMES
from analytics.tuning.exact import exact_sum
from analytics.tuning.measuring import Accounts, distribution, flips, sums_of, total
from analytics.tuning.metrics import MONEY
from analytics.tuning.pairing import (
    SEAT_SUMS,
    Nets,
    Pair,
    Shares,
    by_player,
    level_shares,
    of_seatings,
    seat_sums,
    shares_of,
    tier_shares,
)
from analytics.tuning.resampling import Interval, Means, intervals, mean_intervals
from analytics.tuning.wealth import (
    Both,
    both_nets,
    counted,
    inequality_of,
    lorenz_frame,
    players_frame,
)

if TYPE_CHECKING:
    import pandas as pd

Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SIDES: Final = ("baseline", "candidate", "difference")
ENDS: Final = ("low", "high")
NO_INTERVAL: Final = (math.nan, math.nan)


ECONOMY_COLUMNS: Final = ("study", "item", "figure", "unit", *SIDES, *ENDS)
PAIRED_COLUMNS: Final = ("figure", "unit", "value", *ENDS)


class Figure(NamedTuple):
    """A line of the economy: what a study of that name would say.

    Attributes:
        study: that has this column.
        item: of the ledger, or of what an inequality is; "" where it is about everything.
        figure: the column.
        unit: of its values.
    """

    study: str
    item: str
    figure: str
    unit: str


def economy_frame(pair: Pair, both: Both, ends: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Everything of the studies of the economy that needs no balances, side by side.

    Args:
        pair: the games.
        both: what players get of them.
        ends: the interval of the difference by name of the figure, where there is one.
    """
    one, other = (
        dict(_economy(own, nets))
        for own, nets in zip((pair.baseline, pair.candidate), both, strict=True)
    )
    rows = [
        (*figure, one[figure], other[figure], other[figure] - one[figure],
         *ends.get("" if figure.item else figure.figure, NO_INTERVAL))
        for figure in one
    ]  # fmt: skip
    return _framed(rows, ECONOMY_COLUMNS)


def _economy(own: Accounts, nets: Nets) -> Iterable[tuple[Figure, Any]]:
    sums = sums_of(own)
    for at, item in enumerate(ITEM_NAMES):
        for name, (unit, value) in _item(own, at, sums["moved"]).items():
            yield Figure("economy", item, name, unit), value
    for name, (unit, value) in _turnover(own, sums).items():
        yield Figure("economy.turnover", "", name, unit), value
    for name, value in _results(own).items():
        unit = "seats" if name == "seat_games" else MONEY
        yield Figure("economy.results", "", name, unit), value
    for of, name, unit, value in inequality_of(nets):
        yield Figure("economy.inequality", of, name, unit), value


def _item(own: Accounts, item: int, whole: int) -> dict[str, tuple[str, Any]]:
    seats, system = own.items[:, :, item], own.system[:, item]
    received = total(np.maximum(seats, 0).sum(axis=1), own.count)
    paid = total(np.minimum(seats, 0).sum(axis=1), own.count)
    moved = received + total(np.maximum(system, 0), own.count)
    postings = (seats != 0).sum(axis=1) + (system != 0)
    return {
        "postings": ("postings", int(postings @ own.count)),
        "games_with": ("games", int((postings > 0) @ own.count)),
        "received": (MONEY, received),
        "paid": (MONEY, paid),
        "system": (MONEY, total(system, own.count)),
        "moved": (MONEY, moved),
        "share": ("", moved / whole if whole else math.nan),
    }


def _turnover(own: Accounts, sums: Mapping[str, int]) -> dict[str, tuple[str, Any]]:
    turnover = sums["turnover"]
    return {
        "games": ("games", int(own.count.sum())),
        "turnover": (MONEY, turnover),
        "fees": (MONEY, sums["fees"]),
        "fee_share": ("", sums["fees"] / turnover if turnover else math.nan),
        "sinks": (MONEY, sums["sinks"]),
        "faucets": (MONEY, sums["faucets"]),
        "system": (MONEY, sums["system"]),
    }


def _results(own: Accounts) -> dict[str, Any]:
    seats = own.items.shape[1]
    result, count = own.result.ravel(), np.repeat(own.count, seats)
    return {
        "seat_games": int(own.count.sum()) * seats,
        "total": total(result, count),
        **distribution(result, count),
    }


def paired_frame(pair: Pair, ends: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """What a seat gets more in a game under the candidate, of games that both settle.

    Args:
        pair: the games.
        ends: the interval by name of the figure, where there is one.
    """
    seats = pair.baseline.items.shape[1]
    difference, count = pair.difference.ravel(), np.repeat(pair.compared, seats)
    found: dict[str, Any] = {
        "seat_games": pair.seat_games,
        "total": total(difference, count),
        **distribution(difference, count),
        **_shares(difference, count, pair),
    }
    units = {"seat_games": "seats", "gaining": "", "losing": "", "flips": ""}
    rows = [
        (name, units.get(name, MONEY), value, *ends.get(name, NO_INTERVAL))
        for name, value in found.items()
    ]
    return _framed(rows, PAIRED_COLUMNS)


def _framed(rows: list[tuple[Any, ...]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a frame in which integers of any size stay what they are."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns), dtype=object).astype(
        dict.fromkeys(ENDS, float)
    )


def _shares(difference: Int64s, count: Int64s, pair: Pair) -> dict[str, float]:
    """Shares of results that get more, that get less, and whose sign flips."""
    n = int(count.sum()) or math.nan
    return {
        "gaining": int((difference > 0) @ count) / n,
        "losing": int((difference < 0) @ count) / n,
        "flips": flips(pair.candidate, pair.baseline),
    }


# Columns of a frame of who gains and who loses, after the one that says who it is.
WHO_COLUMNS: Final = (
    "players", "seat_games", "baseline_net", "candidate_net", *SIDES, *ENDS, "gaining", "losing",
)  # fmt: skip


def who_frame(name: str, shares: Mapping[Any, Shares], ends: Interval) -> pd.DataFrame:
    """Who gains and who loses: a row a kind of players or seats.

    ``baseline``, ``candidate`` and ``difference`` are means a seat and game; ``gaining``
    and ``losing`` count players by what they get more or less in all.

    Args:
        name: of the column that says who it is.
        shares: by that.
        ends: of the differences.
    """
    import pandas as pd

    rows = [
        (who, *_who(own), low, high, *_sides(own))
        for (who, own), low, high in zip(shares.items(), *ends, strict=True)
    ]
    columns = [name, *WHO_COLUMNS]
    return pd.DataFrame(rows, columns=columns)


def _who(own: Shares) -> tuple[Any, ...]:
    seats, one, other = own.totals
    n = seats or math.nan
    return int((own.seats > 0).sum()), seats, one, other, one / n, other / n, (other - one) / n


def _sides(own: Shares) -> tuple[int, int]:
    more = np.sign(own.candidate - own.baseline)
    return int((more > 0).sum()), int((more < 0).sum())


class Resampled(NamedTuple):
    """Intervals of differences, by resampling players.

    Attributes:
        economy: of figures of the economy, by name.
        paired: of figures of a seat in a game, by name.
        players: of counts of players, by metric.
        tiers, levels: of mean differences, in the order of their kinds.
    """

    economy: dict[str, tuple[float, float]]
    paired: dict[str, tuple[float, float]]
    players: dict[str, tuple[float, float]]
    tiers: Interval
    levels: Interval


def resample(
    pair: Pair,
    both: Both,
    tiers: Mapping[int, Shares],
    levels: Mapping[int, Shares],
    *,
    resamples: int,
    seed: int,
) -> Resampled:
    """Draws players anew, all figures by the same draws.

    What is said of a side is of all seats; what is said of pairs, of seats of compared games;
    what is counted, of players.
    """
    every, compared = _seats(pair), shares_of(pair).seats
    person = np.ones(len(every), np.int64)
    named = [(_sums(pair), every), (_paired(pair), compared), (counted(both), person)]
    kinds = [*tiers.values(), *levels.values()]
    parts = [part for own, _ in named for part in own.values()]
    wholes = [whole for own, whole in named for _ in own]
    drawn = intervals(
        _columns([*parts, *(own.candidate - own.baseline for own in kinds)]),
        _columns([*wholes, *(own.seats for own in kinds)]),
        resamples=resamples,
        seed=seed,
    )
    ends = zip(*drawn, strict=True)
    sums, pairs, counts = ({name: next(ends) for name in own} for own, _ in named)
    first = len(parts) + len(tiers)
    return Resampled(
        {
            **{name: _times(own, every) for name, own in sums.items()},
            "mean": _mean_ends(pair, resamples=resamples, seed=seed),
        },
        {**pairs, "total": _times(pairs["mean"], compared)},
        {name: _times(own, person) for name, own in counts.items()},
        Interval(*(each[len(parts) : first] for each in drawn)),
        Interval(*(each[first:] for each in drawn)),
    )


def _columns(values: Sequence[npt.NDArray[Any]]) -> Floats:
    return np.column_stack(values).astype(np.float64)


def _times(ends: tuple[float, float], seats: Int64s) -> tuple[float, float]:
    """The ends of a sum over seats, from those of its mean."""
    whole = exact_sum(seats)
    return ends[0] * whole, ends[1] * whole


def _seats(pair: Pair) -> Int64s:
    """Of each player the seats in games, whether a table settles them or not."""
    return by_player(pair.seatings.count, pair.seatings)


def _sums(pair: Pair) -> dict[str, Floats]:
    """Of each player what he adds to the difference of a sum over all games."""
    sat = pair.seatings
    one, other = seat_sums(pair.baseline), seat_sums(pair.candidate)
    return {
        name: by_player(of_seatings(other[name] - one[name], sat) * sat.count, sat)
        for name in SEAT_SUMS
    }


def _paired(pair: Pair) -> dict[str, npt.NDArray[Any]]:
    """Of each player what he adds to what is said of pairs."""
    sat = pair.seatings
    count = sat.count * (pair.compared > 0)[sat.group]
    one, other = (seat_sums(own)["total"] for own in (pair.baseline, pair.candidate))
    return {"mean": by_player(of_seatings(other - one, sat) * count, sat), **_marks(pair, count)}


def _mean_ends(pair: Pair, *, resamples: int, seed: int) -> tuple[float, float]:
    """The interval of the difference of two means: each table settles games of its own."""
    one, other = (_mean_of(own, pair) for own in (pair.baseline, pair.candidate))
    low, high = mean_intervals(one, other, resamples=resamples, seed=seed)
    return float(low[0]), float(high[0])


def _mean_of(own: Accounts, pair: Pair) -> Means:
    sat = pair.seatings
    count = sat.count * own.is_settled[sat.group]
    total_of = of_seatings(seat_sums(own)["total"], sat) * count
    return Means(*(_columns([by_player(each, sat)]) for each in (total_of, count)))


def _marks(pair: Pair, count: Int64s) -> dict[str, Int64s]:
    """Of each player how many of his results gain, lose, and flip.

    Args:
        pair: the games.
        count: int64 ``(r,)``: games of each seating that both tables settle.
    """
    sat = pair.seatings
    flipped = np.sign(pair.candidate.result) * np.sign(pair.baseline.result) < 0
    marks = {"gaining": pair.difference > 0, "losing": pair.difference < 0, "flips": flipped}
    return {name: by_player(of_seatings(x, sat) * count, sat) for name, x in marks.items()}


def compare_frames(pair: Pair, *, resamples: int, seed: int) -> dict[str, pd.DataFrame]:
    """``economy``, ``of_players``, ``lorenz``, ``paired``, ``tiers`` and ``levels`` of a pair."""
    tiers, levels = tier_shares(pair), level_shares(pair)
    both = both_nets(pair)
    drawn = resample(pair, both, tiers, levels, resamples=resamples, seed=seed)
    begins = {met: (pair.thresholds[met - 1] if met else None) for met in levels}
    by_begin = {begins[met]: shares for met, shares in levels.items()}
    return {
        "economy": economy_frame(pair, both, drawn.economy),
        "of_players": players_frame(both, drawn.players),
        "lorenz": lorenz_frame(both),
        "paired": paired_frame(pair, drawn.paired),
        "tiers": who_frame("tier", tiers, drawn.tiers),
        "levels": who_frame("from_balance", by_begin, drawn.levels).astype(
            {"from_balance": "Int64"}
        ),
    }
