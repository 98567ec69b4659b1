"""``paipu rules list``: the rulesets that there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from cli.options import debug_option, examples, format_option, lang_option, rules_dir_option
from cli.output import Listing, write_records

if TYPE_CHECKING:
    from analytics.rules import Ruleset
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

    rulesets = load_rulesets(rules_dirs).rulesets
    records = (_record(ruleset, language) for ruleset in rulesets)
    write_records(records, Listing("rulesets", COLUMNS), form, language)


def _record(ruleset: Ruleset, language: Language) -> dict[str, Any]:
    since = ruleset.effective_from
    return {
        "name": ruleset.name,
        "version": ruleset.version,
        "effective_from": since and since.isoformat(),
        "seats": ruleset.play.seats,
        "unit": ruleset.scoring.unit,
        "hash": ruleset.hash,
        "source": ruleset.source,
        "title": ruleset.title.get(language),
    }
