"""Who still plays, who has left and as what: in the order of the player list, as everybody may know it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knightfall.app.library.scene import Scene
from knightfall.core.entries import Replaced, Started
from knightfall.core.roster import How, Slot


@dataclass(frozen=True, slots=True)
class Gone:
    """Who is dead: the role that was shown ("" where none was), how it came and when, in words."""

    slot: str
    role: str
    how: str
    when: str

    @property
    def note(self) -> str:
        """“Town Cop, eliminated, day 1”."""
        return ", ".join(word for word in (self.role, self.how, self.when) if word)


def slots(scene: Scene) -> tuple[str, ...]:
    """All who were ever dealt in, in the order of the list; the names that they signed up with."""
    for _, started in scene.entries(Started):
        return started.slots
    return tuple(signed_up(slot) for slot in _listed(scene))


def living(scene: Scene) -> tuple[str, ...]:
    """Who is alive."""
    if "alive" in scene.facts:
        alive = set(scene.facts["alive"])
        return tuple(slot for slot in slots(scene) if slot in alive)
    gone = {one.slot for one in dead(scene)}
    return tuple(slot for slot in slots(scene) if slot not in gone)


def dead(scene: Scene) -> tuple[Gone, ...]:
    """Who is dead, first those who died first."""
    if scene.table is not None:
        rows = scene.facts.get("dead", ())
        return tuple(Gone(row["name"], row["role"], row["how"], row["when"]) for row in rows)
    return tuple(_left(scene))


def holder(scene: Scene, slot: str) -> str:
    """Who holds a slot now."""
    said = [entry.name for _, entry in scene.entries(Replaced) if entry.slot == slot]
    roster = scene.setup.roster
    known = roster.slot_of(slot) if roster else None
    return said[-1] if said else known.name if known else slot


def shown(scene: Scene, slot: str) -> str:
    """The holder's name, and whose slot it was where that is not the same: “Rook (was Lumen)”."""
    now = holder(scene, slot)
    return now if now == slot else f"{now} (was {slot})"


def groups(scene: Scene) -> list[dict[str, object]]:
    """The player lists of a post: {title, people: [{name, note}]}; empty ones are left out."""
    lists = _of_game(scene) or _living_and_dead(scene)
    return [{"title": title, "people": people} for title, people in lists.items() if people]


def _living_and_dead(scene: Scene) -> dict[str, list[dict[str, str]]]:
    alive = "Alive" if dead(scene) or scene.votes_by_day else "Players"
    return {
        alive: [_row(scene, slot) for slot in living(scene)],
        "Dead": [_row(scene, one.slot, one.note) for one in dead(scene)],
    }


def _of_game(scene: Scene) -> dict[str, list[dict[str, str]]]:
    """The lists of games whose players do not simply live or die."""
    facts: Mapping[str, Any] = scene.facts
    if "court" in facts:
        rows = {"Outside the court": "outside", "In the court": "court", "Removed": "removed"}
        return {title: [_row(scene, slot) for slot in facts[key]] for title, key in rows.items()}
    if "knights" in facts:
        knights = facts["knights"]
        return {
            "Standing": [_row(scene, one["name"]) for one in knights if not one["left"]],
            "Fallen": [_row(scene, one["name"], _fell(one)) for one in knights if one["left"]],
        }
    return {}


def _fell(knight: Mapping[str, Any]) -> str:
    within = f", round {knight['round']}" if knight["left"] == "felled" else ""
    return f"{knight['left']}, turn {knight['turn']}{within}"


def _row(scene: Scene, slot: str, note: str = "") -> dict[str, str]:
    return {"name": shown(scene, slot), "note": note}


def _left(scene: Scene) -> Iterator[Gone]:
    """Of a thread whose game is run by hand: who fell on a closed day, or left by file and journal."""
    by_day = {name: day for day, name in scene.setup.fallen}
    for slot in _listed(scene):
        day = next((by_day[name] for name in slot.names if name in by_day), None)
        role = next((scene.setup.roles[name] for name in slot.names if name in scene.setup.roles), "")
        how = _how(scene, slot)
        if day is not None and not slot.back:
            yield Gone(signed_up(slot), role, How.ELIMINATED.value, f"day {day}")
        elif how is not None:
            yield Gone(signed_up(slot), role, how.value, f"post {slot.left.post}" if slot.left else "")


def _how(scene: Scene, slot: Slot) -> How | None:
    """How a slot left; None while it plays. What names no post yet is only in the list of changes."""
    said = [one for one in scene.setup.changes if one.slot in slot.names and not one.name]
    if said and said[-1].post is None:
        return said[-1].how
    return slot.left.how if slot.left else None


def signed_up(slot: Slot) -> str:
    """Who held it first."""
    return slot.names[-1]


def _listed(scene: Scene) -> tuple[Slot, ...]:
    return scene.setup.roster.slots if scene.setup.roster else ()
