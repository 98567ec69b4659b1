"""No command and no option is without help, an example and a page."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cli.main import NAME, app
from cli.reference import pages
from tests.cli.running import ROOT, Run

PAGES = ROOT / "docs" / "commands"


def commands(ctx: click.Context | None = None) -> Iterator[click.Context]:
    """The context of every command, groups included."""
    ctx = ctx or click.Context(app, info_name=NAME, **app.context_settings)
    yield ctx
    if isinstance(ctx.command, click.Group):
        for name in ctx.command.list_commands(ctx):
            command = ctx.command.get_command(ctx, name)
            assert command is not None
            yield from commands(click.Context(command, info_name=name, parent=ctx))


CONTEXTS = list(commands())
IDS = [ctx.command_path for ctx in CONTEXTS]


def page_of(ctx: click.Context) -> str:
    """The text of the page on which a command is explained."""
    words = ctx.command_path.split()
    name = words[1] if len(words) > 1 else "index"
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("ctx", CONTEXTS, ids=IDS)
def test_every_command_has_help_and_examples(ctx: click.Context) -> None:
    """A sentence for lists, a paragraph, and examples that begin with its name."""
    assert ctx.command.help
    assert len(ctx.command.get_short_help_str(100)) > 20
    assert f"  {ctx.command_path}" in (ctx.command.epilog or "") or "| paipu" in (
        ctx.command.epilog or ""
    )


@pytest.mark.parametrize("ctx", CONTEXTS, ids=IDS)
def test_every_command_and_option_is_on_its_page(ctx: click.Context) -> None:
    """A page names the command and every spelling of every option."""
    page = page_of(ctx)
    assert ctx.command_path in page
    for parameter in ctx.command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            for spelling in parameter.opts:
                assert spelling in page, spelling


def test_pages_are_in_step_with_the_commands() -> None:
    """``python -m cli.reference docs/commands`` would change nothing."""
    written = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    assert written == pages()


def examples() -> list[str]:
    """Every command line of every epilog that begins with paipu or ends in it."""
    lines = (line.strip() for ctx in CONTEXTS for line in (ctx.command.epilog or "").splitlines())
    return [line for line in dict.fromkeys(lines) if not line.startswith(("#", "\b", "Examples"))]


@pytest.mark.parametrize("line", [x for x in examples() if "paipu" in x])
def test_every_example_can_be_parsed(line: str) -> None:
    """Commands and options of examples exist; nothing is run."""
    words = shlex.split(re.split(r" [|<>] ?|\|", line[line.index("paipu") :])[0])[1:]
    ctx: click.Context = click.Context(app, info_name=NAME, **app.context_settings)
    while isinstance(ctx.command, click.Group):
        name, command, words = ctx.command.resolve_command(ctx, words)
        assert command is not None
        if isinstance(command, click.Group):
            ctx = click.Context(command, info_name=name, parent=ctx)
        else:
            with contextlib.suppress(click.exceptions.Exit):  # an option such as --list
                ctx = command.make_context(name, words, parent=ctx)
            return


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_works_as_its_page_says(run: Run, shell: str) -> None:
    """The page has the line for each shell, and the script that it asks for comes."""
    page = (ROOT / "docs" / "completion.md").read_text(encoding="utf-8")
    assert f"_PAIPU_COMPLETE={shell}_source paipu" in page
    found = run(_PAIPU_COMPLETE=f"{shell}_source")
    if b"bash" not in found.stderr:  # click asks bash for its version
        assert found.returncode == 0
        assert b"_PAIPU_COMPLETE" in found.stdout


def test_completion_completes(run: Run) -> None:
    """Names of commands and options come without their libraries."""
    words = {"COMP_WORDS": "paipu ver", "COMP_CWORD": "1", "_PAIPU_COMPLETE": "bash_complete"}
    assert run(**words).stdout.split() == [b"plain,verify"]
    words |= {"COMP_WORDS": "paipu verify --for", "COMP_CWORD": "2"}
    assert run(**words).stdout.split() == [b"plain,--format"]


def test_completion_knows_rulesets_and_files(run: Run, tmp_path: Path) -> None:
    """Names of presets and of own rulesets; files where logs are meant."""
    (tmp_path / "a.toml").write_text('name = "hup"\nversion = "1"\nextends = "jiule"\n')
    completing = {"_PAIPU_COMPLETE": "bash_complete"}
    words = f"paipu rules show --rules-dir {tmp_path} hu"
    found = run(COMP_WORDS=words, COMP_CWORD="5", **completing).stdout.split()
    assert found == [b"plain,huopin-points", b"plain,huopin-wealth", b"plain,hup"]
    found = run(COMP_WORDS="paipu verify x", COMP_CWORD="2", **completing).stdout.split()
    assert found == [b"file,x"]


def test_every_variable_of_the_environment_is_documented() -> None:
    """Whatever the sources look up by name stands on the page, and nothing else of paipu does."""
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    sources = [*(ROOT / "analytics").rglob("*.py"), *(ROOT / "cli").rglob("*.py")]
    used = {
        name
        for source in sources
        for name in re.findall(
            r'(?:environ(?:\.get\(|\[)|envvar=)"(\w+)"', source.read_text("utf-8")
        )
    }
    ours = {name for name in used if name.startswith("PAIPU_")}
    assert ours
    assert set(re.findall(r"`(PAIPU_[A-Z_]+)", page)) == ours


def test_the_readme_begins_with_five_lines_that_work() -> None:
    """Whoever types them sees what paipu does; commands and options exist."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = readme.split("```sh\n")[1].split("```")[0].splitlines()
    assert len(lines) == 5
    for line in lines[1:]:
        name, *words = shlex.split(line, comments=True)[1:]
        ctx: click.Context = click.Context(app, info_name=NAME, **app.context_settings)
        command = app.get_command(ctx, name)
        assert command is not None
        if isinstance(command, click.Group):
            ctx = click.Context(command, info_name=name, parent=ctx)
            command, name, words = command.get_command(ctx, words[0]), words[0], words[1:]
        assert command is not None
        command.make_context(name, words, parent=ctx)
