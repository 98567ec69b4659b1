"""``paipu rules``: list, show, check, diff."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT, Invoke

PRESETS = (
    "baibian", "baibian-zerosum", "huopin-points", "huopin-wealth", "jiule", "tongcheng",
)  # fmt: skip
MISTAKES = ROOT / "tests" / "rules" / "mistakes"


@pytest.fixture
def house(invoke: Invoke, tmp_path: Path) -> Path:
    """A copy of a preset with another fee, which still has the preset's name."""
    path = tmp_path / "mine.toml"
    text = invoke("rules", "show", "jiule").stdout
    path.write_text(text.replace("fee = 0", "fee = 7"), encoding="utf-8")
    return path


def differences(invoke: Invoke, left: str, right: str) -> list[dict[str, Any]]:
    """What differs, as JSON has it."""
    result = invoke("rules", "diff", left, right, "--format", "json")
    assert result.exit_code == 0
    found: list[dict[str, Any]] = json.loads(result.stdout)["differences"]
    return found


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
def test_list_has_every_preset(invoke: Invoke, form: str) -> None:
    """Name and hash of each, in every format."""
    text = invoke("rules", "list", "--format", form).stdout
    for name in PRESETS:
        assert name in text


def test_list_as_json(invoke: Invoke, tmp_path: Path) -> None:
    """Presets and own rulesets, sorted by name, with where they come from."""
    own = (
        'name = "b"\nversion = "2"\nextends = "jiule"\neffective_from = 2026-01-01T00:00:00+08:00\n'
    )
    (tmp_path / "b.toml").write_text(own, encoding="utf-8")
    options = ["--rules-dir", str(tmp_path), "--format", "json"]
    found = json.loads(invoke("rules", "list", *options).stdout)
    assert found["schema"] == 1
    listed = {ruleset["name"]: ruleset for ruleset in found["rulesets"]}
    assert sorted(listed) == sorted([*PRESETS, "b"]) == list(listed)
    assert listed["b"]["effective_from"] == "2026-01-01T00:00:00+08:00"
    assert listed["b"]["source"] == str(tmp_path / "b.toml")
    assert listed["b"]["hash"] == listed["jiule"]["hash"]
    assert listed["jiule"]["source"] == "preset:jiule"


@pytest.mark.parametrize("name", PRESETS)
def test_show_prints_what_loads_as_the_same_ruleset(
    invoke: Invoke, tmp_path: Path, name: str
) -> None:
    """TOML that is shown differs in nothing from its source."""
    path = tmp_path / "copy.toml"
    path.write_text(invoke("rules", "show", name).stdout, encoding="utf-8")
    assert differences(invoke, name, str(path)) == []


def test_show_resolves_parents(invoke: Invoke, tmp_path: Path) -> None:
    """What a file inherits is written out; a parent may be a neighbour."""
    mother = 'name = "mother"\nversion = "1"\nextends = "jiule"\n[scoring]\nfee = 3\n'
    (tmp_path / "mother.toml").write_text(mother, encoding="utf-8")
    child = tmp_path / "child.toml"
    child.write_text('name = "child"\nversion = "1"\nextends = "mother"\n', encoding="utf-8")
    text = invoke("rules", "show", str(child)).stdout
    assert "extends" not in text
    assert "fee = 3" in text
    shown = json.loads(invoke("rules", "show", str(child), "--format", "json").stdout)
    assert (shown["schema"], shown["name"], shown["scoring"]["fee"]) == (1, "child", 3)
    by_name = invoke("rules", "show", "child@1", "--rules-dir", str(tmp_path))
    assert by_name.stdout == text


def test_check_prints_every_mistake_with_its_place(invoke: Invoke) -> None:
    """File, line, path and sentence on stdout; the counts on stderr."""
    result = invoke("rules", "check", str(MISTAKES / "unknown-key.toml"), "--lang", "en")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert len(lines) == 10
    assert lines[0].startswith(f"{MISTAKES}/unknown-key.toml:4: error: fee: ")
    assert result.stderr == "files 1, errors 10, warnings 0\n"


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_check_for_programs(invoke: Invoke, form: str) -> None:
    """The same mistakes with the same fields."""
    text = invoke("rules", "check", str(MISTAKES / "cap.toml"), "--format", form).stdout
    if form == "json":
        (mistake,) = json.loads(text)["mistakes"]
    elif form == "jsonl":
        (mistake,) = map(json.loads, text.splitlines())
    else:
        (mistake,) = csv.DictReader(io.StringIO(text))
    assert list(mistake) == ["file", "line", "path", "severity", "code", "message"]
    assert (int(mistake["line"]), mistake["path"], mistake["severity"], mistake["code"]) == (
        6, "xiang.xiang_cap", "warning", "rules.cap",
    )  # fmt: skip


@pytest.mark.parametrize("sample", sorted(MISTAKES.glob("*.toml")), ids=lambda path: path.stem)
def test_check_in_chinese(invoke: Invoke, sample: Path) -> None:
    """Every sentence is Chinese; files, lines, paths and codes are the same."""
    english, chinese = (
        [json.loads(line) for line in invoke(
            "rules", "check", str(sample), "--format", "jsonl", "--lang", language
        ).stdout.splitlines()]
        for language in ("en", "zh")
    )  # fmt: skip
    assert [without(each) for each in english] == [without(each) for each in chinese]
    for one, other in zip(english, chinese, strict=True):
        assert re.search("[一-鿿]", other["message"]), other["message"]
        assert one["message"] != other["message"]
    text = invoke("rules", "check", str(sample), "--lang", "zh").stdout
    assert " error:" not in text
    assert " warning:" not in text


def without(mistake: dict[str, Any]) -> dict[str, Any]:
    """A mistake without its sentence."""
    return {name: value for name, value in mistake.items() if name != "message"}


def test_check_takes_names(invoke: Invoke, tmp_path: Path) -> None:
    """Of presets and of --rules-dir, with and without a version."""
    found = invoke("rules", "check", "baibian", "--lang", "en")
    assert found.exit_code == 0
    assert found.stdout.startswith("preset:baibian:")
    assert "[rules.mint]" in found.stdout
    assert found.stderr == "files 1, errors 0, warnings 1\n"
    (tmp_path / "a.toml").write_text('name = "own"\nversion = "2"\nextends = "jiule"\n')
    for name in ("own", "own@2", "jiule@1"):
        assert invoke("rules", "check", name, "--rules-dir", str(tmp_path)).exit_code == 0
    nobody = invoke("rules", "check", "baibain", "--lang", "en")
    assert nobody.exit_code == 2
    assert 'did you mean "baibian"?' in nobody.stdout


@pytest.mark.parametrize("name", PRESETS)
def test_check_of_an_exported_preset_says_what_to_do(
    invoke: Invoke, tmp_path: Path, name: str
) -> None:
    """It is a copy that needs another name; with one it is sound."""
    path = tmp_path / "copy.toml"
    text = invoke("rules", "show", name, "--lang", "en").stdout
    assert "A copy needs a name of its own" in text
    path.write_text(text, encoding="utf-8")
    found = invoke("rules", "check", str(path), "--lang", "en")
    assert found.exit_code == 1
    assert f'"{name}@1" is a preset: give this file a name of its own' in found.stdout
    path.write_text(text.replace(f'name = "{name}"', 'name = "own"'), encoding="utf-8")
    assert invoke("rules", "check", str(path)).exit_code == 0


def test_show_has_a_language(invoke: Invoke) -> None:
    """The comment at its head is in it; the settings are the same."""
    english, chinese = (invoke("rules", "show", "jiule", "--lang", x).stdout for x in ("en", "zh"))
    assert "副本" in chinese.splitlines()[1]
    assert english.splitlines()[2:] == chinese.splitlines()[2:]


def test_check_exit_statuses(invoke: Invoke, house: Path, tmp_path: Path) -> None:
    """0 sound or warnings, 1 errors or warnings with --strict, 2 what cannot be read."""
    sound = MISTAKES / "cap.toml"  # a warning
    assert invoke("rules", "check", str(sound)).exit_code == 0
    assert invoke("rules", "check", str(sound), "--strict").exit_code == 1
    assert invoke("rules", "check", str(MISTAKES / "fall.toml")).exit_code == 0
    assert invoke("rules", "check", str(MISTAKES)).exit_code == 1
    assert invoke("rules", "check", "nowhere.toml").exit_code == 2
    assert invoke("rules", "check", str(house), "--quiet").stderr == ""
    (tmp_path / "empty").mkdir()
    empty = invoke("rules", "check", str(tmp_path / "empty"))
    assert empty.exit_code == 2
    assert "no *.toml" in empty.stderr


def test_diff_marks_what_needs_a_replay(invoke: Invoke) -> None:
    """Only what is legal does."""
    found = differences(invoke, "huopin-wealth", "jiule")
    needs = {entry["path"] for entry in found if entry["needs_replay"]}
    assert needs
    assert all(path.startswith("play.") for path in needs)
    assert {p["path"] for p in found if p["path"].startswith("play.")} == needs


def test_diff_of_a_preset_and_its_edited_copy(invoke: Invoke, house: Path) -> None:
    """The copy may have kept the name and version of the preset."""
    (fee,) = differences(invoke, "jiule", str(house))
    assert fee == {"path": "scoring.fee", "left": 0, "right": 7, "needs_replay": False}


def test_diff_for_people(invoke: Invoke, house: Path) -> None:
    """A table, or a sentence on stderr where nothing differs."""
    lines = invoke("rules", "diff", "jiule", str(house), "--lang", "en").stdout.splitlines()
    assert lines[1].split() == ["scoring.fee", "0", "7", "no"]
    same = invoke("rules", "diff", "jiule", "jiule", "--lang", "en")
    assert (same.exit_code, same.stdout) == (0, "")
    assert "No setting" in same.stderr


@pytest.mark.parametrize("place", ["nowhere.toml", "nobody", "jiule@9"])
def test_what_is_neither_name_nor_file_is_two(invoke: Invoke, place: str) -> None:
    """A sentence says so."""
    result = invoke("rules", "diff", "jiule", place)
    assert result.exit_code == 2
    assert place in result.stderr


def test_a_broken_file_is_two_and_names_its_mistakes(invoke: Invoke) -> None:
    """Nothing is compared with what cannot be loaded."""
    result = invoke("rules", "diff", "jiule", str(MISTAKES / "value.toml"))
    assert result.exit_code == 2
    assert "value.toml:7: error: play.seats" in result.stderr
