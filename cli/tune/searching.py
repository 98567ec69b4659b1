"""``paipu tune search``: tables that meet goals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import click

from cli.asking import choosing_options
from cli.failing import DIFFERENT, refused
from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    memory_option,
    quiet_option,
    rules_dir_option,
    warehouse_option,
)
from cli.output import Listing, shortened, write_records
from cli.progress import Tell, progress
from cli.query import plain
from cli.tune.heads import which_games
from cli.tune.pages import made_of, write_page
from cli.words import said

if TYPE_CHECKING:
    import pandas as pd

    from analytics.studies import Asked, Studied
    from analytics.tuning.search import Found
    from analytics.wording import Language

_DIGITS: Final = 6  # of a number that is no count, in a table


@click.command(
    epilog=examples(
        ("paipu tune search goals.toml --warehouse wh/ -o found/", "tables that meet goals"),
        (
            "paipu tune search goals.toml -w wh/ -o found/ --where \"room = 'gold'\" --format json",
            "by the games of one room, for other programs",
        ),
    )
)
@click.argument("goals", metavar="GOALS.toml", type=click.Path(path_type=Path))
@warehouse_option
@click.option(
    "--output",
    "-o",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for what is found: a ruleset and its what-if for each table, and search.html. "
    "Where it has rulesets of that name or search.html already, --force is needed.",
)
@click.option(
    "--force",
    "-f",
    is_flag=True,
    help="Overwrite files in DIR, and remove what an earlier search of the same name wrote there.",
)
@choosing_options
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@memory_option
@lang_option
@quiet_option
@debug_option
def search(
    *,
    goals: Path,
    warehouse: str,
    folder: Path,
    force: bool,
    rules_dirs: Sequence[str],
    form: str,
    memory: str,
    language: Language,
    is_quiet: bool,
    **chosen: Any,
) -> None:
    """Search for scoring tables that meet goals.

    GOALS.toml says what of the table may change, what must hold (net issue a day, fees, the
    worst losses, bankruptcies, shares of items), and what is wanted. Tables are whole numbers
    that never fall, with as few different values as you ask for. What is found is a Pareto set:
    nothing in it is beaten in everything that is wanted. Its rulesets pass `paipu rules check`.

    What players did is held fixed: another table might have made them play otherwise.

    Exit status: 0 tables were found; 1 none meets all that is required, and what is missed by
    how much is printed; 2 it could not be done; 130 interrupted.
    \f

    [Tuning](../tune.md) explains goals and metrics. The same seed gives the same tables.

    `--format json` prints `{"schema": 1, "goals", "baseline", "where", "since", "until",
    "day_start", "tz", "tried", "feasible", "tables": [{"name", "file", "hash", "changed",
    metric: value}], "shortfalls": [{"requirement", "bound", "value", "miss", "miss_share",
    "closest"}]}`; the other formats have tables or shortfalls.
    """
    from analytics.rules import load_rulesets
    from analytics.studies import open_warehouse
    from analytics.tuning.goals import load_goals
    from analytics.tuning.searching import publish, search_games, write_rulesets

    wanted = load_goals(goals)
    given = goals.read_bytes().decode()
    parents = load_rulesets(rules_dirs).rulesets
    _check_folder(folder, wanted.name, goals, force=force)
    with (
        _made(folder) as made,
        open_warehouse(warehouse, memory=memory) as opened,
        progress(language, is_quiet=is_quiet, sentence="searching") as tell,
    ):
        which = opened.asked(**chosen)
        found = search_games(opened, wanted, tell=telling(tell), **chosen)
        files = {name: folder / f.name for name, f in write_rulesets(found, made, parents)}
        _write_pages(opened, found, given, made, language, chosen)
        publish(made, folder, wanted.name)
    if not found.is_baseline_tried:
        click.echo(said("baseline_not_tried", language), err=True)
    if not is_quiet:
        numbers = {"tried": found.tried, "feasible": found.feasible}
        name = "found" if files else "not_found"
        told = said(name, language, **numbers, written=len(files), folder=folder)
        click.echo(told, err=True)
    _write(found, files, which, form, language)
    click.get_current_context().exit(0 if files else DIFFERENT)


def _check_folder(folder: Path, name: str, goals: Path, *, force: bool) -> None:
    """Looks before any work whether something is in the way.

    Raises:
        Failure: files of a search are there, without ``force``; or the goals would be overwritten.
    """
    from analytics.tuning.searching import files_of, is_named_by

    there = files_of(folder, name)
    if there and not force:
        raise refused("exists", path=there[0])
    if is_named_by(goals, name) and folder.resolve() == goals.resolve().parent:
        raise refused("goals_in_the_way", path=goals)


@contextmanager
def _made(folder: Path) -> Iterator[Path]:
    """A folder in that one for what is not complete; one that was made goes after a failure.

    Raises:
        OSError: nothing can be written.
    """
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".unfinished-", dir=folder) as made:
            yield Path(made)
    except BaseException:
        with suppress(OSError):  # not empty, or never made
            for path in new:
                path.rmdir()
        raise


def _write_pages(
    opened: Studied,
    found: Found,
    given: str,
    folder: Path,
    language: Language,
    chosen: dict[str, Any],
) -> None:
    """A page of the search, and a what-if for each ruleset."""
    from analytics.report.tuning import search_page, whatif_page
    from analytics.tuning.in_order import compare_in_order
    from analytics.tuning.metrics import Class
    from analytics.tuning.searching import PAGE, needs
    from analytics.tuning.whatif import what_if

    write_page(
        folder / PAGE,
        search_page(found, made_of(opened, opened.asked(**chosen)), given, language),
    )
    asked = {**chosen, "rules": found.baseline.at}
    is_dynamic = needs(found.goals, Class.C)
    for ruleset in found.rulesets:
        in_order = compare_in_order(opened, ruleset, **asked) if is_dynamic else None
        page = whatif_page(what_if(opened, ruleset, **asked), language, in_order)
        write_page(folder / f"{ruleset.name}.html", page)


def telling(tell: Tell) -> Callable[[int, int], None]:
    """Tells of a run that counts something else than games."""
    from analytics.jobs import Progress

    return lambda done, expected: tell(Progress(done, 0, expected, ""))


def _write(
    found: Found, files: dict[str, Path], which: Asked, form: str, language: Language
) -> None:
    from analytics.tuning.searching import metrics_of

    tables = found.tables.assign(file=[str(files[name]) for name in found.tables["name"]])
    shown = ["name", "file", "changed", *metrics_of(found.goals)]
    own = tables if form == "json" else tables[list(dict.fromkeys(shown))]
    chosen = ("tables", own) if files or form == "json" else ("shortfalls", found.shortfalls)
    head = {
        "goals": found.goals.name,
        "baseline": {"ruleset": found.baseline.at, "hash": found.baseline.hash},
        **which_games(which),
        "tried": found.tried,
        "feasible": found.feasible,
    }
    write_records(
        records(chosen[1]),
        Listing(chosen[0], tuple(chosen[1].columns), shortened(form, _DIGITS)),
        form,
        language,
        head=head,
        tail=lambda: {"shortfalls": list(records(found.shortfalls))},
        is_plain=True,
    )


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame with values as JSON has them; null for what is not known."""
    import pandas as pd

    rows = frame.astype(object).to_dict(orient="records")
    return [{k: None if pd.isna(v) else plain(v) for k, v in row.items()} for row in rows]
