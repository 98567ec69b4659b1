"""Scope: which games a study looks at, and what they can be grouped by."""

from __future__ import annotations

from typing import Final

from analytics.warehouse.tables import Column

_NOT_LOGGED: Final = "not logged"

UNIT: Final = Column("unit", "VARCHAR", "The unit of amounts")
OF_GAMES: Final = (
    Column("room", "VARCHAR", "The room", _NOT_LOGGED),
    Column("ruleset", "VARCHAR", "The ruleset by which games were settled, name@version"),
    UNIT,
    Column("deal", "VARCHAR", "The dealing mode", _NOT_LOGGED),
    Column("seats", "TINYINT", "Number of seats"),
    Column("ending", "VARCHAR", "How games ended: `out` or `escape`", "the replay broke"),
    Column("day", "DATE", "Day of the start, as --tz and --day-start cut days", "no start logged"),
    Column("weekday", "TINYINT", "Day of the week of that day, 1 Monday to 7", "no start logged"),
    Column("hour", "TINYINT", "Hour of the start in the zone, 0 to 23", "no start logged"),
    Column("arm", "VARCHAR", "The arm of an experiment", _NOT_LOGGED),
    Column("client", "VARCHAR", "The client", _NOT_LOGGED),
    Column("table_id", "VARCHAR", "The table", _NOT_LOGGED),
)

# All that --where can name, and steps can ask for: a row a game.
GAMES: Final = """
SELECT games.game_key, games.id, games.family, games.rules, games.room, games.table_id, games.round,
       games.deal, games.arm, games.client, games.started, games.ended, games.seats,
       games.started_zone, games.ended_zone, games.position, games.content,
       games.given_base, games.ending, games.broken_by, games.actions, games.plies,
       games.last_action, games.file_key, games.line, verdicts.settlement_key,
       verdicts.ruleset, verdicts.settled, verdicts.errors, verdicts.system, settlements.unit,
       {day} AS day, isodow({day}) AS weekday, hour({local}) AS hour
FROM games
JOIN verdicts USING (game_key)
JOIN settlements USING (settlement_key)
WHERE {days}
"""

# A mode that was not logged is taken for a uniform deal: every order of the cards equally likely.
IS_UNIFORM: Final = "coalesce(deal, 'uniform') = 'uniform'"
