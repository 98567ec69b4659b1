"""Random scoring tables with the ``[play]`` of a given ruleset."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from analytics.rules import Ruleset, load_text, to_toml
from tests.oracle.as_toml import as_toml
from tests.oracle.random_rules import random_rules


def random_table(ruleset: Ruleset, rng: Random, **scoring: Any) -> Ruleset:
    """A ruleset that plays by the same rules and pays in a random way, without a cap.

    Args:
        ruleset: whose ``[play]`` it has.
        rng: of all chance.
        scoring: settings that are not left to chance.
    """
    while True:
        drawn = random_rules(rng)
        escape = drawn["play"]["on_escape"]
        if (drawn["play"]["seats"], escape) == (ruleset.play.seats, ruleset.play.on_escape):
            break
    drawn["scoring"]["cap_at_balance"] = False
    drawn["scoring"].update(scoring)
    made = load_text(as_toml(drawn), drawn["name"])
    return replace(made, play=ruleset.play)


def round_trip(ruleset: Ruleset) -> Ruleset:
    """The same, written and read again."""
    return load_text(to_toml(ruleset), ruleset.at)
