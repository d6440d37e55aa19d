"""The draw of a tied vote. EM-R26: whoever hurts the town most, by lot within a class.

A tied "no elimination" wins; then come the town's power roles, and every role of the town is one; then the
mafia. By option everybody tied has the same chance. The public learns who was tied and who was drawn, never
from which class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from knightfall.engine.commands import Command
from knightfall.engine.game import Noted, Refusal, Step
from knightfall.engine.lines import Choices, Pick, a_slot, a_word, optional, then
from knightfall.engine.rng import Rng
from knightfall.games.empowered.events import TieDrawn
from knightfall.games.empowered.state import State
from knightfall.mafia.game import NO_ELIMINATION
from knightfall.mafia.orders import Aliases, parse_targets, refuse
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Decision, Phase
from knightfall.sentence import SlotId, joined

TIE = "tie"
_NOBODY = SlotId("")
_NOBODYS_NAMES = {NO_ELIMINATION: _NOBODY, "no lynch": _NOBODY}


def obey(state: State, command: Command, aliases: Aliases) -> Step[State]:
    """The moderator's `tie Ada, Boro, no elimination`: the game draws when the day is closed."""
    if state.phase is not Phase.DAY:
        return refuse(state, command.line, "WRONG_PHASE", "players are eliminated by day only")
    named = parse_targets(state, command.argument, {**aliases, **_NOBODYS_NAMES})
    if isinstance(named, Refusal):
        return Step(state, (), ((command.line, named),))
    if dead := [name for name in named if name in state.left]:
        return refuse(state, command.line, "WRONG_TARGET", f"{dead[0]} is dead")
    if len(set(named)) < 2:
        return refuse(
            state, command.line, "BAD_ARGS", f"say who is tied: {TIE} NAME, NAME[, {NO_ELIMINATION}]"
        )
    tied = tuple(slot for slot in state.living if slot in named)  # in slot order, however it was written
    nobody = (None,) if _NOBODY in named else ()
    return Step(replace(state, decision=Decision(None, (*tied, *nobody))))


def drawn(state: State, draw: Rng) -> tuple[State, tuple[Noted, ...]]:
    """The decision as the draw leaves it, and the moderator's record; untouched where nothing is tied."""
    if state.decision is None or not state.decision.tied:
        return state, ()
    tied = state.decision.tied
    # The class that is drawn from.
    pool: tuple[SlotId | None, ...]
    if state.rules["em_r26"] == "uniform":
        pool = tied
    elif None in tied:
        pool = (None,)
    else:
        town = tuple(slot for slot in tied if slot and state.cards[slot].alignment is Alignment.TOWN)
        pool = town or tied
    names = [slot or NO_ELIMINATION for slot in pool]
    lots = draw.at("day", state.number)
    name = lots.choice("em.tie", names) if len(names) > 1 else names[0]
    slot = pool[names.index(name)]
    told = TieDrawn(
        day=state.number,
        tied=tuple(one or NO_ELIMINATION for one in tied),
        pool=tuple(names),
        drawn=name,
    )
    return replace(state, decision=Decision(slot, tied)), (Noted(told),)


def tree(state: State) -> Choices:
    """`tie Ada, Boro, no elimination`: two or more, in any order."""
    return then((a_word(TIE),), lambda _: _tied(tuple(state.living), 0, nobody=True))


def _tied(left: Sequence[SlotId], named: int, *, nobody: bool) -> Choices:
    """Who can be tied, too, after so many."""
    before = ", " if named else " "
    names = [a_slot(slot, before) for slot in left]
    none = [a_word(f"{before}{NO_ELIMINATION}")] if nobody else []

    def more(pick: Pick) -> Choices:
        others = [slot for slot in left if slot != pick.part.slot]
        return _tied(others, named + 1, nobody=nobody and pick.part.slot is not None)

    found = then((*names, *none), more)
    return optional(found) if named > 1 else found


def some_lines(state: State) -> tuple[str, ...]:
    """Ties of neighbours, and of each with no elimination: enough of them for play at random."""
    names = tuple(state.living)
    pairs = (joined("", (TIE, " ", first, ", ", second)) for first, second in pairwise(names))
    return (*pairs, *(joined("", (TIE, " ", name, f", {NO_ELIMINATION}")) for name in names))
