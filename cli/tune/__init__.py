"""``paipu tune``: what the same games would have paid under another scoring table."""

from __future__ import annotations

from typing import Final

import click

from cli.groups import LazyGroup
from cli.options import examples

COMMANDS: Final = {
    "whatif": "cli.tune.whatif:whatif",
    "sensitivity": "cli.tune.sensitivity:sensitivity",
    "search": "cli.tune.searching:search",
    "simulate": "cli.tune.simulating:simulate",
}


@click.group(
    cls=LazyGroup,
    places=COMMANDS,
    epilog=examples(
        ("paipu tune whatif --against new.toml -w wh/", "what a new table would have paid"),
        ("paipu tune sensitivity -w wh/", "what one unit more in each entry does"),
        ("paipu tune search goals.toml -w wh/ -o found/", "tables that meet goals"),
        ("paipu tune simulate jiule new.toml", "what becomes of simulated players' money"),
    ),
)
def tune() -> None:
    """Ask what the same games would have paid under another scoring table.

    Nothing is replayed: what was played is in the warehouse, and a settlement needs no more.
    """
