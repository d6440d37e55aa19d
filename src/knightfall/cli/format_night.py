"""What resolve, why and whatif print: of a night, and of any window that closes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import ndiff
from textwrap import fill, indent
from typing import TYPE_CHECKING

from tabulate import tabulate

from knightfall.cli.terminal import WIDTH
from knightfall.storage.drafts import PUBLIC

if TYPE_CHECKING:
    from knightfall.engine.game import Refusal
    from knightfall.mafia.events import Attacked
    from knightfall.mafia.explain_night import Dependence, NightChanges, PlayerExplanation
    from knightfall.services.closing_preview import ClosingPreview, PlayerClosing, TextChange
    from knightfall.services.resolve_night import NightPreview, ResolvedNight


NOTHING = "Nothing changes."
NOT_WRITTEN = "Nothing was written. To close the night: knightfall commit"
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
        sheet = found.resolved.sheet
        lines += [_sheet(found.resolved), ""]
        lines.append(f"Deaths: {', '.join(death.name for death in sheet.deaths) or 'nobody'}.")
        if silent := sheet.silent:
            lines.append(f"No action stands for: {', '.join(silent)}.")
        # How uniform the PMs are: who sees only their size should learn nothing.
        if sizes := found.pm_sizes:
            length = f"{sizes[0]} to {sizes[-1]} characters long"
            lines.append(f"PMs to send: {len(sizes)}, all in the same form, {length}.")
        else:
            lines.append("PMs to send: none.")
        if depends := format_dependences(found.resolved.depends):
            lines += ["Depends on a ruling:", *depends]
        else:
            lines.append("Nothing tonight depends on a ruling.")
    head = f"Night {found.number} of {found.title}, as it stands: for the moderator only"
    end = ["", NOT_WRITTEN] if found.is_open else []
    return "\n".join([_headed(head, "\n".join(lines)), *end])


def _headed(title: str, text: str) -> str:
    """The text under a line with its title."""
    return f"{f'── {title} ':─<{WIDTH}}\n{text.strip()}"


def _reader(whose: str) -> str:
    return "Public" if whose == PUBLIC else f"To {whose}"


def _sheet(night: ResolvedNight) -> str:
    """The trace as a table, then deaths, results, uses, and what deserves a second look."""
    sheet = night.sheet

    def deadly(death: Attacked) -> str:
        cause = night.causes.get(death.name)
        return f"{death.name} dies{f' by {cause}' if cause else ''}: {_attacks(death)}"

    lines = [
        *night.decided,
        *map(deadly, sheet.deaths),
        *(f"{one.name} lives: {_attacks(one)}" for one in sheet.survived),
        *(f"{mark}: {', '.join(names) or 'nobody'}" for mark, names in sheet.marks),
        *(f"{one.actor} is told: {one.action}: {one.answer or 'no message'}" for one in sheet.results),
        *(f"{use.slot} used: {use.ability} ({use.uses})" for use in sheet.spent),
        *(f"{slot}: refused: “{line}”: {why.text} ({why.code})." for slot, line, why in night.refused),
        *(f"Please check: {one.text} ({one.ruling})" for one in (*sheet.cautions, *night.cautions)),
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


def format_closing(found: ClosingPreview) -> str:
    """Every text of a closing under its reader, and what would not be taken."""
    stands = "as it stands" if found.is_open else "as it was closed"
    head = f"{found.title}, {stands}: for the moderator only. Nothing was written."
    parts = [
        _headed("Public" if text.whose == PUBLIC else f"To {text.whose}", text.text)
        for text in found.receipt.texts
    ]
    return "\n\n".join([head, *parts, *refused_lines(found.receipt.refused)])


def format_player_closing(found: PlayerClosing) -> str:
    """What stands of a player, what they are told, and where they are named."""
    lines = [f"{found.title}, {found.name}: for the moderator only"]
    if found.standing:
        lines.append(f"{found.name} sent: {'; '.join(found.standing)}.")
    elif found.awaited:
        lines.append(f"{found.name} sent nothing{f' ({found.silence})' if found.silence else ''}.")
    else:
        lines.append(f"{found.name} has nothing to send.")
    lines += [f"{found.name} is told:\n{indent(text, '  ')}" for text in found.told]
    lines += [f"About {found.name}: {line}" for line in found.named]
    return "\n".join(lines)


def format_text_changes(changes: tuple[TextChange, ...]) -> str:
    """The lines that go (-) and come (+), a paragraph a text; “Nothing changes.” otherwise."""
    parts = list[str]()
    for change in changes:
        lines = ndiff(change.before.splitlines(), change.after.splitlines())
        told = "\n".join(line for line in lines if line[0] in "+-")
        parts.append(_headed(_reader(change.whose), told))
    return "\n\n".join(parts) or NOTHING


def refused_lines(refused: tuple[tuple[str, Refusal], ...]) -> Iterator[str]:
    """Each line that was not taken, and why."""
    yield from (f"Refused: “{line}”: {why.text}" for line, why in refused)
