"""Who calls a pure function on many tasks: this process, several, or a Dask cluster.

Every caller gives the results in the order of the tasks, so that what is made of them
does not depend on who called. Results are to be closed: then what is going on ends at once
where nobody waits for the rest, after an error or an interrupt.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from threading import Thread
from typing import Any, Final, TypeVar

from analytics import compiled

T = TypeVar("T")
R = TypeVar("R")
Results = Generator[R, None, None]

_AHEAD: Final = 3  # tasks that wait for each process: enough to keep it busy
_RETRIES: Final = 3  # a task that fails on a cluster is tried again so often


def map_local(function: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Results[R]:
    """Calls the function in this process, or in ``jobs`` of them where that is more than one."""
    return map_here(function, tasks) if jobs == 1 else map_processes(function, tasks, jobs)


def map_here(function: Callable[[T], R], tasks: Iterable[T]) -> Results[R]:
    """Calls the function in this process."""
    yield from map(function, tasks)


def map_processes(function: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Results[R]:
    """Calls the function in ``jobs`` local processes.

    Tasks are handed out a few at a time, so that a long list of them costs no memory.
    Where kernels have yet to be compiled, the first task goes alone: the other processes
    then load what it compiled.

    Raises:
        BrokenProcessPool: a process died.
    """
    waiting = iter(tasks)
    with pool_of(jobs) as pool:
        if compiled.is_cold():
            yield from (pool.submit(function, task).result() for task in islice(waiting, 1))
        yield from _in_order(lambda task: pool.submit(function, task), waiting, jobs * _AHEAD)


@contextmanager
def pool_of(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """``jobs`` local processes that end with this one, and at once after an error or interrupt.

    What a task writes it must publish by renaming: it may be ended anywhere.
    """
    context = multiprocessing.get_context("forkserver")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_end_with_parent)
    try:
        yield pool
    except BaseException:
        _terminate(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _terminate(pool: ProcessPoolExecutor) -> None:
    """Ends the processes of a pool, whatever they are doing."""
    # From Python 3.14 on that is pool.terminate_workers().
    for process in list((pool._processes or {}).values()):
        process.terminate()


def _end_with_parent() -> None:
    """Lets this process end when the one that wanted its work is gone, killed perhaps."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


def map_cluster(function: Callable[[T], R], tasks: Iterable[T], address: str) -> Results[R]:
    """Calls the function on the workers of a Dask cluster.

    A task whose worker dies is done again by another one; so the function must do no
    harm when it is called twice.

    Args:
        function, tasks: both must be known where the workers run.
        address: of the scheduler, for instance "tcp://10.0.0.5:8786".

    Raises:
        ModuleNotFoundError: Dask is not installed; it comes with ``paipu[cluster]``.
        OSError: nobody answers at the address.
    """
    distributed: Any = import_module("distributed")
    with distributed.Client(address, timeout="20s") as client:
        threads = sum(client.nthreads().values()) or 1

        def submit(task: T) -> Any:
            return client.submit(function, task, pure=False, retries=_RETRIES)

        yield from _in_order(submit, tasks, threads * _AHEAD)


def _in_order(submit: Callable[[T], Any], tasks: Iterable[T], ahead: int) -> Iterator[Any]:
    """Submits tasks, at most so many ahead; gives the results in order of the tasks."""
    waiting: deque[Any] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
