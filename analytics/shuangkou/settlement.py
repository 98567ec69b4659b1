"""Settlement: what a replayed game is worth, as items that each account gets.

``settle_games`` is the entry kernel. It reads facts, rules and balances only, so any
scoring table can be tried without a second replay. Amounts are int64 in the room's
unit. Source: rules clauses 6 to 9.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from analytics.compiled import Ints, Rows, called_kernel, kernel
from analytics.logs.batch import ABSENT, END_ESCAPE, END_OUT
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou.deal import partner_of
from analytics.shuangkou.signature import FIVE, FOUR

NOTHING: Final = ABSENT  # null: what an ending or a game does not have

# Items of the ledger: what a posting is for.
BASE: Final = 0  # X·a or X·P, undoubled
DOUBLING: Final = 1  # the same times b - 1
CONTRIBUTION: Final = 2
ESCAPE: Final = 3
FEE: Final = 4
CAP: Final = 5  # what cap_at_balance takes off
MINT: Final = 6  # what the place table mints (system only)
ITEMS: Final = 7

# Columns of Books.games.
X_BASE: Final = 0  # NOTHING: no level
X_KOU: Final = 1  # PING, DAN, SHUANG, or NO_KOU
X_DOUBLING: Final = 2  # or NOTHING
X_SYSTEM: Final = 3  # or NOTHING
BOOK_GAME_WIDTH: Final = 4

# Columns of Books.seats.
Y_XIANG: Final = 0  # effective and capped
Y_CONTRIBUTION: Final = 1  # net, multiples of the base; or NOTHING
Y_DELTA: Final = 2  # or NOTHING
Y_FEE: Final = 3
BOOK_SEAT_WIDTH: Final = 4


class Played(NamedTuple):
    """What is settled: facts, balances, rules.

    Attributes:
        games: int64 ``(n, GAME_WIDTH)``, facts.
        seats: int64 ``(k, SEAT_WIDTH)``, facts.
        seats_at: int64 ``(n + 1,)``.
        balance: int64 ``(k,)``, before the game.
        given: int64 ``(n,)``, the recorded base.
        rules: int64 ``(rulesets, WIDTH)``.
        rules_ix: int16 ``(n,)``.
    """

    games: Rows
    seats: Rows
    seats_at: Ints
    balance: Ints
    given: Ints
    rules: Rows
    rules_ix: Ints


class Books(NamedTuple):
    """What it is worth.

    Attributes:
        games: int64 ``(n, BOOK_GAME_WIDTH)``.
        seats: int64 ``(k, BOOK_SEAT_WIDTH)``.
        items: int64 ``(k, ITEMS)``: what each seat gets for each item.
        system: int64 ``(n, ITEMS)``: what the system gets; each item of a game adds up
            to zero over its seats and the system, with BASE, DOUBLING and MINT as one.
    """

    games: Rows
    seats: Rows
    items: Rows
    system: Rows


@kernel
def settle_games(played: Played, books: Books) -> None:
    """Settles every replayed game (entry kernel); broken games are left as they are."""
    for game in range(len(played.given)):
        settle_game(game, played, books)


@kernel
def settle_game(game: int, played: Played, books: Books) -> None:
    """Settles one game; what stands in its rows of the books must be zero."""
    end = played.games[game][D.G_END]
    row = played.rules[played.rules_ix[game]]
    if end != 0:
        start = played.seats_at[game]
        books.games[game][X_BASE] = _base(game, played, row)
        _write_xiang(start, played, books, row)
    if end == END_OUT:
        _settle_out(game, played, books, row)
    elif end == END_ESCAPE:
        _settle_escape(game, played, books, row)


@kernel
def level_of(balance: int, row: Ints) -> int:
    """The highest level whose requirement the balance meets, or -1 (clause 8.1)."""
    level = -1
    for at in range(row[R.LEVELS]):
        if row[R.LEVEL_FROM + at] <= balance:
            level = at
    return level


@kernel
def level_seat(balance: Ints, start: int, stop: int, row: Ints) -> int:
    """Which of the balances from ``start`` to ``stop`` has the lowest level; the first one."""
    lowest = start
    for seat in range(start + 1, stop):
        if level_of(balance[seat], row) < level_of(balance[lowest], row):
            lowest = seat
    return lowest


@kernel
def _base(game: int, played: Played, row: Ints) -> int:
    """The base X: given, fixed, or that of the lowest level at the table (clause 8.1)."""
    if row[R.BASE_KIND] == R.BASE_GIVEN:
        return played.given[game]
    if row[R.BASE_KIND] == R.BASE_FIXED:
        return row[R.BASE_FIXED_AT]
    seat = level_seat(played.balance, played.seats_at[game], played.seats_at[game + 1], row)
    lowest = level_of(played.balance[seat], row)
    return row[R.LEVEL_BASE + lowest] if lowest >= 0 else NOTHING


@kernel
def effective_xiang(facts: Ints, row: Ints) -> int:
    """A seat's effective xiang, not yet capped (clause 7)."""
    xiang = facts[D.S_BEST]
    if row[R.LINKED] != 0 and facts[D.S_LINKED] > 0:
        xiang = max(xiang, facts[D.S_LINKED] + row[R.LINKED_BONUS])
    if row[R.UNLINKED] != 0:
        apart = row[R.UNLINKED_INDEPENDENT] != 0
        fours = facts[D.S_FOURS_APART] if apart else facts[D.S_FOURS]
        fives = facts[D.S_FIVES_APART] if apart else facts[D.S_FIVES]
        if fours >= 3:  # clause 7: three count 5, four 6, five 7, six or more 8
            xiang = max(xiang, FOUR - 2 + min(fours, 6))
        if fives >= 2:  # clause 7: two or more count 6
            xiang = max(xiang, FIVE + 1)
    return xiang


@kernel
def capped(xiang: int, row: Ints) -> int:
    """Scoring sees xiang capped by ``xiang_cap`` (clauses 4, 8.3)."""
    return min(xiang, row[R.XIANG_CAP]) if row[R.XIANG_CAP] > 0 else xiang


@kernel
def _entry(table: int, xiang: int, row: Ints) -> int:
    """The multiplier of a xiang in ``R.DOUBLING`` or ``R.CONTRIBUTION`` (clause 8)."""
    return row[table + min(xiang, R.MAX_XIANG - 1)]


@kernel
def _write_xiang(start: int, played: Played, books: Books, row: Ints) -> None:
    for seat in range(row[R.SEATS]):
        xiang = capped(effective_xiang(played.seats[start + seat], row), row)
        books.seats[start + seat][Y_XIANG] = xiang


@called_kernel
def _contributed(at: int, played: Played, books: Books, row: Ints) -> int:
    """The contribution c that a seat earned by its bombs (clause 8.3).

    Mode max: c of the effective xiang, once. Mode each: the sum over its bombs, each
    by its own xiang.
    """
    if row[R.CONTRIBUTION_EACH] == 0:
        return _entry(R.CONTRIBUTION, books.seats[at][Y_XIANG], row)
    total = 0
    for xiang in range(played.seats[at][D.S_BEST] + 1):  # none is above the best
        bombs = played.seats[at][D.S_BOMBS + xiang]
        if bombs > 0:
            total += bombs * _entry(R.CONTRIBUTION, capped(xiang, row), row)
    return total


# Normal settlement


@kernel
def _settle_out(game: int, played: Played, books: Books, row: Ints) -> None:
    """Clause 8.3."""
    start, seats = played.seats_at[game], row[R.SEATS]
    kou = _kou(game, played, row)
    doubling = _entry(R.DOUBLING, _doubling_xiang(game, played, books, row), row)
    books.games[game][X_KOU] = kou
    books.games[game][X_DOUBLING] = doubling
    _write_contributions(start, seats, played, books, row)
    base = books.games[game][X_BASE]
    if base == NOTHING:
        _write_unsettled(game, start, seats, books, row)
        return
    for seat in range(seats):
        stake = base * _stake(game, seat, kou, played, row)
        items = books.items[start + seat]
        items[BASE] = stake
        items[DOUBLING] = stake * (doubling - 1)
        items[CONTRIBUTION] = base * books.seats[start + seat][Y_CONTRIBUTION]
        books.system[game][MINT] -= stake * doubling
    if row[R.CAP_AT_BALANCE] != 0:
        _cap(game, start, seats, played, books)
    _take_fees(game, start, seats, books, row)
    _sum_up(game, start, seats, books)


@kernel
def _kou(game: int, played: Played, row: Ints) -> int:
    """How badly the loser is caught (clause 6)."""
    start, winner = played.seats_at[game], played.games[game][D.G_WINNER]
    if row[R.SEATS] == 4:
        partner = start + partner_of(winner, 4)
        return R.SHUANG + 2 - played.seats[partner][D.S_PLACE]  # 1+2, 1+3, 1+4
    left = played.seats[start + 1 - winner][D.S_LEFT]
    if left >= row[R.KOU_SHUANG_CARDS]:
        return R.SHUANG
    return R.DAN if left >= row[R.KOU_DAN_CARDS] else R.PING


@kernel
def doubling_seat(winner: int, won: int, partners: int, row: Ints) -> int:
    """The seat whose xiang doubles: the winner, or its partner if that is higher (clause 8.3).

    Args:
        winner: the seat; with four, the first one out.
        won: its xiang.
        partners: the xiang of its partner.
        row: the ruleset.
    """
    counts = row[R.DOUBLING_FIRST] == 0 and partners > won
    return partner_of(winner, row[R.SEATS]) if counts else winner


@kernel
def _doubling_xiang(game: int, played: Played, books: Books, row: Ints) -> int:
    """The effective xiang by which the stake is doubled (clause 8.3)."""
    start, winner = played.seats_at[game], played.games[game][D.G_WINNER]
    won = books.seats[start + winner][Y_XIANG]
    partners = books.seats[start + partner_of(winner, row[R.SEATS])][Y_XIANG]
    return books.seats[start + doubling_seat(winner, won, partners, row)][Y_XIANG]


@kernel
def _stake(game: int, seat: int, kou: int, played: Played, row: Ints) -> int:
    """Multiples of the base, undoubled: ``a`` for two players, ``P`` for four."""
    if row[R.SEATS] == 4:
        place = played.seats[played.seats_at[game] + seat][D.S_PLACE]
        return row[R.PLACES + 4 * kou + place - 1]
    times = row[R.KOU_TIMES + kou]
    return times if seat == played.games[game][D.G_WINNER] else -times


@kernel
def _write_contributions(start: int, seats: int, played: Played, books: Books, row: Ints) -> None:
    """Each seat's c comes from the others in equal parts (clause 8.3)."""
    for seat in range(start, start + seats):
        books.seats[seat][Y_CONTRIBUTION] = 0
    for seat in range(start, start + seats):
        earned = _contributed(seat, played, books, row)
        for other in range(start, start + seats):
            books.seats[other][Y_CONTRIBUTION] += (
                earned if other == seat else -(earned // (seats - 1))
            )


@kernel
def _write_unsettled(game: int, start: int, seats: int, books: Books, row: Ints) -> None:
    """Clause 8.1: without a level there is no base, hence no amounts; the fee stands."""
    books.games[game][X_SYSTEM] = NOTHING
    for seat in range(start, start + seats):
        books.seats[seat][Y_DELTA] = NOTHING
        books.seats[seat][Y_FEE] = row[R.FEE]


@kernel
def _take_fees(game: int, start: int, seats: int, books: Books, row: Ints) -> None:
    """Clause 8.3: the fee is taken from every seat and goes to the system."""
    for seat in range(start, start + seats):
        _take_fee(game, seat, books, row)


@kernel
def _take_fee(game: int, seat: int, books: Books, row: Ints) -> None:
    books.seats[seat][Y_FEE] = row[R.FEE]
    books.items[seat][FEE] = -row[R.FEE]
    books.system[game][FEE] += row[R.FEE]


@kernel
def _sum_up(game: int, start: int, seats: int, books: Books) -> None:
    books.games[game][X_SYSTEM] = _total(books.system[game])
    for seat in range(start, start + seats):
        books.seats[seat][Y_DELTA] = _total(books.items[seat])


@kernel
def _total(items: Ints) -> int:
    total = 0
    for item in range(ITEMS):
        total += items[item]
    return total


# Cap at balance


@called_kernel
def _cap(game: int, start: int, seats: int, played: Played, books: Books) -> None:
    """Clause 8.3: before the fee no seat pays more than its balance, or 0 if that is less.

    Receivers share what is paid, less what the system receives, plus what it mints.
    """
    collected, wanted = 0, 0
    for seat in range(start, start + seats):
        amount = _total(books.items[seat])
        wanted += max(0, amount)
        if amount < 0:
            paid = min(-amount, max(0, played.balance[seat]))
            collected += paid
            books.items[seat][CAP] = -paid - amount
    system = _total(books.system[game])
    received = min(system, collected)
    books.system[game][CAP] = received - system
    _share_out(start, seats, collected - received, wanted, books)


@kernel
def _share_out(start: int, seats: int, pool: int, wanted: int, books: Books) -> None:
    """Gives receivers their part of the pool; left-over units by largest remainder."""
    if wanted == 0:
        return
    rest = pool
    for seat in range(start, start + seats):
        amount = _total(books.items[seat])
        if amount > 0:
            part, _ = multiply_divide(pool, amount, wanted)
            books.items[seat][CAP] = part - amount
            rest -= part
    while rest > 0:
        seat = _largest_remainder(start, seats, pool, wanted, books)
        books.items[seat][CAP] += 1
        rest -= 1


@kernel
def _largest_remainder(start: int, seats: int, pool: int, wanted: int, books: Books) -> int:
    """The receiver with the largest remainder that has no left-over unit yet; ties low."""
    best, most = -1, -1
    for seat in range(start, start + seats):
        items = books.items[seat]
        amount = items[BASE] + items[DOUBLING] + items[CONTRIBUTION]
        if amount > 0:
            part, remainder = multiply_divide(pool, amount, wanted)
            if remainder > most and items[CAP] == part - amount:
                best, most = seat, remainder
    return best


@called_kernel
def multiply_divide(a: int, b: int, c: int) -> tuple[int, int]:
    """``a * b // c`` and ``a * b % c`` without a product that passes int64.

    Args:
        a: 0 .. 2^62.
        b: 0 .. c.
        c: 1 .. 2^61.
    """
    quotient, remainder = 0, 0
    for bit in range(62, -1, -1):
        quotient *= 2
        remainder = remainder * 2 + ((a >> bit) & 1) * b
        quotient += remainder // c
        remainder %= c
    return quotient, remainder


# Escape settlement


@called_kernel
def _settle_escape(game: int, played: Played, books: Books, row: Ints) -> None:
    """Clause 9: the fleer pays a penalty, the other gets a share of it."""
    start, fleer = played.seats_at[game], played.games[game][D.G_FLEER]
    other = start + 1 - fleer
    payer = start + fleer
    books.games[game][X_KOU] = R.NO_KOU
    books.games[game][X_DOUBLING] = NOTHING
    for seat in range(start, start + 2):
        books.seats[seat][Y_CONTRIBUTION] = NOTHING
    alone = row[R.ESCAPE_PARTS] == R.PARTS_NONE
    base = books.games[game][X_BASE]
    if base == NOTHING:
        _write_unsettled(game, start, 2, books, row)
        for seat in range(start, start + 2):
            books.seats[seat][Y_FEE] = row[R.FEE] if alone and seat == payer else 0
        return
    penalty = base * (row[R.ESCAPE_TIMES] + _escape_parts(payer, other, played, books, row))
    share = 0 if alone else row[R.SHARE]
    _write_penalty(game, payer, other, penalty, share, ESCAPE, books)
    if row[R.CAP_AT_BALANCE] != 0:
        capped = min(penalty, max(0, played.balance[payer]))
        _write_penalty(game, payer, other, capped, share, CAP, books)
        for account in range(start, start + 2):
            books.items[account][CAP] -= books.items[account][ESCAPE]
        books.system[game][CAP] -= books.system[game][ESCAPE]
    if alone:
        _take_fee(game, payer, books, row)
    _sum_up(game, start, 2, books)


@kernel
def _write_penalty(
    game: int, payer: int, other: int, penalty: int, share: int, item: int, books: Books
) -> None:
    """Clause 9: ``share`` percent go to the other seat, rounded down, the rest to the system."""
    part = penalty // 100 * share + penalty % 100 * share // 100
    books.items[payer][item] = -penalty
    books.items[other][item] = part
    books.system[game][item] = penalty - part


@kernel
def _escape_parts(payer: int, other: int, played: Played, books: Books, row: Ints) -> int:
    """What is added to ``escape_times``, in multiples of the base (clause 9)."""
    if row[R.ESCAPE_PARTS] == R.PARTS_NONE:
        return 0
    if row[R.ESCAPE_PARTS] == R.PARTS_WEALTH and played.seats[payer][D.S_PLAYED] == 0:
        return 0
    parts = _contributed(other, played, books, row)
    doubling = _entry(R.DOUBLING, books.seats[other][Y_XIANG], row)
    if doubling > 1:
        times = row[R.KOU_TIMES + R.DAN] if row[R.ESCAPE_PARTS] == R.PARTS_POINTS else 1
        parts += times * doubling
    return parts
