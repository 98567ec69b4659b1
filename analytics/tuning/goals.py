"""Goals of a search: what of a table may change, what must hold, and what is wanted."""

# Without "from __future__ import annotations": msgspec reads the annotations at run time.

from collections.abc import Iterator
from pathlib import Path as File
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from analytics.rules.mistakes import Path, Problem, nearest, problem
from analytics.rules.model import MAX_BASE, MAX_FEE
from analytics.rules.row import MAX_ROWS
from analytics.tuning.metrics import METRICS
from analytics.tuning.typed_toml import load_typed

# The one metric of a search that games know nothing of.
CHANGED: Final = "changed"  # entries of the table that differ from the baseline

_MOST_TABLES: Final = 1_000_000

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[\w.-]+\Z")]  # what a ruleset can be called
Entry: TypeAlias = Annotated[int, Meta(ge=-MAX_FEE, le=MAX_FEE)]


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whole numbers that the entries of a setting may take.

    Attributes:
        least, most: the bounds of every entry.
        step: entries are ``least`` plus a multiple of it.
        steps: how many different values the entries may have at most; None: any number.
    """

    least: Entry
    most: Entry
    step: Annotated[int, Meta(ge=1, le=MAX_BASE)] = 1
    steps: Annotated[int, Meta(ge=1, le=MAX_ROWS)] | None = None

    def mistakes(self, at: Path) -> Iterator[Problem]:
        """What is wrong with it, at a path."""
        if self.least > self.most:
            yield _crossed(at, self.least, self.most)


class Vary(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What of ``[scoring]`` may change; the rest stays as the baseline has it.

    Entries of a table never fall from one to the next.

    Attributes:
        kou: multipliers of ping, dan, shuang (two seats).
        doubling, contribution: the multipliers of all rows.
        base: the bases of all levels, or the fixed one.
        fee, escape_times, share: as the settings of these names.
    """

    kou: Range | None = None
    doubling: Range | None = None
    contribution: Range | None = None
    base: Range | None = None
    fee: Range | None = None
    escape_times: Range | None = None
    share: Range | None = None

    def mistakes(self, at: Path) -> Iterator[Problem]:
        """What is wrong with it, at a path."""
        if all(getattr(self, name) is None for name in self.__struct_fields__):
            yield problem(at, "rules.missing", "nothing may change")


class Require(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must hold.

    Attributes:
        metric: its name.
        least, most: its bounds; one of them may be missing.
        per: a sum is divided by the days, or by the games.
    """

    metric: str
    least: float | None = None
    most: float | None = None
    per: Literal["day", "game"] | None = None

    def mistakes(self, at: Path) -> Iterator[Problem]:
        """What is wrong with it, at a path."""
        yield from _of_metric(self.metric, self.per, at)
        if self.least is None and self.most is None:
            yield problem(at, "rules.missing", "either least or most is expected, or both")
        elif self.least is not None and self.most is not None and self.least > self.most:
            yield _crossed(at, self.least, self.most)


class Want(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is wanted.

    Attributes:
        metric: its name.
        aim: ``most``, ``least``, or ``near`` a value.
        value: the value to be near to.
        per: a sum is divided by the days, or by the games.
    """

    metric: str
    aim: Literal["most", "least", "near"]
    value: float | None = None
    per: Literal["day", "game"] | None = None

    def mistakes(self, at: Path) -> Iterator[Problem]:
        """What is wrong with it, at a path."""
        yield from _of_metric(self.metric, self.per, at)
        if self.aim == "near" and self.value is None:
            yield problem((*at, "value"), "rules.missing", "{key} is missing", key="value")
        if self.aim != "near" and self.value is not None:
            template = "{key} has no effect: it applies only with {needed}"
            needed = 'aim = "near"'
            yield problem((*at, "value"), "rules.no-effect", template, key="value", needed=needed)


class Goals(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Goals of a search.

    Attributes:
        name: of the rulesets that are found; they get a number each.
        rules: the baseline, name or name@version; None: games have only one ruleset.
        seed: of all chance.
        tables: how many tables are tried at most.
        write: how many of the Pareto set are written at most.
        vary: what may change.
        require: what must hold.
        want: what is wanted; where nothing is, as few changes as can be.
    """

    name: Name
    rules: str | None = None
    seed: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 1
    tables: Annotated[int, Meta(ge=1, le=_MOST_TABLES)] = 10_000
    write: Annotated[int, Meta(ge=1, le=100)] = 5
    vary: Vary
    require: tuple[Require, ...] = ()
    want: tuple[Want, ...] = ()

    def mistakes(self, at: Path) -> Iterator[Problem]:
        """What is wrong with it, at a path."""
        if self.name.startswith("."):
            template = "{value} begins with a dot: its files would be hidden"
            yield problem((*at, "name"), "rules.name", template, value=f'"{self.name}"')


FEWEST_CHANGES: Final = Want(metric=CHANGED, aim="least")
METRICS_OF_SEARCH: Final = (CHANGED, *METRICS)


def load_goals(file: File) -> Goals:
    """The goals that a file holds.

    Raises:
        RulesetError: with every mistake, its line and the nearest name.
    """
    return load_typed(file, Goals)


def _crossed(at: Path, least: float, most: float) -> Problem:
    template = "least is {least}, more than most, {most}"
    return problem(at, "rules.value", template, least=f"{least:,}", most=f"{most:,}")


def _of_metric(name: str, per: str | None, at: Path) -> Iterator[Problem]:
    if name not in METRICS_OF_SEARCH:
        template = "{value} is no metric of a search"
        near = nearest(name, METRICS_OF_SEARCH)
        yield problem((*at, "metric"), "rules.value", template, near=near, value=f'"{name}"')
    elif per is not None and not (name in METRICS and METRICS[name].is_sum):
        template = "{value} is no sum, which could be divided"
        yield problem((*at, "per"), "rules.value", template, value=name)
