"""Loading rulesets from TOML files, every mistake of every file at once.

``load_rulesets`` runs exactly what ``check`` runs; warnings do not stop it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeAlias

from analytics.findings import Severity
from analytics.rules.drafts import PRESET, Draft, read_draft
from analytics.rules.family import Member, join
from analytics.rules.mistakes import (
    Mistake,
    Problem,
    RulesetError,
    nearest,
    path_text,
    problem,
    severity_of,
)
from analytics.rules.model import Ruleset
from analytics.rules.rulebook import Rulebook
from analytics.rules.writing import to_toml

PathLike: TypeAlias = str | os.PathLike[str]


def load_rulesets(directories: Sequence[PathLike] = (), *, presets: bool = True) -> Rulebook:
    """The rulesets of these folders (and single files), and the presets.

    Args:
        directories: folders, of which every ``*.toml`` is read (not those in folders
            below), or files.
        presets: whether the presets are there as well.

    Raises:
        RulesetError: with every error in every file.

    >>> [ruleset.at for ruleset in load_rulesets().rulesets][:2]
    ['baibian@1', 'baibian-zerosum@1']
    >>> load_rulesets(["nowhere"])
    Traceback (most recent call last):
    ...
    analytics.rules.mistakes.RulesetError: nowhere: error: it cannot be read: \
No such file or directory [rules.unreadable]
    """
    own = _read_files(_files(directories))
    members = join([*(_read_presets() if presets else ()), *own])
    errors = [m for m in _mistakes(members) if m.severity is Severity.ERROR]
    if errors:
        raise RulesetError(errors)
    return Rulebook.of(member.ruleset() for member in members)


def load_file(file: PathLike, directories: Sequence[PathLike] = ()) -> Ruleset:
    """The ruleset of a single file.

    It is read alone where that is enough; where its parent is a neighbour, with its
    folder. It may be an edited copy of a preset that still has the preset's name.

    Raises:
        RulesetError: the file is no ruleset.
    """
    path = Path(file)
    first: RulesetError | None = None
    around = ([path, *directories], [path.parent, path, *directories])
    for paths, presets in product(around, (True, False)):
        try:
            rulebook = load_rulesets(paths, presets=presets)
        except RulesetError as error:
            first = first or error
            continue
        return next(r for r in rulebook.rulesets if r.source == str(path))
    assert first is not None
    raise first


def load_text(text: str, source: str) -> Ruleset:
    """The ruleset that a text is, presets being what it may extend.

    Args:
        text: as ``to_toml`` writes it, for instance.
        source: what it is called where it is wrong.

    Raises:
        RulesetError: it is no ruleset.

    >>> jiule = load_rulesets().rulesets[4]
    >>> load_text(to_toml(jiule), "kept").hash == jiule.hash
    True
    >>> load_text("nothing", "kept")
    Traceback (most recent call last):
    ...
    analytics.rules.mistakes.RulesetError: ...
    """
    draft = read_draft(source, text.encode())
    presets = [each for each in _read_presets() if each.at != draft.at]
    members = join([*presets, draft])
    errors = [m for m in _mistakes(members) if m.severity is Severity.ERROR]
    if errors:
        raise RulesetError(errors)
    return next(m.ruleset() for m in members if m.draft is draft)


class Checked(NamedTuple):
    """What checking found.

    Attributes:
        sources: of the rulesets that were checked: files, and ``preset:NAME``.
        mistakes: all that is wrong with them, and errors of their parents.
    """

    sources: tuple[str, ...]
    mistakes: list[Mistake]


def check(
    places: Sequence[PathLike], directories: Sequence[PathLike] = (), *, presets: bool = True
) -> Checked:
    """Every mistake in these files, folders and rulesets.

    Parents are looked for among them, in the folders of the files, in the directories
    and among the presets; errors in such a parent are given too.

    Args:
        places: files, folders, and names of rulesets (``name`` or ``name@version``) that
            the directories or the presets have.
        directories: folders with more rulesets, or files.
        presets: whether the presets are there as well.

    >>> check(["tongcheng"]).sources
    ('preset:tongcheng',)
    >>> [mistake.code for mistake in check(["baibian"]).mistakes]
    ['rules.mint']
    """
    names = [str(place) for place in places if is_name(place)]
    files = _files(place for place in places if not is_name(place))
    checked = _read_files(files)
    around = _read_files(_files([*_folders(files), *directories], without=files))
    members = join([*(_read_presets() if presets else ()), *around, *checked])
    known = {at: m.draft.source for m in members for at in (m.draft.at, m.draft.name)}
    own = {draft.source for draft in checked} | {
        m.draft.source for m in members for name in names if name in (m.draft.name, m.draft.at)
    }
    parents = {source for m in members if m.draft.source in own for source in m.ancestors}
    strangers = [_stranger(name, known) for name in names if name not in known]
    found = [
        mistake
        for mistake in _mistakes(members)
        if mistake.file in own or (mistake.file in parents and mistake.severity is Severity.ERROR)
    ]
    sources = (m.draft.source for m in members if m.draft.source in own)
    return Checked(tuple(sources), [*strangers, *found])


def check_files(paths: Sequence[PathLike], *, presets: bool = True) -> list[Mistake]:
    """Every mistake in these files and folders; ``check`` knows names as well.

    >>> [mistake.code for mistake in check_files(["nowhere.toml"])]
    ['rules.unreadable']
    """
    return check(paths, presets=presets).mistakes


def is_name(place: PathLike) -> bool:
    """Whether a place is the name of a ruleset, and no file or folder.

    >>> is_name("jiule@1"), is_name("jiule.toml"), is_name("houses/")
    (True, False, False)
    """
    text = os.fspath(place)
    return not (text.endswith(".toml") or os.path.basename(text) != text or os.path.exists(text))


def _stranger(name: str, known: Iterable[str]) -> Mistake:
    """The mistake of a name that nothing has."""
    template, near = "there is neither a file nor a ruleset {name}", nearest(name, known)
    unread = problem((), "rules.unreadable", template, near=near, name=f'"{name}"')
    return _mistake(name, unread, None)


def check_presets() -> list[Mistake]:
    """Every mistake in the presets: warnings, since they load."""
    return _mistakes(join(_read_presets()))


def check_ruleset(ruleset: Ruleset) -> list[Mistake]:
    """Every mistake in a ruleset that a program has made; lines are those of ``to_toml``.

    >>> from dataclasses import replace
    >>> tongcheng = load_rulesets().rulesets[5]
    >>> scoring = replace(tongcheng.scoring, fee=-1)
    >>> print(check_ruleset(replace(tongcheng, scoring=scoring))[-1].message)
    -1 is not between 0 and 1,000,000,000,000
    """
    source = ruleset.source or ruleset.at
    return _mistakes(join([read_draft(source, to_toml(ruleset).encode())]))


def _files(paths: Iterable[PathLike], without: Iterable[Path] = ()) -> list[Path]:
    """The files that these paths mean, each once however it is written, in order."""
    seen = {path.resolve() for path in without}
    found = []
    for path in map(Path, paths):
        for file in sorted(path.glob("*.toml")) if path.is_dir() else [path]:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                found.append(file)
    return found


def _folders(files: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(path.parent for path in files if path.is_file()))


def _read_files(files: Iterable[Path]) -> list[Draft]:
    return [_read_file(path) for path in files]


def _read_file(path: Path) -> Draft:
    try:
        return read_draft(str(path), path.read_bytes())
    except OSError as failure:
        reason = failure.strerror or str(failure)
        unread = problem((), "rules.unreadable", "it cannot be read: {reason}", reason=reason)
        return Draft(str(path), problems=[unread])


def _read_presets() -> list[Draft]:
    from importlib.resources import files

    folder = files("analytics.rules") / "presets"
    presets = sorted(
        (f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name
    )
    return [read_draft(PRESET + f.name.removesuffix(".toml"), f.read_bytes()) for f in presets]


def _mistakes(members: Iterable[Member]) -> list[Mistake]:
    return [mistake for member in members for mistake in _of_file(member.draft, member.problems)]


def _of_file(draft: Draft, problems: Sequence[Problem]) -> list[Mistake]:
    """The mistakes of one file, in the order of its lines."""
    if not problems:
        return []
    from analytics.rules.toml_lines import scan  # only where something is wrong

    lines = scan(draft.text)
    found = [_mistake(draft.source, p, p.line or lines.nearest(p.path)) for p in problems]
    return sorted(found, key=lambda mistake: mistake.line or 0)


def _mistake(source: str, found: Problem, line: int | None) -> Mistake:
    if found.code == "rules.unreadable":
        line = None
    path, severity = path_text(found.path), severity_of(found.code)
    return Mistake(source, line, path, found.sentence, severity, found.code)
