"""Who pays whom how many garnets for what: fines, purchases, gifts, payouts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from knightfall.engine.game import Step, Told
from knightfall.engine.rng import Rng
from knightfall.games.kings_court.checks import note, shown_role
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.events import AnnoyedAnswer, FineCause, Fined, Gift, PeekAnswer, SheetRow
from knightfall.games.kings_court.options import source
from knightfall.games.kings_court.sheets import sheet
from knightfall.games.kings_court.state import KING, End, Move, State, Waiting, credited, then
from knightfall.sentence import SlotId

PEEK_PRICE, ANNOYED_PRICE = 8, 3
VOTE_FINE, EARLY_FINE = 1, 2
TEAM_GARNETS, KING_GARNET_FOR = 2, 2
"""KC-28: what each of a winning team gets; KC-29: for so many others in the court a winning King gets one."""


def king_share(end: End) -> int:
    """The garnets of a King who wins with such a court."""
    return (end.dukes + end.nobles) // KING_GARNET_FOR


def winnings(end: End) -> int:
    """The garnets of each winner."""
    return king_share(end) if end.kind == KING else TEAM_GARNETS


def fine(state: State, slots: Sequence[SlotId], amount: int, cause: FineCause, ruling: str) -> Move:
    """Take a fine of each; its payer alone is told."""
    left = {slot: _after_fine(state, slot, amount) for slot in slots}
    if not left:
        return Step(state)
    told = (Told((slot,), Fined(slot, amount, cause, balance)) for slot, balance in left.items())
    rows = (
        SheetRow("fine", ruling, slot, amount=amount, cause=cause, balance=balance)
        for slot, balance in left.items()
    )
    after = state._replace(garnets={**state.garnets, **left})
    return Step(after, (*told, sheet(state, *rows)))


def _after_fine(state: State, slot: SlotId, amount: int) -> int:
    """KC-06: a balance stops at 0, unless `garnet_floor` lets it fall."""
    balance = state.garnets[slot]
    if state.rules["garnet_floor"] == "none":
        return balance - amount
    return max(balance - amount, min(0, balance))


def buy(state: State, slot: SlotId, target: SlotId | None, draw: Rng) -> Move:
    """KC-26: a peek, or without a target the question whether one is annoyed; paid for when sent."""
    price = ANNOYED_PRICE if target is None else PEEK_PRICE
    paid = state._replace(garnets=credited(state.garnets, slot, -price))
    wanted = Waiting(slot, target)
    if state.rules["kc_26"] == "at_deadline":
        return Step(paid._replace(waiting=(*paid.waiting, wanted)))
    return _answer(paid, wanted, draw)


def answer_waiting(state: State, draw: Rng) -> Move:
    """KC-40: what was bought before the deadline is answered, even if the King is elected at it."""
    step: Move = Step(state._replace(waiting=()) if state.waiting else state)
    for wanted in state.waiting:
        step = then(step, partial(_answer, wanted=wanted, draw=draw))
    return step


def _answer(state: State, wanted: Waiting, draw: Rng) -> Move:
    slot, target = wanted.slot, wanted.target
    if target is None:
        # KC-26: am I one of the two? The King never is.
        said = slot in state.deal.annoyed
        answer = Told((slot,), AnnoyedAnswer(slot, said, ANNOYED_PRICE, state.garnets[slot]))
        because = SheetRow("annoyed", "KC-26", slot, yes=said)
        after = note(state, slot, "annoyed", (), "yes" if said else "no")
        return Step(after, (answer, sheet(state, because)))
    after, role = _peeked_role(state, slot, target, draw)
    ruling = "KC-27" if target == state.king else "KC-26"
    because = SheetRow("peek", ruling, slot, target, answer=role)
    told = Told((slot,), PeekAnswer(slot, target, role, PEEK_PRICE, state.garnets[slot]))
    return Step(note(after, slot, "peek", (target,), role), (told, sheet(state, because)))


def _peeked_role(state: State, slot: SlotId, target: SlotId, draw: Rng) -> tuple[State, Role]:
    """KC-27: the King shows a cover, one for the attempt, the peeker or the peek."""
    if target != state.king:
        return state, shown_role(state, target, "peeks")
    kept = state.rules["king_cover"]
    for peeker, cover in state.covers:
        if kept == "sticky" or (kept == "per_peeker" and peeker == slot):
            return state, Role(cover)
    here = source(state.rules, draw, "play").at("deal", state.deals)
    cover = Role(here.choice("kc.peek_king", (Role.DUKE, Role.NOBLE), len(state.covers)))
    return state._replace(covers=(*state.covers, (slot, cover))), cover


def give(state: State, giver: SlotId, receiver: SlotId, amount: int) -> Move:
    """KC-37: a gift; both sides are told, nobody else."""
    balances = credited(credited(state.garnets, giver, -amount), receiver, amount)
    after = state._replace(garnets=balances)
    because = sheet(state, SheetRow("gift", "KC-37", giver, receiver, amount=amount))
    told = (Told((slot,), Gift(slot, balances[slot], giver, receiver, amount)) for slot in (giver, receiver))
    return Step(after, (*told, because))
