"""``paipu simulate``: logs of games that nobody played."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from cli.convert import STANDARD_OUTPUT, check_free, writer_of
from cli.failing import Failure
from cli.options import (
    MAX_JOBS,
    debug_option,
    examples,
    lang_option,
    quiet_option,
    rules_dir_option,
    ruleset_names,
)
from cli.words import said

if TYPE_CHECKING:
    from analytics.logs import GameBatch
    from analytics.rules import Rulebook
    from analytics.simulate.running import Wanted
    from analytics.wording import Language
    from cli.progress import Tell

MIXED: Final = "mixed"
LIST: Final = "list"
POLICIES: Final = (MIXED, "trustee", "greedy", "careful")
MOST_PLAYERS: Final = 1_000_000  # each takes memory and a while to be made up
Part = TypeVar("Part")  # of a log: a line, or a batch of games
START: Final = "2026-11-02T00:00:00+08:00"  # a Monday; always the same, as all that is not asked


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was asked for; the names are those of the parameters below."""

    rules: str
    rules_dirs: Sequence[str]
    games: int
    players: int | None
    days: int
    start: datetime
    deal: str
    policy: str
    skill: tuple[int, int]
    seed: int
    prefix: str | None
    faults: Sequence[tuple[str, float]]
    jobs: int
    output: str
    force: bool
    language: Language
    is_quiet: bool


def _start(_: click.Context, __: click.Parameter, given: str) -> datetime:
    """A moment with an offset: time is never guessed."""
    try:
        moment = datetime.fromisoformat(given)
    except ValueError as problem:
        raise click.BadParameter(f"{given!r} is no time; {START} is one.") from problem
    if moment.tzinfo is None:
        raise click.BadParameter(f"{given!r} has no offset; {START} has one.")
    return moment


def _skill(_: click.Context, __: click.Parameter, given: str) -> tuple[int, int]:
    """One number, or the least and the greatest."""
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", given)
    low = int(found[1]) if found else -1
    high = int(found[2] or low) if found else -1
    if not 0 <= low <= high <= 100:
        raise click.BadParameter(f"{given!r}: 60, or 20-95; from 0 to 100.")
    return low, high


def _deal(_: click.Context, __: click.Parameter, given: str) -> str:
    if given == MIXED:
        return given
    from analytics.simulate.dealing import deal_of

    try:
        return deal_of(given).name
    except ValueError as problem:
        raise click.BadParameter(f"{problem}, or {MIXED}.") from problem


def _prefix(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    """Letters, digits, - and _, so that an id can stand on a command line."""
    if given is not None and not re.fullmatch(r"[\w-]{1,32}", given):
        raise click.BadParameter(f"{given!r}: 1 to 32 letters, digits, - or _.")
    return given


def _faults(
    _: click.Context, __: click.Parameter, given: Sequence[str]
) -> tuple[tuple[str, float], ...]:
    """Names with their rates."""
    return tuple(map(_fault, given))


def _fault(given: str) -> tuple[str, float]:
    if given == LIST:
        return given, 0.0
    name, _, rate = given.partition("=")
    try:
        share = float(rate)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise click.BadParameter(f"{given!r}: NAME=RATE, with a rate from 0 to 1.")
    return name, share


def _list_faults() -> None:
    from analytics.simulate.injecting import BY_NAME

    for fault in BY_NAME.values():
        click.echo(f"{fault.name:24}{fault.meaning} ({', '.join(fault.rules)})")


@click.command(
    epilog=examples(
        ("paipu simulate --games 1000 -o games.jsonl", "a thousand games of a quiet day"),
        (
            "paipu simulate --rules baibian --games 100000 --players 2000 --days 7 -o week.parquet",
            "a week of a room for four players",
        ),
        ("paipu simulate --rules house --rules-dir houses/ --games 5000 -o try.jsonl.zst",
         "by a scoring table of your own"),
        ("paipu simulate --deal uniform --policy careful --skill 90 --games 200 | paipu verify -",
         "good players, shuffled cards"),
        ("paipu simulate --fault wrong-kou=0.01 --fault torn-line=0.001 -o bad.jsonl",
         "a house that goes wrong, and bad.truth.jsonl with what has to be found"),
        ("paipu simulate --fault list", "which faults there are"),
    )
)  # fmt: skip
@click.option(
    "--rules",
    metavar="NAME",
    default="huopin-wealth",
    show_default=True,
    shell_complete=ruleset_names,
    help="The ruleset by which all play; its version is the one in effect when a game starts.",
)
@rules_dir_option
@click.option(
    "--games", metavar="N", type=click.IntRange(min=1), default=1_000, show_default=True,
    help="How many games.",
)  # fmt: skip
@click.option(
    "--players", metavar="N", type=click.IntRange(2, MOST_PLAYERS),
    help="How many players there are at a time, a million at most.  "
    "[default: enough for some thirty games a day]",
)  # fmt: skip
@click.option(
    "--days", metavar="N", type=click.IntRange(1, 3_660), default=1, show_default=True,
    help="Over how many days; evenings and weekends are busier.",
)  # fmt: skip
@click.option(
    "--start", metavar="TIME", default=START, show_default=True, callback=_start,
    help="When the first day begins, with the offset of the room's clock.",
)  # fmt: skip
@click.option(
    "--deal", metavar="NAME", default=MIXED, show_default=True, callback=_deal,
    help="How cards are dealt: uniform; blocks-B-P, unshuffled in blocks of about B cards and "
    "dealt P at a time (1, 3, 6, 9 or 27); mixed: each room in a way of its own.",
)  # fmt: skip
@click.option(
    "--policy", type=click.Choice(POLICIES), default=MIXED, show_default=True,
    help="How players play; mixed: some are better than others.",
)  # fmt: skip
@click.option(
    "--skill", metavar="LOW-HIGH", default="20-95", show_default=True, callback=_skill,
    help="Skill of players from 0 to 100: how rarely they make mistakes; one number, or a range.",
)  # fmt: skip
@click.option(
    "--seed", metavar="N", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True,
    help="Of all chance: the same seed makes the same games.",
)  # fmt: skip
@click.option(
    "--prefix", metavar="TEXT", callback=_prefix,
    help="What the ids of games and the names of players begin with; logs of two runs that are "
    "to stand side by side need different ones.  [default: initials of the ruleset]",
)  # fmt: skip
@click.option(
    "--fault", "faults", metavar="NAME=RATE", multiple=True, callback=_faults,
    help="Let the house go wrong in so many of the games, 0 to 1, where a game can have the "
    "fault; may be repeated. What has to be found is written beside OUT, as OUT.truth.jsonl. "
    "list shows the names.",
)  # fmt: skip
@click.option(
    "--jobs", "-j", metavar="N", type=click.IntRange(1, MAX_JOBS), default=1, show_default=True,
    help="Processes that work at once; the output does not depend on it.",
)  # fmt: skip
@click.option(
    "--output", "-o", metavar="OUT", type=click.Path(dir_okay=False), default=STANDARD_OUTPUT,
    show_default=True,
    help="The file to write; its ending says how: .jsonl, .jsonl.gz, .jsonl.zst or .parquet. "
    "With - JSON Lines go to standard output.",
)  # fmt: skip
@click.option(
    "--force", "-f", is_flag=True,
    help="Overwrite OUT, and the truth beside it; without --fault that is removed.",
)  # fmt: skip
@lang_option
@quiet_option
@debug_option
def simulate(**options: Any) -> None:
    """Write logs of simulated games.

    Players of different skill meet at tables of three rooms, win and lose, come back on
    other days, run out of time, escape, and leave when they are broke; balances follow on
    from game to game. What the log records is what the rules give, so that `paipu verify`
    finds nothing.

    Exit status: 0 all games are written; 2 it could not be done; 130 interrupted.
    \f

    The same options give the same bytes, whatever --jobs is, with compiled kernels and
    without. How games come about, and what is simplified, stands in
    [simulation](../simulate.md).
    """
    asked = Options(**options)
    if any(name == LIST for name, _ in asked.faults):
        _list_faults()
    else:
        _run(asked)


def _run(asked: Options) -> None:
    from analytics import simulate as simulation
    from analytics.rules import load_rulesets
    from cli.progress import progress
    from cli.rulesets import in_effect

    begun = time.perf_counter()
    write = writer_of(asked.output)
    check_free(asked.output, force=asked.force)
    truth = _truth_of(asked)
    if truth is not None:  # also without faults: a log is never beside the truth about another
        check_free(truth, force=asked.force)
    rulebook = load_rulesets(asked.rules_dirs)
    in_effect(rulebook, asked.rules)  # says which names there are
    try:
        with progress(asked.language, is_quiet=asked.is_quiet, sentence="simulating") as tell:
            if asked.faults and truth is not None:
                games = _write_faulty(asked, truth, rulebook, tell)
            else:
                batches = _batches(_wanted(asked), rulebook, asked.jobs, tell)
                games = write(_without(truth, batches), asked.output)
    except simulation.CannotSimulate as problem:
        raise Failure(str(problem)) from problem
    if not asked.is_quiet:
        seconds = round(time.perf_counter() - begun, 3)
        numbers = {"games": games, "output": asked.output, "seconds": seconds}
        click.echo(said("simulated", asked.language, **numbers), err=True)


def _wanted(asked: Options) -> Wanted:
    from analytics.simulate import Wanted
    from analytics.simulate.injecting import Rate

    return Wanted(
        rules=asked.rules,
        games=asked.games,
        start=asked.start,
        players=asked.players,
        days=asked.days,
        seed=asked.seed,
        prefix=asked.prefix,
        deal=asked.deal,
        policy=None if asked.policy == MIXED else asked.policy,
        skill=asked.skill,
        faults=tuple(Rate(name, share) for name, share in asked.faults),
    )


def _batches(wanted: Wanted, rulebook: Rulebook, jobs: int, tell: Tell) -> Iterator[GameBatch]:
    """The games, while somebody is told how far the run is."""
    from analytics.jobs import Progress
    from analytics.simulate import simulate as simulated

    games = 0
    for batch in simulated(wanted, rulebook, jobs=jobs):
        games += len(batch)
        yield batch
        tell(Progress(games, 0, wanted.games, ""))


def _truth_of(asked: Options) -> str | None:
    """Where the truth about a log stands: beside it; None: it is no file that can have one.

    Raises:
        BadParameter: that, and there are faults.
    """
    found = re.fullmatch(r"(.*)(\.jsonl(?:\.gz|\.zst)?)", asked.output, re.DOTALL)
    if found:
        return f"{found[1]}.truth{found[2]}"
    if asked.faults:
        raise click.BadParameter(
            "faults are made in lines: the ending has to be .jsonl, .jsonl.gz or .jsonl.zst.",
            param_hint="--output",
        )
    return None


def _without(truth: str | None, written: Iterable[Part]) -> Iterator[Part]:
    """The parts of a log; when all are written, the truth about an older one goes.

    That is before the log takes its place, so that it never stands beside that truth.
    """
    yield from written
    if truth is not None:
        with suppress(FileNotFoundError):
            os.unlink(truth)


def _write_faulty(asked: Options, beside: str, rulebook: Rulebook, tell: Tell) -> int:
    """Writes the log and the truth about it; how many games were played."""
    import msgspec

    from analytics.jobs import Progress
    from analytics.logs.writing import write_lines
    from analytics.simulate import simulate_slots
    from analytics.simulate.injecting import Slot, Truth, lines_of

    wanted = _wanted(asked)
    games = 0
    truths: list[Truth] = []

    def slots() -> Iterator[Slot]:
        nonlocal games
        for slot in simulate_slots(wanted, rulebook, jobs=asked.jobs):
            games += len(slot.batch)
            yield slot
            tell(Progress(games, 0, wanted.games, ""))

    def lines() -> Iterator[bytes]:
        for line, found in lines_of(slots()):
            truths.extend(found)
            yield line

    write_lines(_without(beside, lines()), asked.output)
    write_lines((msgspec.json.encode(truth) + b"\n" for truth in truths), beside)
    return games
