"""Who has won Knight-Errant.

The conditions of KE-R37 to KE-R42 exclude each other; they are asked after all deaths of the moment (KE-R40).
"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.engine.game import Noted
from knightfall.games.knight_errant.abilities import PROOF, Ability
from knightfall.games.knight_errant.notation import WORDS
from knightfall.games.knight_errant.options import DEFAULT_RULES, Rules
from knightfall.games.knight_errant.state import State
from knightfall.mafia import views
from knightfall.mafia.events import CautionNote, Ending
from knightfall.mafia.explain import caution_text
from knightfall.mafia.game import Verdict
from knightfall.mafia.night import Caution
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.wins import Count, Winner, at_parity, count_sides, in_majority


def winner(count: Count, rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    if not count.alive:
        return Winner.DRAW  # KE-R39
    # KE-R38: literally the last alive; by option already against one rival, or against one of each side.
    when = rules["ke_r38"]
    rivals = count.town + count.mafia
    if count.sk != 1:
        serial_killer_wins = False
    elif when == "last_alive":
        serial_killer_wins = rivals == 0
    else:
        serial_killer_wins = rivals <= 1 or (when == "one_on_one_on_one" and count.town == count.mafia == 1)
    if serial_killer_wins:
        return Winner.SERIAL_KILLER
    if count.sk:
        return None  # a threat to both others
    if not count.mafia:
        return Winner.TOWN  # KE-R42
    wins = in_majority(count) if rules["ke_r37"] == "majority" else at_parity(count)
    return Winner.MAFIA if wins else None


def stalemate(living: Iterable[Role], strong_kills: int) -> bool:
    """KE-R39: a Serial Killer without a strong kill against one Town Bulletproof."""
    roles = sorted(living, key=lambda role: role.alignment)
    if len(roles) != 2 or strong_kills:
        return False
    killer, rival = roles
    sides = (killer.alignment, rival.alignment)
    return sides == (Alignment.SERIAL_KILLER, Alignment.TOWN) and PROOF in rival.traits


def judge(state: State) -> Verdict:
    """KE-R40: who has won; if nobody has, whether the moderator should look at the position."""
    count = count_sides(state.living.values())
    won = winner(count, state.rules)
    stuck = won is None and _stuck(state)
    if stuck and state.rules["ke_r39"] == "draw":
        won = Winner.DRAW
    if won:
        return Verdict(won)
    # KE-R38: one against one is worth a warning; KE-R39: so is a position nobody can win, by default.
    cautions = []
    if count.sk == 1 and count.town + count.mafia == 1:
        cautions.append(Caution("one_on_one", None, "KE-R38"))
    if stuck and state.rules["ke_r39"] == "warn":
        cautions.append(Caution("stalemate", None, "KE-R39"))
    notes = (Noted(CautionNote(caution_text(WORDS, c), c.ruling)) for c in cautions)
    return Verdict(None, tuple(notes))


def _stuck(state: State) -> bool:
    """KE-R39: nobody can win any more without the other's help."""
    alive = state.living
    strong = sum(uses.get(Ability.STRONG_KILL, 0) for slot, uses in state.shots.items() if slot in alive)
    return stalemate(alive.values(), strong)


def ending(state: State) -> Ending:
    """Who won and why, in a word that the template knows; who is left, and every card."""
    if not state.living:
        reason = "nobody_left"
    elif state.winner is Winner.TOWN:
        reason = "no_threat"
    elif state.winner is Winner.MAFIA:
        reason = state.rules["ke_r37"]
    elif state.winner is Winner.SERIAL_KILLER:
        reason = "last_alive" if len(state.living) == 1 else state.rules["ke_r38"]
    else:
        drawn = state.rules["ke_r39"] == "draw" and _stuck(state)
        reason = "stalemate" if drawn else "declared"
    return views.ending(state, reason)
