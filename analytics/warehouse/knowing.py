"""What a warehouse knows of rulesets: those that its games were settled by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

import msgspec

from analytics.rules import Rulebook, Ruleset, to_toml
from analytics.rules.model import plain
from analytics.warehouse.filling import Settling, engine
from analytics.warehouse.manifest import Manifest, Rules, Settlement


def play_hash(ruleset: Ruleset) -> str:
    """16 hex digits over ``[play]``: what the facts depend on."""
    text = json.dumps(plain(ruleset.play), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def with_rulesets(manifest: Manifest, rulebook: Rulebook, places: Iterable[int]) -> Manifest:
    """The manifest with these rulesets, and with how they settle.

    Args:
        manifest: of the warehouse.
        rulebook: of the run.
        places: of the rulesets in it that games were settled by.
    """
    settling = Settling.by(rulebook)
    rulesets = {(rules.ruleset, rules.ruleset_hash): rules for rules in manifest.rulesets}
    settlements = {each.settlement_key: each for each in manifest.settlements}
    for place in sorted(places):
        ruleset, key = rulebook.rulesets[place], int(settling.keys[place])
        rulesets.setdefault((ruleset.at, ruleset.hash), _rules(ruleset))
        settlements.setdefault(
            key, Settlement(key, ruleset.at, ruleset.hash, engine(), ruleset.scoring.unit)
        )
    return msgspec.structs.replace(
        manifest, rulesets=tuple(rulesets.values()), settlements=tuple(settlements.values())
    )


def _rules(ruleset: Ruleset) -> Rules:
    begins = ruleset.effective_from
    return Rules(
        ruleset=ruleset.at,
        ruleset_hash=ruleset.hash,
        play_hash=play_hash(ruleset),
        seats=ruleset.play.seats,
        unit=ruleset.scoring.unit,
        effective_from=begins.isoformat() if begins else None,
        toml=to_toml(ruleset),
    )
