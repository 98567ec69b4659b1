"""``paipu rules list``: the rulesets that there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from cli.options import debug_option, examples, format_option, lang_option, rules_dir_option
from cli.output import Listing, write_records

if TYPE_CHECKING:
    from analytics.rules import Rulebook
    from analytics.wording import Language

COLUMNS: Final = ("name", "version", "effective_from", "seats", "unit", "hash", "source", "title")


@click.command(
    "list",
    epilog=examples(
        ("paipu rules list", "the presets"),
        ("paipu rules list --rules-dir houses/ --format json", "yours as well, as JSON"),
    ),
)
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@debug_option
def list_rulesets(*, rules_dirs: Sequence[str], form: str, language: Language) -> None:
    """List the rulesets: name, version, since when, seats, unit, hash and source.

    Rulesets with equal hashes play and pay alike, whatever they are called.
    """
    from analytics.rules import load_rulesets

    records = _records(load_rulesets(rules_dirs), language)
    write_records(records, Listing("rulesets", COLUMNS), form, language)


def _records(rulebook: Rulebook, language: Language) -> Iterator[dict[str, Any]]:
    for listed, ruleset in zip(rulebook.listing(), rulebook.rulesets, strict=True):
        since = listed.effective_from
        yield {
            **listed._asdict(),
            "effective_from": since and since.isoformat(),
            "title": ruleset.title.get(language),
        }
