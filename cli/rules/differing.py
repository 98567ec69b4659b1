"""``paipu rules diff``: what two rulesets say differently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    rules_dir_option,
    ruleset_names,
)
from cli.output import Listing, Record, as_json, write_records
from cli.rulesets import ruleset_of
from cli.words import said

if TYPE_CHECKING:
    from analytics.rules import Ruleset
    from analytics.wording import Language

COLUMNS: Final = ("path", "left", "right", "needs_replay")


@click.command(
    epilog=examples(
        ("paipu rules diff huopin-points huopin-wealth", "two presets"),
        ("paipu rules diff huopin-wealth houses/gold.toml", "a preset and a file"),
        ("paipu rules diff gold@3 gold@4 --rules-dir houses/", "two versions of your own"),
    )
)
@click.argument("left", metavar="A", shell_complete=ruleset_names)
@click.argument("right", metavar="B", shell_complete=ruleset_names)
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@debug_option
def diff(
    left: str, right: str, *, rules_dirs: Sequence[str], form: str, language: Language
) -> None:
    """Show every setting, term and title in which two rulesets differ.

    A and B are names, with or without a version, or files. What changes the legal plays
    is marked: only that needs a replay of the games, all else can be settled anew.
    """
    from analytics.rules import diff as differences

    one, other = ruleset_of(left, rules_dirs), ruleset_of(right, rules_dirs)
    records = [difference._asdict() for difference in differences(one, other)]
    if form == "table" and not records:
        click.echo(said("equal", language), err=True)
        return
    shown = _Shown(language)
    listing = Listing("differences", COLUMNS, shown.flat if form == "table" else dict)
    head = {"left": _name(one), "right": _name(other)}
    write_records(records, listing, form, language, head=head)


def _name(ruleset: Ruleset) -> dict[str, str]:
    return {
        "name": ruleset.name,
        "version": ruleset.version,
        "source": ruleset.source,
        "hash": ruleset.hash,
    }


class _Shown:
    """Differences for people."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def flat(self, record: Record) -> dict[str, Any]:
        """Values as in a ruleset file, yes and no in words."""
        needs = said("yes" if record["needs_replay"] else "no", self._language)
        sides = {side: _value(record[side]) for side in ("left", "right")}
        return {"path": record["path"], **sides, "needs_replay": needs}


def _value(value: Any) -> Any:
    return value if value is None or isinstance(value, int | str) else as_json(value)
