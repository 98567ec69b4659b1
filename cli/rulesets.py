"""Which ruleset is meant: by name and version, or by file."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.failing import Failure, phrase, why_not

if TYPE_CHECKING:
    from analytics.rules import Rulebook, Ruleset


class NoSuchRuleset(Failure):
    """There is no ruleset of a name."""


def in_effect(rulebook: Rulebook, name_at: str) -> int:
    """The place of a ruleset: of that version, or of the one in effect now.

    Raises:
        NoSuchRuleset: there is none; says which there are.
    """
    from analytics.rules import NoRuleset
    from analytics.rules.mistakes import nearest

    try:
        return rulebook.find(name_at, time.time_ns() // 1_000)
    except NoRuleset as none:
        near = nearest(name_at, dict.fromkeys(ruleset.name for ruleset in rulebook.rulesets))
        name = "no_ruleset_near" if near else "no_ruleset"
        reason = phrase(none.reason)
        raise NoSuchRuleset(why_not(name, name=name_at, reason=reason, near=near)) from none


def ruleset_of(place: str, rules_dirs: Sequence[str]) -> Ruleset:
    """The ruleset that a name or a file means.

    Raises:
        NoSuchRuleset: there is no such name.
        RulesetError: the file is no ruleset.
    """
    from analytics.rules import load_file, load_rulesets

    if os.path.isfile(place):
        return load_file(place, rules_dirs)
    if os.path.exists(place) or place.endswith(".toml"):
        raise NoSuchRuleset(why_not("no_file", path=place))
    rulebook = load_rulesets(rules_dirs)
    return rulebook.rulesets[in_effect(rulebook, place)]
