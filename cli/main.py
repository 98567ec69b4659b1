"""``paipu``: the group of all commands, and the door of the console script."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import click

from cli.failing import (
    INTERRUPTED,
    PIPE_CLOSED,
    TERMINATED,
    UNUSABLE,
    Failure,
    in_sentences,
    sentence_of,
)
from cli.groups import LazyGroup
from cli.options import examples
from cli.output import prepare_streams

NAME: Final = "paipu"
COMMANDS: Final = {
    "verify": "cli.verify:verify",
    "settle": "cli.settle:settle",
    "show": "cli.show:show",
    "meld": "cli.meld:meld",
    "convert": "cli.convert:convert",
    "load": "cli.load:load",
    "study": "cli.study:study",
    "plot": "cli.plot:plot",
    "query": "cli.query:query",
    "check": "cli.check:check",
    "resettle": "cli.resettle:resettle",
    "unload": "cli.unload:unload",
    "prune": "cli.prune:prune",
    "rules": "cli.rules:rules",
    "tune": "cli.tune:tune",
    "simulate": "cli.simulate:simulate",
}


@contextlib.contextmanager
def _pipe_closed() -> Iterator[None]:
    """Ends with the status of a closed pipe; click would make a 1 of it, as if logs had errors."""
    try:
        yield
    except BrokenPipeError:
        _forget_stdout()
        raise click.exceptions.Exit(PIPE_CLOSED) from None


class _Root(LazyGroup):
    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _pipe_closed():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _pipe_closed(), in_sentences(ctx):
            return super().invoke(ctx)


def _show_version(ctx: click.Context, _: click.Parameter, is_asked: Any) -> None:
    if not is_asked or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version(NAME)
    except PackageNotFoundError:  # run from a checkout
        number = "(not installed)"
    click.echo(f"{NAME} {number}")
    ctx.exit()


@click.group(
    cls=_Root,
    places=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        ("paipu verify logs/", "is what was paid right, and if not, why?"),
        ("paipu settle logs/", "what every game is worth by the rules"),
        ("paipu rules check houses/", "every mistake in your ruleset files"),
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def app() -> None:
    """Verify the game logs of 双扣 (Shuangkou) card rooms.

    Every card is replayed and every settlement recomputed; where the log says otherwise,
    a finding says where and why.

    Exit status: 0 all is well; 1 there are findings of severity error; 2 it could not be
    done; 130 interrupted; 141 nobody reads the output any more.
    """


def main() -> NoReturn:
    """Runs the command line and ends the process with its exit status."""
    prepare_streams()
    signal.signal(signal.SIGTERM, _terminate)
    status = _run()
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    sys.exit(status)


def _terminate(*_: object) -> NoReturn:
    """Ends as on an interrupt: whoever made something that is not to stay removes it."""
    sys.exit(TERMINATED)


def _run() -> int:
    try:
        status = app.main(prog_name=NAME, standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return PIPE_CLOSED
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except OSError as problem:  # the last bytes could not be written
        _forget_stdout()
        Failure(f"standard output: {problem.strerror or problem}").show()
        return UNUSABLE
    except Exception as problem:  # while parsing, or because a traceback was asked for
        if "--debug" in sys.argv:
            traceback.print_exc()
        else:
            Failure(sentence_of(problem)).show()
        return UNUSABLE
    return status if isinstance(status, int) else 0


def _forget_stdout() -> None:
    """What is still buffered goes nowhere, so that the interpreter's last flush is quiet."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
