"""Which ruleset is meant: by name and version, or by file."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from cli.failing import Failure

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
        names = dict.fromkeys(ruleset.name for ruleset in rulebook.rulesets)
        near = nearest(name_at, names)
        hint = f' (did you mean "{near}"?)' if near else ""
        raise NoSuchRuleset(f"ruleset {name_at!r}: {none.reason}{hint}.") from none


def ruleset_of(place: str, rules_dirs: Sequence[str]) -> Ruleset:
    """The ruleset that a name or a file means.

    A file is read alone where that is enough; where its parent is a neighbour, with its
    folder. It may be an edited copy of a preset that still has the preset's name.

    Raises:
        NoSuchRuleset: there is no such name.
        RulesetError: the file is no ruleset.
    """
    from analytics.rules import load_rulesets

    if not os.path.isfile(place):
        if os.path.exists(place) or place.endswith(".toml"):
            raise NoSuchRuleset(f"{place}: there is no such file.")
        rulebook = load_rulesets(rules_dirs)
        return rulebook.rulesets[in_effect(rulebook, place)]
    return _from_file(place, rules_dirs)


def _from_file(file: str, rules_dirs: Sequence[str]) -> Ruleset:
    from analytics.rules import RulesetError, load_rulesets

    first: RulesetError | None = None
    around = ([file, *rules_dirs], [os.path.dirname(file) or os.curdir, file, *rules_dirs])
    for paths, presets in product(around, (True, False)):
        try:
            rulebook = load_rulesets(list(dict.fromkeys(paths)), presets=presets)
        except RulesetError as error:
            first = first or error
            continue
        return next(r for r in rulebook.rulesets if r.source == str(Path(file)))
    assert first is not None
    raise first
