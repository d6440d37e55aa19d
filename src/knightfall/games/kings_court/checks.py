"""What a player is told who asks: a look of the King, a pair check, a name of the list.

The annoyed lie touches pair checks only, unless `annoyed_scope` says where else (KC-16).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knightfall.engine.game import Step, Told
from knightfall.engine.rng import Rng
from knightfall.games.kings_court.deal import Role
from knightfall.games.kings_court.events import HintSent, LookAnswer, PairAnswer, SeenRole, SheetRow
from knightfall.games.kings_court.options import source
from knightfall.games.kings_court.sheets import sheet
from knightfall.games.kings_court.state import Known, Move, State
from knightfall.sentence import SlotId

LOOKS = 2
HINT_AFTER = (2, 4, 6)
"""KC-18: members in the court when the first, second, third name of the lists goes out."""


def note(state: State, slot: SlotId, kind: str, names: Sequence[SlotId], answer: str = "") -> State:
    """The answer is kept for its reader."""
    return noted(state, {slot: Known(state.attempt, kind, tuple(names), answer)})


def noted(state: State, news: Mapping[SlotId, Known]) -> State:
    """One answer each for several readers."""
    fresh = {slot: (*state.known.get(slot, ()), known) for slot, known in news.items()}
    return state._replace(known={**state.known, **fresh})


def shown_role(state: State, slot: SlotId, scope: str) -> Role:
    """KC-16: the true role, or by option what the annoyed judge claims."""
    deal = state.deal
    return deal.claimed(slot) if state.rules["annoyed_scope"] == scope else deal.roles[slot]


def look(state: State, targets: Sequence[SlotId]) -> Move:
    """KC-03: the King looks, and is answered at once."""
    king = state.king
    seen = tuple(SeenRole(slot, shown_role(state, slot, "looks")) for slot in targets)
    after = state._replace(learned=(*state.learned, *targets))
    for one in seen:
        after = note(after, king, "learn", (one.name,), one.role)
    rows = (SheetRow("look", "KC-03", king, one.name, answer=one.role) for one in seen)
    told = Told((king,), LookAnswer(king, seen, LOOKS - len(after.learned)))
    return Step(after, (told, sheet(after, *rows)))


def pair_answer(state: State, pair: Sequence[SlotId], draw: Rng) -> tuple[str, str]:
    """`same`, `different` or by option `no result`, and the ruling behind it."""
    if state.king in pair:
        return _king_in_pair(state, draw), "KC-17"
    first, second = (state.deal.claimed(slot) for slot in pair)
    return ("same" if first is second else "different"), "KC-15"  # KC-15: both annoyed, two lies cancel


def _king_in_pair(state: State, draw: Rng) -> str:
    """KC-17: a team of one; by option a draw, or no answer."""
    match state.rules["king_in_pair"]:
        case "random":
            here = source(state.rules, draw, "play").at("deal", state.deals, "round", state.round)
            return here.choice("kc.king_in_pair", ("same", "different"))
        case "no_result":
            return "no result"
        case _:
            return "different"


def deliver_check(state: State, draw: Rng) -> Move:
    """KC-14: the pair check is answered; one that was not sent lapses."""
    asker, pair = state.check_right, state.check_pair
    if asker is None:
        return Step(state)
    after = state._replace(check_right=None, check_pair=())
    if not pair:
        return Step(after, (sheet(state, SheetRow("lapsed", "KC-14", asker)),))
    (first, second), (answer, ruling) = pair, pair_answer(state, pair, draw)
    because = SheetRow("check", ruling, asker, first, second, answer=answer)
    told = Told((asker,), PairAnswer(asker, first, second, answer))
    return Step(note(after, asker, "check", pair, answer), (told, sheet(state, because)))


def send_hints(state: State) -> Move:
    """KC-18: after the 2nd, 4th and 6th member everyone who has a list gets its next name."""
    if len(state.court) not in HINT_AFTER:
        return Step(state)
    place = HINT_AFTER.index(len(state.court))
    given = {slot: names[place] for slot, names in state.deal.hints.items() if place < len(names)}
    news = {slot: Known(state.attempt, "hint", (name,)) for slot, name in given.items()}
    told = (Told((slot,), HintSent(slot, name, place + 1)) for slot, name in given.items())
    return Step(noted(state, news), tuple(told))
