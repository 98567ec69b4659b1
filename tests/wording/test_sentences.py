"""The sentences of findings: readable, safe, and never failing."""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.findings import Code, Finding, Severity
from analytics.rules import TERMS
from analytics.wording import LANGUAGES, Language, Words, agreed_terms, sentence
from analytics.wording.values import LONGEST, LONGEST_LIST, clean, difference, plain, shown


def finding(code: Code, **fields: Any) -> Finding:
    """A finding in a file called a.jsonl."""
    return Finding(code, "a.jsonl", **fields)


KINGS = {"kind": "bomb", "size": 5, "top": "K", "groups": None, "xiang": 5}
JOKER = {"kind": "single", "size": 1, "top": "BJ", "groups": None, "xiang": 0}

EXAMPLES: list[tuple[Finding, str, str]] = [
    (
        finding(Code.SETTLE_DELTA, seat=1, recorded=400, recomputed=200),
        "Seat 1: gain or loss recorded 400, by the rules 200 (difference 200).",
        "座位 1：输赢记录为 400，按规则应为 200（相差 200）。",
    ),
    (
        finding(Code.SETTLE_BALANCE, seat=0, recorded=-1234567, recomputed=1000),
        (
            "Seat 0: balance after the game recorded -1,234,567, by the rules 1,000 "
            "(difference -1,235,567)."
        ),
        "座位 0：局后余额记录为 -1,234,567，按规则应为 1,000（相差 -1,235,567）。",
    ),
    (
        finding(Code.SETTLE_KOU, recorded="dan", recomputed="ping"),
        "The kou (how badly the loser was caught) is recorded as dan, by the rules it is ping.",
        "单双扣记录为单扣，按规则应为平扣。",
    ),
    (
        finding(Code.SETTLE_END, recorded="out", recomputed="escape"),
        'The end of the game is recorded as "out", by the rules it is "escape".',
        "结束方式记录为“出完牌”，按规则应为“逃跑”。",
    ),
    (
        finding(
            Code.PLAY_BEAT,
            seat=1,
            recorded="1 4D4C",
            params={"table": KINGS},
        ),
        (
            'Seat 1 played "1 4D4C", which does not beat what lies on the table '
            "(bomb of Ks, 5 xiang)."
        ),
        "座位 1 出了“1 4D4C”，压不过桌面上的牌（5相炸弹 K）。",
    ),
    (
        finding(Code.AUTO_PLAY, seat=0, recorded="0 5S*", params={"smallest": JOKER}),
        'The system played "0 5S*" for seat 0, but the smallest play was single big joker.',
        "系统替座位 0 出了“0 5S*”，而最小的出法是单张 大王。",
    ),
    (
        finding(Code.AUTO_PLAY, seat=0, recorded="0 5S*", params={"smallest": None}),
        'The system played "0 5S*" for seat 0, but the smallest play was pass.',
        "系统替座位 0 出了“0 5S*”，而最小的出法是过牌。",
    ),
    (
        finding(Code.FORMAT_VERSION, recorded="1", params={"path": "$.v", "expected": "1"}),
        'The log gives "1" as its format version at $.v, but the number 1 was expected.',
        "日志在 $.v 处写的格式版本是“1”，应为数字 1。",
    ),
    (
        finding(Code.FORMAT_VERSION, recorded=2, params={"path": "$.v", "expected": "1"}),
        "The log says format version 2 at $.v, but 1 was expected.",
        "日志在 $.v 处写的格式版本是 2，应为 1。",
    ),
    (
        finding(Code.FORMAT_FIELD, recorded=17, params={"path": "$.id", "expected": "a string"}),
        "The field $.id has to be a string, but 17 stands there.",
        "字段 $.id 应为字符串，实际是17。",
    ),
    (
        finding(
            Code.FORMAT_FIELD,
            recorded=1,
            params={"path": "$.result.delta", "expected": "one entry per seat"},
        ),
        "The length of $.result.delta is 1, but it has to have one entry for each seat.",
        "列表 $.result.delta 的长度是 1，而每个座位应有一项。",
    ),
    (
        finding(
            Code.FORMAT_FIELD,
            recorded=12,
            params={"path": "$.times", "expected": "one entry per action"},
        ),
        "The length of $.times is 12, but it has to have one entry for each action.",
        "列表 $.times 的长度是 12，而每个动作应有一项。",
    ),
    (
        finding(Code.FORMAT_FIELD, params={"path": "$.seats[1].balance", "expected": "an int"}),
        "The field $.seats[1].balance is missing; it has to be an int.",
        "缺少字段 $.seats[1].balance，应为整数。",
    ),
    (
        finding(
            Code.FORMAT_FIELD, recorded="x", params={"path": "$.base", "expected": "above zero"}
        ),
        'The field $.base has to be above zero, but "x" stands there.',
        "字段 $.base 应为“above zero”，实际是“x”。",
    ),
    (
        finding(
            Code.FORMAT_DUPLICATE,
            game="g1",
            params={"first_file": "b.jsonl", "first_line": 12345},
        ),
        (
            "Another game with the id g1 stands in b.jsonl, line 12345, with other content; "
            "this one was not verified."
        ),
        "牌局编号 g1 已在 b.jsonl 第 12345 行出现过且内容不同，本局未核对。",
    ),
    (
        finding(Code.FORMAT_RULES, recorded="huopin", params={"reason": "several versions"}),
        (
            'The ruleset "huopin" has several versions, and the game gives neither a version nor '
            "a start time to choose by."
        ),
        "规则“huopin”有多个版本，而牌局既没有写版本也没有写开始时间，无法选定。",
    ),
    (
        finding(Code.FORMAT_TORN, given_severity=Severity.ERROR, params={"compressed": True}),
        "The file cannot be read to its end: it is cut off or damaged, "
        "or its last line is unfinished.",
        "文件无法读到结尾：被截断、已损坏，或最后一行不完整。",
    ),
    (
        finding(Code.FORMAT_TORN, params={"compressed": False}),
        "The last line of the file is incomplete, as if it was still being written.",
        "文件的最后一行不完整，可能还在写入。",
    ),
    (
        finding(Code.FORMAT_UNKNOWN, params={"names": {"vip": 1200, "ip": 3}}),
        (
            "The file has fields that this version does not know (with how often): "
            "vip (1,200), ip (3)."
        ),
        "文件里有本版本不认识的字段（括号内为次数）：vip (1,200), ip (3)。",
    ),
    (
        finding(Code.DEAL_SIZE, seat=1, recorded=26, recomputed=27, params={"what": "cards"}),
        "Seat 1 was dealt 26 cards, but by the rules it has to be 27.",
        "座位 1 发到 26 张牌，按规则应为 27 张。",
    ),
    (
        finding(Code.DEAL_PARTNER, params={"face": "7H", "holders": [0, 1]}),
        (
            "The two copies of the shown card 7H lie with seats 0, 1, which do not sit opposite "
            "each other."
        ),
        "明牌 7H 的两张在座位 0, 1 手里，而这两个座位并不对坐。",
    ),
    (
        finding(Code.AUTO_TIMEOUT, seat=3, recorded="3 5S", params={"reason": "trustee"}),
        'Seat 3 acted itself with "3 5S" though the system was playing for it.',
        "座位 3 正在托管，却仍自己出了动作“3 5S”。",
    ),
    (
        finding(
            Code.LEDGER_CONTINUITY,
            seat=0,
            recorded=125000,
            recomputed=120000,
            params={"previous": "hp-0001", "player": "u1001"},
        ),
        (
            "Player u1001 starts with a balance of 125,000, but had 120,000 after the previous "
            "game hp-0001 (difference 5,000)."
        ),
        "玩家 u1001 局前余额为 125,000，而上一局 hp-0001 之后为 120,000（相差 5,000）。",
    ),
]


@pytest.mark.parametrize(("found", "english", "chinese"), EXAMPLES)
def test_a_sentence_names_the_values(found: Finding, english: str, chinese: str) -> None:
    """Each example reads as expected in both languages."""
    assert (sentence(found, "en"), sentence(found, "zh")) == (english, chinese)


HOUSE = {
    "xiang": "stars", "kou": "catch", "dan": "second", "base": "stake", "fee": "rent",
    "contribution": "bomb points", "doubling": "times", "shown": "open card",
    "trustee": "autopilot", "bomb": "boom", "escape": "flight",
}  # fmt: skip


@pytest.mark.parametrize(
    ("found", "english"),
    [
        (
            finding(Code.SETTLE_KOU, recorded="dan", recomputed="ping"),
            "The catch (how badly the loser was caught) is recorded as second, "
            "by the rules it is ping.",
        ),
        (
            finding(Code.SETTLE_XIANG, seat=1, recorded=5, recomputed=4),
            "Seat 1: bomb grade (stars) recorded 5, by the rules 4.",
        ),
        (
            finding(Code.SETTLE_CONTRIBUTION, seat=1, recorded=5, recomputed=4),
            "Seat 1: bomb points recorded 5 times the stake, by the rules 4 times (difference 1).",
        ),
        (
            finding(Code.SETTLE_END, recorded="out", recomputed="escape"),
            'The end of the game is recorded as "out", by the rules it is "flight".',
        ),
        (
            finding(Code.PLAY_BEAT, seat=1, recorded="1 3S", params={"table": KINGS}),
            'Seat 1 played "1 3S", which does not beat what lies on the table '
            "(boom of Ks, 5 stars).",
        ),
        (
            finding(Code.DEAL_SHOWN, recorded="3S"),
            "The open card 3S was dealt to nobody.",
        ),
    ],
)
def test_a_house_has_words_of_its_own(found: Finding, english: str) -> None:
    """Terms of the ruleset stand where the usual words would."""
    assert sentence(found, "en", HOUSE) == english
    assert sentence(found, "en") != english


def test_a_house_word_in_hanzi_is_for_chinese() -> None:
    """An English sentence keeps the usual word; a Chinese one takes either."""
    found = finding(Code.SETTLE_XIANG, seat=1, recorded=5, recomputed=4)
    assert "bomb grade (xiang)" in sentence(found, "en", {"xiang": "星"})
    assert sentence(found, "zh", {"xiang": "星"}) == ("座位 1：星数记录为 5 星，按规则应为 4 星。")
    assert "star" in sentence(found, "zh", {"xiang": "star"})


@pytest.mark.parametrize("hidden", ["\x1b[31m", "\u202e"])
def test_a_house_word_is_only_text(hidden: str) -> None:
    """It may hold braces and cannot colour the output."""
    found = finding(Code.SETTLE_FEE, seat=1, recorded=5, recomputed=4)
    text = sentence(found, "zh", {"fee": f"{{seat}}{hidden}"})
    assert "{seat}" in text
    assert hidden not in text


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_has_a_usual_word(name: str, language: Language) -> None:
    """What a house may call otherwise has a name where it does not, and gives way where it does."""
    assert Words(language).term(name)
    assert Words(language, {name: "word"}).term(name) == "word"


def test_titles_have_the_words_of_the_house() -> None:
    """As sentences do; they begin with a capital letter."""
    assert Words("en", HOUSE).title(Code.SETTLE_FEE) == "Rent"
    assert Words("en").title(Code.DEAL_SHOWN) == "Shown card not dealt"
    assert Words("zh", {"shown": "亮牌"}).title(Code.DEAL_SHOWN) == "亮牌没有发出"


def test_terms_that_houses_do_not_share_are_nobodys() -> None:
    """A heading over the games of several houses has the usual word unless all agree."""
    one, two = {"xiang": "星", "fee": "茶钱"}, {"xiang": "星", "fee": "台费"}
    assert agreed_terms([one, two]) == {"xiang": "星"}
    assert agreed_terms([one]) == one
    assert agreed_terms([one, {}]) == agreed_terms([]) == {}


@pytest.mark.parametrize("code", list(Code), ids=lambda code: code.text)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_missing_is_a_question_mark(code: Code, language: Language) -> None:
    """A finding that carries nothing has a sentence all the same, without braces."""
    text = sentence(finding(code), language)
    assert text
    assert not set("{}") & set(text)
    assert "None" not in text


PARAM_NAMES = (
    "path expected likely reason where what names face holders table smallest rules "
    "cards_left lowest previous player compressed first_file first_line"
)
UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=200)
    | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(
    code=st.sampled_from(Code),
    language=st.sampled_from(LANGUAGES),
    recorded=VALUES,
    recomputed=VALUES,
    seat=VALUES,
    params=st.dictionaries(
        st.sampled_from(PARAM_NAMES.split()),
        VALUES,
    ),
)
def test_odd_values_never_fail(
    code: Code, language: Language, recorded: Any, recomputed: Any, seat: Any, params: Any
) -> None:
    """Whatever stands in a finding, its sentence is one printable line of bounded length."""
    found = finding(code, recorded=recorded, recomputed=recomputed, seat=seat, params=params)
    text = sentence(found, language)
    assert text.encode("utf-8")
    assert not {unicodedata.category(character) for character in text} & UNSAFE
    assert len(text) < 800


def test_a_sentence_is_pure() -> None:
    """The same finding gives the same sentence, and its params are left alone."""
    params = {"names": {"a": 1}}
    found = finding(Code.FORMAT_UNKNOWN, params=params)
    assert sentence(found, "en") == sentence(found, "en")
    assert params == {"names": {"a": 1}}


def test_braces_in_a_log_are_only_text() -> None:
    """Text from a log is never read as a template."""
    found = finding(Code.PLAY_SYNTAX, recorded="0 {seat} {0} {recorded.__class__}")
    assert sentence(found, "en") == (
        'The action "0 {seat} {0} {recorded.__class__}" cannot be read.'
    )


def test_a_word_from_a_log_is_not_taken_for_a_key() -> None:
    """A value that is no word of its family is shown as it is."""
    found = finding(Code.SETTLE_KOU, recorded="kou.dan", recomputed="shuang")
    assert "kou.dan" in sentence(found, "en")


@pytest.mark.parametrize("hidden", ["\x1b[31m", "\u202e", "\u2028", "\x00", "\ud800", "\r\n"])
def test_control_characters_are_escaped(hidden: str) -> None:
    """Nothing from a log can colour, reverse, break or end a line of output."""
    text = sentence(finding(Code.PLAY_SYNTAX, recorded=f"0 {hidden}3S"), "en")
    assert hidden not in text
    assert "\\" in text


def test_a_long_text_is_cut() -> None:
    """A text from a log takes at most ``LONGEST`` characters of the sentence."""
    text = sentence(finding(Code.PLAY_SYNTAX, recorded="9" * 10_000), "en")
    assert "9" * (LONGEST - 1) + "…" in text
    assert "9" * LONGEST not in text


def test_an_escape_is_never_cut_in_two() -> None:
    """Cutting happens between characters of the text, not inside an escape."""
    assert clean("\x1b" * 99, 10) == "\\x1b\\x1b…"


def test_a_text_that_just_fits_is_whole() -> None:
    """Only what is longer is cut."""
    assert clean("x" * LONGEST) == "x" * LONGEST
    assert clean("牌" * (LONGEST + 1)) == "牌" * (LONGEST - 1) + "…"


def test_a_long_table_of_counts_is_cut() -> None:
    """A thousand unknown names do not make a page."""
    assert len(shown({f"name{i}": i for i in range(1000)})) <= LONGEST_LIST


def test_true_is_no_amount() -> None:
    """A truth value is neither added nor subtracted."""
    assert difference(True, 1) == "?"
    assert plain(True) == "True"


def test_an_int_out_of_an_array_is_an_amount() -> None:
    """Numbers that come from a column read like any other."""
    assert shown(np.int64(1234567)) == "1,234,567"
    assert difference(np.int64(400), 200) == "200"
    assert plain(np.int8(3)) == "3"


def test_an_int_beyond_reason_is_a_question_mark() -> None:
    """An int that Python refuses to print does not stop the sentence."""
    assert shown(10**5000) == "?"
    assert difference(10**5000, 1) == "?"


def test_a_value_that_cannot_be_printed_is_a_question_mark() -> None:
    """A foreign value whose text fails does not stop the sentence."""

    class Broken:
        def __str__(self) -> str:
            raise RuntimeError("no text")

    assert shown(Broken()) == "?"
    assert shown([Broken()]) == "?"
