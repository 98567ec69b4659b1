"""What differs between two rulesets, and whether the difference needs a replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from analytics.rules.model import SECTIONS, Ruleset, plain, specs


class Difference(NamedTuple):
    """One value that differs.

    Attributes:
        path: for instance ``scoring.doubling.7``; a level by the balance that it
            requires, ``scoring.base.levels.1000``; a row of places as a whole.
        left, right: the values as TOML holds them; None: not there.
        needs_replay: True for what changes the legal plays, ``[play]``.
    """

    path: str
    left: Any
    right: Any
    needs_replay: bool


def diff(left: Ruleset, right: Ruleset) -> list[Difference]:
    """Every setting, term and title that differs, in the order of the model.

    Names, versions, times and files are not compared. Rulesets with equal hashes
    differ in titles and terms at most.

    >>> from analytics.rules import load_rulesets
    >>> baibian, zerosum = load_rulesets().rulesets[:2]
    >>> [(d.path, d.left, d.right) for d in diff(baibian, zerosum)][0]
    ('scoring.places.ping', [1, 0, 0, 1], [1, -1, -1, 1])
    >>> diff(baibian, "baibian")
    Traceback (most recent call last):
    ...
    AttributeError: 'str' object has no attribute 'play'
    """
    one, other = _settings(left), _settings(right)
    return [
        difference
        for path in dict.fromkeys([*one, *other])
        for difference in _differences(path, one.get(path), other.get(path))
    ]


def _settings(ruleset: Ruleset) -> dict[str, Any]:
    """Everything that is compared, by path, in the order of the model."""
    given = {section: plain(getattr(ruleset, section)) for section in SECTIONS}
    return {
        **{f"{s}.{key}": given[s].get(key) for key, (s, *_) in specs().items()},
        **{f"title.{language}": text for language, text in ruleset.title.items()},
        **{f"terms.{term}": word for term, word in ruleset.terms.items()},
    }


def _differences(path: str, left: Any, right: Any) -> Iterator[Difference]:
    one, other = dict(_leaves(path, left)), dict(_leaves(path, right))
    for leaf in sorted(one.keys() | other.keys(), key=lambda leaf: (len(leaf), leaf)):
        if one.get(leaf) != other.get(leaf):
            yield Difference(leaf, one.get(leaf), other.get(leaf), path.startswith("play."))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The single values of a setting, by path."""
    if path == "scoring.base.levels" and value is not None:
        value = {str(required): base for required, base in value}
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, part in value.items():
        yield from _leaves(f"{path}.{key}", part)
