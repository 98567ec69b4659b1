"""The search for tables that an operator can ship.

Where there are few tables, all are tried. Else NSGA-II of pymoo proposes them, a
generation at a time; they are made whole, never falling and of few values before anybody
looks at them. All that were tried are kept, and the Pareto set is that of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from analytics.rules import Ruleset, check_ruleset
from analytics.tuning.errors import CannotTune
from analytics.tuning.goals import CHANGED, Goals
from analytics.tuning.judging import Floats, Judge, judge_of, name_of, shortfalls
from analytics.tuning.metrics import Class, names_of
from analytics.tuning.space import Space, space_of

if TYPE_CHECKING:
    import pandas as pd

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Evaluate: TypeAlias = "Callable[[Sequence[Ruleset]], pd.DataFrame]"
Tell: TypeAlias = Callable[[int, int], None]  # tables tried, tables in all

NO_OTHERS: Final[Mapping[Class, Evaluate]] = {}

_GENERATION: Final = 100  # tables; K. Deb et al., NSGA-II (2002), have as many
_EVOLVED: Final = 0.8  # of all tables; the rest is for putting entries back
_SPREAD: Final = 3.0  # of children around their parents: pymoo's own choice for whole numbers


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a search has found.

    Attributes:
        goals: of the search.
        baseline: what tables were made of.
        rulesets: some of the Pareto set, by their first want, the best first; none where
            no table meets all requirements.
        tables: a row a ruleset: ``name``, ``hash``, ``changed``, and every metric.
        front: the whole Pareto set: a row a table, a column for what each want is about,
            named as ``judging.name_of`` says, and ``written``: the name of its ruleset, or null.
        now: what the baseline comes to in each want, by the same names.
        is_baseline_tried: whether the baseline is among the tables that were tried: what may
            vary must have its entries.
        shortfalls: where there is none, what the best table misses, the worst first.
        tried: how many different tables were tried.
        feasible: how many of them meet all requirements.
    """

    goals: Goals
    baseline: Ruleset
    rulesets: tuple[Ruleset, ...]
    tables: pd.DataFrame
    front: pd.DataFrame
    now: Mapping[str, float]
    is_baseline_tried: bool
    shortfalls: pd.DataFrame
    tried: int
    feasible: int


def search(
    goals: Goals,
    baseline: Ruleset,
    evaluate: Evaluate,
    *,
    days: int,
    slower: Mapping[Class, Evaluate] = NO_OTHERS,
    tell: Tell | None = None,
) -> Found:
    """Looks for tables that meet goals.

    Guarantees: the same goals and games give the same tables. The baseline is among the
    tables that are tried wherever what may vary has its entries; else the nearest to it may be.

    Args:
        goals: what may change, what must hold, what is wanted.
        baseline: what tables are made of.
        evaluate: tables to their metrics of class (a), a row each.
        days: on how many days games began.
        slower: the same for the metrics of class (b), of class (c), where goals name any.
            They take longer, so they are asked one after the other, each only of tables
            that meet whatever is known already.
        tell: is told how many tables were tried.

    Raises:
        CannotTune: the baseline has not what goals would vary.
    """
    space = space_of(baseline, goals.vary)
    asking = _Asking(space, evaluate, {kind: slower[kind] for kind in Class if kind in slower})
    own = asking.frame([baseline], None)
    judge = judge_of(goals, own, days)
    trials = _Trials(asking, judge, tell or (lambda *_: None), goals.tables)
    if space.size <= goals.tables:
        _try_all(trials)
    else:
        _evolve(goals, trials)
        _put_back(trials)
    now = {name_of(want): float(judge.values(own, want)[0]) for want in judge.wants}
    return _found(goals, trials, now)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Asks what tables come to."""

    space: Space
    evaluate: Evaluate
    slower: Mapping[Class, Evaluate]  # the fastest first

    def frame(self, rulesets: Sequence[Ruleset], judge: Judge | None) -> pd.DataFrame:
        """A row a table; with a judge, of a slower class only where all else is met."""
        changed = [self.space.changed(ruleset) for ruleset in rulesets]
        frame = self.evaluate(rulesets).assign(**{CHANGED: changed})
        unknown = {name: _unknown(len(frame)) for kind in self.slower for name in names_of(kind)}
        frame = frame.assign(**unknown)
        for kind, evaluate in self.slower.items():
            misses = judge.misses(frame) if judge else np.zeros((len(frame), 0))
            worth = np.flatnonzero((np.isnan(misses) | (misses <= 0)).all(axis=1)).tolist()
            if worth:
                found = evaluate([rulesets[place] for place in worth])
                for name in names_of(kind):
                    frame.loc[frame.index[worth], name] = found[name].to_numpy(dtype=object)
        return frame

    def is_told(self, frame: pd.DataFrame) -> Bools:
        """bool ``(tables,)``: whether metrics of slower classes that were asked for are known."""
        known = np.ones(len(frame), bool)
        for kind in self.slower:
            known &= frame[list(names_of(kind))].notna().any(axis=1).to_numpy()
        return known


def _unknown(count: int) -> npt.NDArray[np.object_]:
    """A column of nothing, which whole numbers can fill without becoming something else."""
    return np.full(count, None, dtype=object)


class _Trials:
    """All tables that were tried, each once."""

    def __init__(self, asking: _Asking, judge: Judge, tell: Tell, expected: int) -> None:
        self.space, self.judge = asking.space, judge
        self._asking, self._tell, self._expected = asking, tell, expected
        self._place: dict[bytes, int] = {}
        self._rows: list[Int64s] = []
        self.rulesets: list[Ruleset] = []
        self._frames: list[pd.DataFrame] = []
        self.costs: Floats = np.zeros((0, len(judge.wants)))
        self.misses: Floats = np.zeros((0, len(judge.bounds)))
        self.is_told: Bools = np.zeros(0, bool)

    def places(self, numbers: Int64s) -> list[int]:
        """Where the outcome of each row of numbers stands; new ones are evaluated."""
        new = {row.tobytes(): row for row in numbers if row.tobytes() not in self._place}
        if new:
            self._try([self.space.ruleset(row) for row in new.values()])
            self._place.update(zip(new, count(len(self._place))))
            self._rows += new.values()
            self._tell(len(self.rulesets), self._expected)
        return [self._place[row.tobytes()] for row in numbers]

    def _try(self, rulesets: list[Ruleset]) -> None:
        frame = self._asking.frame(rulesets, self.judge)
        self._frames.append(frame)
        self.rulesets += rulesets
        self.costs = np.concatenate([self.costs, self.judge.costs(frame)])
        self.misses = np.concatenate([self.misses, self.judge.misses(frame)])
        self.is_told = np.append(self.is_told, self._asking.is_told(frame))

    def left(self) -> int:
        """How many tables may still be tried."""
        return self._expected - len(self.rulesets)

    def feasible(self) -> Int64s:
        """Where the tables stand that meet all requirements, and can be carried in order."""
        return np.flatnonzero((self.misses <= 0).all(axis=1) & self.is_told)

    def violations(self, places: Sequence[int]) -> Floats:
        """float64 ``(places, 1)``: how far each is from meeting all; 0: it does."""
        missed = self.judge.missed(self.misses[places])
        told = missed._replace(unknown=missed.unknown + ~self.is_told[places])
        return told.one_number[:, None]

    def front(self) -> Int64s:
        """Where those of them stand that no other one beats in everything that is wanted."""
        feasible = self.feasible()
        return feasible[_front(self.costs[feasible])] if len(feasible) else feasible

    def new(self, numbers: Int64s) -> Int64s:
        """Those rows of numbers that were not tried, each once, in their order."""
        unknown = {row.tobytes(): row for row in numbers if row.tobytes() not in self._place}
        return np.array(list(unknown.values()), np.int64).reshape(-1, self.space.width)

    def numbers(self, places: Int64s) -> Int64s:
        """int64 ``(places, width)``: the numbers that tables were made of."""
        return np.array([self._rows[place] for place in places]).reshape(-1, self.space.width)

    def frame(self) -> pd.DataFrame:
        """The metrics of all tables, in the order of trial."""
        import pandas as pd

        return pd.concat(self._frames, ignore_index=True)


def _try_all(trials: _Trials) -> None:
    """Tries every table that there is, where there are no more than goals allow."""
    numbers = trials.space.every()
    for first in range(0, len(numbers), _GENERATION):
        trials.places(numbers[first : first + _GENERATION])


def _evolve(goals: Goals, trials: _Trials) -> None:
    """Lets tables evolve, until as many were proposed as goals allow."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import Problem
    from pymoo.core.repair import Repair
    from pymoo.operators.crossover.sbx import SBX
    from pymoo.operators.mutation.pm import PM
    from pymoo.optimize import minimize

    space, judge = trials.space, trials.judge

    class Tables(Problem):  # type: ignore[misc]
        def _evaluate(self, x: Any, out: Any, *_: Any, **__: Any) -> None:
            places = trials.places(np.asarray(x, np.int64))
            out["F"] = trials.costs[places]
            out["G"] = trials.violations(places)

    class Shippable(Repair):  # type: ignore[misc]
        def _do(self, _: Any, x: Any, **__: Any) -> Any:
            return space.repaired(x)

    size = min(_GENERATION, goals.tables)
    problem = Tables(
        n_var=space.width, n_obj=len(judge.wants), n_ieq_constr=1,
        xl=np.zeros(space.width), xu=space.most, vtype=int,
    )  # fmt: skip
    algorithm = NSGA2(
        pop_size=size,
        sampling=_first(space, goals.seed, size),
        crossover=SBX(prob=1.0, eta=_SPREAD, vtype=float),
        mutation=PM(prob=1.0, eta=_SPREAD, vtype=float),
        repair=Shippable(),
        eliminate_duplicates=True,
    )
    generations = max(1, round(goals.tables * _EVOLVED / size))
    minimize(problem, algorithm, ("n_gen", generations), seed=goals.seed)


def _put_back(trials: _Trials) -> None:
    """Puts entries of the Pareto set back to the baseline's, one at a time, as long as it helps.

    Evolution seldom hits a value exactly, and every change that is not needed is one too many.
    """
    own = trials.space.numbers_of(trials.space.baseline)
    while trials.left() > 0:
        numbers, tried = trials.numbers(trials.front()), trials.left()
        each = np.repeat(numbers, len(own), axis=0)
        entry = np.tile(np.arange(len(own)), len(numbers))
        each[np.arange(len(each)), entry] = own[entry]
        trials.places(trials.new(trials.space.repaired(each))[: trials.left()])
        if trials.left() == tried:
            return


def _first(space: Space, seed: int, count: int) -> Int64s:
    """The first tables: the baseline, and others that share more or less of it by chance.

    Were all entries drawn, tables with few changes would hardly ever be met.
    """
    rng = np.random.default_rng(seed)
    own = space.numbers_of(space.baseline)
    drawn = rng.integers(0, space.most + 1, (count, space.width))
    is_own = rng.random((count, space.width)) < rng.random((count, 1))
    drawn[is_own] = np.broadcast_to(own, drawn.shape)[is_own]
    drawn[0] = own
    return space.repaired(drawn)


def _found(goals: Goals, trials: _Trials, now: Mapping[str, float]) -> Found:
    import pandas as pd

    frame, misses, costs = trials.frame(), trials.misses, trials.costs
    feasible = trials.feasible()
    front = _distinct(trials.front(), costs, frame)
    chosen = front[_spread_out(len(front), goals.write)]
    names = [f"{goals.name}-{nth}" for nth in range(1, len(chosen) + 1)]
    rulesets = [_named(trials.rulesets[at], name) for at, name in zip(chosen, names, strict=True)]
    heads = pd.DataFrame({"name": names, "hash": [ruleset.hash for ruleset in rulesets]})
    written = dict(zip(chosen.tolist(), names, strict=True))
    judge = trials.judge
    wants = {name_of(want): judge.values(frame, want)[front] for want in judge.wants}
    values = [judge.values(frame, bound.requirement) for bound in judge.bounds]
    return Found(
        goals=goals,
        baseline=trials.space.baseline,
        rulesets=tuple(rulesets),
        tables=pd.concat([heads, frame.iloc[chosen].reset_index(drop=True)], axis=1),
        front=pd.DataFrame({**wants, "written": [written.get(at) for at in front.tolist()]}),
        now=now,
        is_baseline_tried=trials.space.has_baseline,
        shortfalls=shortfalls(judge, misses, values) if not len(feasible) else pd.DataFrame(),
        tried=len(frame),
        feasible=len(feasible),
    )


def _front(costs: Floats) -> Int64s:
    """Which tables no other one is better than in every want."""
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    found: Int64s = NonDominatedSorting().do(costs, only_non_dominated_front=True)
    return np.sort(found)


def _distinct(front: Int64s, costs: Floats, frame: pd.DataFrame) -> Int64s:
    """One of those that cost the same: with the fewest changes, then the first tried."""
    changed = frame[CHANGED].to_numpy(dtype=np.int64)
    keys = (front, changed[front], *costs[front].T[::-1])
    ordered = front[np.lexsort(keys)]
    if not len(ordered):
        return ordered
    is_new = np.append(True, (np.diff(costs[ordered], axis=0) != 0).any(axis=1))
    kept: Int64s = ordered[is_new]
    return kept


def _spread_out(count: int, most: int) -> Int64s:
    """At most so many places of ``count``, as evenly as it goes, both ends among them."""
    return np.unique(np.linspace(0, max(count - 1, 0), min(count, most)).round().astype(np.int64))


def _named(ruleset: Ruleset, name: str) -> Ruleset:
    """The ruleset under a name of its own, checked as ``rules check`` does.

    Raises:
        CannotTune: it has an error.
    """
    own = replace(ruleset, name=name, version="1", effective_from=None, title={}, source="")
    errors = [m for m in check_ruleset(own) if m.severity.value == "error"]
    if errors:
        raise CannotTune(f"{name} cannot be shipped: {errors[0].message}.")
    return own
