"""Faults: what a house does wrong is found, all of it and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from analytics.findings import Code, Finding
from analytics.logs.writing import write_lines
from analytics.simulate import CannotSimulate, Wanted, simulate, simulate_slots
from analytics.simulate.faults import FAULTS
from analytics.simulate.injecting import (
    BY_NAME,
    CONFIG_CHANGED,
    DUPLICATED,
    TORN_LINE,
    Rate,
    Truth,
    lines_of,
)
from analytics.simulate.scoring import Key, main, score, score_files
from tests.cli.running import Invoke, environment
from tests.simulate.verification import presets

START = datetime.fromisoformat("2026-11-06T18:00:00+08:00")


def wanted(rules: str, *faults: tuple[str, float], games: int = 60) -> Wanted:
    """A small run with faults."""
    rates = tuple(Rate(name, share) for name, share in faults)
    return Wanted(rules, games, START, players=30, seed=8, deal="blocks-4-9", faults=rates)


def written(run: Wanted, path: Path) -> list[Truth]:
    """Writes a log with faults; gives the truth about it."""
    pairs = list(lines_of(simulate_slots(run, presets())))
    write_lines((line for line, _ in pairs), str(path))
    return [truth for _, truths in pairs for truth in truths]


@pytest.mark.parametrize("rules", ["huopin-wealth", "huopin-points", "jiule", "baibian"])
def test_every_fault_is_found_and_nothing_else(rules: str, tmp_path: Path, invoke: Invoke) -> None:
    """All faults that a ruleset can have, through the command and the scorer."""
    log = tmp_path / "games.jsonl"
    faults = [f"--fault={name}=0.05" for name, fault in BY_NAME.items() if rules in fault.rules]
    few = ("--rules", rules, "--games", "80", "--players", "30", "-q", "-o", str(log))
    assert invoke("simulate", *few, *faults).exit_code == 0
    result = score_files(log, tmp_path / "games.truth.jsonl")
    assert result.missed == ()
    assert result.extra == ()
    assert len(result.found) > 5


@pytest.mark.parametrize("rules", ["huopin-wealth@1", "baibian-zerosum@1"])
def test_faults_know_a_house_by_its_name_alone(rules: str, tmp_path: Path) -> None:
    """With a version in the log the same games go wrong in the same way as without."""
    name = rules.partition("@")[0]
    faults = [(each, 0.1) for each, fault in BY_NAME.items() if name in fault.rules]
    truths = written(wanted(rules, *faults), tmp_path / "a.jsonl")
    assert truths == written(wanted(name, *faults), tmp_path / "b.jsonl")
    assert len({truth.fault for truth in truths}) > 5


def test_the_samples_faults_can_all_be_injected() -> None:
    """Whatever is made for the samples can be asked for by name, and three more."""
    assert set(BY_NAME) == {f.name for f in FAULTS} | {TORN_LINE, DUPLICATED, CONFIG_CHANGED}


def test_a_changed_configuration_lasts_until_the_table_breaks_up(tmp_path: Path) -> None:
    """Once changed, every later game of that company that can show it is paid the old way."""
    truths = written(wanted("jiule", (CONFIG_CHANGED, 0.1)), tmp_path / "a.jsonl")
    wrong = {truth.id for truth in truths}
    games = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    changed: dict[tuple[str, ...], bool] = {}
    runs = 0
    for game in games:
        players = tuple(sorted(seat["player"] for seat in game["seats"]))
        if game["round"] == "1":
            changed[players] = False
        if game["id"] in wrong:
            runs += changed[players]
            changed[players] = True
        elif changed[players]:  # doubling 1, or an escape: no old table shows
            assert game["result"].get("doubling", 1) == 1
    assert runs > 0


def test_who_is_missing_from_a_torn_line_does_not_follow_on(tmp_path: Path) -> None:
    """The next games of its players begin with a balance that no line explains."""
    truths = written(wanted("huopin-wealth", (TORN_LINE, 0.1)), tmp_path / "a.jsonl")
    codes = [each["code"] for truth in truths for each in truth.expect]
    assert {"format.json", "ledger.continuity"} == set(codes)
    assert all(truth.id is None for truth in truths if truth.expect[0]["code"] == "format.json")


def test_each_finding_belongs_to_the_fault_that_causes_it(tmp_path: Path) -> None:
    """A game that goes wrong and does not follow on, as the last line was torn, has two truths."""
    faults = (("wrong-kou", 0.5), (TORN_LINE, 0.3))
    truths = written(wanted("jiule", *faults), tmp_path / "a.jsonl")
    codes: dict[str, set[str]] = {}
    for truth in truths:
        codes.setdefault(truth.fault, set()).update(each["code"] for each in truth.expect)
    assert codes == {
        "wrong-kou": {"settle.kou", "settle.delta", "settle.balance"},
        TORN_LINE: {"format.json", "ledger.continuity"},
    }
    both = [line for line, count in Counter(t.line for t in truths).items() if count == 2]
    assert both


def test_wrong_balances_stay_wrong(tmp_path: Path) -> None:
    """What was booked wrongly is what the next game begins with: nothing breaks off."""
    truths = written(wanted("jiule", ("wrong-kou", 0.3)), tmp_path / "a.jsonl")
    codes = {each["code"] for truth in truths for each in truth.expect}
    assert codes == {"settle.kou", "settle.delta", "settle.balance"}
    without = [list(batch.id) for batch in simulate(wanted("jiule"), presets())]
    assert sum(map(len, without)) == 60


def test_a_fault_has_one_rate() -> None:
    """The same name twice is refused: nobody can say which rate counts."""
    with pytest.raises(CannotSimulate, match="wrong-kou is given twice"):
        list(simulate(wanted("jiule", ("wrong-kou", 0.1), ("wrong-kou", 0.2)), presets()))


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [("wrong-kuo", "there is no fault"), ("mint-forgotten", "cannot happen by jiule, but by")],
)
def test_faults_that_cannot_be_are_refused(fault: str, sentence: str) -> None:
    """A name that does not exist, and one that the ruleset cannot have."""
    with pytest.raises(CannotSimulate, match=sentence):
        list(simulate(wanted("jiule", (fault, 0.5)), presets()))


def test_the_scorer_misses_nothing() -> None:
    """A finding too few and one too many are both said."""
    truth = Truth(3, "a", "wrong-kou", ({"code": "settle.kou", "seat": None, "action": None},))
    assert score([truth], []).missed == (("wrong-kou", Key(3, "settle.kou", None, None)),)
    assert score([truth], []).found == {}


KOU = ("--rules", "jiule", "--fault", "wrong-kou=0.5")


def test_no_truth_of_an_older_log_stays_beside_a_new_one(tmp_path: Path, invoke: Invoke) -> None:
    """Without faults there is no truth: --force takes the old one away, else it is refused."""
    log, truth = tmp_path / "a.jsonl", tmp_path / "a.truth.jsonl"
    few = ("simulate", "--games", "6", "--players", "20", "-q", "-o", str(log))
    assert invoke(*few, *KOU).exit_code == 0
    log.unlink()
    refused = invoke(*few)
    assert refused.exit_code == 2
    assert "a.truth.jsonl: it is there already" in refused.stderr
    assert truth.exists()
    assert invoke(*few, "--force").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_log_never_stands_beside_the_truth_about_another(
    tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is put in place at a time, what stands there belongs together."""
    few = ("simulate", "--games", "6", "--players", "20", "-q", "-f", *KOU)
    names = ("a.jsonl", "a.truth.jsonl")
    wholes = []
    for seed, name in (("1", "one"), ("2", "two")):
        (tmp_path / name).mkdir()
        assert invoke(*few, "--seed", seed, "-o", str(tmp_path / name / "a.jsonl")).exit_code == 0
        wholes.append([(tmp_path / name / each).read_bytes() for each in names])
    seen = []

    def watched(source: str, target: str) -> None:
        for step in (lambda: None, lambda: put(source, target)):
            step()
            here = [tmp_path / "one" / each for each in names]
            seen.append([path.read_bytes() if path.exists() else None for path in here])

    put = os.replace
    monkeypatch.setattr(os, "replace", watched)
    assert invoke(*few, "--seed", "2", "-o", str(tmp_path / "one" / "a.jsonl")).exit_code == 0
    assert seen[-1] == wholes[1]
    assert all(any(_is_of(state, whole) for whole in wholes) for state in seen)


def _is_of(state: list[bytes | None], whole: list[bytes]) -> bool:
    """Whether the files that are there are those of one run."""
    return all(here in (None, part) for here, part in zip(state, whole, strict=True))


def kou_findings(lines: Iterable[int]) -> list[Finding]:
    """A finding of another kou on each of these lines."""
    return [Finding(Code.SETTLE_KOU, "a.jsonl", line=line) for line in lines]


def kou_truths(count: int) -> list[Truth]:
    """So many lines with a wrong kou, from the first on."""
    expected = ({"code": "settle.kou", "seat": None, "action": None},)
    return [Truth(line, str(line), "wrong-kou", expected) for line in range(1, count + 1)]


def test_a_finding_that_is_reported_twice_is_one_too_many() -> None:
    """One was injected: the second of the same is extra, and the first is found."""
    result = score(kou_truths(2), kou_findings([1, 2, 2]))
    assert result.found == {"wrong-kou": 2}
    assert result.missed == ()
    assert result.extra == (Key(2, "settle.kou", None, None),)


def test_scoring_takes_time_by_the_number_of_findings() -> None:
    """Every second of 16,000 is found: looking through all for each took more than ten seconds."""
    truths, findings = kou_truths(16_000), kou_findings(range(1, 16_001, 2))
    begun = time.process_time()
    result = score(truths, findings)
    assert time.process_time() - begun < 2
    assert (result.found["wrong-kou"], len(result.missed)) == (8_000, 8_000)


def test_a_score_that_nobody_reads_to_its_end_is_quiet(tmp_path: Path) -> None:
    """``| head`` gives the status of a closed pipe, as with the commands."""
    (tmp_path / "a.jsonl").write_text("")
    with (tmp_path / "a.truth.jsonl").open("wb") as out:
        out.writelines(msgspec.json.encode(truth) + b"\n" for truth in kou_truths(1))
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "analytics.simulate.scoring", "a.jsonl", "a.truth.jsonl"],
        cwd=tmp_path, env=environment(), stdout=writing, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_faults_are_listed(invoke: Invoke) -> None:
    """``--fault list`` says what each is and where it can happen."""
    lines = invoke("simulate", "--fault", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(BY_NAME)
    assert "(huopin-wealth)" in next(line for line in lines if line.startswith("whole-penalty"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--fault", "wrong-kou"), "NAME=RATE"),
        (("--fault", "wrong-kou=2"), "from 0 to 1"),
        (("--fault", "wrong-kou=1", "-o", "a.parquet"), "faults are made in lines"),
        (("--fault", "wrong-kou=1", "-o", "a.jsonl.parquet"), "faults are made in lines"),
        (("--fault", "wrong-kou=1"), "faults are made in lines"),
    ],
)
def test_bad_faults_are_bad_usage(
    invoke: Invoke, arguments: tuple[str, ...], sentence: str
) -> None:
    """Status 2, and a sentence."""
    result = invoke("simulate", *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_a_log_of_a_house_of_its_own_is_scored(tmp_path: Path, invoke: Invoke) -> None:
    """By the tables of --rules-dir, which came into effect in mid-run; packed like the log."""
    (tmp_path / "houses").mkdir()
    (tmp_path / "houses" / "new.toml").write_text(
        'extends = "huopin-wealth"\nname = "huopin-wealth"\nversion = "2"\n'
        "effective_from = 2026-11-02T12:00:00+08:00\n"
        "[scoring.base]\nlevels = [[0, 7]]\n"
    )
    houses = ("--rules-dir", str(tmp_path / "houses"))
    log, truth = str(tmp_path / "a.jsonl.gz"), str(tmp_path / "a.truth.jsonl.gz")
    faults = ("--fault", "wrong-kou=0.2", "--fault", "higher-level-base=0.2")
    few = ("--games", "40", "--players", "30", "-q", "-o", log)
    assert invoke("simulate", *few, *faults, *houses).exit_code == 0
    assert main([log, truth, *houses]) == 0
    assert main([log, truth]) == 1  # the presets have other levels


@pytest.mark.parametrize(
    ("log", "truth", "sentence"),
    [
        ("no.jsonl", "good.jsonl", "there is no such log"),
        ("good.jsonl", "no.jsonl", "no.jsonl"),
        ("good.jsonl", "bad.jsonl", "is no truth of simulate --fault"),
    ],
)
def test_what_cannot_be_scored_is_said(
    log: str, truth: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2 and a sentence: a file that is not there, or no truth."""
    (tmp_path / "good.jsonl").write_text("")
    (tmp_path / "bad.jsonl").write_text("{")
    with pytest.raises(SystemExit) as left:
        main([str(tmp_path / log), str(tmp_path / truth)])
    assert left.value.code == 2
    assert sentence in capsys.readouterr().err
