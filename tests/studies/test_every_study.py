"""What holds of every study: its columns, its rates, its steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.studies import STUDIES, Studied, Study, open_warehouse
from analytics.studies.study import frame_columns
from analytics.warehouse.families import TABLES

each = pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES.keys())


@each
def test_names_of_columns_are_unique(study: Study, studied: Studied) -> None:
    """No column of a frame is there twice, whatever it is grouped by."""
    asked = studied.study(study.name).attrs["about"].asked
    groups = {*study.own, *study.always, *asked.of_games}
    names = [column.name for column in (*groups, *study.columns)]
    assert len(set(names)) == len(names)


@each
def test_a_frame_has_its_documented_columns_and_types(study: Study, studied: Studied) -> None:
    """Grouped by nothing, by each of its own columns, and by what is null for some games."""
    groups = ([], ["arm", "room"], *([column.name] for column in study.own))
    for by in groups[: 1 if study.is_whole else None]:
        frame = studied.study(study.name, by=by)
        columns = frame_columns(study, frame.attrs["about"].asked)
        assert list(frame.columns) == [column.name for column in columns]
        for column in columns:
            kind = str(frame[column.name].dtype).lower()
            assert kind.startswith(KINDS[column.type]), column
            if not column.null:
                assert not frame[column.name].isna().any(), column


KINDS = {
    "BIGINT": "int64", "HUGEINT": "int64", "INTEGER": "int32", "SMALLINT": "int16",
    "TINYINT": "int8", "DOUBLE": "float64", "VARCHAR": "str", "DATE": "datetime64",
    "BOOLEAN": "bool", "TIMESTAMPTZ": "datetime64", "VARCHAR[]": "object",
}  # fmt: skip


@each
def test_rates_stand_within_their_intervals(study: Study, studied: Studied) -> None:
    """Whatever has a low and a high end lies between them, and has both or none."""
    frame = studied.study(study.name, by=[] if study.is_whole else ["ruleset"])
    # of good games there are no findings, and among honest players no suspects
    assert len(frame) or study.name in ("findings", "players.pairs")
    for name in (c.name for c in study.columns if f"{c.name}_low" in frame.columns):
        known = frame[frame[f"{name}_low"].notna()]
        assert (known[f"{name}_low"] <= known[name] + 1e-12).all(), name
        assert (known[name] <= known[f"{name}_high"] + 1e-12).all(), name
        assert frame[f"{name}_high"].notna().equals(frame[f"{name}_low"].notna()), name


@each
def test_steps_hide_no_table(study: Study, studied: Studied) -> None:
    """No step has the name of a table, and none that of another step."""
    asked = studied.study(study.name).attrs["about"].asked
    names = [step.name for step in study.steps(asked)]
    assert len(set(names)) == len(names)
    assert not set(names) & {table.name for table in TABLES}


@each
def test_a_study_of_no_games_has_no_rates(study: Study, studied: Studied) -> None:
    """Without a game there is no opportunity, and what needs one is null and not zero."""
    frame = studied.study(study.name, where="false")
    assert frame.attrs["about"].games == 0
    for column in study.columns:
        if f"{column.name}_low" in frame.columns:
            assert frame[column.name].isna().all(), column.name


@each
def test_more_threads_give_the_same_bytes(study: Study, valid: Path) -> None:
    """One thread and four give the same frame, to the last bit."""
    frames = []
    for threads in (1, 4):
        with open_warehouse(valid, threads=threads) as opened:
            frames.append(opened.study(study.name, by=[] if study.is_whole else ["ruleset"]))
    assert frames[0].equals(frames[1])
