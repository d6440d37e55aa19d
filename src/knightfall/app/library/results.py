"""What does everybody hear of what was closed last? Where nights are secret only that results are out."""

from __future__ import annotations

from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import Made, Section
from knightfall.core.game import Announced, announced
from knightfall.errors import InputError


def results(scene: Scene) -> Made:
    """The posts of the latest closing; of a night only that every PM is out, the same after each."""
    if scene.has("dawn"):
        return _sent(scene)
    if scene.game is None or scene.table is None:
        raise InputError("No game was begun here, so there are no results: knightfall new begins one.")
    events = _latest(scene)
    if not events:
        raise InputError("Nothing was closed yet, so there are no results: knightfall commit.")
    return Made(tuple(Section(f"{scene.game.spec.id}/{event.kind}", scene.told(event)) for event in events))


def _sent(scene: Scene) -> Made:
    event = scene.last("dawn")
    if event is None:
        raise InputError("No night has ended yet, so there are no results: knightfall commit night.")
    return Made((Section("any/results", {"night": event.facts["night"]}),))


def _latest(scene: Scene) -> tuple[Announced, ...]:
    """What was announced last, without the first post of the game."""
    taken = scene.table.replay.taken[1:] if scene.table else ()
    found = (announced(one.events) for one in reversed(taken))
    return next((events for events in found if events), ())
