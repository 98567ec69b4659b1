"""Options that commands share, as decorators."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from cli.failing import ask_for_traceback, speak

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

SEVERITIES: Final = ("error", "warning", "info")  # the worst first
LANGUAGES: Final = ("en", "zh")
MAX_JOBS: Final = 4_096  # what is above is a slip of the finger
MAX_SHARD_MB: Final = 1_000_000.0
_ADDRESS: Final = re.compile(r".*[^:/]:\d{1,5}/?")  # of a scheduler: host and port


def examples(*lines: tuple[str, str]) -> str:
    """An epilog of examples: command lines, each with what it is for."""
    shown = (f"  # {purpose}\n  {line}" for line, purpose in lines)
    return "\b\nExamples:\n" + "\n".join(shown)


def _language(ctx: click.Context, _: click.Parameter, given: str | None) -> str:
    if ctx.resilient_parsing:
        return given or LANGUAGES[0]
    if given is None:
        from analytics.wording import default_language

        given = default_language()
    speak(ctx, given)
    return given


def _encoding(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    """An encoding of text, damaged text included: Python has codecs that are no such thing."""
    if given is None:
        return None
    try:
        "{}".encode(given)
        b"{}\xff".decode(given, "replace")  # without a byte Python looks for no codec
    except (LookupError, ValueError) as problem:
        message = f"{given!r} is no encoding of text; utf-8, gbk and gb18030 are, for instance."
        raise click.BadParameter(message) from problem
    return given


def _address(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    """An address at which a scheduler may be; None: there is none."""
    if given is not None and not _ADDRESS.fullmatch(given):
        raise click.BadParameter(f"{given!r} is no address such as tcp://host:8786.")
    return given


def _number(_: click.Context, __: click.Parameter, given: float) -> float:
    """A number that can be counted with; no range excludes "nan"."""
    if math.isnan(given):
        raise click.BadParameter(f"{given} is no number.")
    return given


def _debug(ctx: click.Context, _: click.Parameter, is_asked: Any) -> None:
    if is_asked:
        ask_for_traceback(ctx)


def format_option(*formats: str) -> Decorator[Any]:
    """``--format``, one of these; the first is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How the output is written.",
    )


def ruleset_names(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes names of rulesets, those of --rules-dir among them, and files."""
    from analytics.rules import RulesetError, load_rulesets

    try:
        rulebook = load_rulesets(ctx.params.get("rules_dirs") or ())
    except RulesetError:
        return []
    names = dict.fromkeys(ruleset.name for ruleset in rulebook.rulesets)
    found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


logs_argument = click.argument(
    "logs", metavar="LOG...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)

jobs_option = click.option(
    "--jobs",
    "-j",
    metavar="N",
    type=click.IntRange(1, MAX_JOBS),
    help="Processes that work at once; by default one a core where the logs are large enough. "
    "The output does not depend on it.",
)


def cluster_option(shared: str) -> Decorator[Any]:
    """``--cluster``; ``shared`` is what the workers must see besides the logs."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        callback=_address,
        help="Let the workers of a Dask cluster do it (paipu[cluster]); they must see the logs "
        f"and {shared} under the same paths.",
    )


def shard_mb_option(default: float) -> Decorator[Any]:
    """``--shard-mb``."""
    return click.option(
        "--shard-mb",
        metavar="MB",
        type=click.FloatRange(0.001, MAX_SHARD_MB),
        callback=_number,
        default=default,
        show_default=True,
        help="Size of the pieces that plain files are cut into, where several do the work; "
        "Parquet, which is denser, into an eighth of it.",
    )


warehouse_option = click.option(
    "--warehouse",
    "-w",
    metavar="DIR",
    type=click.Path(),
    required=True,
    envvar="PAIPU_WAREHOUSE",
    show_envvar=True,
    help="Folder of the warehouse.",
)

memory_option = click.option(
    "--memory",
    metavar="SIZE",
    default="800MB",  # reading.MEMORY, which takes too long to import
    show_default=True,
    help="Memory that a query may use before it spills to disk.",
)

rules_dir_option = click.option(
    "--rules-dir",
    "rules_dirs",
    metavar="DIR",
    type=click.Path(),
    multiple=True,
    help="Folder with rulesets of your own, beside the presets; may be repeated.",
)

lang_option = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    callback=_language,
    is_eager=True,  # so that whatever fails afterwards is told in it
    help="Language of sentences and headings.  [default: by locale]",
)

encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    callback=_encoding,
    help="Encoding of the logs, for instance gbk.  [default: UTF-8]",
)

strict_option = click.option(
    "--strict", "is_strict", is_flag=True, help="Warnings, too, make the exit status 1."
)

allow_empty_option = click.option(
    "--allow-empty", is_flag=True, help="No games at all is not a failure."
)

quiet_option = click.option(
    "--quiet", "-q", "is_quiet", is_flag=True, help="No progress and no summary on stderr."
)

debug_option = click.option(
    "--debug",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_debug,
    help="Show the traceback of an unexpected failure.",
)
