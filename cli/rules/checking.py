"""``paipu rules check``: every mistake in ruleset files, with file, line and path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import DIFFERENT, UNUSABLE, refused
from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    quiet_option,
    rules_dir_option,
    ruleset_names,
    strict_option,
)
from cli.output import Listing, emit, write_records
from cli.records import is_failing
from cli.tables import cell
from cli.words import said

if TYPE_CHECKING:
    from analytics.rules import Checked, Mistake
    from analytics.wording import Language

COLUMNS: Final = ("file", "line", "path", "severity", "code", "message")


@click.command(
    epilog=examples(
        ("paipu rules check houses/", "every *.toml in a folder"),
        ("paipu rules check houses/gold.toml --strict", "warnings, too, are failures"),
        ("paipu rules check baibian", "a preset, by its name"),
        ("paipu rules check houses/ --format jsonl", "for other programs"),
    )
)
@click.argument(
    "places",
    metavar="FILE|DIR|NAME[@VERSION]...",
    nargs=-1,
    required=True,
    shell_complete=ruleset_names,
)
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@strict_option
@quiet_option
@debug_option
@click.pass_context
def check(
    ctx: click.Context,
    places: tuple[str, ...],
    *,
    rules_dirs: Sequence[str],
    form: str,
    language: Language,
    is_strict: bool,
    is_quiet: bool,
) -> None:
    """Check rulesets: all mistakes at once, each with file, line and path.

    This runs what loading runs; errors would stop a verification, warnings would not.
    The presets, the other files in the same folders, and those of --rules-dir are there as
    parents. A warning that a parent's setting causes is given for the child as well.

    A NAME means a preset, or a ruleset of --rules-dir. A file that still has the name and
    version of a preset, as `paipu rules show` writes it, is an error: two rulesets cannot
    both be meant by one name.

    Exit status: 0 no errors; 1 errors (with --strict also warnings); 2 a file cannot be
    read, or there is none.
    """
    from analytics.rules import check as check_places
    from analytics.wording import mistake_line

    found = check_places(places, rules_dirs)
    if not (found.sources or found.mistakes):
        raise refused("no_toml")
    if form == "table":
        emit("".join(f"{cell(mistake_line(each, language))}\n" for each in found.mistakes))
    else:
        records = (_record(each, language) for each in found.mistakes)
        write_records(records, Listing("mistakes", COLUMNS), form, language)
    if not is_quiet:
        click.echo(_summary(found, language), err=True)
    ctx.exit(_status(found.mistakes, is_strict=is_strict))


def _record(mistake: Mistake, language: Language) -> dict[str, Any]:
    from analytics.wording import mistake_sentence

    message = mistake_sentence(mistake, language)
    given = {**mistake._asdict(), "severity": mistake.severity.value, "message": message}
    return {name: given[name] for name in COLUMNS}


def _summary(found: Checked, language: Language) -> str:
    severities = [mistake.severity.value for mistake in found.mistakes]
    errors, warnings = severities.count("error"), severities.count("warning")
    return said("checked", language, files=len(found.sources), errors=errors, warnings=warnings)


def _status(mistakes: Sequence[Mistake], *, is_strict: bool) -> int:
    if any(mistake.code == "rules.unreadable" for mistake in mistakes):
        return UNUSABLE
    is_bad = any(is_failing(m.severity.value, is_strict=is_strict) for m in mistakes)
    return DIFFERENT if is_bad else 0
