"""How a run ends: exit statuses, and a sentence for everything that can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from analytics.rules import RulesetError
    from analytics.wording import Language

DIFFERENT: Final = 1  # findings of severity error, or warning with --strict
UNUSABLE: Final = 2  # what was asked for could not be done
INTERRUPTED: Final = 130
TERMINATED: Final = 143  # as shells say of who was ended by SIGTERM
PIPE_CLOSED: Final = 141  # as a shell reports a program that SIGPIPE ended

_DEBUG: Final = "cli.debug"  # keys in the context's meta
_LANGUAGE: Final = "cli.language"


class Failure(click.ClickException):
    """What was asked for could not be done; the text is a sentence for people."""

    exit_code = UNUSABLE


def refused(name: str, /, **values: Any) -> Failure:
    """The failure of a name in the catalogue, in the language of the run."""
    return Failure(why_not(name, **values))


def why_not(name: str, /, **values: Any) -> str:
    """Why something could not be done, in the language of the run."""
    from analytics.wording import Words

    return Words(_language()).said(f"failure.{name}", **values)


def phrase(english: str) -> str:
    """A phrase of the layers below, in the language of the run."""
    from analytics.wording import Words

    return Words(_language()).texts.phrases.get(english, english)


def speak(ctx: click.Context, language: str) -> None:
    """From now on failures are told in this language."""
    ctx.meta[_LANGUAGE] = language


def _language() -> Language:
    """That of --lang; before it is known, and where a command has none, by locale."""
    from analytics.wording import default_language

    ctx = click.get_current_context(silent=True)
    found: Language = (ctx and ctx.meta.get(_LANGUAGE)) or default_language()
    return found


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
    from analytics.tuning.errors import CannotTune
    from analytics.warehouse.errors import WarehouseError

    if isinstance(problem, RulesetError):
        return _of_rulesets(problem)
    if isinstance(problem, SourceError | ModeError | CannotTune | WarehouseError):
        return str(problem)
    if isinstance(problem, BrokenProcessPool):
        return why_not("killed")
    if isinstance(problem, ModuleNotFoundError):
        return why_not("not_installed", name=problem.name)
    if isinstance(problem, OSError):
        place = f"{problem.filename}: " if problem.filename else ""
        return f"{place}{problem.strerror or problem}"
    if isinstance(problem, MemoryError):
        return why_not("no_memory")
    return why_not("defect", name=type(problem).__name__, message=problem)


def _of_rulesets(error: RulesetError) -> str:
    from analytics.wording import mistake_line

    lines = (mistake_line(mistake, _language()) for mistake in error.mistakes)
    return "\n".join([why_not("rulesets"), *lines])
