"""What does an archive keep of a game: the fields of its box, and a line for each player?"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from knightfall.app.library.endgame import over
from knightfall.app.library.people import dead, shown, slots
from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import Made, Section
from knightfall.app.plain_values import as_object
from knightfall.core.game import Announced
from knightfall.core.spreadsheet import cell
from knightfall.errors import InputError


@dataclass(frozen=True, slots=True)
class Player:
    """A line of the record: the slot with its holder, the role, how it ended, and whether it won ("" where
    nobody says)."""

    name: str
    role: str
    end: str
    result: str


@dataclass(frozen=True, slots=True)
class Archive:
    """A game as an archive keeps it; "" where something is not known."""

    title: str
    game: str
    setup: str
    moderators: tuple[str, ...]
    thread: str
    began: str
    ended: str
    winner: str
    players: tuple[Player, ...]


def archive_post(scene: Scene) -> Made:
    """The record as a post."""
    return Made((Section("any/archive", asdict(record_of(scene))),))


def archive_file(scene: Scene, form: str) -> str:
    """The record as `csv` (a line a player) or `json`. Raises InputError for another form."""
    if form == "json":
        return as_object(asdict(record_of(scene)))
    if form == "csv":
        return _csv(record_of(scene))
    raise InputError(f"--format {form}: expected csv or json; without it the record is a post.")


def record_of(scene: Scene) -> Archive:
    """The record. Raises InputError while a begun game goes on: its roles are secret."""
    if scene.table is not None and not over(scene):
        raise InputError(
            "The game goes on, so its roles are no record yet: knightfall post endgame, then this."
        )
    if scene.table is None and scene.game is not None:
        raise InputError("The game has not begun: there is nothing to keep yet.")
    return Archive(
        scene.title,
        scene.game.spec.name if scene.game else "",
        str(_ending(scene).get("code", "")),
        scene.setup.moderators,
        scene.setup.url or "",
        _date(scene, 0),
        _date(scene, -1) if over(scene) else "",
        _winner(scene),
        tuple(_player(scene, slot) for slot in slots(scene)),
    )


def _ending(scene: Scene) -> Mapping[str, Any]:
    event: Announced | None = scene.last("ending")
    return event.facts if event else {}


def _date(scene: Scene, place: int) -> str:
    """The day of the first or last entry, by the moderator's clocks."""
    if not scene.journal:
        return ""
    return f"{scene.journal[place].at.astimezone(scene.zone):%Y-%m-%d}"


def _winner(scene: Scene) -> str:
    outcome = scene.table.game.outcome(scene.table.state) if scene.table else None
    if outcome is None:
        return ""
    if outcome.winner is None or outcome.winner in outcome.slots:
        return outcome.winner or "nobody"
    side = outcome.winner.replace("_", " ")
    side = side if side.isupper() else side.title()
    return f"{shown(scene, outcome.slots[0])} ({side})" if len(outcome.slots) == 1 else side


def _player(scene: Scene, slot: str) -> Player:
    rows: Mapping[str, Mapping[str, Any]] = {row["name"]: row for row in _ending(scene).get("roles", ())}
    row = rows.get(slot, {})
    gone = next((one for one in dead(scene) if one.slot == slot), None)
    role = str(row.get("role", gone.role if gone else ""))
    return Player(shown(scene, slot), role, _end(scene, slot), _result(scene, slot))


def _end(scene: Scene, slot: str) -> str:
    """How and when the slot left; “alive” where it did not, "" where the game knows no deaths."""
    for one in dead(scene):
        if one.slot == slot:
            return f"{one.how}, {one.when}"
    if "knights" in scene.facts:
        knight = next(one for one in scene.facts["knights"] if one["name"] == slot)
        return f"{knight['left']}, turn {knight['turn']}" if knight["left"] else "standing"
    return "alive" if scene.votes_by_day else ""


def _result(scene: Scene, slot: str) -> str:
    outcome = scene.table.game.outcome(scene.table.state) if scene.table else None
    if outcome is None:
        return ""
    return "won" if slot in outcome.slots else "drawn" if outcome.winner is None else "lost"


def _csv(record: Archive) -> str:
    """A table for a spreadsheet: no cell of it is taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("title", "game", "setup", "began", "ended", "winner", "player", "role", "end", "result"))
    game = (record.title, record.game, record.setup, record.began, record.ended, record.winner)
    for one in record.players:
        cells = (*game, one.name, one.role, one.end, one.result)
        writer.writerow([cell(text) for text in cells])
    return out.getvalue()
