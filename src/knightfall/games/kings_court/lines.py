"""The lines that a player of King's Court or the moderator can send now, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from knightfall.engine.lines import (
    NOTHING,
    Choices,
    Part,
    PartKind,
    Pick,
    a_slot,
    a_word,
    beside,
    either,
    last,
    optional,
    then,
)
from knightfall.games.kings_court.aftermath import opponents
from knightfall.games.kings_court.checks import LOOKS
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.elections import candidates
from knightfall.games.kings_court.garnets import ANNOYED_PRICE, PEEK_PRICE
from knightfall.games.kings_court.moderation import COIN, DMO
from knightfall.games.kings_court.notation import Verb
from knightfall.games.kings_court.state import FROZEN, OPEN, Phase, State
from knightfall.sentence import SlotId

_MOST_GARNETS = 999_999


def line_tree(state: State, slot: SlotId | None) -> Choices:
    """Everything that this slot (None: the moderator) can send."""
    if slot is None:
        return beside(_decisions(state), lambda: _interruptions(state))
    if slot in state.removed:
        return NOTHING
    others = tuple(name for name in state.slots if name != slot)
    found = [NOTHING]
    if state.phase is Phase.VOTE and slot not in state.court:
        voted = [name for name in others if name not in state.court]
        found += [_one(Verb.VOTE, voted), last([_word(str(Verb.UNVOTE))])]
    if state.phase in OPEN:
        if slot == state.king:
            found += [_ranking(state, others), _looks(state, others)]
        # KC-26: bought from one's garnets.
        if state.garnets[slot] >= ANNOYED_PRICE:
            found.append(last([_word(f"{Verb.ANNOYED}?")]))
        if state.garnets[slot] >= PEEK_PRICE:
            found.append(_one(Verb.PEEK, others))
        if slot == state.check_right:
            # KC-17: by option no pair with the King.
            hidden = state.king if state.rules["king_in_pair"] == "refuse" else None
            found.append(_pairs(Verb.CHECK, [name for name in others if name != hidden]))
    if state.phase not in FROZEN and state.garnets[slot] > 0:
        # KC-37: any amount that is covered.
        covered, weight = state.garnets[slot], len(others)
        amount = Part(f"{Verb.GIVE}: ", PartKind.NUMBER, "Give", least=1, most=covered, weight=weight)
        found.append(then([amount], lambda _: _names(others, " to ")))
    return either(*found, _after_the_king(state, slot))


def _names(slots: Iterable[SlotId], before: str = " ") -> Choices:
    return last(a_slot(slot, before) for slot in slots)


def _verb(verb: Verb, weight: int, names: Callable[[Pick], Choices]) -> Choices:
    """`VOTE:` and the names that follow it; nothing where there are none."""
    return then([_word(f"{verb}:", weight)] if weight > 0 else (), names)


@cache
def _word(text: str, weight: int = 1) -> Part:
    return a_word(text, weight=weight)


def _one(verb: Verb, slots: Sequence[SlotId]) -> Choices:
    return _verb(verb, len(slots), lambda _: _names(slots))


def _pairs(verb: Verb, slots: Sequence[SlotId]) -> Choices:
    """Two different players, in any order."""

    def other(pick: Pick) -> Choices:
        return _names([slot for slot in slots if slot != pick.part.slot], ", ")

    return _verb(verb, len(slots) * (len(slots) - 1) // 2, lambda _: then(map(a_slot, slots), other))


def _looks(state: State, others: Sequence[SlotId]) -> Choices:
    """KC-03: one player or two, at most two in all, before the first is elected."""
    left = 0 if state.court else LOOKS - len(state.learned)
    fresh = [name for name in others if name not in state.learned] if left > 0 else []

    def other(pick: Pick) -> Choices:
        rest = [slot for slot in fresh if slot != pick.part.slot]
        return optional(_names(rest if left > 1 else (), ", "))

    return _verb(Verb.LEARN, len(fresh), lambda _: then(map(a_slot, fresh), other))


def _ranking(state: State, others: Sequence[SlotId]) -> Choices:
    """KC-08: who joins in a tie, best first; in the tie itself one of them at least is tied."""
    tied = candidates(state) if state.phase is Phase.TIE else None
    usual = tied if tied is not None else [name for name in others if name not in state.court]

    def ranked(named: tuple[SlotId, ...], pick: Pick) -> Choices:
        named = (*named, pick.part.slot) if pick.part.slot else named
        before = " > " if named else " "
        likely, rest = (
            [a_slot(name, before) for name in others if name not in named and (name in usual) is wanted]
            for wanted in (True, False)
        )
        more = beside(then(likely, partial(ranked, named)), lambda: then(rest, partial(ranked, named)))
        whole = bool(named) and (tied is None or any(name in tied for name in named))
        return optional(more) if whole else more

    return _verb(Verb.TIEBREAK, len(usual), partial(ranked, ()))


def _after_the_king(state: State, slot: SlotId) -> Choices:
    """KC-30, KC-34, KC-36."""
    end, deal = state.end, state.deal
    if end is None:
        return NOTHING
    if state.phase is Phase.TOL and slot == state.king:
        teams = deal.team(Role.DUKE), deal.team(Role.NOBLE)

        def other(pick: Pick) -> Choices:
            return _names(teams[pick.part.slot in teams[0]], ", ")

        return _verb(Verb.TOL, 1, lambda _: then(map(a_slot, (*teams[0], *teams[1])), other))
    if state.phase is Phase.EC and slot in end.winners:
        return _one(Verb.EC, end.tied)
    if state.phase is Phase.DMO and slot == end.ec:
        return _one(Verb.DMO, opponents(state))
    return NOTHING


def _decisions(state: State) -> Choices:
    """What only the moderator can decide now."""
    if state.phase is Phase.COIN and state.end:
        return then([a_word(COIN)], lambda _: _names(state.end.coin if state.end else ()))
    if state.phase is Phase.DMO:
        return then([a_word(DMO)], lambda _: _names(opponents(state)))
    return NOTHING


def _interruptions(state: State) -> Choices:
    """Players out and back, balances, the reminder; by option a vote from the thread (KC-04)."""
    playing = [] if state.phase is Phase.DONE else [s for s in state.slots if s not in state.removed]
    gone = [slot for slot in state.slots if slot in state.removed]

    def balance(pick: Pick) -> Choices:
        assert pick.part.slot is not None
        held = state.garnets[pick.part.slot]
        least = _MOST_GARNETS if state.rules["garnet_floor"] == "none" else max(held, 0)
        return last(
            (
                Part(" ", PartKind.NUMBER, "has", most=_MOST_GARNETS),
                Part(" +", PartKind.NUMBER, "more", most=_MOST_GARNETS),
                Part(" -", PartKind.NUMBER, "fewer", most=least),
            )
        )

    def says(pick: Pick) -> Choices:
        return then([a_word(": ", "says")], lambda _: line_tree(state, pick.part.slot))

    accepts = state.rules["public_ballots"] == "accept"
    voters = [slot for slot in playing if accepts and line_tree(state, slot).parts]
    return either(
        last([a_word("reminder")] if state.phase is Phase.VOTE else ()),
        then([a_word("garnets")], lambda _: then(map(a_slot, state.slots), balance)),
        then([a_word("modkill")] if playing else (), lambda _: _names(playing)),
        then([a_word("revive")] if gone else (), lambda _: _names(gone)),
        then([a_word("public")] if voters else (), lambda _: then(map(a_slot, voters), says)),
    )
