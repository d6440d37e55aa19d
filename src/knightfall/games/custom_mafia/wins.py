"""Who has won a custom game, and why, in words that its templates know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from knightfall.engine.game import Noted
from knightfall.games.custom_mafia.options import DEFAULT_RULES, Rules
from knightfall.games.custom_mafia.state import State
from knightfall.mafia import views
from knightfall.mafia.events import Card, CautionNote, Ending
from knightfall.mafia.game import Verdict
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.state import ELIMINATED
from knightfall.mafia.wins import Winner

QUIET = 5
"""After so many days and nights without a death the moderator is asked to have a look."""


def winner(living: Iterable[Role], rules: Rules = DEFAULT_RULES) -> Winner | None:
    """Who has won; None while the game goes on."""
    count = Counter(role.alignment for role in living)
    # CM-R38: survivors left aside, nobody but the killer lives; by option, or one other.
    rivals = count.total() - count[Alignment.SURVIVOR] - 1
    if count[Alignment.SERIAL_KILLER] == 1 and rivals <= (rules["killer_wins"] == "one_on_one"):
        return Winner.SERIAL_KILLER
    if count[Alignment.SERIAL_KILLER]:
        return None  # a threat to everybody else
    if not count[Alignment.MAFIA]:
        return Winner.TOWN if count[Alignment.TOWN] else Winner.DRAW  # CM-R36, CM-R41
    # CM-R37: half of the living; by option more than half, or no town player lives.
    if rules["mafia_wins"] == "last_side":
        mafia_wins = not count[Alignment.TOWN]
    else:
        mafia_wins = 2 * count[Alignment.MAFIA] > count.total() - (rules["mafia_wins"] == "parity")
    return Winner.MAFIA if mafia_wins else None


def judge(state: State) -> Verdict:
    """A Jester's win first, where it ends the game (CM-R39); then the sides; then whether nobody is dying."""
    if state.rules["jester"] == "ends":
        jesters = [slot for slot, card in state.cards.items() if card.alignment is Alignment.JESTER]
        if any(slot in state.left and state.left[slot].how == ELIMINATED for slot in jesters):
            return Verdict(Winner.JESTER)
    won = winner(state.living.values(), state.rules.chosen)
    if won or not is_quiet(state):
        return Verdict(won)
    text = f"nobody has died in {state.quiet} days and nights: where nobody can win any more, say draw"
    return Verdict(None, (Noted(CautionNote(text, "CM-R42")),))


def is_quiet(state: State) -> bool:
    """Whether nobody has died for so long that a draw is worth a thought."""
    return state.quiet >= QUIET


def ending(state: State) -> Ending:
    """Who won and why, who wins along (CM-R39, CM-R40), who is left, and every card."""
    match state.winner:
        case Winner.TOWN:
            reason = "no_threat"
        case Winner.MAFIA:
            reason = state.rules["mafia_wins"]
        case Winner.SERIAL_KILLER:
            reason = state.rules["killer_wins"]
        case Winner.JESTER:
            reason = "voted_out"
        case _:
            over = winner(state.living.values(), state.rules.chosen) is Winner.DRAW
            reason = "nobody_left" if over else "declared"
    won = views.winners(state)
    side = tuple(slot for slot in won if str(state.cards[slot].alignment) == str(state.winner))
    along = tuple(Card(slot, state.cards[slot].name) for slot in won if slot not in side)
    return replace(views.ending(state, reason), winners=side, along=along)
