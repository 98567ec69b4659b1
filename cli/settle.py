"""``paipu settle``: what every game is worth by the rules, whatever was recorded."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from cli.failing import DIFFERENT, UNUSABLE, refused
from cli.logs import sources_of
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
from cli.output import Listing, Record, table_cell, write_records
from cli.records import is_failing, place_of, record_of
from cli.tables import CHUNK, write_table
from cli.words import said

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.logs import GameBatch, Source
    from analytics.repeats import FirstGames
    from analytics.rules import Rulebook
    from analytics.wording import Language, Words
    from cli.progress import Tell

PARTS: Final = (
    "end", "winner", "places", "kou", "cards_left", "xiang",
    "base", "doubling", "contribution", "delta", "fee", "system",
)  # fmt: skip  # those of analytics.shuangkou.results, which help need not wait for


_PEOPLE: Final = ("id", "status", *PARTS, "finding")


class Line(NamedTuple):
    """A line of a log, settled.

    Attributes:
        line: its number, from 1.
        record: what it became.
        terms: what its house calls otherwise; None where it could not be read.
    """

    line: int
    record: dict[str, Any]
    terms: Mapping[str, str] | None


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
        games: by status, each id once.
        unreadable: lines and broken files that cannot be read.
        duplicates: further copies of games, of the same or of other content.
        severities: of all findings that are shown.
    """

    begun: float
    games: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    duplicates: int = 0
    severities: Counter[str] = field(default_factory=Counter)

    def passing(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The same lines, their findings counted."""
        for each in lines:
            if finding := each.record["finding"]:
                self.severities[finding["severity"]] += 1
            yield each

    def numbers(self) -> dict[str, Any]:
        """The counts by name, and the time that it took."""
        return {
            "games": self.games.total(),
            "ok": self.games["ok"],
            "bad": self.games["bad"],
            "unreadable": self.unreadable,
            "duplicates": self.duplicates,
            "seconds": round(time.perf_counter() - self.begun, 3),
        }

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
    "bad", with the finding that broke it; so is a line that cannot be read, and a game
    with the id of another one. A second copy of a game is only counted, as verify does.

    Exit status: 0 every game is settled; 1 there are findings of severity error (with
    --strict also warning); 2 nothing could be read; 130 interrupted.
    \f

    A line is `{"id", "status", "result", "finding"}`. The result has `end`, `winner`,
    `places`, `kou`, `cards_left`, `xiang`, `base`, `doubling`, `contribution`, `delta`, `fee`
    and `system`; what is per seat is a list in seat order, and what an ending does not have
    is null: `places` with two seats; `kou`, `doubling` and `contribution` after an escape. A
    game whose seats have no level is "ok" with null `base`, `delta` and `system`, and with
    the finding `base.level`. Fields of a finding are those of [verify](verify.md).

    `--format json` is `{"schema": 1, "games": [...], "summary": {"games", "ok", "bad",
    "unreadable", "duplicates", "seconds"}}`; in `csv` the result stands field by field, lists
    and the finding as JSON. The summary counts as that of [verify](verify.md) does: `games`
    holds each id once, `ok` and `bad` are parts of it; lines that cannot be read are
    `unreadable`. A last line that is only begun is no game: it is told on stderr.
    """
    ctx.exit(_run(logs, Options(**options)))


def _run(logs: Sequence[str], asked: Options) -> int:
    from analytics.rules import load_rulesets
    from cli.progress import progress

    count = Count(time.perf_counter())
    rulebook = load_rulesets(asked.rules_dirs)
    sources = sources_of(logs, asked.language, is_quiet=asked.is_quiet)
    is_watched = sys.stdout.isatty()  # then the lines themselves show how far it is
    with progress(asked.language, is_quiet=asked.is_quiet or is_watched) as tell:
        lines = count.passing(_lines(sources, rulebook, asked, count, tell))
        if asked.form == "table":
            _write_table(lines, asked.language)
        else:
            records = (each.record for each in lines)
            write_records(records, LISTING, asked.form, asked.language, tail=count.summary)
    if not asked.is_quiet and asked.form != "json":
        click.echo(said("settled", asked.language, **count.numbers()), err=True)
    return _status(count, asked)


def _status(count: Count, asked: Options) -> int:
    if not count.games:
        if asked.allow_empty and not count.unreadable:
            return 0
        refused("no_game").show()
        return UNUSABLE
    is_bad = any(is_failing(s, is_strict=asked.is_strict) for s in count.severities)
    return DIFFERENT if is_bad else 0


def _lines(
    sources: Sequence[Source], rulebook: Rulebook, asked: Options, count: Count, tell: Tell
) -> Iterator[Line]:
    """The lines, in their order."""
    from analytics import compiled
    from analytics.findings import Finding, Severity
    from analytics.jobs import Progress
    from analytics.jobs.verifying import estimate_games
    from analytics.logs import read
    from analytics.repeats import FirstGames

    expected = estimate_games(sources)
    compiled.expect(expected or 0)
    firsts = FirstGames()
    for source in sources:
        waiting: deque[Line] = deque()  # the reader tells of a bad line before the games around it
        for item in read(source, rulebook, encoding=asked.encoding):
            if not isinstance(item, Finding):
                later = _later(item, firsts, sources, asked.language)
                settled = _counted(_settled(item, rulebook, asked.language), later, count)
                yield from _in_order(settled, waiting)
                tell(Progress(count.games.total(), count.unreadable, expected, source.path))
            elif item.severity is Severity.ERROR:
                count.unreadable += 1
                waiting.append(_bad(item, asked.language))
            else:
                count.severities[item.severity.value] += 1
                _tell_note(item, asked)
        yield from waiting


def _counted(
    settled: Iterable[Line], later: Mapping[int, Line | None], count: Count
) -> Iterator[Line]:
    """The games, each id once, and what is said of the others."""
    for each in settled:
        if each.line not in later:
            count.games[each.record["status"]] += 1
            yield each
            continue
        count.duplicates += 1
        if (conflict := later[each.line]) is not None:
            yield conflict


def _later(
    batch: GameBatch, firsts: FirstGames, sources: Sequence[Source], language: Language
) -> dict[int, Line | None]:
    """What is said of each line whose game is not the first with its id: None of a copy."""
    from analytics.findings import Code, Finding

    found: dict[int, Line | None] = {}
    for row, (first, differs) in firsts.later(batch).items():
        line, game = int(batch.line[row]), batch.id[row]
        params = {"first_file": sources[first.path].path, "first_line": first.line}
        finding = Finding(Code.FORMAT_DUPLICATE, batch.file, line, game, params=params)
        found[line] = _bad(finding, language) if differs else None
    return found


def _in_order(settled: Iterable[Line], waiting: deque[Line]) -> Iterator[Line]:
    """The lines of a batch with those that wait and come before; takes these away."""
    for each in settled:
        while waiting and waiting[0].line < each.line:
            yield waiting.popleft()
        yield each


def _settled(batch: GameBatch, rulebook: Rulebook, language: Language) -> Iterator[Line]:
    """The lines of a batch."""
    from analytics.shuangkou.results import results
    from analytics.verify import describe, verify_batch

    verdict = verify_batch(batch, rulebook)
    for each in results(batch, verdict.facts, verdict.settled, verdict.findings):
        terms = rulebook.rulesets[batch.rules_ix[each.game]].terms
        row, finding = each.finding, None
        if row is not None:
            finding = record_of(describe(verdict, row, rulebook), language, terms)
        record = {"id": batch.id[each.game], "status": each.status, "result": each.result}
        yield Line(int(batch.line[each.game]), {**record, "finding": finding}, terms)


def _bad(finding: Finding, language: Language) -> Line:
    """A line that is not settled; of a whole file it is the last one."""
    record = record_of(finding, language)
    line = sys.maxsize if finding.line is None else finding.line
    unread = {"id": finding.game, "status": "bad", "result": None, "finding": record}
    return Line(line, unread, None)


def _tell_note(finding: Finding, asked: Options) -> None:
    """What is no game: fields that nobody knows, a last line that is only begun."""
    from analytics.wording import sentence

    if not asked.is_quiet or finding.severity.value != "info":
        click.echo(f"{place_of(finding)}: {sentence(finding, asked.language)}", err=True)


def _flat(record: Record) -> dict[str, Any]:
    result = record["result"] or dict.fromkeys(PARTS)
    return {**record, **result}


LISTING: Final = Listing("games", _PEOPLE, _flat)


def _write_table(lines: Iterator[Line], language: Language) -> None:
    """For people: words instead of codes, the house's where it has its own.

    The headings have the words that all houses share whose games stand under them at first.
    """
    from analytics.wording import Words, agreed_terms

    first = list(islice(lines, CHUNK))
    words = Words(language, agreed_terms(e.terms for e in first if e.terms is not None))
    rows = (_row(each, Words(language, each.terms or {})) for each in chain(first, lines))
    write_table(rows, [words.word(f"column.{name}") for name in _PEOPLE])


def _row(each: Line, words: Words) -> list[Any]:
    """Findings by their codes alone, lists with commas."""
    flat, finding = _flat(each.record), each.record["finding"]
    shown = {**flat, "finding": finding and finding["code"]}
    for name in ("status", "end", "kou"):
        shown[name] = flat[name] and words.word(f"{name}.{flat[name]}")
    return [table_cell(shown[name]) for name in _PEOPLE]
