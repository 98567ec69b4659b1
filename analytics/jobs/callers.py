"""Who calls a pure function on many tasks: this process, several, or a cluster.

Every caller gives the results in the order of the tasks, so that what is made of them
does not depend on who called.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Final, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AHEAD: Final = 3  # tasks that wait for each process: enough to keep it busy


def map_here(function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
    """Calls the function in this process."""
    return map(function, tasks)


def map_processes(function: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Iterator[R]:
    """Calls the function in ``jobs`` local processes.

    Tasks are handed out a few at a time, so that a long list of them costs no memory.

    Raises:
        BrokenProcessPool: a process died.
    """
    context = multiprocessing.get_context("forkserver")
    waiting: deque[Future[R]] = deque()
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        for task in tasks:
            waiting.append(pool.submit(function, task))
            if len(waiting) >= jobs * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
