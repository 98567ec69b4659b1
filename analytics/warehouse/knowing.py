"""What a warehouse knows of rulesets: those that its games were settled by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from analytics.findings import Code
from analytics.rules import Rulebook, Ruleset, to_toml
from analytics.rules.model import plain
from analytics.warehouse.filling import Settling, engine
from analytics.warehouse.manifest import Manifest, Rules, Settlement

# Of lines that another rulebook, encoding or version of paipu may be able to read.
_OTHERWISE: Final = frozenset({Code.FORMAT_RULES, Code.FORMAT_ENCODING, Code.FORMAT_VERSION})


def reading_key(rulebook: Rulebook, encoding: str | None) -> str:
    """16 hex digits over all that decides which lines of a log can be read, but the log."""
    rules = [(r.at, str(r.effective_from), r.hash) for r in rulebook.rulesets]
    text = json.dumps([engine(), encoding, rules])
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def may_read_more(codes: Collection[int], encoding: str | None) -> bool:
    """Whether another run may read lines that this one refused.

    Args:
        codes: of the findings on lines that could not be read.
        encoding: that was asked for. If it was the wrong one, anything may be said of them.
    """
    return bool(codes) and (encoding is not None or not _OTHERWISE.isdisjoint(codes))


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
