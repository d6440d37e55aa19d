"""The lines of Empowered Mafia: how those of a night are written and told, the choice of roles, and ties.

Before day 1 a mafioso says `role Ninja`, the latest stands, two may choose the same; the moderator says `role
Ninja of Boro`. By day the moderator's `tie Ada, Boro, no elimination` leaves the day to a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from knightfall.engine.commands import NO_ELIMINATION, TIE, Aliases, Command, Reading, parse_command
from knightfall.engine.game import Refusal, Step, Told, line_by_line, refuse, refuse_all
from knightfall.engine.lines import Choices, Pick, a_slot, a_word, optional, then
from knightfall.games.empowered.abilities import ABILITIES, BY_ID, MAFIA_ROLES, UNPOWERED, Ability, Extra
from knightfall.games.empowered.state import FAULTS, READY, State, mafiosi, unchosen
from knightfall.games.empowered.views import ChosenRole
from knightfall.mafia import orders
from knightfall.mafia.ability_row import AbilityRow, verbs_of
from knightfall.mafia.explain import Mark, Words
from knightfall.mafia.night import Fate, Note, Reason
from knightfall.mafia.orders import NO_ACTION, parse_targets
from knightfall.mafia.roles import Role
from knightfall.mafia.state import Decision, Phase
from knightfall.mafia.trace import Trace
from knightfall.sentence import SlotId, joined, sentence

NO_MURDER = "no murder"
NOT_READY = "not ready"

VERBS: Mapping[str, str] = {
    **verbs_of(ABILITIES),
    NO_ACTION: NO_ACTION,
    "idle": NO_ACTION,
    NO_MURDER: NO_MURDER,
    "no kill": NO_MURDER,
    READY: READY,
    NOT_READY: NOT_READY,
}
_ROWS: Mapping[str, AbilityRow] = {
    **BY_ID,
    READY: AbilityRow(id=READY, targets=0, deed=READY, called=(READY,), ruling="EM-R27"),
}
"""The abilities, and an order that is none."""
POWERED, INCARCERATED, LOST = "powered", "incarcerated", "without Adaptability"
_EXTRAS = frozenset(map(str, Extra))


def split_extras(argument: str) -> tuple[str, tuple[str, ...]]:
    """What stands before the trailing words `invisible` and `obliterate`, and those words, each once."""
    rest, extras = argument.rstrip(" ,;"), set[str]()
    while (last := rest.rpartition(" ")[2].lower()) in _EXTRAS - extras:
        extras.add(last)
        rest = rest[: -len(last)].rstrip(" ,;")
    return rest, tuple(sorted(extras))


WORDS = Words(
    _ROWS,
    {
        **{code: fault.phrase for code, fault in FAULTS.items()},
        Reason.POWERED: "gives power",
        Reason.WATCHES_OVER: "watches over the target",
        Reason.SAVED: "the target was protected",
        Reason.IN_JAIL: "the target was incarcerated",
        Reason.INCARCERATED: "its actor was incarcerated",
        Reason.UNPOWERED: "its actor had no power",
        Reason.PARADOX: "it would undo its own power",
    },
    {},
    frozenset({Ability.EMPOWER, Ability.AMPLIFY}),
    UNPOWERED,
    (
        Mark(
            POWERED,
            "was powered",
            "is powered",
            "is not powered",
            frozenset({Ability.EMPOWER, Ability.AMPLIFY}),
        ),
        Mark(
            INCARCERATED,
            "was incarcerated",
            "is incarcerated",
            "is not incarcerated",
            frozenset({Ability.INCARCERATE}),
        ),
        Mark(
            LOST,
            "used Adaptability without power, and has lost it",
            "loses Adaptability",
            "keeps Adaptability",
            ruling="EM-R12",
            before="adaptability_lost",
        ),
    ),
)


_INCARCERATE = frozenset({str(Ability.INCARCERATE)})


class EmpoweredTrace(Trace):
    """Everything hangs on power and on jail, and a check that failed brings no message."""

    visit_ruling = "EM-R5"
    stopped_ruling = "EM-R21"

    def unhindered(self, note: Note) -> str:
        """Who gave the power, and that no jail held its actor."""
        actor = note.action.actor
        if note.action.ability == Ability.DETONATE:
            return super().unhindered(note)
        power = (
            sentence("{actor} is powered by {cause}", actor=actor, cause=note.cause.actor)
            if note.cause
            else "it needs no power"
        )
        jailed = self.standing_at(actor, _INCARCERATE)
        return (
            power
            if jailed
            else sentence("{power}, and no incarceration held {actor}", power=power, actor=actor)
        )

    def silence(self, note: Note) -> tuple[str, str]:
        """EM-R20 and EM-R21."""
        if note.fate is Fate.STOOD:
            return "who dies in the night reads no answer", "EM-R20"
        return "a check without power, or from jail, brings no message", "EM-R21"


ROLE = "role"
_WORDS: Mapping[str, str] = {ROLE: ROLE}
_BY_NAME: Mapping[str, Role] = {role.name.lower().replace(" ", ""): role for role in MAFIA_ROLES}
_EXPECTED = " | ".join(role.name for role in MAFIA_ROLES)

_NOT_A_CHOICE = Refusal("UNKNOWN_COMMAND", f"before Day 1 you can only choose your role: role {_EXPECTED}")
_NOT_YOURS = Refusal("NOT_YOUR_CHOICE", "night plans are taken from Day 1 on")
_UNKNOWN_ROLE = Refusal("UNKNOWN_ROLE", f"choose one of: {_EXPECTED}")


def take_choice(state: State, slot: SlotId, lines: tuple[str, ...]) -> Step[State]:
    """Apply the lines of a living slot; a mafioso is told their choice as it stands."""
    if slot not in mafiosi(state):
        return refuse_all(state, lines, _NOT_YOURS)

    def choose(before: State, line: str) -> Step[State]:
        command = parse_command(line, _WORDS)
        role = _NOT_A_CHOICE if command is None else parse_role(command.argument)
        if isinstance(role, Refusal):
            return refuse_all(before, (line,), role)
        return Step(_given(before, slot, role))

    step = line_by_line(state, lines, choose)
    return replace(step, events=(_chosen(step.state, slot),))


def parse_role(written: str) -> Role | Refusal:
    """One of the four, in any case, with or without the space."""
    return _BY_NAME.get("".join(written.lower().split()).rstrip("."), _UNKNOWN_ROLE)


def _given(state: State, slot: SlotId, role: Role) -> State:
    return replace(state, cards={**state.cards, slot: role})


def _chosen(state: State, slot: SlotId) -> Told:
    role = None if slot in unchosen(state) else state.cards[slot].name
    return Told((slot,), ChosenRole(slot, role))


def obey_choice(state: State, command: Command, aliases: Aliases) -> Step[State]:
    """The moderator's `role NAME of PLAYER`, for a mafioso who has chosen elsewhere."""
    if state.phase is not Phase.CHOOSING:
        return refuse(state, command.line, "WRONG_PHASE", "roles are chosen before Day 1 only")
    choice: tuple[Role, SlotId] | Refusal = _UNKNOWN_ROLE
    for reading in command.readings(state.slots, aliases):
        choice = _role_of(state, reading)
        if not isinstance(choice, Refusal):
            break
    if isinstance(choice, Refusal):
        return refuse_all(state, (command.line,), choice)
    role, slot = choice
    if slot not in mafiosi(state):
        return refuse(
            state, command.line, "WRONG_TARGET", sentence("{slot} is not a living mafioso", slot=slot)
        )
    after = _given(state, slot, role)
    return Step(after, (_chosen(after, slot),))


def _role_of(state: State, reading: Reading) -> tuple[Role, SlotId] | Refusal:
    """`Ninja of Boro`."""
    name, _, player = " ".join(reading.text.split()).partition(" of ")
    role = parse_role(name)
    slot = orders.parse_target(state, player, reading.names)
    if isinstance(role, Refusal):
        return role
    return slot if isinstance(slot, Refusal) else (role, slot)


def choice_lines(state: State, slot: SlotId | None) -> tuple[str, ...]:
    """A mafioso's four choices; for the moderator those of everyone who has not chosen."""
    if slot is None:
        return choice_lines_for(unchosen(state))
    return tuple(f"{ROLE} {role.name}" for role in MAFIA_ROLES) if slot in mafiosi(state) else ()


def choice_lines_for(slots: Iterable[SlotId]) -> tuple[str, ...]:
    """What the moderator says for mafiosi: `role Ninja of Boro`."""
    return tuple(joined(" ", (ROLE, role.name, "of", name)) for name in slots for role in MAFIA_ROLES)


_NOBODY = SlotId("")
_NOBODYS_NAMES = {NO_ELIMINATION: _NOBODY, "no lynch": _NOBODY}


def obey_tie(state: State, command: Command, aliases: Aliases) -> Step[State]:
    """The moderator's `tie Ada, Boro, no elimination`: the game draws when the day is closed."""
    refused = orders.UNKNOWN
    for reading in command.readings(state.slots, {**_NOBODYS_NAMES, **aliases}):
        named = parse_targets(state, reading.text, reading.names)
        if not isinstance(named, Refusal):
            return obey_tied(state, tuple(slot or None for slot in named), command.line)
        refused = named
    return refuse_all(state, (command.line,), refused)


def obey_tied(state: State, named: Sequence[SlotId | None], line: str) -> Step[State]:
    """These are tied, None among them is no elimination: the game draws when the day is closed."""
    if state.phase is not Phase.DAY:
        return refuse(state, line, "WRONG_PHASE", "players are eliminated by day only")
    if dead := [name for name in named if name in state.left]:
        return refuse(state, line, "WRONG_TARGET", sentence("{slot} is dead", slot=dead[0]))
    if len(set(named)) < 2:
        return refuse(state, line, "BAD_ARGS", f"say who is tied: {TIE} NAME, NAME[, {NO_ELIMINATION}]")
    tied = tuple(slot for slot in state.living if slot in named)  # in slot order, however it was written
    nobody = (None,) if None in named else ()
    return Step(replace(state, decision=Decision((), (*tied, *nobody))))


def tie_tree(state: State) -> Choices:
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


def tie_lines(state: State) -> tuple[str, ...]:
    """Ties of neighbours, and of each with no elimination: enough of them for play at random."""
    names = tuple(state.living)
    pairs = (joined("", (TIE, " ", first, ", ", second)) for first, second in pairwise(names))
    return (*pairs, *(joined("", (TIE, " ", name, f", {NO_ELIMINATION}")) for name in names))
