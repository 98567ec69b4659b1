"""How a run ends: exit statuses, and a sentence for everything that can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

DIFFERENT: Final = 1  # findings of severity error, or warning with --strict
UNUSABLE: Final = 2  # what was asked for could not be done
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141  # as a shell reports a program that SIGPIPE ended

_DEBUG: Final = "cli.debug"  # key in the context's meta


class Failure(click.ClickException):
    """What was asked for could not be done; the text is a sentence for people."""

    exit_code = UNUSABLE


def ask_for_traceback(ctx: click.Context) -> None:
    """From now on an unexpected failure shows its traceback."""
    ctx.meta[_DEBUG] = True


@contextmanager
def in_sentences(ctx: click.Context) -> Iterator[None]:
    """Turns whatever fails inside into a sentence, unless a traceback was asked for.

    Raises:
        Failure: with the sentence.
        KeyboardInterrupt: also where a library makes an error of it.
    """
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
        raise
    except Exception as problem:
        if isinstance(problem, RuntimeError) and "interrupted" in str(problem):  # DuckDB
            raise KeyboardInterrupt from problem
        if ctx.meta.get(_DEBUG):
            raise
        raise Failure(sentence_of(problem)) from problem


def sentence_of(problem: Exception) -> str:
    """What went wrong, for somebody who does not read tracebacks."""
    from concurrent.futures.process import BrokenProcessPool

    from analytics.compiled import ModeError
    from analytics.logs import SourceError
    from analytics.rules import RulesetError
    from analytics.warehouse.errors import WarehouseError

    if isinstance(problem, RulesetError):
        return f"the rulesets cannot be used.\n{problem}"
    if isinstance(problem, SourceError | ModeError | WarehouseError):
        return str(problem)
    if isinstance(problem, BrokenProcessPool):
        return "a process was killed; with --work DIR another run does only what is missing."
    if isinstance(problem, ModuleNotFoundError):
        return f"{problem.name} is not installed; for --cluster install paipu[cluster]."
    if isinstance(problem, OSError):
        place = f"{problem.filename}: " if problem.filename else ""
        return f"{place}{problem.strerror or problem}"
    if isinstance(problem, MemoryError):
        return "there is not enough memory."
    return (
        f"paipu failed: {type(problem).__name__}: {problem}\n"
        "This is a defect; --debug shows where it happened."
    )
