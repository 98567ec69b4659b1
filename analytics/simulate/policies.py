"""Policies: what a player plays, as kernels.

``choose`` puts the cards into the pad and says whether there are any. Players see their
own hand, the table, how many cards everybody holds, and what was played so far. With four
they leave the round to their partner and help a partner who is nearly out.

- *trustee*: what the system would play (clause 5.1).
- *greedy*: leads what has most cards, follows whenever it can, bombs early.
- *careful*: leads and follows so that the hand falls into few groups, does not break its
  bombs, keeps them for when somebody is nearly out or the hand is short, and for the kou.

Skill 0 to 100 mixes in mistakes: the less of it, the more turns are played without
thought. Source: rules clauses 3, 5 and 6.
"""

from __future__ import annotations

from typing import Final

from analytics.cards import ACE, RANKS, SMALL_JOKER, TWO
from analytics.compiled import Ints, called_kernel, kernel
from analytics.rules import row as R
from analytics.shuangkou import desk as D
from analytics.shuangkou.melds import (
    NO_KIND,
    NO_MELD,
    STRAIGHT,
    Meld,
    is_bomb,
    strongest,
)
from analytics.simulate import pad as P
from analytics.simulate.chance import below
from analytics.simulate.groups import SHORTEST_RUN, SHORTEST_STRAIGHT, count_groups, keep_plain
from analytics.simulate.taking import take_whole_bomb

# What a player decides.
PASS: Final = 0
TAKEN: Final = 1  # the cards are in ``pad[SET:]``
SMALLEST: Final = 2  # the smallest play there is, clause 5.1

_QUEEN: Final = 9  # rank from which a partner's play is left alone
_ALARM: Final = 6  # somebody with so few cards has to be stopped
_BOMBING: Final = 12  # greedy bombs when an opponent has so few cards
_GROUP: Final = 100  # what a group more is worth, in points of a careful player


@called_kernel
def choose(seat: int, over: Meld, desk: Ints, pad: Ints, dice: Ints, row: Ints) -> int:
    """What the seat decides: ``PASS``, ``TAKEN`` or ``SMALLEST``.

    Args:
        seat: whose turn it is; if it follows, it can beat ``over``.
        over: the meld on the table; ``NO_MELD`` when leading.
        desk: the game as it stands.
        pad: traits of the players; what the policies work with.
        dice: see ``chance``.
        row: the ruleset.
    """
    hand = desk[D.RANKS_HELD + seat * RANKS : D.RANKS_HELD + (seat + 1) * RANKS]
    traits = P.PLAYERS + seat * P.TRAITS
    policy = pad[traits + P.T_POLICY]
    if policy == P.TRUSTEE:
        return SMALLEST
    if strongest(hand, row, over).kind != NO_KIND:  # the last play
        for rank in range(RANKS):
            pad[P.SET + rank] = hand[rank]
        return TAKEN
    if below(dice, pad[P.GAME], 200) >= 100 + pad[traits + P.T_SKILL]:
        # A mistake: half of the passes are needless, what is played is the smallest play.
        is_idle = over.kind != NO_KIND and below(dice, pad[P.GAME], 2) == 0
        return PASS if is_idle else SMALLEST
    keep_plain(hand, row, pad[P.KEPT : P.KEPT + RANKS])
    if over.kind == NO_KIND:
        return _lead(seat, policy, hand, desk, row, pad)
    return _follow(seat, policy, hand, over, desk, row, pad)


@kernel
def fewest_of_opponents(seat: int, desk: Ints, row: Ints) -> int:
    """The fewest cards that an opponent who is still in the game holds."""
    fewest = 27
    for other in range(row[R.SEATS]):
        left = desk[D.LEFT + other]
        is_opponent = (other - seat) % 2 == 1  # two players: 1; four: those beside
        if is_opponent and left > 0:
            fewest = min(fewest, left)
    return fewest


# Leading


@kernel
def _lead(seat: int, policy: int, hand: Ints, desk: Ints, row: Ints, pad: Ints) -> int:
    """Leads the best group; where only bombs are left, the lowest of them."""
    fewest = fewest_of_opponents(seat, desk, row)
    partner = desk[D.LEFT + (seat + 2) % 4] if row[R.SEATS] == 4 else 0
    if 1 <= partner <= 2 and fewest > partner and _help_out(partner, pad):
        return TAKEN
    pad[P.BEST] = -1_000_000
    pad[P.BEST_LENGTH] = 0
    _weigh_runs(policy, fewest, pad)
    _weigh_ranks(policy, fewest, pad)
    if pad[P.BEST_LENGTH] > 0 and not _bombs_first(policy, fewest, pad):
        return _take_best(pad)
    if policy == P.CAREFUL and _take_bomb(seat, 1, hand, NO_MELD, row, pad):
        return TAKEN
    return TAKEN if _take_bomb(seat, 0, hand, NO_MELD, row, pad) else SMALLEST


@kernel
def _bombs_first(policy: int, fewest: int, pad: Ints) -> bool:
    """Careful: with one group left beside bombs it leads those, so that nobody interferes."""
    kept, rest = pad[P.KEPT : P.KEPT + RANKS], pad[P.REST : P.REST + RANKS]
    return policy == P.CAREFUL and fewest <= 2 and count_groups(kept, rest) == 1


@kernel
def _help_out(cards: int, pad: Ints) -> bool:
    """The lowest single, or pair, for a partner who holds one card or two."""
    for rank in range(_QUEEN):
        if pad[P.KEPT + rank] >= cards:
            for at in range(RANKS):
                pad[P.SET + at] = cards if at == rank else 0
            return True
    return False


@kernel
def _take_best(pad: Ints) -> int:
    """Takes the best run or rank that was weighed out of the plain cards."""
    for rank in range(RANKS):
        inside = pad[P.BEST_TOP] - pad[P.BEST_LENGTH] < rank <= pad[P.BEST_TOP]
        pad[P.SET + rank] = pad[P.BEST_WIDTH] if inside else 0
    return TAKEN


@kernel
def _take_bomb(seat: int, highest_chain: int, hand: Ints, over: Meld, row: Ints, pad: Ints) -> bool:
    """Takes a bomb that beats: the highest natural chain, or the lowest of one rank."""
    rest, cards = pad[P.REST : P.REST + RANKS], pad[P.SET : P.SET + RANKS]
    joins = pad[P.PLAYERS + seat * P.TRAITS + P.T_JOINS]
    return take_whole_bomb(highest_chain, joins, hand, over, row, rest, cards)


@kernel
def _weigh_runs(policy: int, fewest: int, pad: Ints) -> None:
    """Straights, pair runs and triple runs of all lengths, without jokers."""
    for width in range(1, 4):
        shortest = SHORTEST_STRAIGHT if width == 1 else SHORTEST_RUN
        length = 0
        for top in range(ACE + 1):
            length = length + 1 if pad[P.KEPT + top] >= width else 0
            first = shortest if policy == P.CAREFUL else max(length, shortest)
            for taken in range(first, length + 1):
                _weigh(policy, width, taken, top, fewest, pad)


@kernel
def _weigh_ranks(policy: int, fewest: int, pad: Ints) -> None:
    """Singles, pairs and triples; a greedy player leads all cards of a rank at once."""
    for rank in range(RANKS):
        held = min(pad[P.KEPT + rank], 2 if rank >= SMALL_JOKER else 3)
        first = 1 if policy == P.CAREFUL else held
        for width in range(max(1, first), held + 1):
            _weigh(policy, width, 1, rank, fewest, pad)


@called_kernel
def _weigh(policy: int, width: int, length: int, top: int, fewest: int, pad: Ints) -> None:
    """Notes a lead where its score is the best so far."""
    if policy == P.GREEDY:
        _note(100 * width * length - top, width, length, top, pad)
    else:
        _note(_worth(width, length, top, fewest, pad), width, length, top, pad)


@kernel
def _note(score: int, width: int, length: int, top: int, pad: Ints) -> None:
    """Notes a play where its score is the best so far."""
    if score > pad[P.BEST]:
        pad[P.BEST] = score
        pad[P.BEST_WIDTH] = width
        pad[P.BEST_LENGTH] = length
        pad[P.BEST_TOP] = top


@kernel
def _worth(width: int, length: int, top: int, fewest: int, pad: Ints) -> int:
    """A careful player's score of a lead: few groups afterwards, low ranks, many cards."""
    groups = _groups_after(width, length, top, pad)
    size = width * length
    score = 3 * size - 4 * top - _GROUP * groups
    if size == fewest and length == 1:  # it might be his last play
        score -= 3 * _GROUP
        score += 8 * top
    if groups <= 2 and _is_control(width, length, top, pad):
        score += _GROUP
    return score


@called_kernel
def _groups_after(width: int, length: int, top: int, pad: Ints) -> int:
    """In how many groups the plain cards fall once these are played."""
    for rank in range(RANKS):
        inside = top - length < rank <= top
        pad[P.REST + rank] = pad[P.KEPT + rank] - (width if inside else 0)
    return count_groups(pad[P.REST : P.REST + RANKS], pad[P.SCRATCH : P.SCRATCH + RANKS])


@kernel
def _is_control(width: int, length: int, top: int, pad: Ints) -> bool:
    """Whether nothing higher of the kind can be out: it counts what was played.

    Runs are looked at by their top alone; bombs and jokers that fill up are left aside.
    """
    highest = ACE if length > 1 else TWO
    for rank in range(top + 1, highest + 1):
        if 8 - pad[P.OUT + rank] - pad[P.KEPT + rank] >= width:  # clause 2: eight of a rank
            return False
    jokers = pad[P.OUT + SMALL_JOKER] + pad[P.OUT + SMALL_JOKER + 1]
    return length > 1 or width > 2 or top >= SMALL_JOKER or jokers == 4


# Following


@kernel
def _follow(
    seat: int, policy: int, hand: Ints, over: Meld, desk: Ints, row: Ints, pad: Ints
) -> int:
    """The best plain answer if it does not cost too much; else perhaps a bomb."""
    fewest = fewest_of_opponents(seat, desk, row)
    groups = count_groups(pad[P.KEPT : P.KEPT + RANKS], pad[P.SCRATCH : P.SCRATCH + RANKS])
    is_partners = row[R.SEATS] == 4 and desk[D.AUTHOR] == (seat + 2) % 4
    if is_partners and _leaves_round(seat, over, desk):
        return PASS
    if not is_bomb(over.kind) and _weigh_answers(over, policy, groups, fewest, pad):
        return _take_best(pad)
    if is_partners or not _bombs_now(seat, over, policy, groups, fewest, desk, row):
        return PASS
    if _take_bomb(seat, 0, hand, over, row, pad):
        return TAKEN
    if policy == P.CAREFUL and _take_bomb(seat, 1, hand, over, row, pad):
        return TAKEN
    return SMALLEST if fewest <= _ALARM or groups <= 2 else PASS


@kernel
def _leaves_round(seat: int, over: Meld, desk: Ints) -> bool:
    """The round is the partner's: only its low plays are improved, and cheaply."""
    partner, mine = desk[D.LEFT + (seat + 2) % 4], desk[D.LEFT + seat]
    return is_bomb(over.kind) or over.top >= _QUEEN or partner < mine


@kernel
def _weigh_answers(over: Meld, policy: int, groups: int, fewest: int, pad: Ints) -> bool:
    """Notes the best plain answer; False where passing is better.

    Greedy takes the lowest. To a careful player a group more is too much, unless somebody
    is nearly out.
    """
    width = over.kind - STRAIGHT + 1 if over.kind >= STRAIGHT else over.size
    length = over.size // width
    pad[P.BEST] = -3 * _GROUP // 2 if fewest <= _ALARM else -_GROUP // 2
    pad[P.BEST_LENGTH] = 0
    for top in range(over.top + 1, ACE + 1 if length > 1 else RANKS):
        if _has_run(width, length, top, pad):
            score = -4 * (top - over.top)
            if policy == P.GREEDY:
                score += _GROUP
            else:
                score += _GROUP * (groups - _groups_after(width, length, top, pad))
            _note(score, width, length, top, pad)
    return pad[P.BEST_LENGTH] > 0


@kernel
def _has_run(width: int, length: int, top: int, pad: Ints) -> bool:
    """Whether the plain cards hold a run; jokers are no triples."""
    if top >= SMALL_JOKER and width > 2:
        return False
    for rank in range(top - length + 1, top + 1):
        if rank < 0 or pad[P.KEPT + rank] < width:
            return False
    return True


@kernel
def _bombs_now(
    seat: int, over: Meld, policy: int, groups: int, fewest: int, desk: Ints, row: Ints
) -> bool:
    """Whether a bomb is worth it: to stop somebody, to bring a short hand home, for the kou.

    An opponent who is just above a limit of the kou (clause 6) should not get below it.
    """
    if policy == P.GREEDY:
        return fewest <= _BOMBING or desk[D.LEFT + seat] <= _BOMBING
    if fewest <= _ALARM or groups <= 3:
        return True
    for_kou = (
        row[R.SEATS] == 2
        and groups <= 5
        and (0 <= fewest - row[R.KOU_DAN_CARDS] <= 1 or 0 <= fewest - row[R.KOU_SHUANG_CARDS] <= 1)
    )
    return for_kou or (is_bomb(over.kind) and groups <= 4)
