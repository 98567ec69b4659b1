"""The layout of a ruleset's row of int64, which the kernels read.

A kernel takes ``row``, one ruleset's row, and looks settings up by these
positions, so that one compiled kernel serves a batch of mixed rulesets.
Booleans are 0 and 1. Source: rules clause 11.
"""

from __future__ import annotations

from typing import Final

# [play]
SEATS: Final = 0  # 2 or 4
WILD_SMALL: Final = 1
WILD_BIG: Final = 2
MIXED_JOKER_PAIR: Final = 3  # 0 none, else the rank of the pair: 13 small, 14 big
CHAIN_MIN: Final = 4
CHAIN_IRREGULAR: Final = 5
CHAIN_CYCLIC: Final = 6
MOST_GROUPS: Final = 7  # bomb_order: 0 fewest-cards, 1 most-groups
IRREGULAR_EQUAL: Final = 8  # always 0 under most-groups
FOUR_JOKERS_HIGHEST: Final = 9
LEAD_SHOWN: Final = 10
TRUSTEE_SMALLEST: Final = 11
ESCAPE_SETTLES: Final = 12

# [xiang]
LINKED: Final = 13
LINKED_BONUS: Final = 14
UNLINKED: Final = 15
UNLINKED_INDEPENDENT: Final = 16
XIANG_CAP: Final = 17  # 0: no cap

# [scoring]
BASE_KIND: Final = 18  # BASE_GIVEN, BASE_FIXED or BASE_LEVELS
BASE_FIXED_AT: Final = 19
KOU_DAN_CARDS: Final = 20  # two seats: from how many cards left
KOU_SHUANG_CARDS: Final = 21
KOU_TIMES: Final = 22  # three: the multiplier of PING, DAN, SHUANG (two seats)
PLACES: Final = 25  # twelve: PLACES + 4 * kou + place - 1 (four seats)
CONTRIBUTION_EACH: Final = 37  # contribution_mode: 0 max, 1 each
DOUBLING_FIRST: Final = 38  # doubling_scope: 0 team, 1 first
FEE: Final = 39
CAP_AT_BALANCE: Final = 40
ESCAPE_TIMES: Final = 41
ESCAPE_PARTS: Final = 42  # PARTS_NONE, PARTS_POINTS or PARTS_WEALTH
SHARE: Final = 43
LEVELS: Final = 44  # how many levels
LEVEL_FROM: Final = 45  # MAX_ROWS entries: required balance, ascending
LEVEL_BASE: Final = 77  # MAX_ROWS entries
DOUBLING: Final = 109  # MAX_XIANG entries: multiplier by xiang, dense
CONTRIBUTION: Final = 141  # MAX_XIANG entries: multiplier by xiang, dense
WIDTH: Final = 173

MAX_ROWS: Final = 32  # clause 12: at most 32 rows in a table
MAX_XIANG: Final = 32  # dense tables hold xiang 0..31; more counts as 31

PING: Final = 0  # 平扣
DAN: Final = 1  # 单扣
SHUANG: Final = 2  # 双扣
NO_KOU: Final = -1
KOU_NAMES: Final = ("ping", "dan", "shuang")

BASE_GIVEN: Final = 0
BASE_FIXED: Final = 1
BASE_LEVELS: Final = 2

PARTS_NONE: Final = 0
PARTS_POINTS: Final = 1
PARTS_WEALTH: Final = 2
