"""What resolve, why and whatif print of a window that closes: a night, a day, a round, a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import ndiff
from textwrap import fill, indent
from typing import TYPE_CHECKING

from tabulate import tabulate

from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.tables import WIDTH

if TYPE_CHECKING:
    from knightfall.engine.game import Refusal
    from knightfall.engine.what_if import Dependence, TextChange, WhatIf, Why
    from knightfall.mafia.events import Attacked
    from knightfall.mafia.explain_night import NightReport
    from knightfall.services.day.standing_votes import VotedDay
    from knightfall.services.what_if import Preview


NOTHING = "Nothing changes."
NOT_WRITTEN = "Nothing was written. To close the night: knightfall commit"
_MARKS = {"powered": "Powered", "incarcerated": "Incarcerated", "lost": "Adaptability lost"}
_COLUMNS = {"actor": 11, "action": 21, "fate": 8, "because": 22, "ruling": 6}
_SHOWN = 3  # changes in one line: the gravest come first


def format_night(found: Preview) -> str:
    """All that closing leads to. Of a night the moderator's sheet, the posts, the PMs, and what depends on a
    ruling; of another window every text under its reader. Where the moderator is asked something, that."""
    if found.report is None:
        return _window(found) if found.number is None else format_preview(found)
    title = f" of {found.title}" if found.title else ""
    parts = [_headed(f"{found.window}{title}: for the moderator only", _sheet(found, found.report))]
    parts += [_headed("Public", text) for text in found.public]
    parts += [_headed(f"PM to {text.whose}", text.text) for text in found.private]
    if found.report.depends:
        lines = "\n".join(format_dependences(found.report.depends))
        parts.append(_headed("Depends on a ruling: for the moderator only", lines))
    return "\n\n".join(parts)


def format_preview(found: Preview) -> str:
    """Of a night the moderator's sheet, who dies, how many PMs go out and how long they are, and who sent
    nothing; of another window all that closing it leads to."""
    if found.number is None:
        return _window(found)
    lines: list[str] = []
    if found.report is None:
        lines += ["Ruling needed: closing the night will ask you this.", found.question]
    else:
        sheet = found.report.sheet
        lines += [_sheet(found, found.report), ""]
        lines.append(f"Deaths: {', '.join(death.name for death in sheet.deaths) or 'nobody'}.")
        if silent := sheet.silent:
            lines.append(f"No action stands for: {', '.join(silent)}.")
        # How uniform the PMs are: who sees only their size should learn nothing.
        if sizes := found.pm_sizes:
            length = f"{sizes[0]} to {sizes[-1]} characters long"
            lines.append(f"PMs to send: {len(sizes)}, all in the same form, {length}.")
        else:
            lines.append("PMs to send: none.")
        if depends := format_dependences(found.report.depends):
            lines += ["Depends on a ruling:", *depends]
        else:
            lines.append("Nothing tonight depends on a ruling.")
    head = f"{found.window} of {found.title}, as it stands: for the moderator only"
    end = ["", NOT_WRITTEN] if found.is_open else []
    return "\n".join([_headed(head, "\n".join(lines)), *end])


def _window(found: Preview) -> str:
    """How a day stands in its thread, every text of a closing under its reader, and what was not taken."""
    stands = "as it stands" if found.is_open else "as it was closed"
    head = f"{found.window}, {stands}: for the moderator only. Nothing was written."
    about = [*(day_lines(found.day) if found.day else ()), *([found.question] if found.question else ())]
    parts = ["\n".join(fill(line, WIDTH, subsequent_indent="  ") for line in about)] if about else []
    parts += [_headed("Public" if text.is_public else f"To {text.whose}", text.text) for text in found.texts]
    cautions = (
        f"Please check: {one.text}{f' ({one.ruling})' if one.ruling else ''}" for one in found.cautions
    )
    return "\n\n".join([head, *parts, *cautions, *refused_sentences(found.refused)])


def day_lines(day: VotedDay) -> Iterator[str]:
    """The votes of a day as they stand, and whom they eliminate."""
    if day.count is None:
        return
    votes = "; ".join(f"{name} {size}" for name, size in day.wagons) or "nobody has a vote"
    yield f"The votes in the thread close it. As of post {day.count.tally.at}: {votes}."
    if day.eliminated is not None:
        who = ", ".join(day.eliminated) or "Nobody"
        verb = "are" if len(day.eliminated) > 1 else "is"
        how = "by the hammer" if day.hammered else "as the votes stand"
        yield f"{who} {verb} eliminated {how}."
    if day.questions:
        votes = "1 vote waits" if day.questions == 1 else f"{day.questions} votes wait"
        yield f"{votes} for your decision{', which may change that' if day.deciding else ''}."


def _headed(title: str, text: str) -> str:
    """The text under a line with its title."""
    return f"{f'── {title} ':─<{WIDTH}}\n{text.strip()}"


def _reader(whose: str) -> str:
    return "Public" if whose == PUBLIC else f"To {whose}"


def _sheet(found: Preview, report: NightReport) -> str:
    """The trace as a table, then deaths, results, uses, and what deserves a second look."""
    sheet = report.sheet

    def deadly(death: Attacked) -> str:
        cause = report.causes.get(death.name)
        return f"{death.name} dies{f' by {cause}' if cause else ''}: {_attacks(death)}"

    lines = [
        *found.decided,
        *map(deadly, sheet.deaths),
        *(f"{one.name} lives: {_attacks(one)}" for one in sheet.survived),
        *(f"{mark}: {', '.join(names) or 'nobody'}" for mark, names in sheet.marks),
        *(f"{one.actor} is told: {one.action}: {one.answer or 'no message'}" for one in sheet.results),
        *(f"{use.slot} used: {use.ability} ({use.uses})" for use in sheet.spent),
        *(f"{slot}: refused: “{line}”: {why.text} ({why.code})." for slot, line, why in found.refused),
        *(f"Please check: {one.text} ({one.ruling})" for one in (*sheet.cautions, *report.cautions)),
    ]
    table = "Nobody did anything."
    if rows := [[getattr(row, column) for column in _COLUMNS] for row in sheet.trace]:
        heads = [column.capitalize() for column in _COLUMNS]
        table = tabulate(rows, heads, tablefmt="simple", maxcolwidths=list(_COLUMNS.values()))
    wrapped = [fill(line, WIDTH, subsequent_indent="  ") for line in lines]
    return "\n".join([table, *(["", *wrapped] if wrapped else [])])


def _attacks(death: Attacked) -> str:
    return "; ".join(f"{attack.kill} – {attack.because}" for attack in death.attacks)


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


def format_explanation(found: Why) -> str:
    """The steps about one player, each indented below what rests on it; else what stands of theirs, what they
    are told, and where they are named."""
    role = f" ({found.role})" if found.role else ""
    lines = [f"{found.title}, {found.name}{role}: for the moderator only"]
    for step in found.steps:
        text = f"{step.text} ({step.ruling})." if step.ruling else f"{step.text}."
        margin = "  " * step.depth
        lines.append(fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin + "    "))
    if found.steps:
        return "\n".join(lines)
    if found.standing:
        lines.append(f"{found.name} sent: {'; '.join(found.standing)}.")
    elif found.awaited:
        lines.append(f"{found.name} sent nothing{f' ({found.silence})' if found.silence else ''}.")
    else:
        lines.append(f"{found.name} has nothing to send.")
    lines += [f"{found.name} is told:\n{indent(text, '  ')}" for text in found.told]
    lines += [f"About {found.name}: {line}" for line in found.named]
    return "\n".join(lines)


def format_changes(found: WhatIf) -> str:
    """A line for each change, the gravest first; where the game tells none, the texts that read otherwise."""
    texts = [f"{change.text} ({change.why})" if change.why else change.text for change in found.changes]
    return "\n".join(fill(f"{text}.", WIDTH, subsequent_indent="  ") for text in texts) or _text_changes(
        found.texts
    )


def _text_changes(changes: Iterable[TextChange]) -> str:
    """The lines that go (-) and come (+), a paragraph a text; “Nothing changes.” otherwise."""
    parts = list[str]()
    for change in changes:
        lines = ndiff(change.before.splitlines(), change.after.splitlines())
        told = "\n".join(line for line in lines if line[0] in "+-")
        parts.append(_headed(_reader(change.whose), told))
    return "\n\n".join(parts) or NOTHING


def refused_sentences(refused: Iterable[tuple[str, str, Refusal]]) -> Iterator[str]:
    """Each line that was not taken, whose it is, and why."""
    yield from (f"{who}: “{line}” was refused: {why.text} ({why.code})." for who, line, why in refused)


def refused_lines(refused: tuple[tuple[str, Refusal], ...]) -> Iterator[str]:
    """Each line that was not taken, and why."""
    yield from (f"Refused: “{line}”: {why.text}" for line, why in refused)
