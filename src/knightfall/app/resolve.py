"""Decide the night of a file: what happened and why, what everyone reads, what each player is told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tabulate import tabulate

from knightfall.app.night_file import GAME, NightFile
from knightfall.core.game import Event, Message, Refusal, SlotId, announced, noted, told
from knightfall.core.rng import SeededRng
from knightfall.games.knight_errant import KNIGHT_ERRANT
from knightfall.writeups.events import private_message, public_post

WIDTH = 80
_COLUMNS = {"actor": 11, "action": 21, "fate": 8, "because": 22, "ruling": 6}
_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)  # a night file has no clock, and the game asks for none

Refused = tuple[SlotId, str, Refusal]


def decide(night: NightFile) -> tuple[tuple[Event, ...], tuple[Refused, ...]]:
    """Submit every line to the game and close the night: its events, and the lines it did not take."""
    draw, state, refused = SeededRng(b""), night.state, list[Refused]()
    for slot, lines in night.lines.items():
        step = KNIGHT_ERRANT.submit(state, Message(slot, "\n".join(lines), _NOON), draw)
        state = step.state
        refused += [(slot, line, why) for line, why in step.refused]
    return KNIGHT_ERRANT.close(state, "night", _NOON, draw).events, tuple(refused)


def print_night(night: NightFile, dialect: str = "plain", as_json: bool = False) -> str:
    """The night for the moderator's screen; or as JSON, schema 1.

    JSON: {schema, title, night, moderator: the sheet's facts, cautions, refused: [{slot, line, code, text}],
    public: [posts], private: [{to: [slots], text}]}.
    """
    events, refused = decide(night)
    report = _report(night, events, refused, dialect)
    return json.dumps(report, ensure_ascii=False, indent=2) if as_json else _screen(report)


def _report(
    night: NightFile, events: Sequence[Event], refused: Sequence[Refused], dialect: str
) -> dict[str, Any]:
    sheets = noted(events)
    return {
        "schema": 1,
        "title": night.title,
        "night": night.state.number,
        "moderator": next(sheet.facts for sheet in sheets if sheet.kind == "moderator_night"),
        "cautions": [dict(sheet.facts) for sheet in sheets if sheet.kind == "caution"],
        "refused": [
            {"slot": s, "line": line, "code": why.code, "text": why.text} for s, line, why in refused
        ],
        "public": [public_post(GAME, event, dialect) for event in announced(events)],
        "private": [
            {"to": list(event.slots), "text": private_message(GAME, event, dialect)} for event in told(events)
        ],
    }


def _screen(report: Mapping[str, Any]) -> str:
    title = f" of {report['title']}" if report["title"] else ""
    parts = [_headed(f"Night {report['night']}{title}: for the moderator only", _sheet(report))]
    parts += [_headed("Public", text) for text in report["public"]]
    parts += [_headed(f"PM to {', '.join(message['to'])}", message["text"]) for message in report["private"]]
    return "\n\n".join(parts)


def _headed(title: str, text: str) -> str:
    return f"{f'── {title} ':─<{WIDTH}}\n{text.strip()}"


def _sheet(report: Mapping[str, Any]) -> str:
    """The trace as a table, then deaths, results, uses, and what deserves a second look."""
    night = report["moderator"]
    cautions = [*night["cautions"], *report["cautions"]]
    lines = [
        *(f"{death['name']} dies: {_attacks(death)}" for death in night["deaths"]),
        *(f"{death['name']} lives: {_attacks(death)}" for death in night["survived"]),
        *(
            f"{result['actor']} is told: {result['action']}: {result['answer']}"
            for result in night["results"]
        ),
        *(f"{use['slot']} used: {use['ability']} ({use['uses']})" for use in night["spent"]),
        *(
            f"{no['slot']}: not taken: “{no['line']}”: {no['code']}: {no['text']}."
            for no in report["refused"]
        ),
        *(f"Have a look: {caution['text']} ({caution['ruling']})" for caution in cautions),
    ]
    return "\n".join([_table(night["trace"]), *(["", *lines] if lines else [])])


def _attacks(death: Mapping[str, Any]) -> str:
    return "; ".join(f"{attack['kill']} ({attack['because']})" for attack in death["attacks"])


def _table(trace: Sequence[Mapping[str, str]]) -> str:
    rows = [[row[column] for column in _COLUMNS] for row in trace]
    if not rows:
        return "Nobody did anything."
    heads = [column.capitalize() for column in _COLUMNS]
    return tabulate(rows, heads, tablefmt="simple", maxcolwidths=list(_COLUMNS.values()))
