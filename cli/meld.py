"""``paipu meld``: how cards are read, and whether they beat others."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from cli.failing import DIFFERENT, UNUSABLE, refused
from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    rules_dir_option,
    ruleset_names,
)
from cli.output import Listing, as_json, emit, write_records
from cli.rulesets import NoSuchRuleset, in_effect
from cli.tables import write_pairs, write_table

if TYPE_CHECKING:
    from analytics.rules import Rulebook
    from analytics.wording import Language, Terms, Words

STANDARD_INPUT: Final = "-"
DEFAULT_RULES: Final = "huopin-wealth"
READINGS: Final = Listing(
    "readings", ("kind", "size", "top", "groups", "xiang", "declared", "counts")
)
_COLUMNS: Final = ("counts", "kind", "size", "top", "groups", "xiang", "declared")


@click.command(
    epilog=examples(
        ("paipu meld 5S6S7S8SBJ", "what do these cards read as?"),
        ("paipu meld KSKHKCKD --over 9S9H9C9D9S", "do they beat those?"),
        ("paipu meld 3S3H4S4H5S5HSJBJ --rules jiule --format json", "under another ruleset"),
        ("paipu meld - < questions.jsonl", "an answer a line, for other programs"),
    )
)
@click.argument("cards", metavar="CARDS")
@click.option(
    "--rules",
    metavar="NAME[@VERSION]",
    default=DEFAULT_RULES,
    shell_complete=ruleset_names,
    show_default=True,
    help="The ruleset; without a version the one in effect now.",
)
@click.option("--over", metavar="CARDS", help="The cards on the table; none when leading.")
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@debug_option
@click.pass_context
def meld(
    ctx: click.Context,
    cards: str,
    *,
    rules: str,
    over: str | None,
    rules_dirs: Sequence[str],
    form: str,
    language: Language,
) -> None:
    """Say how cards are read as a meld.

    All readings are listed, and the one that counts is marked. CARDS are faces, two
    characters each: rank 3456789TJQKA2 and suit SHCD, or SJ and BJ for the jokers.

    With - every line of standard input is a question, a JSON object {"rules", "cards",
    "over"}, and gets one line {"meld", "error"} as its answer; rules and over may be left
    out, then the options count.

    Exit status: 0 the cards are a meld (and beat --over); 1 they are not; 2 bad usage, or
    with - a line that is no question.
    \f

    `--format json` has `rules` (with the version that was used), `cards`, `over`, `meld` (the
    reading that counts: `kind`, `size`, `top`, `groups`, `xiang`, or null), `error` (null, or
    why not: a code of [findings](../findings.md)), `table` (what `over` is), `beats` and
    `readings`: everything that the cards can be declared as, the strongest first, each with
    the fields of `meld`, the ranks of the wild jokers in `declared`, and in `counts` whether it
    is the one that counts. In `jsonl` and `csv` every reading is a line with these fields, and
    an error is told on stderr.
    """
    from analytics.rules import load_rulesets

    rulebook = load_rulesets(rules_dirs)
    if cards == STANDARD_INPUT:
        ctx.exit(_answer_lines(sys.stdin.buffer, rulebook, {"rules": rules, "over": over}))
    rules_ix = in_effect(rulebook, rules)
    report = _report(cards, over, rulebook, rules_ix)
    if form == "table":
        _write_table(report, language, rulebook.rulesets[rules_ix].terms)
    else:
        head = {name: value for name, value in report.items() if name != "readings"}
        write_records(report["readings"], READINGS, form, language, head=head)
    if report["error"] and form in ("jsonl", "csv"):  # where it has no place of its own
        click.echo(_error(report["error"], language), err=True)
    ctx.exit(DIFFERENT if report["error"] else 0)


# One question on the command line


def _report(cards: str, over: str | None, rulebook: Rulebook, rules_ix: int) -> dict[str, Any]:
    from analytics.shuangkou.reading import meld_json, read_cards, readings_json

    table = None
    if over:
        under = read_cards(over, None, rulebook, rules_ix)
        if under.error:
            raise refused("over", cards=over, code=under.error.text)
        table = under.meld
    reading = read_cards(cards, over, rulebook, rules_ix)
    error = reading.error.text if reading.error else None
    return {
        "rules": rulebook.rulesets[rules_ix].at,
        "cards": cards,
        "over": over or None,
        **reading.as_json(),
        "table": meld_json(table) if table else None,
        "beats": error is None if table else None,
        "readings": readings_json(cards, reading, rulebook, rules_ix),
    }


def _write_table(report: Mapping[str, Any], language: Language, terms: Terms) -> None:
    from analytics.wording import Words

    words = Words(language, terms)
    write_pairs((words.word(f"column.{key}"), value) for key, value in _pairs(report, words))
    rows = [_row(each, words) for each in report["readings"]]
    if rows:
        emit("\n")
        write_table(rows, [words.word(f"column.{column}") for column in _COLUMNS])


def _pairs(report: Mapping[str, Any], words: Words) -> Iterator[tuple[str, str | None]]:
    from analytics.wording import meld_in_words

    table, meld, error = (report[key] for key in ("table", "meld", "error"))
    yield "cards", report["cards"]
    yield "rules", report["rules"]
    if table:
        yield "table", f"{report['over']}  {meld_in_words(table, words)}"
        yield "beats", words.word("said.yes" if report["beats"] else "said.no")
    yield "reading", meld_in_words(meld, words) if meld else None
    if error:
        yield "finding", _error(error, words.language)


def _error(code: str, language: Language) -> str:
    from analytics.findings import Code
    from analytics.wording import title

    return f"{code}  {title(Code.of(code), language)}"


def _row(each: Mapping[str, Any], words: Words) -> list[Any]:
    from analytics.wording import rank_in_words

    return [
        "*" if each["counts"] else None,
        words.word(f"kind.{each['kind']}"),
        each["size"],
        each["top"] and rank_in_words(each["top"], words),
        *(each[key] for key in _COLUMNS[4:]),
    ]


# Questions on standard input


def _answer_lines(
    lines: Iterable[bytes], rulebook: Rulebook, defaults: Mapping[str, str | None]
) -> int:
    """Answers every line; gives the exit status."""
    status = 0
    for line in lines:
        if line.strip():
            answer, is_question = _answer(line, rulebook, defaults)
            emit(as_json(answer) + "\n")
            sys.stdout.flush()  # somebody may wait for it before the next question
            status = status if is_question else UNUSABLE
    return status


def _answer(
    line: bytes, rulebook: Rulebook, defaults: Mapping[str, str | None]
) -> tuple[dict[str, Any], bool]:
    """The answer, and whether the line was a question at all."""
    from analytics.shuangkou.reading import read_cards

    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return _no_question("format.json")
    if not isinstance(given, dict):
        return _no_question("format.json")
    asked = {**defaults, **given}
    cards, over, rules = (asked.get(key) for key in ("cards", "over", "rules"))
    if not (isinstance(cards, str) and isinstance(rules, str) and isinstance(over, str | None)):
        return _no_question("format.field")
    try:
        rules_ix = in_effect(rulebook, rules)
    except NoSuchRuleset:
        return _no_question("format.rules")
    return read_cards(cards, over, rulebook, rules_ix).as_json(), True


def _no_question(code: str) -> tuple[dict[str, Any], bool]:
    return {"meld": None, "error": code}, False
