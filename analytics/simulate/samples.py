"""Writes the sample logs: ``python -m analytics.simulate.samples sample_logs --seed 2026``.

``valid/`` holds games of every preset that verify without a finding, ``faulty/`` games
that a house settled wrongly, each file with the truth beside it, ``invalid/`` one file
for each finding code. The same seed makes the same games.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from analytics.findings import Code
from analytics.logs import Game, Seat, batch_of, write_jsonl, write_parquet
from analytics.logs.records import game as record_of
from analytics.rules import Rulebook, load_rulesets
from analytics.simulate.altering import recorded, renamed, result_of, with_balances
from analytics.simulate.breaks import BREAKS, Break, Fields
from analytics.simulate.faults import FAULTS, Altered, Fault
from analytics.simulate.population import Manners
from analytics.simulate.running import Wanted, simulate

SEED: Final = 2026
GAMES: Final = 220  # of each ruleset in valid/
ALTERED: Final = 3  # games of each file in faulty/ that have the fault; as many have none
TRUTH: Final = ".jsonl.truth"

_PLAYERS: Final = 24
_OPENS: Final = datetime(2026, 11, 2, 19, 30, tzinfo=timezone(timedelta(hours=8)))
# More escapes and lost turns than in life: each is settled apart.
_FLIGHTY: Final = Manners(timeout=20_000, leave=8_000, escape=60_000)
HOUSES: Final = (
    "huopin-points", "huopin-wealth", "jiule", "baibian", "baibian-zerosum", "tongcheng",
)  # fmt: skip
_PACKED: Final[Mapping[str, str]] = {
    "huopin-wealth": ".jsonl.gz",
    "jiule": ".jsonl.zst",
    "tongcheng": ".parquet",
}

Valid = Mapping[str, Sequence[Game]]


class Sample(NamedTuple):
    """One file of the folder.

    Attributes:
        path: within the folder.
        content: what it holds.
        games: how many, good and bad.
        origin: how its games came about.
        purpose: what it is for.
    """

    path: str
    content: bytes
    games: int
    origin: str
    purpose: str


def samples(seed: int) -> Iterator[Sample]:
    """Every file of the folder but its README, in order of their paths within each part."""
    valid = _valid_games(seed)
    yield from _valid_samples(valid)
    for fault in sorted(FAULTS):
        yield from _faulty_samples(fault, valid, seed)
    yield from sorted(_invalid_samples(valid, seed))


def write_samples(folder: Path, seed: int) -> None:
    """Writes the whole folder; files that are in the way are replaced."""
    written = list(samples(seed))
    for sample in written:
        path = folder / sample.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sample.content)
    (folder / "README.md").write_text(_readme(written, seed), encoding="utf-8")


# valid/


@cache
def _presets() -> Rulebook:
    return load_rulesets([])


def _valid_games(seed: int) -> Valid:
    return {rules: tuple(_simulated(rules, seed, day)) for day, rules in enumerate(HOUSES)}


def _simulated(rules: str, seed: int, day: int) -> Iterator[Game]:
    """The games of a house on a day of its own."""
    wanted = Wanted(
        rules=rules,
        games=GAMES,
        start=_OPENS + timedelta(days=day),
        players=_PLAYERS,
        seed=seed,
        manners=_FLIGHTY,
    )
    for batch in simulate(wanted, _presets()):
        for at in range(len(batch)):
            yield record_of(batch, at)


def _valid_samples(valid: Valid) -> Iterator[Sample]:
    for rules, games in sorted(valid.items()):
        suffix = _PACKED.get(rules, ".jsonl")
        deals = sorted({str(game.deal) for game in games})
        yield Sample(
            f"valid/{rules}{suffix}",
            _file_of(games, suffix),
            len(games),
            f"simulated; deals {', '.join(deals)}",
            f"games of `{rules}` that verify without a finding",
        )


def lines_of(games: Sequence[Game | Fields]) -> bytes:
    """Games as JSON Lines."""
    return b"".join(msgspec.json.encode(game) + b"\n" for game in games)


def _file_of(games: Sequence[Game], suffix: str) -> bytes:
    """Games as the writers of the log write a file of this suffix."""
    write = write_parquet if suffix == ".parquet" else write_jsonl
    with TemporaryDirectory() as folder:
        path = Path(folder, f"games{suffix}")
        write([batch_of(games, _presets())], str(path))
        return path.read_bytes()


# faulty/


def _faulty_samples(fault: Fault, valid: Valid, seed: int) -> Iterator[Sample]:
    """The games of one fault, and the truth about them."""
    rng = Random(f"{seed} {fault.name}")
    shuffled = [rng.sample(valid[rules], len(valid[rules])) for rules in fault.rules]
    taken = list(_taken(fault, [game for games in zip(*shuffled, strict=True) for game in games]))
    origin = f"games of `valid/`, every other one altered by `{fault.name}`"
    games = lines_of([altered.game for _, altered in taken])
    truth = lines_of([_truth(source, altered) for source, altered in taken])
    yield Sample(f"faulty/{fault.name}.jsonl", games, len(taken), origin, fault.meaning)
    yield Sample(f"faulty/{fault.name}{TRUTH}", truth, 0, "the same script", "what is to be found")


def _taken(fault: Fault, games: Sequence[Game]) -> Iterator[tuple[Game, Altered]]:
    """Good games and games with the fault by turns, with where they come from."""
    able = list(islice((game for game in games if fault.alter(game)), ALTERED))
    good = [game for game in games if game not in able][: len(able)]
    for number, (right, wrong) in enumerate(zip(good, able, strict=True)):
        yield right, Altered(renamed(right, f"{fault.name}-{2 * number + 1}"), ())
        altered = fault.alter(renamed(wrong, f"{fault.name}-{2 * number + 2}"))
        if altered:
            yield wrong, altered


def _truth(source: Game, altered: Altered) -> Fields:
    findings = [
        {key: value for key, value in each._asdict().items() if value is not None}
        for each in altered.expected
    ]
    return {"id": altered.game.id, "origin": source.id, "expect": findings}


# invalid/


def invalid_path(code: Code, suffix: str = ".jsonl") -> str:
    """Where the sample of a code lies, within the folder."""
    return f"invalid/{code.text.replace('.', '-')}{suffix}"


def _invalid_samples(valid: Valid, seed: int) -> Iterator[Sample]:
    for each in BREAKS:
        rng = Random(f"{seed} {each.code.text}")
        games = rng.sample(valid[each.rules], len(valid[each.rules]))
        yield _invalid(each.code, lines_of(_broken(each, games)), each.meaning)
    named = [renamed(game, f"line-{at}") for at, game in enumerate(valid["huopin-points"][:3], 1)]
    yield from _line_samples(named)
    yield _invalid(
        Code.LEDGER_CONTINUITY, lines_of(_with_gift(valid["baibian"])),
        "a gift between two games that no log shows",
    )  # fmt: skip


def _invalid(code: Code, content: bytes, meaning: str, suffix: str = ".jsonl") -> Sample:
    origin = "three games of `valid/`, one of them altered"
    return Sample(invalid_path(code, suffix), content, 3, origin, f"`{code.text}`: {meaning}")


def _broken(each: Break, games: Sequence[Game]) -> list[Game | Fields]:
    """A good game, a broken one, a good game.

    Raises:
        LookupError: none of the games can be broken so.
    """
    name = each.code.text.replace(".", "-")
    for game in games[2:]:
        broken = each.apply(renamed(game, f"{name}-2"))
        if broken:
            return [renamed(games[0], f"{name}-1"), broken, renamed(games[1], f"{name}-3")]
    raise LookupError(f"no game can be broken for {each.code.text}")


# What a reader has of a packed file that is cut off depends on how much is packed together.
_TORN: Final = {
    ".jsonl.gz": "a packed file is cut off, what stands before the cut is read (error)",
    ".jsonl.zst": "a packed file is cut off in its only block, no game can be read (error)",
}


def _line_samples(games: Sequence[Game]) -> Iterator[Sample]:
    """Files in which lines are wrong, or the file itself."""
    first, second, third = (lines_of([game]) for game in games)
    cut = second[: len(second) // 2]
    yield _invalid(
        Code.FORMAT_JSON, first + cut + b"\n" + third, "a line that is cut in the middle"
    )
    gbk = second.decode().encode("gbk")
    yield _invalid(Code.FORMAT_ENCODING, first + gbk + third, "one line in GBK")
    again = replace(games[1], id=games[0].id)
    yield _invalid(
        Code.FORMAT_DUPLICATE, first + lines_of([again]) + third, "an id twice, with other content"
    )
    yield _invalid(
        Code.FORMAT_TORN, first + third + cut, "the last line of a plain file is torn (warning)"
    )
    for suffix, purpose in _TORN.items():
        packed = _file_of(games, suffix)
        yield _invalid(Code.FORMAT_TORN, packed[: len(packed) * 3 // 4], purpose, suffix)


def _with_gift(games: Sequence[Game]) -> list[Game]:
    """Two games of the same players, one of whom was given 100 in between, and another game."""
    first, second = _successive(games)
    names = {seat.player: f"gift-{at}" for at, seat in enumerate(first.seats)}
    first, second = (_with_names(game, names) for game in (first, second))
    before = tuple(seat.balance for seat in second.seats)
    after = result_of(second).balance
    richer = with_balances(second, (before[0] + 100, *before[1:]))
    richer = recorded(richer, balance=(after[0] + 100, *after[1:]))
    return [first, richer, renamed(games[-1], "other-table")]


def _successive(games: Sequence[Game]) -> tuple[Game, Game]:
    """The first two games that the same players play one after the other.

    Raises:
        LookupError: there are none.
    """
    last: dict[frozenset[str], Game] = {}
    for game in games:
        players = frozenset(seat.player for seat in game.seats)
        if players in last:
            return last[players], game
        last[players] = game
    raise LookupError("no players stay together")


def _with_names(game: Game, names: Mapping[str, str]) -> Game:
    seats = tuple(Seat(names[seat.player], seat.balance) for seat in game.seats)
    return replace(game, id=f"gift-{game.round}", seats=seats)


# README.md


def _readme(written: Sequence[Sample], seed: int) -> str:
    rows = [
        f"| `{each.path}` | {each.games or ''} | {each.origin} | {each.purpose} |"
        for each in written
    ]
    return _README.format(seed=seed, rows="\n".join(rows))


_README: Final = """\
# Sample logs

Games that were simulated, not played by people. All of this folder, this page too, is written by

    python -m analytics.simulate.samples sample_logs --seed {seed}

and the same seed makes the same games. Nothing here is edited by hand.

- `valid/`: games of every preset. They verify without a finding of any severity.
- `faulty/`: games that a house settled or logged wrongly. The faults are made by a script
  that does not call the settlement. Beside each file, `.jsonl.truth` says for every game
  where it came from and which findings it has to cause; a game that expects none is good.
- `invalid/`: one file for each finding code, a broken game between good ones.

| file | games | origin | purpose |
|---|---|---|---|
{rows}
"""


def main() -> None:
    """Reads the arguments and writes the folder."""
    parser = argparse.ArgumentParser(prog="python -m analytics.simulate.samples")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    write_samples(arguments.folder, arguments.seed)


if __name__ == "__main__":
    main()
