"""Loading rulesets from TOML files, every mistake of every file at once.

``load_rulesets`` runs exactly what ``check_files`` runs; warnings do not stop it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from analytics.findings import Severity
from analytics.rules.drafts import Draft, read_draft
from analytics.rules.family import Member, join
from analytics.rules.mistakes import Mistake, Problem, RulesetError, path_text, severity_of
from analytics.rules.model import Ruleset
from analytics.rules.rulebook import Rulebook
from analytics.rules.writing import to_toml

PathLike: TypeAlias = str | os.PathLike[str]

PRESET: Final = "preset:"  # begins the ``source`` of a preset


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


def check_files(paths: Sequence[PathLike], *, presets: bool = True) -> list[Mistake]:
    """Every mistake in these files and folders.

    Their parents are looked for among them, in the folders of the files, and among
    the presets; errors in such a parent are given too.

    Args:
        paths: files or folders.
        presets: whether the presets are there as well.

    >>> [mistake.code for mistake in check_files(["nowhere.toml"])]
    ['rules.unreadable']
    """
    files = _files(paths)
    checked = _read_files(files)
    others = _read_files(_files(_folders(files), without=files))
    members = join([*(_read_presets() if presets else ()), *others, *checked])
    own = {draft.source for draft in checked}
    parents = {source for m in members if m.draft.source in own for source in m.ancestors}
    return [
        mistake
        for mistake in _mistakes(members)
        if mistake.file in own or (mistake.file in parents and mistake.severity is Severity.ERROR)
    ]


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
    except OSError as problem:
        message = f"it cannot be read: {problem.strerror}"
        return Draft(str(path), problems=[Problem((), "rules.unreadable", message)])


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


def _mistake(source: str, problem: Problem, line: int | None) -> Mistake:
    if problem.code == "rules.unreadable":
        line = None
    path, severity = path_text(problem.path), severity_of(problem.code)
    return Mistake(source, line, path, problem.message, severity, problem.code)
