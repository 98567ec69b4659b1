"""Goals: what is wrong with a file is said at once, each with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.rules import RulesetError
from analytics.tuning.goals import Goals, Range, Want, load_goals
from analytics.tuning.typed_toml import read_typed

GOOD = """
name = "gold"
rules = "huopin-wealth"

[vary]
doubling = { least = 1, most = 64, steps = 4 }
fee = { least = 0, most = 100, step = 10 }

[[require]]
metric = "net_issue"
per = "day"
least = -1000
most = 1000.5

[[want]]
metric = "fees"
aim = "most"
"""


def said(text: str) -> list[str]:
    """What is said of a text, without the name of the file."""
    with pytest.raises(RulesetError) as refused:
        read_typed("g.toml", text, Goals)
    return [str(mistake).removeprefix("g.toml:") for mistake in refused.value.mistakes]


def test_a_good_file_is_read(tmp_path: Path) -> None:
    """Every value is where it belongs; what is not given has its default."""
    file = tmp_path / "goals.toml"
    file.write_text(GOOD, "utf-8")
    goals = load_goals(file)
    assert (goals.name, goals.rules, goals.seed, goals.tables) == (
        "gold",
        "huopin-wealth",
        1,
        10_000,
    )
    assert goals.vary.doubling == Range(least=1, most=64, steps=4)
    assert goals.vary.kou is None
    assert (goals.require[0].least, goals.require[0].most) == (-1000, 1000.5)
    assert goals.want == (Want(metric="fees", aim="most"),)


def test_every_mistake_is_named_at_once() -> None:
    """Unknown keys with the nearest one, types, bounds, metrics: each at its line."""
    text = GOOD.replace('name = "gold"', 'name = "go ld"').replace("steps", "stesp")
    text = text.replace('"net_issue"', '"net_isue"').replace('"most"', '"mots"')
    text = text.replace("least = 0, most = 100", 'least = 9, most = "x"')
    assert said(text) == [
        '2: error: name: "go ld" holds something else than letters, digits, - _ and . [goals.name]',
        '6: error: vary.doubling.stesp: "stesp" is not known here: least, most, step or steps is '
        'expected (did you mean "step"?) [goals.unknown-key]',
        '7: error: vary.fee.most: a whole number is expected, not text in quotes ("x") '
        "[goals.type]",
        '10: error: require[0].metric: "net_isue" is no metric of a search (did you mean '
        '"net_issue"?) [goals.value]',
        '17: error: want[0].aim: "mots" is not "least", "most" or "near" (did you mean "most"?) '
        "[goals.value]",
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"gold"', '"go ld"', 'name: "go ld" holds something else than letters'),
        ('"gold"', '".."', 'name: ".." begins with a dot: its files would be hidden'),
        ('"gold"', '".gold"', 'name: ".gold" begins with a dot'),
        ('"gold"', '"gold\\n"', "holds something else than letters"),
        ('name = "gold"', "", "name: name is missing"),
        ("least = 1, most = 64", "least = 65, most = 64", "vary.doubling: least is 65, more"),
        ("step = 10", "step = 0", "vary.fee.step: 0 is not between 1 and 1,000,000,000"),
        ("least = -1000\nmost = 1000.5", "", "require[0]: either least or most is expected"),
        ("most = 1000.5", "most = -2000", "require[0]: least is -1,000.0, more than most"),
        ("most = 1000.5", "most = nan", "require[0].most: nan is no number that anything can"),
        ("least = -1000\n", "least = -inf\n", "require[0].least: -inf is no number"),
        ('aim = "most"', 'aim = "near"\nvalue = inf', "want[0].value: inf is no number"),
        ('"net_issue"', '"sigma"', "require[0].per: sigma is no sum"),
        ('"fees"\naim = "most"', '"fees"\naim = "near"', "want[0].value: value is missing"),
        ('aim = "most"', 'aim = "most"\nvalue = 3', "want[0].value: value has no effect"),
        ('metric = "fees"', 'metric = "winnings"', "is no metric of a search"),
        ("[vary]", "[vary]\n[others]", 'others: "others" is not known here'),
        ("= { least = 1", "= [1] #", "vary.doubling: a table { } is expected"),
    ],
)
def test_a_mistake_is_said(old: str, new: str, expected: str) -> None:
    """One mistake, one sentence."""
    assert expected in "\n".join(said(GOOD.replace(old, new)))


def test_nothing_to_vary_is_a_mistake() -> None:
    """A search without anything that may change finds nothing."""
    assert said('name = "a"\n[vary]\n') == ["2: error: vary: nothing may change [goals.missing]"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The sentence says so."""
    with pytest.raises(RulesetError, match="cannot be read: No such file"):
        load_goals(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(RulesetError, match="not UTF-8"):
        load_goals(tmp_path / "odd.toml")
