"""House words, ``[terms]`` of a ruleset, in the text of every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Game, Invoke, WriteLog

TERMS = {
    "en": {"xiang": "stars", "ping": "plain", "shuang": "double", "bomb": "boom", "base": "stake"},
    "zh": {"xiang": "星", "ping": "小扣", "shuang": "全扣", "bomb": "炸", "base": "底分"},
}


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    """Each language in its turn."""
    return str(request.param)


@pytest.fixture
def house(tmp_path: Path, language: str) -> list[str]:
    """The options for a ruleset that plays as huopin-wealth and has words of its own."""
    words = "".join(f'{name} = "{word}"\n' for name, word in TERMS[language].items())
    text = f'name = "own"\nversion = "1"\nextends = "huopin-wealth"\n[terms]\n{words}'
    folder = tmp_path / "houses"
    folder.mkdir()
    (folder / "own.toml").write_text(text, encoding="utf-8")
    return ["--rules-dir", str(folder), "--lang", language]


@pytest.fixture
def log(games: list[Game], write_log: WriteLog) -> str:
    """A game with bombs whose kou, xiang and base are recorded wrong."""
    game = next(g for g in games if g["rules"] == "huopin-wealth")
    game["rules"] = "own"
    game["base"] = 1
    game["result"] |= {"kou": "shuang", "xiang": [12, 12]}
    return write_log([game])


def test_verify(invoke: Invoke, house: list[str], log: str, language: str) -> None:
    """Sentences and titles have them; codes and names of fields are what they are."""
    text = invoke("verify", log, *house).stdout
    for term in ("xiang", "ping", "shuang", "base"):
        assert TERMS[language][term] in text
    assert "settle.kou" in text
    found = json.loads(invoke("verify", log, *house, "--format", "json").stdout)
    kou = next(f for f in found["findings"] if f["code"] == "settle.kou")
    assert (kou["recorded"], kou["recomputed"]) == ("shuang", "ping")
    assert TERMS[language]["shuang"] in kou["message"]
    for form in ("csv", "jsonl", "junit"):
        assert TERMS[language]["shuang"] in _unescaped(invoke, log, house, form)


def _unescaped(invoke: Invoke, log: str, house: list[str], form: str) -> str:
    from html import unescape

    return unescape(invoke("verify", log, *house, "--format", form).stdout)


def test_verify_in_shards(invoke: Invoke, house: list[str], log: str, tmp_path: Path) -> None:
    """A work folder keeps what a finding was judged by: the second run reads it from there."""
    command = ["verify", log, *house, "--format", "jsonl", "--work", str(tmp_path / "work")]
    once, again, alone = invoke(*command), invoke(*command), invoke(*command[:-2])
    assert once.stdout == again.stdout == alone.stdout


def test_settle(invoke: Invoke, house: list[str], log: str, language: str) -> None:
    """The table has them in headings and cells, data do not."""
    head, row = invoke("settle", log, *house, "--format", "table").stdout.splitlines()
    assert TERMS[language]["xiang"] in head
    assert TERMS[language]["base"] in head
    assert TERMS[language]["ping"] in row
    assert json.loads(invoke("settle", log, *house).stdout)["result"]["kou"] == "ping"


def test_show(invoke: Invoke, house: list[str], log: str, language: str) -> None:
    """The page has them everywhere, in its findings too."""
    text = " ".join(invoke("show", log, *house).stdout.split())
    usual = {"en": ("bomb of", "kou a", "base X"), "zh": ("炸弹", "单双扣记录为双扣", "对局分 X")}
    for term in ("xiang", "ping", "bomb", "base"):
        assert TERMS[language][term] in text
    for word in usual[language]:
        assert word not in text or word == "kou a"


def test_meld(invoke: Invoke, house: list[str], language: str) -> None:
    """The reading and the headings have them."""
    text = invoke("meld", "5S5H5C5DBJ", "--rules", "own", *house).stdout
    assert TERMS[language]["bomb"] in text
    assert TERMS[language]["xiang"] in text
    data = invoke("meld", "5S5H5C5DBJ", "--rules", "own", *house, "--format", "json").stdout
    assert json.loads(data)["meld"]["kind"] == "bomb"
