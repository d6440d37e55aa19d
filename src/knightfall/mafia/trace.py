"""The chains of causes behind a night: how each action ended, why, and whatever that rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knightfall.engine.what_if import Step
from knightfall.mafia.ability_row import Effect
from knightfall.mafia.explain import Words, deed
from knightfall.mafia.night import Action, Fate, Night, Note, Reason, Result
from knightfall.sentence import Sentence, SlotId, joined, sentence

_VERBS: Mapping[Fate, str] = {
    Fate.ABSORBED: "was survived",
    Fate.BLOCKED: "failed",
    Fate.LOST: "failed",
    Fate.IDLE: "had no effect",
    Fate.REJECTED: "was rejected",
}


_REASONS: Mapping[str, str] = {
    Reason.TARGET_COMMUTING: "{t} is away, {t} commuted",
    Reason.ACTOR_JAILED: "{a} is jailed by {c}",
    Reason.TARGET_JAILED: "{t} is jailed by {c}",
    Reason.ACTOR_ROLEBLOCKED: "{a} is roleblocked by {c}",
    Reason.ACTOR_KILLED: "{a} was killed by {c}",
    Reason.ACTOR_COMMUTING: "{a} commuted, and a commute stops one's own actions too",
    Reason.AWAY: "nothing stops a commute",
    Reason.UNSTOPPABLE: "nothing stops it",
    Reason.HEALED: "{c} healed {t}",
    Reason.BULLETPROOF: "{t} is bulletproof",
    Reason.VEST: "{t} wore a vest",
    Reason.UNUSED: "but no kill was left for it to stop",
    Reason.WORN: "it was worn all night",
    Reason.UNPOWERED: "{a} had no power",
    Reason.INCARCERATED: "{a} is incarcerated by {c}",
    Reason.IN_JAIL: "{t} is in the jail of {c}, and a prisoner cannot be killed",
    Reason.TURNED: "it changed where others went",
    Reason.KNOT: "no action of its ring happens, as was ruled",
    Reason.IDLE_KNOT: "it changes nothing for anybody who of its ring is first, so none of it happens",
    Reason.GUARDED: "{c} guarded {t}, and took it",
    Reason.TOOK_THE_KILL: "{a} took the kill, and died of it",
    Reason.STRUCK_BACK: "{a} is a Bomb, and {t} had killed {a}",
    Reason.AT_THE_DOOR: "{t} had come to {a}, who shoots whoever comes",
    Reason.LOVE: "{t} died, and {a} loved {t}",
    Reason.WEAKNESS: "{a} is weak, {t} is of another side, and {a} dies of it",
    Reason.LOYAL: "{a} is loyal, and {t} is of another side",
    Reason.DISLOYAL: "{a} is disloyal, and {t} is of the same side",
    Reason.ASCETIC: "{t} is Ascetic, and nothing but a kill works on an Ascetic",
    Reason.HIDDEN: "{t} was hiding",
    Reason.ROLESTOPPED: "{c} kept from {t} whatever others did to them",
    Reason.ABDUCTED: "{c} had abducted {t}",
    Reason.SHIELDED: "{c} had shielded others from {a}, and took it",
    Reason.SHIELDS: "{a} took the kill of {t}, and died of it",
    Reason.SIMPLE: "{a}'s action is simple, and {t} has an ability",
    Reason.COMPLEX: "{a}'s action is complex, and {t} has no ability",
    Reason.LAZY: "{a} is lazy, and at most one living player was not of the town",
}


_ANSWERED: Mapping[str, str] = {
    "": "{t} is {role}",
    Reason.FRAMED: "{t} is {role}, and {c} framed {t}",
    Reason.SANITY: "{a} is a cop whose answers are not true, and is not told so",
    Reason.UNMARKED: "{t} is {role}, and checks find that card innocent",
    Reason.IMMUNITY: "{t} is {role}, and an immunity covered the check",
    Reason.KILLED: "{t} has sent a kill, in this night or in one before",
    Reason.NEVER_KILLED: "{t} has sent no kill",
}
"""What an answer rests on, by what answered."""


class Trace:
    """A night's notes by action, each with its reason in plain words. A game overrides what its own rules
    explain otherwise.

    `told` are the actions that a chain has come to already: they are not told twice.
    """

    visit_ruling = ""
    """What says what a visit is."""
    stopped_ruling = ""
    """What says that a check that was stopped learns nothing."""

    def __init__(self, words: Words, night: Night, roles: Mapping[SlotId, str]) -> None:
        self.words = words
        self.night = night
        self.roles = roles
        self.notes: Mapping[Action, Note] = {note.action: note for note in night.trace}
        self.told: set[Action] = set()

    def tell(self, note: Note, depth: int = 0) -> Iterator[Step]:
        """The action's end and its reason; then, deeper, whatever that reason rests on."""
        if note.fate is not Fate.STOOD:
            verb = _VERBS[note.fate]
        else:
            effects = self.words.abilities[note.action.ability].effects
            verb = "held" if Effect.HOLDS in effects else "landed" if Effect.KILLS in effects else "worked"
        text = sentence("{deed} {verb}", deed=deed(self.words, note.action), verb=verb)
        if note.action in self.told:
            yield Step(depth, sentence("{text}: see above", text=text))
            return
        self.told.add(note.action)
        yield Step(depth, sentence("{text}: {reason}", text=text, reason=self.reason(note)), note.ruling)
        for below in self._rests_on(note):
            yield from self.tell(below, depth + 1)

    def reason(self, note: Note) -> str:
        """One clause in plain words, without the ruling."""
        by = note.cause.actor if note.cause else "nobody"
        if note.fate is Fate.REJECTED:
            return sentence("it was not legal ({reason})", reason=note.reason)
        if note.reason == Reason.SAVED:
            target = note.action.targets[0] if note.cause else None
            return (
                sentence("{by} protected {target}", by=by, target=target) if target else "it stopped a kill"
            )
        if note.reason == Reason.PARADOX:
            return self._paradox(note)
        if note.reason not in _REASONS:
            return self.unhindered(note)
        clause = sentence(_REASONS[note.reason], a=note.action.actor, t=target_of(note), c=by)
        if note.reason == Reason.UNPOWERED and not self.aimed_at(
            note.action.actor, self.words.having(Effect.POWERS)
        ):
            return sentence("{clause}, and nobody tried to give any", clause=clause)
        return clause

    def unhindered(self, note: Note) -> str:
        """Why what stood could stand."""
        if note.action.ability == "detonate":
            # A Bomb's answer has the kill for its cause; a Serial Bomber's explosion whoever gave them power.
            killed = note.cause is not None and note.cause.ability in self.words.having(Effect.KILLS)
            return sentence(
                "{target} {did} {actor}",
                target=target_of(note),
                did="killed" if killed else "targeted",
                actor=note.action.actor,
            )
        return "nothing stopped it"

    def silence(self, note: Note) -> tuple[str, str]:
        """Why a check brought no message at all, and the ruling."""
        return "it brings no message", note.ruling

    def answer(self, result: Result) -> str:
        """What an answer rests on: the card that was reached, or what answered in its place."""
        by = result.cause.actor if result.cause else "nobody"
        clause = _ANSWERED[result.reason]
        return sentence(clause, t=result.reached, role=self.roles[result.reached], c=by)

    def aimed_at(self, slot: SlotId, abilities: frozenset[str]) -> list[Note]:
        """What was aimed at a slot with one of these abilities."""
        return [n for a, n in self.notes.items() if slot in a.targets and a.ability in abilities]

    def standing_at(self, slot: SlotId, abilities: frozenset[str]) -> tuple[Note, ...]:
        """Those of them that stood."""
        return tuple(note for note in self.aimed_at(slot, abilities) if note.fate is Fate.STOOD)

    def _paradox(self, note: Note) -> str:
        """EM-R33: alone it would undo its own power; otherwise it stands in a ring with others."""
        others = [
            deed(self.words, a)
            for a, n in self.notes.items()
            if n.reason == Reason.PARADOX and a != note.action
        ]
        if not others:
            actor = note.action.actor
            undone = "if it held, {actor} would not have the power that it needs, so it undid itself"
            return sentence(undone, actor=actor)
        ring = "it stands in a ring with {others}: each bears on another, and none comes first"
        return sentence(ring, others=joined(", ", others))

    def _rests_on(self, note: Note) -> list[Note]:
        """The notes behind a reason: the cause; failed power; what should have stopped it and did not."""
        found = [self.notes[note.cause]] if note.cause and note.cause in self.notes else []
        if note.reason == Reason.UNPOWERED:
            found += self.aimed_at(note.action.actor, self.words.having(Effect.POWERS))
        if note.fate is Fate.STOOD and note.reason != Reason.UNSTOPPABLE:
            # Holds on its actor, and for a kill shields on its victim, that failed or were used up.
            vain = [
                n
                for n in self.aimed_at(note.action.actor, self.words.having(Effect.HOLDS))
                if n.fate is not Fate.STOOD
            ]
            row = self.words.abilities[note.action.ability]
            if Effect.KILLS in row.effects and row.lines:  # the blow of a Bomb is told by its own cause
                vain += self.aimed_at(note.action.targets[0], self.words.having(Effect.SHIELDS))
            found += [n for n in vain if n.fate is not Fate.REJECTED]
        return [n for n in dict.fromkeys(found) if n.action != note.action]


def target_of(note: Note) -> Sentence:
    """“Ada”, or “Ada and Boro”."""
    return joined(" and ", note.action.targets)
