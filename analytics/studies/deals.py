"""Deals: whether cards are dealt as they should be. Source: rules clauses 2, 3 and 5.2.

Each row is one test: of a measure, in one seat or in all of them together, against what a
shuffled deal gives exactly, or against a dealing model of the simulator. p-values are
corrected over all rows of the frame.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from analytics.studies.asking import SCOPE, Asked, listed
from analytics.studies.dealing_models import Model, model_of
from analytics.studies.fair import Measure, as_floats, measures
from analytics.studies.intervals import Z
from analytics.studies.significance import detectable, holm, p_of_score, p_of_sum
from analytics.studies.study import Step, Study
from analytics.warehouse.tables import Column

LEVEL: Final = 0.01  # chance that a frame of honest deals has any alarm
POWERS: Final = (0.8, 0.9)

AS_EXPECTED: Final = "as expected"
NOT_COMPARABLE: Final = "not comparable"
FIXED: Final = "always the same"

_SQL: Final = {
    "bombs": "rank_bombs",
    "jokers": "jokers",
    "joker_bombs": "(jokers >= 3)::TINYINT",
    "repeated": "repeated",
    "spades": "spades",
    "hearts": "hearts",
    "clubs": "clubs",
    "diamonds": "diamonds",
}


def deals_steps(asked: Asked) -> list[Step]:
    """What was dealt to each seat, and to all seats of a game together."""
    groups = [name for name in asked.groups if name not in ("measure", "seat")]
    own = listed(groups)
    sums = ", ".join(f"sum({sql}) AS {name}" for name, sql in _SQL.items())
    names = ", ".join(f"'{name}'" for name in _SQL)
    return [
        Step(*asked.scope("ruleset")),
        Step(
            "dealt",
            f"""
            SELECT {own} seat, count(*) AS games, {sums},
                count(*) FILTER (knows AND seat = leader) AS leads,
                count(*) FILTER (knows AND seat = (leader + 2) % 4 AND seats = 4) AS opposite
            FROM (
                SELECT {listed(groups, SCOPE)} hands.*, leader,
                    shown IS NOT NULL AND {SCOPE}.ruleset NOT IN (
                        SELECT ruleset FROM rulesets WHERE lead_policy = 'any'
                    ) AS knows
                FROM {SCOPE}
                JOIN shuangkou_seats AS hands USING (game_key)
                JOIN shuangkou_games USING (game_key)
                WHERE rank_bombs IS NOT NULL
            )
            GROUP BY ALL
            """,
        ),
        Step(
            "of_seats",
            f"""
            SELECT {own} seat, games, leads, opposite, unnest([{names}]) AS measure,
                unnest([{", ".join(_SQL)}]) AS observed
            FROM dealt
            """,
        ),
        Step(
            "of_all",
            f"""
            SELECT {own} NULL::TINYINT AS seat, max(games) AS games, sum(leads) AS leads,
                sum(opposite) AS opposite, measure, sum(observed) AS observed
            FROM of_seats GROUP BY ALL
            """,
        ),
        Step(
            "deals",
            f"""
            SELECT *, {", ".join(f"NULL AS {name}" for name in FOUND)}
            FROM (FROM of_seats UNION ALL BY NAME FROM of_all)
            """,
        ),
    ]


class _Row(NamedTuple):
    """What is tested in a row, and what came of it."""

    measure: Measure
    model: Model
    seats: int
    seat: int | None
    games: int
    observed: int
    expected: float
    deviation: float  # of observed less expected

    @property
    def place(self) -> int:
        """Of the seat, or of all seats, in the columns of a model."""
        return self.seats if self.seat is None else self.seat

    @property
    def p(self) -> float:
        """By chance alone."""
        if self.deviation == 0:
            return np.nan
        if self.model.games is not None:
            return p_of_score((self.observed - self.expected) / self.deviation)
        is_all = self.seat is None
        odds = self.measure.totals(self.seats) if is_all else as_floats(self.measure.hand)
        shift = self.expected - self.games * self.model.means[self.place]
        variance = self.model.variances[self.place]
        return p_of_sum(odds, self.games, self.observed, variance, shift)


def judged(frame: Any, _: Asked) -> Any:
    """Fills in what SQL cannot know: expectations, p-values, verdicts, what was missed."""
    rows = [_row_of(each) for each in frame.itertuples(index=False)]
    ps = np.array([np.nan if row is None else row.p for row in rows])
    corrected = holm(ps)
    level = LEVEL / max(1, int((~np.isnan(ps)).sum()))
    beside = _beside_other_seats(frame, rows)
    found = [
        (_numbers(row, level), p, fixed, _verdict(row, fixed, contrast))
        for row, p, fixed, contrast in zip(rows, ps, corrected, beside, strict=True)
    ]
    for nth, name in enumerate(_NUMBERS):
        frame[name] = np.array([numbers[nth] for numbers, *_ in found], np.float64)
    frame["p"] = ps
    frame["p_corrected"] = corrected
    frame["verdict"] = [verdict for *_, verdict in found]
    frame["model"] = [_model_text(each) for each in frame.itertuples(index=False)]
    return frame


def _row_of(given: Any) -> _Row | None:
    """A row of the frame; None where nothing can be said of this way of dealing."""
    seats, games = int(given.seats), int(given.games)
    model = model_of(_text(given.deal), seats, given.measure)
    if model is None:
        return None
    seat = _whole(given.seat)
    place = seats if seat is None else seat
    measure = measures()[given.measure]
    expected = games * float(model.means[place])
    if seat is not None and model.games is None:
        expected += _by_role(measure, seats, int(given.leads), int(given.opposite), games)
    deviation = float(np.sqrt(model.variance_of(place, games)))
    return _Row(measure, model, seats, seat, games, int(given.observed), expected, deviation)


def _by_role(measure: Measure, seats: int, leading: int, opposite: int, games: int) -> float:
    """How much more a seat is expected to get, since it sits where it sits (clause 5.2).

    Of two players both roles are worth the same. Of four, who holds the twin of the shown
    card sits opposite the leader, so that a hand there is a little different.
    """
    if seats == 2 or leading == 0:
        return 0.0
    lead, across, other = (float(mean - measure.mean) for mean in measure.by_role(seats))
    share = opposite + leading  # games in which this seat is the leader or opposite
    others = games - share
    return leading * lead + opposite * across + others * other


def _beside_other_seats(frame: Any, rows: list[_Row | None]) -> list[float]:
    """The normal score of each seat beside the mean of the others; 0 for all seats."""
    groups = frame.columns[: frame.columns.get_loc("games")].drop("seat")
    # A null is None there: a room may be called "nan".
    keys = frame[groups].astype(object).where(frame[groups].notna(), None)
    keys = list(keys.itertuples(index=False, name=None))
    excess: dict[tuple[Any, ...], float] = {}
    for key, row in zip(keys, rows, strict=True):
        if row is not None and row.seat is not None:
            excess[key] = excess.get(key, 0.0) + row.observed - row.expected
    return [
        0.0 if row is None or row.seat is None else _contrast(row, excess[key])
        for key, row in zip(keys, rows, strict=True)
    ]


def _contrast(row: _Row, excess: float) -> float:
    own = row.observed - row.expected
    others = (excess - own) / (row.seats - 1)
    spread = row.games * float(row.measure.variance - row.measure.covariance)
    return float((own - others) / np.sqrt(spread * row.seats / (row.seats - 1)))


def _verdict(row: _Row | None, p: float, contrast: float) -> str:
    if row is None:
        return NOT_COMPARABLE
    if row.deviation == 0:
        return FIXED
    if p >= LEVEL:
        return AS_EXPECTED
    is_more = row.observed > row.expected
    is_own = p_of_score(contrast) < LEVEL and (contrast > 0) == is_more
    if row.seat is None or not row.measure.is_good or not is_own:
        return "too many" if is_more else "too few"
    return f"seat {row.seat} {'favoured' if is_more else 'slighted'}"


def _numbers(row: _Row | None, level: float) -> tuple[float, ...]:
    """The values of ``_NUMBERS``."""
    if row is None:
        return (np.nan,) * len(_NUMBERS)
    hands = row.games * (row.seats if row.seat is None else 1)
    rate, half = row.observed / hands, Z * row.deviation / hands
    missed = [
        float(detectable(np.array(row.deviation), level, power)) / row.expected for power in POWERS
    ]
    excess = row.observed / row.expected - 1
    return row.expected, rate, rate - half, rate + half, excess, *missed


def _model_text(given: Any) -> str | None:
    name = _text(given.deal)
    if name is None:
        return "uniform, assumed"
    return name if model_of(name, int(given.seats), given.measure) is not None else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | np.integer) else None


_NUMBERS: Final = ("expected", "rate", "rate_low", "rate_high", "excess", "missed_80", "missed_90")
FOUND: Final = (*_NUMBERS, "p", "p_corrected", "verdict", "model")
_NO_MODEL: Final = "not comparable"
_NO_TEST: Final = "not comparable, or always the same"

DEALS: Final = Study(
    name="deals",
    question="Are the cards dealt honestly?",
    rows="a measure of the hands of a seat, or of all seats, in a group of games.",
    by=("room", "day"),
    always=(
        Column("deal", "VARCHAR", "The dealing mode", "not logged"),
        Column("seats", "TINYINT", "Number of seats"),
        Column("measure", "VARCHAR", "What is counted: `bombs` (ranks dealt four times or more), "
               "`jokers`, `joker_bombs` (hands with three jokers or more), `repeated` (faces "
               "dealt twice to one hand), `spades`, `hearts`, `clubs`, `diamonds`"),
        Column("seat", "TINYINT", "Seat from 0", "all seats together"),
    ),
    columns=(
        Column("games", "BIGINT", "Games whose deal could be read", unit="games"),
        Column("leads", "BIGINT", "Hands that lead by the shown card", unit="hands"),
        Column("opposite", "BIGINT", "Of four players: hands opposite to those", unit="hands"),
        Column("observed", "BIGINT", "How much of the measure was dealt"),
        Column("expected", "DOUBLE", "How much is expected", _NO_MODEL),
        Column("rate", "DOUBLE", "Observed, per hand", _NO_MODEL, "per hand"),
        Column("rate_low", "DOUBLE", "95 % interval by the exact variance, lower end", _NO_MODEL,
               "per hand"),
        Column("rate_high", "DOUBLE", "The same, upper end", _NO_MODEL, "per hand"),
        Column("excess", "DOUBLE", "Observed beyond expected, as a share of that", _NO_MODEL),
        Column("missed_80", "DOUBLE", "An excess that would be found in 80 % of such samples: "
               "smaller ones may have been missed", _NO_MODEL),
        Column("missed_90", "DOUBLE", "The same for 90 %", _NO_MODEL),
        Column("p", "DOUBLE", "How often chance alone strays so far", _NO_TEST),
        Column("p_corrected", "DOUBLE", "The same, corrected for all rows (Holm)", _NO_TEST),
        Column("verdict", "VARCHAR", "`as expected`, `too many`, `too few`, `seat N favoured`, "
               "`seat N slighted`, `always the same` or `not comparable`"),
        Column("model", "VARCHAR", "What is expected: `uniform`, exactly; `uniform, assumed`, "
               "where no mode was logged; or a dealing model of the simulator", _NO_MODEL),
    ),
    steps=deals_steps,
    order=(),
    finish=judged,
)  # fmt: skip

STUDIES: Final = (DEALS,)
