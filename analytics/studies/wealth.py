"""Who has the money: Gini coefficients, top shares, Lorenz curves, balances by day."""

from __future__ import annotations

from typing import Final

from analytics.studies.asking import Asked, listed
from analytics.studies.economy import MONEY, last_balance_steps, result_steps
from analytics.studies.intervals import Z
from analytics.studies.scope import UNIT
from analytics.studies.study import Step, Study
from analytics.warehouse.tables import Column

OF: Final = Column(
    "of",
    "VARCHAR",
    "`balances`: what players with money held after their last game of the group; `gains` and "
    "`losses`: net of all their games, of those who gained and of those who lost",
)
_NOBODY: Final = "no such player"
_FEW: Final = "fewer than two such players"
TOPS: Final = (1, 10)  # per cent of players


def amount_steps(asked: Asked) -> list[Step]:
    """``amounts``: per player what he held, gained or lost; all above 0."""
    by = [name for name in asked.groups if name not in ("of", "percent")]
    return [
        *result_steps(asked, "started"),
        *last_balance_steps(by),
        Step(
            "nets_of_players",
            f"SELECT {listed(by)} player, sum(delta) AS net FROM results GROUP BY ALL",
        ),
        Step(
            "amounts",
            f"""
            SELECT {listed(by)} 'balances' AS of, held::HUGEINT AS amount
            FROM last_balances WHERE held > 0
            UNION ALL
            SELECT {listed(by)} if(net > 0, 'gains', 'losses') AS of, abs(net) AS amount
            FROM nets_of_players WHERE net <> 0
            """,
        ),
    ]


def _ranked_steps(by: list[str]) -> list[Step]:
    """``ranked``: amounts in order, each also in parts of the whole, with sums up to it.

    What is equal is interchangeable, so that the order among equals changes no figure.
    """
    part = f"PARTITION BY {', '.join([*by, 'of'])}"
    return [
        Step(
            "whole",
            f"""
            SELECT *, count(*) OVER ({part}) AS players, sum(amount) OVER ({part}) AS total,
                row_number() OVER ({part} ORDER BY amount) AS place
            FROM amounts
            """,
        ),
        Step("parted", f"SELECT *, amount * {PARTS} // total AS part FROM whole"),
        Step(
            "ranked",
            f"""
            SELECT *, sum(amount) OVER (ordered ROWS UNBOUNDED PRECEDING) AS below,
                sum(part) OVER (ordered ROWS UNBOUNDED PRECEDING) AS parts_below,
                {", ".join(_cut(percent, part) for percent in TOPS)}
            FROM parted WINDOW ordered AS ({part} ORDER BY place)
            """,
        ),
    ]


# Of a whole, for intervals alone: squares of sums of so many parts, over ten million
# players, fit into the 128 bits in which sums are exact.
PARTS: Final = 10**11


def _is_top(percent: int) -> str:
    """Whether a player is among the richest, rounded up to a whole player."""
    return f"place > players - ceil(players * {percent} / 100)"


def _cut(percent: int, part: str) -> str:
    return f"min(part) FILTER ({_is_top(percent)}) OVER ({part}) AS cut{percent}"


def inequality_steps(asked: Asked) -> list[Step]:
    """Gini coefficients and top shares, with their errors.

    With i the place of y among n amounts in order, W = Σ i·y and T = Σ y, the coefficient
    is G = 2W/(nT) − (n + 1)/n.
    """
    by = [name for name in asked.groups if name != "of"]
    tops = ",\n".join(_top_sums(percent) for percent in TOPS)
    return [
        *amount_steps(asked),
        *_ranked_steps(by),
        Step("scored", "SELECT *, (2 * place - 1) * part - 2 * parts_below AS score FROM ranked"),
        Step(
            "summed",
            f"""
            SELECT {listed(by)} of, any_value(players) AS players, any_value(total) AS total,
                sum(place * amount) AS weighted, sum(part) AS y, sum(part * part) AS yy,
                sum(score) AS x, sum(score * score) AS xx, sum(score * part) AS xy, {tops}
            FROM scored GROUP BY ALL
            """,
        ),
        Step(
            "coefficients",
            f"""
            SELECT *, 2 * weighted::DOUBLE / (players * total::DOUBLE)
                - (players + 1) / players AS gini,
                {", ".join(f"top{p}_amount / total AS top{p}" for p in TOPS)}
            FROM summed
            """,
        ),
        Step(
            "inequality",
            f"""
            SELECT {listed(by)} of, players, total, {_ends("gini", _gini_error())},
                {", ".join(_ends(f"top{p}", _top_error(p)) for p in TOPS)}
            FROM coefficients
            """,
        ),
    ]


def _top_sums(percent: int) -> str:
    over = f"greatest(part - cut{percent}, 0)"
    return f"""sum(amount) FILTER ({_is_top(percent)}) AS top{percent}_amount,
                sum({over}) AS u{percent}, sum({over} * {over}) AS uu{percent},
                sum({over} * part) AS uy{percent}"""


def _gini_error() -> str:
    """Standard error of G.

    Of Z = (2i − 1)·y − 2·Σ y up to i − n·(G + 1)·y, in parts: √Σ(Z − mean Z)² / (n · T).
    Source: R. Davidson, Reliable inference for the Gini index, Journal of Econometrics 150
    (2009).
    """
    return f"{_scatter('x', 'xx', 'xy', '(players * (gini + 1))')} / (players * y::DOUBLE)"


def _top_error(percent: int) -> str:
    """Standard error of a top share S, by its influence function (the delta method).

    Of u − S·y, with u what an amount has above the least of the top: √Σ(… − mean)² / T.
    """
    u, uu, uy = (f"{name}{percent}" for name in ("u", "uu", "uy"))
    return f"{_scatter(u, uu, uy, f'top{percent}')} / y::DOUBLE"


def _scatter(x: str, xx: str, xy: str, c: str) -> str:
    """√ of the sum of squares of x − c·y around its mean, by exact sums."""
    squares = f"({xx}::DOUBLE - 2 * {c} * {xy}::DOUBLE + {c} * {c} * yy::DOUBLE)"
    mean = f"({x}::DOUBLE - {c} * y::DOUBLE)"
    return f"sqrt(greatest({squares} - {mean} * {mean} / players, 0))"


def _ends(name: str, error: str) -> str:
    """A share with its normal interval, cut at 0 and 1."""
    half = f"if(players > 1, {Z!r} * {error}, NULL)"
    return f"""{name}, greatest({name} - {half}, 0) AS {name}_low,
                least({name} + {half}, 1) AS {name}_high"""


def _share_columns(name: str, meaning: str) -> tuple[Column, ...]:
    ends = "normal interval by linearisation, within 0 and 1"
    return (
        Column(name, "DOUBLE", meaning, _NOBODY),
        Column(f"{name}_low", "DOUBLE", f"Lower end, {ends}", _FEW),
        Column(f"{name}_high", "DOUBLE", f"Upper end, {ends}", _FEW),
    )


INEQUALITY: Final = Study(
    name="economy.inequality",
    question="How unequally are balances, gains and losses spread over players?",
    rows="balances, gains or losses in a group of games that have amounts.",
    always=(UNIT, OF),
    columns=(
        Column("players", "BIGINT", "Players that it is about", unit="players"),
        Column("total", "HUGEINT", "What they have, gained or lost in all", unit=MONEY),
        *_share_columns("gini", "Gini coefficient: 0 where all have the same, nearly 1 where"
                        " one has all"),
        *_share_columns("top1", "Share of the richest 1 %, rounded up to a whole player"),
        *_share_columns("top10", "Share of the richest 10 %, rounded up to a whole player"),
    ),
    steps=inequality_steps,
)  # fmt: skip


def lorenz_steps(asked: Asked) -> list[Step]:
    """Which share the poorest p per cent have, for every p.

    Of n players the poorest p per cent are the first ⌊n·p/100⌋; so a place k serves the p
    from ⌈100·k/n⌉ to just below ⌈100·(k + 1)/n⌉, and no place serves those before the first.
    """
    by = [name for name in asked.groups if name not in ("of", "percent")]
    first = "(100 * place + players - 1) // players"
    after = "least((100 * (place + 1) + players - 1) // players, 101)"
    before = "(100 + players - 1) // players"
    return [
        *amount_steps(asked),
        *_ranked_steps(by),
        Step(
            "points",
            f"""
            SELECT {listed(by)} of, unnest(range({first}, {after})) AS percent,
                place AS counted, below, players, total
            FROM ranked
            UNION ALL
            SELECT {listed(by)} of, unnest(range(0, {before})), 0, 0, players, total
            FROM ranked WHERE place = 1
            """,
        ),
        Step(
            "lorenz",
            f"""
            SELECT {listed(by)} of, percent, players, counted, below, total,
                below / total AS share
            FROM points
            """,
        ),
    ]


LORENZ: Final = Study(
    name="economy.lorenz",
    question="Which share of the money do the poorest players have?",
    rows="a point of a Lorenz curve.",
    always=(UNIT, OF, Column("percent", "TINYINT", "The poorest so many, 0 to 100", unit="%")),
    columns=(
        Column("players", "BIGINT", "Players that it is about", unit="players"),
        Column("counted", "BIGINT", "The poorest of them, rounded down", unit="players"),
        Column("below", "HUGEINT", "What these have", unit=MONEY),
        Column("total", "HUGEINT", "What all have", unit=MONEY),
        Column("share", "DOUBLE", "The one of the other; `gini` of `economy.inequality` has the"
               " interval"),
    ),
    steps=lorenz_steps,
)  # fmt: skip

_POINTS: Final = (5, 25, 50, 75, 95)


def balance_steps(asked: Asked) -> list[Step]:
    """What players hold after their last game of each group."""
    by = list(asked.groups)
    points = ", ".join(str(point / 100) for point in _POINTS)
    named = ", ".join(f"points[{i}] AS p{point}" for i, point in enumerate(_POINTS, 1))
    return [
        *result_steps(asked, "started"),
        *last_balance_steps(by),
        Step(
            "summed",
            f"""
            SELECT {listed(by)} count(*) AS players, coalesce(sum(held), 0) AS held,
                quantile_disc(held, [{points}]) AS points
            FROM last_balances GROUP BY ALL
            """,
        ),
        Step("balances", f"SELECT {listed(by)} players, held, {named} FROM summed"),
    ]


BALANCES: Final = Study(
    name="economy.balances",
    question="How much do players hold, day by day?",
    rows="the players of a group of games that have amounts and a start.",
    by=("day",),
    always=(UNIT,),
    columns=(
        Column("players", "BIGINT", "Players who played", unit="players"),
        Column("held", "HUGEINT", "What they held after their last game of the group", unit=MONEY),
        *(
            Column(
                f"p{point}", "BIGINT", f"{point} % of them held at most this", "no player", MONEY
            )
            for point in _POINTS
        ),
    ),
    steps=balance_steps,
)

STUDIES: Final = (INEQUALITY, LORENZ, BALANCES)
