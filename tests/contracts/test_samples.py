"""The sample logs: what they promise, and that every finding can be caused."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest
import zstandard

from analytics.findings import Code, Finding, Severity
from analytics.logs import Source, read
from analytics.logs import game as game_of
from analytics.simulate.breaks import BREAKS
from analytics.simulate.faults import FAULTS
from analytics.simulate.samples import HOUSES, SEED, TRUTH, invalid_path, samples, write_samples
from tests.oracle.presets import PRESETS
from tests.oracle.settle import judge
from tests.simulate.causes import CAUSES, Cause
from tests.simulate.small_games import fled, four, two
from tests.simulate.verification import presets, verified

SAMPLES = Path(__file__).parents[2] / "sample_logs"
MOST_BYTES = 5_000_000
MANY_CAUSES = 3
COMPANIONS = {each.code: {each.code, *each.others} for each in BREAKS}


def _all_files() -> list[Path]:
    return sorted(path for path in SAMPLES.rglob("*") if path.is_file())


def test_the_folder_is_small() -> None:
    """All samples together take less than five megabytes."""
    assert sum(path.stat().st_size for path in _all_files()) < MOST_BYTES


def test_the_readme_lists_every_file() -> None:
    """Seed, origin and purpose of each file stand in the README, and of no other file."""
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    listed = {row.split("`")[1] for row in text.splitlines() if row.startswith("| `")}
    assert f"--seed {SEED}" in text
    assert listed | {"README.md"} == {str(path.relative_to(SAMPLES)) for path in _all_files()}


# valid/


def test_valid_samples_verify_without_a_finding() -> None:
    """The house pays right in every game, and the balances of its players are continuous."""
    summary, findings = verified([SAMPLES / "valid"])
    assert findings == []
    assert summary.duplicates == 0
    assert len(summary.by_ruleset) == len(HOUSES)
    assert min(summary.by_ruleset.values()) >= 200


@pytest.mark.parametrize("rules", sorted(PRESETS))
def test_the_oracle_agrees_with_valid_samples(rules: str) -> None:
    """What the engine settled for the simulator is right by another reading of the rules, too."""
    (path,) = (SAMPLES / "valid").glob(f"{rules}.*")
    games = list(_games(path))
    assert len(games) >= 200
    assert not [game["id"] for game in games if judge(game, PRESETS[rules]).findings]


def _games(path: Path) -> Iterator[dict[str, Any]]:
    """The games of a file, as JSON has them."""
    for batch in read(Source(str(path)), presets()):
        assert not isinstance(batch, Finding), batch
        for at in range(len(batch)):
            yield msgspec.to_builtins(game_of(batch, at))


# faulty/


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_faulty_sample_has_the_findings_of_its_truth(fault: Any) -> None:
    """Every game has exactly the findings that its script expects, the good ones none."""
    truth = _truth(fault.name)
    _, findings = verified([SAMPLES / "faulty" / f"{fault.name}.jsonl"])
    found = Counter((f.game, f.code.text, f.seat, f.action) for f in findings)
    assert found == Counter(truth)
    assert fault.codes[0] in {code for _, code, _, _ in truth} <= set(fault.codes)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_oracle_agrees_with_the_truth(fault: Any) -> None:
    """Nobody's settlement made the truth, and two find it."""
    found = Counter(
        (game["id"], code, seat, action)
        for game in _games(SAMPLES / "faulty" / f"{fault.name}.jsonl")
        for code, action, seat in judge(game, PRESETS[game["rules"]]).findings
    )
    assert found == Counter(_truth(fault.name))


def _truth(name: str) -> list[tuple[str, str, int | None, int | None]]:
    text = (SAMPLES / "faulty" / f"{name}{TRUTH}").read_text(encoding="utf-8")
    games = [json.loads(row) for row in text.splitlines()]
    assert sum(not game["expect"] for game in games) == len(games) // 2
    return [
        (game["id"], each["code"], each.get("seat"), each.get("action"))
        for game in games
        for each in game["expect"]
    ]


# invalid/


@pytest.mark.parametrize("code", list(Code), ids=lambda code: code.text)
def test_every_code_has_a_sample(code: Code) -> None:
    """The file of a code causes it, and nothing that does not belong to it."""
    summary, findings = verified([SAMPLES / invalid_path(code)])
    codes = {finding.code for finding in findings}
    assert code in codes
    assert codes <= COMPANIONS.get(code, {code})
    assert summary.games >= 2


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.zst"])
def test_a_packed_file_that_is_cut_off_is_an_error(suffix: str) -> None:
    """What is a warning in a plain file is an error in a compressed one."""
    _, plain = verified([SAMPLES / invalid_path(Code.FORMAT_TORN)])
    _, packed = verified([SAMPLES / invalid_path(Code.FORMAT_TORN, suffix)])
    assert [finding.severity for finding in plain] == [Severity.WARNING]
    assert [finding.severity for finding in packed] == [Severity.ERROR]


# Causes


@pytest.mark.parametrize("game", [two(), four(), fled()], ids=["two", "four", "fled"])
def test_the_small_games_are_good(game: dict[str, Any], tmp_path: Path) -> None:
    """What the causes alter verifies without a finding."""
    assert _findings(json.dumps(game).encode() + b"\n", tmp_path) == []


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: f"{cause.code}: {cause.name}")
def test_a_cause_has_its_finding(cause: Cause, tmp_path: Path) -> None:
    """The finding is at the right action and seat, and no other code comes along."""
    findings = _findings(cause.content, tmp_path)
    assert {finding.code.text for finding in findings} == {cause.code, *cause.also}
    places = {(f.action, f.seat) for f in findings if f.code.text == cause.code}
    assert (cause.action, cause.seat) in places


def _findings(content: bytes, folder: Path) -> list[Finding]:
    path = folder / "games.jsonl"
    path.write_bytes(content)
    return verified([path])[1]


def test_every_code_has_several_causes() -> None:
    """Each code is caused in three ways at least."""
    counts = Counter(cause.code for cause in CAUSES)
    assert {code.text for code in Code if counts[code.text] < MANY_CAUSES} == set()


# Making them anew


@pytest.mark.slow
def test_samples_are_made_anew_with_the_same_games(tmp_path: Path) -> None:
    """The seed that the README names gives the same games; plain files are equal in bytes."""
    write_samples(tmp_path, SEED)
    assert [p.relative_to(tmp_path) for p in sorted(tmp_path.rglob("*")) if p.is_file()] == [
        p.relative_to(SAMPLES) for p in _all_files()
    ]
    for path in _all_files():
        again = tmp_path / path.relative_to(SAMPLES)
        assert _unpacked(again) == _unpacked(path), path.name


@pytest.mark.slow
def test_one_environment_makes_equal_bytes() -> None:
    """Compressed files, too, are the same byte by byte from one run to the next."""
    assert list(samples(7)) == list(samples(7))


def _unpacked(path: Path) -> Any:
    """The content: how a compressor packs it may change with its version."""
    content = path.read_bytes()
    if "invalid" in path.parts and path.suffix in (".gz", ".zst"):
        return None  # cut off: nothing to unpack
    if path.suffix == ".gz":
        return gzip.decompress(content)
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(content)
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    return content
