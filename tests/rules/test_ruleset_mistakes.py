"""Every mistake has a file that makes it: tests/rules/mistakes.

A comment ``#! CODE PATH`` stands at the end of the line to which the mistake
belongs; a file has exactly the mistakes that it announces.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.findings import Severity
from analytics.rules import CODES, Mistake, RulesetError, check_files, load_rulesets

FOLDER = Path(__file__).parent / "mistakes"
SAMPLES = sorted(FOLDER.iterdir(), key=lambda path: path.name)
BY_TEST_ONLY = {"rules.unreadable", "rules.encoding"}  # no text file can make these

Told = tuple[str, int, str, str]


def announced(sample: Path) -> list[Told]:
    """What the comments of a sample announce: file, line, code and path."""
    files = sorted(sample.glob("*.toml")) if sample.is_dir() else [sample]
    found = []
    for file in files:
        for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            for comment in text.split("#!")[1:]:
                code, *path = comment.split()
                found.append((str(file), line, code, "".join(path)))
    return sorted(found)


def told(mistakes: list[Mistake] | tuple[Mistake, ...]) -> list[Told]:
    """The same of mistakes."""
    return sorted((m.file, m.line or 0, m.code, m.path) for m in mistakes)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_has_exactly_the_mistakes_that_it_announces(sample: Path) -> None:
    """File, line, path and code of every mistake are those of the comments."""
    assert told(check_files([sample])) == announced(sample)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_loading_raises_the_errors_that_checking_finds(sample: Path) -> None:
    """Loading runs what checking runs; warnings alone do not stop it."""
    errors = [m for m in check_files([sample]) if m.severity is Severity.ERROR]
    try:
        load_rulesets([sample])
        raised: tuple[Mistake, ...] = ()
    except RulesetError as error:
        raised = error.mistakes
    assert told(raised) == told(errors)


def test_all_samples_are_checked_at_once() -> None:
    """The mistakes of all files come together, in the order of files and lines."""
    single = [path for path in SAMPLES if path.is_file()]
    found = check_files([FOLDER])
    assert told(found) == sorted(entry for path in single for entry in announced(path))
    assert [(m.file, m.line) for m in found] == sorted((m.file, m.line) for m in found)


def test_every_code_has_a_sample() -> None:
    """No code is without a file that causes it."""
    shown = {code for sample in SAMPLES for _, _, code, _ in announced(sample)}
    assert shown == CODES.keys() - BY_TEST_ONLY


def test_every_message_is_a_short_sentence() -> None:
    """A message names what is wrong in one line."""
    for sample in SAMPLES:
        for mistake in check_files([sample]):
            assert 10 < len(mistake.message) < 140, mistake
            assert "\n" not in mistake.message


@pytest.mark.parametrize(
    ("sample", "path", "message"),
    [
        ("unknown-key", "scoring.doublng", 'did you mean "doubling"?'),
        ("unknown-key", "play.fee", "it belongs in [scoring]"),
        ("unknown-key", "titel", 'did you mean "title"?'),
        ("unknown-key", "terms.xaing", 'did you mean "xiang"?'),
        ("duplicate", "play.chain_min", "given twice, first in line 6"),
        ("type", "play.seats", "a whole number is expected, not true or false (true)"),
        ("value", "play.four_jokers", '"hihgest" is not "highest" or "lowest"'),
        ("limit", "scoring.share", "101 is not between 0 and 100"),
        ("extends", "extends", 'did you mean "huopin-wealth"?'),
        ("several", "extends", 'write "jiule@1" or "jiule@2"'),
        ("cycle", "extends", "a@1 -> c@1 -> b@1 -> a@1"),
        ("gap", "scoring.doubling.9", "before it there is no row for 8, which get 8, that of 7"),
        ("unreachable", "scoring.doubling.12", "the highest is 11"),
        ("mint", "scoring.places.ping", "mints 2 times the base"),
        ("mint", "scoring.places.dan", "burns 1 times the base"),
        ("no-effect", "play.irregular_equal", 'only with bomb_order = "fewest-cards"'),
    ],
)
def test_messages_say_what_to_do(sample: str, path: str, message: str) -> None:
    """The sentence carries the value, the bound or the word that was probably meant."""
    source = FOLDER / sample
    found = check_files([source if source.is_dir() else source.with_suffix(".toml")])
    assert any(message in m.message for m in found if m.path == path), found


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    """The line of the first byte that is no UTF-8 is named."""
    path = tmp_path / "gbk.toml"
    path.write_bytes('name = "gbk"\ntitle = { zh = "双扣" }\n'.encode("gbk"))
    [mistake] = check_files([path])
    assert (mistake.code, mistake.line, mistake.path) == ("rules.encoding", 2, "")


def test_a_path_that_cannot_be_read(tmp_path: Path) -> None:
    """A file that is not there is a mistake without a line."""
    [mistake] = check_files([tmp_path / "none.toml"])
    assert (mistake.code, mistake.line, mistake.path) == ("rules.unreadable", None, "")
    with pytest.raises(RulesetError, match=r"none\.toml"):
        load_rulesets([tmp_path / "none.toml"])
