"""What ``paipu verify`` writes: findings, then what the run came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import click

from cli import junit
from cli.options import SEVERITIES
from cli.output import Listing, Record, emit, write_records
from cli.records import FIELDS, record_of
from cli.tables import cell, write_pairs, write_table
from cli.words import heading, said

if TYPE_CHECKING:
    from analytics.findings import Finding
    from analytics.reconcile import Summary
    from analytics.rules import Rulebook, Ruleset
    from analytics.wording import Language

LISTING: Final = Listing("findings", FIELDS)
_COLUMNS: Final = ("line", "game", "action", "seat", "severity", "code", "message")
_COUNTS: Final = ("games", "verified", "mismatched", "unreadable", "duplicates")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was asked of ``paipu verify``; the names are those of its parameters."""

    rules_dirs: Sequence[str]
    form: str
    language: Language
    max_findings: int
    severity: str
    jobs: int | None
    cluster: str | None
    shard_mb: float
    work: str | None
    encoding: str | None
    is_strict: bool
    allow_empty: bool
    is_quiet: bool


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a run came to.

    Attributes:
        summary: the counts.
        games: recorded games per file, each id once, in order of the files.
        rulebook: what the summary's rulesets refer to.
        seconds: how long it took.
    """

    summary: Summary
    games: Mapping[str, int]
    rulebook: Rulebook
    seconds: float

    @property
    def rulesets(self) -> list[Ruleset]:
        """Those by which games were judged."""
        return [self.rulebook.rulesets[place] for place in self.summary.by_ruleset]

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of games and lines, by name."""
        return {name: getattr(self.summary, name) for name in _COUNTS}


class Shown:
    """The findings that are shown, as records, counted while they pass."""

    def __init__(self, findings: Iterable[Finding], rulebook: Rulebook, asked: Options) -> None:
        self._findings = findings
        self._rulebook = rulebook
        self._asked = asked
        self._severities = SEVERITIES[: SEVERITIES.index(asked.severity) + 1]
        self._counts: Counter[str] = Counter()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for finding in self._findings:
            if finding.severity.value in self._severities:
                self._counts[finding.severity.value] += 1
                terms = self._rulebook.terms(finding.ruleset)
                yield record_of(finding, self._asked.language, terms)

    def hidden(self, summary: Summary) -> dict[str, int]:
        """How many there are beyond those that have passed, by severity."""
        return {s: summary.by_severity[s] - self._counts[s] for s in self._severities}


def write(findings: Iterable[Finding], outcome: Outcome, asked: Options) -> None:
    """Writes findings and summary in the format that was asked for."""
    shown = Shown(findings, outcome.rulebook, asked)
    if asked.form == "table":
        _write_table(shown, outcome, asked.language)
        return
    if asked.form == "junit":
        junit.write(
            shown,
            outcome.games,
            hidden=lambda: shown.hidden(outcome.summary),
            is_strict=asked.is_strict,
        )
    else:
        head = {"summary": summary_of(outcome)}
        write_records(shown, LISTING, asked.form, asked.language, head=head)
    if asked.form != "json" and not asked.is_quiet:
        _tell_summary(shown, outcome, asked.language)


def summary_of(outcome: Outcome) -> dict[str, Any]:
    """The summary as JSON has it."""
    return {
        **outcome.counts,
        "by_code": dict(outcome.summary.by_code),
        "rulesets": [
            {"name": r.name, "version": r.version, "hash": r.hash} for r in outcome.rulesets
        ],
        "seconds": outcome.seconds,
    }


def _tell_summary(shown: Shown, outcome: Outcome, language: Language) -> None:
    """The summary on stderr, for formats that have no place for it."""
    hidden = sum(shown.hidden(outcome.summary).values())
    if hidden:
        click.echo(said("more", language, count=hidden), err=True)
    text = said("verified", language, seconds=outcome.seconds, **outcome.counts)
    click.echo(text, err=True)


def _write_table(shown: Shown, outcome: Outcome, language: Language) -> None:
    headings = [heading(name, language) for name in _COLUMNS]
    for file, records in groupby(shown, lambda record: record["file"]):
        emit(cell(file) + "\n")
        write_table((_row(record, language) for record in records), headings, indent="  ")
        emit("\n")
    hidden = sum(shown.hidden(outcome.summary).values())
    if hidden:
        emit(said("more", language, count=hidden) + "\n\n")
    _write_summary(outcome, language)


def _row(record: Record, language: Language) -> list[Any]:
    from analytics.wording import word

    severity = word(f"severity.{record['severity']}", language)
    return [severity if name == "severity" else record[name] for name in _COLUMNS]


def _write_summary(outcome: Outcome, language: Language) -> None:
    counts = {**outcome.counts, "seconds": outcome.seconds}
    write_pairs((heading(name, language), value) for name, value in counts.items())
    if outcome.summary.by_code:
        emit(heading("by_code", language) + "\n")
        write_pairs(_by_code(outcome, language), indent="  ")
    if outcome.summary.by_ruleset:
        emit(heading("rulesets", language) + "\n")
        write_pairs(_by_ruleset(outcome), indent="  ")


def _by_code(outcome: Outcome, language: Language) -> Iterator[tuple[str, str]]:
    from analytics.findings import Code
    from analytics.wording import Words, agreed_terms

    words = Words(language, agreed_terms(ruleset.terms for ruleset in outcome.rulesets))
    for code, count in outcome.summary.by_code.items():
        yield code, f"{count}  {words.title(Code.of(code))}"


def _by_ruleset(outcome: Outcome) -> Iterator[tuple[str, str]]:
    for place, count in outcome.summary.by_ruleset.items():
        ruleset = outcome.rulebook.rulesets[place]
        yield ruleset.at, f"{count}  {ruleset.hash}"
