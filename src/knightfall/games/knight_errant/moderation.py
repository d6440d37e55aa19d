"""Who has won Knight-Errant after a death, and when is there something to tell the moderator?

What the moderator can say is that of every mafia game; the wins are KE-R40.
"""

from __future__ import annotations

from knightfall.core.game import Facts, Noted
from knightfall.games.knight_errant.explain import WORDS
from knightfall.games.knight_errant.options import Rules
from knightfall.games.knight_errant.roles import Ability
from knightfall.games.knight_errant.state import State
from knightfall.games.knight_errant.wins import stalemate, winner
from knightfall.mafia.explain import caution_text
from knightfall.mafia.moderation import Custom, Verdict
from knightfall.mafia.night import Caution
from knightfall.mafia.views import ending
from knightfall.mafia.wins import Winner, count_sides, majority


def living(state: State) -> Facts:
    """How many live, the votes needed, and whether that ends the game."""
    alive = len(state.living)
    over = state.winner is not None or judge(state).winner is not None
    return {"alive": alive, "needed": majority(alive), "over": over}


def judge(state: State) -> Verdict:
    """KE-R40; if nobody has won, is the position one to look at?"""
    won = winner(count_sides(state.living.values()), state.rules)
    stuck = won is None and _stuck(state)
    if stuck and state.rules["ke_r39"] == "draw":
        won = Winner.DRAW
    return Verdict(won, () if won else _cautions(state, stuck and state.rules["ke_r39"] == "warn"))


def _stuck(state: State) -> bool:
    """KE-R39: nobody can win any more without the other's help."""
    alive = state.living
    strong = sum(uses.get(Ability.STRONG_KILL, 0) for slot, uses in state.shots.items() if slot in alive)
    return stalemate(alive.values(), strong)


def _cautions(state: State, stuck: bool) -> tuple[Noted, ...]:
    """KE-R38: at one against one the moderator is warned."""
    count = count_sides(state.living.values())
    duel = count.sk == 1 and count.town + count.mafia == 1
    found = [Caution("one_on_one", None, "KE-R38")] * duel + [Caution("stalemate", None, "KE-R39")] * stuck
    return tuple(Noted("caution", {"text": caution_text(WORDS, c), "ruling": c.ruling}) for c in found)


def full_ending(state: State) -> Facts:
    """Who won and why, who is left, and every card."""
    return ending(state) | {"reason": _reason(state)}


def _reason(state: State) -> str:
    """Why it is over, in a word that the template knows."""
    if not state.living:
        return "nobody_left"
    match state.winner:
        case Winner.TOWN:
            return "no_threat"
        case Winner.MAFIA:
            return state.rules["ke_r37"]
        case Winner.SERIAL_KILLER:
            return "last_alive" if len(state.living) == 1 else state.rules["ke_r38"]
        case _:
            drawn = state.rules["ke_r39"] == "draw" and _stuck(state)
            return "stalemate" if drawn else "declared"


CUSTOM: Custom[Rules] = Custom(judge, living, full_ending)
