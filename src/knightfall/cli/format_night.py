"""Format a night as text of 80 columns: resolved, previewed, explained, compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from tabulate import tabulate

from knightfall.mafia.explain_night import Dependence, NightChanges, PlayerExplanation
from knightfall.services.resolve_night import NightPreview, ResolvedNight

WIDTH = 80
NOTHING = "Nothing changes."
NOT_WRITTEN = "Nothing was written; an open night is closed by knightfall commit."
_MARKS = {"powered": "Powered", "incarcerated": "Incarcerated", "lost": "Adaptability lost"}
_COLUMNS = {"actor": 11, "action": 21, "fate": 8, "because": 22, "ruling": 6}
_SHOWN = 3  # changes in one line: the gravest come first


def format_night(night: ResolvedNight) -> str:
    """The moderator's sheet, the posts, the PMs; at the end what depends on a ruling."""
    title = f" of {night.title}" if night.title else ""
    parts = [_headed(f"Night {night.number}{title}: for the moderator only", _sheet(night))]
    parts += [_headed("Public", text) for text in night.public]
    parts += [_headed(f"PM to {', '.join(pm.to)}", pm.text) for pm in night.private]
    if night.depends:
        lines = "\n".join(format_dependences(night.depends))
        parts.append(_headed("Depends on a ruling: for the moderator only", lines))
    return "\n\n".join(parts)


def format_preview(found: NightPreview) -> str:
    """The moderator's sheet, who dies, how many PMs go out and how long they are, and who sent nothing."""
    lines: list[str] = []
    if found.resolved is None:
        lines += ["Ruling needed: closing the night will ask you this.", found.question]
    else:
        sheet = found.resolved.moderator
        lines += [_sheet(found.resolved), ""]
        lines.append(f"Deaths: {', '.join(death['name'] for death in sheet['deaths']) or 'nobody'}.")
        if silent := sheet["silent"]:
            lines.append(f"Sent nothing that stands ({found.silence}): {', '.join(silent)}.")
        # How uniform the PMs are: who sees only their size should learn nothing.
        if sizes := found.pm_sizes:
            length = f"{sizes[0]} to {sizes[-1]} characters long"
            lines.append(f"PMs to send: {len(sizes)}, of one shape, {length}.")
        else:
            lines.append("PMs to send: none.")
        if depends := format_dependences(found.resolved.depends):
            lines += ["Depends on a ruling:", *depends]
        else:
            lines.append("No ruling matters tonight.")
    head = f"Night {found.number} of {found.title}, as it stands: for the moderator only"
    end = ["", NOT_WRITTEN] if found.is_open else []
    return "\n".join([_headed(head, "\n".join(lines)), *end])


def _headed(title: str, text: str) -> str:
    """The text under a line with its title."""
    return f"{f'── {title} ':─<{WIDTH}}\n{text.strip()}"


def _sheet(night: ResolvedNight) -> str:
    """The trace as a table, then deaths, results, uses, and what deserves a second look."""
    facts = night.moderator
    lines = [
        *(
            f"{death['name']} dies"
            + (f" by {death['cause']}" if "cause" in death else "")
            + f": {_attacks(death)}"
            for death in facts["deaths"]
        ),
        *(f"{death['name']} lives: {_attacks(death)}" for death in facts["survived"]),
        *(f"{mark}: {', '.join(facts[key]) or 'nobody'}" for key, mark in _MARKS.items() if key in facts),
        *(
            f"{result['actor']} is told: {result['action']}: {result['answer'] or 'no message'}"
            for result in facts["results"]
        ),
        *(f"{use['slot']} used: {use['ability']} ({use['uses']})" for use in facts["spent"]),
        *(f"{slot}: not taken: “{line}”: {why.code}: {why.text}." for slot, line, why in night.refused),
        *(
            f"Have a look: {caution['text']} ({caution['ruling']})"
            for caution in (*facts["cautions"], *night.cautions)
        ),
    ]
    table = "Nobody did anything."
    if rows := [[row[column] for column in _COLUMNS] for row in facts["trace"]]:
        heads = [column.capitalize() for column in _COLUMNS]
        table = tabulate(rows, heads, tablefmt="simple", maxcolwidths=list(_COLUMNS.values()))
    wrapped = [fill(line, WIDTH, subsequent_indent="  ") for line in lines]
    return "\n".join([table, *(["", *wrapped] if wrapped else [])])


def _attacks(death: Mapping[str, Any]) -> str:
    return "; ".join(f"{attack['kill']} ({attack['because']})" for attack in death["attacks"])


def format_dependences(found: Sequence[Dependence]) -> tuple[str, ...]:
    """A sentence each: `With em_r3 = snapshot: Cinder is not powered; Boro lives. (EM-R3)`."""
    lines: list[str] = []
    for one in found:
        texts = [change.text for change in one.changes]
        more = len(texts) - _SHOWN
        changes = "; ".join(texts[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        sentence = f"With {one.option.name} = {one.value}: {changes}. ({one.option.ruling})"
        lines.append(fill(sentence, WIDTH, subsequent_indent="  "))
    return tuple(lines)


def format_explanation(found: PlayerExplanation) -> str:
    """The steps about one player, each indented below what rests on it."""
    lines = [f"Night {found.night}, {found.slot} ({found.role}): for the moderator only"]
    for step in found.steps:
        text = f"{step.text} ({step.ruling})." if step.ruling else f"{step.text}."
        indent = "  " * step.depth
        lines.append(fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    "))
    return "\n".join(lines)


def format_changes(found: NightChanges) -> str:
    """A line for each change, the gravest first; “Nothing changes.” otherwise."""
    texts = [f"{change.text} ({change.why})" if change.why else change.text for change in found.changes]
    return "\n".join(fill(f"{text}.", WIDTH, subsequent_indent="  ") for text in texts) or NOTHING
