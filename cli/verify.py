"""``paipu verify``: are the recorded results right, and if not, what is wrong?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli import verdicts
from cli.failing import DIFFERENT, UNUSABLE, refused
from cli.logs import sources_of
from cli.options import (
    SEVERITIES,
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
)
from cli.records import is_failing
from cli.verdicts import Options, Outcome

if TYPE_CHECKING:
    from analytics.collect import Collector
    from analytics.logs import Source
    from analytics.reconcile import Reconciler, Summary

MAX_FINDINGS: Final = 1_000  # that of analytics.collect, which help need not wait for


@click.command(
    epilog=examples(
        ("paipu verify logs/", "every log in a folder, with the presets"),
        ("paipu verify --rules-dir houses/ 'logs/2026-11-*.jsonl.zst'", "rulesets of your own"),
        ("zcat a.jsonl.gz | paipu verify - --format jsonl", "standard input, a finding a line"),
        ("paipu verify logs/ --format junit > verify.xml", "for a CI system"),
        ("paipu verify logs/ --jobs 8 --work /var/tmp/paipu", "much to do, and resumable"),
        ("paipu verify logs/ --severity error --quiet", "errors only, and nothing on stderr"),
    )
)
@logs_argument
@rules_dir_option
@format_option("table", "json", "jsonl", "csv", "junit")
@lang_option
@click.option(
    "--max-findings",
    metavar="N",
    type=click.IntRange(min=0),
    default=MAX_FINDINGS,
    show_default=True,
    help="Most findings shown of one code and ruleset; counts stay exact.",
)
@click.option(
    "--severity",
    type=click.Choice(SEVERITIES),
    default=SEVERITIES[-1],
    show_default=True,
    help="The lowest severity that is shown.",
)
@jobs_option
@cluster_option("--work")
@shard_mb_option(32.0)
@click.option(
    "--work",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Keep what is done in this folder; another run with it does only what is missing.",
)
@strict_option
@allow_empty_option
@encoding_option
@quiet_option
@debug_option
@click.pass_context
def verify(ctx: click.Context, /, logs: tuple[str, ...], **options: Any) -> None:
    """Replay recorded games and compare what the house recorded.

    LOG is a file (JSON Lines or Parquet, also gzip or zstd), a folder, a glob, or - for
    standard input. Findings are ordered by file, line, action, seat and code.

    Exit status: 0 all games verified and equal; 1 findings of severity error (with
    --strict also warning); 2 nothing could be verified; 130 interrupted.
    \f

    A finding has the fields `file`, `line`, `game` (its id), `action` (from 0), `seat` (from
    0), `code`, `severity`, `recorded`, `recomputed`, `params` and `message`, in every format
    but the table; what does not apply is null (in CSV: nothing). Its `code` is explained in
    [findings](../findings.md).

    `--format json` is one document, written finding by finding:
    `{"schema": 1, "summary": {"games", "verified", "mismatched", "unreadable", "duplicates",
    "by_code": {code: n}, "rulesets": [{"name", "version", "hash"}], "seconds"}, "findings":
    [...]}`. `jsonl` is one finding a line, `csv` a heading and the same fields with `params`
    as JSON; their summary is on stderr. In `junit` a file is a test suite and a game with
    findings a test case; errors (with --strict also warnings) are failures.

    Only the table looks at the terminal. All other bytes are the same everywhere, but for
    `seconds`; where the encoding of standard output is not UTF-8, hanzi in JSON are written
    as `\\u` escapes.
    """
    ctx.exit(_run(logs, Options(**options), time.perf_counter()))


def _run(logs: Sequence[str], asked: Options, begun: float) -> int:
    from analytics.collect import Collector
    from analytics.rules import load_rulesets

    rulebook = load_rulesets(asked.rules_dirs)
    sources = sources_of(logs, asked.language, is_quiet=asked.is_quiet)
    with Collector(rulebook, asked.max_findings) as collector:
        reconciler, summary = _verified(sources, collector, asked)
        outcome = Outcome(
            summary=summary,
            games={s.path: summary.by_path.get(s.ordinal, 0) for s in sources},
            rulebook=rulebook,
            seconds=round(time.perf_counter() - begun, 3),
        )
        verdicts.write(reconciler.findings(), outcome, asked)
    return _status(summary, asked)


def _verified(
    sources: Sequence[Source], collector: Collector, asked: Options
) -> tuple[Reconciler, Summary]:
    """Verifies into the collector, and makes a report of it."""
    from analytics.jobs import Ways, verify_logs
    from cli.progress import progress

    work = Path(asked.work) if asked.work else None
    ways = Ways(
        jobs=asked.jobs,
        cluster=asked.cluster,
        work=work,
        encoding=asked.encoding,
        shard_bytes=int(asked.shard_mb * 2**20),
    )
    with progress(asked.language, is_quiet=asked.is_quiet) as tell:
        reconciler = verify_logs(sources, collector, ways=ways, on_progress=tell)
        return reconciler, reconciler.finish()


def _status(summary: Summary, asked: Options) -> int:
    """Nothing verified is a failure of its own: an empty folder is not a success."""
    if not summary.games:
        if asked.allow_empty and not summary.unreadable:
            return 0
        refused("no_game").show()
        return UNUSABLE
    is_bad = any(
        count and is_failing(severity, is_strict=asked.is_strict)
        for severity, count in summary.by_severity.items()
    )
    return DIFFERENT if is_bad else 0
