"""What can be asked of a study: which games, which days, and nothing else."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from analytics.studies import Studied
from analytics.warehouse import WarehouseError
from analytics.warehouse.common import GAMES, VERDICTS
from tests.studies.conftest import Game

ATTACKS = (
    "true) OR (true",
    "true) UNION ALL SELECT 1 FROM (SELECT 1",
    "1, 2",
    "true FROM games",
    "true GROUP BY ALL",
    "true LIMIT 1",
    "true; DROP VIEW games",
    "true; SELECT 1",
    "true -- ) \n) OR (true",
    "true /*",
    "x AS y",
    "*",
    "",
    ";",
    "room = ?",
    "room = $room",
    "count(*) > 1",
    "SELECT true",
    "seats IN (WITH x AS (COPY games TO 'out.csv') SELECT 1)",
    "seats IN (INSERT INTO journal VALUES (1) RETURNING 1)",
    "line IN (SELECT line FROM read_csv('/etc/passwd'))",
    "room IN (SELECT content FROM read_text('/etc/passwd'))",
    "room IN (SELECT room FROM '/etc/passwd')",
    "room = getenv('HOME')",
    "nothing = 1",
    "shown = '3S'",
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_where_is_one_expression_that_only_reads(studied: Studied, attack: str) -> None:
    """Whatever else is written there is refused in a sentence."""
    with pytest.raises(WarehouseError, match=r"^where: "):
        studied.study("kou", where=attack)


@pytest.mark.parametrize(
    ("where", "chosen"),
    [
        ("seats = 4 -- four players", lambda game: len(game["seats"]) == 4),
        ("seats = 4 OR rules = 'jiule'",
         lambda game: len(game["seats"]) == 4 or game["rules"] == "jiule"),
        ("id = 'it''s) OR (true'", lambda game: False),
        ("game_key IN (SELECT game_key FROM seats WHERE player LIKE '%001')",
         lambda game: any(seat["player"].endswith("001") for seat in game["seats"])),
        ("errors = 0 AND settled", lambda game: True),
    ],
)  # fmt: skip
def test_where_chooses_games(studied: Studied, games: list[Game], where, chosen) -> None:  # type: ignore[no-untyped-def]
    """An expression over the columns of games, subqueries among them."""
    about = studied.study("kou", where=where).attrs["about"]
    assert about.games == sum(map(chosen, games))


def day_of(game: Game, zone: str, begin: time) -> date:
    """The day of a game, reckoned with the standard library."""
    local = datetime.fromisoformat(game["start"]).astimezone(ZoneInfo(zone))
    return (local - timedelta(hours=begin.hour, minutes=begin.minute)).date()


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "UTC", "America/New_York"])
@pytest.mark.parametrize("begin", [time(0), time(21, 30)])
def test_days_are_cut_where_it_is_asked_for(
    studied: Studied, games: list[Game], zone: str, begin: time
) -> None:
    """Days, weekdays and hours by zone and by when a day begins."""
    days = Counter(day_of(game, zone, begin) for game in games)
    frame = studied.study("kou.length", by=["day", "weekday"], day_start=begin, zone=zone)
    assert {row.day.date(): row.games for row in frame.itertuples()} == days
    assert all(row.day.isoweekday() == row.weekday for row in frame.itertuples())
    hours = Counter(datetime.fromisoformat(g["start"]).astimezone(ZoneInfo(zone)).hour
                    for g in games)  # fmt: skip
    frame = studied.study("kou.length", by=["hour"], day_start=begin, zone=zone)
    assert {row.hour: row.games for row in frame.itertuples()} == hours


def test_since_and_until_are_the_first_and_the_last_day(
    studied: Studied, games: list[Game]
) -> None:
    """Both days count; the day is that of the question, not that of the warehouse."""
    begin, zone = time(21, 30), "UTC"
    first, last = date(2026, 11, 3), date(2026, 11, 5)
    about = studied.study("kou", since=first, until="2026-11-05", day_start=begin, zone=zone).attrs[
        "about"
    ]
    assert about.games == sum(first <= day_of(game, zone, begin) <= last for game in games) > 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"since": "yesterday"}, "'yesterday' is no day"),
        ({"zone": "Asia/Nowhere"}, "'Asia/Nowhere' is no time zone"),
        ({"zone": "../../etc/passwd"}, "is no time zone"),
        ({"since": 5}, "since=5: a day is expected, such as '2026-11-28'"),
        ({"until": datetime(2026, 11, 28, 5)}, "until=.* a day is expected"),
        ({"day_start": "25:00"}, "'25:00' is no time of day, such as 06:00"),
        ({"day_start": 6}, "day_start=6: a time of day is expected, such as '06:00'"),
        ({"day_start": "06:00+08:00"}, "day_start=.* a time of day is expected"),
        ({"day_start": None}, "day_start=None: a time of day is expected"),
        ({"by": 5}, "by=5: names of columns are expected, such as 'room'"),
        ({"by": ["room", 5]}, "by=.* names of columns are expected"),
        ({"zone": 3}, "zone=3: a text is expected, such as 'Asia/Shanghai'"),
        ({"zone": ""}, "'' is no time zone"),
        ({"where": 5}, "where=5: a text is expected, such as \"room = 'a'\""),
        ({"where": True}, "where=True: a text is expected"),
        ({"by": ["colour"]}, "kou cannot be grouped by 'colour'; lead, .*kou, room, "),
    ],
)
def test_what_cannot_be_asked_is_said(studied: Studied, options, sentence: str) -> None:  # type: ignore[no-untyped-def]
    """Bad days, zones and columns are refused in a sentence."""
    with pytest.raises(WarehouseError, match=sentence):
        studied.study("kou", **options)


def test_a_day_may_begin_at_a_time_given_as_text(studied: Studied) -> None:
    """The text means the time."""
    by_text = studied.study("kou.length", by="day", day_start="06:00", zone="Asia/Tokyo")
    by_time = studied.study("kou.length", by="day", day_start=time(6), zone="Asia/Tokyo")
    assert by_text.attrs["about"].asked.day_start == time(6)
    assert by_text.equals(by_time)


def test_an_unknown_study_names_one_that_is_near(studied: Studied) -> None:
    """A slip of the finger is answered with what was meant."""
    with pytest.raises(WarehouseError, match=r"there is no study 'kuo'; is kou meant\?"):
        studied.study("kuo")
    with pytest.raises(WarehouseError, match="there is no study 5; there are "):
        studied.study(5)  # type: ignore[arg-type]


def test_groups_keep_their_order_and_come_once(studied: Studied) -> None:
    """A column that is asked for twice is there once; what the study adds comes last."""
    frame = studied.study("kou", by=["seats", "ruleset", "seats"])
    assert list(frame.columns[:3]) == ["seats", "ruleset", "kou"]
    moved = studied.study("kou", by=["kou", "seats"])
    assert list(moved.columns[:2]) == ["kou", "seats"]


def test_all_columns_of_games_can_be_named(studied: Studied) -> None:
    """Those of `games` and `verdicts`, one by one, in an expression that is true."""
    for table in (GAMES, VERDICTS):
        for column in table.columns:
            where = f"{column.name} IS NULL OR {column.name} IS NOT NULL"
            assert studied.asked(where=where).where == where


def test_one_column_to_group_by(studied: Studied) -> None:
    """Its name, alone or in a list, is the same."""
    assert studied.study("kou", by="room").equals(studied.study("kou", by=["room"]))


def test_kou_is_in_its_order_wherever_it_stands(studied: Studied) -> None:
    """ping, dan, shuang."""
    for by in ("kou", ("kou", "unit")):
        found = studied.study("kou", by=by)["kou"].drop_duplicates().tolist()
        assert found == [kou for kou in ("ping", "dan", "shuang") if kou in found]


def test_sums_beyond_64_bits_stay_exact(studied: Studied) -> None:
    """As integers of Python, in a column of objects."""
    frame = studied.exact(
        "SELECT (2::HUGEINT ** 70)::HUGEINT AS n UNION ALL SELECT NULL ORDER BY 1"
    )
    assert frame["n"].dtype == object
    assert frame["n"].tolist()[0] == 2**70
    assert isinstance(frame["n"].tolist()[0], int)
