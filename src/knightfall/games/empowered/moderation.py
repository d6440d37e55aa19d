"""Who has won Empowered Mafia after a death, and what more can its moderator say?"""

from __future__ import annotations

from datetime import datetime

from knightfall.engine.game import Noted
from knightfall.games.empowered import choosing, tie, views
from knightfall.games.empowered.options import Rules
from knightfall.games.empowered.state import State, all_ready, deadline
from knightfall.games.empowered.wins import won
from knightfall.mafia.moderation import Custom, Verdict
from knightfall.mafia.state import Phase
from knightfall.mafia.wins import Winner


def judge(state: State) -> Verdict:
    """EM-R24: a win of the mafia over an empty table is worth a second look."""
    found = won(state)
    empty = found is Winner.MAFIA and not state.living
    text = "nobody is left: nobody against nobody is a win of the mafia"
    return Verdict(found, (caution(text, "EM-R24"),) if empty else ())


def caution(text: str, ruling: str) -> Noted:
    """Something legal that the moderator may want to look at."""
    return Noted("caution", {"text": text, "ruling": ruling})


def ended_early(state: State, at: datetime) -> tuple[Noted, ...]:
    """EM-R27: a day's votes stand in the thread, so the game can but ask; a night's plans it knows."""
    if not before_deadline(state, at) or (state.phase is Phase.NIGHT and all_ready(state)):
        return ()
    if state.phase is Phase.DAY:
        unless = "fine only if every living player had voted and all agreed"
    else:
        unless = "not every living player had said `ready`"
    return (caution(f"{state.when} was closed before its deadline: {unless}", "EM-R27"),)


def before_deadline(state: State, at: datetime) -> bool:
    """Whether there is a deadline and it is yet to come."""
    end = deadline(state)
    return end is not None and at < end


CUSTOM: Custom[Rules] = Custom(
    judge, views.living, views.ending, {tie.TIE: tie.obey, choosing.ROLE: choosing.obey}
)
