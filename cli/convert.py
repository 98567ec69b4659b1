"""``paipu convert``: recorded games from any form into any other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import DIFFERENT, refused, why_not
from cli.logs import sources_of
from cli.options import (
    debug_option,
    encoding_option,
    examples,
    lang_option,
    logs_argument,
    quiet_option,
    rules_dir_option,
)
from cli.records import place_of
from cli.words import said

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.logs import GameBatch, Source
    from analytics.rules import Rulebook
    from analytics.wording import Language
    from cli.progress import Tell

STANDARD_OUTPUT: Final = "-"
PARQUET: Final = ".parquet"
LINES: Final = tuple(f"{kind}{packed}" for kind in (".jsonl", ".ndjson", ".json")
                     for packed in ("", ".gz", ".zst"))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was asked for; the names are those of the parameters below."""

    output: str
    rules_dirs: Sequence[str]
    language: Language
    encoding: str | None
    keep_extra: bool
    skip_bad: bool
    force: bool
    is_quiet: bool


@dataclass
class Count:
    """What has passed so far: games, and lines that are left out."""

    games: int = 0
    left_out: int = 0


class Unfinished(click.ClickException):
    """Lines cannot be read, so that nothing may appear."""

    exit_code = DIFFERENT


@click.command(
    epilog=examples(
        ("paipu convert logs/ -o november.parquet", "one file, the fastest to verify and load"),
        ("paipu convert a.jsonl b.jsonl.gz -o both.jsonl.zst --keep-extra", "losing nothing"),
        ("paipu convert november.parquet -o november.jsonl", "and back"),
        ("paipu convert old/ -o new.jsonl --encoding gbk --skip-bad", "what can be read of it"),
    )
)
@logs_argument
@click.option(
    "--output",
    "-o",
    metavar="OUT",
    type=click.Path(dir_okay=False),
    required=True,
    help="The file to write; its ending says how: .jsonl, .jsonl.gz, .jsonl.zst or .parquet. "
    "With - JSON Lines go to standard output.",
)
@click.option("--keep-extra", is_flag=True, help="Keep fields that the format does not know.")
@click.option("--skip-bad", is_flag=True, help="Leave out lines that cannot be read.")
@click.option("--force", "-f", is_flag=True, help="Overwrite OUT.")
@rules_dir_option
@encoding_option
@lang_option
@quiet_option
@debug_option
def convert(logs: tuple[str, ...], **options: Any) -> None:
    """Write recorded games as JSON Lines or Parquet.

    LOG is a file, a folder, a glob, or - for standard input. Games are copied in their
    order and as they were recorded, wrong results included; what the log format knows
    survives every conversion there and back, all else with --keep-extra. Nothing is
    written where a line cannot be read, unless it may be left out; OUT appears when it is
    complete.

    Exit status: 0 all games are written; 1 lines cannot be read, and nothing is written;
    2 it could not be done; 130 interrupted.
    \f

    There and back: a log that was written by `convert` comes out the same, byte by byte,
    after any chain of conversions with --keep-extra. A log that was not may change in what
    means nothing: order of keys, blanks, escapes and the spelling of times. Times keep their
    offset; amounts are never anything but integers. On standard output the lines that can be
    read have been written when the exit status is 1.
    """
    _run(logs, Options(**options))


def _run(logs: Sequence[str], asked: Options) -> None:
    from analytics.rules import load_rulesets
    from cli.progress import progress

    begun = time.perf_counter()
    write = writer_of(asked.output)
    rulebook = load_rulesets(asked.rules_dirs)
    sources = sources_of(logs, asked.language, is_quiet=asked.is_quiet)
    _check_output(asked, sources)
    count = Count()
    with progress(asked.language, is_quiet=asked.is_quiet) as tell:
        batches = _batches(sources, rulebook, asked, count, tell)
        # A writer that is not given all games leaves nothing behind.
        write(_all_or_none(batches, asked, count), asked.output)
    if not asked.is_quiet:
        seconds = round(time.perf_counter() - begun, 3)
        numbers = {"games": count.games, "bad": count.left_out, "seconds": seconds}
        click.echo(said("converted", asked.language, output=asked.output, **numbers), err=True)


def _all_or_none(batches: Iterable[GameBatch], asked: Options, count: Count) -> Iterator[GameBatch]:
    """The batches, and in the end an exception where they may not stand."""
    yield from batches
    if count.left_out and not asked.skip_bad:
        why = why_not("left_out", path=asked.output, count=count.left_out)
        raise Unfinished(why)
    if not count.games:
        raise refused("no_game")


def writer_of(output: str) -> Callable[[Iterable[GameBatch], str], int]:
    """The function that writes a file with this ending.

    Raises:
        BadParameter: there is none.
    """
    from analytics.logs import write_jsonl, write_parquet

    if output.endswith(PARQUET):
        return write_parquet
    if output == STANDARD_OUTPUT or output.endswith(LINES):
        return write_jsonl
    endings = ", ".join((PARQUET, *LINES))
    raise click.BadParameter(f"{output}: the ending is none of {endings}.", param_hint="--output")


def _check_output(asked: Options, sources: Sequence[Source]) -> None:
    """Nothing is overwritten by accident, and no log by itself."""
    is_there = os.path.exists(asked.output)
    if is_there and any(
        os.path.exists(s.path) and os.path.samefile(s.path, asked.output) for s in sources
    ):
        raise refused("read_too", path=asked.output)
    check_free(asked.output, force=asked.force)


def check_free(output: str, *, force: bool) -> None:
    """A file can be written: its folder is there, and nothing else under its name.

    Raises:
        Failure: it cannot, or must not without ``force``.
    """
    folder = os.path.dirname(output)
    if folder and not os.path.isdir(folder):
        raise refused("no_folder", path=folder)
    if os.path.exists(output) and not force:
        raise refused("exists", path=output)


def _batches(
    sources: Sequence[Source], rulebook: Rulebook, asked: Options, count: Count, tell: Tell
) -> Iterator[GameBatch]:
    """The games of all sources; what else the readers say is told."""
    from analytics import compiled
    from analytics.findings import Finding
    from analytics.jobs import Progress
    from analytics.jobs.verifying import estimate_games
    from analytics.logs import read

    expected = estimate_games(sources)
    compiled.expect(expected or 0)
    for source in sources:
        for item in read(source, rulebook, keep_extra=asked.keep_extra, encoding=asked.encoding):
            if isinstance(item, Finding):
                _tell_finding(item, asked, count)
                continue
            count.games += len(item)
            yield item
            tell(Progress(count.games, count.left_out, expected, source.path))


def _tell_finding(finding: Finding, asked: Options, count: Count) -> None:
    from analytics.findings import Severity
    from analytics.wording import sentence

    is_note = finding.severity is Severity.INFO  # fields that nobody knows, for instance
    if not is_note:
        count.left_out += 1
    if not (is_note and (asked.is_quiet or asked.keep_extra)):
        text = f"{place_of(finding)}: {finding.code.text}: {sentence(finding, asked.language)}"
        click.echo(text, err=True)
