"""The house as it was promised: floors, sizes of modules and functions, no stray words."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

from analytics.logs.flaws import EXPECTED
from analytics.wording.catalogue import catalogue

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "analytics").rglob("*.py"), *(ROOT / "cli").rglob("*.py")])
FORBIDDEN_NAMES = re.compile(r"(^|_)(utils?|helpers?|managers?|data2|misc)($|_)")


def test_a_module_imports_only_from_floors_below() -> None:
    """The import law holds."""
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_modules_are_short() -> None:
    """No module has more than 500 lines."""
    long = {p.name: n for p in SOURCES if (n := len(p.read_text("utf-8").splitlines())) > 500}
    assert not long


def test_functions_are_short() -> None:
    """The median function has at most 8 lines of code, nine in ten at most 30, none over 50."""
    lengths = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                lengths.append((_lines_of_code(node), f"{path.name}:{node.name}"))
    counts = sorted(n for n, _ in lengths)
    assert statistics.median(counts) <= 8
    assert counts[int(len(counts) * 0.9)] <= 30
    assert not [where for n, where in lengths if n > 50]


def _lines_of_code(node: ast.FunctionDef) -> int:
    """Lines of the body, its docstring left out."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (node.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_every_module_and_public_function_has_a_docstring() -> None:
    """Whatever is public says what it is."""
    silent = []
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        if tree.body and not ast.get_docstring(tree):
            silent.append(path.name)
        for node in tree.body:
            is_named = isinstance(node, ast.FunctionDef | ast.ClassDef)
            if is_named and not node.name.startswith("_") and not ast.get_docstring(node):
                silent.append(f"{path.name}:{node.name}")
    assert not silent


def test_names_say_what_things_are() -> None:
    """No module is called utils, helper or manager."""
    assert not [path.name for path in SOURCES if FORBIDDEN_NAMES.search(path.stem)]


def test_every_expectation_of_the_readers_has_chinese_words() -> None:
    """What was expected of a field is said in the reader's language."""
    assert set(EXPECTED) <= set(catalogue("zh").phrases)


def test_coverage_is_measured_on_every_module_with_kernels() -> None:
    """A new kernel that reads, replays or settles cannot be left out of ``make coverage``.

    Those that only make games are tested by the games that they make.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    kernels = re.compile(r"^@(called_|quick_)?kernel$", re.MULTILINE)
    found = [str(p.relative_to(ROOT)) for p in SOURCES if kernels.search(p.read_text("utf-8"))]
    found = [name for name in found if not name.startswith("analytics/simulate/")]
    assert project["tool"]["coverage"]["run"]["include"] == found
    assert project["tool"]["coverage"]["report"]["fail_under"] == 100


def test_no_door_hides_a_module() -> None:
    """What a package hands out has not the name of one of its modules: a name means one thing."""
    hidden = []
    for path in (ROOT / "analytics").rglob("__init__.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            names = node.names if isinstance(node, ast.ImportFrom) else []
            modules = {name.asname or name.name for name in names if node.module != "analytics"}
            hidden += [(path.parent.name, m) for m in modules if (path.parent / f"{m}.py").exists()]
    assert not hidden
