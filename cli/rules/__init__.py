"""``paipu rules``: what rulesets there are, and whether a file of yours is one."""

from __future__ import annotations

from typing import Final

import click

from cli.groups import LazyGroup
from cli.options import examples

COMMANDS: Final = {
    "list": "cli.rules.listing:list_rulesets",
    "show": "cli.rules.showing:show",
    "check": "cli.rules.checking:check",
    "diff": "cli.rules.differing:diff",
}


@click.group(
    cls=LazyGroup,
    places=COMMANDS,
    epilog=examples(
        ("paipu rules list", "the presets, or with --rules-dir yours as well"),
        ("paipu rules check houses/", "every mistake in your files, with line and path"),
        ("paipu rules diff huopin-wealth houses/gold.toml", "what the copy has changed"),
    ),
)
def rules() -> None:
    """List, show, check and compare rulesets.

    A ruleset is a TOML file that says how one house plays and pays.
    """
