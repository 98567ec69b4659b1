"""Mutation testing of the engine: ``python -m tests.mutation --sample 150``.

Changes the kernels in one small way at a time, in a copy of the tree, and runs the tests
that know them. A mutant that no test notices has survived: a test is missing, or the
change makes no difference. Results are kept in a report, so that a run can be broken off
and taken up again.

The tools that there are do not fit: mutmut leaves decorated functions out, and every
kernel is decorated; cosmic-ray changes the files in place.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final

ROOT: Final = Path(__file__).parents[1]
ENGINE: Final = "analytics/shuangkou"
MODULES: Final = ("melds", "replay", "trustee", "settlement")
COPIED: Final = ("analytics", "cli", "tests", "docs", "pyproject.toml")
LEAST_SCORE: Final = 95.0
SLOWER: Final = 3  # a mutant gets so many times the time that the tests need

RULEBOOK, SHUANGKOU, PROPERTIES = "tests/rulebook", "tests/shuangkou", "tests/properties"

# The tests that know a module best are run first; if they pass, all the others.
FIRST: Final = {
    "melds": [
        f"{RULEBOOK}/test_clause_04_bombs.py",
        f"{RULEBOOK}/test_clause_03_melds.py",
        f"{PROPERTIES}/test_wild_jokers.py",
    ],
    "replay": [f"{RULEBOOK}/test_clause_05_play.py", f"{RULEBOOK}/test_findings.py"],
    "trustee": [f"{RULEBOOK}/test_clause_05_play.py", f"{PROPERTIES}/test_trustee_search.py"],
    "settlement": [f"{RULEBOOK}/test_clause_{name}.py" for name in ("08_scoring", "09_escape")],
}
OTHERS: Final = (
    RULEBOOK,
    *(f"{SHUANGKOU}/test_{name}.py" for name in ("melds", "settlement", "facts", "describe")),
    *(f"{SHUANGKOU}/test_{name}.py" for name in ("desk", "signature", "notation", "reading")),
    *(
        f"{PROPERTIES}/test_{name}.py"
        for name in ("trustee_search", "wild_jokers", "order", "games")
    ),
    f"{PROPERTIES}/test_oracle_agrees.py",
)
FEWER: Final = {"PAIPU_ORACLE_CARDS": "2000", "PAIPU_ORACLE_GAMES": "96"}


# The mutations.


@dataclass(frozen=True)
class Mutant:
    """One small change.

    Attributes:
        module: of ``MODULES``.
        line: where, from 1.
        place: the change's number in its module.
        before, after: the changed expression or statement.
        source: hash of the module that was changed.
    """

    module: str
    line: int
    place: int
    before: str
    after: str
    source: str

    @property
    def key(self) -> str:
        return f"{self.module} {self.source} {self.place}"

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line}: {self.before}  ->  {self.after}"


_COMPARED: Final[dict[type[ast.cmpop], list[type[ast.cmpop]]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
}
_COMPUTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
}
_CALLED: Final = {"min": "max", "max": "min"}


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """Every small change of one node: operators, comparisons, constants, logic, calls."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            for other in _COMPARED.get(type(op), []):
                yield _with(node, ops=[*node.ops[:at], other(), *node.ops[at + 1 :]])
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _COMPUTED:
        yield _with(node, op=_COMPUTED[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield _with(node, value=not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield _with(node, value=node.value + 1)
        if node.value > 0:
            yield _with(node, value=node.value - 1)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in _CALLED:
            yield _with(node, func=ast.Name(_CALLED[node.func.id]))
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    if isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()


_RETURNED: Final[dict[str, Callable[[ast.expr], ast.expr]]] = {
    "bool": lambda value: ast.UnaryOp(ast.Not(), value),
    "int": lambda value: ast.BinOp(value, ast.Add(), ast.Constant(1)),
    "Meld": lambda _: ast.Name("NO_MELD"),
}


def _returned(node: ast.Return, annotation: ast.expr | None) -> Iterator[ast.AST]:
    """The return statement of a function with another value of its type."""
    change = _RETURNED.get(ast.unparse(annotation)) if annotation else None
    if change and node.value and not isinstance(node.value, ast.Constant):
        value = change(copy.deepcopy(node.value))
        if ast.unparse(value) != ast.unparse(node.value):
            yield _with(node, value=value)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


@dataclass
class _Spot:
    """A node, where it hangs, and the return annotation of its function."""

    parent: ast.AST
    field: str
    at: int | None
    node: ast.AST
    annotation: ast.expr | None

    def put(self, node: ast.AST) -> None:
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node

    def changes(self) -> Iterator[ast.AST]:
        yield from _changed(self.node)
        if isinstance(self.node, ast.Return):
            yield from _returned(self.node, self.annotation)


_SKIPPED: Final = {"annotation", "returns", "decorator_list", "bases", "arguments"}


def _spots(node: ast.AST, annotation: ast.expr | None = None) -> Iterator[_Spot]:
    """All nodes below one, in order, annotations and decorators left out."""
    if isinstance(node, ast.FunctionDef):
        annotation = node.returns
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED or isinstance(node, ast.ImportFrom | ast.Import):
            continue
        children = value if isinstance(value, list) else [value]
        for at, child in enumerate(children):
            if isinstance(child, ast.AST):
                yield _Spot(node, field, at if isinstance(value, list) else None, child, annotation)
                yield from _spots(child, annotation)


def mutants_of(module: str) -> Iterator[tuple[Mutant, str]]:
    """Every mutant of a module, and its source."""
    text = (ROOT / ENGINE / f"{module}.py").read_text(encoding="utf-8")
    source = hashlib.sha256(text.encode()).hexdigest()[:12]
    tree = ast.parse(text)
    place = 0
    for spot in list(_spots(tree)):
        for changed in list(spot.changes()):
            before, after = ast.unparse(spot.node), ast.unparse(changed)
            spot.put(changed)
            line = getattr(spot.node, "lineno", 0)
            yield Mutant(module, line, place, before, after, source), ast.unparse(tree)
            spot.put(spot.node)
            place += 1


# Running.

Limits = dict[str, list[float]]  # by module, seconds for each part of its tests


def parts(module: str) -> list[list[str]]:
    """The tests of a module: those that know it best, and the others."""
    return [FIRST[module], [name for name in OTHERS if name not in FIRST[module]]]


class Tree:
    """A copy of the tree in which one mutant at a time is tested."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ticks = 0
        for name in COPIED:
            source = ROOT / name
            ignored = shutil.ignore_patterns("__pycache__", ".*")
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=ignored)
            elif source.exists():
                shutil.copy(source, folder / name)

    def test(self, module: str, text: str, limits: Limits) -> str:
        """Tests a module with this text: "survived", "killed" or "timed out"."""
        path = self.folder / ENGINE / f"{module}.py"
        kept = path.read_text(encoding="utf-8")
        try:
            self._write(path, text)
            for tests, limit in zip(parts(module), limits[module], strict=True):
                result = self.run(tests, limit)
                if result != "survived":
                    return result
            return "survived"
        finally:
            self._write(path, kept)

    def _write(self, path: Path, text: str) -> None:
        """With a time of its own, as Python looks at that to tell whether it changed."""
        path.write_text(text, encoding="utf-8")
        self._ticks += 10
        os.utime(path, (self._ticks, self._ticks))

    def run(self, tests: Sequence[str], limit: float | None = None) -> str:
        """Runs these tests on the tree as it is."""
        command = [sys.executable, "-m", "pytest", "-xq", "-m", "not slow", "--no-header"]
        command += ["--disable-warnings", "-o", "xfail_strict=false", *tests]
        environment = {**os.environ, **FEWER, "PAIPU_COMPILE": "never"}
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=environment,
                capture_output=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "timed out"
        return "survived" if done.returncode == 0 else "killed"


class Report:
    """What became of which mutant, a JSON line each."""

    def __init__(self, path: Path, *, again: bool) -> None:
        self._path = path
        self._lock = threading.Lock()
        self.results: dict[str, str] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.results[entry["key"]] = entry["result"]
        if again:
            self.results = {k: r for k, r in self.results.items() if r != "survived"}

    def add(self, mutant: Mutant, result: str) -> None:
        entry = {"key": mutant.key, **asdict(mutant), "result": result}
        with self._lock:
            self.results[mutant.key] = result
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")


def limits_of(tree: Tree) -> Limits:
    """How long tests may take, from how long they take without a change."""

    def limit(tests: Sequence[str]) -> float:
        begun = time.monotonic()
        if tree.run(tests) != "survived":
            raise SystemExit("the tests fail without any change")
        return SLOWER * (time.monotonic() - begun) + 15

    others = limit(OTHERS)
    return {module: [limit(FIRST[module]), others] for module in MODULES}


def run(chosen: list[tuple[Mutant, str]], report: Report, jobs: int) -> None:
    """Tests the mutants that the report does not know yet."""
    waiting = [(m, text) for m, text in chosen if m.key not in report.results]
    if not waiting:
        return
    with tempfile.TemporaryDirectory() as folder:
        free = [Tree(Path(folder, str(job))) for job in range(jobs)]
        limits = limits_of(free[0])

        def test(item: tuple[Mutant, str]) -> None:
            mutant, text = item
            tree = free.pop()
            result = tree.test(mutant.module, text, limits)
            free.append(tree)
            report.add(mutant, result)
            print(f"{result:9}  {mutant}", file=sys.stderr, flush=True)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(test, waiting))


def summary(chosen: list[tuple[Mutant, str]], report: Report) -> float:
    """Prints a table and the survivors; returns the score in percent."""
    results: dict[str, Counter[str]] = {module: Counter() for module in MODULES}
    survivors = []
    for mutant, _ in chosen:
        result = report.results[mutant.key]
        results[mutant.module][result] += 1
        if result == "survived":
            survivors.append(mutant)
    results["all"] = sum(results.values(), Counter())
    print(f"{'module':12}{'mutants':>9}{'killed':>9}{'timed out':>11}{'survived':>10}{'score':>8}")
    score = 100.0
    for name, found in results.items():
        total = found.total()
        score = 100 * (1 - found["survived"] / total) if total else 100.0
        print(
            f"{name:12}{total:9}{found['killed']:9}{found['timed out']:11}"
            f"{found['survived']:10}{score:7.1f}%"
        )
    for mutant in survivors:
        print(f"survived: {mutant}")
    return score


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, help="so many mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--module", choices=MODULES, action="append", help="only these")
    parser.add_argument("--again", action="store_true", help="test survivors anew")
    parser.add_argument("--report", type=Path, default=ROOT / "build" / "mutation.jsonl")
    options = parser.parse_args()
    every = [item for module in options.module or MODULES for item in mutants_of(module)]
    if options.sample is not None and options.sample < len(every):
        every = Random(options.seed).sample(every, options.sample)
    every.sort(key=lambda item: (item[0].module, item[0].place))
    report = Report(options.report, again=options.again)
    run(every, report, options.jobs)
    return 0 if summary(every, report) >= LEAST_SCORE else 1


if __name__ == "__main__":
    sys.exit(main())
