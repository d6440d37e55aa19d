"""Who has won a custom game, who dies along, and what the moderator may look at.

What the moderator can say is that of every mafia game; besides, they rule on knots (`ruling`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from knightfall.engine.game import Facts, Noted, SlotId
from knightfall.games.custom_mafia.options import DEFAULT_RULES, Rules
from knightfall.games.custom_mafia.state import State, Terms
from knightfall.mafia.abilities.love import bereaved
from knightfall.mafia.moderation import Custom, Verdict
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.state import ELIMINATED
from knightfall.mafia.views import ending, winners
from knightfall.mafia.wins import Winner, majority

QUIET = 5
"""After so many days and nights without a death the moderator is asked to have a look."""


def winner(living: Iterable[Role], rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    count = Counter(role.alignment for role in living)
    if _killer_wins(count, rules["killer_wins"]):
        return Winner.SERIAL_KILLER
    if count[Alignment.SERIAL_KILLER]:
        return None  # a threat to everybody else
    if not count[Alignment.MAFIA]:
        return Winner.TOWN if count[Alignment.TOWN] else Winner.DRAW  # CM-R36, CM-R41
    return Winner.MAFIA if _mafia_wins(count, rules["mafia_wins"]) else None


def _killer_wins(count: Counter[Alignment], when: str) -> bool:
    """CM-R38: survivors left aside, nobody else lives; by option, or one other."""
    if count[Alignment.SERIAL_KILLER] != 1:
        return False
    rivals = count.total() - count[Alignment.SURVIVOR] - 1
    return rivals <= (when == "one_on_one")


def _mafia_wins(count: Counter[Alignment], when: str) -> bool:
    """CM-R37: half of the living; by option more than half, or no townsman lives."""
    mafia = count[Alignment.MAFIA]
    if when == "last_side":
        return not count[Alignment.TOWN]
    return 2 * mafia > count.total() - (when == "parity")


def living(state: State) -> Facts:
    """How many live, the votes needed, and whether that ends the game."""
    alive = len(state.living)
    over = state.winner is not None or judge(state).winner is not None
    return {"alive": alive, "needed": majority(alive), "over": over}


def judge(state: State) -> Verdict:
    """A Jester's win first, where it ends the game (CM-R39); if nobody has won, is nobody dying either?"""
    if state.rules["jester"] == "ends" and _jester_eliminated(state):
        return Verdict(Winner.JESTER)
    won = winner(state.living.values(), state.rules.chosen)
    return Verdict(won, () if won or not is_quiet(state) else (_still(state),))


def _jester_eliminated(state: State) -> bool:
    jesters = (slot for slot, card in state.cards.items() if card.alignment is Alignment.JESTER)
    return any(slot in state.left and state.left[slot].how == ELIMINATED for slot in jesters)


def is_quiet(state: State) -> bool:
    """Whether nobody has died for so long that a draw is worth a thought."""
    return state.quiet >= QUIET


def _still(state: State) -> Noted:
    text = f"nobody has died in {state.quiet} days and nights: where nobody can win any more, say draw"
    return Noted("caution", {"text": text, "ruling": "CM-R42"})


def follow(state: State, slot: SlotId) -> tuple[SlotId, ...]:
    """CM-R16: who loved the dead, by day as by night."""
    return tuple(lover for lover, _ in bereaved(state.rules.lovers, (slot,), state.living))


def full_ending(state: State) -> Facts:
    """Who won and why, who wins along (CM-R39, CM-R40), who is left, and every card."""
    won = winners(state)
    side = [slot for slot in won if str(state.cards[slot].alignment) == str(state.winner)]
    along = [{"name": slot, "role": state.cards[slot].name} for slot in won if slot not in side]
    return ending(state) | {"winners": side, "along": along, "reason": _reason(state)}


def _reason(state: State) -> str:
    """Why it is over, in a word that the template knows."""
    match state.winner:
        case Winner.TOWN:
            return "no_threat"
        case Winner.MAFIA:
            return state.rules["mafia_wins"]
        case Winner.SERIAL_KILLER:
            return state.rules["killer_wins"]
        case Winner.JESTER:
            return "voted_out"
        case _:
            over = winner(state.living.values(), state.rules.chosen) is Winner.DRAW
            return "nobody_left" if over else "declared"


CUSTOM: Custom[Terms] = Custom(judge, living, full_ending, follow=follow)
