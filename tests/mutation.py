"""Mutation testing of the engine: ``python -m tests.mutation --sample 300``.

Changes the kernels in one small way at a time and runs the tests that know them, each
mutant in a process of its own: the tests are collected once, a fork puts the changed code
in the place of the loaded one. A mutant that no test notices has survived: a test is
missing, or the change makes no difference. Results are kept in a report, so that a run
can be broken off and taken up again.

What a module computes from a constant of another one while it is imported keeps its value.

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
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[1]
ENGINE: Final = "analytics.shuangkou"
MODULES: Final = ("melds", "replaying", "choices", "trustee", "settlement")
LEAST_SCORE: Final = 95.0
SLOWER: Final = 5  # a mutant gets so many times the processor time that a test needs ...
SECONDS: Final = 5  # ... and so many seconds more

RULEBOOK, SHUANGKOU, PROPERTIES = "tests/rulebook", "tests/shuangkou", "tests/properties"
ORACLE: Final = f"{PROPERTIES}/test_oracle_agrees.py"
SEARCHES: Final = tuple(
    f"{PROPERTIES}/test_{name}.py" for name in ("wild_jokers", "trustee_search")
)

# The tests that know a module best are run first; if they pass, all the others.
FIRST: Final = {
    "melds": ("clause_03_melds", "clause_04_bombs", "clause_05_trustee"),
    "replaying": ("clause_05_play", "findings"),
    "choices": ("clause_05_trustee", "clause_05_play"),
    "trustee": ("clause_05_trustee", "clause_05_play"),
    "settlement": ("clause_06_kou", "clause_07_effective_xiang", "clause_08_scoring",
                   "clause_09_escape"),
}  # fmt: skip
OTHERS: Final = (
    RULEBOOK,
    *(f"{SHUANGKOU}/test_{name}.py" for name in ("melds", "settlement", "facts", "describing")),
    *(f"{SHUANGKOU}/test_{name}.py" for name in ("desk", "signature", "notation", "reading")),
    *(f"{PROPERTIES}/test_{name}.py" for name in ("order", "games")),
    *SEARCHES,
    ORACLE,
)
# What sees nothing of a module that the tests before it do not see, and takes long.
GAMES: Final = f"{PROPERTIES}/test_games.py"
BLIND: Final = {
    "melds": (GAMES,),
    "trustee": (GAMES,),
    "replaying": SEARCHES,
    "choices": SEARCHES,
    "settlement": SEARCHES,
}
FEWER: Final = {
    "PAIPU_ORACLE_CARDS": "1600",
    "PAIPU_ORACLE_GAMES": "64",
    "PAIPU_SEARCH_SHARE": "5",
    "PAIPU_COMPILE": "never",
}


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
    text = Path(_loaded(module).__file__ or "").read_text(encoding="utf-8")
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


# Putting a mutant in the place of what is loaded.


def _loaded(module: str) -> ModuleType:
    __import__(f"{ENGINE}.{module}")
    return sys.modules[f"{ENGINE}.{module}"]


def put_in(module: str, text: str) -> None:
    """Gives the functions and constants of a loaded module, wherever they are used, new values."""
    kept = _loaded(module)
    changed: dict[str, Any] = {"__name__": kept.__name__}
    exec(compile(text, f"{module}.py", "exec"), changed)
    for name, value in changed.items():
        old = getattr(kept, name, None)
        if isinstance(value, FunctionType) and value.__module__ == kept.__name__:
            assert isinstance(old, FunctionType)
            old.__code__ = value.__code__
        elif isinstance(value, int | tuple) and value != old:
            for user, alias in _users(kept.__name__).get(name, []):
                setattr(user, alias, value)
            setattr(kept, name, value)


@cache
def _users(name: str) -> dict[str, list[tuple[ModuleType, str]]]:
    """Which loaded modules have imported which name of a module, and as what."""
    users: dict[str, list[tuple[ModuleType, str]]] = {}
    for user in list(sys.modules.values()):
        path = Path(getattr(user, "__file__", None) or "/")
        if path.suffix != ".py" or ROOT not in path.parents or ".venv" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == name:
                for each in node.names:
                    users.setdefault(each.name, []).append((user, each.asname or each.name))
    return users


# Running.


class Report:
    """What became of which mutant, a JSON line each."""

    def __init__(self, path: Path, *, again: bool) -> None:
        self._path = path
        self.results: dict[str, str] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.results[entry["key"]] = entry["result"]
        if again:
            self.results = {k: r for k, r in self.results.items() if r != "survived"}

    def add(self, mutant: Mutant, result: str, by: str) -> None:
        entry = {"key": mutant.key, **asdict(mutant), "result": result, "by": by}
        self.results[mutant.key] = result
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


class Fork(NamedTuple):
    """A process that tests one mutant; what it says comes through the pipe."""

    mutant: Mutant | None
    pid: int
    pipe: int


class Runner:
    """A pytest plugin: runs the collected tests once for every mutant, in forks.

    The tests that killed most mutants of a module come first, then those that know it
    best, then the others, the quick ones before the slow.
    """

    def __init__(self, waiting: list[tuple[Mutant, str]], report: Report, jobs: int) -> None:
        self._waiting = waiting
        self._report = report
        self._jobs = jobs
        self._seconds: dict[str, float] = {}
        self._killers: dict[str, Counter[str]] = {module: Counter() for module in MODULES}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        self._seconds = json.loads(self._wait([self._fork(session, None, "")])[1])
        for module in MODULES:
            _users(_loaded(module).__name__)  # worked out once, for all forks
        forks: list[Fork] = []
        for mutant, text in self._waiting:
            if len(forks) == self._jobs:
                self._settle(forks)
            forks.append(self._fork(session, mutant, text))
        while forks:
            self._settle(forks)
        return True

    def _fork(self, session: pytest.Session, mutant: Mutant | None, text: str) -> Fork:
        pipe, told = os.pipe()
        pid = os.fork()
        if pid:
            os.close(told)
            return Fork(mutant, pid, pipe)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        said = self._try(session, mutant, text)
        os.write(told, said.encode())
        os._exit(0)

    def _try(self, session: pytest.Session, mutant: Mutant | None, text: str) -> str:
        """Runs the tests; the name of the one that fails, or how long each took."""
        if mutant is not None:
            try:
                put_in(mutant.module, text)
            except Exception:
                return "! import"
        seconds = {}
        items = self._ordered(session.items, mutant)
        for item, after in zip(items, [*items[1:], None], strict=True):
            limit = SLOWER * self._seconds.get(item.nodeid, 60) + SECONDS
            signal.setitimer(signal.ITIMER_PROF, limit)  # its signal ends the process
            begun = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if session.testsfailed:
                return f"! {item.nodeid}"
            seconds[item.nodeid] = round(time.process_time() - begun, 3)
        return "" if mutant else json.dumps(seconds)

    def _ordered(self, items: list[pytest.Item], mutant: Mutant | None) -> list[pytest.Item]:
        if mutant is None:
            return items
        killers, first = self._killers[mutant.module], FIRST[mutant.module]

        def place(item: pytest.Item) -> tuple[int, bool, float]:
            knows = any(f"test_{name}.py" in item.nodeid for name in first)
            return (-killers[item.nodeid], not knows, self._seconds[item.nodeid])

        blind = BLIND.get(mutant.module, ())
        return sorted((i for i in items if not i.nodeid.startswith(blind)), key=place)

    def _settle(self, forks: list[Fork]) -> None:
        """Takes down the result of the fork that was begun first."""
        fork, said, status = self._wait(forks)
        assert fork.mutant is not None
        if os.WIFSIGNALED(status):
            result = "timed out" if os.WTERMSIG(status) == signal.SIGPROF else "killed"
        else:
            result = "killed" if said else "survived"
        if said.startswith("! tests"):
            self._killers[fork.mutant.module][said[2:]] += 1
        self._report.add(fork.mutant, result, said[2:])
        print(f"{result:9}  {fork.mutant}", file=sys.stderr, flush=True)

    def _wait(self, forks: list[Fork]) -> tuple[Fork, str, int]:
        fork = forks.pop(0)
        with os.fdopen(fork.pipe, encoding="utf-8") as pipe:
            said = pipe.read()
        _, status = os.waitpid(fork.pid, 0)
        if fork.mutant is None and not said.startswith("{"):
            raise SystemExit(f"the tests fail without any change: {said}")
        return fork, said, status


def run(chosen: list[tuple[Mutant, str]], report: Report, jobs: int) -> None:
    """Tests the mutants that the report does not know yet."""
    waiting = [(m, text) for m, text in chosen if m.key not in report.results]
    if not waiting:
        return
    os.environ.update({**FEWER, **os.environ})
    os.chdir(ROOT)
    options = ["-q", "-s", "-p", "no:xdist", "-m", "not slow", "--no-header", "--no-summary"]
    pytest.main([*options, *OTHERS], plugins=[Runner(waiting, report, jobs)])


def summary(chosen: list[tuple[Mutant, str]], report: Report) -> float:
    """Prints a table and the survivors; returns the score in percent."""
    results: dict[str, Counter[str]] = {module: Counter() for module in MODULES}
    survivors = []
    for mutant, _ in chosen:
        if mutant.key not in report.results:
            raise SystemExit("broken off; what was tested is kept")
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
    parser.add_argument("--jobs", type=int, default=1, help="processes")
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
