"""``paipu rules check``: every mistake in ruleset files, with file, line and path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import DIFFERENT, UNUSABLE, Failure
from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    quiet_option,
    strict_option,
)
from cli.output import Listing, emit, write_records
from cli.records import is_failing
from cli.tables import cell
from cli.words import said

if TYPE_CHECKING:
    from analytics.rules import Mistake
    from analytics.wording import Language

COLUMNS: Final = ("file", "line", "path", "severity", "code", "message")


@click.command(
    epilog=examples(
        ("paipu rules check houses/", "every *.toml in a folder"),
        ("paipu rules check houses/gold.toml --strict", "warnings, too, are failures"),
        ("paipu rules check houses/ --format jsonl", "for other programs"),
    )
)
@click.argument("files", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path())
@format_option("table", "json", "jsonl", "csv")
@lang_option
@strict_option
@quiet_option
@debug_option
@click.pass_context
def check(
    ctx: click.Context,
    files: tuple[str, ...],
    *,
    form: str,
    language: Language,
    is_strict: bool,
    is_quiet: bool,
) -> None:
    """Check ruleset files: all mistakes at once, each with file, line and path.

    This runs what loading runs; errors would stop a verification, warnings would not.
    The presets, and the other files in the same folders, are there as parents.

    Exit status: 0 no errors; 1 errors (with --strict also warnings); 2 a file cannot be
    read, or there is none.
    """
    from analytics.rules import check_files

    count = _count(files)
    mistakes = check_files(files)
    if form == "table":
        emit("".join(cell(str(mistake)) + "\n" for mistake in mistakes))
    else:
        write_records(map(_record, mistakes), Listing("mistakes", COLUMNS), form, language)
    if not is_quiet:
        click.echo(_summary(mistakes, count, language), err=True)
    ctx.exit(_status(mistakes, is_strict=is_strict))


def _count(paths: Iterable[str]) -> int:
    """The number of files that are meant."""
    files: set[Path] = set()
    for path in map(Path, paths):
        files.update(path.glob("*.toml") if path.is_dir() else [path])
    if not files:
        raise Failure("there is no *.toml in these folders.")
    return len(files)


def _record(mistake: Mistake) -> dict[str, Any]:
    given = {**mistake._asdict(), "severity": mistake.severity.value}
    return {name: given[name] for name in COLUMNS}


def _summary(mistakes: Sequence[Mistake], files: int, language: Language) -> str:
    severities = [mistake.severity.value for mistake in mistakes]
    errors, warnings = severities.count("error"), severities.count("warning")
    return said("checked", language, files=files, errors=errors, warnings=warnings)


def _status(mistakes: Iterable[Mistake], *, is_strict: bool) -> int:
    found = list(mistakes)
    if any(mistake.code == "rules.unreadable" for mistake in found):
        return UNUSABLE
    is_bad = any(is_failing(m.severity.value, is_strict=is_strict) for m in found)
    return DIFFERENT if is_bad else 0
