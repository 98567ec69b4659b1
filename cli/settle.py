"""``paipu settle``: what every game is worth by the rules, whatever was recorded."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from cli.failing import DIFFERENT, UNUSABLE
from cli.options import (
    allow_empty_option,
    debug_option,
    encoding_option,
    examples,
    format_option,
    lang_option,
    logs_argument,
    quiet_option,
    rules_dir_option,
    strict_option,
)
from cli.output import Listing, Record, write_records
from cli.records import is_failing, place_of, record_of
from cli.words import said

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.logs import GameBatch, Source
    from analytics.rules import Rulebook
    from analytics.wording import Language
    from cli.progress import Tell

Place: TypeAlias = "tuple[int, dict[str, Any]]"  # a line and the record that it became

PARTS: Final = (
    "end", "winner", "places", "kou", "cards_left", "xiang",
    "base", "doubling", "contribution", "delta", "fee", "system",
)  # fmt: skip  # those of analytics.shuangkou.results, which help need not wait for


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was asked for; the names are those of the parameters below."""

    rules_dirs: Sequence[str]
    form: str
    language: Language
    encoding: str | None
    is_strict: bool
    allow_empty: bool
    is_quiet: bool


@dataclass
class Count:
    """What has passed so far.

    Attributes:
        begun: when the run began, as ``time.perf_counter`` tells it.
        games: by status.
        severities: of the findings that stand in the records.
        read: games that could be read.
    """

    begun: float
    games: Counter[str] = field(default_factory=Counter)
    severities: Counter[str] = field(default_factory=Counter)
    read: int = 0

    def passing(self, records: Iterable[Record]) -> Iterator[Record]:
        """The same records, counted."""
        for record in records:
            self.games[record["status"]] += 1
            finding = record["finding"]
            if finding:
                self.severities[finding["severity"]] += 1
            self.read += not (finding and finding["code"].startswith("format."))
            yield record

    def numbers(self) -> dict[str, Any]:
        """The counts by name, and the time that it took."""
        ok, bad = self.games["ok"], self.games["bad"]
        seconds = round(time.perf_counter() - self.begun, 3)
        return {"games": ok + bad, "ok": ok, "bad": bad, "seconds": seconds}

    def summary(self) -> Record:
        """The end of a JSON document."""
        return {"summary": self.numbers()}


@click.command(
    epilog=examples(
        ("paipu settle logs/ > settled.jsonl", "a line a game, in the order of the logs"),
        ("paipu settle game.jsonl --format table", "to read"),
        ("paipu settle logs/ | jq -c 'select(.status == \"bad\") | .finding'", "what broke"),
    )
)
@logs_argument
@rules_dir_option
@format_option("jsonl", "table", "json", "csv")
@lang_option
@strict_option
@allow_empty_option
@encoding_option
@quiet_option
@debug_option
@click.pass_context
def settle(ctx: click.Context, /, logs: tuple[str, ...], **options: Any) -> None:
    """Replay recorded games and say what each is worth by the rules.

    LOG is a file (JSON Lines or Parquet, also gzip or zstd), a folder, a glob, or - for
    standard input. Recorded results are not looked at. A game whose replay breaks is
    "bad", with the finding that broke it; so is a line that cannot be read.

    Exit status: 0 every game is settled; 1 there are findings of severity error (with
    --strict also warning); 2 nothing could be read; 130 interrupted.
    \f

    A line is `{"id", "status", "result", "finding"}`. The result has `end`, `winner`,
    `places`, `kou`, `cards_left`, `xiang`, `base`, `doubling`, `contribution`, `delta`, `fee`
    and `system`; what is per seat is a list in seat order, and what an ending does not have
    is null: `places` with two seats; `kou`, `doubling` and `contribution` after an escape. A
    game whose seats have no level is "ok" with null `base`, `delta` and `system`, and with
    the finding `base.level`. Fields of a finding are those of [verify](verify.md).

    `--format json` is `{"schema": 1, "games": [...], "summary": {...}}`; in `csv` the result
    stands field by field, lists and the finding as JSON.
    """
    ctx.exit(_run(logs, Options(**options)))


def _run(logs: Sequence[str], asked: Options) -> int:
    from analytics.logs import find_sources
    from analytics.rules import load_rulesets
    from cli.progress import progress

    count = Count(time.perf_counter())
    rulebook = load_rulesets(asked.rules_dirs)
    sources = find_sources(logs)
    flat = _flat_for_people if asked.form == "table" else _flat
    listing = Listing("games", ("id", "status", *PARTS, "finding"), flat)
    is_watched = sys.stdout.isatty()  # then the lines themselves show how far it is
    with progress(asked.language, is_quiet=asked.is_quiet or is_watched) as tell:
        records = count.passing(_records(sources, rulebook, asked, tell))
        write_records(records, listing, asked.form, asked.language, tail=count.summary)
    if not asked.is_quiet and asked.form != "json":
        click.echo(said("settled", asked.language, **count.numbers()), err=True)
    return _status(count, asked)


def _status(count: Count, asked: Options) -> int:
    if not count.read:
        if asked.allow_empty and not count.games:
            return 0
        click.echo("Error: no game could be read.", err=True)
        return UNUSABLE
    is_bad = any(is_failing(s, is_strict=asked.is_strict) for s in count.severities)
    return DIFFERENT if is_bad else 0


def _records(
    sources: Sequence[Source], rulebook: Rulebook, asked: Options, tell: Tell
) -> Iterator[Record]:
    """One record a line, in the order of the lines."""
    from analytics import compiled
    from analytics.findings import Finding, Severity
    from analytics.jobs import Progress
    from analytics.jobs.verifying import estimate_games
    from analytics.logs import read

    expected = estimate_games(sources)
    compiled.expect(expected or 0)
    games = bad = 0
    for source in sources:
        waiting: deque[Place] = deque()  # the reader tells of a bad line before the games around it
        for item in read(source, rulebook, encoding=asked.encoding):
            if not isinstance(item, Finding):
                places = _settled(item, rulebook, asked.language)
                yield from _in_order(places, waiting)
                games += len(item)
                tell(Progress(games, bad, expected, source.path))
            elif item.severity is Severity.INFO:
                _tell_note(item, asked)
            else:
                bad += 1
                waiting.append(_unread(item, asked.language))
        yield from (record for _, record in waiting)


def _in_order(places: Iterable[Place], waiting: deque[Place]) -> Iterator[Record]:
    """The records of a batch with those that wait and come before; takes these away."""
    for line, record in places:
        while waiting and waiting[0][0] < line:
            yield waiting.popleft()[1]
        yield record


def _settled(batch: GameBatch, rulebook: Rulebook, language: Language) -> Iterator[Place]:
    """Lines and records of the games of a batch."""
    from analytics.shuangkou.results import results
    from analytics.verify import describe, verify_batch

    verdict = verify_batch(batch, rulebook)
    for each in results(batch, verdict.facts, verdict.settled, verdict.findings):
        row, finding = each.finding, None
        if row is not None:
            finding = record_of(describe(verdict, row, rulebook), language)
        yield (
            int(batch.line[each.game]),
            {
                "id": batch.id[each.game],
                "status": each.status,
                "result": each.result,
                "finding": finding,
            },
        )


def _unread(finding: Finding, language: Language) -> Place:
    """The record of a line that could not be read; of a whole file it is the last one."""
    record = record_of(finding, language)
    line = sys.maxsize if finding.line is None else finding.line
    return line, {"id": finding.game, "status": "bad", "result": None, "finding": record}


def _tell_note(finding: Finding, asked: Options) -> None:
    """What is no line of its own, such as fields that nobody knows."""
    from analytics.wording import sentence

    if not asked.is_quiet:
        click.echo(f"{place_of(finding)}: {sentence(finding, asked.language)}", err=True)


def _flat(record: Record) -> dict[str, Any]:
    result = record["result"] or dict.fromkeys(PARTS)
    return {**record, **result}


def _flat_for_people(record: Record) -> dict[str, Any]:
    """The finding by its code alone."""
    finding = record["finding"]
    return {**_flat(record), "finding": finding["code"] if finding else None}
