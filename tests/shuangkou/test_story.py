"""Games told action by action: what was played, what lay there, who is next."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from analytics.cards import parse_faces
from analytics.findings import Code
from analytics.logs import GameBatch, batch_of
from analytics.rules import Rulebook, load_rulesets
from analytics.shuangkou.facts import replay, settle
from analytics.shuangkou.melds import KIND_NAMES
from analytics.shuangkou.settlement import Y_XIANG
from analytics.shuangkou.story import (
    Note,
    Step,
    Story,
    alone,
    held_after,
    mask,
    running_xiang,
    tell,
)
from analytics.verify import describe, verify_batch
from tests.games import fixture_game, fixture_games, fixture_truth
from tests.oracle.as_toml import as_toml
from tests.oracle.random_cases import random_game, random_rules

PRESETS = load_rulesets()
GAMES = fixture_games()
TRUTHS = fixture_truth()
IDS = [game["id"] for game in GAMES]


def told(game: dict[str, Any], rulebook: Rulebook = PRESETS) -> Story:
    """The story of one game."""
    return tell(batch_of([game], rulebook), 0, rulebook)


def random_batches(seed: int, folder: Path) -> list[tuple[GameBatch, Rulebook]]:
    """Random games, half of them corrupted, under a random ruleset."""
    rng = Random(f"story {seed}")
    rules = random_rules(rng)
    (folder / "rules.toml").write_text(as_toml(rules), encoding="utf-8")
    rulebook = load_rulesets([folder])
    return [(batch_of([random_game(rng, rules)], rulebook), rulebook) for _ in range(3)]


def notes_of(story: Story) -> list[tuple[int, Note]]:
    """All notes with the index of their action."""
    return [(step.action, note) for step in story.steps for note in step.notes]


# What was played


@pytest.mark.parametrize(("game", "truth"), list(zip(GAMES, TRUTHS, strict=True)), ids=IDS)
def test_every_fixture_game_is_told_to_its_end(game: dict[str, Any], truth: Any) -> None:
    """Every action is there and done; cards left and xiang at the end are the true ones."""
    story = told(game)
    assert [step.text for step in story.steps] == game["actions"]
    assert all(step.is_done for step in story.steps)
    assert list(story.steps[-1].left or ()) == truth["cards_left"]
    assert list(story.steps[-1].xiang or ()) == truth["xiang"]
    assert not [x for x in story.findings if x.severity.value == "error"]


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_the_one_whose_turn_it_is_acts_next(game: dict[str, Any]) -> None:
    """After each action the next one that is no event is of the seat that was named."""
    turn = game["first"]
    for step in told(game).steps:
        if step.what in ("play", "pass"):
            assert step.seat == turn
        turn = step.turn
    assert turn is None


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_what_lies_on_the_table_is_what_was_played_last(game: dict[str, Any]) -> None:
    """Nothing for a leader; for the others the last meld of the round and its author."""
    last: tuple[int | None, Any] | None = None
    for step in told(game).steps:
        assert (None if step.over is None else (step.over.seat, step.over.meld)) == last
        if step.meld is not None:
            assert step.meld.size == len(step.faces)
            last = (step.seat, step.meld)
        if any(note.what == "round_end" for note in step.notes):
            last = None


@pytest.mark.parametrize("game", GAMES[:12], ids=IDS[:12])
def test_the_running_xiang_is_what_the_game_would_have_now(game: dict[str, Any]) -> None:
    """After each bomb the same as settling facts of the game that far would see."""
    story = told(game)
    for step in story.steps:
        if step.meld is not None and step.meld.xiang > 0:
            so_far = batch_of([{**game, "actions": game["actions"][: step.action + 1]}], PRESETS)
            facts = replay(so_far, PRESETS)
            row = PRESETS.rows[so_far.rules_ix[0]]
            assert running_xiang(facts.bombs, row, len(game["seats"])) == step.xiang


@pytest.mark.parametrize("seed", range(20))
def test_the_last_xiang_is_that_of_the_settlement(seed: int, tmp_path: Path) -> None:
    """Under any settings of [xiang], caps included."""
    for batch, rulebook in random_batches(seed, tmp_path):
        story, facts = tell(batch, 0, rulebook), replay(batch, rulebook)
        if facts.games[0, 1]:  # it replayed to its end
            settled = settle(facts, batch, rulebook).seats[:, Y_XIANG].tolist()
            assert list(story.steps[-1].xiang or ()) == settled


def test_a_declared_reading_is_told() -> None:
    """Cards, what the jokers stand for, and the meld."""
    game = fixture_game("huopin-points", end="escape")
    step = told(game).steps[3]
    assert (step.text, step.named, step.by_system) == ("1 ACBJAC=A", "A", False)
    assert step.faces == tuple(parse_faces("ACBJAC"))
    assert step.meld is not None
    assert (KIND_NAMES[step.meld.kind], step.meld.size) == ("triple", 3)


def test_times_are_told_where_they_are_logged() -> None:
    """One an action, or none at all."""
    game = fixture_game("jiule")
    assert {step.time for step in told(game).steps} == {None}
    game["times"] = list(range(0, 100 * len(game["actions"]), 100))
    assert [step.time for step in told(game).steps] == game["times"]


def test_the_head_holds_what_was_logged() -> None:
    """Ruleset, place, seats, hands sorted by rank."""
    game = {**fixture_game("baibian"), "room": "gold-500"}
    head = told(game).head
    assert (head.id, head.rules, head.ruleset.at) == (game["id"], "baibian", "baibian@1")
    assert (head.room, head.start, head.first) == ("gold-500", game["start"], game["first"])
    assert (head.file, head.line, head.shown) == ("-", 1, game["shown"])
    assert [x.player for x in head.sittings] == [x["player"] for x in game["seats"]]
    assert [x.team for x in head.sittings] == [0, 1, 0, 1]
    for sitting, hand in zip(head.sittings, game["hands"], strict=True):
        assert sitting.faces == tuple(sorted(parse_faces(hand)))


def test_a_game_keeps_its_place_in_the_log() -> None:
    """Alone it stands in the same line of the same file, under the same ruleset."""
    batch = batch_of(GAMES, PRESETS)
    one = alone(batch, 7, PRESETS)
    assert (one.id[0], one.line[0], one.rules_ix[0]) == (batch.id[7], 8, batch.rules_ix[7])
    assert one.content[0] == batch.content[7]
    with pytest.raises(IndexError):
        alone(batch, len(GAMES), PRESETS)


# What happened


def test_rounds_end_and_the_author_leads() -> None:
    """A round ends with the last pass; whoever played last leads the next."""
    for game in GAMES:
        steps = told(game).steps
        for at, step in enumerate(steps):
            if Note("round_end", step.turn) in step.notes:
                assert step.what == "pass"
                assert steps[at + 1].over is None


def test_the_partner_takes_over_from_who_is_out() -> None:
    """接风: only with four seats, only when the author of the last play is out."""
    seen = 0
    for game in GAMES:
        for step in told(game).steps:
            if any(note.what == "jiefeng" for note in step.notes):
                seen += 1
                assert step.over is not None
                assert step.left is not None
                assert step.left[step.over.seat] == 0
                assert step.turn == (step.over.seat + 2) % 4
    assert seen


def test_seats_go_out_in_their_places() -> None:
    """The places told are those recorded, as far as seats went out."""
    for game in GAMES:
        out = [note for _, note in notes_of(told(game)) if note.what == "out"]
        for note in out:
            if len(game["seats"]) == 4:
                assert game["result"]["places"][note.seat] == note.number
            else:
                assert note.number is None


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_the_end_is_told_once(game: dict[str, Any]) -> None:
    """With the last action that counts, and how."""
    ends = [note for _, note in notes_of(told(game)) if note.what == "end"]
    assert [note.word for note in ends] == [game["result"]["end"]]


def test_timeouts_are_counted_until_the_trustee_takes_over() -> None:
    """The third one hands over; a return begins anew (clause 5.1)."""
    game = fixture_game("jiule")
    game["actions"] = [*["0 !timeout"] * 4, "0 !return", "0 !timeout", *game["actions"]]
    notes = [(note.what, note.number) for _, note in notes_of(told(game))][:7]
    assert notes == [
        ("timeout", 1),
        ("timeout", 2),
        ("timeout", 3),
        ("trustee", None),
        ("timeout", 4),
        ("return", None),
        ("timeout", 1),
    ]


@pytest.mark.parametrize("event", ["trustee", "drop", "escape"])
def test_the_trustee_takes_over_at_an_event(event: str) -> None:
    """Once; an escape does so where the room plays on."""
    game = fixture_game("baibian")
    game["actions"] = [f"2 !{event}", f"2 !{event}", *game["actions"]]
    story = told(game)
    assert story.steps[0].notes == (Note("trustee", 2),)
    assert story.steps[1].notes == ()
    assert story.steps[0].turn == game["first"]


@pytest.mark.parametrize("seed", range(20))
def test_the_trustee_of_the_story_is_that_of_the_replay(seed: int, tmp_path: Path) -> None:
    """A seat acts under the trustee, by the notes, exactly where a finding says so."""
    for batch, rulebook in random_batches(seed, tmp_path):
        under: set[int | None] = set()
        for step in tell(batch, 0, rulebook).steps:
            acts = step.is_done and step.what in ("play", "pass") and not step.by_system
            found = {x.params.get("reason") for x in step.findings if x.code is Code.AUTO_TIMEOUT}
            assert (acts and step.seat in under) == ("trustee" in found)
            under |= {note.seat for note in step.notes if note.what == "trustee"}
            under -= {note.seat for note in step.notes if note.what == "return"}


def test_events_after_the_end_tell_nothing() -> None:
    """They are ignored, but they are there."""
    game = fixture_game("jiule")
    game["actions"].append("0 !timeout")
    last = told(game).steps[-1]
    assert (last.what, last.is_done, last.notes, last.turn) == ("timeout", True, (), None)


# Broken games


@pytest.mark.parametrize("seed", range(40))
def test_a_broken_game_is_told_up_to_the_break(seed: int, tmp_path: Path) -> None:
    """Done before, wrong at it, as logged after it; findings are those of verification."""
    for batch, rulebook in random_batches(seed, tmp_path):
        story = tell(batch, 0, rulebook)
        verdict = verify_batch(batch, rulebook)
        expected = [describe(verdict, row, rulebook) for row in range(len(verdict.findings))]
        assert list(story.findings) == expected
        errors = [x for x in story.findings if x.code.text.startswith(("deal.", "play."))]
        if errors:
            assert_broken_at(story, errors[0].action, errors[0].code)


def assert_broken_at(story: Story, action: int | None, code: Code) -> None:
    """Only what comes before the action is done."""
    if action is None:
        stop = len(story.steps) if code is Code.PLAY_UNFINISHED else 0
        assert [step.is_done for step in story.steps] == [True] * stop + [False] * (
            len(story.steps) - stop
        )
        return
    assert [step.is_done for step in story.steps] == [step.action < action for step in story.steps]
    assert code in {finding.code for finding in story.steps[action].findings}
    assert all(_is_as_logged(step) for step in story.steps[action:])


def _is_as_logged(step: Step) -> bool:
    judged = (step.meld, step.over, step.left, step.xiang, step.turn)
    return judged == (None,) * 5 and not step.notes


def test_an_action_that_cannot_be_read_is_there_as_logged() -> None:
    """Neither seat nor kind; the others keep theirs."""
    game = fixture_game("jiule")
    game["actions"][2] = "张三"
    steps = told(game).steps
    assert (steps[2].text, steps[2].what, steps[2].seat, steps[2].faces) == ("张三", None, None, ())
    assert (steps[3].what, steps[3].by_system) == ("pass", True)


def test_a_hand_that_cannot_be_read_is_there_as_logged() -> None:
    """It has no faces; the plays are told all the same."""
    game = fixture_game("jiule")
    game["hands"][1] = "XX" + game["hands"][1][2:]
    story = told(game)
    assert story.head.sittings[1].faces is None
    assert story.head.sittings[1].hand == game["hands"][1]
    assert [step.text for step in story.steps] == game["actions"]
    assert held_after(story, 3)[1] is None


@pytest.mark.parametrize("hands", [1, 3])
def test_a_wrong_number_of_hands_is_told(hands: int) -> None:
    """Missing hands are empty, further ones are nobody's."""
    game = fixture_game("jiule")
    game["hands"] = (game["hands"] * 2)[:hands]
    story = told(game)
    assert [x.code for x in story.findings] == [Code.DEAL_SIZE]
    assert len(story.head.sittings) == 2


def test_a_wrong_number_of_seats_is_told() -> None:
    """As many sittings as the log has seats."""
    game = fixture_game("jiule")
    game["seats"] = [*game["seats"], {"player": "u9", "balance": 1}]
    del game["result"]
    story = told(game)
    assert [x.code for x in story.findings] == [Code.DEAL_SIZE]
    assert len(story.head.sittings) == 3


def test_a_game_without_actions_is_told() -> None:
    """There are no steps, and a finding."""
    game = {**fixture_game("jiule"), "actions": []}
    story = told(game)
    assert story.steps == ()
    assert [x.code for x in story.findings] == [Code.PLAY_UNFINISHED]


# Up to an action


@pytest.mark.parametrize("game", GAMES[:12], ids=IDS[:12])
def test_hands_lose_what_is_played(game: dict[str, Any]) -> None:
    """After each action a seat holds as many cards as the replay says."""
    story = told(game)
    hands = [sorted(parse_faces(hand)) for hand in game["hands"]]
    assert [list(faces or ()) for faces in held_after(story, -1)] == hands
    for step in story.steps:
        assert tuple(len(faces or ()) for faces in held_after(story, step.action)) == step.left


def test_a_story_can_stop_early() -> None:
    """Steps and findings up to there; what the end says is not known yet."""
    game = fixture_game("huopin-wealth")
    game["result"]["delta"] = [1, -1]
    story = told(game)
    assert story.until(4).steps == story.steps[:5]
    assert story.findings
    assert not story.until(4).findings


def test_findings_of_the_deal_are_known_from_the_start() -> None:
    """Also before the first action."""
    game = fixture_game("huopin-wealth")
    game["first"] = 1 - game["first"]
    assert [x.code for x in told(game).until(0).findings] == [Code.PLAY_LEAD]


# Masks


def named(game: dict[str, Any]) -> dict[str, Any]:
    """A game that names its players wherever a log can."""
    game["id"] = "game of anna"
    game["room"] = "anna's room"
    for seat, name in zip(game["seats"], ("anna", "anna & bob"), strict=True):
        seat["player"] = name
    return game


@pytest.mark.parametrize("spoilt", ["nothing", "action", "hand", "shown"])
def test_a_mask_leaves_no_name(spoilt: str) -> None:
    """Not in an id, a room, an action, a hand or a card that cannot be read."""
    game = named(fixture_game("huopin-wealth"))
    if spoilt == "action":
        game["actions"][2] = "anna & bob: hello"
    elif spoilt == "hand":
        game["hands"][0] = "anna"
    elif spoilt == "shown":
        game["shown"] = "bob is anna"
    story = told(game)
    assert "anna" in repr(story)
    masked = mask(story)
    assert "anna" not in repr(masked)
    assert "anna & bob" not in repr(masked)
    assert [x.player for x in masked.head.sittings] == ["P0", "P1"]
    assert (masked.head.id, masked.head.room) == ("game of P0", None)


def test_a_mask_keeps_cards_and_codes() -> None:
    """A player who is called like a card does not change the cards."""
    game = fixture_game("huopin-wealth")
    game["seats"][0]["player"], game["seats"][1]["player"] = "5S", "0"
    story = told(game)
    masked = mask(story)
    assert masked.steps == story.steps
    assert [x.hand for x in masked.head.sittings] == [x.hand for x in story.head.sittings]


def test_players_without_a_name_are_masked_too() -> None:
    """An empty name hides nowhere."""
    game = fixture_game("huopin-wealth")
    for seat in game["seats"]:
        seat["player"] = ""
    assert mask(told(game)).head.id == game["id"]
