"""A game as HTML: the same content as its text, escaped, and nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analytics import viewing
from analytics.cards import write_faces
from analytics.logs import batch_of
from analytics.rules import load_rulesets
from analytics.shuangkou.story import held_after
from analytics.viewing.game_view import GameView, view_game
from analytics.wording import Language
from tests.games import fixture_game, fixture_games

PRESETS = load_rulesets()
VIEWING = Path(viewing.__file__).parent
EVIL = "</script><script>alert('x')</script><img src=x onerror=y>"


def view(game: dict[str, Any], language: Language = "en") -> GameView:
    """The view of one game."""
    return view_game(batch_of([game], PRESETS), 0, PRESETS, language=language)


def html(game: dict[str, Any], language: Language = "en") -> str:
    """Its HTML."""
    return view(game, language)._repr_html_()


class Parsed(HTMLParser):
    """What stands where: elements with their attributes and the text directly in them."""

    EMPTY = frozenset({"input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._open: list[int] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))
        if tag not in self.EMPTY:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.elements[self._open[-1]][2].append(data)

    def of(self, tag: str, name: str = "") -> list[tuple[dict[str, str | None], str]]:
        """Elements of a tag, of a class where one is named."""
        return [
            (attributes, "".join(texts).strip())
            for kind, attributes, texts in self.elements
            if kind == tag and (not name or name in (attributes.get("class") or "").split())
        ]


def test_every_action_is_a_part_of_the_table() -> None:
    """One body a log action, with the cards left and the xiang of each seat after it."""
    game = fixture_game("huopin-points")
    shown = view(game)
    bodies = [attributes for attributes, _ in Parsed(shown._repr_html_()).of("tbody")]
    assert len(bodies) == len(game["actions"])
    left = [27, 27]
    for body, text in zip(bodies, game["actions"], strict=True):
        play = text[2:].rstrip("*").partition("=")[0]
        left[int(text[0])] -= 0 if play[0] in "-!" else len(play) // 2
        assert body["data-left"] == f"{left[0]} {left[1]}"
    assert bodies[-1]["data-xiang"] == " ".join(map(str, game["result"]["xiang"]))


def test_the_slider_hides_what_is_played() -> None:
    """At each position the cards whose number is larger, or that have none, are held."""
    game = fixture_game("baibian")
    shown = view(game)
    page = Parsed(shown._repr_html_())
    (slider, _), actions = page.of("input")[0], len(game["actions"])
    assert (slider["min"], slider["max"], slider["value"]) == ("0", str(actions), "0")
    cards = [
        (a.get("data-gone"), text) for a, text in page.of("span") if text and text[-1] in "♠♥♣♦王"
    ]
    for position in (0, 7, actions):
        left = [text for gone, text in cards if gone is None or int(gone) > position]
        held = held_after(shown.story, position - 1)
        assert len(left) == sum(len(faces or ()) for faces in held)
        suits = [write_faces([face])[1] for faces in held for face in faces or ()]
        assert sum(text[-1] == "♠" for text in left) == suits.count("S")


def test_the_slider_begins_where_something_is_wrong() -> None:
    """After the first action with an error; the sentence is beside the action."""
    game = fixture_game("jiule")
    game["actions"][3] = "0 -*" if game["actions"][3][0] == "1" else "1 -*"
    page = html(game)
    assert Parsed(page).of("input")[0][0]["value"] == "4"
    assert "play.turn" in page
    assert "The replay stops at action 3" in page


def test_the_settlement_says_what_is_wrong() -> None:
    """A term recorded otherwise is marked, with its formula and how much more it is."""
    game = fixture_game("huopin-points")
    game["result"]["delta"][0] += 40
    page = Parsed(html(game))
    bad = [attributes for attributes, _ in page.of("tr", "bad")]
    assert bad
    assert any("(+40)" in text for _, text in page.of("td", "number"))
    assert "settle.delta" in {text for _, text in page.of("td", "bad")}
    assert page.of("p", "bad")[-1][1].startswith("✗ Errors: ")


@pytest.mark.parametrize("game", fixture_games()[::9], ids=lambda game: game["id"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_right_games_are_well_formed_and_alone(game: dict[str, Any], language: Language) -> None:
    """All elements close, nothing is fetched, and the verdict is good."""
    text = html(game, language)
    page = Parsed(text)
    assert page.of("p", "good")
    assert not re.search(r"https?:|src=|href=|@import|url\(", text)
    assert text == html(game, language)


def test_chinese_is_chinese() -> None:
    """Headings and sentences are in the language that was asked for."""
    text = html(fixture_game("baibian"), "zh")
    assert "发牌" in text
    assert "Plays" not in text


def test_texts_of_the_log_are_escaped() -> None:
    """Whatever a log says, it opens no element."""
    game = fixture_game("baibian")
    game["id"] = game["room"] = EVIL
    game["seats"][2]["player"] = EVIL
    game["hands"][1] = EVIL
    game["actions"][4] = EVIL
    text = html(game)
    page = Parsed(text)
    assert len(page.of("script")) == 1
    assert not page.of("img")
    assert "&lt;img src=x" in text


def test_a_masked_view_names_nobody() -> None:
    """Players are P0, P1, ...; the verdict stays."""
    game = fixture_game("huopin-wealth")
    shown = view(game)
    masked = shown.masked()
    assert game["seats"][0]["player"] in shown._repr_html_()
    assert game["seats"][0]["player"] not in masked._repr_html_()
    assert repr(masked).endswith("The game verifies: what was recorded is right.")


def test_where_no_html_is_shown_there_is_a_sentence() -> None:
    """The repr names the game and says what it comes to."""
    game = fixture_game("jiule")
    game["result"]["kou"] = "ping" if game["result"]["kou"] != "ping" else "dan"
    text = repr(view(game))
    assert text.startswith(f"Game {game['id']}: Errors: 1. The first wrong term is kou a:")


def test_script_and_looks_speak_of_what_is_there() -> None:
    """Every class and attribute that they name stands on a page, or is set by the script.

    What the script does is to be looked at in a browser; this finds what was renamed.
    """
    game = fixture_game("baibian")
    right = html(game)
    game["result"]["delta"][0] += 40
    body = re.sub(r"(?s)<(style|script)>.*?</\1>", "", right + html(game))
    style, script = ((VIEWING / f"game.{kind}").read_text("utf-8") for kind in ("css", "js"))
    set_by_script = set(re.findall(r'toggle\("(\w+)"', script))
    assert set_by_script == {"played", "later", "now"}
    named = set(re.findall(r"\.([a-z][\w-]*)[ ,{:.>]", re.sub(r"/\*.*?\*/|\{.*?\}", "{", style)))
    classes = {name for found in re.findall(r'class="([^"]+)"', body) for name in found.split()}
    assert named - set_by_script - {"odd"} <= classes  # nothing of these games is only odd
    for selector in re.findall(r'querySelector(?:All)?\("([^"]+)"\)', script):
        for attribute in set(re.findall(r"\[(data-[a-z]+)\]", selector)) - {"data-ready"}:
            assert f"{attribute}=" in body, attribute  # data-ready is set by the script
        for name in re.findall(r"\.([a-z][\w-]*)", selector):
            assert name in classes, name
    for name in ("data-by", "data-deal", "data-left", "data-xiang"):
        assert f'{name}="' in body
        assert name.removeprefix("data-") in script
