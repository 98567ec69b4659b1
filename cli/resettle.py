"""``paipu resettle``: what a warehouse pays under corrected rulesets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import DIFFERENT
from cli.options import (
    cluster_option,
    debug_option,
    examples,
    format_option,
    jobs_option,
    lang_option,
    quiet_option,
    rules_dir_option,
    warehouse_option,
)
from cli.output import Listing, write_records
from cli.words import said

if TYPE_CHECKING:
    from analytics.warehouse.resettling import Resettled
    from analytics.wording import Language

LISTING: Final = Listing(
    "changes",
    (
        "ruleset", "hash", "previous", "previous_hash", "games", "changed", "moved", "system",
        "mismatched_before", "mismatched",
    ),
)  # fmt: skip


@click.command(
    epilog=examples(
        ("paipu resettle --warehouse wh/ --rules-dir houses/", "after a ruleset was corrected"),
        ("paipu resettle --warehouse wh/ --format json", "what has changed, as JSON"),
        ('paipu query "FROM earlier_verdicts LIMIT 5" --warehouse wh/', "what was said before"),
    )
)
@warehouse_option
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@jobs_option
@cluster_option("the warehouse")
@quiet_option
@debug_option
@click.pass_context
def resettle(
    ctx: click.Context,
    /,
    *,
    warehouse: str,
    rules_dirs: Sequence[str],
    form: str,
    language: Language,
    jobs: int | None,
    cluster: str | None,
    is_quiet: bool,
) -> None:
    """Settle the games of a warehouse again, by the rulesets as they are now.

    No log is read: what was played is kept, and settled by the ruleset that each game names,
    presets and --rules-dir together. The earlier verdicts stay beside the new ones. Where a
    game names a ruleset that is not there, or one whose [play] has changed, its verdict stays.

    Exit status: 0 every game is settled by the rulesets as they are now; 1 some verdicts had to
    stay; 2 it could not be done; 130 interrupted.
    \f

    Games whose ruleset and version of paipu are what they were are not touched, so that a
    second run changes nothing. The views `earlier_verdicts`, `earlier_postings`,
    `earlier_findings` and `earlier_shuangkou_settled` have what was replaced, by
    `settlement_key`.

    `--format json` prints `{"schema": 1, "changes": [{"ruleset", "hash", "previous",
    "previous_hash", "games", "changed", "moved", "system", "mismatched_before", "mismatched"}],
    "unchanged", "unknown", "replayed"}`. Of `games` settled again, `changed` pay otherwise,
    by `moved` units in all (of all seats, each difference counted as positive); the system gets
    `system` more. `unknown` and `replayed` are games whose verdict had to stay, as their ruleset
    is not there, or its `[play]` has changed.
    """
    from analytics.jobs import Ways
    from analytics.rules import load_rulesets
    from analytics.warehouse.resettling import resettle as settle_again
    from cli.progress import progress

    rulebook, ways = load_rulesets(rules_dirs), Ways(jobs=jobs, cluster=cluster)
    with progress(language, is_quiet=is_quiet) as tell:
        done = settle_again(Path(warehouse), rulebook, ways=ways, on_progress=tell)
    records = [asdict(change) for change in done.changes]
    write_records(records, LISTING, form, language, tail=lambda: _counts(done))
    if form != "json" and not is_quiet:
        click.echo(said("resettled", language, **_sums(done), **_counts(done)), err=True)
    ctx.exit(DIFFERENT if done.unknown or done.replayed else 0)


def _sums(done: Resettled) -> dict[str, int]:
    names = ("games", "changed")
    return {name: sum(getattr(change, name) for change in done.changes) for name in names}


def _counts(done: Resettled) -> dict[str, Any]:
    names = ("unchanged", "unknown", "replayed")
    return {name: getattr(done, name) for name in names}
