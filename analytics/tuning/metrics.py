"""Metrics: what can be told of a table, in which unit, and from what it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from analytics.ledger import ITEM_NAMES


class Class(StrEnum):
    """What a metric is told from.

    ``A``: from groups of games alone. ``B``: from groups and who sat in them. ``C``: from
    games in their order, with balances carried forward.
    """

    A = "a"
    B = "b"
    C = "c"


class Metric(NamedTuple):
    """Something that a table comes to.

    Attributes:
        name: of its column.
        unit: of its values; "": a share, or a plain number.
        kind: what it is told from.
        meaning: one phrase.
        is_sum: whether it is a sum of amounts, exact; else a mean, a share or a rank.
    """

    name: str
    unit: str
    kind: Class
    meaning: str
    is_sum: bool = False


MONEY: Final = "the room's unit"
TIMES: Final = "times base"
POINTS: Final = (1, 5, 25, 50, 75, 95, 99)  # per cent, as in the study economy.results
TAILS: Final = (1, 5, 95, 99)
GROUPED_ITEMS: Final = tuple(item for item in ITEM_NAMES if item != "cap")  # a cap needs balances

_NO_FEE: Final = "of what a seat gets in a game before the fee, in whole multiples of its base"


def _sums() -> tuple[Metric, ...]:
    return (
        Metric("games", "games", Class.A, "Games that have amounts", is_sum=True),
        Metric("unsettled", "games", Class.A, "Games without a base, hence without amounts",
               is_sum=True),
        *(Metric(f"moved.{item}", MONEY, Class.A, f"What changed accounts for `{item}`",
                 is_sum=True) for item in GROUPED_ITEMS),
        Metric("moved", MONEY, Class.A, "What changed accounts in all", is_sum=True),
        Metric("turnover", MONEY, Class.A, "What seats lost in games, fees apart", is_sum=True),
        Metric("fees", MONEY, Class.A, "Fees that the system took", is_sum=True),
        Metric("sinks", MONEY, Class.A, "What the system got in games in which it got something",
               is_sum=True),
        Metric("faucets", MONEY, Class.A, "What it gave in games in which it gave something",
               is_sum=True),
        Metric("system", MONEY, Class.A, "What the system got in all", is_sum=True),
        Metric("net_issue", MONEY, Class.A, "What the system gave in all: new money",
               is_sum=True),
    )  # fmt: skip


def _of_results() -> tuple[Metric, ...]:
    return (
        Metric("mean", MONEY, Class.A, "Mean result of a seat in a game"),
        Metric("sigma", MONEY, Class.A, "Standard deviation of that"),
        Metric("worst", MONEY, Class.A, "The largest loss"),
        *(Metric(f"p{p}", MONEY, Class.A, f"{p} % of results are at most this") for p in POINTS),
        Metric("best", MONEY, Class.A, "The largest gain"),
        Metric("times_worst", TIMES, Class.A, f"The lowest {_NO_FEE}"),
        *(Metric(f"times_p{p}", TIMES, Class.A, f"The {p} % point {_NO_FEE}") for p in TAILS),
        Metric("times_best", TIMES, Class.A, f"The highest {_NO_FEE}"),
    )


def _shares() -> tuple[Metric, ...]:
    return (
        *(Metric(f"share.{item}", "", Class.A, f"Share of all that changed accounts, `{item}`")
          for item in GROUPED_ITEMS),
        Metric("fee_share", "", Class.A, "Fees ÷ turnover"),
        Metric("flips", "", Class.A,
               "Share of results that were a gain and are a loss, or the other way round"),
    )  # fmt: skip


_OF_PLAYERS: Final = (
    Metric("players", "players", Class.B, "Players in games that have amounts"),
    Metric("winners", "players", Class.B, "Players who gained in all"),
    Metric("losers", "players", Class.B, "Players who lost in all"),
    Metric("gini_gains", "", Class.B, "Gini coefficient of what winners gained"),
    Metric("gini_losses", "", Class.B, "Gini coefficient of what losers lost"),
    Metric("top10_gains", "", Class.B, "Share of the 10 % who gained most in all gains"),
)
_IN_ORDER: Final = (
    Metric("bankruptcies", "seats", Class.C, "Seats that could pay before a game and not after:"
           " below the lowest level, or without levels with nothing or a debt"),
    Metric("broke", "players", Class.C, "Players who could not pay after their last game"),
    Metric("unplayable", "games", Class.C, "Games in which somebody had no level any more, so"
           " that nothing was paid"),
    Metric("rises", "seats", Class.C, "Seats whose level after a game is a higher one"),
    Metric("falls", "seats", Class.C, "Seats whose level after a game is a lower one"),
    Metric("capped", MONEY, Class.C, "What `cap_at_balance` spared those who pay"),
    Metric("held", MONEY, Class.C, "What all players hold in the end"),
    Metric("velocity", "", Class.C, "Turnover ÷ that: how often the money changed hands"),
    Metric("gini_balances", "", Class.C, "Gini coefficient of `held`; debts count as nothing"),
    Metric("top1_balances", "", Class.C, "Share of the richest 1 % in that"),
    Metric("top10_balances", "", Class.C, "Share of the richest 10 % in that"),
)  # fmt: skip

METRICS: Final[Mapping[str, Metric]] = {
    metric.name: metric
    for metric in (*_sums(), *_shares(), *_of_results(), *_OF_PLAYERS, *_IN_ORDER)
}


def names_of(kind: Class) -> tuple[str, ...]:
    """The metrics of a class, in order.

    >>> names_of(Class.B)
    ('players', 'winners', 'losers', 'gini_gains', 'gini_losses', 'top10_gains')
    """
    return tuple(metric.name for metric in METRICS.values() if metric.kind is kind)
