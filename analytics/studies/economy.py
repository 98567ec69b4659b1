"""Where the money goes: items, faucets and sinks, turnover, results. All from postings."""

from __future__ import annotations

from typing import Final

from analytics.ledger import ITEM_NAMES
from analytics.studies.asking import SCOPE, Asked, listed, same
from analytics.studies.intervals import deviation, ratio, share, wilson
from analytics.studies.scope import UNIT
from analytics.studies.study import Step, Study
from analytics.warehouse.tables import Column

BASE: Final = Column("base", "BIGINT", "The base X of the game", "no level", "the room's unit")
MONEY: Final = "the room's unit"
_NO_GAME: Final = "no game"
_FEW: Final = "fewer than two"
_NO_TURNOVER: Final = "nothing was lost"


def settled_steps(asked: Asked, *columns: str) -> list[Step]:
    """``settled``: the games that have amounts, with their base where it is asked for."""
    base = (
        "LEFT JOIN (SELECT game_key, base FROM shuangkou_settled WHERE seat = 0) USING (game_key)"
        if "base" in asked.groups
        else ""
    )
    return [
        Step(*asked.scope("settled", "unit", *columns)),
        Step("paid_games", f"SELECT * FROM {SCOPE} {base} WHERE settled"),
    ]


def result_steps(asked: Asked, *columns: str) -> list[Step]:
    """``results``: a row a seat of a game that has amounts, with its ``delta`` and ``fee``."""
    return [
        *settled_steps(asked, *columns),
        Step(
            "nets",
            """
            SELECT game_key, account AS seat, sum(amount)::BIGINT AS delta,
                coalesce(sum(amount) FILTER (item = 'fee'), 0)::BIGINT AS fee
            FROM postings SEMI JOIN paid_games USING (game_key)
            WHERE account >= 0 GROUP BY ALL
            """,
        ),
        Step(
            "results",
            """
            SELECT paid_games.*, seats.seat, player, balance, coalesce(delta, 0) AS delta,
                coalesce(fee, 0) AS fee, balance + coalesce(delta, 0) AS after
            FROM paid_games JOIN (SELECT game_key, seat, player, balance FROM seats) AS seats
            USING (game_key) LEFT JOIN nets USING (game_key, seat)
            """,
        ),
    ]


def item_steps(asked: Asked) -> list[Step]:
    """Postings by item, and which share of the money moves through each."""
    by = [name for name in asked.groups if name != "item"]
    low, high = ratio("moved", "whole", ("xx", "xy", "yy"), "games")
    return [
        *settled_steps(asked),
        *_moved_steps(by),
        Step(
            "counts",
            f"""
            SELECT {listed(by)} {list(ITEM_NAMES)}[nth + 1] AS item, count(*) AS postings,
                coalesce(sum(amount) FILTER (account >= 0 AND amount > 0), 0) AS received,
                coalesce(sum(amount) FILTER (account >= 0 AND amount < 0), 0) AS paid,
                coalesce(sum(amount) FILTER (account < 0), 0) AS system
            FROM own_postings JOIN paid_games USING (game_key) GROUP BY ALL
            """,
        ),
        Step(
            "items",
            f"""
            SELECT {listed(by, "counts")} counts.item, postings, games_with, games, received,
                paid, system, moved, moved / nullif(whole, 0) AS share, {low} AS share_low,
                {high} AS share_high
            FROM counts JOIN moved_items
            ON counts.item = moved_items.item AND {same(by, "counts", "moved_items")}
            """,
        ),
    ]


def _moved_steps(by: list[str]) -> list[Step]:
    """``moved_items``: by item what changed accounts, with the squares over games.

    A row a game with a column an item: one grouping of postings, by a number, in which items
    are numbers as well. Of one game sums fit 64 bits (clause 12), of their squares they do not.
    """
    places = " ".join(f"WHEN '{item}' THEN {nth}" for nth, item in enumerate(ITEM_NAMES))
    amounts = ", ".join(
        f"sum(if(nth = {nth} AND amount > 0, amount, 0))::HUGEINT AS m_{item}"
        for nth, item in enumerate(ITEM_NAMES)
    )
    sums = {
        "moved": (f"sum(m_{item})" for item in ITEM_NAMES),
        "xx": (f"sum(m_{item} * m_{item})" for item in ITEM_NAMES),
        "xy": (f"sum(m_{item} * whole)" for item in ITEM_NAMES),
        "games_with": (
            f"count(*) FILTER (items & {1 << nth} > 0)" for nth in range(len(ITEM_NAMES))
        ),
    }
    lists = (f"[{', '.join(each)}] AS {name}" for name, each in sums.items())
    return [
        Step(
            "own_postings",
            f"""
            SELECT game_key, account, amount, CASE item {places} END::UTINYINT AS nth
            FROM postings SEMI JOIN paid_games USING (game_key)
            """,
        ),
        Step(
            "by_game",
            f"""
            SELECT *, {" + ".join(f"m_{item}" for item in ITEM_NAMES)} AS whole
            FROM (SELECT game_key, {amounts}, bit_or(1::UTINYINT << nth) AS items
                  FROM own_postings GROUP BY ALL)
            """,
        ),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} count(*) AS games, sum(whole) AS whole,
                sum(whole * whole) AS yy, {", ".join(lists)}
            FROM paid_games LEFT JOIN by_game USING (game_key) GROUP BY ALL
            """,
        ),
        Step(
            "moved_items",
            f"""
            SELECT {listed(by)} games, whole, yy, unnest({list(ITEM_NAMES)}) AS item,
                unnest(moved) AS moved, unnest(xx) AS xx, unnest(xy) AS xy,
                unnest(games_with) AS games_with
            FROM totals
            """,
        ),
    ]


ITEMS: Final = Study(
    name="economy",
    question="Through which items does the money move, and what does the system get?",
    rows="an item in a group of games that have amounts.",
    own=(BASE,),
    always=(
        UNIT,
        Column("item", "VARCHAR", "What for, as in `postings`"),
    ),
    columns=(
        Column("postings", "BIGINT", "Postings of this item", unit="postings"),
        Column("games_with", "BIGINT", "Games that have one", unit="games"),
        Column("games", "BIGINT", "Games of the group", unit="games"),
        Column("received", "HUGEINT", "What seats received", unit=MONEY),
        Column("paid", "HUGEINT", "What seats paid, negative", unit=MONEY),
        Column("system", "HUGEINT", "What the system got (a sink), or gave: negative (a faucet)",
               unit=MONEY),
        Column("moved", "HUGEINT", "What changed accounts: all positive amounts", unit=MONEY),
        Column("share", "DOUBLE", "Share of all that changed accounts", "nothing moved"),
        Column("share_low", "DOUBLE", "Interval of a ratio of sums, lower end",
               "fewer than two games"),
        Column("share_high", "DOUBLE", "Interval of a ratio of sums, upper end",
               "fewer than two games"),
    ),
    steps=item_steps,
)  # fmt: skip


def turnover_steps(asked: Asked) -> list[Step]:
    """Turnover, fees, faucets, sinks, bankruptcies, velocity."""
    by = list(asked.groups)
    low, high = ratio("fees", "turnover", ("ff", "ft", "tt"), "games")
    ruin_low, ruin_high = wilson("bankruptcies", "solvent")
    return [
        *result_steps(asked, "system", "started"),
        Step(
            "by_game",
            f"""
            SELECT game_key, {listed(by)} any_value(system) AS system, -sum(fee) AS fees,
                -coalesce(sum(delta - fee) FILTER (delta < fee), 0) AS turnover,
                count(*) FILTER (balance > 0) AS solvent,
                count(*) FILTER (balance > 0 AND after <= 0) AS bankruptcies
            FROM results GROUP BY ALL
            """,
        ),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} count(*) AS games, coalesce(sum(turnover), 0) AS turnover,
                coalesce(sum(fees), 0) AS fees, sum(fees * fees) AS ff,
                sum(fees * turnover) AS ft, sum(turnover * turnover) AS tt,
                coalesce(sum(system) FILTER (system > 0), 0) AS sinks,
                -coalesce(sum(system) FILTER (system < 0), 0) AS faucets,
                coalesce(sum(solvent), 0) AS solvent, coalesce(sum(bankruptcies), 0) AS bankruptcies
            FROM by_game GROUP BY ALL
            """,
        ),
        *last_balance_steps(by),
        Step(
            "held",
            f"""
            SELECT {listed(by)} count(*) AS players, sum(held) AS held
            FROM last_balances GROUP BY ALL
            """,
        ),
        Step(
            "turnovers",
            f"""
            SELECT {listed(by, "totals")} games, turnover, fees,
                fees / nullif(turnover, 0) AS fee_share,
                if(turnover > 0, {low}, NULL) AS fee_share_low,
                if(turnover > 0, {high}, NULL) AS fee_share_high,
                sinks, faucets, sinks - faucets AS drain, bankruptcies, solvent,
                {share("bankruptcies", "solvent")} AS bankruptcy, {ruin_low} AS bankruptcy_low,
                {ruin_high} AS bankruptcy_high, coalesce(players, 0) AS players, held,
                if(held > 0, turnover / held, NULL) AS velocity
            FROM totals LEFT JOIN held ON {same(by, "totals", "held")}
            """,
        ),
    ]


def last_balance_steps(by: list[str]) -> list[Step]:
    """``last_balances``: what each player held after the last game of a group.

    The order is that of the start; games of one moment are taken in the order of their
    keys, which says nothing, but always the same. Games without a start are left out.
    """
    moment = "epoch_us(started)::HUGEINT * 18446744073709551616 + game_key"  # 2^64
    return [
        Step(
            "last_balances",
            f"""
            SELECT {listed(by)} player, arg_max(after, {moment}) AS held
            FROM results WHERE started IS NOT NULL GROUP BY ALL
            """,
        )
    ]


TURNOVER: Final = Study(
    name="economy.turnover",
    question="How much is played for, what does the house take, and where does money come from?",
    rows="a group of games that have amounts.",
    own=(BASE,),
    by=("day",),
    always=(UNIT,),
    columns=(
        Column("games", "BIGINT", "Games that have amounts", unit="games"),
        Column("turnover", "HUGEINT", "What seats lost in games, fees apart", unit=MONEY),
        Column("fees", "HUGEINT", "Fees that the system took", unit=MONEY),
        Column("fee_share", "DOUBLE", "Fees ÷ turnover", _NO_TURNOVER),
        Column("fee_share_low", "DOUBLE", "Interval of a ratio of sums, lower end",
               f"{_NO_TURNOVER}, or {_FEW} games"),
        Column("fee_share_high", "DOUBLE", "Interval of a ratio of sums, upper end",
               f"{_NO_TURNOVER}, or {_FEW} games"),
        Column("sinks", "HUGEINT", "What the system got in games in which it got something",
               unit=MONEY),
        Column("faucets", "HUGEINT", "What it gave in games in which it gave something",
               unit=MONEY),
        Column("drain", "HUGEINT", "Sinks less faucets: what left the players", unit=MONEY),
        Column("bankruptcies", "BIGINT", "Seats that had money before a game and none after it",
               unit="seats"),
        Column("solvent", "BIGINT", "Seats that had money before a game", unit="seats"),
        Column("bankruptcy", "DOUBLE", "The one of the other", "no seat had money"),
        Column("bankruptcy_low", "DOUBLE", "Wilson interval, lower end", "no seat had money"),
        Column("bankruptcy_high", "DOUBLE", "Wilson interval, upper end", "no seat had money"),
        Column("players", "BIGINT", "Players in games with a start", unit="players"),
        Column("held", "HUGEINT", "What these held after their last game of the group",
               "no game has a start", MONEY),
        Column("velocity", "DOUBLE", "Turnover ÷ held: how often the money changed hands",
               "nothing was held"),
    ),
    steps=turnover_steps,
)  # fmt: skip

_POINTS: Final = (1, 5, 25, 50, 75, 95, 99)


def spread_steps(asked: Asked) -> list[Step]:
    """How much seats gain and lose in a game."""
    by = list(asked.groups)
    low, high = ratio("total", "seat_games", ("xx", "xy", "yy"), "games")
    points = ", ".join(str(point / 100) for point in _POINTS)
    named = ", ".join(f"points[{i}] AS p{point}" for i, point in enumerate(_POINTS, 1))
    return [
        *result_steps(asked),
        Step(
            "totals",
            f"""
            SELECT {listed(by)} count(*) AS seat_games, coalesce(sum(delta), 0) AS total,
                sum(delta::HUGEINT * delta) AS squares, min(delta) AS worst, max(delta) AS best,
                quantile_disc(delta, [{points}]) AS points
            FROM results GROUP BY ALL
            """,
        ),
        Step(
            "by_game",
            f"""
            SELECT {listed(by)} game_key, count(*) AS seats, sum(delta) AS total
            FROM results GROUP BY ALL
            """,
        ),
        Step(
            "scatter",
            f"""
            SELECT {listed(by)} count(*) AS games, sum(total * total) AS xx,
                sum(total * seats) AS xy, sum(seats * seats) AS yy
            FROM by_game GROUP BY ALL
            """,
        ),
        Step(
            "spread",
            f"""
            SELECT {listed(by, "totals")} games, seat_games, total,
                total / nullif(seat_games, 0) AS mean, {low} AS mean_low, {high} AS mean_high,
                {deviation("total", "squares", "seat_games")} AS deviation, worst, {named}, best
            FROM totals JOIN scatter ON {same(by, "totals", "scatter")}
            """,
        ),
    ]


RESULTS: Final = Study(
    name="economy.results",
    question="How much does a seat gain or lose in a game?",
    rows="a group of games that have amounts.",
    own=(
        BASE,
        Column("seat", "TINYINT", "Seat from 0, in play order"),
    ),
    by=("ruleset",),
    always=(UNIT,),
    columns=(
        Column("games", "BIGINT", "Games of the group", unit="games"),
        Column("seat_games", "BIGINT", "Seats of these games", unit="seats"),
        Column("total", "HUGEINT", "What they gained in all, fees taken off", unit=MONEY),
        Column("mean", "DOUBLE", "Mean per seat and game", _NO_GAME, MONEY),
        Column("mean_low", "DOUBLE", "Interval of a ratio of sums over games, since what one"
               " seat gains another one loses; lower end", f"{_FEW} games", MONEY),
        Column("mean_high", "DOUBLE", "The same, upper end", f"{_FEW} games", MONEY),
        Column("deviation", "DOUBLE", "Standard deviation σ", f"{_FEW} seats", MONEY),
        Column("worst", "BIGINT", "The largest loss", _NO_GAME, MONEY),
        *(
            Column(f"p{point}", "BIGINT", f"{point} % of results are at most this", _NO_GAME, MONEY)
            for point in _POINTS
        ),
        Column("best", "BIGINT", "The largest gain", _NO_GAME, MONEY),
    ),
    steps=spread_steps,
)  # fmt: skip

STUDIES: Final = (ITEMS, TURNOVER, RESULTS)
