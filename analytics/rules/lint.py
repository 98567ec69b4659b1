"""What a ruleset's settings say beside one another: the checks of ``rules check``.

Every check takes the settings that apply and could be read, by key, and yields
what is wrong; it is called only where all the settings that it needs are there.
Source: rules clauses 4, 6 to 9 and 12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, TypeAlias

from analytics.rules import reach
from analytics.rules.mistakes import Path, Problem
from analytics.rules.model import Levels, Table

Settings: TypeAlias = Mapping[str, Any]
Check: TypeAlias = Callable[[Settings], Iterator[Problem]]

_ENDLESS: Final = 10**9  # above every xiang: the last row of a table holds for ever
_PAYERS: Final = 3  # clause 8.3: each other seat of four pays a third


def lint(settings: Settings) -> list[Problem]:
    """Everything that is wrong between settings.

    Args:
        settings: by key, without those that do not apply.

    >>> [problem.code for problem in lint({"seats": 4, "on_escape": "settle"})]
    ['rules.escape-seats']
    >>> lint({"kou_cards": 7})
    Traceback (most recent call last):
    ...
    AttributeError: 'int' object has no attribute 'dan'
    """
    return [
        problem
        for check, needed in CHECKS
        if all(key in settings for key in needed)
        for problem in check(settings)
    ]


def _escape_seats(settings: Settings) -> Iterator[Problem]:
    if settings["seats"] == 4 and settings["on_escape"] == "settle":
        message = 'with four seats an escape cannot settle the game: "trustee" is expected'
        yield Problem(("play", "on_escape"), "rules.escape-seats", message)


def _share_of_nothing(settings: Settings) -> Iterator[Problem]:
    if settings["escape_parts"] == "none" and settings["share"]:
        message = 'with escape_parts = "none" the whole penalty goes to the system'
        yield Problem(("scoring", "share"), "rules.no-effect", message)


def _kou_cards(settings: Settings) -> Iterator[Problem]:
    cards = settings["kou_cards"]
    if cards.dan >= cards.shuang:
        message = f"dan begins at {cards.dan} cards left, shuang at {cards.shuang}, not above"
        yield Problem(("scoring", "kou_cards"), "rules.kou-cards", message)


def _kou_falls(settings: Settings) -> Iterator[Problem]:
    kou = settings["kou"]
    for (_, before), (name, times) in pairwise([("", 0), *kou._asdict().items()]):
        if times < before:
            message = f"{name} is {times}, less than {before} before it"
            yield Problem(("scoring", "kou", name), "rules.fall", message)


def _mint(settings: Settings) -> Iterator[Problem]:
    for kou, row in settings["places"]._asdict().items():
        if surplus := sum(row):
            verb = "mints" if surplus > 0 else "burns"
            message = (
                f"the places add up to {surplus}: every such game {verb} {abs(surplus)} times "
                f"the base, multiplied by its doubling"
            )
            yield Problem(("scoring", "places", kou), "rules.mint", message)


def _levels(settings: Settings) -> Iterator[Problem]:
    base = settings["base"]
    if not isinstance(base, Levels):
        return
    for row, (low, high) in enumerate(pairwise(base.rows), start=1):
        at = ("scoring", "base", "levels", row)
        if high.required <= low.required:
            message = f"{high.required} does not lie above {low.required} of the level before"
            yield Problem(at, "rules.levels", message)
        if high.base < low.base:
            message = f"the base falls from {low.base} to {high.base}"
            yield Problem(at, "rules.level-fall", message)


def _indivisible(settings: Settings) -> Iterator[Problem]:
    if settings["seats"] != 4:
        return
    for xiang, times in settings["contribution"]:
        if times % _PAYERS:
            message = f"{times} cannot be split among {_PAYERS} seats without a remainder"
            yield Problem(_row("contribution", xiang), "rules.indivisible", message)


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
            message = f"no seat can reach {xiang} with 27 cards: the highest is {max(reached)}"
            if xiang < max(reached):
                message = f"no seat can reach a xiang from {xiang} to {following - 1}"
            yield Problem(_row(key, xiang), "rules.unreachable", message)
        elif following < _ENDLESS and holds_for[-1] > xiang:
            missing = ", ".join(str(x) for x in holds_for if x > xiang)
            message = f"before it there is no row for {missing}, which get {times}, that of {xiang}"
            yield Problem(_row(key, following), "rules.gap", message)


def _doubling_falls(settings: Settings) -> Iterator[Problem]:
    yield from _falls("doubling", settings["doubling"], below=1)


def _contribution_falls(settings: Settings) -> Iterator[Problem]:
    yield from _falls("contribution", settings["contribution"], below=0)


def _falls(key: str, table: Table, below: int) -> Iterator[Problem]:
    for (_, before), (xiang, times) in pairwise([(0, below), *table]):
        if times < before:
            message = f"{xiang} gives {times}, a lower xiang {before}"
            yield Problem(_row(key, xiang), "rules.fall", message)


def _row(key: str, xiang: int) -> Path:
    return ("scoring", key, str(xiang))


def _cap(settings: Settings) -> Iterator[Problem]:
    cap, highest = settings["xiang_cap"], max(reach.effective_xiang(settings))
    if cap is not None and cap > highest:
        message = f"no seat can reach {cap} with 27 cards: the highest is {highest}"
        yield Problem(("xiang", "xiang_cap"), "rules.cap", message)


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
