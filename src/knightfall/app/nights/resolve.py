"""Decide the night of a file: what happened and why, what everyone reads, what each player is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from tabulate import tabulate

from knightfall.app.nights.night_file import NightFile
from knightfall.app.nights.sensitivity import Dependence, sensitivity, sensitivity_lines
from knightfall.app.nights.verdict import NOON, Refused, chance, game_of, send_all
from knightfall.app.plain_values import as_object
from knightfall.core.game import Event, Noted, announced, noted, told
from knightfall.errors import DecisionNeeded
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import template_names

WIDTH = 80
_MARKS = {"powered": "Powered", "incarcerated": "Incarcerated", "lost": "Adaptability lost"}
_COLUMNS = {"actor": 11, "action": 21, "fate": 8, "because": 22, "ruling": 6}


def print_night(night: NightFile, dialect: str = "plain", as_json: bool = False, flavour: str = "") -> str:
    """The night for the moderator's screen; or as JSON, schema 1. `flavour` stands before the dawn.

    JSON: {schema, title, night, moderator: the sheet's facts, cautions, refused: [{slot, line, code, text}],
    public: [posts], private: [{to: [slots], text}], depends: [{option, value, ruling, changes: [texts]}]}.
    """
    report = report_of(night, dialect, flavour)
    found = sensitivity(night)
    report |= {"depends": [_depends(one) for one in found]}
    if as_json:
        return as_object(report)
    return "\n\n".join([_screen(report), *_closing(found)])


def report_of(night: NightFile, dialect: str = "plain", flavour: str = "") -> dict[str, Any]:
    """By the game's own closing of the night: its sheet, dawn and PMs, as `print_night` tells them."""
    sent = send_all(night)
    events = closing_of(night)
    sheets = (*sent.cautions, *noted(events))
    _refuse_ring(night.kind, sheets)
    sheet = next(sheet.facts for sheet in sheets if sheet.kind == "moderator_night")
    return {
        "title": night.title,
        "night": night.number,
        "moderator": {**sheet, "deaths": _with_cause(sheet, events)},
        "cautions": [dict(sheet.facts) for sheet in sheets if sheet.kind == "caution"],
        "refused": _refusals(sent.refused),
        **_posts(night.kind, events, dialect, flavour),
    }


def _refuse_ring(kind: str, sheets: Sequence[Noted]) -> None:
    """Raises DecisionNeeded with the question, where actions change each other in a ring."""
    ring = next((sheet for sheet in sheets if sheet.kind == "knot"), None)
    if ring is not None:
        raise DecisionNeeded(
            f'{moderator_sheet(kind, ring)}\nIn a game\'s folder: knightfall submit moderator "rule 1"\n'
            f'In a night file: [rulings] "{ring.facts["key"]}" = "{_first_choice(ring.facts)}"'
        )


def _first_choice(facts: Mapping[str, Any]) -> str:
    return str(facts["choices"][0]["choice"])


def closing_of(night: NightFile) -> tuple[Event, ...]:
    """What closing the night leads to: as the game of its folder says, else by the lines of the file."""
    if night.ending:
        return night.ending
    return game_of(night).close(send_all(night).state, "night", NOON, chance(night)).events


def _with_cause(sheet: Mapping[str, Any], events: Sequence[Event]) -> list[dict[str, Any]]:
    """The deaths, each with what the dawn says of its cause, where the game tells one."""
    dawn: Mapping[str, Any] = next((event.facts for event in announced(events) if event.kind == "dawn"), {})
    causes = {death["name"]: death.get("cause") for death in dawn.get("deaths", ())}
    return [death | ({"cause": by} if (by := causes.get(death["name"])) else {}) for death in sheet["deaths"]]


def _posts(game: str, events: Sequence[Event], dialect: str, flavour: str) -> dict[str, Any]:
    """What has a template: a game may have none of its own yet."""
    known = template_names()
    return {
        "public": [
            public_post(game, event, dialect, flavour)
            for event in announced(events)
            if f"{game}/{event.kind}" in known
        ],
        "private": [
            {"to": list(event.slots), "text": private_message(game, event, dialect)}
            for event in told(events)
            if f"{game}/{event.kind}" in known
        ],
    }


def _refusals(refused: Sequence[Refused]) -> list[dict[str, str]]:
    return [{"slot": slot, "line": line, "code": why.code, "text": why.text} for slot, line, why in refused]


def _depends(one: Dependence) -> dict[str, Any]:
    changes = [change.text for change in one.changes]
    option = one.option
    return {"option": option.name, "value": one.value, "ruling": option.ruling, "changes": changes}


def _closing(found: Sequence[Dependence]) -> list[str]:
    """At the end, where a ruling matters tonight; nothing otherwise."""
    lines = "\n".join(sensitivity_lines(found))
    return [headed("Depends on a ruling: for the moderator only", lines)] if lines else []


def _screen(report: Mapping[str, Any]) -> str:
    title = f" of {report['title']}" if report["title"] else ""
    parts = [headed(f"Night {report['night']}{title}: for the moderator only", sheet_lines(report))]
    parts += [headed("Public", text) for text in report["public"]]
    parts += [headed(f"PM to {', '.join(message['to'])}", message["text"]) for message in report["private"]]
    return "\n\n".join(parts)


def headed(title: str, text: str) -> str:
    """The text under a line with its title."""
    return f"{f'── {title} ':─<{WIDTH}}\n{text.strip()}"


def sheet_lines(report: Mapping[str, Any]) -> str:
    """The trace as a table, then deaths, results, uses, and what deserves a second look."""
    night = report["moderator"]
    cautions = [*night["cautions"], *report["cautions"]]
    lines = [
        *(f"{death['name']} dies{_cause(death)}: {_attacks(death)}" for death in night["deaths"]),
        *(f"{death['name']} lives: {_attacks(death)}" for death in night["survived"]),
        *(f"{mark}: {', '.join(night[key]) or 'nobody'}" for key, mark in _MARKS.items() if key in night),
        *(
            f"{result['actor']} is told: {result['action']}: {result['answer'] or 'no message'}"
            for result in night["results"]
        ),
        *(f"{use['slot']} used: {use['ability']} ({use['uses']})" for use in night["spent"]),
        *(
            f"{no['slot']}: not taken: “{no['line']}”: {no['code']}: {no['text']}."
            for no in report["refused"]
        ),
        *(f"Have a look: {caution['text']} ({caution['ruling']})" for caution in cautions),
    ]
    said = [fill(line, WIDTH, subsequent_indent="  ") for line in lines]
    return "\n".join([_table(night["trace"]), *(["", *said] if said else [])])


def _cause(death: Mapping[str, Any]) -> str:
    return f" by {death['cause']}" if "cause" in death else ""


def _attacks(death: Mapping[str, Any]) -> str:
    return "; ".join(f"{attack['kill']} ({attack['because']})" for attack in death["attacks"])


def _table(trace: Sequence[Mapping[str, str]]) -> str:
    rows = [[row[column] for column in _COLUMNS] for row in trace]
    if not rows:
        return "Nobody did anything."
    heads = [column.capitalize() for column in _COLUMNS]
    return tabulate(rows, heads, tablefmt="simple", maxcolwidths=list(_COLUMNS.values()))
