"""``paipu rules show``: one ruleset, everything written out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cli.options import (
    debug_option,
    examples,
    format_option,
    lang_option,
    rules_dir_option,
    ruleset_names,
)
from cli.output import emit, write_object
from cli.rulesets import ruleset_of
from cli.words import said

if TYPE_CHECKING:
    from analytics.rules import Ruleset
    from analytics.wording import Language


@click.command(
    epilog=examples(
        ("paipu rules show huopin-wealth", "a preset"),
        ("paipu rules show riverside@3 --rules-dir houses/", "a version of your own"),
        ("paipu rules show jiule > houses/ours.toml", "a start for a ruleset of your own"),
    )
)
@click.argument("ruleset", metavar="NAME[@VERSION]|FILE", shell_complete=ruleset_names)
@rules_dir_option
@format_option("toml", "json")
@lang_option
@debug_option
def show(ruleset: str, *, rules_dirs: Sequence[str], form: str, language: Language) -> None:
    """Print a ruleset with its parents merged and every default written out.

    Without a version it is the one in effect now. What is printed as TOML loads as the
    same ruleset.

    `paipu rules show NAME > houses/ours.toml` is the start of a ruleset of your own. Give
    it a name of its own before you use it, or another version with an effective_from:
    beside the preset the same name and version cannot be used. --lang is the language of
    the comment that says so.
    """
    from analytics.rules import to_toml

    found = ruleset_of(ruleset, rules_dirs)
    if form == "json":
        write_object(_record(found))
    else:
        comment = said("copy", language, source=found.source, hash=found.hash)
        emit(f"{comment}\n{to_toml(found)}")


def _record(ruleset: Ruleset) -> dict[str, Any]:
    from analytics.rules.model import SECTIONS, plain

    since = ruleset.effective_from
    return {
        "name": ruleset.name,
        "version": ruleset.version,
        "effective_from": since and since.isoformat(),
        "title": dict(ruleset.title),
        "terms": dict(ruleset.terms),
        "source": ruleset.source,
        "hash": ruleset.hash,
        **{section: plain(getattr(ruleset, section)) for section in SECTIONS},
    }
