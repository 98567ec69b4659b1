"""``paipu tune sensitivity``: what one unit more in each entry of a table does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.asking import CHOOSING, choosing_options
from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    memory_option,
    rules_dir_option,
    ruleset_names,
    warehouse_option,
)
from cli.tune.frames import part_option, shown, write_frames
from cli.tune.heads import head_of_table, write_head_of_table
from cli.tune.pages import made_of, page_option, write_page
from cli.tune.whatif import rules_option

if TYPE_CHECKING:
    from analytics.wording import Language

PARTS: Final = ("sensitivity", "interactions")


def _metrics(_: click.Context, __: click.Parameter, given: Sequence[str]) -> list[str] | None:
    """Names of metrics of class (a); None: not given."""
    if not given:
        return None
    from analytics.tuning.metrics import Class, names_of

    there = names_of(Class.A)
    names = [name.strip() for text in given for name in text.split(",") if name.strip()]
    for name in names:
        if name not in there:
            raise click.BadParameter(f"{name!r} is none of {', '.join(there)}.")
    return names


@click.command(
    epilog=examples(
        ("paipu tune sensitivity --warehouse wh/", "the table by which the games were paid"),
        (
            "paipu tune sensitivity --at new.toml --metric turnover,p99 -w wh/",
            "two metrics, of another table on the same games",
        ),
        (
            "paipu tune sensitivity -w wh/ --part interactions --format csv",
            "which entries multiply one another",
        ),
    )
)
@warehouse_option
@click.option(
    "--at",
    metavar="RULES",
    shell_complete=ruleset_names,
    help="The table: a file, or the name of a ruleset.  [default: that of the games]",
)
@click.option(
    "--metric",
    "metrics",
    metavar="NAME,…",
    multiple=True,
    callback=_metrics,
    help="Only these metrics; may be repeated.  [default: all]",
)
@rules_option
@rules_dir_option
@choosing_options
@part_option(PARTS)
@page_option
@format_option("table", "json", "jsonl", "csv")
@memory_option
@lang_option
@debug_option
def sensitivity(
    *,
    warehouse: str,
    at: str | None,
    metrics: list[str] | None,
    rules_dirs: Sequence[str],
    page: Path | None,
    part: str | None,
    form: str,
    memory: str,
    language: Language,
    **asked: Any,
) -> None:
    """Tell what one unit more in each entry of a table does to each metric.

    Of sums the effect is the exact derivative; of what is no sum, such as percentiles, it is
    the difference that one unit makes. The entry of which one per cent does most stands first.

    Exit status: 0 it was worked out; 2 it could not be; 130 interrupted.
    \f

    `how` says `derivative` where the effect is exact whatever the size of the change, until a
    result changes its sign, and `difference` where it is that of one unit. `interactions` has
    the pairs of entries that are multiplied with one another: what a unit in both does beyond
    what each does alone, of `moved` and `system`, or of the metrics asked for.
    [Tuning](../tune.md) lists the metrics.

    `--format json` prints `{"schema": 1, "baseline": {"name", "version", "source", "hash"},
    "where", "since", "until", "day_start", "tz", "games", "groups", "sensitivity": [{"metric",
    "unit", "entry", "value", "effect", "relative", "how"}], "interactions": [{"metric", "unit",
    "entry", "other", "effect"}]}`.
    """
    from analytics.report.tuning import sensitivity_page
    from analytics.studies import open_warehouse
    from analytics.tuning.sensing import sense
    from cli.rulesets import ruleset_of

    table = None if at is None else ruleset_of(at, rules_dirs)
    with open_warehouse(warehouse, memory=memory) as opened:
        found = sense(opened, table, metrics=metrics, **asked)
        which = opened.asked(**{name: asked[name] for name in CHOOSING})
        origin = made_of(opened, which)
    frames = {"sensitivity": found.sensitivity, "interactions": found.interactions}
    chosen = shown(frames, form, part=part, first=PARTS[0])
    if page is not None:
        write_page(page, sensitivity_page(found, origin, language))
    about = (found.ruleset, which, found.games, found.groups)
    if form == "table" and part is None:
        write_head_of_table(*about, language)
    write_frames(chosen, head_of_table(*about), form, language)
