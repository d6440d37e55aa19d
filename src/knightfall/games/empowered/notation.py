"""How the lines of a night of Empowered Mafia are written, what became of them is told, and why."""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.games.empowered.abilities import ABILITIES, BY_ID, UNPOWERED, Ability, Extra
from knightfall.games.empowered.night_position import FAULTS
from knightfall.games.empowered.state import READY
from knightfall.mafia.ability_row import AbilityRow, verbs_of
from knightfall.mafia.explain import Mark, Words
from knightfall.mafia.night import Action, Fate, Note, Reason
from knightfall.mafia.orders import NO_ACTION
from knightfall.mafia.trace import Trace
from knightfall.sentence import Sentence, SlotId, joined, sentence

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


def notation(action: Action, reader: SlotId | None = None) -> Sentence:
    """The line that says this action: what a receipt quotes, and what is read back. For a reader who is not
    its actor it names the carrier."""
    row = _ROWS[action.ability]
    words: list[object] = [row.written, *([row.aim(action.targets)] if action.targets else [])]
    words += ["by", action.actor] if reader is not None and reader != action.actor else []
    return joined(" ", (*words, *action.options))


def split_extras(argument: str) -> tuple[str, tuple[str, ...]]:
    """What stands before the trailing words `invisible` and `obliterate`, and those words, each once."""
    rest, extras = argument.rstrip(" ,;"), set[str]()
    while (last := rest.rpartition(" ")[2].lower()) in _EXTRAS - extras:
        extras.add(last)
        rest = rest[: -len(last)].rstrip(" ,;")
    return rest, tuple(sorted(extras))


WORDS = Words(
    _ROWS,
    notation,
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
