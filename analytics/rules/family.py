"""Drafts together: parents, versions, and the rulesets that come of them.

Source: rules clause 11; docs/ruleset.md says how ``extends`` merges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any

from analytics.findings import Severity
from analytics.rules.drafts import PRESET, Draft
from analytics.rules.lint import lint
from analytics.rules.mistakes import Problem, nearest, problem, severity_of
from analytics.rules.model import REQUIRED, Play, Ruleset, Scoring, Spec, Xiang, applies, specs
from analytics.rules.values import shown


@dataclass(slots=True, eq=False)
class Member:
    """A draft with what it inherits.

    Attributes:
        draft: the file.
        settings: those that apply, inherited and own, by key.
        unknown: keys of settings that could not be read, here or in a parent.
        title, terms: inherited and own.
        origins: per key of a setting that a file gives, the ruleset whose file it is.
        ancestors: the sources of its parent, the parent's parent and so on.
        lint: what is wrong between the settings, inherited and own.
        problems: all that is wrong with the file, inherited warnings among it.
        is_sound: neither the file nor a parent has an error.
    """

    draft: Draft
    settings: dict[str, Any]
    unknown: set[str]
    title: Mapping[str, str]
    terms: Mapping[str, str]
    origins: Mapping[str, str]
    ancestors: tuple[str, ...]
    lint: list[Problem]
    problems: list[Problem]
    is_sound: bool = True

    def ruleset(self) -> Ruleset:
        """The ruleset of a sound member."""
        draft = self.draft
        return Ruleset(
            name=draft.name,
            version=draft.version,
            effective_from=draft.effective_from,
            title=self.title,
            terms=self.terms,
            play=Play(**self._section(Play)),
            xiang=Xiang(**self._section(Xiang)),
            scoring=Scoring(**self._section(Scoring)),
            source=draft.source,
        )

    def _section(self, record: Any) -> dict[str, Any]:
        return {each.name: self.settings.get(each.name) for each in fields(record)}


_NO_PARENT = Member(Draft(""), {}, set(), {}, {}, {}, (), [], [])
_UNKNOWN_PARENT = replace(_NO_PARENT, unknown=set(specs()), is_sound=False)


def join(drafts: Iterable[Draft]) -> list[Member]:
    r"""Gives every draft its parent's settings and checks the whole.

    Never raises; the members stand in the order of the drafts.

    >>> from analytics.rules.drafts import read_draft
    >>> text = b'name = "a"\nversion = "1"\nextends = "b"'
    >>> [member] = join([read_draft("a.toml", text)])
    >>> member.is_sound, [problem.message for problem in member.problems]
    (False, ['there is no ruleset "b"'])
    """
    family = _Family(tuple(drafts))
    members = [family.member(draft) for draft in family.drafts]
    for member, clash in _clashes(members):
        member.problems.append(clash)
        member.is_sound = False
    return members


class _Family:
    """All drafts, and the members that have been made of them."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self.drafts = drafts
        self._members: dict[int, Member] = {}
        self._open: list[Draft] = []  # the children on the way to the draft in hand

    def member(self, draft: Draft) -> Member:
        if id(draft) not in self._members:
            self._open.append(draft)
            self._members[id(draft)] = _make(draft, self._parent(draft))
            self._open.pop()
        return self._members[id(draft)]

    def _parent(self, draft: Draft) -> Member:
        if not draft.is_toml:
            return _UNKNOWN_PARENT
        if draft.extends is None:
            return _NO_PARENT
        found = [d for d in self.drafts if draft.extends in (d.name, d.at) and d is not draft]
        if len({d.at for d in found}) != 1 or found[0] in self._open:
            draft.problems.append(self._why_not(draft, found))
            return _UNKNOWN_PARENT
        return self.member(found[0])

    def _why_not(self, draft: Draft, found: list[Draft]) -> Problem:
        """Why a draft's parent cannot be had."""
        wanted, at = draft.extends or "", ("extends",)
        if not found and wanted in (draft.name, draft.at):
            return problem(at, "rules.cycle", "{name} extends itself", name=shown(wanted))
        if len({d.at for d in found}) > 1:
            template = "{name} has several versions: write {choices}"
            choices = tuple(sorted({shown(draft.at) for draft in found}))
            return problem(at, "rules.extends", template, name=shown(wanted), choices=choices)
        if found:
            circle = [*self._open[self._open.index(found[0]) :], found[0]]
            way = " -> ".join(d.at for d in circle)
            return problem(at, "rules.cycle", "the parents go in a circle: {way}", way=way)
        near = nearest(wanted, sorted({n for d in self.drafts if d.name for n in (d.name, d.at)}))
        template = "there is no ruleset {name}"
        return problem(at, "rules.extends", template, near=near, name=shown(wanted))


def _make(draft: Draft, parent: Member) -> Member:
    member = Member(
        draft,
        {**parent.settings, **draft.own},
        (parent.unknown - draft.own.keys()) | draft.unreadable,
        {**parent.title, **draft.title},
        {**parent.terms, **draft.terms},
        {**parent.origins, **dict.fromkeys(draft.own, draft.at)},
        (*parent.ancestors, *filter(None, [parent.draft.source])),
        [],
        list(draft.problems),
    )
    for key in member.unknown:
        member.settings.pop(key, None)
    for spec in specs().values():
        _settle(spec, member)
    member.lint = lint(member.settings, member.unknown)
    member.problems += _told(member, parent)
    member.is_sound = parent.is_sound and not _has_error(member.problems)
    return member


def _told(member: Member, parent: Member) -> Iterator[Problem]:
    """What lint says of a file: errors where they are made, warnings wherever they hold."""
    for each in member.lint:
        if each not in parent.lint or each.path[1] in member.draft.own:
            yield each
        elif severity_of(each.code) is Severity.WARNING:
            origin = member.origins.get(str(each.path[1]))
            yield each._replace(sentence=each.sentence._replace(parent=origin))


def _settle(spec: Spec, member: Member) -> None:
    """Fills in a default, drops what does not apply, reports what is missing."""
    key, setting = spec.key, spec.setting
    if applies(spec, member.settings) is False:
        if key in member.draft.own:
            member.problems.append(_no_effect(spec))
        member.settings.pop(key, None)
    elif key in member.settings or key in member.unknown:
        return
    elif setting.default is not REQUIRED:
        member.settings[key] = setting.default
    elif applies(spec, member.settings):
        path = (spec.section, key)
        member.problems.append(problem(path, "rules.missing", "{key} is missing", key=key))
        member.unknown.add(key)


def _no_effect(spec: Spec) -> Problem:
    needed = ", ".join(f"{key} = {shown(value)}" for key, value in spec.setting.when)
    template = "{key} has no effect: it applies only with {needed}"
    at = (spec.section, spec.key)
    return problem(at, "rules.no-effect", template, key=spec.key, needed=needed)


def _has_error(problems: Iterable[Problem]) -> bool:
    return any(severity_of(each.code) is Severity.ERROR for each in problems)


def _clashes(members: Sequence[Member]) -> Iterable[tuple[Member, Problem]]:
    """Versions that cannot both be there, each at the later of the two files."""
    for first, second in combinations(members, 2):
        one, other = first.draft, second.draft
        if not one.name or one.name != other.name:
            continue
        if one.version and one.version == other.version:
            yield second, _same_version(one)
        elif _same_start(one, other):
            yield second, _same_time(one, other)


def _same_version(one: Draft) -> Problem:
    at, code = ("version",), "rules.same-version"
    if one.source.startswith(PRESET):
        template = "{name} is a preset: give this file a name of its own, or another version"
        return problem(at, code, template, name=shown(one.at))
    template = "{name} is given by {source} already"
    return problem(at, code, template, name=shown(one.at), source=one.source)


def _same_time(one: Draft, other: Draft) -> Problem:
    start = "the beginning of time" if one.effective_from is None else str(one.effective_from)
    return problem(
        ("effective_from",),
        "rules.same-time",
        "version {version} begins at {start}, as {other} ({source})",
        version=other.version,
        start=start,
        other=one.version,
        source=one.source,
    )


def _same_start(one: Draft, other: Draft) -> bool:
    is_known = all(_knows_start(draft) for draft in (one, other))
    return is_known and one.effective_from == other.effective_from


def _knows_start(draft: Draft) -> bool:
    at = ("effective_from",)
    return draft.is_toml and not any(each.path == at for each in draft.problems)
