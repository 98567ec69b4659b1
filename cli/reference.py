"""The reference pages of the commands, made from the commands themselves.

``python -m cli.reference docs/commands`` writes them anew; a test keeps them in step.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from cli.main import NAME, app

_MADE: Final = "<!-- Made by `python -m cli.reference docs/commands`. -->\n"
_NEVER_SHOWN: Final = ("--help", "-h")


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    root = click.Context(app, info_name=NAME, **app.context_settings)
    made = {f"{ctx.info_name}.md": _page(ctx) for ctx in _children(root)}
    return {"index.md": _index(root), **made}


def write_pages(folder: Path) -> None:
    """Writes all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _children(ctx: click.Context) -> Iterator[click.Context]:
    """The contexts of the commands of a group, in the order of its help."""
    group = ctx.command
    if isinstance(group, click.Group):
        for name in group.list_commands(ctx):
            command = group.get_command(ctx, name)
            assert command is not None
            yield click.Context(command, info_name=name, parent=ctx)


def _index(root: click.Context) -> str:
    lines = [
        f"- [`{ctx.command_path}`]({ctx.info_name}.md): {ctx.command.get_short_help_str(100)}"
        for ctx in _children(root)
    ]
    parts = [f"{_MADE}\n# Commands", *_parts(root), "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _page(ctx: click.Context) -> str:
    """One command; of a group all its commands."""
    parts = [f"{_MADE}\n# {ctx.command_path}", *_parts(ctx)]
    for child in _children(ctx):
        parts += [f"## {child.command_path}", *_parts(child)]
    return "\n\n".join(parts) + "\n"


def _parts(ctx: click.Context) -> Iterator[str]:
    yield f"```\n{_usage(ctx)}\n```"
    yield _help(ctx)
    options = [_option(ctx, option) for option in _options(ctx)]
    if options:
        yield "| option | meaning |\n|---|---|\n" + "\n".join(options)
    if ctx.command.epilog:
        yield f"```sh\n{_examples(ctx.command.epilog)}\n```"


def _usage(ctx: click.Context) -> str:
    return " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])


def _help(ctx: click.Context) -> str:
    """The whole help; what follows a form feed is for the page alone."""
    return inspect.cleandoc(ctx.command.help or "").replace("\f\n", "")


def _options(ctx: click.Context) -> Iterator[click.Option]:
    for parameter in ctx.command.get_params(ctx):
        if isinstance(parameter, click.Option) and parameter.opts[0] not in _NEVER_SHOWN:
            yield parameter


def _option(ctx: click.Context, option: click.Option) -> str:
    record = option.get_help_record(ctx)
    assert record is not None
    name, meaning = (part.strip().replace("|", "\\|") for part in record)
    return f"| `{name}` | {meaning} |"


def _examples(epilog: str) -> str:
    lines = epilog.removeprefix("\b\nExamples:\n").splitlines()
    return "\n".join(line.removeprefix("  ") for line in lines)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
