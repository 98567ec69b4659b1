"""``paipu show``: one game, play by play, with its settlement worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cli.failing import DIFFERENT, refused
from cli.options import (
    debug_option,
    encoding_option,
    examples,
    format_option,
    lang_option,
    logs_argument,
    rules_dir_option,
)

if TYPE_CHECKING:
    from analytics.shuangkou.formula import Formula
    from analytics.shuangkou.story import Story
    from analytics.wording import Language


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was asked for; the names are those of the parameters below."""

    rules_dirs: Sequence[str]
    id: str | None
    line: int | None
    step: int | None
    is_masked: bool
    is_ascii: bool
    form: str
    language: Language
    encoding: str | None


@click.command(
    epilog=examples(
        ("paipu show logs/ --game hp-0001", "the game, wherever it is"),
        ("paipu show day.jsonl --line 4711", "the game of a finding's line"),
        ("paipu show logs/ --game hp-0001 --step 12", "up to action 12, and the hands then"),
        ("paipu show logs/ --game hp-0001 --mask --lang zh", "to hand on, without names"),
        ("paipu show logs/ --game hp-0001 --format json | jq .settlement", "for programs"),
    )
)
@logs_argument
@click.option("--game", "id", metavar="ID", help="The game's id; the first one with it counts.")
@click.option(
    "--line", type=click.IntRange(min=1), metavar="N", help="The game in this line (or row)."
)
@click.option(
    "--step",
    type=click.IntRange(min=0),
    metavar="N",
    help="Stop after action N (counted from 0), and show the hands; no settlement.",
)
@click.option(
    "--mask", "is_masked", is_flag=True, help="Call the players P0, P1, ...; no room either."
)
@click.option(
    "--ascii", "is_ascii", is_flag=True, help="Suits and signs in plain ASCII: 10SH, 100*2*4."
)
@rules_dir_option
@format_option("table", "json", "jsonl", "csv")
@lang_option
@encoding_option
@debug_option
@click.pass_context
def show(ctx: click.Context, /, logs: tuple[str, ...], **options: Any) -> None:
    """Show one game: hands, plays, and how its settlement comes about.

    LOG is a file (JSON Lines or Parquet, also gzip or zstd), a folder, a glob, or - for
    standard input. Reading stops where the game is found. Without --game and --line the
    log has to hold a single game.

    For every play: what it was read as, what it was played over, the cards left and the
    xiang of each seat so far. For every term of the settlement: the clause of the rules,
    the formula with its numbers, the row of the table, and what was recorded.

    Exit status: 0 the game verifies; 1 it has findings of severity error (also after
    --step); 2 there is no such game.
    \f

    In a settlement X is the base, a the kou, P the place, E the effective xiang, b the
    doubling and C the contribution. A term says how its value comes about, from what, and
    in brackets by which rows of the ruleset: `[doubling 6→4]`, or `[doubling <5→1]` below
    the first row. Of the terms that were recorded otherwise the first is named at the end:
    those after it may only follow from it. `P0`, `P1`, ... of `--mask` are the seats.

    `--format json` is `{"schema": 1, "game", "steps", "held", "settlement", "findings"}`:

    - `game`: `id`, `file`, `line`, `rules` as logged, `ruleset`, `unit`, `room`, `start`,
      `end`, `shown`, `first` and per seat `player`, `balance`, `team`, `hand`;
    - `steps`, one for each action: `action`, `seat`, `text` as logged, `what` (`play`,
      `pass`, an event, null where it cannot be read), `cards`, `meld` (what they were read
      as), `declared`, `by_system`, `time`, `done` (false from the first error on), `table`
      (seat and meld before it), `cards_left` and `xiang` per seat and the `next` seat after
      it, `notes`, `findings`;
    - `held`: with `--step` the hands after that action, else null;
    - `settlement`: null with `--step` and where the replay broke; else `unit`, `first_wrong`
      (`item` and `seat`) and `lines`, each with `item`, `seat`, `clause` of the rules, `rows`
      of tables, `why`, `expression` (· is times, - minus, ⌊a / b⌋ rounded down), `recomputed`,
      `recorded` and whether it `agrees` (null where one of them is missing);
    - `findings`: as those of [verify](verify.md).

    In `jsonl` and `csv` every step is a line with these fields, in CSV what is no single value
    as JSON; for settlements in lines there is [settle](settle.md).
    """
    ctx.exit(_run(logs, Options(**options)))


def _run(logs: Sequence[str], asked: Options) -> int:
    from analytics.rules import load_rulesets
    from analytics.shuangkou.formula import work_out
    from analytics.shuangkou.story import mask, tell
    from cli.finding_game import find_game

    rulebook = load_rulesets(asked.rules_dirs)
    batch, i = find_game(logs, rulebook, asked)
    story = tell(batch, i, rulebook)
    _check_step(story, asked.step)
    formula = work_out(batch, i, rulebook) if asked.step is None else None
    _write(mask(story) if asked.is_masked else story, formula, asked)
    is_bad = any(finding.severity.value == "error" for finding in story.findings)
    return DIFFERENT if is_bad else 0


def _check_step(story: Story, step: int | None) -> None:
    """A step is one of the game's actions.

    Raises:
        Failure: the game has no such action.
    """
    if step is not None and step >= len(story.steps):
        raise refused("step", step=step, count=len(story.steps))


def _write(story: Story, formula: Formula | None, asked: Options) -> None:
    if asked.form != "table":
        from cli.story_json import write

        write(story, formula, asked.step, asked.form, asked.language)
        return
    from analytics.viewing.words import PageWords
    from analytics.wording import Words
    from cli.layout import can_show_symbols, page_width, write_lines
    from cli.story_text import Page

    is_ascii = asked.is_ascii or not can_show_symbols()
    words = PageWords(Words(asked.language, story.head.ruleset.terms), is_ascii=is_ascii)
    page = Page(story, formula, words, page_width())
    write_lines(page.whole() if asked.step is None else page.until(asked.step))
