"""What a ruleset's settings say beside one another: the checks of ``rules check``.

Every check takes the settings that apply and could be read, by key, and yields
what is wrong; it is called only where all the settings that it needs are there.
Source: rules clauses 4, 6 to 9 and 12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any, Final, TypeAlias

from analytics.rules import reach
from analytics.rules.mistakes import Path, Problem, problem
from analytics.rules.model import MAX_CHAIN, Levels, Table
from analytics.rules.row import MAX_XIANG

Settings: TypeAlias = Mapping[str, Any]
Check: TypeAlias = Callable[[Settings], Iterator[Problem]]

_ENDLESS: Final = 10**9  # above every xiang: the last row of a table holds for ever
_PAYERS: Final = 3  # clause 8.3: each other seat of four pays a third

_MINTS: Final = (
    "the places add up to {surplus}: every such game mints {times} times the base, "
    "multiplied by its doubling"
)
_BURNS: Final = (
    "the places add up to {surplus}: every such game burns {times} times the base, "
    "multiplied by its doubling"
)
_TOO_HIGH: Final = "no seat can reach {xiang} with 27 cards: the highest is {most}"


def lint(settings: Settings, unknown: Iterable[str] = ()) -> list[Problem]:
    """Everything that is wrong between settings.

    Args:
        settings: by key, without those that do not apply.
        unknown: the keys of settings that could not be read. What is said then holds
            whatever they may be.

    >>> [problem.code for problem in lint({"seats": 4, "on_escape": "settle"})]
    ['rules.escape-seats']
    >>> [problem.code for problem in lint({"seats": 4}, ["on_escape"])]
    []
    >>> lint({"kou_cards": 7})
    Traceback (most recent call last):
    ...
    AttributeError: 'int' object has no attribute 'dan'
    """
    choices = {key: CHOICES[key] for key in unknown if key in CHOICES}
    return [
        problem
        for check, needed in CHECKS
        if all(key in settings or key in choices for key in needed)
        for problem in _whatever(check, settings, {k: choices[k] for k in needed if k in choices})
    ]


def _whatever(
    check: Check, settings: Settings, choices: Mapping[str, Sequence[Any]]
) -> list[Problem]:
    """What a check finds with every choice for the settings that are not known."""
    runs = [
        list(check({**settings, **dict(zip(choices, values, strict=True))}))
        for values in product(*choices.values())
    ]
    always = set.intersection(*({(p.path, p.code) for p in run} for run in runs))
    return [p for p in runs[-1] if (p.path, p.code) in always]


def _escape_seats(settings: Settings) -> Iterator[Problem]:
    if settings["seats"] == 4 and settings["on_escape"] == "settle":
        template = 'with four seats an escape cannot settle the game: "trustee" is expected'
        yield problem(("play", "on_escape"), "rules.escape-seats", template)


def _share_of_nothing(settings: Settings) -> Iterator[Problem]:
    if settings["escape_parts"] == "none" and settings["share"]:
        template = 'with escape_parts = "none" the whole penalty goes to the system'
        yield problem(("scoring", "share"), "rules.no-effect", template)


def _kou_cards(settings: Settings) -> Iterator[Problem]:
    cards = settings["kou_cards"]
    if cards.dan >= cards.shuang:
        template = "dan begins at {dan} cards left, shuang at {shuang}, not above"
        at = ("scoring", "kou_cards")
        yield problem(at, "rules.kou-cards", template, **cards._asdict())


def _kou_falls(settings: Settings) -> Iterator[Problem]:
    kou = settings["kou"]
    for (_, before), (name, times) in pairwise([("", 0), *kou._asdict().items()]):
        if times < before:
            template = "{name} is {times}, less than {before} before it"
            values: dict[str, Any] = {"name": name, "times": times, "before": before}
            yield problem(("scoring", "kou", name), "rules.fall", template, **values)


def _mint(settings: Settings) -> Iterator[Problem]:
    for kou, row in settings["places"]._asdict().items():
        if surplus := sum(row):
            template = _MINTS if surplus > 0 else _BURNS
            values: dict[str, Any] = {"surplus": surplus, "times": abs(surplus)}
            yield problem(("scoring", "places", kou), "rules.mint", template, **values)


def _levels(settings: Settings) -> Iterator[Problem]:
    base = settings["base"]
    if not isinstance(base, Levels):
        return
    for row, (low, high) in enumerate(pairwise(base.rows), start=1):
        at = ("scoring", "base", "levels", row)
        if high.required <= low.required:
            template = "{high} does not lie above {low} of the level before"
            values: dict[str, Any] = {"high": high.required, "low": low.required}
            yield problem(at, "rules.levels", template, **values)
        if high.base < low.base:
            template = "the base falls from {low} to {high}"
            yield problem(at, "rules.level-fall", template, low=low.base, high=high.base)


def _indivisible(settings: Settings) -> Iterator[Problem]:
    if settings["seats"] != 4:
        return
    for xiang, times in settings["contribution"]:
        if times % _PAYERS:
            template = "{times} cannot be split among {payers} seats without a remainder"
            at = _row("contribution", xiang)
            values: dict[str, Any] = {"times": times, "payers": _PAYERS}
            yield problem(at, "rules.indivisible", template, **values)


def _doubling_table(settings: Settings) -> Iterator[Problem]:
    reached = reach.capped(reach.effective_xiang(settings), settings["xiang_cap"])
    yield from _table("doubling", settings["doubling"], reached)


def _contribution_table(settings: Settings) -> Iterator[Problem]:
    by_seat = settings["contribution_mode"] == "max"
    found = reach.effective_xiang(settings) if by_seat else reach.bomb_xiang(settings)
    yield from _table(
        "contribution", settings["contribution"], reach.capped(found, settings["xiang_cap"])
    )


def _table(key: str, table: Table, reached: Iterable[int]) -> Iterator[Problem]:
    """Gaps between reachable rows, and rows that hold for no reachable xiang."""
    for (xiang, times), (following, _) in pairwise([*table, (_ENDLESS, 0)]):
        holds_for = sorted(x for x in reached if xiang <= x < following)
        if not holds_for:
            yield _unreachable(_row(key, xiang), xiang, following - 1, max(reached))
        elif following < _ENDLESS and holds_for[-1] > xiang:
            missing = ", ".join(str(x) for x in holds_for if x > xiang)
            template = "before it there is no row for {missing}, which get {times}, that of {xiang}"
            values: dict[str, Any] = {"missing": missing, "times": times, "xiang": xiang}
            yield problem(_row(key, following), "rules.gap", template, **values)


def _unreachable(at: Path, low: int, high: int, most: int) -> Problem:
    """A row that no seat can reach: above everything, or between what can be reached."""
    if low < most:
        template = "no seat can reach a xiang from {low} to {high}"
        return problem(at, "rules.unreachable", template, low=low, high=high)
    return problem(at, "rules.unreachable", _TOO_HIGH, xiang=low, most=most)


def _doubling_falls(settings: Settings) -> Iterator[Problem]:
    yield from _falls("doubling", settings["doubling"], below=1)


def _contribution_falls(settings: Settings) -> Iterator[Problem]:
    yield from _falls("contribution", settings["contribution"], below=0)


def _falls(key: str, table: Table, below: int) -> Iterator[Problem]:
    for (_, before), (xiang, times) in pairwise([(0, below), *table]):
        if times < before:
            template = "{xiang} gives {times}, a lower xiang {before}"
            values: dict[str, Any] = {"xiang": xiang, "times": times, "before": before}
            yield problem(_row(key, xiang), "rules.fall", template, **values)


def _row(key: str, xiang: int) -> Path:
    return ("scoring", key, str(xiang))


def _cap(settings: Settings) -> Iterator[Problem]:
    cap, highest = settings["xiang_cap"], max(reach.effective_xiang(settings))
    if cap is not None and cap > highest:
        at = ("xiang", "xiang_cap")
        yield problem(at, "rules.cap", _TOO_HIGH, xiang=cap, most=highest)


# What the settings may be that decide on others and whose values are few (clause 11); the
# last one is what allows most.
CHOICES: Final[Mapping[str, Sequence[Any]]] = {
    "seats": (2, 4),
    "on_escape": ("settle", "trustee"),
    "escape_parts": ("points", "wealth", "none"),
    "contribution_mode": ("max", "each"),
    "wild": ((), ("small",), ("big",), ("big", "small")),
    "chain_min": tuple(range(MAX_CHAIN, 1, -1)),
    "linked": (False, True),
    "xiang_cap": (*range(1, MAX_XIANG), None),
}
# Each check, and the settings that it needs.
CHECKS: Final[tuple[tuple[Check, tuple[str, ...]], ...]] = (
    (_escape_seats, ("seats", "on_escape")),
    (_share_of_nothing, ("escape_parts", "share")),
    (_kou_cards, ("kou_cards",)),
    (_kou_falls, ("kou",)),
    (_mint, ("places",)),
    (_levels, ("base",)),
    (_indivisible, ("seats", "contribution")),
    (_doubling_table, ("doubling", *reach.NEEDED)),
    (_doubling_falls, ("doubling",)),
    (_contribution_table, ("contribution", "contribution_mode", *reach.NEEDED)),
    (_contribution_falls, ("contribution",)),
    (_cap, reach.NEEDED),
)
