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
from cli.tune.heads import head_of_table, named, origin_of, write_head_of_table
from cli.tune.pages import made_of, page_option, write_page
from cli.tune.whatif import rules_option
from cli.words import said

if TYPE_CHECKING:
    import pandas as pd

    from analytics.wording import Language

PARTS: Final = ("sensitivity", "interactions")


def _metrics(_: click.Context, __: click.Parameter, given: Sequence[str]) -> list[str] | None:
    """Names of metrics of class (a), each once; None: not given."""
    if not given:
        return None
    from analytics.tuning.metrics import Class, names_of

    there = names_of(Class.A)
    parts = [name.strip() for text in given for name in text.split(",")]
    names = list(dict.fromkeys(name for name in parts if name))
    if not names:
        raise click.BadParameter(f"no metric is named. They are {', '.join(there)}.")
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
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=0),
    help="Of each metric only the N entries, or pairs, with the largest effect, in the data and "
    "in figures of a page, whose tables have all; 0: all.  [default: of json, jsonl and csv all; "
    "else 10, without those that have no effect]",
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
    top: int | None,
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

    `how` says `derivative` where two units make just twice the difference that one makes, which
    then is the exact derivative upwards, and `difference` where it is that of one unit.
    `interactions` has the pairs of entries that are multiplied with one another: what a unit in
    both does beyond what each does alone, of `moved` and `system`, or of the metrics asked for.
    [Tuning](../tune.md) lists the metrics. `paid_by` is the ruleset of the games, `baseline` the
    table that is asked about.

    `--format json` prints `{"schema": 1, "warehouse", "manifest", "engine", "paid_by": {"name",
    "version", "source", "hash"}, "baseline", "where", "since", "until", "day_start", "tz",
    "games", "groups", "sensitivity": [{"metric", "unit", "entry", "value", "effect", "relative",
    "how"}], "interactions": [{"metric", "unit", "entry", "other", "effect"}]}`.
    """
    from analytics.report.tuning import sensitivity_page
    from analytics.studies import open_warehouse
    from analytics.tuning.sensing import sense
    from analytics.tuning.sensitivity import FIRST
    from cli.rulesets import ruleset_of

    table = None if at is None else ruleset_of(at, rules_dirs)
    with open_warehouse(warehouse, memory=memory) as opened:
        found = sense(opened, table, metrics=metrics, **asked)
        which = opened.asked(**{name: asked[name] for name in CHOOSING})
        origin = made_of(opened, which)
    frames = {"sensitivity": found.sensitivity, "interactions": found.interactions}
    chosen = shown(frames, form, part=part, first=PARTS[0])
    if page is not None:
        bars = FIRST if top is None else top
        write_page(page, sensitivity_page(found, origin, language, top=bars))
    about = (found.ruleset, which, found.games, found.groups)
    if form == "table" and part is None:
        write_head_of_table(*about, language)
    cut = {name: _cut(frame, top, form) for name, frame in chosen.items()}
    head = {**origin_of(origin), "paid_by": named(found.paid_by), **head_of_table(*about)}
    write_frames(cut, head, form, language)
    if form == "table":
        for name, frame in chosen.items():
            _tell_left_out(frame, cut[name], name, language)


def _cut(frame: pd.DataFrame, top: int | None, form: str) -> pd.DataFrame:
    """The rows that are asked for; a table has no rows without effect, but of all."""
    from analytics.tuning.sensitivity import FIRST, foremost, with_effect

    if form != "table" or top == 0:
        return foremost(frame, top or 0)
    return foremost(with_effect(frame), top or FIRST)


def _tell_left_out(frame: pd.DataFrame, shown: pd.DataFrame, part: str, language: Language) -> None:
    """How many rows a table leaves out, and how many of these have no effect."""
    from analytics.tuning.sensitivity import with_effect

    if left_out := len(frame) - len(shown):
        zero = len(frame) - len(with_effect(frame))
        told = said("tune_left_out", language, part=part, count=left_out, zero=zero)
        click.echo(told, err=True)
