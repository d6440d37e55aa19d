"""Which words does Knight-Errant have for what became of an action?"""

from __future__ import annotations

from knightfall.games.knight_errant.dusk import Code
from knightfall.games.knight_errant.submissions import notation
from knightfall.mafia.explain import Words

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
