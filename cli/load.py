"""``paipu load``: recorded games into a warehouse."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import DIFFERENT, UNUSABLE, refused
from cli.logs import sources_of
from cli.options import (
    allow_empty_option,
    cluster_option,
    debug_option,
    encoding_option,
    examples,
    format_option,
    jobs_option,
    lang_option,
    logs_argument,
    quiet_option,
    rules_dir_option,
    shard_mb_option,
    strict_option,
    warehouse_option,
)
from cli.output import Listing, write_records
from cli.records import is_failing
from cli.tables import write_pairs
from cli.words import heading, said

if TYPE_CHECKING:
    from analytics.warehouse.loading import Loaded
    from analytics.wording import Language

LISTING: Final = Listing(
    "files",
    ("path", "status", "games", "added", "copies", "conflicts", "collisions", "pruned", "file_key"),
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was asked for; the names are those of the parameters below."""

    warehouse: str
    rules_dirs: Sequence[str]
    form: str
    language: Language
    tz: str | None
    jobs: int | None
    cluster: str | None
    shard_mb: float
    encoding: str | None
    is_strict: bool
    allow_empty: bool
    is_quiet: bool


@click.command(
    epilog=examples(
        ("paipu load logs/ --warehouse wh/", "a folder of logs; the warehouse is made"),
        ("paipu load 'logs/2026-11-*.jsonl.zst' --warehouse wh/ --jobs 8", "with eight processes"),
        ("paipu load logs/ --warehouse wh/ --format json", "what became of every file, as JSON"),
    )
)
@logs_argument
@warehouse_option
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@click.option(
    "--tz",
    metavar="ZONE",
    help="Time zone in which the days of a new warehouse begin; it cannot be changed later.  "
    "[default: Asia/Shanghai]",
)
@jobs_option
@cluster_option("the warehouse")
@shard_mb_option(64.0)
@strict_option
@allow_empty_option
@encoding_option
@quiet_option
@debug_option
@click.pass_context
def load(ctx: click.Context, /, logs: tuple[str, ...], **options: Any) -> None:
    """Verify recorded games and store them in a warehouse.

    LOG is a file (JSON Lines or Parquet, also gzip or zstd), a folder, a glob, or - for
    standard input. A load counts as a whole or not at all; one that was killed is taken up
    where it was. Games that are there already are counted and left out, and a file that was
    loaded before is not read again, unless lines of it were refused that may be read now. One
    command at a time writes to a warehouse; a second one ends at once and says so.

    Exit status: 0 all games verified and equal, or there already; 1 findings of severity
    error (with --strict also warning), or games left out because of another game with their
    id; 2 it could not be done; 130 interrupted.
    \f

    What is stored is in [the tables](../tables.md), how in [warehouse](../warehouse.md).

    `--format json` prints `{"schema": 1, "summary": {"games", "added", "copies", "conflicts",
    "collisions", "pruned", "verified", "mismatched", "unreadable", "by_code": {code: n},
    "rows": {table: n}, "bytes", "seconds"}, "files": [{"path", "status", "games", "added",
    "copies", "conflicts", "collisions", "pruned", "file_key"}]}`. `status` is `loaded`, `known`
    for a file that was loaded before, or `refused` where no game of the load could be read, so
    that nothing was stored. `copies` are games that this load or the warehouse has already;
    `conflicts` are games whose id another game has (finding `format.duplicate`); `collisions`
    are games whose id has by chance the key of another id; `pruned` are games of days that
    `paipu prune` took out.
    """
    ctx.exit(_run(logs, Options(**options), time.perf_counter()))


def _run(logs: Sequence[str], asked: Options, begun: float) -> int:
    from analytics.jobs import Ways
    from analytics.rules import load_rulesets
    from analytics.warehouse.loading import load as load_logs
    from cli.progress import progress

    ways = Ways(
        jobs=asked.jobs,
        cluster=asked.cluster,
        encoding=asked.encoding,
        shard_bytes=int(asked.shard_mb * 2**20),
    )
    rulebook = load_rulesets(asked.rules_dirs)
    sources = sources_of(logs, asked.language, is_quiet=asked.is_quiet)
    with progress(asked.language, is_quiet=asked.is_quiet) as tell:
        loaded = load_logs(
            sources, Path(asked.warehouse), rulebook, zone=asked.tz, ways=ways, on_progress=tell
        )
    _write(loaded, asked, round(time.perf_counter() - begun, 3))
    return _status(loaded, asked)


def _write(loaded: Loaded, asked: Options, seconds: float) -> None:
    is_stored = loaded.summary is None or loaded.summary.games > 0
    records = [_record(asdict(file), is_stored=is_stored) for file in loaded.files]
    summary = _summary(loaded, seconds)
    write_records(records, LISTING, asked.form, asked.language, head={"summary": summary})
    if asked.form == "table":
        click.echo()
        names = ("by_code", "rows")
        write_pairs((heading(n, asked.language), v) for n, v in summary.items() if n not in names)
        for name in names:
            if summary[name]:
                click.echo(heading(name, asked.language))
                write_pairs(summary[name].items(), indent="  ")
    elif asked.form != "json" and not asked.is_quiet:
        click.echo(said("loaded", asked.language, **summary), err=True)


def _record(file: dict[str, Any], *, is_stored: bool) -> dict[str, Any]:
    status = "known" if file.pop("was_known") else "loaded" if is_stored else "refused"
    return {"path": file.pop("path"), "status": status, **file}


def _summary(loaded: Loaded, seconds: float) -> dict[str, Any]:
    counts = ("games", "added", "copies", "conflicts", "collisions", "pruned")
    of_run = ("verified", "mismatched", "unreadable")
    return {
        **{name: sum(getattr(file, name) for file in loaded.files) for name in counts},
        **{name: getattr(loaded.summary, name) if loaded.summary else 0 for name in of_run},
        "by_code": dict(loaded.summary.by_code) if loaded.summary else {},
        "rows": dict(loaded.rows),
        "bytes": loaded.bytes,
        "seconds": seconds,
    }


def _status(loaded: Loaded, asked: Options) -> int:
    if any(file.conflicts or file.collisions for file in loaded.files):
        return DIFFERENT
    if loaded.summary is None:  # every file was there already
        return 0
    if not loaded.summary.games:
        if asked.allow_empty and not loaded.summary.unreadable:
            return 0
        refused("no_game").show()
        return UNUSABLE
    is_bad = any(
        count and is_failing(severity, is_strict=asked.is_strict)
        for severity, count in loaded.summary.by_severity.items()
    )
    return DIFFERENT if is_bad else 0
