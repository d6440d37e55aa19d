"""Who has won Knight-Errant, the words for what became of an action, and what its moderator is told.

What the moderator can say is that of every mafia game. The conditions of KE-R37 to KE-R42 exclude each other;
they are asked after all deaths of the moment (KE-R40).
"""

from __future__ import annotations

from collections.abc import Iterable

from knightfall.engine.game import Facts, Noted
from knightfall.games.knight_errant.dusk import Code
from knightfall.games.knight_errant.options import DEFAULT_RULES, Rules
from knightfall.games.knight_errant.roles import PROOF, Ability
from knightfall.games.knight_errant.state import State
from knightfall.games.knight_errant.submissions import notation
from knightfall.mafia.explain import Words, caution_text
from knightfall.mafia.moderation import Custom, Verdict
from knightfall.mafia.night import Caution
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.views import ending
from knightfall.mafia.wins import Count, Winner, at_parity, count_sides, in_majority, majority

WORDS = Words(
    notation,
    {
        Code.NOT_A_PLAYER: "no living player",
        Code.NOT_YOUR_ABILITY: "not on the card",
        Code.EVEN_NIGHTS_ONLY: "even nights only",
        Code.NO_SHOTS: "no use left",
        Code.BAD_ARGS: "wrong number of targets",
        Code.UNKNOWN_TARGET: "the target is not alive",
        Code.SELF_TARGET: "no action on oneself",
        Code.TEAMMATE: "no kill on a teammate",
        Code.SLOT_TAKEN: "the slot was filled",
    },
    {
        "teammate": "the mafia kills one of its own",
        "one_on_one": "the Serial Killer and one other are left: the game goes on until one is dead",
        "stalemate": "neither of the last two can win by himself: you may declare a draw",
    },
)


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
