"""Nights that are written down in a file: read, resolved, explained as those of a game's folder are.

A file has no journal: its lines are sent to the game at once, and what stands then is judged.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knightfall.config.files import parse_toml
from knightfall.engine.game import Noted, noted
from knightfall.errors import DecisionNeeded, SetupError
from knightfall.games import game_ids, loaded
from knightfall.mafia.decide import NOON, pending_night
from knightfall.mafia.events import RingQuestion
from knightfall.mafia.explain_night import report
from knightfall.mafia.night_file import NightFile, NightFileGame
from knightfall.mafia.night_file import night_of as parse_tables
from knightfall.sentence import Way, sentence
from knightfall.services.flavour import ClosedNight, FlavourCheck, check_words
from knightfall.services.publish import TextStyle, texts_by_reader
from knightfall.services.session import read_text
from knightfall.services.what_if import Preview
from knightfall.writeups.events import moderator_sheet
from knightfall.writeups.render import template_names


def read_night(path: Path) -> NightFile:
    """Read a night file. Raises SetupError with file, key, what was found and what was expected."""
    return parse_night(path.name, read_text(path))


def parse_night(name: str, text: str) -> NightFile:
    """Parse the text of a night file; `name` is what complaints call the file."""
    try:
        table = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{name}: not TOML: {error}.") from error
    return night_of(name, table)


def night_of(name: str, table: Mapping[str, Any]) -> NightFile:
    """The night of the tables that a night file has; `name` is what complaints call them."""
    key = "game" if "game" in table and "kind" not in table else "kind"
    kind = table.get(key)
    game = loaded(kind) if isinstance(kind, str) and kind in game_ids() else None
    if not isinstance(game, NightFileGame):
        known = (one for one in game_ids() if isinstance(loaded(one), NightFileGame))
        expected = " or ".join(f'"{one}"' for one in known)
        raise SetupError(f"{name}: {key}: found {kind!r}, expected {expected}.")
    return parse_tables(name, table, game)


def resolve(night: NightFile, dialect: str = "plain", flavour: str = "") -> Preview:
    """Close the night by the game's own rules: sheet, posts and PMs. `flavour` stands before the dawn.

    Raises DecisionNeeded with the question, where actions change each other in a ring.
    """
    sent = pending_night(night)
    events = night.game.close(sent.state, "night", NOON, sent.chance).events
    found = report(sent, events)
    if found is None:
        ring = next(sheet.facts for sheet in noted(events) if isinstance(sheet.facts, RingQuestion))
        raise DecisionNeeded(
            sentence(
                '{sheet}\nIn a game: {say}\nIn a night file: [rulings] "{key}" = "{choice}"',
                sheet=moderator_sheet(night.kind, Noted(ring)),
                say=Way("submit", slot="moderator", text="rule 1"),
                key=ring.key,
                choice=ring.choices[0].choice,
            )
        )
    # A game may have no template of its own for an event yet: then there is nothing to print.
    known = template_names()
    told = tuple(event for event in events if f"{night.kind}/{event.kind}" in known)
    return Preview(
        night.title,
        f"Night {night.number}",
        "night",
        night.number,
        is_open=False,
        texts=tuple(texts_by_reader(night.kind, told, TextStyle(dialect, flavour))),
        refused=tuple((str(slot), line, why) for slot, line, why in sent.refused),
        cautions=found.cautions,
        report=found,
    )


def check_flavour(night: NightFile, text: str, reason: str | None = None) -> FlavourCheck:
    """Check a text for the dawn of the night, as `flavour.check_words` does."""
    sent = pending_night(night)
    step = night.game.close(sent.state, "night", NOON, sent.chance)
    return check_words(ClosedNight(night.game, sent.state, step.state, step.events), text, reason)
