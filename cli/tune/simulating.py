"""``paipu tune simulate``: what becomes of the money of simulated players under tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import Failure
from cli.options import (
    MAX_JOBS,
    debug_option,
    examples,
    format_option,
    lang_option,
    quiet_option,
    rules_dir_option,
    ruleset_names,
)
from cli.output import Listing, shortened, write_records
from cli.progress import Tell, progress
from cli.tune.frames import dated
from cli.tune.pages import page_option, write_page
from cli.tune.searching import records, telling

if TYPE_CHECKING:
    from analytics.rules import Ruleset
    from analytics.wording import Language

_START: Final = "2026-01-05T00:00:00+08:00"  # a Monday
_MOST: Final = 1_000_000_000
_DIGITS: Final = 6


@click.command(
    epilog=examples(
        ("paipu tune simulate jiule new.toml", "the money of players under two tables"),
        (
            "paipu tune simulate new.toml --games 20000 --days 14 --runs 20 -j 2 -o money.html",
            "many runs of two weeks, as a page with bands",
        ),
    )
)
@click.argument("tables", metavar="RULES...", nargs=-1, required=True, shell_complete=ruleset_names)
@rules_dir_option
@click.option(
    "--games", type=click.IntRange(1, _MOST), default=2_000, show_default=True,
    help="Games of each run.",
)  # fmt: skip
@click.option(
    "--players", type=click.IntRange(2, 10_000_000),
    help="Players at a time.  [default: enough for so many games]",
)  # fmt: skip
@click.option(
    "--days", type=click.IntRange(1, 3_660), default=7, show_default=True,
    help="Days of each run.",
)  # fmt: skip
@click.option(
    "--runs", type=click.IntRange(1, 10_000), default=5, show_default=True,
    help="Runs under each table, each with a seed of its own.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True,
    help="Of the first run; the next ones count on.",
)  # fmt: skip
@click.option(
    "--jobs", "-j", metavar="N", type=click.IntRange(1, MAX_JOBS), default=1, show_default=True,
    help="Processes that work at once; the output does not depend on it.",
)  # fmt: skip
@page_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@quiet_option
@debug_option
def simulate(
    *,
    tables: Sequence[str],
    rules_dirs: Sequence[str],
    runs: int,
    seed: int,
    jobs: int,
    page: Path | None,
    form: str,
    language: Language,
    is_quiet: bool,
    **wanted: Any,
) -> None:
    """Simulate populations of players under scoring tables, day by day.

    Simulated players meet by what they own, win and lose, come back, and leave when they are
    broke. What they hold, how unequal that is, how many are ruined, whether money grows or
    dwindles and where levels drift is told for each day: the median of the runs, with a band
    from the least to the greatest; of n runs it leaves out n/20 at either end, rounded down, so
    that it holds at least nine in ten. One run has no band. Every table has the same seeds.
    Players do not know the table: they play as they would under any other.

    Exit status: 0 it was simulated; 2 it could not be; 130 interrupted.
    \f

    [Tuning](../tune.md) explains the figures. `--format json` prints `{"schema": 1, "tables":
    [{"ruleset", "hash"}], "games", "players", "days", "runs", "seed", "over_time": [{"table",
    "figure", "day", "value", "low", "high"}]}`. For the logs themselves: `paipu simulate`.
    """
    from analytics.tuning.standing import over_time

    rulesets = _distinct(tables, rules_dirs)
    asked = {**wanted, "runs": runs, "seed": seed}
    with progress(language, is_quiet=is_quiet, sentence="running") as tell:
        frame = over_time(_played(rulesets, asked, jobs, tell))
    if page is not None:
        from analytics.report.tuning import MadeOf, population_page
        from analytics.warehouse.filling import engine

        origin = MadeOf(None, None, engine())
        write_page(page, population_page(frame, rulesets, origin, asked, language))
    head = {"tables": [{"ruleset": r.at, "hash": r.hash} for r in rulesets], **asked}
    listing = Listing("over_time", tuple(frame.columns), shortened(form, _DIGITS))
    write_records(records(dated(frame)), listing, form, language, head=head, is_plain=True)


def _distinct(tables: Sequence[str], rules_dirs: Sequence[str]) -> list[Ruleset]:
    """The rulesets, which must be told apart by their names, and have one unit.

    Raises:
        Failure: two have one name and version.
        CannotTune: amounts are in several units.
    """
    from analytics.tuning.units import check_unit
    from cli.rulesets import ruleset_of

    rulesets = [ruleset_of(table, rules_dirs) for table in tables]
    names = [ruleset.at for ruleset in rulesets]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Failure(f"{twice} stands there twice: give one of them another name or version.")
    for other in rulesets[1:]:
        check_unit(rulesets[0], other)
    return rulesets


def _played(rulesets: Sequence[Ruleset], asked: dict[str, Any], jobs: int, tell: Tell) -> Any:
    from analytics.simulate import CannotSimulate, Wanted
    from analytics.tuning.population import populations

    start = datetime.fromisoformat(_START)
    own = {name: asked[name] for name in ("games", "players", "days", "seed")}
    try:
        return populations(
            rulesets,
            Wanted(rules="", start=start, **own),
            runs=asked["runs"],
            jobs=jobs,
            tell=telling(tell),
        )
    except CannotSimulate as problem:
        raise Failure(str(problem)) from problem
