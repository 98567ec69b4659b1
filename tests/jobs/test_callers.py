"""Callers: processes end with the work that was wanted of them."""

from __future__ import annotations

import os
import time
from contextlib import closing

import pytest

from analytics.jobs.callers import map_local, map_processes, pool_of

LONG = 60  # seconds; nobody waits for it


def is_running(process: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_after_an_interrupt_nobody_waits_for_a_task() -> None:
    """A task of a minute is going on: its process is ended at once."""
    begun = time.monotonic()
    processes: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        interrupt_a_long_task(processes)
    assert time.monotonic() - begun < LONG / 2
    assert [is_running(process) for process in processes] == [False]


def interrupt_a_long_task(processes: list[int]) -> None:
    """Is interrupted as soon as a task is going on; tells in which process."""
    with pool_of(1) as pool:
        processes.append(pool.submit(os.getpid).result())
        pool.submit(time.sleep, LONG)
        raise KeyboardInterrupt


def test_results_that_nobody_wants_any_more_are_not_waited_for() -> None:
    """The first of three is taken; two of a minute are going on."""
    begun = time.monotonic()
    with closing(map_processes(time.sleep, [0, LONG, LONG], 2)) as results:
        assert next(results) is None
    assert time.monotonic() - begun < LONG / 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_stand_in_the_order_of_tasks(jobs: int) -> None:
    """In this process, and in two others."""
    with closing(map_local(abs, iter([-3, 1, -2]), jobs)) as results:
        assert list(results) == [3, 1, 2]
