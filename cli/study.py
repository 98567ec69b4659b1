"""``paipu study``: what analysts ask of a warehouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from cli.asking import choosing_options
from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    memory_option,
    warehouse_option,
)
from cli.output import Listing, shortened, write_records
from cli.query import plain

if TYPE_CHECKING:
    import pandas as pd

    from analytics.studies import Studied, Study
    from analytics.studies.opening import About
    from analytics.warehouse.tables import Column
    from analytics.wording import Language


def _list(ctx: click.Context, _: click.Parameter, is_asked: Any) -> None:
    """All studies with their questions, one a line."""
    if not is_asked or ctx.resilient_parsing:
        return
    from analytics.studies import STUDIES
    from cli.tables import write_pairs

    write_pairs((study.name, study.question) for study in STUDIES.values())
    ctx.exit()


def _names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from analytics.studies import STUDIES

    return [name for name in STUDIES if name.startswith(incomplete)]


def _columns(_: click.Context, __: click.Parameter, given: Sequence[str]) -> list[str] | None:
    """Names of columns, given one by one or with commas; None: not given."""
    if not given:
        return None
    names = [name.strip() for text in given for name in text.split(",")]
    if names == [""]:
        return []
    if "" in names:
        message = f'{",".join(given)!r} has an empty name of a column; "" alone is for none.'
        raise click.BadParameter(message)
    return names


@click.command(
    epilog=examples(
        ("paipu study --list", "which studies there are"),
        ("paipu study kou --by ruleset --warehouse wh/", "kou by ruleset"),
        (
            "paipu study kou.length --by room,ending --since 2026-11-01 --warehouse wh/",
            "length of games by room and ending, from a day on",
        ),
        (
            "paipu study kou --where \"room = 'gold' AND seats = 4\" -w wh/ --format csv",
            "of some games only, as CSV",
        ),
    )
)
@click.argument("name", metavar="NAME", shell_complete=_names)
@warehouse_option
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List all studies and exit.",
)
@click.option(
    "--by",
    metavar="COLUMN,…",
    multiple=True,
    callback=_columns,
    help='Columns to group by; "" for none.  [default: those of the study]',
)
@choosing_options
@format_option("table", "json", "jsonl", "csv")
@memory_option
@lang_option
@debug_option
def study(
    *, name: str, warehouse: str, form: str, memory: str, language: Language, **asked: Any
) -> None:
    """Ask a study of a warehouse.

    Every rate stands beside its count and its opportunities, and has an interval of 95 %.
    Where there was no opportunity it is null, not zero.

    Exit status: 0 it was run; 2 it could not be run; 130 interrupted.
    \f

    [Studies](../studies.md) lists all of them with every column, its unit and what null means.

    `--by` takes columns of games (`room`, `ruleset`, `unit`, `deal`, `seats`, `ending`, `day`,
    `weekday`, `hour`, `arm`, `client`, `table_id`) and those of the study. `--where` may name
    these and all other columns of `games` and `verdicts`; it can read tables of the warehouse,
    nothing else, and cannot write. Days run from `--day-start` in the time zone `--tz`; with
    `--since` or `--until` games without a start are left out.

    `--format json` prints `{"schema": 1, "study", "games", "rulesets", "units", "by", "where",
    "since", "until", "day_start", "tz", "columns": [{"name", "type", "unit", "meaning", "null"}],
    "rows": [{column: value}]}`.
    """
    from analytics.studies import open_warehouse
    from analytics.studies.registry import study_of

    with open_warehouse(warehouse, memory=memory) as opened:
        _write(opened, study_of(name), asked, form, language)


def _write(
    opened: Studied, study: Study, asked: dict[str, Any], form: str, language: Language
) -> None:
    from analytics.studies.study import frame_columns

    frame = opened.study(study.name, **asked)
    about: About = frame.attrs["about"]
    columns = frame_columns(study, about.asked)
    listing = Listing("rows", tuple(frame.columns), shortened(form))
    head = {**_head(about), "columns": [_described(column) for column in columns]}
    write_records(records(frame, columns), listing, form, language, head=head, is_plain=True)


def _head(about: About) -> dict[str, Any]:
    asked = about.asked
    return {
        "study": about.study,
        "games": about.games,
        "rulesets": list(about.rulesets),
        "units": list(about.units),
        "by": list(asked.by),
        "where": asked.where,
        "since": plain(asked.since),
        "until": plain(asked.until),
        "day_start": asked.day_start.isoformat("auto" if asked.day_start.second else "minutes"),
        "tz": asked.zone,
    }


def _described(column: Column) -> dict[str, Any]:
    return {
        "name": column.name,
        "type": column.type,
        "unit": column.unit or None,
        "meaning": column.meaning,
        "null": column.null or None,
    }


def records(frame: pd.DataFrame, columns: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """The rows of a frame with values as JSON has them."""
    days = {column.name for column in columns if column.type == "DATE"}
    for values in frame.astype(object).itertuples(index=False, name=None):
        named = zip(frame.columns, values, strict=True)
        yield {name: _plain(value, is_day=name in days) for name, value in named}


def _plain(value: Any, *, is_day: bool) -> Any:
    import pandas as pd

    if not isinstance(value, list) and pd.isna(value):
        return None
    return value.date().isoformat() if is_day else plain(value)
