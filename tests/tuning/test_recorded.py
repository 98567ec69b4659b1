"""Which ruleset a candidate stands for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analytics.studies import Studied
from analytics.tuning.errors import CannotTune, NeedsReplay
from analytics.tuning.recorded import recorded_rulesets, replaced
from tests.rulebook.builder import BAIBIAN, POINTS, WEALTH, rules

OLD = rules(WEALTH)
NEW = replace(OLD, version="2", scoring=replace(OLD.scoring, fee=5))
CANDIDATE = replace(OLD, name="mine", scoring=replace(OLD.scoring, fee=9))


def test_rulesets_are_kept_as_they_were(studied: Studied) -> None:
    """Each settlement of the samples has the preset that it was made by."""
    found = recorded_rulesets(studied)
    assert {ruleset.hash for ruleset in found.values()} >= {OLD.hash, rules(POINTS).hash}
    query = "SELECT settlement_key FROM settlements WHERE ruleset = 'huopin-wealth@1'"
    [key] = studied.sql(query)["settlement_key"].tolist()
    assert found[key].hash == OLD.hash


def test_the_only_ruleset_gives_way() -> None:
    """All its versions do, where no version is named; others stay."""
    assert replaced([OLD], CANDIDATE) == (CANDIDATE,)
    assert replaced([OLD, NEW], CANDIDATE, WEALTH) == (CANDIDATE, CANDIDATE)
    assert replaced([OLD, NEW], CANDIDATE, "huopin-wealth@2") == (OLD, CANDIDATE)
    other = rules(BAIBIAN)
    assert replaced([other, OLD], CANDIDATE, WEALTH) == (other, CANDIDATE)


def test_it_must_be_clear_which_one_is_meant() -> None:
    """Several names without a choice, or none of that name: the sentence says what there is."""
    with pytest.raises(CannotTune, match="there are: baibian@1, huopin-wealth@1"):
        replaced([rules(BAIBIAN), OLD], CANDIDATE)
    with pytest.raises(CannotTune, match="there are: huopin-wealth@1"):
        replaced([OLD], CANDIDATE, "jiule")
    with pytest.raises(CannotTune, match="there are: none"):
        replaced([], CANDIDATE)


def test_other_legal_plays_need_a_replay() -> None:
    """A candidate for four cannot stand for two."""
    with pytest.raises(NeedsReplay, match="only a replay can tell"):
        replaced([OLD], rules(BAIBIAN))
