"""What if a window closed otherwise: the changes that can be asked for, and what is answered, as values.

One grammar of changes and one set of answers for every game and every window.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple, TypeAlias

from knightfall.engine.commands import Aliases, readings
from knightfall.engine.game import Option, Refusal
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.sentence import SlotId

# ── What is asked. ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Add:
    """One more message, the last to arrive; `name` as it was written, a player's or “moderator”."""

    name: str
    line: str


@dataclass(frozen=True, slots=True)
class Remove:
    """What somebody sent is taken back; `line` "" is everything, else one line, or in a night one ability."""

    name: str
    line: str = ""


@dataclass(frozen=True, slots=True)
class Choose:
    """Another value of an option."""

    option: str
    value: str


Edit: TypeAlias = Add | Remove | Choose

FORMS = "“add NAME: LINE”, “remove NAME”, “remove NAME: LINE” or “set OPTION = VALUE”"
"""How a change is written."""
NIGHT_FORMS = "“remove NAME:ABILITY”, “remove NAME”, “add NAME: LINE” or “set OPTION = VALUE”"
"""The same where what stands are actions of a night."""

_ADD = re.compile(r"add\s+([^:]+?)\s*:\s*(.+)", re.IGNORECASE | re.DOTALL)
_REMOVE = re.compile(r"remove\s+([^:]+?)\s*(?::\s*(.+))?", re.IGNORECASE | re.DOTALL)
_SET = re.compile(r"set\s+(\w+)\s*=\s*(.+)", re.IGNORECASE | re.DOTALL)


def parse_edit(text: str, slots: Sequence[SlotId], aliases: Aliases, forms: str = FORMS) -> Edit:
    """Read one change; a colon in a name ends none. Raises InputError with `forms`, what was expected."""
    for reading in readings(text.strip(), slots, aliases):
        if found := _REMOVE.fullmatch(reading.text):
            return Remove(reading.plain(found[1]), reading.plain(found[2] or "").strip())
        if found := _ADD.fullmatch(reading.text):
            return Add(reading.plain(found[1]), reading.plain(found[2]))
        if found := _SET.fullmatch(reading.text):
            return Choose(found[1].lower(), reading.plain(found[2]).strip())
    raise InputError(f"“{text}” is not a change that I understand. Expected {forms}.")


# ── What is answered. ───────────────────────────────────────────────────────────────────────────────────────


class Step(NamedTuple):
    """One link of a chain of causes: how deep it is, the sentence, the ruling it rests on ("" for none)."""

    depth: int
    text: str
    ruling: str = ""


class Change(NamedTuple):
    """One difference in a few words; `why` gives the reason where there is one."""

    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class TextChange:
    """A text of a closing that reads otherwise, "" where there is none; `whose` it is."""

    whose: str
    kind: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Dependence:
    """An option that a closing hangs on, its other value, and what would then be different."""

    option: Option
    value: str
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, object]:
        """{option, value, ruling, changes: [texts]}."""
        return {
            "option": self.option.name,
            "value": self.value,
            "ruling": self.option.ruling,
            "changes": [change.text for change in self.changes],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Why(JsonAnswer):
    """What a closing means for one player.

    `standing` is what stands of theirs, `silence` what sending nothing does (`awaited`: it is due of them),
    `told` what they read, `named` each line of the posts and of the moderator's sheets that names them.
    `steps` are the chains of causes, where the game tells them: then they say all of it. `night` is the
    number of a night, None for another window.
    """

    title: str
    name: str
    role: str = ""
    night: int | None = None
    steps: tuple[Step, ...] = ()
    awaited: bool = False
    standing: tuple[str, ...] = ()
    silence: str = ""
    told: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """{title, night, slot, role, steps: [{depth, text, ruling}], standing, told, named}."""
        return {
            "title": self.title,
            "night": self.night,
            "slot": self.name,
            "role": self.role,
            "steps": [step._asdict() for step in self.steps],
            "standing": list(self.standing),
            "told": list(self.told),
            "named": list(self.named),
        }


@dataclass(frozen=True, slots=True, repr=False)
class WhatIf(JsonAnswer):
    """What changes come to.

    `changes` are the differences as the game tells them, the gravest first, where it tells any; `texts` those
    that read otherwise. `refused` are added lines that the game would not take, with who sent them;
    `question` is what the closing would then wait for ("": nothing).
    """

    changes: tuple[Change, ...] = ()
    texts: tuple[TextChange, ...] = ()
    refused: tuple[tuple[str, str, Refusal], ...] = ()
    question: str = ""

    def to_dict(self) -> dict[str, object]:
        """{changes: [{text, why}], texts: [{whose, kind, before, after}], refused: [{slot, line, code,
        text}], question}."""
        return {
            "changes": [change._asdict() for change in self.changes],
            "texts": [asdict(text) for text in self.texts],
            "refused": [
                {"slot": slot, "line": line, "code": why.code, "text": why.text}
                for slot, line, why in self.refused
            ],
            "question": self.question,
        }
