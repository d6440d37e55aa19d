"""Do the words of a role go together, and on which side is it?

Refused: two sides, two of a kind, a modifier without a role or where it says nothing, a power where it has no
use. A side that is not written is the mafia for those who work for it as a rule, else the town.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import AIMS, KILLS, Ability
from knightfall.games.custom_mafia.catalog import AIMED, BASES, GOON, TOWNIE, X_SHOT, Entry, Kind
from knightfall.games.custom_mafia.words import Shots, Side, Vanilla, Word, words_of
from knightfall.mafia.roles import Alignment, Modifier

_APART = (
    {Modifier.ODD_NIGHT, Modifier.EVEN_NIGHT},
    {Modifier.LOYAL, Modifier.DISLOYAL},
)
_SIDE: Mapping[Alignment, str] = {
    Alignment.TOWN: "town",
    Alignment.MAFIA: "mafia",
    Alignment.SERIAL_KILLER: "Serial Killer",
    Alignment.JESTER: "Jester",
    Alignment.SURVIVOR: "Survivor",
}
"""Sides as a refusal says them."""


@dataclass(frozen=True, slots=True)
class Part:
    """One base with what limits it; `shots` None: every night."""

    base: Entry
    shots: int | None = None
    modifiers: frozenset[Modifier] = frozenset()


@dataclass(frozen=True, slots=True)
class Spelling:
    """A role understood. `parts` are in the order of its name; none: a vanilla role of its side."""

    side: Alignment
    parts: tuple[Part, ...]


def spelling_of(text: str) -> Spelling:
    """Raises InputError for words that are not known or do not go together."""
    words = words_of(text)
    if not words:
        raise InputError("A role is missing: write it in words, for instance Town 2-Shot Cop.")
    refuse = _Refusal(text)
    parts = tuple(sorted(_parts(refuse, words), key=lambda part: BASES.index(part.base)))
    side = _side(refuse, words)
    # A role says what it has, and Vanilla only where it has no action.
    vanilla = any(isinstance(word, Vanilla) or word is TOWNIE for word in words)
    active = [part.base.name for part in parts if isinstance(part.base.gives, Ability)]
    if vanilla and active:
        raise refuse(f"a vanilla player has no power, and a {active[0]} has one: write one of them.")
    bare = any(isinstance(word, Vanilla) or word in (TOWNIE, GOON) for word in words)
    if not parts and not bare:
        raise refuse("a side is no role yet; write Vanilla Townie, Mafia Goon, or a power.")
    for part in parts:
        # Is the base something on this side, with these others?
        base = part.base
        if base.sides and side not in base.sides:
            raise refuse(f"a {base.name} can be {_sides(base)}; this role is {_SIDE[side]}.")
        kills = side is Alignment.MAFIA or any(part.base.gives in KILLS for part in parts)
        if base.needs_kill and not kills:
            raise refuse(f"a {base.name} needs a kill: make him mafia, a Vigilante or a Serial Killer.")
        _check_limits(refuse, part, side)
    return Spelling(side, parts)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Says which role it is that does not go."""

    text: str

    def __call__(self, why: str) -> InputError:
        return InputError(f"Role “{self.text}”: {why}")


def _parts(refuse: _Refusal, words: Iterable[Word]) -> list[Part]:
    """Each base with the modifiers before it; sides may stand anywhere."""
    parts: list[Part] = []
    waiting: list[Word] = []
    for word in words:
        if isinstance(word, Shots) or (isinstance(word, Entry) and word.kind is Kind.MODIFIER):
            waiting.append(word)
        elif isinstance(word, Entry) and (word.kind is not Kind.BARE or waiting):
            parts.append(_part(refuse, word, waiting))
            waiting = []
    if waiting:
        raise refuse(f"{waiting[0].name} stands before the role that it limits, and none follows.")
    # Nothing is given twice.
    bases = [part.base for part in parts]
    for at, base in enumerate(bases):
        for other in bases[:at]:
            if base is other:
                raise refuse(f"{base.name} stands there twice.")
            if base.gives is not None and base.gives == other.gives:
                raise refuse(f"{other.name} and {base.name} have the same kill: write one of them.")
    return parts


def _part(refuse: _Refusal, base: Entry, waiting: list[Word]) -> Part:
    """The base with its modifiers, each once and none against another."""
    if X_SHOT in waiting:
        raise refuse("say how many shots: 1-Shot to 9-Shot.")
    if base.kind is Kind.BARE:
        raise refuse(f"{waiting[0].name} limits a power, and a {base.name} has none.")
    shots = [word.number for word in waiting if isinstance(word, Shots)]
    modifiers = [word.gives for word in waiting if isinstance(word, Entry)]
    own = frozenset(modifier for modifier in modifiers if isinstance(modifier, Modifier))
    if len(shots) > 1 or len(own) < len(modifiers):
        raise refuse(f"a modifier of {base.name} stands there twice.")
    for pair in _APART:
        if pair <= own:
            names = " and ".join(w.name for w in waiting if isinstance(w, Entry) and w.gives in pair)
            raise refuse(f"{names} contradict each other.")
    return Part(base, shots[0] if shots else None, own)


def _side(refuse: _Refusal, words: Iterable[Word]) -> Alignment:
    """The one that is said, or that the bases bring along."""
    said: dict[Alignment, str] = {}
    for word in words:
        side = word.alignment if isinstance(word, Side) else word.side if isinstance(word, Entry) else None
        if side is not None:
            said.setdefault(side, word.name)
    if len(said) > 1:
        raise refuse(f"{' and '.join(said.values())} are two sides; a role has one.")
    leaning = (word.leans for word in words if isinstance(word, Entry))
    return next(iter(said), Alignment.MAFIA if Alignment.MAFIA in leaning else Alignment.TOWN)


def _sides(base: Entry) -> str:
    return " or ".join(_SIDE[side] for side in base.sides)


def _check_limits(refuse: _Refusal, part: Part, side: Alignment) -> None:
    """Does each modifier say something of this base?"""
    base = part.base
    if not isinstance(base.gives, Ability):
        if part.modifiers or (part.shots is not None and base.kind is not Kind.PASSIVE):
            raise refuse(f"{base.name} is nothing that is done at night: put the modifier before an action.")
        return
    if not AIMS[base.gives] and part.modifiers & AIMED:
        raise refuse(f"a {base.name} aims at nobody: loyal, disloyal and weak say nothing of him.")
    if side is Alignment.SERIAL_KILLER and Modifier.LOYAL in part.modifiers:
        raise refuse("a Serial Killer has nobody on his side: a loyal action of his never works.")
